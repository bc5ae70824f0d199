"""Half-open Elo bins ``(low,high]`` and their names."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tabia.records.config import EloBins

__all__ = ["bin_column", "bin_names"]


def bin_names(bins: EloBins) -> list[str]:
    """Return the names of the bins, lowest first: ``(1000,1200]``, ``(1200,1400]`` …."""
    return [f"({low},{low + bins.width}]" for low in range(bins.low, bins.high, bins.width)]


def bin_column(elo: pa.Array | pa.ChunkedArray, bins: EloBins) -> pa.Array:
    """Return the bin of each Elo as a string column; null where unrated or outside all bins."""
    # The lowest end itself lies outside: bins are open below.
    rating = elo.fill_null(bins.low).to_numpy(zero_copy_only=False).astype(np.int64)
    inside = (rating > bins.low) & (rating <= bins.high)
    index = np.where(inside, (rating - bins.low - 1) // bins.width, 0).astype(np.int32)
    return pa.DictionaryArray.from_arrays(
        pa.array(index, mask=~inside), bin_names(bins)
    ).dictionary_decode()
