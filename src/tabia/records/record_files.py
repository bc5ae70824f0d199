"""How files of records that are read one by one become batches, for every such game alike.

A file, or a member of an archive, is one block.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from itertools import islice
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from tabia.records.block import BLOCK_BYTES, Block
from tabia.records.reading import Batch, Joins
from tabia.records.record_games import RecordGames, RecordT
from tabia.records.reject import Reject
from tabia.records.whole import Content

__all__ = ["ContentReader", "RecordFiles"]

_AT_ONCE = 4096  # records, which bounds the memory


_ReadT = TypeVar("_ReadT", covariant=True)


class ContentReader(Protocol[_ReadT]):
    """Reads the files of one game: the one way from a file, packed or not, to its records."""

    def contents(
        self,
        path: Path,
        name: str | None = None,
        *,
        advance: Callable[[float], None] | None = None,
    ) -> Iterator[Content]:
        """Yield the content of a file, of each member if it is an archive.

        Raises
        ------
        GameFileError
            If the file is missing or unreadable.
        """

    def records(self, content: Content) -> Iterator[_ReadT | Reject]:
        """Yield the records of a file and, at last, its fault; nothing for a blank file."""

    @property
    def joins(self) -> tuple[int, int] | None:
        """Games so far with and without a header; None without a file of headers."""

    def finish(self, *, is_whole: bool = True) -> list[str]:
        """Return what became of the headers; see :class:`tabia.records.reading.Files`."""


class RecordFiles(Generic[RecordT]):
    """How files are read; see :class:`tabia.records.reading.Files`.

    Parameters
    ----------
    reader
        Reads files.
    batch
        What its records become.
    """

    def __init__(self, reader: ContentReader[RecordT], batch: type[RecordGames[RecordT]]) -> None:
        self._reader, self._batch = reader, batch

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
            parsed = self._batch.sorted_out(items, ordinal + found)
            yield Batch(file, ordinal + found, block, parsed)
            found += len(items)

    @property
    def joins(self) -> Joins | None:
        """See :class:`tabia.records.reading.Files`."""
        return None if self._reader.joins is None else Joins(*self._reader.joins)

    def finish(self, *, is_whole: bool = True) -> list[str]:
        """Return what became of the headers; see :class:`tabia.records.reading.Files`."""
        return self._reader.finish(is_whole=is_whole)
