"""Where a model's value comes from, as a sum over its inputs.

``value = base + Σ effects``, in pawns, White's view. Linear models: an effect is the input's weight
times its distance from the training mean, the base the value of the mean input. Boosted trees: the
effects are Shapley values of the trees (Lundberg, Erion and Lee, 2018; LightGBM computes them), the
base the mean prediction over training. Other models are not taken apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from tabia.evaluation.saved import Config
from tabia.learning.model import Model
from tabia.learning.ridge import RidgeModel

if TYPE_CHECKING:
    from tabia.learning.boosting import BoostedTrees

__all__ = ["Effect", "Effects", "effects"]


@dataclass(frozen=True)
class Effect:
    """What one input does to a value.

    Attributes
    ----------
    input
        Its name.
    value, mean
        Here, and on average in training.
    pawns
        The effect, White's view.
    """

    input: str
    value: float
    mean: float
    pawns: float


@dataclass(frozen=True)
class Effects:
    """A value taken apart.

    Attributes
    ----------
    base
        Where the effects start from, pawns.
    effects
        One an input that has any, the strongest first.
    """

    base: float
    effects: tuple[Effect, ...]

    def rest(self, shown: int) -> float:
        """Return the sum of all effects but the strongest `shown`."""
        return float(sum(effect.pawns for effect in self.effects[shown:]))


def effects(model: Model, config: Config, x: npt.NDArray[np.float32]) -> Effects | None:
    """Take the value of one row of inputs, ``[d]``, apart; None where a model cannot be."""
    if isinstance(model, RidgeModel):
        mean = np.asarray(config.input_means)
        base = model.intercept + float(mean @ model.weights)
        return _sorted(config, x, base, model.weights * (x - mean))
    if (trees := _trees(model)) is not None:
        parts = np.asarray(trees.booster.predict(x[np.newaxis], pred_contrib=True, num_threads=1))
        return _sorted(config, x, float(parts[0, -1]), parts[0, :-1])
    return None


def _trees(model: Model) -> BoostedTrees | None:
    if not hasattr(model, "booster"):
        return None
    # Only now: LightGBM takes a second to import, and a model of it has done so already.
    from tabia.learning.boosting import BoostedTrees

    return model if isinstance(model, BoostedTrees) else None


def _sorted(
    config: Config, x: npt.NDArray[np.float32], base: float, pawns: npt.NDArray[np.float64]
) -> Effects:
    order = np.argsort(-np.abs(pawns), kind="stable")
    return Effects(
        base,
        tuple(
            Effect(config.inputs[i], float(x[i]), config.input_means[i], float(pawns[i]))
            for i in order
            if pawns[i]
        ),
    )
