from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

class Expanded(NamedTuple):
    """Positions of games, one row each, games one after the other."""

    board: NDArray[np.uint8]
    """`[N, 45]` packed boards."""
    key: NDArray[np.uint64]
    """`[N]` Zobrist keys."""
    flags: NDArray[np.uint8]
    """`[N]` 1 in check | 2 no legal move, lost for the side to move."""
    game: NDArray[np.int32]
    """`[N]` index of the game."""
    ply: NDArray[np.int32]
    """`[N]` half-moves played before the position."""
    move: NDArray[np.uint16]
    """`[N]` code of the move played next, 0xFFFF at a game's end."""

def expand(
    moves: ArrayLike, ply_offsets: ArrayLike, start_fens: Sequence[str | None] | None = None
) -> Expanded:
    """Replay games and return every position, n_plies + 1 rows a game.

    Parameters
    ----------
    moves
        `[M]` uint16 move codes of all games, 90 * from + to.
    ply_offsets
        `[G + 1]` int64; game g has `moves[ply_offsets[g]:ply_offsets[g + 1]]`.
    start_fens
        `G` start positions, None being the standard start; None if all games have that.

    Raises
    ------
    IllegalMoveError
        If a move is not legal; the text names game and ply, and the move with ranks 0 to 9.
    FenError
        If a start is no position.
    ValueError
        If the lengths do not agree.
    """

def replay(
    moves: ArrayLike, ply_offsets: ArrayLike, start_fens: Sequence[str | None] | None = None
) -> NDArray[np.int32]:
    """Legal plies of each game, `[G]`: its length, or where its first illegal move stands.

    The arguments are those of `expand`. FenError, ValueError as there.
    """

def boards_from_fens(fens: Sequence[str]) -> NDArray[np.uint8]:
    """Packed boards `[n, 45]` of FENs (counters may be absent); FenError if one is no position."""

def fens_from_boards(boards: ArrayLike) -> list[str]:
    """First four FEN fields of packed boards `[n, 45]`; ValueError names a row that is none."""

def piece_codes(boards: ArrayLike) -> NDArray[np.uint8]:
    """Pieces `[n, 90]`, a0 first, of packed boards: 0 empty, 1..7 red KABNRCP, 8..14 black."""

def keys(boards: ArrayLike) -> NDArray[np.uint64]:
    """Zobrist keys `[n]` of packed boards `[n, 45]`; ValueError names a row that is none."""

def legal_moves(boards: ArrayLike) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
    """Legal moves of packed boards `[n, 45]`: codes `[M]` and offsets `[n + 1]`.

    Board i has `codes[offsets[i]:offsets[i + 1]]`, ascending; ValueError names a row that is no
    position.
    """
