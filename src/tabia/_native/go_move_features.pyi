import numpy as np
from numpy.typing import ArrayLike, NDArray

COLUMNS: tuple[str, ...]
"""Names of the columns; docs/imitation_inputs.md defines them."""

def move_features(
    boards: ArrayLike, codes: ArrayLike, offsets: ArrayLike, previous: ArrayLike
) -> NDArray[np.float32]:
    """Features of legal moves, `[M, len(COLUMNS)]`, as the player to move sees them.

    Parameters
    ----------
    boards
        `[n, 96]` uint8 packed boards.
    codes, offsets
        `[M]` uint16 legal moves and `[n + 1]` int64: board i has
        `codes[offsets[i]:offsets[i + 1]]`. Suicide is legal here; superko is not asked.
    previous
        `[n, 2]` int32 codes of the opponent's last move and of the mover's own; -1 for none.

    Raises
    ------
    ValueError
        If shapes do not agree, a row is no position, or a move is not legal.
    """
