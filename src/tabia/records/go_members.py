"""SGF files: the one way from a file, packed or not, to its records and its faults.

A file, or a member of an archive, is held in memory, up to :data:`tabia.records.whole.LARGEST`
bytes. Where it breaks off, the record in which it does lacks its end; so it is part of the fault.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from tabia.records.block import CORRUPT_FILE, Fault
from tabia.records.go.read import read
from tabia.records.go.record import Record
from tabia.records.opening import members
from tabia.records.reject import Reject
from tabia.records.whole import Content, fault_reject, whole

__all__ = ["Reader"]


class Reader:
    """Reads Go files."""

    def contents(
        self,
        path: Path,
        name: str | None = None,
        *,
        advance: Callable[[float], None] | None = None,
    ) -> Iterator[Content]:
        """Yield the content of a file, of each member if it is an archive.

        Parameters
        ----------
        path, name, advance
            As :func:`tabia.records.opening.members`.

        Raises
        ------
        GameFileError
            If the file is missing or unreadable.
        """
        for member in members(path, name, advance=advance):
            data, fault = whole(member)
            if fault is None or fault.reason != CORRUPT_FILE:
                yield Content(member.name, data, fault)
            else:
                yield _readable(member.name, data, fault)

    def records(self, content: Content) -> Iterator[Record | Reject]:
        """Yield the records of a file and, at last, its fault; nothing for a blank file."""
        yield from read(content.data, content.name)
        if content.fault is not None:
            yield fault_reject(content.fault)

    @property
    def joins(self) -> None:
        """None: Go records have no headers in a file of their own."""
        return

    def finish(self, *, is_whole: bool = True) -> list[str]:
        """Return nothing: there are no headers to tell of."""
        return []


def _readable(name: str, data: bytes, fault: Fault) -> Content:
    """Return the games before the one in which a file breaks off."""
    found = list(read(data, name))
    if len(found) < 2:
        return Content(name, b"", fault)
    last = found[-1]
    readable = data[: last.byte_offset]
    if list(read(readable, name)) != found[:-1]:  # without the end another encoding is likelier
        return Content(name, b"", fault)
    fault = Fault(CORRUPT_FILE, fault.detail, last.byte_offset, last.line)
    return Content(name, readable, fault, len(found) - 1)
