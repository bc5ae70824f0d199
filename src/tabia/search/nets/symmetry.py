"""Symmetries of the games: exact permutations of points and of moves, for training.

========  =======  =============================================================================
game      order    which
========  =======  =============================================================================
go        8        rotations and reflections of the square; the pass stays
xiangqi   2        exchange of left and right: palaces, river and all moves have that symmetry
chess     1        none: king and queen stand on different files and castling differs by side, so
                   a reflected position with rights to castle is no position of chess, and one
                   without is reached so much more seldom that nothing is gained
========  =======  =============================================================================

Exchanging the players is no symmetry here: nets see every position from the mover's side.

Number 0 changes nothing. In Go numbers 0 to 3 turn the board by quarters counterclockwise, as
:func:`numpy.rot90` does, and 4 to 7 exchange left and right before.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from tabia.games import xiangqi_moves
from tabia.search.nets.config import NetShape

__all__ = ["Symmetries"]

Indices = NDArray[np.int64]
Array = NDArray[np.float32]


class Symmetries:
    """The symmetries of a game on a board.

    Parameters
    ----------
    shape
        Game and board.

    Attributes
    ----------
    points
        ``[s, rows * columns]`` int64: a changed board has at point i what the board had at
        ``points[s, i]``.
    moves
        ``[s, moves]`` int64: the same of the labels of moves.
    inverse
        ``[s]`` int64: number of the symmetry that undoes each.
    """

    def __init__(self, shape: NetShape) -> None:
        self._shape = shape
        self.points, self.moves = _permutations(shape)
        after = np.take_along_axis(self.points[:, None], self.points[None], 2)
        undone = (after == np.arange(shape.rows * shape.columns)).all(axis=2)
        self.inverse: Indices = undone.argmax(axis=1)

    def __len__(self) -> int:
        return len(self.points)

    def change_planes(self, planes: Array, which: Indices) -> Array:
        """Return planes ``[n, ..., rows, columns]``, row i changed by symmetry ``which[i]``.

        Ownership ``[n, rows, columns]`` is changed by it too. The array is a new one.
        """
        board = (self._shape.rows, self._shape.columns)
        if planes.shape[-2:] != board or len(which) != len(planes):
            raise ValueError(
                f"planes {list(planes.shape)} and {len(which)} symmetries; wanted are as many rows"
                f" of boards of {board[0]} × {board[1]}"
            )
        flat = planes.reshape(len(planes), -1, board[0] * board[1])
        return np.take_along_axis(flat, self.points[which][:, None], 2).reshape(planes.shape)

    def change_moves(self, shares: Array, which: Indices) -> Array:
        """Return targets or logits ``[n, moves]``, row i changed by symmetry ``which[i]``."""
        if shares.shape != (len(which), self._shape.moves):
            raise ValueError(
                f"moves {list(shares.shape)} and {len(which)} symmetries; wanted are"
                f" [{len(which)}, {self._shape.moves}]"
            )
        return np.take_along_axis(shares, self.moves[which], 1)

    def draw(self, rows: int, rng: np.random.Generator) -> Indices:
        """Return a random symmetry for each of some rows, all equally likely."""
        return rng.integers(len(self), size=rows)


@cache
def _permutations(shape: NetShape) -> tuple[Indices, Indices]:
    board = np.arange(shape.rows * shape.columns).reshape(shape.rows, shape.columns)
    if shape.game == "go":
        changed = [np.rot90(side, turns) for side in (board, board[:, ::-1]) for turns in range(4)]
        points = np.stack([one.ravel() for one in changed])
        stays = np.full((len(points), 1), shape.moves - 1)
        moves = np.concatenate([points, stays], axis=1)
    elif shape.game == "xiangqi":
        points = np.stack([board.ravel(), board[:, ::-1].ravel()])
        starts, ends = np.divmod(np.array(xiangqi_moves.FROM_TO, np.int64), 90)
        other = xiangqi_moves.from_to_indices(90 * points[1][starts] + points[1][ends])
        moves = np.stack([np.arange(shape.moves), other.astype(np.int64)])
    else:
        points, moves = board.reshape(1, -1), np.arange(shape.moves)[None]
    for array in (points, moves):
        array.setflags(write=False)
    return points, moves
