"""Go records as batches and tables; how files are read: :mod:`tabia.records.go_members`."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from tabia._native.go_board import Board
from tabia.records.arrow import Origin, hash_headers, table
from tabia.records.go.record import Record
from tabia.records.go_members import Reader
from tabia.records.record_files import RecordFiles
from tabia.records.record_games import RecordGames, columns, rejects, texts

__all__ = ["Files", "GoGames", "tables"]


class GoGames(RecordGames[Record]):
    """The records of a file of Go."""

    def content_hash(self, game: Record) -> int:
        """Return the hash of size, start position and moves: equal for repeated games.

        Komi, handicap as a number and rules do not count.
        """
        digest = hashlib.blake2b(b"go standard\0", digest_size=8)
        if game.start_fen is not None:
            digest.update(Board(game.start_fen).packed())
        digest.update(np.array(game.moves, "<u2").tobytes())
        return int.from_bytes(digest.digest(), "little")


class Files(RecordFiles[Record]):
    """How Go files are read; see :class:`tabia.records.reading.Files`.

    Raises
    ------
    ValueError
        If there is a file of headers: Go records have none.
    """

    def __init__(self, headers: Path | None = None) -> None:
        if headers is not None:
            raise ValueError(f"{headers}: Go records have no headers in a file of their own")
        super().__init__(Reader(), GoGames)


def tables(parts: Sequence[tuple[GoGames, Origin]]) -> tuple[pa.Table, pa.Table]:
    """Return the rows of `parts` under the schemas GAMES and REJECTS."""
    rows, shared = columns(parts)
    games = {
        **shared,
        **texts(rows, "first_rank", "second_rank", "rules"),
        "result_conflict": pa.array([False] * len(rows), pa.bool_()),
        "board_size": pa.array([game.board_size for game in rows], pa.int16()),
        "komi": pa.array([game.komi for game in rows], pa.float32()),
        "handicap": pa.array([game.handicap for game in rows], pa.int16()),
        "has_evals": pa.array([False] * len(rows), pa.bool_()),
        "has_clocks": pa.array([game.has_clocks for game in rows], pa.bool_()),
    }
    return hash_headers(table(games, len(rows))), rejects(parts)
