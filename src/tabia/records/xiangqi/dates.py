"""Dates of xiangqi records as ISO dates, cut where they are unknown: 1985, 1985-05, 1985-05-26.

People write them in dozens of ways (``1985年5月26日``, ``2001。3。17``, ``20091115-09：00``,
``l982年元月９日``, ``23-9-2009``). What a text does not tell is not guessed: where day and month
can be taken for each other only the year is given, and no year at all gives None.
"""

from __future__ import annotations

import calendar
import re
import unicodedata

__all__ = ["iso_date"]

_LONGEST = 64
_EARLIEST, _LATEST = 1800, 2099
# Two digits cannot be a day from here on, so they are a year, and of the 20th century: records
# with years of two digits are older than 2032.
_SHORT_YEAR = 32

_LOOK_ALIKE = re.compile(r"(?<=[0-9年月])[lIO]+|^[lI](?=[0-9]{3}年?)|[lIO](?=[0-9月日])")
_DIGITS = str.maketrans("lIO", "110")
_COMPACT = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2}|[Xx?]{2})?(?![0-9])")
_SHORT_COMPACT = re.compile(r"([0-9]{2})([0-9]{2})([0-9]{2})")
_MARK = r"\s*([年月.\-/。、·,:_ ])[年月.\-/。、·,:_ ]*"
_YEAR_FIRST = re.compile(
    rf"([0-9]{{4}}|[0-9]{{2}}(?![0-9])){_MARK}([0-9]{{1,2}})(?![0-9])"
    rf"(?:{_MARK}([0-9]{{1,2}})(?![0-9]))?"
)
_YEAR_LAST = re.compile(
    r"([0-9]{1,2})([.\-/。、·,])[.\-/。、·,]*([0-9]{1,2})([.\-/。、·,])[.\-/。、·,]*"
    r"([0-9]{4}|[0-9]{2})(?![0-9])"
)
_YEAR = re.compile(r"(?<![0-9])((?:18|19|20)[0-9]{2})(?![0-9])")
_YEAR_AT_START = re.compile(r"(?:18|19|20)[0-9]{2}")


def iso_date(text: str) -> str | None:
    """Return the ISO form of a record's date, or None where no year is known.

    A month or day that the calendar does not have is left out with what follows it.
    """
    text = unicodedata.normalize("NFKC", text[:_LONGEST]).strip().replace("元月", "1月")
    text = _LOOK_ALIKE.sub(lambda match: match[0].translate(_DIGITS), text)
    for pattern in (_compact, _year_first, _year_last):
        if (date := pattern(text)) is not None:
            return date
    if (match := _YEAR.search(text) or _YEAR_AT_START.match(text)) is not None:
        return match[0]
    return None


def _compact(text: str) -> str | None:
    if (match := _COMPACT.match(text)) is not None:
        date = _iso(int(match[1]), match[2], match[3])
        if date is not None:
            return date
    if (match := _SHORT_COMPACT.fullmatch(text)) is not None and int(match[1]) >= _SHORT_YEAR:
        return _iso(1900 + int(match[1]), match[2], match[3])
    return None


def _year_first(text: str) -> str | None:
    if (match := _YEAR_FIRST.match(text)) is None:
        return None
    year, mark, month, next_mark, day = match.groups()
    if len(year) == 2:
        if int(year) >= _SHORT_YEAR:
            year = f"19{year}"
        elif mark == "年":
            year = f"20{year}"
        else:
            return None
    # 2002.6-7 is June to July, not the 7th of June
    same = next_mark == mark or (mark, next_mark) == ("年", "月")
    return _iso(int(year), month, day if same else None)


def _year_last(text: str) -> str | None:
    if (match := _YEAR_LAST.match(text)) is None or match[2] != match[4]:
        return None
    one, other, year = int(match[1]), int(match[3]), match[5]
    if len(year) == 2:
        if int(year) < _SHORT_YEAR:
            return None
        year = f"19{year}"
    if one > 12 or one == other:
        return _iso(int(year), str(other), str(one))
    if other > 12:
        return _iso(int(year), str(one), str(other))
    return _iso(int(year), None, None)


def _iso(year: int, month: str | None, day: str | None) -> str | None:
    if not _EARLIEST <= year <= _LATEST:
        return None
    if month is None or not 1 <= int(month) <= 12:
        return f"{year:04}"
    if (
        not (day or "").isdigit()
        or not 1 <= int(day or 0) <= calendar.monthrange(year, int(month))[1]
    ):
        return f"{year:04}-{int(month):02}"
    return f"{year:04}-{int(month):02}-{int(day or 0):02}"
