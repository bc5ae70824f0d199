"""Gamescape: a game as points in the plane, by the Schur decomposition (Balduzzi et al. 2019).

An antisymmetric M is Q T Q' with 2 by 2 blocks [0 λ; -λ 0] on the diagonal of T. The block of the
largest λ gives the plane that M is best described in: with its columns a and b of Q, strategy i
is the point sqrt(λ) (a_i, b_i), and i gains against j about the signed area that both points span,
x_i y_j - y_i x_j. Transitive games lie on a line that passes the origin by, cyclic ones go round
it.

The plane leaves rotation open, and a curve fitted as y over x depends on it. Here x is the
direction in which mean payoffs rise fastest, and its sign such that they rise: a game of
differences r_i - r_j is then the straight line of y constant. Figure 6 of the JiangJun paper fits a
parabola to the points and leaves out those with an outlying Z-score of their residual.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tabia.population.payoff import Bools, Floats

__all__ = ["OUTLYING", "Embedding", "Parabola", "embed", "fit_parabola", "largest_gap"]

OUTLYING = 3.0
"""Z-score from which on a point is left out of the fit."""


@dataclass(frozen=True, eq=False)
class Embedding:
    """Points of a game.

    Attributes
    ----------
    points
        ``[n, 2]`` x, y; their unit is the square root of a payoff.
    weight
        Share of |M|², Frobenius norm, that the plane holds, 0 to 1; NaN where all is drawn.
    """

    points: Floats
    weight: float


@dataclass(frozen=True, eq=False)
class Parabola:
    """A least-squares fit y = c0 + c1 x + c2 x².

    Attributes
    ----------
    coefficients
        c0, c1, c2.
    outliers
        ``[n]`` bool: left out.
    r_squared
        Of the points that are in, 0 to 1; NaN where their y is constant.
    bend
        Largest distance in y between the curve and its chord from the first x to the last, divided
        by the range of x: 0 is a straight line, and the larger the more bent.
    """

    coefficients: tuple[float, float, float]
    outliers: Bools
    r_squared: float
    bend: float


def embed(payoff: Floats) -> Embedding:
    """Return the points of a game ``[n, n]``, antisymmetric."""
    n = len(payoff)
    whole = float((payoff**2).sum())
    if whole == 0.0:
        return Embedding(np.zeros((n, 2)), float("nan"))
    # iM is Hermitian with eigenvalues ±λ; an eigenvector of +λ is (a + ib) / sqrt(2).
    values, vectors = np.linalg.eigh(1j * payoff)
    size = float(values[-1])
    plane = np.column_stack([vectors[:, -1].real, vectors[:, -1].imag]) * np.sqrt(2 * size)
    # M is about -λ (a b' - b a'), which the order y, x turns into x_i y_j - y_i x_j.
    plane = plane[:, ::-1]
    rise = plane.T @ (payoff.mean(axis=1))
    length = float(np.hypot(*rise))
    if length > 1e-9 * np.sqrt(size):
        x, y = rise / length
    else:  # no direction rises: the first point that is not the origin lies on the x axis
        far = int(np.flatnonzero(np.hypot(*plane.T) > 1e-9 * np.sqrt(size))[0])
        x, y = plane[far] / np.hypot(*plane[far])
    turned = plane @ np.array([[x, -y], [y, x]])
    return Embedding(turned, min(1.0, 2 * size**2 / whole))


def fit_parabola(points: Floats, outlying: float = OUTLYING) -> Parabola | None:
    """Return the parabola of points ``[n, 2]``, or None where fewer than 4 x differ.

    The fit is made, points whose residual is `outlying` standard deviations or more from the mean
    are left out, and it is made again, once.
    """
    x, y = points[:, 0], points[:, 1]
    spread = float(np.ptp(x)) if len(x) else 0.0
    if spread == 0.0 or len(np.unique(np.round((x - x.min()) / spread, 9))) < 4:
        return None
    every = np.ones(len(x), np.bool_)
    residual = y - _curve(_least_squares(x, y, every), x)
    deviation = float(residual.std())
    outliers: Bools = np.zeros(len(x), np.bool_)
    # Residuals of an exact fit are rounding, and no point of it is an outlier.
    if deviation > 1e-9 * spread:
        outliers = np.abs(residual - residual.mean()) >= outlying * deviation
    kept = ~outliers
    c = _least_squares(x, y, kept)
    rest = y[kept] - _curve(c, x[kept])
    total = float(((y[kept] - y[kept].mean()) ** 2).sum())
    r_squared = 1 - float((rest**2).sum()) / total if total > 1e-18 * spread**2 else float("nan")
    width = float(np.ptp(x[kept]))
    # A parabola is farthest from its chord in the middle, by |c2| width² / 4.
    return Parabola((c[0], c[1], c[2]), outliers, r_squared, abs(c[2]) * width / 4)


def largest_gap(points: Floats) -> float:
    """Return the largest angle, in degrees, seen from the origin that has no point in it.

    Above 180 all points lie to one side of a line through the origin, as those of a transitive game
    do; a game that goes round the origin has a smaller one. 360 where less than two points are off
    the origin.
    """
    size = np.hypot(*points.T)
    far = points[size > 1e-9 * size.max(initial=0.0)]
    if len(far) < 2:
        return 360.0
    angles = np.sort(np.degrees(np.arctan2(far[:, 1], far[:, 0])))
    gaps = np.diff(np.append(angles, angles[0] + 360.0))
    return float(gaps.max())


def _least_squares(x: Floats, y: Floats, kept: Bools) -> tuple[float, float, float]:
    rows = np.column_stack([np.ones(int(kept.sum())), x[kept], x[kept] ** 2])
    found = np.linalg.lstsq(rows, y[kept], rcond=None)[0]
    return float(found[0]), float(found[1]), float(found[2])


def _curve(c: tuple[float, float, float], x: Floats) -> Floats:
    values: Floats = c[0] + c[1] * x + c[2] * x**2
    return values
