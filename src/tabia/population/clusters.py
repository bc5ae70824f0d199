"""Nash clusters, the layers of a game.

Source: Czarnecki et al., "Real World Games Look Like Spinning Tops" (2020).

The first cluster is what the maximum-entropy equilibrium of the game plays, the next what that of
the rest plays, and so on. Each cluster wins against all later ones in the sense of relative
population performance; many strategies in one cluster are many that no other replaces.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tabia.population.nash import Equilibrium, max_entropy_nash
from tabia.population.payoff import Floats

__all__ = ["Cluster", "cluster_numbers", "nash_clusters", "relative_performance"]


@dataclass(frozen=True, eq=False)
class Cluster:
    """One layer.

    Attributes
    ----------
    members
        ``[k]`` numbers of strategies, ascending.
    probabilities
        ``[k]`` of the equilibrium of what no earlier cluster has.
    """

    members: NDArray[np.intp]
    probabilities: Floats

    def __len__(self) -> int:
        return len(self.members)


def nash_clusters(payoff: Floats, first: Equilibrium | None = None) -> tuple[Cluster, ...]:
    """Return the clusters of a game, strongest first; every strategy is in one.

    Parameters
    ----------
    payoff
        ``[n, n]`` antisymmetric.
    first
        Its maximum-entropy equilibrium, if that is known.
    """
    left = np.arange(len(payoff))
    clusters = []
    while len(left):
        found = first or max_entropy_nash(payoff[np.ix_(left, left)])
        first = None
        played = np.array(found.support, np.intp)
        clusters.append(Cluster(left[played], found.probabilities[played]))
        left = np.delete(left, played)
    return tuple(clusters)


def cluster_numbers(clusters: tuple[Cluster, ...]) -> NDArray[np.int64]:
    """Return ``[n]`` the cluster of each strategy, 1 for the strongest."""
    numbers = np.zeros(sum(len(cluster) for cluster in clusters), np.int64)
    for number, cluster in enumerate(clusters, 1):
        numbers[cluster.members] = number
    return numbers


def relative_performance(payoff: Floats, one: NDArray[np.intp], other: NDArray[np.intp]) -> float:
    """Return the relative population performance of one group of strategies against another.

    The value of the game in which one player may take only `one`, the other only `other` (Balduzzi
    et al. 2019), in payoffs a game of the first; by linear programming.
    """
    from scipy import optimize

    game = payoff[np.ix_(one, other)]
    rows, columns = game.shape
    # Maximise v such that p @ game >= v for every column.
    found = optimize.linprog(
        np.concatenate([np.zeros(rows), [-1.0]]),
        A_ub=np.hstack([-game.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=np.concatenate([np.ones(rows), [0.0]])[None, :],
        b_eq=[1.0],
        bounds=[(0, None)] * rows + [(None, None)],
        method="highs",
    )
    if found.status != 0:
        raise RuntimeError(f"game of {rows} by {columns}: {found.message}")
    return float(found.x[-1])
