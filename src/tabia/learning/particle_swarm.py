"""Particle swarm optimisation over vectors of whole numbers.

Kennedy and Eberhart's swarm (1995) with the constriction of Clerc and Kennedy (2002). A particle at
x with velocity v moves by ``v ← 0.7298 (v + 2.05 r₁ (p - x) + 2.05 r₂ (g - x))`` and ``x ← x + v``:
p is the best place the particle has been at, g the best of all, r₁ and r₂ are drawn anew from
0 .. 1 for every coordinate. A step is at most half the range; what would leave the range stops at
its end with velocity zero. Particles move through real numbers; a place is judged rounded to whole
ones. All move, then all are judged.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["Found", "minimise"]

_CONSTRICTION = 0.7298
_OWN, _COMMON = 2.05, 2.05


@dataclass(frozen=True)
class Found:
    """Where a swarm ended.

    Attributes
    ----------
    place
        ``[d]`` the best place.
    value
        The objective there.
    judged
        Different places that were judged.
    """

    place: npt.NDArray[np.int32]
    value: float
    judged: int


def minimise(
    objective: Callable[[npt.NDArray[np.int32]], float],
    start: npt.NDArray[np.float64],
    low: int,
    high: int,
    iterations: int,
    rng: np.random.Generator,
) -> Found:
    """Search for the smallest value of an objective.

    Parameters
    ----------
    objective
        Value of a place ``[d]``; infinite where a place is not allowed. Asked once a place.
    start
        ``[particles, d]`` first places, all within the range.
    low, high
        Smallest and largest coordinate.
    iterations
        Moves of the swarm; 0 judges the first places alone.

    Returns
    -------
    The best place; of equal ones the first.
    """
    known: dict[bytes, float] = {}

    def judge(x: npt.NDArray[np.float64]) -> float:
        place = np.rint(x).astype(np.int32)
        key = place.tobytes()
        if key not in known:
            known[key] = float(objective(place))
        return known[key]

    x = start.astype(np.float64)
    velocity = np.zeros_like(x)
    own, own_value = x.copy(), np.array([judge(particle) for particle in x])
    reach = (high - low) / 2
    for _ in range(iterations):
        common = own[np.argmin(own_value)]
        first, second = rng.random(x.shape), rng.random(x.shape)
        pull = _OWN * first * (own - x) + _COMMON * second * (common - x)
        velocity = np.clip(_CONSTRICTION * (velocity + pull), -reach, reach)
        moved = x + velocity
        x = np.clip(moved, low, high)
        velocity[x != moved] = 0.0
        value = np.array([judge(particle) for particle in x])
        better = value < own_value
        own[better], own_value[better] = x[better], value[better]
    best = int(np.argmin(own_value))
    return Found(np.rint(own[best]).astype(np.int32), float(own_value[best]), len(known))
