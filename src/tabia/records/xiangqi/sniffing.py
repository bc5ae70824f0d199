"""How files of text begin: what tells their formats apart. Standard library only.

A format is found out wherever files are named, a dry run among it, so nothing heavy is imported.
"""

from __future__ import annotations

import codecs
import re
from typing import Literal

from tabia.records.xiangqi.encoding import without_utf16

__all__ = [
    "CBL_MAGIC",
    "CBR_MAGIC",
    "COMMANDS",
    "FIRST_MOVE",
    "TABLES",
    "TAG_LINE",
    "WXF_LINE",
    "Table",
    "beginning",
    "column_names",
    "is_binary",
    "looks_like_pgn",
    "looks_like_playok",
    "looks_like_wxf",
    "table_of",
]

CBR_MAGIC, CBL_MAGIC = b"CCBridge Record\0", b"CCBridgeLibrary\0"
"""How CCBridge's records and libraries of them begin."""

COMMANDS = frozenset(
    b"position startpos fen ucci uci isready setoption ucinewgame go stop quit bestmove info id "
    b"option ucciok uciok readyok banmoves probe ponderhit nobestmove bye debug register d".split()
)
"""Words with which a line of UCCI or UCI begins, in small letters."""

Table = Literal["moves", "headers"]
"""PlayOK's two tables."""

TABLES: dict[Table, tuple[str, ...]] = {
    "moves": ("gameid", "turn", "side", "move"),
    "headers": (
        "gameid",
        "game_datetime",
        "blackid",
        "blackelo",
        "redid",
        "redelo",
        "winner",
    ),
}
"""Their columns, in small letters."""

TAG_LINE = re.compile(
    rb"^(?:\xef\xbb\xbf)?[ \t]*\[[ \t]*([A-Za-z]\w*)[ \t]+\"(?:[^\n]*\"[ \t]*\]|[^\n]*)",
    re.MULTILINE,
)
"""A line that begins with a tag of PGN, up to the last tag on it."""

WXF_LINE = re.compile(rb"^(?:\xef\xbb\xbf)?[ \t]*FORMAT[ \t]+WXF\b", re.MULTILINE | re.IGNORECASE)
"""The line with which a game in WXF text begins."""

FIRST_MOVE = re.compile(rb"^[ \t]*1[ \t]*(?:\.|\xa1[\x41-\x44])", re.MULTILINE)
"""How a line with a move numbered 1 begins."""

_FIRST_LINE = 8192  # bytes that a table's names may have, an even number for UTF-16
_SHOWN = 60  # bytes of a file that a message shows


def looks_like_pgn(data: bytes) -> bool:
    """Whether a file has a line with a tag, or a move numbered 1."""
    data = without_utf16(data)[0]
    return TAG_LINE.search(data) is not None or FIRST_MOVE.search(data) is not None


def looks_like_playok(data: bytes) -> bool:
    """Whether a file begins as one of PlayOK's tables, or holds WXF text."""
    return table_of(data) is not None or looks_like_wxf(data)


def looks_like_wxf(data: bytes) -> bool:
    """Whether a file has the line with which WXF text begins."""
    return WXF_LINE.search(without_utf16(data)[0]) is not None


def is_binary(data: bytes) -> bool:
    """Whether a file begins as no text does: with a zero byte among the first 1,024."""
    return b"\0" in without_utf16(data[:1024])[0]


def beginning(data: bytes) -> str:
    """Return how a file begins, for messages: a quoted text, or how many bytes if it is binary."""
    if is_binary(data):
        return f"binary data ({len(data):,} bytes)"
    text = without_utf16(data[: 4 * _SHOWN])[0].strip()[:_SHOWN]
    try:
        # A character that the cut left incomplete is no fault of the text.
        return repr(codecs.getincrementaldecoder("utf-8-sig")().decode(text))
    except UnicodeDecodeError:
        return repr(text)


def table_of(data: bytes) -> Table | None:
    """Which of PlayOK's tables a file is, by its first line."""
    names = set(column_names(data))
    for table, columns in TABLES.items():
        if names.issuperset(columns):
            return table
    return None


def column_names(data: bytes) -> list[str]:
    """Names in the first line of a table, in small letters and without padding."""
    text = without_utf16(data[:_FIRST_LINE])[0]
    first = text.removeprefix(b"\xef\xbb\xbf").partition(b"\n")[0]
    return [name.strip().strip('"').lower() for name in first.decode("utf-8", "replace").split(",")]
