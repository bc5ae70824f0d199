import numpy as np
from numpy.typing import ArrayLike, NDArray

class Basis:
    """`r² ln r` of the distances between rows and centres, in double precision; for training.

    Parameters
    ----------
    centres
        `[m, d]` float32.
    """

    def __init__(self, centres: ArrayLike) -> None: ...
    def __call__(self, rows: ArrayLike) -> NDArray[np.float64]:
        """Return `[n, m]` float64 for rows `[n, d]` float32."""

class Sums:
    """Weighted sums of `r² ln r`, in single precision; for prediction.

    Distances and splines are float32, with a relative error below 2e-6 of `r²` or of the spline,
    whichever is larger; the sum over centres is taken in double precision in a fixed order. A row
    alone and the same row among others give the same bits.

    Parameters
    ----------
    centres
        `[m, d]` float32.
    weights
        `[m]` float64.
    """

    def __init__(self, centres: ArrayLike, weights: ArrayLike) -> None: ...
    def __call__(self, rows: ArrayLike) -> NDArray[np.float64]:
        """Return `[n]` float64 for rows `[n, d]` float32."""
