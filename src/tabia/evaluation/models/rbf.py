"""The paper's model: radial basis functions at centres chosen by symmetric fuzzy means.

Kagkas, Karamichailidou and Alexandridis (2023), section 3: inputs normalised on the training
split, thin-plate splines, weights by linear least squares (:mod:`tabia.learning.rbf`). All inputs
have the same number of fuzzy sets; every number in a range is tried, and the network with the
smallest mean absolute error on the validation split is kept, of equal ones that with fewer sets.
A number that asks for more than ``max_nodes`` centres is skipped and counted.

Nothing is random: seeds make no difference.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tabia.evaluation.models.config import RBF
from tabia.learning.examples import Examples
from tabia.learning.rbf import RBFNetwork
from tabia.learning.rbf_training import Trainer, best_symmetric

__all__ = ["fit", "load"]


def fit(
    train: Examples, validation: Examples, settings: Mapping[str, Any], seed: int
) -> RBFNetwork:
    """Train with every number of fuzzy sets and keep the best on validation.

    Raises
    ------
    NoNetworkError
        If every number asks for too many centres, or no input varies.
    """
    chosen = RBF.model_validate(settings)
    trainer = Trainer(train, validation, chosen.max_nodes, chosen.threads)
    return best_symmetric(trainer, chosen.fuzzy_sets).network


def load(folder: Path) -> RBFNetwork:
    """Read a saved model."""
    return RBFNetwork.load(folder)
