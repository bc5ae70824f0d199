"""What stands in the first nodes of a Go record: players, komi, handicap and the like."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from tabia.records.go.encoding import text_of
from tabia.records.go.ranks import read_rank
from tabia.records.go.results import read_result

__all__ = [
    "BLANKS",
    "HANDICAP_POINTS",
    "Header",
    "allows_suicide",
    "fields",
    "player",
    "simple_text",
    "text",
]

Header = Mapping[bytes, bytes]
"""First value of each property before the first move."""

HANDICAP_POINTS: Mapping[int, str] = {
    2: "pd dp",
    3: "pd dp dd",
    4: "pd dp dd pp",
    5: "pd dp dd pp jj",
    6: "pd dp dd pp jd jp",
    7: "pd dp dd pp jd jp jj",
    8: "pd dp dd pp jd jp dj pj",
    9: "pd dp dd pp jd jp dj pj jj",
}
"""Where handicap stones stand on 19 lines if the record has their number alone.

Old records of Fox's are such. In 125 of 132 of them nothing is ever played on these points, which
else nearly every game does, and in the rest no move before the 120th; with six or more stones it is
those above and below the centre that are not played on, not those beside it.
"""

BLANKS = re.compile(r"[^\S\n ]|[\x00-\x08\x0e-\x1f\x7f\ud800-\udfff]")
"""Characters of a text that count as a blank: all white space but line ends, and controls."""

_ESCAPED = re.compile(r"\\(\r\n|\n\r|[\s\S])")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)")
_HUNDREDTHS = re.compile(r"[+-]?[0-9]{1,2}(?:00|25|50|75)")
_LARGEST_KOMI = 361.0
_PLACEHOLDERS = frozenset(("", "?", "??", "-", "--", "unknown", "none"))
_SUICIDE = re.compile(r"nz|new zealand|tromp|tt\b|ing\b|goe", re.IGNORECASE)
_NAMES = tuple(b"EV GN PC RO DT PB PW BR WR RE RU HA KM TM OT TC TT".split())
_BLACK, _WHITE = ("b", "black", "1"), ("w", "white", "2")


def text(value: bytes, encoding: str) -> str:
    """Return a value of SGF's type Text: escapes undone, line ends all alike."""
    plain = text_of(value, encoding)
    if plain.isprintable() and "\\" not in plain:
        return plain.strip()
    if "\\" in plain:
        plain = _ESCAPED.sub(lambda match: "" if match[1][0] in "\r\n" else match[1], plain)
    return BLANKS.sub(" ", plain.replace("\r\n", "\n").replace("\r", "\n")).strip()


def simple_text(value: bytes, encoding: str) -> str:
    """Return a value of SGF's type SimpleText: one line, runs of blanks as one."""
    return " ".join(text(value, encoding).split())


def player(value: bytes) -> str:
    """Return ``b`` or ``w`` of a ``PL``, an empty text where it names no colour."""
    plain = value.decode("ascii", "replace").strip().lower()
    return "b" if plain in _BLACK else "w" if plain in _WHITE else ""


def allows_suicide(rules: str | None) -> bool:
    """Whether a record's rules let a chain be played without liberties."""
    return rules is not None and _SUICIDE.match(rules) is not None


def fields(header: Header, encoding: str) -> dict[str, Any]:
    """Return the fields of `Record` that a header gives."""
    values = {name: simple_text(header[name], encoding) for name in _NAMES if name in header}

    def field(*names: bytes) -> str | None:
        for name in names:
            value = values.get(name, "")
            if value and value.lower() not in _PLACEHOLDERS:
                return value
        return None

    first_rank, second_rank = field(b"BR"), field(b"WR")
    first, second = read_rank(first_rank or ""), read_rank(second_rank or "")
    outcome = read_result(field(b"RE") or "")
    rules = field(b"RU")
    handicap = _handicap(field(b"HA"))
    return {
        "event": field(b"EV", b"GN"),
        "site": field(b"PC"),
        "round": field(b"RO"),
        "date": field(b"DT"),
        "first_name": field(b"PB"),
        "second_name": field(b"PW"),
        "first_rank": first_rank,
        "second_rank": second_rank,
        "first_elo": first.rating,
        "second_elo": second.rating,
        "result": outcome.result,
        "termination": outcome.termination,
        "time_control": _time_control(field(b"TM"), field(b"OT"), field(b"TC"), field(b"TT")),
        "komi": _komi(field(b"KM"), handicap, is_fox=first.is_fox or second.is_fox),
        "handicap": handicap,
        "rules": rules,
    }


def _handicap(value: str | None) -> int | None:
    if value is None or not value.isascii() or not value.isdigit() or len(value) > 3:
        return None
    return int(value)


def _komi(value: str | None, handicap: int | None, *, is_fox: bool) -> float | None:
    """Return the komi in points.

    Fox writes hundredths, and of Chinese rules, which count stones, half of the points: 375 is 7.5.
    Its 0 without handicap says nothing: all such games that were counted end by half a point.
    """
    if value is None or (match := _NUMBER.match(value)) is None:
        return None
    number = float(match[0].replace(",", "."))
    if _HUNDREDTHS.fullmatch(value):
        number /= 100
        if number % 0.5:
            number *= 2
    if is_fox and number == 0 and not handicap:
        return None
    return number if abs(number) <= _LARGEST_KOMI else None


def _time_control(
    main: str | None, overtime: str | None, periods: str | None, seconds: str | None
) -> str | None:
    if overtime is None and seconds is not None:  # Fox's properties
        overtime = f"{periods or 1}x{seconds} byo-yomi"
    if main is None and overtime is None:
        return None
    return main if overtime is None and main is not None else f"{main or ''}, {overtime}"
