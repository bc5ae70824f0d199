"""Which game a file of records is of, where its first bytes tell."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tabia.records.config import Game
from tabia.records.opening import CorruptFileError, Member, members
from tabia.records.xiangqi import formats
from tabia.records.xiangqi.encoding import MOVE, decode, likely_encodings, without_utf16
from tabia.records.xiangqi.other_games import CHESS_SAN, COORDINATES

__all__ = ["game_of_file", "game_of_text"]

_HEAD = 64 << 10
_MEMBERS = 16  # of an archive are looked at
_NEAR = 16 << 20  # bytes: no more of a member are unpacked in search of another
_TEXTS = (None, "pgn", "ucci", "uci")  # formats that chess has too, or that may be any text
# Tags that only xiangqi has, and a FEN of ten ranks. All runs are bounded: a pattern that could run
# over lines, or from each of many starts to the end of a line, would take hours.
_XIANGQI = re.compile(
    rb'^[ \t]*\[[ \t]*(?:game[ \t]+"[ \t]*chinese[ \t]+chess|variant[ \t]+"[ \t]*xiangqi'
    rb'|red\w{0,20}[ \t]+")|\bfen\b[^\n/]{0,99}(?:/[^\s/]{1,30}){9}',
    re.IGNORECASE | re.MULTILINE,
)
_SGF = re.compile(
    rb"\A(?:\xef\xbb\xbf)?\s*\(?\s*;\s*[A-Za-z]{1,20}\s*\[|\(\s*;\s*(?:GM|FF|SZ|CA|AP)\["
)
_BESIDE = re.compile(r'\{[^}]*(?:\}|\Z)|\[[ \t]*[a-z]\w*[ \t]+"[^"\n]*"[ \t]*\]|^%.*$', re.I | re.M)
_NUMBER = re.compile(r"\d{1,4}\.+")
_BEYOND_CHESS = re.compile(r"[i09]", re.IGNORECASE)
_WXF = re.compile(r"(?:[kgaebmhnrcp][1-9+-]|[+-][kgaebmhnrcp])[+.=-][1-9]", re.IGNORECASE)


def game_of_file(path: Path) -> Game | None:
    """Return the game of the records in `path`, of most of an archive's first members.

    None where nothing tells, as in a file without a move and without a tag of xiangqi.

    Raises
    ------
    GameFileError
        If the file is missing or unreadable.
    """
    games: Counter[Game] = Counter()
    looked = 0
    for member in members(path):
        head = b"".join(_chunks(member, _HEAD))
        if not head.strip():
            continue
        if (game := game_of_text(head[:_HEAD])) is not None:
            games[game] += 1
        looked += 1
        is_long = len(head) > _HEAD
        if looked == _MEMBERS or (is_long and (games or not _is_passed(member))):
            break
    return games.most_common(1)[0][0] if games else None


def game_of_text(head: bytes) -> Game | None:
    """Return the game of a file that begins with `head`, or None where nothing tells."""
    if _SGF.search(without_utf16(head)[0]):
        return "go"
    if formats.detect(head) not in _TEXTS:
        return "xiangqi"
    head = without_utf16(head)[0]
    if _XIANGQI.search(head):
        return "xiangqi"
    games: Counter[Game | None] = Counter()
    text = unicodedata.normalize("NFKC", decode(head, likely_encodings(head)[0]))
    text = _BESIDE.sub(" ", text)
    games["xiangqi"] = len(MOVE.findall(text))
    games.update(map(_game_of_word, _NUMBER.sub(" ", text).split()))
    if games["xiangqi"] > games["chess"]:
        return "xiangqi"
    return "chess" if games["chess"] else None


def _game_of_word(word: str) -> Game | None:
    if COORDINATES.fullmatch(word):  # within 8 ranks and files either game has them
        return "xiangqi" if _BEYOND_CHESS.search(word) else None
    if _WXF.fullmatch(word):
        return "xiangqi"
    return "chess" if CHESS_SAN.fullmatch(word) else None


def _chunks(member: Member, size: int) -> Iterator[bytes]:
    """Yield the next bytes of a member, more than `size` if there are."""
    passed = 0
    try:
        while passed <= size and (chunk := next(member.chunks, b"")):
            passed += len(chunk)
            yield chunk
    except CorruptFileError:  # told when the file is read; what came before it may tell
        return


def _is_passed(member: Member) -> bool:
    """Pass by the rest of a member, and say whether its end was near."""
    return sum(map(len, _chunks(member, _NEAR))) <= _NEAR
