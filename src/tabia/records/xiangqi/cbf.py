"""CBF, the XML records of CCBridge (象棋桥): one game, with side lines, each.

Squares are two digits, the file from Red's left and the rank from Black's side; the first move,
`00-00`, stands for the start and bears its comment. A move with ``end="1"`` ends a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.parsers import expat

from tabia.records.xiangqi.record import Record, Reject
from tabia.records.xiangqi.results import Result
from tabia.records.xiangqi.squares import FileError, Sheet, TextField, clean, known

__all__ = ["read"]

_TAGS: dict[str, TextField] = {
    "Contest": "event",
    "Round": "round",
    "Date": "date",
    "Site": "site",
    "TimeRule": "time_control",
    "Red": "first_name",
    "Black": "second_name",
    "ECCO": "opening_code",
    "ResultType": "termination",
}
_RATINGS = ("RedRating", "BlackRating")
_RESULTS: dict[str, Result] = {"1": 1, "2": -1, "3": 0, "4": 0}
_NO_MOVE = "00-00"
_MOVE = re.compile(r"([0-8])([0-9])-([0-8])([0-9])")
_DECLARED = re.compile(rb"^\s*<\?xml[^>]*\bencoding\s*=\s*[\"']([\w.-]+)[\"']")
# What such files and their programs use; other codecs of Python decode what is no text.
_ENCODINGS = (
    *("utf-8", "utf8", "us-ascii", "ascii", "gb2312", "gbk", "gb18030", "cp936"),
    *("big5", "big5-hkscs", "cp950"),
)
_ROOT = "ChineseChessRecord"
_DEEPEST = 20  # real files have four levels
_NAMES = {
    name.lower(): name
    for name in (
        *(_ROOT, "Head", "MoveList", "Move", "FEN", "Name", "RecordResult"),
        *(*_TAGS, *_RATINGS),
    )
}
"""Elements by name in small letters: a FEN must not be lost because its case is another."""


def read(data: bytes, name: str) -> Iterator[Record | Reject]:
    """Yield the game of a CBF file, or what is wrong with it."""
    try:
        sheet = _Parser(data).sheet()
    except FileError as error:
        yield Reject(reason="bad_file", detail=f"{name}: {error}")
    else:
        yield sheet.record(name)


class _Parser:
    """Head and moves of one file; documents that define entities are refused."""

    def __init__(self, data: bytes) -> None:
        self._path: list[str] = []
        self._text: list[str] = []
        self._attributes: dict[str, str] = {}
        self._head: dict[str, str] = {}
        self._moves: list[tuple[str, bool, str]] = []
        text, self._encoding = _decoded(data)
        parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text.append
        parser.StartDoctypeDeclHandler = self._doctype
        try:
            parser.Parse(text.encode("utf-8", "replace"), True)
        except expat.ExpatError as error:
            raise FileError(f"no XML: {error}") from error

    def sheet(self) -> Sheet:
        texts = {field: known(self._head.get(tag)) for tag, field in _TAGS.items()}
        texts["event"] = texts["event"] or known(self._head.get("Name"))
        squares, written, comments, side_lines = self._main_line()
        return Sheet(
            fen=known(self._head.get("FEN")),
            squares=squares,
            written=written,
            comments=comments,
            side_lines=side_lines,
            texts=texts,
            first_elo=self._rating("RedRating"),
            second_elo=self._rating("BlackRating"),
            result=_RESULTS.get(self._head.get("RecordResult", "").strip()),
            encoding=self._encoding,
        )

    def _rating(self, tag: str) -> int | None:
        rating = self._head.get(tag, "").strip()
        return int(rating) if re.fullmatch("[1-9][0-9]{2,3}", rating) else None

    def _main_line(self) -> tuple[list[tuple[int, int]], list[str], dict[int, str], int]:
        squares: list[tuple[int, int]] = []
        written: list[str] = []
        comments: dict[int, str] = {}
        for value, is_last, comment in self._moves:
            if value != _NO_MOVE or squares:  # else the start
                written.append(value)
                match = _MOVE.fullmatch(value)
                digits = [int(digit) for digit in match.groups()] if match else [0, 10, 0, 10]
                file, rank, to_file, to_rank = digits
                squares.append((9 * (9 - rank) + file, 9 * (9 - to_rank) + to_file))
            if comment:
                comments[len(squares)] = comment
            if is_last:
                break
        ends = sum(is_last for _, is_last, _ in self._moves)
        return squares, written, comments, max(ends - 1, 0)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        tag = _NAMES.get(tag.lower(), tag)
        if not self._path and tag != _ROOT:
            raise FileError(f"a CBF file is a <{_ROOT}>, not a <{tag}>")
        if tag == "Move" and tag in self._path:
            raise FileError("a <Move> stands inside another; is its end missing?")
        if tag == "MoveList" and self._moves:
            raise FileError("a second <MoveList>; a CBF file is one game")
        if len(self._path) >= _DEEPEST:
            raise FileError(f"elements lie more than {_DEEPEST} deep")
        self._path.append(tag)
        self._text.clear()
        self._attributes = {name.lower(): value for name, value in attributes.items()}

    def _end(self, tag: str) -> None:
        tag = self._path.pop()
        text = clean("".join(self._text))
        self._text.clear()
        if self._path == [_ROOT, "Head"]:
            self._head.setdefault(tag, text)
        elif self._path == [_ROOT, "MoveList"] and tag == "Move":
            value = self._attributes.get("value", "").strip()
            self._moves.append((value, self._attributes.get("end") == "1", text))

    def _doctype(self, *_: object) -> None:
        raise FileError("it declares a document type, which no CBF file does")


def _decoded(data: bytes) -> tuple[str, str]:
    """Text and its encoding: byte order mark, else as declared, else UTF-8."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        encoding = "utf-16"
    elif data[:3] == b"\xef\xbb\xbf":
        encoding = "utf-8-sig"
    else:
        match = _DECLARED.match(data[:200])
        encoding = match[1].decode().lower() if match else "utf-8"
        if encoding not in _ENCODINGS:
            raise FileError(
                f"its encoding {encoding!r} is not read here; {', '.join(_ENCODINGS)} are, and "
                "UTF-16 with a byte order mark: save it as UTF-8"
            )
    if encoding in ("gb2312", "gbk", "cp936"):
        encoding = "gb18030"
    try:
        return data.decode(encoding), encoding.removesuffix("-sig")
    except UnicodeError as error:
        raise FileError(f"no {encoding} text: {error}") from error
