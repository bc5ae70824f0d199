"""Inputs normalised to 0 .. 1 by their smallest and largest value in the training split."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tabia.learning.examples import Inputs, blocks

__all__ = ["FAR", "Scaling"]

Floats = npt.NDArray[np.float64]

FAR = 1000.0
"""Normalised inputs stop here, on both sides, so that whatever is finite stays finite."""

_AT_ONCE = 256  # rows whose double-precision copies stay in the cache


@dataclass(frozen=True)
class Scaling:
    """Ranges of inputs.

    Attributes
    ----------
    low, high
        ``[d]`` float64, ends of the range; equal where an input is constant.
    """

    low: Floats
    high: Floats

    @classmethod
    def of(cls, inputs: Inputs) -> Scaling:
        """Return the ranges of some rows, at least one.

        Raises
        ------
        ValueError
            If a value is not finite; the text names the input.
        """
        width = len(inputs.columns)
        low, high = np.full(width, np.inf), np.full(width, -np.inf)
        for part in blocks(len(inputs)):
            x = inputs.rows(part)
            low = np.minimum(low, x.min(axis=0))
            high = np.maximum(high, x.max(axis=0))
        bad = ~(np.isfinite(low) & np.isfinite(high))
        if bad.any():
            name = inputs.columns[int(np.argmax(bad))]
            raise ValueError(f"input {name} is not finite in some row; leave such rows out")
        return cls(low, high)

    @property
    def varies(self) -> npt.NDArray[np.bool_]:
        """``[d]`` False where an input is constant."""
        return np.asarray(self.high > self.low)

    @cached_property
    def _span(self) -> Floats:
        # Dividing by infinity makes 0 of every finite value of a constant input.
        return np.where(self.varies, self.high - self.low, np.inf)

    def __call__(self, x: npt.NDArray[np.floating]) -> npt.NDArray[np.float32]:
        """Return normalised inputs, float32, of ``[n, d]``.

        Values outside the range give values outside 0 .. 1, as far as :data:`FAR`. Constant inputs
        give 0 whatever their value.
        """
        out = np.empty(x.shape, np.float32)
        for part in blocks(len(x), _AT_ONCE):
            wide = x[part] - self.low
            wide /= self._span
            out[part] = np.clip(wide, -FAR, FAR, out=wide)
        return out
