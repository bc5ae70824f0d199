"""Who played the games behind a figure."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["played_by"]


def played_by(values: Iterable[str]) -> str:
    """Return ``people``, ``engines`` or ``engines and people`` for some positions' players.

    Parameters
    ----------
    values
        The ``played_by`` column of positions: ``people``, ``engines`` or ``engines and people``
        where games of both kinds hold the position.
    """
    found = {one for value in set(values) for one in value.split(" and ")}
    return " and ".join(sorted(found)) or "nobody"
