"""Dates of game records as ISO dates, cut where they are unknown: 1972, 1972-07, 1972-07-11."""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable

import pyarrow as pa
import pyarrow.compute as pc

__all__ = ["iso", "iso_column"]

_DATE = re.compile(r"([0-9]{4})(?:[./-]([0-9]{1,2}|[?x]+)(?:[./-]([0-9]{1,2}|[?x]+))?)?")


def iso(text: str) -> str | None:
    """Return the ISO form of a PGN date (``1972.07.??``), or None where no year is known.

    A month or day that the calendar does not have is left out with what follows it.
    """
    match = _DATE.fullmatch(text.strip())
    if match is None or match[1] == "0000":
        return None
    year, month, day = (int(part) if (part or "").isdigit() else 0 for part in match.groups())
    if not 1 <= month <= 12:
        return f"{year:04}"
    if not 1 <= day <= calendar.monthrange(year, month)[1]:
        return f"{year:04}-{month:02}"
    return f"{year:04}-{month:02}-{day:02}"


def iso_column(dates: pa.Array, read: Callable[[str], str | None] = iso) -> pa.Array:
    """Apply `read` to a string column; each distinct date is read once."""
    encoded = dates.dictionary_encode()
    values = [read(text) for text in encoded.dictionary.to_pylist()]
    return pc.take(pa.array(values, pa.string()), encoded.indices)
