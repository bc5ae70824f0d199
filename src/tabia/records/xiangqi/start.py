"""The start of a record: the standard one has no FEN, whatever its counters say."""

from __future__ import annotations

from tabia._native.xiangqi_board import Board

__all__ = ["black_begins", "start_fen"]

_STANDARD = Board().packed()


def start_fen(start: Board | str | None) -> str | None:
    """Return a start as `Record.start_fen` has it: None for the standard one, else its FEN.

    Parameters
    ----------
    start
        The position, or a FEN of it; None is the standard start. Counters (and what else a packed
        position leaves out) do not count: one start is not written in two ways.

    Raises
    ------
    FenError
        If the FEN is no position.
    """
    if start is None:
        return None
    board = Board(start) if isinstance(start, str) else start
    return None if board.packed() == _STANDARD else board.fen()


def black_begins(start: str | None) -> bool:
    """Whether Black moves first from a start as `start_fen` gives it."""
    return start is not None and start.split()[1] == "b"
