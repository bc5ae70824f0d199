"""Where the value of a radial basis function network comes from.

Everything is computed in double precision, so that an explanation's value differs from the
network's single-precision prediction in the fourth decimal or beyond.

Centres
    A centre fires if the row lies in its sphere: relative distance d (:mod:`.fuzzy_means`) at most
    1; the membership is ``1 - d``. Its contribution is ``w r² ln r``. Thin-plate splines grow with
    distance, so centres that do not fire contribute as well, often more; `Explanation.rest` is
    their sum.

Inputs
    Integrated gradients (Sundararajan, Taly and Yan, 2017) on the straight line, in normalised
    inputs, from the training means m to the row x: input i gets
    ``(xᵢ - mᵢ) ∫₀¹ ∂f/∂xᵢ(m + t(x - m)) dt``. The changes of all inputs add up to the value minus
    the value at the means, but for the error of the quadrature, `Explanation.remainder`. Changing
    inputs one at a time would not add up, as the network is not additive. Inputs that say the same
    share what they say in proportion to their gradients; the means need not be a possible position.

Training rows
    The nearest by relative distance, i.e. in the units in which spheres have radius 1.

A row is outside what the network has learned if no centre fires, or if an input that was constant
in training has another value, which the network does not see.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tabia.learning.fuzzy_means import relative_distances
from tabia.learning.rbf import RBFNetwork

__all__ = ["Explanation", "FiredCentre", "MovingInput", "Neighbour", "explain"]

Floats = npt.NDArray[np.float64]

_NODES = 64  # of Gauss-Legendre quadrature
_NEIGHBOURS = 10


@dataclass(frozen=True)
class FiredCentre:
    """A centre whose sphere holds the row.

    Attributes
    ----------
    centre
        Number of the centre, from 0, in the order of choice.
    distance
        Relative distance, 0 to 1.
    membership
        ``1 - distance``.
    contribution
        ``w r² ln r``, target units.
    """

    centre: int
    distance: float
    membership: float
    contribution: float


@dataclass(frozen=True)
class Neighbour:
    """A training row near the row.

    Attributes
    ----------
    row
        Its number in the training split, from 0, in the order in which the model was given it.
    distance
        Relative distance; 0 if all inputs that vary are equal.
    """

    row: int
    distance: float


@dataclass(frozen=True)
class MovingInput:
    """An input's part in the difference between the value and the value at the training means.

    Attributes
    ----------
    name
        The input.
    value, mean
        The input in the row and its mean in training, in its own units.
    change
        Target units; positive = it moved the value up.
    """

    name: str
    value: float
    mean: float
    change: float


@dataclass(frozen=True)
class Explanation:
    """Where a value comes from; units are the target's.

    Attributes
    ----------
    value
        The network's value; ``Σ fired.contribution + rest`` and ``base + Σ moving.change +
        remainder``.
    fired
        Centres that fired, nearest first.
    rest
        What all other centres contribute together.
    neighbours
        Nearest training rows, nearest first; empty if the model keeps none. Models of very many
        rows keep every second, third, … row only.
    base
        The network's value at the training means.
    moving
        All inputs, those that moved the value most first.
    remainder
        What the changes leave unexplained: the quadrature's error.
    outside
        True if the row is unlike everything the network has learned.
    distance
        Relative distance of the nearest centre; above 1 = outside every sphere.
    unseen
        Inputs that were constant in training and have another value here.
    """

    value: float
    fired: tuple[FiredCentre, ...]
    rest: float
    neighbours: tuple[Neighbour, ...]
    base: float
    moving: tuple[MovingInput, ...]
    remainder: float
    outside: bool
    distance: float
    unseen: tuple[str, ...]


def explain(network: RBFNetwork, x: npt.NDArray[np.float32]) -> Explanation:
    """Explain the value of one row of inputs, ``[d]``, in their own units.

    Raises
    ------
    ValueError
        If the row has another number of inputs than the network.
    """
    if x.shape != (len(network.columns),):
        raise ValueError(f"{len(network.columns)} inputs are needed, the row has shape {x.shape}")
    row = network.scaling(x[None])[0]
    centres, weights = network.places.astype(np.float64), network.weights
    apart = relative_distances(row, network.places, network.sets)
    contributions = weights * _spline(_squares(row.astype(np.float64), centres))
    value = float(contributions.sum())
    near = np.flatnonzero(apart <= 1)
    near = near[np.argsort(apart[near], kind="stable")]
    unseen = ~network.scaling.varies & (x != network.scaling.low)
    means = np.clip(network.means, network.scaling.low, network.scaling.high)
    start = network.scaling(means[None])[0].astype(np.float64)
    base = float(weights @ _spline(_squares(start, centres)))
    changes = _integrated_gradients(start, row.astype(np.float64), centres, weights)
    order = np.argsort(-np.abs(changes), kind="stable")
    return Explanation(
        value=value,
        fired=tuple(
            FiredCentre(int(i), float(apart[i]), float(1 - apart[i]), float(contributions[i]))
            for i in near
        ),
        rest=float(np.delete(contributions, near).sum()),
        neighbours=_neighbours(network, row),
        base=base,
        moving=tuple(
            MovingInput(network.columns[i], float(x[i]), float(network.means[i]), float(changes[i]))
            for i in order
        ),
        remainder=value - base - float(changes.sum()),
        outside=bool(apart.min() > 1 or unseen.any()),
        distance=float(apart.min()),
        unseen=tuple(network.columns[i] for i in np.flatnonzero(unseen)),
    )


def _squares(row: Floats, centres: Floats) -> Floats:
    return np.asarray(np.square(centres - row).sum(axis=1))


def _spline(squares: Floats) -> Floats:
    """Return ``r² ln r`` of squared distances."""
    return 0.5 * squares * np.log(squares, where=squares > 0, out=np.zeros_like(squares))


def _integrated_gradients(start: Floats, end: Floats, centres: Floats, weights: Floats) -> Floats:
    """Return each input's change of the value on the line from `start` to `end`, ``[d]``."""
    nodes, shares = np.polynomial.legendre.leggauss(_NODES)
    nodes, shares = (nodes + 1) / 2, shares / 2
    way, apart = end - start, start - centres
    # |start + t way - c|² for all points t and centres c, without a step in d dimensions a point.
    squares = np.square(apart).sum(axis=1) + 2 * np.outer(nodes, apart @ way)
    squares = np.maximum(squares + (np.square(nodes) * (way @ way))[:, None], 0)
    # ∂/∂x of r² ln r is (x - c)(2 ln r + 1), which is 0 at the centre.
    logs = np.log(squares, where=squares > 0, out=np.zeros_like(squares))
    slopes = shares[:, None] * weights * (logs + 1)
    by_point, by_centre = slopes.sum(axis=1), slopes.sum(axis=0)
    total = start * by_point.sum() + way * (nodes @ by_point) - by_centre @ centres
    return np.asarray(total * way)


def _neighbours(network: RBFNetwork, row: npt.NDArray[np.float32]) -> tuple[Neighbour, ...]:
    if network.kept is None:
        return ()
    apart = relative_distances(network.scaling(network.kept.x), row, network.sets)
    nearest = np.argsort(apart, kind="stable")[:_NEIGHBOURS]
    return tuple(Neighbour(int(i) * network.kept.step, float(apart[i])) for i in nearest)
