"""Game files to parsed blocks: the one way in which records are read and counted.

Every record found is accepted or rejected, whatever the file holds. What a file could not give
counts as one rejected record, after the games that were read before it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from pathlib import Path

from tabia._native import chess_pgn
from tabia._native.chess_pgn import ParsedPgn
from tabia.records.cutting import BLOCK_BYTES, Block, Fault, blocks, no_game
from tabia.records.opening import members

__all__ = ["Batch", "parse_block", "read_file"]

_AHEAD = 8  # blocks in work at once, which bounds the memory
_SHOWN = 400  # bytes of a file without games that its reject may show


@dataclass(frozen=True)
class Batch:
    """A parsed block, a fault, or the mere news that a file was there.

    Attributes
    ----------
    file
        Name of the file or archive member.
    ordinal
        Ordinal of the first record.
    block, parsed
        The bytes and their games; both None for a fault and for a file without content.
    fault
        What could not be read.
    """

    file: str
    ordinal: int
    block: Block | None = None
    parsed: ParsedPgn | None = None
    fault: Fault | None = None

    @property
    def found(self) -> int:
        """Records found in this batch."""
        if self.parsed is not None:
            return self.parsed.found
        return 0 if self.fault is None else 1


def read_file(
    path: Path,
    name: str | None = None,
    *,
    block_bytes: int = BLOCK_BYTES,
    advance: Callable[[float], None] | None = None,
    pool: Executor | None = None,
) -> Iterator[Batch]:
    """Yield the parsed blocks of a file, of each member if it is an archive.

    Parameters
    ----------
    path, name, advance
        As :func:`tabia.records.opening.members`.
    pool
        Parses blocks side by side; the batches are the same, in the same order.

    Raises
    ------
    GameFileError
        If the file is missing or unreadable.
    """
    for member in members(path, name, advance=advance):
        ordinal, head, empty = 0, b"", True
        for piece, parsed in _parsed(blocks(member.chunks, block_bytes), pool):
            empty = False
            if isinstance(piece, Fault):
                batch = Batch(member.name, ordinal, fault=piece)
            elif parsed is not None:
                # Blocks are parsed before it is known how many games came before them.
                parsed.ordinal[:] += ordinal
                parsed.rejects.ordinal[:] += ordinal
                batch = Batch(member.name, ordinal, piece, parsed)
                if not batch.found:
                    head = head or piece.data.replace(b"\xef\xbb\xbf", b"").strip()[:_SHOWN]
            ordinal += batch.found
            yield batch
        if empty:
            yield Batch(member.name, 0)
        elif not ordinal and head:
            yield Batch(member.name, 0, fault=no_game(head))


def parse_block(block: Block, ordinal: int = 0) -> ParsedPgn:
    """Parse one block whose first record has the given ordinal."""
    return chess_pgn.parse(
        block.data, base_offset=block.byte_offset, base_line=block.line, ordinal=ordinal
    )


_Waiting = tuple[Block | Fault, Future[ParsedPgn] | None]


def _parsed(
    pieces: Iterator[Block | Fault], pool: Executor | None
) -> Iterator[tuple[Block | Fault, ParsedPgn | None]]:
    waiting: deque[_Waiting] = deque()
    for piece in pieces:
        if isinstance(piece, Fault):
            waiting.append((piece, None))
        elif pool is None:
            yield piece, parse_block(piece)
        else:
            waiting.append((piece, pool.submit(parse_block, piece)))
            if len(waiting) > _AHEAD:
                yield _ready(waiting.popleft())
    while waiting:
        yield _ready(waiting.popleft())


def _ready(item: _Waiting) -> tuple[Block | Fault, ParsedPgn | None]:
    piece, future = item
    return piece, None if future is None else future.result()
