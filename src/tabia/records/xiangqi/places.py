"""Places of records in their files, and numbers in their fields."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tabia.records.xiangqi.record import Reject

__all__ = ["FIRST", "Place", "Places", "number"]

_MARKS = (b"\xff\xfe", b"\xfe\xff")
_NUMBER = re.compile(r"\d{1,9}")


def number(text: str) -> int | None:
    """Return a number of at most nine digits, or None where the text is anything else.

    Longer ones are neither ratings nor turns, and would take time beyond their length to read.
    """
    return int(text) if _NUMBER.fullmatch(text) is not None else None


@dataclass(frozen=True, slots=True)
class Place:
    """Where a record begins, as `Record` and `Reject` have it."""

    byte_offset: int = 0
    line: int = 1

    def reject(self, reason: str, detail: str, *, legal_plies: int = 0) -> Reject:
        """Return a reject that begins here."""
        return Reject(
            reason=reason,
            detail=detail,
            byte_offset=self.byte_offset,
            line=self.line,
            legal_plies=legal_plies,
        )


FIRST = Place()
"""The beginning of a file."""


class Places:
    """Places in a file of ascending places in its text.

    Parameters
    ----------
    data
        The file's bytes.
    text, is_utf16
        What `tabia.records.xiangqi.encoding.without_utf16` makes of them.
    """

    def __init__(self, data: bytes, text: bytes, is_utf16: bool) -> None:
        self._text, self._is_utf16 = text, is_utf16
        self._at, self._line = 0, 1
        self._offset = 2 if is_utf16 and data[:2] in _MARKS else 0

    def of(self, at: int) -> Place:
        """Return the place of a position that is not before the one asked for last."""
        passed = self._text[self._at : at]
        self._line += passed.count(b"\n")
        self._offset += (
            len(passed.decode("utf-8", "replace").encode("utf-16-le"))
            if self._is_utf16
            else len(passed)
        )
        self._at = at
        return Place(self._offset, self._line)
