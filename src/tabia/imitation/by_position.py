"""Sums and softmax over the legal moves of each position, and which of them was played.

Values of moves are flat arrays `[M]`; position i has ``values[offsets[i]:offsets[i + 1]]``, at
least one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tabia.imitation.positions import Positions

__all__ = ["log_softmax", "played_places", "total"]

Offsets = NDArray[np.int64]


def total(values: NDArray[np.float64], offsets: Offsets) -> NDArray[np.float64]:
    """Return `[M]`: for each move, the sum of `values` `[M]` over the moves of its position."""
    return np.repeat(np.add.reduceat(values, offsets[:-1]), np.diff(offsets))


def log_softmax(scores: NDArray[np.float64], offsets: Offsets) -> NDArray[np.float64]:
    """Return `[M]` logarithms of probabilities that are proportional to ``exp(scores)``."""
    highest = np.repeat(np.maximum.reduceat(scores, offsets[:-1]), np.diff(offsets))
    shifted = scores - highest
    found: NDArray[np.float64] = shifted - np.log(total(np.exp(shifted), offsets))
    return found


def played_places(positions: Positions, index: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return `[len(index)]`: where the moves played are among `Positions.legal_of` of `index`."""
    codes, offsets = positions.legal_of(index)
    return np.flatnonzero(codes == np.repeat(positions.move[index], np.diff(offsets)))
