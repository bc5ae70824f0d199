from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

class Expanded(NamedTuple):
    """Positions of games, one row each, games one after the other."""

    board: NDArray[np.uint8]
    """`[N, 32]` packed boards."""
    key: NDArray[np.uint64]
    """`[N]` Zobrist keys."""
    phase: NDArray[np.int16]
    """`[N]` game phase, 0 (endgame) .. 128 (opening)."""
    flags: NDArray[np.uint8]
    """`[N]` 1 in check | 2 no legal move | 4 castling rights of Chess960."""
    game: NDArray[np.int32]
    """`[N]` index of the game."""
    ply: NDArray[np.int32]
    """`[N]` half-moves played before the position."""
    move: NDArray[np.uint16]
    """`[N]` code of the move played next, 0xFFFF at a game's end."""

def expand(
    moves: ArrayLike,
    ply_offsets: ArrayLike,
    start_fens: Sequence[str | None],
    chess960: ArrayLike,
) -> Expanded:
    """Replay games and return every position, n_plies + 1 rows a game.

    Parameters
    ----------
    moves
        `[M]` uint16 move codes of all games.
    ply_offsets
        `[G + 1]` int64; game g has `moves[ply_offsets[g]:ply_offsets[g + 1]]`.
    start_fens
        `G` start positions; None is the standard start.
    chess960
        `[G]` uint8 or bool: castling codes are king takes rook.

    Raises
    ------
    IllegalMoveError
        If a move is not legal; the text names game and ply.
    FenError
        If a start is no position.
    ValueError
        If the lengths do not agree.
    """

def boards_from_fens(fens: Sequence[str]) -> NDArray[np.uint8]:
    """Packed boards `[n, 32]` of FENs (counters may be absent); FenError if one is no position."""

def fens_from_boards(boards: ArrayLike) -> list[str]:
    """First four FEN fields of packed boards `[n, 32]`; ValueError names a row that is none."""

def piece_codes(boards: ArrayLike) -> NDArray[np.uint8]:
    """Pieces `[n, 64]`, a1 first, of packed boards: 0 empty, 1..6 white PNBRQK, 7..12 black."""

def phases(boards: ArrayLike) -> NDArray[np.int16]:
    """Game phase `[n]`, 0 .. 128, of packed boards; ValueError names a row that is none."""

def keys(boards: ArrayLike) -> NDArray[np.uint64]:
    """Zobrist keys `[n]` of packed boards `[n, 32]`; ValueError names a row that is none."""

def legal_moves(boards: ArrayLike) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
    """Legal moves of packed boards `[n, 32]` of standard chess: codes `[M]`, offsets `[n + 1]`.

    Board i has `codes[offsets[i]:offsets[i + 1]]`, ascending; castling is king-from to king-to.
    ValueError names a row that is no position, or whose castling rights need Chess960.
    """
