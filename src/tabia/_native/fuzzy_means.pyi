import numpy as np
from numpy.typing import ArrayLike, NDArray

class Selection:
    """Centres chosen by fuzzy means in one pass over rows that arrive in parts.

    Parameters
    ----------
    sets
        `[d]` fuzzy sets an input, 1 to 256; 1 marks a constant input, which counts for nothing.
    limit
        Centres at most.

    Raises
    ------
    ValueError
        If a number is out of range.
    """

    def __init__(self, sets: ArrayLike, limit: int) -> None: ...
    def add(self, rows: ArrayLike) -> bool:
        """Take rows `[n, d]`, float32, normalised to 0 .. 1, in their order.

        False as soon as more than `limit` centres are needed; nothing more is taken then.
        """
    @property
    def centres(self) -> NDArray[np.uint8]:
        """`[m, d]` each centre's fuzzy set, counted from 0, in the order of choice."""
