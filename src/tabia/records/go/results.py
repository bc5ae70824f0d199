"""Results of Go records, as SGF has them and as people write them."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Literal, NamedTuple

__all__ = ["Outcome", "read_result", "write_result"]

_SGF = re.compile(r"([bw])\s*\+\s*(.*)", re.IGNORECASE | re.DOTALL)
_MARGIN = re.compile(
    r"([0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)\s*(?:points?|pts?\.?|moku|目|子)?", re.IGNORECASE
)
_HOW = (
    (
        "resignation",
        re.compile(
            r"r|r(?:es|esign|esigns|esigned|esignation)\b.*|中盘|中盤|认输|認輸|投了|불계",
            re.IGNORECASE,
        ),
    ),
    ("time", re.compile(r"t|time\b.*|timeout\b.*|超时|超時|时间|時間|시간", re.IGNORECASE)),
    ("forfeit", re.compile(r"f|forfeit\b.*|强退|強退|掉线", re.IGNORECASE)),
)
_DRAW = re.compile(r"0|draw|drawn|tie|jigo|持碁|持棋|和|和棋|和局|平|平局|무승부|빅", re.IGNORECASE)
_VOID = re.compile(r"void|no result|无胜负|無勝負|無勝負|无效", re.IGNORECASE)
_UNKNOWN = re.compile(r"\?*|unknown|未知", re.IGNORECASE)
_WORDS = re.compile(
    r"(?:(?P<winner>black|white|黑|白|흑|백)方?\s*(?P<by>[^胜勝负負]*?)\s*"
    r"(?P<verb>wins?\b|胜|勝|负|負|败|敗|승|resigns?\b)(?P<rest>.*))",
    re.IGNORECASE | re.DOTALL,
)
_LOST = ("负", "負", "败", "敗")


class Outcome(NamedTuple):
    """How a game ended.

    Attributes
    ----------
    result
        Black's view: 1, 0, -1; None = unknown.
    termination
        ``resignation``, ``time``, ``forfeit``, ``void``, ``3.5 points``, or what the text says.
    margin
        Points, as the text has them; None where it tells none.
    """

    result: Literal[1, 0, -1] | None
    termination: str | None
    margin: float | None = None


@lru_cache(1 << 14)
def read_result(text: str) -> Outcome:
    """Return what an ``RE`` says: ``B+R``, ``W+0.5``, ``Jigo``, ``Void``, ``黑中盘胜``.

    What names no winner without doubt has no result, and the text as its termination.
    """
    plain = " ".join(unicodedata.normalize("NFKC", text).split())
    if _UNKNOWN.fullmatch(plain):
        return Outcome(None, None)
    if _DRAW.fullmatch(plain):
        return Outcome(0, None)
    if _VOID.fullmatch(plain):
        return Outcome(None, "void")
    if (match := _SGF.fullmatch(plain)) is not None:
        if _SGF.search(match[2]) is not None:  # both sides named
            return Outcome(None, plain)
        return _won(1 if match[1] in "bB" else -1, match[2].strip(", "))
    if (match := _WORDS.match(plain)) is not None:
        sign: Literal[1, -1] = 1 if match["winner"].lower() in ("black", "黑", "흑") else -1
        verb = match["verb"].lower()
        if verb.startswith("resign"):
            return Outcome(-1 if sign == 1 else 1, "resignation")
        won = _won(sign, match["by"].strip() or match["rest"].strip())
        if verb in _LOST:
            return won._replace(result=-1 if sign == 1 else 1)
        return won
    return Outcome(None, plain)


def _won(result: Literal[1, -1], how: str) -> Outcome:
    if not how:
        return Outcome(result, None)
    if (match := _MARGIN.fullmatch(how)) is not None:
        margin = float(match[1].replace(",", "."))
        # Fox writes W+0.0 where it has a winner and no margin.
        return Outcome(result, f"{margin:g} points", margin) if margin else Outcome(result, None)
    for name, pattern in _HOW:
        if pattern.fullmatch(how):
            return Outcome(result, name)
    return Outcome(result, how)


def write_result(result: Literal[1, 0, -1] | None, termination: str | None) -> str:
    """Return the ``RE`` that `read_result` reads so; SGF's own words where it has some."""
    if result is None:
        return {None: "?", "void": "Void"}.get(termination, termination or "?")
    if result == 0:
        return "Draw"
    how = {None: "", "resignation": "R", "time": "T", "forfeit": "F"}.get(termination)
    if how is None and termination is not None:
        how = termination.removesuffix(" points")
    return f"{'B' if result == 1 else 'W'}+{how}"
