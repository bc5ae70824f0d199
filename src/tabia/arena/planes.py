"""Positions read back from the planes of the search, for models that want boards.

The planes show a position from the mover's view, and so does what comes out here: the mover is the
first player. Chess is reflected and xiangqi turned by half where the second player is to move, and
at Go the colours change. Moves before the position are not told, nor Go's prisoners and ko.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tabia.search.nets.config import search_shape

__all__ = ["fens", "latest"]

Planes = NDArray[np.float32]
Game = Literal["chess", "xiangqi", "go"]

_LETTERS = {"chess": "PNBRQKpnbrqk", "xiangqi": "KABNRCPkabnrcp", "go": "XO"}


def latest(planes: Planes, game: Game, history: int, shown: int) -> Planes:
    """Return what an encoder of fewer positions would have written.

    Parameters
    ----------
    planes
        `[n, planes, rows, columns]` of the search, which show `history` positions.
    game
        Whose.
    history, shown
        Positions that they show, and that shall be shown: no more.
    """
    if shown == history:
        return planes
    each = search_shape(game, history=2).encoded_planes - search_shape(game).encoded_planes
    return np.concatenate([planes[:, : each * shown], planes[:, each * history :]], axis=1)


def fens(planes: Planes, game: Game) -> list[str]:
    """Return the FEN of each position, or Go's text of a board, with the mover as first player.

    Parameters
    ----------
    planes
        `[n, planes, rows, columns]` float32 that show one position.
    game
        Whose.
    """
    letters = _LETTERS[game]
    pieces = planes[:, : len(letters)] > 0
    kinds = np.where(pieces.any(1), pieces.argmax(1) + 1, 0)
    if game != "go":
        kinds = kinds[:, ::-1]  # a FEN begins with the mover's last row, Go's text with the top
    rest = _REST[game]
    return [
        f"{_rows(board, letters)} {rest(position)}"
        for board, position in zip(kinds, planes, strict=True)
    ]


def _rows(board: NDArray[np.intp], letters: str) -> str:
    rows = []
    for row in board.tolist():
        text, empty = "", 0
        for kind in row:
            if kind == 0:
                empty += 1
                continue
            text += f"{empty or ''}{letters[kind - 1]}"
            empty = 0
        rows.append(f"{text}{empty or ''}")
    return "/".join(rows)


def _rest_of_chess(position: Planes) -> str:
    rights = "".join(
        letter for letter, plane in zip("KQkq", position[13:17], strict=True) if plane[0, 0] > 0
    )
    square = np.flatnonzero(position[17] > 0)
    passed = "-"
    if len(square):
        passed = f"{'abcdefgh'[square[0] % 8]}{square[0] // 8 + 1}"
    return f"w {rights or '-'} {passed} {round(float(position[18, 0, 0]) * 100)} 1"


_REST: Mapping[Game, Callable[[Planes], str]] = {
    "chess": _rest_of_chess,
    "xiangqi": lambda position: f"w - - {round(float(position[15, 0, 0]) * 120)} 1",
    "go": lambda position: "b - 0 0 0",
}
