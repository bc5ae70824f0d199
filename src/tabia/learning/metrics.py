"""Errors of predictions, each as a function of sums over positions.

Sums add up: over chunks, over the positions of a game, and over the games of a resample
(:mod:`tabia.learning.bootstrap`). Training imports this module, so an edit here trains every
model again; intervals stay out of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["MAE", "R2", "SIGN", "SIGN_PAWNS", "Floats", "Metric", "point"]

Floats = npt.NDArray[np.float64]

SIGN_PAWNS = 5.0
"""Positions beyond this many pawns count in the sign agreement."""


@dataclass(frozen=True)
class Metric:
    """A function of sums over positions.

    Attributes
    ----------
    name, unit
        As in the result tables.
    terms
        ``(target [n], predicted [n]) -> [n, k]`` float64: what is summed.
    value
        ``sums [..., k] -> [...]`` float64; not finite where undefined.
    """

    name: str
    unit: str
    terms: Callable[[Floats, Floats], Floats]
    value: Callable[[Floats], Floats]


def _mae_terms(target: Floats, predicted: Floats) -> Floats:
    return np.stack([np.ones_like(target), np.abs(predicted - target)], axis=1)


def _r2_terms(target: Floats, predicted: Floats) -> Floats:
    error = predicted - target
    return np.stack([np.ones_like(target), target, target * target, error * error], axis=1)


def _sign_terms(target: Floats, predicted: Floats) -> Floats:
    far = np.abs(target) > SIGN_PAWNS
    return np.stack([far, far & (np.sign(predicted) == np.sign(target))], axis=1).astype(np.float64)


def _ratio(sums: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(sums[..., 1] / sums[..., 0])


def _r2_value(sums: Floats) -> Floats:
    n, y, yy, ee = (sums[..., i] for i in range(4))
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = yy - y * y / n
        # A constant target leaves rounding noise in `spread`, not zero.
        spread = np.where(spread > 1e-12 * yy, spread, np.nan)
        return np.asarray(1.0 - ee / spread)


MAE = Metric("mae", "pawns", _mae_terms, _ratio)
"""Mean absolute error."""

R2 = Metric("r2", "share", _r2_terms, _r2_value)
"""Coefficient of determination, ``1 - Σ(y - ŷ)² / Σ(y - ȳ)²``, ȳ the mean of these targets."""

SIGN = Metric("sign_agreement", "share", _sign_terms, _ratio)
"""Share of positions beyond :data:`SIGN_PAWNS` whose winner is predicted; 0 agrees with nobody."""


def point(
    metric: Metric, target: npt.NDArray[np.floating], predicted: npt.NDArray[np.floating]
) -> float | None:
    """Return the metric's value alone, or None where these rows do not determine it."""
    terms = metric.terms(np.asarray(target, np.float64), np.asarray(predicted, np.float64))
    value = float(metric.value(terms.sum(axis=0)))
    return value if np.isfinite(value) else None
