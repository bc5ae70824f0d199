"""Ridge regression on piece placement; see :mod:`tabia.learning.ridge`.

Inputs are not scaled: placement inputs share one unit, and the engine's values are in the
target's. Scaling would blow up squares on which a piece stands once in a thousand games.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabia.evaluation.models.config import Ridge
from tabia.learning.examples import Examples
from tabia.learning.ridge import RidgeModel, load, solve

__all__ = ["fit", "load"]


def fit(
    train: Examples, validation: Examples, settings: Mapping[str, Any], seed: int
) -> RidgeModel:
    """Solve for every penalty of `settings` and keep the smallest squared error on validation."""
    return solve(train, validation, Ridge.model_validate(settings).penalties, scaled=False)
