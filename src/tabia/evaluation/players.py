"""Who played the games behind a figure."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["played_by"]


def played_by(values: Iterable[str]) -> str:
    """Return ``people``, ``engines`` or ``engines and people`` for some positions' players.

    Parameters
    ----------
    values
        The ``played_by`` column of positions: ``people``, ``engines`` or ``both``.
    """
    found: set[str] = set()
    for value in set(values):
        found |= {"engines", "people"} if value == "both" else {value}
    return " and ".join(sorted(found)) or "nobody"
