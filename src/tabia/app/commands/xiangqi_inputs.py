"""What commands on xiangqi files share: which files are taken, and how their rejects are told."""

from __future__ import annotations

from pathlib import Path

from tabia.app.commands.rejects import SHOWN, place_of, told
from tabia.app.same_files import check_distinct
from tabia.records.opening import GameFileError
from tabia.records.xiangqi.record import Reject
from tabia.records.xiangqi.sniffing import is_binary
from tabia.records.xiangqi_members import Content

__all__ = ["SHOWN", "check_files", "counted", "reject_line"]


def check_files(files: list[Path], headers: Path | None = None, out: Path | None = None) -> int:
    """Refuse what cannot be read, would be written over or counts twice; return the size in bytes.

    Raises
    ------
    GameFileError
        If a file is missing, unreadable or a folder, or is `out`.
    SameFileError
        If a file of games is named twice.
    """
    size = 0
    for file in files if headers is None else [*files, headers]:
        try:
            size += file.stat().st_size
        except OSError as error:
            raise GameFileError(f"{file}: cannot be read: {error.strerror}") from error
        if file.is_dir():
            raise GameFileError(f"{file} is a folder; name its files, for instance {file}/*.xqf")
        if out is not None and out.exists() and out.samefile(file):
            raise GameFileError(f"{file} is to be read and written; name another --out")
    check_distinct(files)
    return size


def reject_line(content: Content, reject: Reject) -> str:
    """Return a reject in a line: file, place, reason and what is wrong.

    The place is a line in text and a byte in a binary file, which has no lines.
    """
    place = place_of(reject.line, reject.byte_offset, is_bytes=is_binary(content.data))
    return told(content.name, place, reject.reason, reject.detail)


def counted(number: int, noun: str, nouns: str | None = None) -> str:
    """Return ``1 game`` or ``2 games``; `nouns` is a plural that is not formed with an s."""
    return f"{number:,} {noun if number == 1 else nouns or noun + 's'}"
