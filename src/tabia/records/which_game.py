"""Which game a file of records is of, where its first bytes leave no doubt."""

from __future__ import annotations

import re
from pathlib import Path

from tabia.records.config import Game
from tabia.records.opening import CorruptFileError, members
from tabia.records.xiangqi import formats

__all__ = ["game_of_file", "game_of_text"]

_HEAD = 64 << 10
_PGN, _COMMANDS = "pgn", "ucci"
# Tags that only xiangqi has, and a FEN of ten ranks.
_XIANGQI = re.compile(
    rb'^\s*\[\s*(?:game\s+"\s*chinese\s+chess|variant\s+"\s*xiangqi|red\w*\s+")'
    rb"|\bfen\b[^\n/]*(?:/[^\s/]+){9}",
    re.IGNORECASE | re.MULTILINE,
)
# Moves to or from the ninth file or a rank that chess has not.
_XIANGQI_MOVE = re.compile(rb"\b(?=\w*[i09])[a-i]\d{1,2}[a-i]\d{1,2}\b", re.IGNORECASE)


def game_of_file(path: Path) -> Game | None:
    """Return the game of the first records in `path`, or None where chess cannot be ruled out.

    Raises
    ------
    GameFileError
        If the file is missing or unreadable.
    """
    for member in members(path):
        head = b""
        try:
            while len(head) < _HEAD and (chunk := next(member.chunks, b"")):
                head += chunk
        except CorruptFileError:  # told when the file is read; what came before it may tell
            pass
        if head.strip():
            return game_of_text(head[:_HEAD])
    return None


def game_of_text(head: bytes) -> Game | None:
    """Return the game of a file that begins with `head`, or None where it may be chess."""
    found = formats.detect(head)
    if found == _PGN:
        return "xiangqi" if _XIANGQI.search(head) else None
    if found == _COMMANDS:
        return "xiangqi" if _XIANGQI.search(head) or _XIANGQI_MOVE.search(head) else None
    return None if found is None else "xiangqi"
