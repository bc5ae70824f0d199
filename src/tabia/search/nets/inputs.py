"""From the planes of the search's encoder to what a net reads."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tabia.search.nets.config import NetShape

__all__ = ["split"]

Planes = NDArray[np.float32]


def split(encoded: Planes, shape: NetShape) -> tuple[Planes, Planes]:
    """Return planes ``[n, planes, rows, columns]`` and numbers ``[n, numbers]``.

    Parameters
    ----------
    encoded
        ``[n, encoded_planes, rows, columns]`` float32 from the mover's view, as
        :class:`tabia._native.mcts.Searcher` writes them; left as it is.
    shape
        Says which planes are numbers; the board's size is not looked at.

    Raises
    ------
    ValueError
        If there is another number of planes, or the net's numbers are no planes of the encoder.
    """
    if encoded.ndim != 4 or encoded.shape[1] != shape.encoded_planes:
        raise ValueError(
            f"planes {list(encoded.shape)}; the net reads {shape.encoded_planes} of the encoder,"
            f" with a history of {shape.history}"
        )
    if len(shape.number_planes) != shape.numbers:
        raise ValueError(
            f"the net's {shape.numbers} numbers are no planes of the encoder; evaluate it with"
            " planes and numbers apart"
        )
    apart = shape.number_planes + shape.unread_planes
    if not apart:
        return encoded, np.empty((len(encoded), 0), np.float32)
    kept = [plane for plane in range(shape.encoded_planes) if plane not in apart]
    return encoded[:, kept], encoded[:, list(shape.number_planes), 0, 0]
