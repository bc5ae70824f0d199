"""The paper's future work: non-symmetric fuzzy means, a number of fuzzy sets for every input.

After Alexandridis, Chondrodima and Sarimveis (2013): a particle swarm
(:mod:`tabia.learning.particle_swarm`) searches over the numbers of sets, the fitness of a particle
is the validation error of the network it gives. Here that error is the mean absolute one, as in
the model ``rbf``. A particle that asks for more than ``max_nodes`` centres has infinite error.

The swarm starts at the best symmetric solution, with one particle on it and the others around it:
every input's number times a factor drawn from a log-normal distribution. What the swarm has found
is trained and judged as the symmetric solution was, and the better one is kept, so that on
validation this model is never worse than ``rbf`` over the same range.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tabia.evaluation.models.config import NonuniformRBF
from tabia.learning.examples import Examples
from tabia.learning.particle_swarm import minimise
from tabia.learning.rbf import RBFNetwork
from tabia.learning.rbf_training import Trainer, best_symmetric

__all__ = ["fit", "load"]

_SPREAD = 0.3  # standard deviation of the logarithm of the first particles' factors


def fit(
    train: Examples, validation: Examples, settings: Mapping[str, Any], seed: int
) -> RBFNetwork:
    """Search for the best number of fuzzy sets of every input.

    Raises
    ------
    NoNetworkError
        If every symmetric partition asks for too many centres, or no input varies.
    """
    chosen = NonuniformRBF.model_validate(settings)
    low, high = chosen.fuzzy_sets
    trainer = Trainer(train, validation, chosen.max_nodes, chosen.threads)
    symmetric = best_symmetric(trainer, chosen.fuzzy_sets)
    rng = np.random.default_rng(seed)
    factors = np.exp(_SPREAD * rng.standard_normal((chosen.particles, len(trainer.varies))))
    factors[0] = 1
    # A constant input has no sets: held still, it makes no two particles different.
    factors[:, ~trainer.varies] = 1
    start = np.clip(symmetric.sets * factors, low, high)

    def fitness(sets: np.ndarray[tuple[int, ...], np.dtype[np.int32]]) -> float:
        return trainer.quick_error(np.where(trainer.varies, sets, 1))

    found = minimise(fitness, start, low, high, chosen.iterations, rng)
    best, error = symmetric.network, symmetric.error
    network = trainer.network(found.place)
    if network is not None and trainer.error(network) < error:
        best = network
    own = best.sets[trainer.varies]
    facts = {
        "fuzzy_sets": round(float(own.mean()), 2),
        "fuzzy_sets_fewest": int(own.min()),
        "fuzzy_sets_most": int(own.max()),
        "fuzzy_sets_symmetric": symmetric.sets,
        "nodes": best.facts["nodes"],
        "rank": best.facts["rank"],
        "tried": symmetric.network.facts["tried"],
        "skipped": symmetric.network.facts["skipped"],
        "tried_by_swarm": found.judged,
    }
    return best.with_facts(facts)


def load(folder: Path) -> RBFNetwork:
    """Read a saved model."""
    return RBFNetwork.load(folder)
