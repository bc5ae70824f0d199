"""Hodge decomposition: a game as a transitive and a cyclic part (Jiang et al. 2011).

On the complete graph every antisymmetric M is the sum of grad r, the transitive part
grad r_ij = r_i - r_j with r_i the mean of row i, and a rest whose rows have mean 0, the cyclic
part. Both are orthogonal, so that the squares add up: the transitive share is
|grad r|² / |M|² by the Frobenius norm.
"""

from __future__ import annotations

from dataclasses import dataclass

from tabia.population.payoff import Floats

__all__ = ["Hodge", "hodge"]


@dataclass(frozen=True, eq=False)
class Hodge:
    """Parts of a game.

    Attributes
    ----------
    potential
        ``[n]`` r, in payoffs, of sum 0.
    transitive, cyclic
        ``[n, n]`` antisymmetric; they add up to the game.
    transitive_share
        0 to 1; of a game in which all is drawn NaN.
    """

    potential: Floats
    transitive: Floats
    cyclic: Floats
    transitive_share: float


def hodge(payoff: Floats) -> Hodge:
    """Return the transitive and the cyclic part of a game ``[n, n]``."""
    potential = payoff.mean(axis=1)
    transitive = potential[:, None] - potential[None, :]
    whole = float((payoff**2).sum())
    share = float((transitive**2).sum()) / whole if whole > 0 else float("nan")
    return Hodge(potential, transitive, payoff - transitive, share)
