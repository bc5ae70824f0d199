"""A record that is no game, as readers of whole files give it."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Reject"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reject:
    """A record that was found and is no game.

    Attributes
    ----------
    reason
        One of the `REASONS` of the game's ``record`` module.
    detail
        What is wrong, with the value, and what could be done.
    byte_offset, line
        Where the record begins in its file; line is 1-based, 1 in binary files.
    legal_plies
        Moves that were legal before the fault.
    """

    reason: str
    detail: str
    byte_offset: int = 0
    line: int = 1
    legal_plies: int = 0
