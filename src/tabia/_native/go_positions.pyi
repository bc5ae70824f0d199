from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

class Expanded(NamedTuple):
    """Positions of games, one row each, games one after the other."""

    board: NDArray[np.uint8]
    """`[N, 96]` packed boards."""
    key: NDArray[np.uint64]
    """`[N]` Zobrist keys."""
    game: NDArray[np.int32]
    """`[N]` index of the game."""
    ply: NDArray[np.int32]
    """`[N]` moves played before the position."""
    move: NDArray[np.uint16]
    """`[N]` code of the move played next, 0xFFFF at a game's end."""
    legal: NDArray[np.uint8] | None
    """`[N, 362]` 1 for legal codes with the game's history known; None if not asked for."""

def expand(
    moves: ArrayLike,
    ply_offsets: ArrayLike,
    start_fens: Sequence[str | None] | None = None,
    *,
    size: int = 19,
    ko: str = "simple",
    allows_suicide: bool = False,
    with_legal: bool = False,
) -> Expanded:
    """Replay games and return every position, n_plies + 1 rows a game.

    A game may go on after two passes, as players do who disagree on what is dead.

    Parameters
    ----------
    moves
        `[M]` uint16 move codes of all games, 19 * row + column, 361 a pass; colours alternate.
    ply_offsets
        `[G + 1]` int64; game g has `moves[ply_offsets[g]:ply_offsets[g + 1]]`.
    start_fens
        `G` start positions, each of its own size, None being the empty board of `size`; None if all
        games have that.
    size
        Of boards without a start.
    ko, allows_suicide
        As for `Board`.
    with_legal
        Whether to fill `legal`.

    Raises
    ------
    IllegalMoveError
        If a move is not legal; the text names game and ply, and the move as a vertex.
    FenError
        If a start is no position.
    ValueError
        If the lengths do not agree, or size or ko is unknown.
    """

def replay(
    moves: ArrayLike,
    ply_offsets: ArrayLike,
    start_fens: Sequence[str | None] | None = None,
    *,
    size: int = 19,
    ko: str = "simple",
    allows_suicide: bool = False,
) -> NDArray[np.int32]:
    """Legal plies of each game, `[G]`: its length, or where its first illegal move stands.

    The arguments are those of `expand`. FenError, ValueError as there.
    """

def boards_from_fens(fens: Sequence[str]) -> NDArray[np.uint8]:
    """Packed boards `[n, 96]` of texts; FenError if one is no position."""

def fens_from_boards(boards: ArrayLike) -> list[str]:
    """Texts of packed boards `[n, 96]`, without prisoners; ValueError names a row that is none."""

def stones(boards: ArrayLike) -> NDArray[np.uint8]:
    """Colours `[n, 361]` by code of packed boards: 0 empty or off the board, 1 black, 2 white."""

def keys(boards: ArrayLike) -> NDArray[np.uint64]:
    """Zobrist keys `[n]` of packed boards `[n, 96]`; ValueError names a row that is none."""

def legal_masks(boards: ArrayLike, *, allows_suicide: bool = False) -> NDArray[np.uint8]:
    """1 for each legal code, `[n, 362]`, of packed boards `[n, 96]`, the pass last.

    By simple ko: what superko forbids hangs on the game, see `expand`. ValueError names a row that
    is no position.
    """
