"""Xiangqi records: whole files, read by the reader of their format.

Formats differ too much to be cut anywhere, so a file, or a member of an archive, is one block and
is held in memory, up to :data:`LARGEST` bytes; a larger one is a reject that says so.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
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
from tabia.records.block import BLOCK_BYTES, CORRUPT_FILE, TOO_LARGE, Block, Fault
from tabia.records.dates import iso_column
from tabia.records.hashing import game_ids
from tabia.records.opening import CorruptFileError, GameFileError, Member, members
from tabia.records.reading import NO_RESULT, Batch
from tabia.records.xiangqi import formats, playok
from tabia.records.xiangqi.dates import iso_date
from tabia.records.xiangqi.record import Record, Reject
from tabia.tables.schemas import REJECTS

__all__ = ["LARGEST", "Files", "XiangqiGames", "tables"]

LARGEST = 256 << 20
"""Bytes that a file may have, unpacked."""

_AT_ONCE = 4096  # records, which bounds the memory
_BINARY = 4096  # a zero byte in so many first ones: no text


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
        self._headers = headers

    def read(
        self,
        path: Path,
        name: str | None = None,
        *,
        block_bytes: int = BLOCK_BYTES,
        advance: Callable[[float], None] | None = None,
        pool: Executor | None = None,
    ) -> Iterator[Batch]:
        """Yield the records of a file, of each member if it is an archive."""
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
        for member in members(path, name, advance=advance):
            data, fault = _whole(member)
            if fault is not None and fault.reason == CORRUPT_FILE:
                data, fault, ordinal = self._readable(member.name, data, fault)
                if data:
                    yield Batch(member.name, 0, Block(data, 0, 1))
                yield Batch(member.name, ordinal, fault=fault)
            elif fault is not None:
                yield Batch(member.name, 0, fault=fault)
            elif data.strip():
                yield Batch(member.name, 0, Block(data, 0, 1))
            else:
                yield Batch(member.name, 0)

    def parse(self, file: str, block: Block, ordinal: int = 0) -> Iterator[Batch]:
        """Yield the records of one block, some thousands a batch, from the given ordinal on."""
        found = 0
        records = self._records(file, block.data)
        while items := list(islice(records, _AT_ONCE)):
            yield Batch(file, ordinal + found, block, _sorted_out(items, ordinal + found))
            found += len(items)
        if not found:
            detail = f"{file}: no record in {len(block.data):,} bytes; is it a file of games?"
            yield Batch(file, ordinal, fault=Fault("bad_file", detail, block.byte_offset, 1))

    def _records(self, file: str, data: bytes) -> Iterator[Record | Reject]:
        if self._headers is not None and formats.detect(data, file) == "playok":
            return playok.read(data, file, self._by_id)
        return formats.read(data, file)

    @cached_property
    def _by_id(self) -> Mapping[str, playok.Header]:
        """The headers by the games' ids."""
        if self._headers is None:
            return {}
        try:
            for member in members(self._headers):
                return playok.headers(b"".join(member.chunks))
        except GameFileError:
            raise
        except ValueError as error:
            raise GameFileError(f"{self._headers}: {error}") from error
        return {}

    def _readable(self, file: str, data: bytes, fault: Fault) -> tuple[bytes, Fault, int]:
        """Return what can be used of a file that breaks off, its fault and the fault's ordinal.

        The last record may lack its end, and nothing tells; so it is part of the fault.
        """
        if b"\0" in data[:_BINARY]:
            return b"", fault, 0
        items = list(self._records(file, data))
        if not items or not items[-1].byte_offset:
            return b"", fault, 0
        last = items[-1]
        fault = Fault(CORRUPT_FILE, fault.detail, last.byte_offset, last.line)
        return data[: last.byte_offset], fault, len(items) - 1


def _sorted_out(items: Sequence[Record | Reject], ordinal: int) -> XiangqiGames:
    numbered = list(enumerate(items, start=ordinal))
    return XiangqiGames(
        [(number, item) for number, item in numbered if isinstance(item, Record)],
        [(number, item) for number, item in numbered if isinstance(item, Reject)],
    )


def _whole(member: Member) -> tuple[bytes, Fault | None]:
    """Return the bytes of a file, or as many as there are with what is wrong."""
    pieces: list[bytes] = []
    size = 0
    try:
        for piece in member.chunks:
            size += len(piece)
            if size <= LARGEST:
                pieces.append(piece)
            else:
                pieces.clear()  # go on to the end: the next member comes after it
    except CorruptFileError as error:
        return b"".join(pieces), Fault(CORRUPT_FILE, str(error), 0, 1)
    if size > LARGEST:
        detail = f"{size:,} bytes; at most {LARGEST:,} are read in one piece: split the file"
        return b"", Fault(TOO_LARGE, detail, 0, 1)
    return b"".join(pieces), None


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
