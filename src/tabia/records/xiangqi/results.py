"""The result of a record, of which its tag, its movetext and its last position may each tell."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from tabia._native.xiangqi_board import Board

__all__ = ["Result", "settled"]

Result = Literal[1, 0, -1] | None
"""Red's view; None = unknown."""


def settled(
    said: Iterable[Result],
    codes: Sequence[int],
    start_fen: str | None,
    *,
    unfinished: bool = False,
) -> tuple[Result, bool]:
    """Return the result of a game, and whether its sources disagree.

    A last position without a legal move is one source, which the rules decide: the side to move
    has lost. It counts last, so that nothing recorded is overruled.

    Parameters
    ----------
    said
        What the record says in its several places, the one to be believed first.
    codes, start_fen
        The game, all of whose moves are legal.
    unfinished
        Whether the record says that the game has no result (``*``), which an end on the board
        contradicts.
    """
    board = Board(start_fen)
    for code in codes:
        board.push(code)
    claims = [result for result in said if result is not None]
    has_ended = not board.has_legal_move
    if has_ended:
        claims.append(1 if board.black_to_move else -1)
    conflict = len(set(claims)) > 1 or (unfinished and has_ended)
    return (claims[0] if claims else None), conflict
