"""Rock-Paper-Scissors cycles: i beats j, j beats k, k beats i.

With B_ij = 1 where i beats j (M_ij > 0), the i-th entry of the diagonal of B³ counts the ways i,
j, k, i, which are the cycles through i, each once; and tr(B³) / 3 counts all cycles. Who draws
beats no one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tabia.population.payoff import Floats, Ints

__all__ = [
    "StrongestCycle",
    "cycles_per_strategy",
    "most_cycles",
    "strongest_cycle",
    "total_cycles",
]

_ZERO = 1e-12
"""Payoffs up to this size are draws: means of games that cancel leave so much by rounding."""


@dataclass(frozen=True, slots=True)
class StrongestCycle:
    """The cycle whose smallest payoff is the largest.

    Attributes
    ----------
    members
        i, j and k: each beats the next, the last the first; the smallest number comes first.
    payoffs
        Of i against j, j against k, k against i.
    """

    members: tuple[int, int, int]
    payoffs: tuple[float, float, float]


def cycles_per_strategy(payoff: Floats) -> Ints:
    """Return ``[n]`` the number of cycles through each strategy: the diagonal of B³."""
    beats = (payoff > _ZERO).astype(np.float64)  # sums below 2**53 are exact
    through: Ints = np.rint(np.einsum("ij,ji->i", beats @ beats, beats)).astype(np.int64)
    return through


def total_cycles(payoff: Floats) -> int:
    """Return the number of cycles: tr(B³) / 3."""
    return int(cycles_per_strategy(payoff).sum()) // 3


def most_cycles(n: int) -> int:
    """Return how many cycles a game of n strategies can have at most (Kendall and Babington Smith).

    n (n² - 1) / 24 for odd n, n (n² - 4) / 24 for even.
    """
    return n * (n * n - (1 if n % 2 else 4)) // 24


def strongest_cycle(payoff: Floats) -> StrongestCycle | None:
    """Return the cycle of the largest smallest payoff, the first of equals; None without cycles."""
    n = len(payoff)
    positive = np.where(payoff > _ZERO, payoff, 0.0)
    best, members = 0.0, None
    for i in range(n - 2):
        later = slice(i + 1, n)
        # [j, k]: the smallest of i against j, j against k and k against i.
        least = np.minimum(positive[later, later], positive[i, later][:, None])
        least = np.minimum(least, positive[later, i][None, :])
        place = int(least.argmax())
        if least.flat[place] > best:
            best = float(least.flat[place])
            j, k = divmod(place, n - 1 - i)
            members = (i, i + 1 + j, i + 1 + k)
    if members is None:
        return None
    i, j, k = members
    gains = (float(payoff[i, j]), float(payoff[j, k]), float(payoff[k, i]))
    return StrongestCycle(members, gains)
