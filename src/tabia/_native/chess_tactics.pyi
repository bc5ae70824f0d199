import numpy as np
from numpy.typing import ArrayLike, NDArray

COLUMNS: tuple[str, ...]
"""Names of the features: `mover_…` 29, `opponent_…` 29, `mover_in_check`.

Each side's features ask what it could do if it had the move; values of pieces are P 1, N 3, B 3,
R 5, Q 9. `gain_…`, `even_captures`, `check_gain`, `safe_…`, `fork…`, `threat` and `trapped` rest
on static exchange evaluation (the swap-off on one square); see `src/native/chess/tactics.hpp`.
"""

def tactics_from_boards(boards: ArrayLike) -> NDArray[np.int32]:
    """Static tactical features of packed boards.

    Parameters
    ----------
    boards
        `[n, 32]` uint8, as written to the positions table.

    Returns
    -------
    NDArray
        `[n, len(COLUMNS)]` int32: pawns for exchanges and pieces, else counts and ranks.

    Raises
    ------
    ValueError
        If a row is no position; the text names it.
    """
