"""Where a model's value comes from.

Every explanation is a sum over inputs, ``value = base + Σ effects + remainder``, in pawns, White's
view:

* linear models: an effect is the input's weight times its distance from the training mean, the
  base the value at the means;
* boosted trees: the effects are the trees' Shapley values (Lundberg, Erion and Lee, 2018; LightGBM
  computes them), the base the mean prediction in training;
* radial basis functions: integrated gradients from the training means to the position, the base
  the value at the means; with the centres that fired and the nearest training positions
  (:mod:`tabia.learning.rbf_explanation`).

Other models are not taken apart.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from tabia.evaluation.predictor import Predictor
from tabia.learning.model import Model
from tabia.learning.rbf import RBFNetwork
from tabia.learning.rbf_explanation import Explanation, explain
from tabia.learning.ridge import RidgeModel
from tabia.tables import parquet

if TYPE_CHECKING:
    from tabia.learning.boosting import BoostedTrees

__all__ = ["Effect", "Explainer", "Near", "Reasons"]

_TRAINING_ROWS = "train.parquet"


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
class Near:
    """A training position near the position.

    Attributes
    ----------
    fen
        Four fields.
    target
        What the model was to learn there, pawns, White's view.
    distance
        Relative distance.
    """

    fen: str
    target: float
    distance: float


@dataclass(frozen=True)
class Reasons:
    """A value taken apart.

    Attributes
    ----------
    base
        Where the effects start from, pawns.
    effects
        One an input that has any, the strongest first.
    remainder
        What the effects leave unexplained, pawns.
    network
        What a radial basis function network says of itself; None for other models.
    near
        Nearest training positions, nearest first; only of such networks.
    """

    base: float
    effects: tuple[Effect, ...]
    remainder: float = 0.0
    network: Explanation | None = None
    near: tuple[Near, ...] = ()

    def rest(self, shown: int) -> float:
        """Return the sum of all effects but the strongest `shown`."""
        return float(sum(effect.pawns for effect in self.effects[shown:]))


class Explainer:
    """Explains the values of one model.

    Parameters
    ----------
    predictor
        The model.
    """

    def __init__(self, predictor: Predictor) -> None:
        self._model, self._config = predictor.model, predictor.config
        self._folder = predictor.folder

    def reasons(self, x: npt.NDArray[np.float32]) -> Reasons | None:
        """Take the value of one row of inputs, ``[d]``, apart; None if the model cannot be."""
        model = self._model
        if isinstance(model, RidgeModel):
            mean = np.asarray(self._config.input_means)
            base = model.intercept + float(mean @ model.weights)
            return Reasons(base, self._sorted(x, model.weights * (x - mean)))
        if (trees := _trees(model)) is not None:
            parts = trees.booster.predict(x[np.newaxis], pred_contrib=True, num_threads=1)
            *pawns, base = np.asarray(parts)[0].tolist()
            return Reasons(base, self._sorted(x, np.array(pawns)))
        if isinstance(model, RBFNetwork):
            return self._of_network(explain(model, x))
        return None

    @cached_property
    def _training(self) -> pa.Table | None:
        path = self._folder / _TRAINING_ROWS
        return parquet.read(path, ["fen", "target"]) if path.is_file() else None

    def _of_network(self, found: Explanation) -> Reasons:
        moving = (Effect(part.name, part.value, part.mean, part.change) for part in found.moving)
        near: tuple[Near, ...] = ()
        if self._training is not None:
            rows = self._training.take([neighbour.row for neighbour in found.neighbours])
            near = tuple(
                Near(fen, target, neighbour.distance)
                for fen, target, neighbour in zip(
                    rows["fen"].to_pylist(),
                    rows["target"].to_pylist(),
                    found.neighbours,
                    strict=True,
                )
            )
        return Reasons(found.base, _moved(moving), found.remainder, found, near)

    def _sorted(
        self, x: npt.NDArray[np.float32], pawns: npt.NDArray[np.float64]
    ) -> tuple[Effect, ...]:
        names, means = self._config.inputs, self._config.input_means
        order = np.argsort(-np.abs(pawns), kind="stable")
        return _moved(Effect(names[i], float(x[i]), means[i], float(pawns[i])) for i in order)


def _moved(effects: Iterable[Effect]) -> tuple[Effect, ...]:
    return tuple(effect for effect in effects if effect.pawns)


def _trees(model: Model) -> BoostedTrees | None:
    if not hasattr(model, "booster"):
        return None
    # Only now: LightGBM takes a second to import, and a model of it has done so already.
    from tabia.learning.boosting import BoostedTrees

    return model if isinstance(model, BoostedTrees) else None
