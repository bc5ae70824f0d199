from collections.abc import Iterable
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tabia._native.go_board import Board

class Counted(NamedTuple):
    """What each side has, as pairs Black, White."""

    stones: tuple[int, int]
    """Living stones."""
    territory: tuple[int, int]
    """Surrounded points that count, those under dead stones included."""
    dead: tuple[int, int]
    """Dead stones of that colour."""
    prisoners: tuple[int, int]
    """Stones that the side has taken in play."""
    neutral: int
    """Points that count for nobody."""
    owner: NDArray[np.uint8]
    """`[size, size]` whose the point is: 0 nobody's, 1 Black's, 2 White's; stones too."""
    seki: NDArray[np.uint8]
    """`[size, size]` 1 for stones and points of groups in seki; 0 everywhere by area."""

class Playouts(NamedTuple):
    """Counts over playouts."""

    balance: NDArray[np.int32]
    """`[size, size]` playouts at whose end Black owned the point, minus White."""
    survived: NDArray[np.int32]
    """`[size, size]` playouts at whose end the stone there now, or one like it, stood there."""
    margin: int
    """Black's area minus White's at the ends, summed, without komi."""
    black_wins: int
    """Playouts with a margin above the board's komi."""
    moves: int
    """Moves played in all."""

def count(board: Board, *, territory: bool = False, dead: Iterable[int] = ()) -> Counted:
    """Count a position.

    Parameters
    ----------
    board
        Position; its passes do not matter.
    territory
        Whether points of groups in seki, and points that must be filled, count for nobody.
    dead
        Codes of dead stones; a chain with one of them is dead whole.

    Raises
    ------
    ValueError
        If a code is no stone.
    """

def pass_alive(board: Board) -> NDArray[np.uint8]:
    """Benson's unconditional life, `[size, size]`: 1 or 2 where that colour lives, 0 elsewhere.

    Marked are stones that their owner need not defend, and the points that they enclose where the
    other side cannot live.
    """

def playouts(
    board: Board,
    n: int,
    *,
    seed: int,
    policy: Literal["uniform", "no_eyes", "careful"] = "no_eyes",
    both_first: bool = False,
) -> Playouts:
    """Play `n` random games to the end from a position.

    Parameters
    ----------
    board
        Position; simple ko holds in playouts, suicide is never played, and passes before do not
        count.
    n
        Playouts.
    seed
        0 to 2^64 - 1; the same seed, stones and side to move give the same counts on every machine.
    policy
        uniform: every legal move and the pass, at most 2 * size^2 moves, as OpenSpiel's evaluator
        plays. no_eyes: every legal move but those into an own eye, at most 3 * size^2. careful: so,
        but stones in atari are mostly taken or saved, and no chain is put into atari for nothing,
        so that groups in seki stay.
    both_first
        Whether every other playout begins with a pass.

    Raises
    ------
    ValueError
        If the policy or `n` is none.
    """

def dead_by_playouts(board: Board, n: int, *, seed: int) -> list[int]:
    """Codes of the dead stones, ascending, by `n` careful playouts; `seed` as in `playouts`.

    Dead are chains whose points the other side owned more often at the ends, and stones where the
    other side is pass-alive; chains that are pass-alive are not.
    """
