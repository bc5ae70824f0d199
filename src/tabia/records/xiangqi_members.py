"""Xiangqi files: the one way from a file, packed or not, to its records and its faults.

Formats differ too much to be cut anywhere, so a file, or a member of an archive, is held in memory,
up to :data:`LARGEST` bytes. Where a file breaks off, the record in which it does may lack its end,
and nothing tells; so it is part of the fault.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from tabia.records.block import CORRUPT_FILE, Fault
from tabia.records.opening import GameFileError, Member, members
from tabia.records.whole import LARGEST, Content, fault_reject, too_large, whole
from tabia.records.xiangqi import formats, playok
from tabia.records.xiangqi.record import Record, Reject
from tabia.records.xiangqi.sniffing import table_of

__all__ = ["LARGEST", "LARGEST_TABLE", "Content", "Reader"]

LARGEST_TABLE = 64 << 20
"""Bytes that one of PlayOK's tables may have: its games take nine times as much memory."""


class Reader:
    """Reads xiangqi files.

    Parameters
    ----------
    headers
        PlayOK's table of headers, to be joined with the games of its tables of moves; None = none.
    source_format
        One of `formats.FORMATS`, for all files; None finds out for each.
    """

    def __init__(self, headers: Path | None = None, source_format: str | None = None) -> None:
        self._path = headers
        self._format = source_format

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
            yield self._content(member)

    def records(self, content: Content) -> Iterator[Record | Reject]:
        """Yield the records of a file and, at last, its fault; nothing for a blank file.

        Raises
        ------
        GameFileError
            If the file of headers is none.
        """
        name, data = content.name, content.data
        if data.strip():
            found = False
            for record in self._read(name, data):
                found = True
                yield record
            if not found:
                detail = f"{name}: no record in {len(data):,} bytes; is it a file of games?"
                yield Reject(reason="bad_file", detail=detail)
        if content.fault is not None:
            yield fault_reject(content.fault)

    @property
    def joins(self) -> tuple[int, int] | None:
        """Games so far with and without a header, of those that could have one.

        None without a file of headers.
        """
        if self._path is None:
            return None
        return self._headers.joined, self._headers.missing

    def finish(self, *, is_whole: bool = True) -> list[str]:
        """Return, after everything was read, what became of the headers, for people.

        Parameters
        ----------
        is_whole
            Whether this was all that the headers may belong to.

        Raises
        ------
        GameFileError
            If this was all, there are headers and games that could have one, and no game has.
        """
        if self._path is None:
            return []
        headers = self._headers
        games = headers.joined + headers.missing
        if not games:
            return [f"{self._path}: joined with no game, because no table of moves was read"]
        if is_whole and not headers.joined:
            raise GameFileError(
                f"{self._path}: none of {len(headers):,} headers is of a game of the tables of "
                f"moves, for instance of game {headers.example}; name the file of headers that "
                "belongs to them, or none"
            )
        notes = [
            f"{self._path}: {headers.joined:,} of {games:,} games joined with one of "
            f"{len(headers):,} headers"
        ]
        if headers.missing:
            notes[0] += f"; {headers.missing:,} without, the first is game {headers.example}"
        if faults := headers.faults:
            notes.append(
                f"{self._path}: {len(faults):,} rows are no headers and left out; the first: "
                f"{faults[0].detail}"
            )
        return notes

    def _format_of(self, name: str, data: bytes) -> str | None:
        return self._format or formats.detect(data, name)

    def _read(self, name: str, data: bytes) -> Iterator[Record | Reject]:
        found = self._format_of(name, data)
        if self._path is not None and found == "playok":
            return playok.read(data, name, self._headers)
        return formats.read(data, name, found)

    @cached_property
    def _headers(self) -> _Headers:
        if self._path is None:
            return _Headers({}, [])
        tables = [
            data for member in members(self._path) if (data := b"".join(member.chunks)).strip()
        ]
        if len(tables) > 1:
            raise GameFileError(
                f"{self._path}: an archive of {len(tables)} files; name one table of headers"
            )
        try:
            data = b"".join(tables)
            by_id = playok.headers(data)
            rows = playok.read(data, str(self._path))
        except ValueError as error:
            raise GameFileError(f"{self._path}: {error}") from error
        return _Headers(by_id, [row for row in rows if isinstance(row, Reject)])

    def _content(self, member: Member) -> Content:
        data, fault = whole(member, LARGEST)
        if fault is None:
            if len(data) > LARGEST_TABLE and self._is_table(member.name, data):
                return Content(member.name, b"", too_large(len(data), LARGEST_TABLE))
            return Content(member.name, data)
        if fault.reason != CORRUPT_FILE:
            return Content(member.name, b"", fault)
        return self._readable(member.name, data, fault)

    def _is_table(self, name: str, data: bytes) -> bool:
        return self._format_of(name, data) == "playok" and table_of(data) is not None

    def _readable(self, name: str, data: bytes, fault: Fault) -> Content:
        """Return what can be used of a file that breaks off."""
        if self._is_table(name, data) and table_of(data) == "moves":
            detail = f"{fault.detail}; rows of any game may be missing, so none is read"
            return Content(name, b"", Fault(CORRUPT_FILE, detail, 0, 1))
        found = [*self._read(name, data)]
        if not found:
            return Content(name, b"", fault)
        whole, last = found[:-1], found[-1]
        readable = data[: last.byte_offset]
        # A library's index or a wrong offset would make other records of a shorter file.
        if not whole or [*self._read(name, readable)] != whole:
            return Content(name, b"", fault)
        fault = Fault(CORRUPT_FILE, fault.detail, last.byte_offset, last.line)
        return Content(name, readable, fault, len(whole))


@dataclass
class _Headers(Mapping[str, playok.Header]):
    """Headers by game ID, which count the games that asked for theirs."""

    by_id: Mapping[str, playok.Header]
    faults: list[Reject]
    joined: int = field(default=0, init=False)
    missing: int = field(default=0, init=False)
    example: str = field(default="", init=False)  # the first game without a header

    def __getitem__(self, game_id: str) -> playok.Header:
        header = self.by_id.get(game_id)
        if header is None:
            self.example = self.example or game_id
            self.missing += 1
            raise KeyError(game_id)
        self.joined += 1
        return header

    def __iter__(self) -> Iterator[str]:
        return iter(self.by_id)

    def __len__(self) -> int:
        return len(self.by_id)
