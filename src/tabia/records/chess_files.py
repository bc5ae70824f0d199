"""Chess records: streams of PGN in blocks of whole games, read by the native parser."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tabia._native import chess_pgn
from tabia._native.chess_pgn import REJECT_REASONS, ParsedPgn, Text
from tabia.records.arrow import Origin, elo, hash_headers, same, table
from tabia.records.block import BLOCK_BYTES, Block, Fault
from tabia.records.cutting import blocks, no_game
from tabia.records.dates import iso_column
from tabia.records.hashing import game_ids
from tabia.records.opening import members
from tabia.records.reading import NO_RESULT, Batch
from tabia.tables.schemas import REJECTS

__all__ = ["ChessGames", "Files", "tables"]

_AHEAD = 8  # blocks in work at once, which bounds the memory
_SHOWN = 400  # bytes of a file without games that its reject may show
_REASONS = np.array(REJECT_REASONS)


@dataclass(frozen=True)
class ChessGames:
    """The records of a block as :class:`tabia.records.reading.Parsed`.

    Attributes
    ----------
    pgn
        What the native parser gave.
    """

    pgn: ParsedPgn

    @property
    def found(self) -> int:
        """Records found."""
        return self.pgn.found

    @property
    def split_hash(self) -> NDArray[np.uint64]:
        """Content hash of each accepted game, `[n]`."""
        return self.pgn.split_hash

    @property
    def n_plies(self) -> NDArray[np.int32]:
        """Half-moves of each accepted game, `[n]`."""
        return np.diff(self.pgn.ply_offsets).astype(np.int32)

    @property
    def result(self) -> NDArray[np.int8]:
        """White's view, `[n]`: 1, 0, -1; -128 = unknown."""
        return self.pgn.result

    @property
    def reasons(self) -> list[str]:
        """Reason of each reject."""
        reasons: list[str] = _REASONS[self.pgn.rejects.reason].tolist()
        return reasons


class Files:
    """How chess files are read; see :class:`tabia.records.reading.Files`."""

    def __init__(self, headers: Path | None = None) -> None:
        if headers is not None:
            raise ValueError(f"{headers}: chess files have their headers in them")

    def read(
        self,
        path: Path,
        name: str | None = None,
        *,
        block_bytes: int = BLOCK_BYTES,
        advance: Callable[[float], None] | None = None,
        pool: Executor | None = None,
    ) -> Iterator[Batch]:
        """Yield the parsed blocks of a file, of each member if it is an archive."""
        for member in members(path, name, advance=advance):
            ordinal, head, empty = 0, b"", True
            for piece, parsed in self._parsed(blocks(member.chunks, block_bytes), pool):
                empty = False
                if isinstance(piece, Fault):
                    batch = Batch(member.name, ordinal, fault=piece)
                elif parsed is not None:
                    # Blocks are parsed before it is known how many games came before them.
                    parsed.pgn.ordinal[:] += ordinal
                    parsed.pgn.rejects.ordinal[:] += ordinal
                    batch = Batch(member.name, ordinal, piece, parsed)
                    if not batch.found:
                        head = head or piece.data.replace(b"\xef\xbb\xbf", b"").strip()[:_SHOWN]
                ordinal += batch.found
                yield batch
            if empty:
                yield Batch(member.name, 0)
            elif not ordinal and head:
                yield Batch(member.name, 0, fault=no_game(head))

    def cut(
        self,
        path: Path,
        name: str | None = None,
        *,
        block_bytes: int = BLOCK_BYTES,
        advance: Callable[[float], None] | None = None,
    ) -> Iterator[Batch]:
        """Yield the batches of a file; only reading the games tells how many a block has."""
        yield from self.read(path, name, block_bytes=block_bytes, advance=advance)

    def parse(self, file: str, block: Block, ordinal: int = 0) -> Iterator[Batch]:
        """Yield the records of one block, whose first record has the given ordinal."""
        yield Batch(file, ordinal, block, _parse(block, ordinal))

    @property
    def joins(self) -> None:
        """None: chess files have their headers in them."""
        return None

    def finish(self, *, is_whole: bool = True) -> list[str]:
        """Return nothing: all that chess files give stands in the tables."""
        return []

    def _parsed(
        self, pieces: Iterator[Block | Fault], pool: Executor | None
    ) -> Iterator[tuple[Block | Fault, ChessGames | None]]:
        waiting: deque[tuple[Block | Fault, Future[ChessGames] | None]] = deque()
        for piece in pieces:
            if isinstance(piece, Fault):
                waiting.append((piece, None))
            elif pool is None:
                yield piece, _parse(piece)
            else:
                waiting.append((piece, pool.submit(_parse, piece)))
                if len(waiting) > _AHEAD:
                    yield _ready(waiting.popleft())
        while waiting:
            yield _ready(waiting.popleft())


def _parse(block: Block, ordinal: int = 0) -> ChessGames:
    return ChessGames(
        chess_pgn.parse(
            block.data, base_offset=block.byte_offset, base_line=block.line, ordinal=ordinal
        )
    )


def _ready(
    item: tuple[Block | Fault, Future[ChessGames] | None],
) -> tuple[Block | Fault, ChessGames | None]:
    piece, future = item
    return piece, None if future is None else future.result()


# -- tables --------------------------------------------------------------------------------


def tables(parts: Sequence[tuple[ChessGames, Origin]]) -> tuple[pa.Table, pa.Table]:
    """Return the rows of `parts` under the schemas GAMES and REJECTS."""
    games = [_games(part.pgn, origin) for part, origin in parts]
    rejects = [_rejects(part.pgn, origin) for part, origin in parts]
    return pa.concat_tables(games), pa.concat_tables(rejects)


def _games(parsed: ParsedPgn, origin: Origin) -> pa.Table:
    n = len(parsed.ordinal)
    date, utc_date = iso_column(_text(parsed.date)), iso_column(_text(parsed.utc_date))
    if date.null_count:
        date = pc.coalesce(date, utc_date)
    offsets = parsed.ply_offsets
    columns = {
        "game_id": pa.array(game_ids(origin.source, origin.file, parsed.ordinal)),
        "game": same(origin.game, n),
        "source": same(origin.source, n),
        "file": same(origin.file, n),
        "ordinal": pa.array(parsed.ordinal),
        "byte_offset": pa.array(parsed.byte_offset),
        "played_by": same(origin.played_by, n),
        "event": _text(parsed.event),
        "site": _text(parsed.site),
        "round": _text(parsed.round),
        "date": date,
        "first_name": _text(parsed.white),
        "second_name": _text(parsed.black),
        "first_elo": elo(parsed.white_elo),
        "second_elo": elo(parsed.black_elo),
        "result": pa.array(parsed.result, mask=parsed.result == NO_RESULT),
        "result_conflict": pa.array(parsed.result_conflict.astype(np.bool_)),
        "termination": _text(parsed.termination),
        "time_control": _text(parsed.time_control),
        "opening_code": _text(parsed.eco),
        "variant": _text(parsed.variant).dictionary_encode(),
        "start_fen": _text(parsed.start_fen),
        "has_evals": pa.array(parsed.has_evals.astype(np.bool_)),
        "has_clocks": pa.array(parsed.has_clocks.astype(np.bool_)),
        "n_plies": pa.array(np.diff(offsets).astype(np.int32)),
        "moves": pa.ListArray.from_arrays(
            pa.array(offsets.astype(np.int32)), pa.array(parsed.moves)
        ),
        "split_hash": pa.array(parsed.split_hash),
    }
    return hash_headers(table(columns, n))


def _rejects(parsed: ParsedPgn, origin: Origin) -> pa.Table:
    rejects = parsed.rejects
    n = len(rejects.ordinal)
    reasons = pa.DictionaryArray.from_arrays(pa.array(rejects.reason), list(REJECT_REASONS))
    return pa.Table.from_arrays(
        [
            same(origin.source, n),
            same(origin.file, n),
            pa.array(rejects.ordinal),
            pa.array(rejects.byte_offset),
            pa.array(rejects.line),
            reasons.dictionary_decode(),
            _text(rejects.detail),
            pa.array(rejects.legal_plies),
        ],
        schema=REJECTS,
    )


def _text(text: Text) -> pa.Array:
    n = len(text.validity)
    valid = None
    if not text.validity.all():
        valid = pa.py_buffer(np.packbits(text.validity, bitorder="little"))
    return pa.StringArray.from_buffers(
        n, pa.py_buffer(text.offsets), pa.py_buffer(text.data), valid
    )
