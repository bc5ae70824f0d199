"""Small SGF files for tests."""

from __future__ import annotations

from tabia.records.go.read import read
from tabia.records.go.record import Record, Reject

PASS = 361


def code(point: str) -> int:
    """Code of a point in SGF's letters; an empty text is a pass."""
    return 19 * (ord(point[1]) - 97) + ord(point[0]) - 97 if point else PASS


def codes(points: str) -> list[int]:
    """Codes of points between blanks; ``-`` is a pass."""
    return [code("" if point == "-" else point) for point in points.split()]


def one(text: str | bytes) -> Record:
    """The only record of a file, which is a game."""
    (record,) = read(text.encode() if isinstance(text, str) else text, "a.sgf")
    assert isinstance(record, Record), record
    return record


def fault(text: str | bytes) -> Reject:
    """The only record of a file, which is none."""
    (reject,) = read(text.encode() if isinstance(text, str) else text, "a.sgf")
    assert isinstance(reject, Reject), reject
    return reject
