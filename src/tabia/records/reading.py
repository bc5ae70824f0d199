"""Game files to records: the one way in which files are read and counted, whatever the game.

Every record found is accepted or rejected, whatever the file holds. What a file could not give
counts as one rejected record, after the games that were read before it. How the files of a game
are read is that game's module (:data:`tabia.records.by_game.FILES`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tabia.records.arrow import Origin
from tabia.records.block import BLOCK_BYTES, Block, Fault
from tabia.records.by_game import FILES

__all__ = ["NO_RESULT", "Batch", "Files", "Joins", "Parsed", "files_of", "read_file", "tables_of"]

NO_RESULT = -128
"""Result of a game whose result is not known, in :attr:`Parsed.result`."""


class Parsed(Protocol):
    """The records of one block: games and rejects."""

    @property
    def found(self) -> int:
        """Records found."""

    @property
    def split_hash(self) -> NDArray[np.uint64]:
        """Content hash of each accepted game, `[n]`."""

    @property
    def n_plies(self) -> NDArray[np.int32]:
        """Half-moves of each accepted game, `[n]`."""

    @property
    def result(self) -> NDArray[np.int8]:
        """First player's view, `[n]`: 1, 0, -1; :data:`NO_RESULT` = unknown."""

    @property
    def reasons(self) -> list[str]:
        """Reason of each reject."""


@dataclass(frozen=True)
class Batch:
    """A block with its records, a fault, or the mere news that a file was there.

    Attributes
    ----------
    file
        Name of the file or archive member.
    ordinal
        Ordinal of the first record.
    block, parsed
        The bytes and their records; both None for a fault and for a file without content,
        `parsed` also where a file was only cut.
    fault
        What could not be read.
    """

    file: str
    ordinal: int
    block: Block | None = None
    parsed: Parsed | None = None
    fault: Fault | None = None

    @property
    def found(self) -> int:
        """Records found in this batch."""
        if self.parsed is not None:
            return self.parsed.found
        return 0 if self.fault is None else 1


class Joins(NamedTuple):
    """Games of tables of moves that have a header in the file of headers, and that have none."""

    joined: int
    unjoined: int


class Files(Protocol):
    """How the files of one game are read; each game's module has a class of this name."""

    def __init__(self, headers: Path | None = None) -> None: ...
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

    def cut(
        self,
        path: Path,
        name: str | None = None,
        *,
        block_bytes: int = BLOCK_BYTES,
        advance: Callable[[float], None] | None = None,
    ) -> Iterator[Batch]:
        """Yield the same batches; `parsed` may be None where a block need not be read for it."""

    def parse(self, file: str, block: Block, ordinal: int = 0) -> Iterator[Batch]:
        """Yield the records of one block, whose first record has the given ordinal."""

    @property
    def joins(self) -> Joins | None:
        """Games so far that could have a header; None without a file of headers."""

    def finish(self, *, is_whole: bool = True) -> list[str]:
        """Return, after all files were read, what people should know that no table says.

        Parameters
        ----------
        is_whole
            Whether this was all of the source. Another part of it may have the games of the
            headers.

        Raises
        ------
        GameFileError
            If this was all, there are headers and none is of a game that was read.
        """


def files_of(game: str, headers: Path | None = None) -> Files:
    """Return what reads the files of `game`; `headers` is :attr:`Source.headers`."""
    files: Files = import_module(FILES[game]).Files(headers)
    return files


def read_file(
    path: Path,
    name: str | None = None,
    *,
    game: str = "chess",
    headers: Path | None = None,
    block_bytes: int = BLOCK_BYTES,
    advance: Callable[[float], None] | None = None,
    pool: Executor | None = None,
) -> Iterator[Batch]:
    """Yield the parsed blocks of a file, of each member if it is an archive.

    Parameters
    ----------
    path, name, advance
        As :func:`tabia.records.opening.members`.
    game
        ``chess`` or ``xiangqi``.
    headers
        File of game headers to join the file's games with, or None.
    block_bytes
        Size of a block where files are cut into blocks.
    pool
        Parses blocks side by side where that is faster; the batches are the same, in the same
        order.

    Raises
    ------
    GameFileError
        If the file is missing or unreadable, or headers were given and join none of its games.
    """
    reader = files_of(game, headers)
    yield from reader.read(path, name, block_bytes=block_bytes, advance=advance, pool=pool)
    reader.finish()


def tables_of(parts: Sequence[tuple[Parsed, Origin]]) -> tuple[pa.Table, pa.Table]:
    """Return the rows of `parts`, all of one game, under the schemas GAMES and REJECTS."""
    games, rejects = import_module(FILES[parts[0][1].game]).tables(parts)
    return games, rejects
