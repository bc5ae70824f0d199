"""Xiangqi records as batches and tables; how files are read: :mod:`tabia.records.xiangqi_members`.

A file, or a member of an archive, is one block.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tabia._native.xiangqi_board import Board
from tabia.records.arrow import Origin, elo, hash_headers, same, table
from tabia.records.block import BLOCK_BYTES, Block
from tabia.records.dates import iso_column
from tabia.records.hashing import game_ids
from tabia.records.reading import NO_RESULT, Batch, Joins
from tabia.records.xiangqi.dates import iso_date
from tabia.records.xiangqi.record import Record, Reject
from tabia.records.xiangqi_members import Content, Reader
from tabia.tables.schemas import REJECTS

__all__ = ["Files", "XiangqiGames", "tables"]

_AT_ONCE = 4096  # records, which bounds the memory


@dataclass(frozen=True)
class XiangqiGames:
    """The records of a file as :class:`tabia.records.reading.Parsed`.

    Attributes
    ----------
    games, rejects
        What the reader gave, each with its ordinal.
    """

    games: Sequence[tuple[int, Record]]
    rejects: Sequence[tuple[int, Reject]]

    @property
    def found(self) -> int:
        """Records found."""
        return len(self.games) + len(self.rejects)

    @cached_property
    def split_hash(self) -> NDArray[np.uint64]:
        """Content hash of each game, `[n]`."""
        hashes = (_content_hash(game) for _, game in self.games)
        return np.fromiter(hashes, np.uint64, len(self.games))

    @property
    def n_plies(self) -> NDArray[np.int32]:
        """Half-moves of each game, `[n]`."""
        return np.array([len(game.moves) for _, game in self.games], np.int32)

    @property
    def result(self) -> NDArray[np.int8]:
        """Red's view, `[n]`: 1, 0, -1; -128 = unknown."""
        results = (game.result for _, game in self.games)
        return np.array([NO_RESULT if one is None else one for one in results], np.int8)

    @property
    def reasons(self) -> list[str]:
        """Reason of each reject."""
        return [reject.reason for _, reject in self.rejects]


class Files:
    """How xiangqi files are read; see :class:`tabia.records.reading.Files`."""

    def __init__(self, headers: Path | None = None) -> None:
        self._reader = Reader(headers)

    def read(
        self,
        path: Path,
        name: str | None = None,
        *,
        block_bytes: int = BLOCK_BYTES,
        advance: Callable[[float], None] | None = None,
        pool: Executor | None = None,
    ) -> Iterator[Batch]:
        """Yield the records of a file, of each member if it is an archive.

        `pool` is not used: readers are Python, and threads of Python take turns.
        """
        for batch in self.cut(path, name, block_bytes=block_bytes, advance=advance):
            if batch.block is None:
                yield batch
            else:
                yield from self.parse(batch.file, batch.block, batch.ordinal)

    def cut(
        self,
        path: Path,
        name: str | None = None,
        *,
        block_bytes: int = BLOCK_BYTES,
        advance: Callable[[float], None] | None = None,
    ) -> Iterator[Batch]:
        """Yield the files in `path` as blocks that are not read yet."""
        for content in self._reader.contents(path, name, advance=advance):
            has_data = bool(content.data.strip())
            if has_data:
                yield Batch(content.name, 0, Block(content.data, 0, 1))
            if content.fault is not None or not has_data:
                yield Batch(content.name, content.ordinal, fault=content.fault)

    def parse(self, file: str, block: Block, ordinal: int = 0) -> Iterator[Batch]:
        """Yield the records of one block, some thousands a batch, from the given ordinal on."""
        found = 0
        records = self._reader.records(Content(file, block.data))
        while items := list(islice(records, _AT_ONCE)):
            yield Batch(file, ordinal + found, block, _sorted_out(items, ordinal + found))
            found += len(items)

    @property
    def joins(self) -> Joins | None:
        """See :class:`tabia.records.reading.Files`."""
        return None if self._reader.joins is None else Joins(*self._reader.joins)

    def finish(self, *, is_whole: bool = True) -> list[str]:
        """Return what became of the headers; see :class:`tabia.records.reading.Files`."""
        return self._reader.finish(is_whole=is_whole)


def _sorted_out(items: Sequence[Record | Reject], ordinal: int) -> XiangqiGames:
    numbered = list(enumerate(items, start=ordinal))
    return XiangqiGames(
        [(number, item) for number, item in numbered if isinstance(item, Record)],
        [(number, item) for number, item in numbered if isinstance(item, Reject)],
    )


def _content_hash(game: Record) -> int:
    """Return the hash of variant, start position and moves: equal for repeated games.

    Counters of the start do not count, so that it may be written with or without them.
    """
    digest = hashlib.blake2b(b"xiangqi standard\0", digest_size=8)
    digest.update(Board(game.start_fen).packed())
    digest.update(np.array(game.moves, "<u2").tobytes())
    return int.from_bytes(digest.digest(), "little")


# -- tables --------------------------------------------------------------------------------


def tables(parts: Sequence[tuple[XiangqiGames, Origin]]) -> tuple[pa.Table, pa.Table]:
    """Return the rows of `parts` under the schemas GAMES and REJECTS."""
    return _games(parts), _rejects(parts)


def _games(parts: Sequence[tuple[XiangqiGames, Origin]]) -> pa.Table:
    rows = [game for part, _ in parts for _, game in part.games]
    n = len(rows)
    ordinals = [np.array([at for at, _ in part.games], np.int64) for part, _ in parts]
    n_plies = np.array([len(game.moves) for game in rows], np.int32)
    moves = [np.array(game.moves, np.uint16) for game in rows]
    ids = [
        game_ids(origin.source, origin.file, at)
        for (_, origin), at in zip(parts, ordinals, strict=True)
    ]

    def text(name: str) -> pa.Array:
        return pa.array([getattr(game, name) for game in rows], pa.string())

    def each(name: str) -> pa.Array:
        values = [getattr(origin, name) for part, origin in parts for _ in part.games]
        return pa.array(values, pa.string()).dictionary_encode()

    def rating(name: str) -> pa.Array:
        # No rating where it does not fit the column: such numbers stand in real files.
        values = (getattr(game, name) or 0 for game in rows)
        return elo(np.array([value if 0 < value < 1 << 31 else 0 for value in values], np.int32))

    def mentions(tag: str) -> pa.Array:
        return pa.array([any(tag in text for text in game.comments.values()) for game in rows])

    columns = {
        "game_id": pa.array(np.concatenate([np.empty(0, np.uint64), *ids])),
        "game": each("game"),
        "source": each("source"),
        "file": each("file"),
        "ordinal": pa.array(np.concatenate([np.empty(0, np.int64), *ordinals])),
        "byte_offset": pa.array([game.byte_offset for game in rows], pa.int64()),
        "played_by": each("played_by"),
        **{name: text(name) for name in ("event", "site", "round", "termination")},
        "date": iso_column(text("date"), iso_date),
        **{name: text(name) for name in ("first_name", "second_name")},
        **{name: rating(name) for name in ("first_elo", "second_elo")},
        "result": pa.array([game.result for game in rows], pa.int8()),
        "result_conflict": pa.array([game.result_conflict for game in rows], pa.bool_()),
        **{name: text(name) for name in ("time_control", "opening_code", "start_fen")},
        "variant": same("standard", n),
        "has_evals": mentions("[%eval").cast(pa.bool_()),
        "has_clocks": mentions("[%clk").cast(pa.bool_()),
        "n_plies": pa.array(n_plies),
        "moves": pa.ListArray.from_arrays(
            pa.array(np.concatenate([[0], np.cumsum(n_plies)]), pa.int32()),
            pa.array(np.concatenate([np.empty(0, np.uint16), *moves])),
        ),
        "split_hash": pa.array(
            np.concatenate([np.empty(0, np.uint64), *(part.split_hash for part, _ in parts)])
        ),
    }
    return hash_headers(table(columns, n))


def _rejects(parts: Sequence[tuple[XiangqiGames, Origin]]) -> pa.Table:
    rows = [
        {
            "source": origin.source,
            "file": origin.file,
            "ordinal": ordinal,
            "byte_offset": reject.byte_offset,
            "line": reject.line,
            "reason": reject.reason,
            "detail": reject.detail,
            "legal_plies": reject.legal_plies,
        }
        for part, origin in parts
        for ordinal, reject in part.rejects
    ]
    return pa.Table.from_pylist(rows, schema=REJECTS)
