"""Xiangqi records as batches and tables; how files are read: :mod:`tabia.records.xiangqi_members`.

A file, or a member of an archive, is one block.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from tabia._native.xiangqi_board import Board
from tabia.records.arrow import Origin, hash_headers, table
from tabia.records.record_files import RecordFiles
from tabia.records.record_games import RecordGames, columns, rejects, texts
from tabia.records.xiangqi.record import Record
from tabia.records.xiangqi_members import Reader

__all__ = ["Files", "XiangqiGames", "tables"]


class XiangqiGames(RecordGames[Record]):
    """The records of a file of xiangqi."""

    def content_hash(self, game: Record) -> int:
        """Return the hash of variant, start position and moves: equal for repeated games.

        Counters of the start do not count, so that it may be written with or without them.
        """
        digest = hashlib.blake2b(b"xiangqi standard\0", digest_size=8)
        digest.update(Board(game.start_fen).packed())
        digest.update(np.array(game.moves, "<u2").tobytes())
        return int.from_bytes(digest.digest(), "little")


class Files(RecordFiles[Record]):
    """How xiangqi files are read; see :class:`tabia.records.reading.Files`."""

    def __init__(self, headers: Path | None = None) -> None:
        super().__init__(Reader(headers), XiangqiGames)


def tables(parts: Sequence[tuple[XiangqiGames, Origin]]) -> tuple[pa.Table, pa.Table]:
    """Return the rows of `parts` under the schemas GAMES and REJECTS."""
    rows, shared = columns(parts)

    def mentions(tag: str) -> pa.Array:
        found = [any(tag in text for text in game.comments.values()) for game in rows]
        return pa.array(found, pa.bool_())

    games = {
        **shared,
        **texts(rows, "opening_code"),
        "result_conflict": pa.array([game.result_conflict for game in rows], pa.bool_()),
        "has_evals": mentions("[%eval"),
        "has_clocks": mentions("[%clk"),
    }
    return hash_headers(table(games, len(rows))), rejects(parts)
