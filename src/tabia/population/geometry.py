"""Everything that is measured of one payoff matrix, as numbers: the base of intervals and tests."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tabia.population.clusters import Cluster, cluster_numbers, nash_clusters
from tabia.population.cycles import (
    cycles_per_strategy,
    most_cycles,
    strongest_cycle,
)
from tabia.population.embedding import Embedding, Parabola, embed, fit_parabola, largest_gap
from tabia.population.hodge import hodge
from tabia.population.nash import Equilibrium, max_entropy_nash
from tabia.population.payoff import Floats
from tabia.population.profile import SkewedNormal, cluster_points, fit_skewed_normal

__all__ = ["FIGURES", "VECTORS", "Geometry", "measure", "strengths"]

FIGURES = {
    "nash_support": "strategies that the equilibrium plays",
    "nash_entropy": "entropy of the equilibrium, nats",
    "clusters": "Nash clusters",
    "largest_cluster": "strategies in the largest Nash cluster",
    "cycles": "Rock-Paper-Scissors cycles",
    "cycle_share": "cycles, as a share of how many there can be at most",
    "strongest_cycle": "smallest payoff in the cycle where that is largest; 0 without cycles",
    "transitive_share": "share of the squared payoffs that is a difference of ratings (Hodge)",
    "plane_weight": "share of the squared payoffs that the 2D embedding holds",
    "largest_gap_deg": "largest angle, seen from the origin of the embedding, without a strategy",
    "bend": "height of the embedding's parabola over its chord, by its width",
    "outliers": "strategies left out of the parabola",
    "profile_peak": "strength at which the fitted profile is highest",
    "profile_area": "area of the fitted skewed normal",
    "profile_shape": "its shape (skew)",
    "profile_location": "its location",
    "profile_scale": "its scale",
    "profile_r_squared": "share of the variance of cluster sizes that it explains",
}
"""Figures of a game, with what they say. NaN where a game has none."""

VECTORS = {
    "nash": "probability in the equilibrium",
    "cluster": "Nash cluster, 1 the strongest",
    "cluster_size": "strategies in the same cluster",
    "cycles": "cycles through the strategy",
    "mean_payoff": "mean payoff against all others",
    "potential": "transitive rating (Hodge), payoffs",
    "x": "embedding, direction in which mean payoffs rise",
    "y": "embedding, the other direction",
}
"""Figures of each strategy."""


@dataclass(frozen=True, eq=False)
class Geometry:
    """What was measured.

    Attributes
    ----------
    figures
        By the names of `FIGURES`.
    vectors
        ``[n]`` float64 by the names of `VECTORS`.
    strength
        ``[n]`` transitive strength, see `strengths`.
    nash, clusters, embedding, parabola, profile
        The parts; None where there is none.
    """

    figures: dict[str, float]
    vectors: dict[str, Floats]
    strength: Floats
    nash: Equilibrium
    clusters: tuple[Cluster, ...]
    embedding: Embedding
    parabola: Parabola | None
    profile: SkewedNormal | None


def strengths(payoff: Floats, ratings: Floats | None) -> Floats:
    """Return the transitive strength ``[n]``: Elo if known, else the average win rate, 0 to 1.

    Payoffs beyond -1 to 1 are no scores; half of 1 + their mean is no win rate then, but rises with
    strength all the same.
    """
    if ratings is not None:
        return ratings
    rate: Floats = (1 + payoff.sum(axis=1) / max(len(payoff) - 1, 1)) / 2
    return rate


def measure(payoff: Floats, ratings: Floats | None = None) -> Geometry:
    """Measure a game.

    Parameters
    ----------
    payoff
        ``[n, n]`` antisymmetric.
    ratings
        ``[n]`` Elo, if known.
    """
    n = len(payoff)
    strength = strengths(payoff, ratings)
    nash = max_entropy_nash(payoff)
    clusters = nash_clusters(payoff, nash)
    numbers = cluster_numbers(clusters)
    sizes = np.array([len(cluster) for cluster in clusters])
    through = cycles_per_strategy(payoff)
    strongest = strongest_cycle(payoff)
    parts = hodge(payoff)
    embedding = embed(payoff)
    parabola = fit_parabola(embedding.points)
    profile = fit_skewed_normal(*cluster_points(clusters, strength))
    cycles = int(through.sum()) // 3
    nan = float("nan")
    return Geometry(
        figures={
            "nash_support": float(len(nash.support)),
            "nash_entropy": nash.entropy,
            "clusters": float(len(clusters)),
            "largest_cluster": float(sizes.max()),
            "cycles": float(cycles),
            "cycle_share": cycles / most_cycles(n) if n > 2 else nan,
            "strongest_cycle": 0.0 if strongest is None else min(strongest.payoffs),
            "transitive_share": parts.transitive_share,
            "plane_weight": embedding.weight,
            "largest_gap_deg": largest_gap(embedding.points),
            "bend": nan if parabola is None else parabola.bend,
            "outliers": nan if parabola is None else float(parabola.outliers.sum()),
            "profile_peak": nan if profile is None else profile.peak,
            "profile_area": nan if profile is None else profile.area,
            "profile_shape": nan if profile is None else profile.shape,
            "profile_location": nan if profile is None else profile.location,
            "profile_scale": nan if profile is None else profile.scale,
            "profile_r_squared": nan if profile is None else profile.r_squared,
        },
        vectors={
            "nash": nash.probabilities,
            "cluster": numbers.astype(np.float64),
            "cluster_size": sizes[numbers - 1].astype(np.float64),
            "cycles": through.astype(np.float64),
            "mean_payoff": payoff.sum(axis=1) / max(n - 1, 1),
            "potential": parts.potential,
            "x": embedding.points[:, 0],
            "y": embedding.points[:, 1],
        },
        strength=strength,
        nash=nash,
        clusters=clusters,
        embedding=embedding,
        parabola=parabola,
        profile=profile,
    )
