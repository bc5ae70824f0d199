"""The start of a record: the standard one has no FEN, whatever its counters say."""

from __future__ import annotations

from tabia._native.xiangqi_board import Board, FenError

__all__ = ["black_begins", "board_of", "start_fen"]

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
    board = board_of(start) if isinstance(start, str) else start
    return None if board.packed() == _STANDARD else board.fen()


def board_of(fen: str | None) -> Board:
    """Return the position of a FEN, the standard start without one.

    Raises
    ------
    FenError
        If the FEN is no position; the message repeats it once.
    """
    try:
        return Board(fen)
    except FenError as error:
        # The message has the FEN already: what it repeats of the board says nothing.
        board = (fen or "").partition(" ")[0]
        text = str(error).replace(f"board field {board!r}", "board field")
        raise FenError(text) from error


def black_begins(start: str | None) -> bool:
    """Whether Black moves first from a start as `start_fen` gives it."""
    return start is not None and start.split()[1] == "b"
