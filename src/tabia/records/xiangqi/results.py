"""The result of a record, of which its tag, its movetext and its last position may each tell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from tabia._native.xiangqi_board import Board

__all__ = ["Result", "Settled", "Source", "settled"]

Result = Literal[1, 0, -1] | None
"""Red's view; None = unknown."""

Source = Literal["tag", "movetext", "board"]
"""Where a result comes from: a tag or field, the token behind the moves, the rules."""


class Settled(NamedTuple):
    """A game's result, where it comes from, and whether the record's places disagree."""

    result: Result
    result_from: Source | None
    result_conflict: bool


def settled(
    tag: Result,
    codes: Sequence[int],
    start_fen: str | None,
    *,
    movetext: Result = None,
    unfinished: bool = False,
) -> Settled:
    """Return the result of a game.

    The tag is believed first, then the movetext. A last position without a legal move, where the
    rules decide that the side to move has lost, counts last: nothing recorded is overruled.

    Parameters
    ----------
    tag, movetext
        What the record says in its two places.
    codes, start_fen
        The game, all of whose moves are legal.
    unfinished
        Whether the record says that the game has no result (``*``), which an end on the board
        contradicts.
    """
    board = Board(start_fen)
    for code in codes:
        board.push(code)
    has_ended = not board.has_legal_move
    on_board: Result = None
    if has_ended:
        on_board = 1 if board.black_to_move else -1
    said: tuple[tuple[Source, Result], ...] = (
        ("tag", tag),
        ("movetext", movetext),
        ("board", on_board),
    )
    claims = [(source, result) for source, result in said if result is not None]
    conflict = len({result for _, result in claims}) > 1 or (unfinished and has_ended)
    source, result = claims[0] if claims else (None, None)
    return Settled(result, source, conflict)
