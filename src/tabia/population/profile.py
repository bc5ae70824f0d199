"""The profile of the spinning top: how many strategies there are at each strength.

A point a Nash cluster: mean transitive strength of its members (Elo, else average win rate) and
their number. If a game looks like a spinning top, the sizes rise and fall again; a skewed normal
curve a f(x), f being scipy's density `skewnorm(shape, location, scale)`, is fitted to the points
by least squares, as Czarnecki et al. (2020) do it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tabia.population.clusters import Cluster
from tabia.population.payoff import Floats, Ints

__all__ = ["SkewedNormal", "cluster_points", "fit_skewed_normal"]

_SHAPES = (-4.0, 0.0, 4.0)
_FEWEST = 5
"""Points that a curve of four parameters is fitted to: one more, else it passes through all."""


@dataclass(frozen=True, slots=True)
class SkewedNormal:
    """The curve ``area * skewnorm.pdf(x, shape, location, scale)``.

    Attributes
    ----------
    area, shape, location, scale
        Of the curve; location and scale in the unit of strength.
    peak
        Strength at which it is highest.
    r_squared
        Share of the variance of the sizes that the curve explains; below 0 it is worse than their
        mean. NaN where all sizes are equal.
    n_points
        Clusters that it was fitted to.
    """

    area: float
    shape: float
    location: float
    scale: float
    peak: float
    r_squared: float
    n_points: int

    def __call__(self, strength: Floats) -> Floats:
        """Return the curve at any strengths."""
        return _curve(strength, self.area, self.shape, self.location, self.scale)


def cluster_points(clusters: Sequence[Cluster], strength: Floats) -> tuple[Floats, Ints]:
    """Return mean strength ``[c]`` and size ``[c]`` of the clusters.

    Parameters
    ----------
    strength
        ``[n]`` of every strategy, Elo or average win rate.
    """
    means = np.array([strength[cluster.members].mean() for cluster in clusters])
    return means, np.array([len(cluster) for cluster in clusters], np.int64)


def fit_skewed_normal(strength: Floats, size: Ints | Floats) -> SkewedNormal | None:
    """Return the curve of least squares, or None where fewer than 5 strengths differ.

    Parameters
    ----------
    strength, size
        ``[c]``.
    """
    from scipy import optimize

    x, y = np.asarray(strength, np.float64), np.asarray(size, np.float64)
    if len(np.unique(x)) < _FEWEST:
        return None
    middle, width = float(x.mean()), float(x.std())
    z = (x - middle) / width
    reach = float(np.ptp(z))
    # Within the data, or the fit of an even profile runs away; no narrower than points stand apart.
    narrowest = reach / (2 * len(z))
    low = [0.0, -20.0, float(z.min()), narrowest]
    high = [np.inf, 20.0, float(z.max()), 2 * reach]
    best = None
    for shape in _SHAPES:  # the sum of squares has several valleys
        start = [
            float(y.mean()) * reach,
            shape,
            float(np.clip((z * y).sum() / y.sum(), low[2], high[2])),
            float(np.clip(1.0, low[3], high[3])),
        ]
        found = optimize.least_squares(
            lambda c: _curve(z, *c) - y, start, bounds=(low, high), x_scale=[reach, 1, 1, 1]
        )
        if best is None or found.cost < best.cost - 1e-9:
            best = found
    if best is None:
        return None
    area, shape, location, scale = (float(value) for value in best.x)
    grid = np.linspace(z.min(), z.max(), 2001)
    peak = float(grid[_curve(grid, area, shape, location, scale).argmax()])
    total = float(((y - y.mean()) ** 2).sum())
    return SkewedNormal(
        area=area * width,
        shape=shape,
        location=middle + width * location,
        scale=width * scale,
        peak=middle + width * peak,
        r_squared=1 - 2 * float(best.cost) / total if total > 0 else float("nan"),
        n_points=len(x),
    )


def _curve(x: Floats, area: float, shape: float, location: float, scale: float) -> Floats:
    # skewnorm.pdf without scipy.stats' checks, which cost 100 times as much as the formula.
    from scipy import special

    z = (x - location) / scale
    density = np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)
    values: Floats = area * 2 / scale * density * special.ndtr(shape * z)
    return values
