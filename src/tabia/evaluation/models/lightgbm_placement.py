"""Gradient boosting on piece placement; see :mod:`tabia.learning.boosting`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabia.evaluation.models.config import LightGBM
from tabia.learning import boosting
from tabia.learning.boosting import BoostedTrees, load
from tabia.learning.examples import Examples

__all__ = ["fit", "load"]


def fit(
    train: Examples, validation: Examples, settings: Mapping[str, Any], seed: int
) -> BoostedTrees:
    """Boost until the validation error has not fallen for ``stop_after`` rounds."""
    return boosting.fit(train, validation, LightGBM.model_validate(settings), seed)
