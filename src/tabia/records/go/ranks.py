"""Ranks of Go players on one numeric scale.

Amateur ranks are on the scale of the European Go Federation's ratings: 100 points a rank, 1 dan
2100, 1 kyu 2000, 20 kyu 100, below which all ranks count as that, since ratings are positive. A
professional rank is 30 points, the first (2730) above 7 dan, the ninth 2970. Ranks of KGS and of
Western servers are taken at their word. Fox's amateur ranks, which Chinese characters tell, count
three lower: with four stones and no komi, worth three and a half ranks, its 9 dans win half of
their games against its 9 dan professionals.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

__all__ = ["Rank", "read_rank"]

_FIRST_DAN, _STEP = 2100, 100
_FIRST_PROFESSIONAL, _PROFESSIONAL_STEP = 2730, 30
_LOWEST = 100
_FOX = 300

_WESTERN = re.compile(
    r"([0-9]{1,2})\s*(?:-\s*)?(dan|kyu|ky?u?|d|p)(?:\s*(pro|p))?\s*[*?+]?", re.IGNORECASE
)
_CHINESE = re.compile(
    r"(p|职业|職業)?\s*([0-9]{1,2}|[初一二三四五六七八九十])\s*([段级級])", re.IGNORECASE
)
_DIGITS = {letter: number for number, letter in enumerate("一二三四五六七八九十", 1)} | {"初": 1}


class Rank(NamedTuple):
    """What a rank says.

    Attributes
    ----------
    rating
        On the scale of this module; None where the text is no rank.
    is_fox
        Whether it is written as Fox does.
    """

    rating: int | None
    is_fox: bool = False


@lru_cache(1 << 14)
def read_rank(text: str) -> Rank:
    """Return what a text says: ``7d``, ``13k*``, ``5p``, ``P9段``, ``18级``."""
    plain = unicodedata.normalize("NFKC", text).strip()
    if (match := _WESTERN.fullmatch(plain)) is not None:
        letter = match[2][0].lower()
        if match[3] is not None:  # 9 dan pro
            letter = "p" if letter == "d" else ""
        return Rank(_rating(int(match[1]), letter))
    if (match := _CHINESE.fullmatch(plain)) is not None:
        number = _DIGITS.get(match[2]) or int(match[2])
        if match[1] is not None:
            return Rank(_rating(number, "p" if match[3] == "段" else ""), is_fox=True)
        rating = _rating(number, "d" if match[3] == "段" else "k")
        return Rank(None if rating is None else max(rating - _FOX, _LOWEST), is_fox=True)
    return Rank(None)


def _rating(number: int, letter: str) -> int | None:
    if letter == "p" and 1 <= number <= 9:
        return _FIRST_PROFESSIONAL + _PROFESSIONAL_STEP * (number - 1)
    if letter == "d" and 1 <= number <= 9:
        return _FIRST_DAN + _STEP * (number - 1)
    if letter == "k" and 1 <= number <= 35:
        return max(_FIRST_DAN - _STEP * number, _LOWEST)
    return None
