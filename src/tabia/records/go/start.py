"""Where a Go record begins: stones placed before the first move, as the text of a position."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from tabia._native.go_board import Board

__all__ = ["start_text", "stones_of"]

_STONES = ".XO"


def start_text(size: int, stones: Mapping[int, int], *, white_to_move: bool) -> str | None:
    """Return the text of a start; None is the empty board of 19 lines with Black to move.

    Parameters
    ----------
    size
        5 to 19.
    stones
        Colour, 1 black and 2 white, by point.

    Raises
    ------
    FenError
        If a chain has no liberty.
    """
    if not stones and size == 19 and not white_to_move:
        return None
    return _text(size, tuple(sorted(stones.items())), white_to_move)


@lru_cache(4096)
def _text(size: int, stones: tuple[tuple[int, int], ...], white_to_move: bool) -> str:
    colors = dict(stones)
    rows = (
        "".join(_STONES[colors.get(19 * row + column, 0)] for column in range(size))
        for row in range(size)
    )
    return Board(f"{'/'.join(map(_packed, rows))} {'w' if white_to_move else 'b'}").fen()


def _packed(row: str) -> str:
    """Return a row with runs of empty points as numbers."""
    text, run = "", 0
    for point in row:
        if point == ".":
            run += 1
            continue
        text += (str(run) if run else "") + point
        run = 0
    return text + (str(run) if run else "")


def stones_of(board: Board) -> tuple[list[int], list[int]]:
    """Return the points of the black and of the white stones, ascending."""
    size, colors = board.size, board.stones()
    points = [19 * row + column for row in range(size) for column in range(size)]
    return tuple(  # type: ignore[return-value]
        [point for point, color in zip(points, colors, strict=True) if color == wanted]
        for wanted in (1, 2)
    )
