"""How tables name what a model was trained and tested on, and parts of what it was tested on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tabia.imitation.folds import bin_ends

__all__ = ["ALL_BINS", "OWN", "PLIES", "bin_of", "label", "ply_parts"]

OWN = "own bin"
"""Every move is predicted by the model of its own bin."""

ALL_BINS = "all bins"
"""The moves of every bin together; of a model: one for all Elos."""

PLIES = (0, 10, 20, 30, 40, 60, 80, 100)
"""First half-moves before the move, of each part by ply."""


def label(name: str) -> str:
    """Return a bin as tables name it: ``1000-1100`` is ``(1000,1100]``."""
    ends = bin_ends(name)
    return ALL_BINS if ends is None else f"({ends[0]},{ends[1]}]"


def bin_of(rows: pa.Table, bins: Sequence[str], member: str) -> NDArray[np.int64]:
    """Return the place in `bins` of each move's bin, `[n]`; -1 where it is in none.

    Parameters
    ----------
    rows
        Has ``mover_elo`` and ``other_elo``.
    bins
        Names in paths.
    member
        ``mover``: the mover's Elo is in the bin; ``both``: both players' are.
    """
    mover = rows["mover_elo"].fill_null(0).to_numpy()
    other = rows["other_elo"].fill_null(0).to_numpy()
    found = np.full(len(mover), -1, np.int64)
    for place, name in enumerate(bins):
        ends = bin_ends(name)
        if ends is None:
            continue
        low, high = ends
        inside = (mover > low) & (mover <= high)
        if member == "both":
            inside &= (other > low) & (other <= high)
        found[inside] = place
    return found


def ply_parts(ply: NDArray[np.int32]) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    """Yield each part by ply, ``10-19``, and which moves belong to it, `[n]`."""
    for first, end in zip(PLIES, (*PLIES[1:], None), strict=True):
        inside = ply >= first
        if end is None:
            yield f"{first}-", inside
        else:
            yield f"{first}-{end - 1}", inside & (ply < end)
