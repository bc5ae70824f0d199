"""Fuzzy means: centres of a radial basis function network, chosen in one pass over the rows.

Every input, normalised to 0 .. 1 on the training split, is cut into fuzzy sets whose centres stand
``1 / (sets - 1)`` apart, the outer two at 0 and 1. In the symmetric algorithm (Sarimveis,
Alexandridis, Tsekouras and Bafas, 2002) all inputs have equally many, in the non-symmetric one
(Alexandridis, Chondrodima and Sarimveis, 2013) each has its own number. One set of every input
together make a fuzzy subspace, a candidate for a centre. The relative distance of a row x from the
centre a is ``d = sqrt(Σ (aᵢ - xᵢ)² / (N δᵢ²))`` with the spacing δᵢ, summed over the N inputs that
vary; the row belongs to the subspace, with membership ``1 - d``, where d is at most 1.

The first row makes the subspace nearest to it a centre, and so does every later row that is outside
(d > 1) of all centres chosen so far. Half-way between two sets the lower is taken. A new centre is
at most half a spacing from its row in every input, so d of the two is at most 0.5 and all rows end
with d <= 1 to some centre. There are never more centres than rows. Another order of rows gives
other centres; theirs is the order of the dataset, which hashes of positions decide.

A constant input has one set. It counts for nothing: not in the sum, not in N.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from tabia._native.fuzzy_means import Selection

__all__ = ["places", "relative_distances", "select"]


def select(
    parts: Iterable[npt.NDArray[np.float32]], sets: npt.NDArray[np.int32], limit: int
) -> npt.NDArray[np.uint8] | None:
    """Choose centres, or return None where they would be more than `limit`.

    Decisions are exact: sums are taken in double precision in the order of the inputs, on every
    CPU, and however the rows are cut into parts.

    Parameters
    ----------
    parts
        Rows ``[n, d]`` in their order, normalised; any number of such arrays.
    sets
        ``[d]`` fuzzy sets an input, 2 to 256; 1 for a constant input.
    limit
        Centres at most.

    Returns
    -------
    ``[m, d]`` the centres in the order of their choice: each input's fuzzy set, counted from 0.
    """
    selection = Selection(sets, limit)
    for rows in parts:
        if not selection.add(rows):
            return None
    return selection.centres


def places(centres: npt.NDArray[np.uint8], sets: npt.NDArray[np.int32]) -> npt.NDArray[np.float32]:
    """Return centres ``[m, d]`` as normalised inputs, float32; 0 where an input is constant."""
    return (centres / np.maximum(sets - 1, 1)).astype(np.float32)


def relative_distances(
    rows: npt.NDArray[np.float32], centres: npt.NDArray[np.float32], sets: npt.NDArray[np.int32]
) -> npt.NDArray[np.float64]:
    """Return d of each of `rows` ``[n, d]`` and one centre, or of one row and each centre.

    Parameters
    ----------
    rows, centres
        Normalised inputs, ``[n, d]`` and ``[d]`` or ``[d]`` and ``[n, d]``.
    sets
        ``[d]`` fuzzy sets an input.
    """
    apart = (rows.astype(np.float64) - centres) * (sets - 1)
    count = max(1, int(np.count_nonzero(sets > 1)))
    return np.asarray(np.sqrt(np.square(apart).sum(axis=-1) / count))
