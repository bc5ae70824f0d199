"""Packed boards between Arrow and NumPy."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa

__all__ = ["packed"]

_BYTES = 32


def packed(column: pa.ChunkedArray) -> npt.NDArray[np.uint8]:
    """Return a ``board`` column (fixed-size binary of 32 bytes, no nulls) as uint8 ``[n, 32]``."""
    parts = [np.empty((0, _BYTES), np.uint8)]
    for chunk in column.chunks:
        if chunk.null_count:
            raise ValueError("a board is null")
        data = np.frombuffer(
            chunk.buffers()[1], np.uint8, count=_BYTES * (chunk.offset + len(chunk))
        )
        parts.append(data.reshape(-1, _BYTES)[chunk.offset :])
    return np.concatenate(parts)
