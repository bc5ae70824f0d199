"""Formats of xiangqi records by name: which one a file has, and its reader.

The content decides and the name only where the content is open, because files are often renamed.
Readers are imported when they are needed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import PurePosixPath

from tabia.records.xiangqi.encoding import without_utf16
from tabia.records.xiangqi.record import Reader, Record, Reject
from tabia.records.xiangqi.sniffing import (
    CBL_MAGIC,
    CBR_MAGIC,
    COMMANDS,
    TAG_LINE,
    WXF_LINE,
    beginning,
    looks_like_pgn,
    looks_like_playok,
    table_of,
)

__all__ = ["FORMATS", "MODULES", "READERS", "detect", "read"]

MODULES = {
    "pgn": "tabia.records.xiangqi.pgn",
    "playok": "tabia.records.xiangqi.playok",
    "dhtmlxq": "tabia.records.xiangqi.dhtmlxq",
    "ucci": "tabia.records.xiangqi.ucci",
    "uci": "tabia.records.xiangqi.ucci",
    "xqf": "tabia.records.xiangqi.xqf",
    "cbf": "tabia.records.xiangqi.cbf",
    "cbr": "tabia.records.xiangqi.cbr",
    "cbl": "tabia.records.xiangqi.cbl",
}
"""Module of each format's ``read``; a run depends on the code of all of them."""

_FUNCTIONS = {"uci": "read_uci"}  # where it is not `read`
_SUFFIXES = {
    ".pgn": "pgn",
    ".csv": "playok",
    ".wxf": "playok",
    ".html": "dhtmlxq",
    ".htm": "dhtmlxq",
    ".ucci": "ucci",
    ".uci": "uci",
    ".xqf": "xqf",
    ".cbf": "cbf",
    ".cbr": "cbr",
    ".cbl": "cbl",
}
_HEAD = 64 << 10  # bytes that tell the format of a text
_SHOWN = 60  # bytes of an unknown file that its reject shows
# Blanks are bounded to a line: a pattern that runs over line ends would take hours on empty lines.
_START = rb"(?:startpos|fen[ \t]+[\w/]{1,99}/\w)"
_UCCI = re.compile(rb"^[ \t]*(?:position[ \t]+)?" + _START, re.MULTILINE | re.IGNORECASE)
_POSITION = re.compile(rb"^[ \t]*position[ \t]+" + _START, re.MULTILINE | re.IGNORECASE)
_WXF_GAME = re.compile(
    WXF_LINE.pattern + rb"[^{}]{0,2000}\bSTART[ \t]*\{", re.MULTILINE | re.IGNORECASE
)


def _is_dhtmlxq(text: bytes) -> bool:
    """Whether a text in small letters is a page or tags, not words that mention them."""
    if text.startswith((b"<", b"[dhtmlxq")):
        return b"[dhtmlxq" in text
    return b"[dhtmlxq_movelist" in text or b"[dhtmlxq_binit" in text


def _reader(module: str, function: str) -> Reader:
    def call(data: bytes, name: str) -> Iterator[Record | Reject]:
        reader: Reader = getattr(import_module(module), function)
        return reader(data, name)

    return call


READERS: dict[str, Reader] = {
    name: _reader(module, _FUNCTIONS.get(name, "read")) for name, module in MODULES.items()
}
"""``read(data, name)`` by format."""

FORMATS: tuple[str, ...] = tuple(READERS)
"""Names of the formats that can be read."""


def detect(data: bytes, name: str = "") -> str | None:
    """Name of the format that a file has, one of `FORMATS`; None if it is of none.

    Parameters
    ----------
    data
        The file's plain bytes; the first 64 KiB suffice.
    name
        Its name; the ending is believed where the content says nothing.
    """
    head = data[:_HEAD]
    if head[:16] == CBR_MAGIC:
        return "cbr"
    if head[:16] == CBL_MAGIC:
        return "cbl"
    if head[:2] == b"XQ" and len(head) > 2 and head[2] < 0x20 and b"\0" in head[:64]:
        return "xqf"
    if table_of(head) is not None:
        return "playok"
    text = without_utf16(head)[0].removeprefix(b"\xef\xbb\xbf").lstrip()
    # How a text begins says more than what its comments mention.
    if WXF_LINE.match(text):
        return "playok"
    if TAG_LINE.match(text):
        return "playok" if _WXF_GAME.search(text) else "pgn"  # its reader reads both
    if text.startswith(b"<") and b"<ChineseChessRecord" in text:
        return "cbf"
    if _is_dhtmlxq(text.lower()):
        return "dhtmlxq"
    if (words := text.split(None, 1)) and words[0].lower() in COMMANDS and _UCCI.search(text):
        return "ucci"
    if looks_like_playok(head):
        return "playok"
    if looks_like_pgn(head):
        return "pgn"
    if _POSITION.search(text):
        return "ucci"
    return _SUFFIXES.get(PurePosixPath(name).suffix.lower())


def _hint(data: bytes) -> str:
    """What makes a list of bare moves readable; empty if a file does not begin with two moves."""
    movetext = import_module("tabia.records.xiangqi.movetext")
    encoding = import_module("tabia.records.xiangqi.encoding")
    head = data[:_HEAD]
    words = encoding.decode(head, encoding.likely_encodings(head)[0]).split(None, 2)[:2]
    if not words or not all(movetext.looks_like_move(word) for word in words):
        return ""
    return "; these look like moves: write 1. before the first, or name the format pgn (--from pgn)"


def read(data: bytes, name: str, format: str | None = None) -> Iterator[Record | Reject]:
    """Yield every record of a file, or what is wrong with it; a file without content yields none.

    Parameters
    ----------
    data
        The file's plain bytes.
    name
        Its name, for messages and for `detect`.
    format
        One of `FORMATS`; None finds out. A file of no known format is one `bad_file`.

    Raises
    ------
    ValueError
        If `format` is not known.
    """
    if format is not None and format not in READERS:
        raise ValueError(f"format {format!r} is not known; known are {', '.join(FORMATS)}")
    if not data.strip():
        return
    found = format or detect(data, name)
    if found is None:
        # Letters of UTF-16 have a zero byte each, the first or the second.
        is_utf16 = b"\0" not in (head := data[:_SHOWN])[::2] or b"\0" not in head[1::2]
        hint = "; it looks like UTF-16 without its byte order mark: save it as UTF-8"
        yield Reject(
            reason="bad_file",
            detail=f"{name}: of no known format, begins with {beginning(data)}"
            f"{hint if is_utf16 and head.count(0) > len(head) // 4 else _hint(data)}; "
            f"known are {', '.join(FORMATS)}",
        )
        return
    yield from READERS[found](data, name)
