import numpy as np
from numpy.typing import ArrayLike, NDArray

COLUMNS: tuple[str, ...]
"""Names of the columns; docs/imitation_inputs.md defines them."""

def outlooks(boards: ArrayLike, codes: ArrayLike, offsets: ArrayLike) -> NDArray[np.float32]:
    """What legal moves lead to, `[M, 2]`, in points, for the player to move.

    Parameters
    ----------
    boards
        `[n, 45]` uint8 packed boards.
    codes, offsets
        `[M]` uint16 legal moves and `[n + 1]` int64: board i has
        `codes[offsets[i]:offsets[i + 1]]`. One column compares the moves of a board.

    Raises
    ------
    ValueError
        If shapes do not agree, a row is no position, or a move is not legal.
    """
