from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

TERMS: tuple[str, ...]
"""Names of the 97 terms of a side, in the order of the columns."""

GROUPS: tuple[str, ...]
"""Group of each of `TERMS` in the evaluation guide; "Scale" for the scale factor."""

FRACTIONAL: frozenset[str]
"""Terms that count halves; all others are integers."""

COLUMNS: tuple[str, ...]
"""Names of the 194 values of a position: `white_<term>` of all terms, then `black_<term>`.

Each side's terms are from its own point of view: large values of, say, `mobility` are good for
that side. float32 holds every value exactly: integers, halves in `outpost_total`.
"""

def terms_from_boards(boards: ArrayLike) -> NDArray[np.float32]:
    """Terms `[n, 194]` of packed boards `[n, 32]`; ValueError names a row that is no position."""

def terms_from_fens(fens: Sequence[str]) -> NDArray[np.float32]:
    """Terms `[n, 194]` of FENs; FenError names index and FEN if one is no position."""

def terms_from_games(
    moves: ArrayLike,
    ply_offsets: ArrayLike,
    start_fens: Sequence[str | None],
    chess960: ArrayLike,
) -> NDArray[np.float32]:
    """Terms of every position of games, `n_plies + 1` rows a game, games one after the other.

    Row by row the positions are those of `chess_positions.expand`, whose arguments these are. A
    position takes 776 bytes: give thousands of games at a time, not millions.

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
        If a start is no position; the text names the game.
    ValueError
        If the lengths do not agree.
    """
