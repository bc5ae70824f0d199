"""Our own strongest model: small nets and boosted trees on the position as the mover sees it.

The value is ``s · (e + w · nets + (1 - w) · trees)``: ``s`` is 1 where White is to move, else -1;
``e`` the engine's deepest value that is shown, the mover's view, or 0 in scenario 3; ``nets`` the
mean of some perceptrons (:mod:`tabia.evaluation.models.best_nets`), ``trees`` LightGBM, both on
the features of :mod:`tabia.evaluation.models.best_view`. So with the engine's values only what is
missing to the deepest one is learnt.

Nets and trees minimise Huber's loss: quadratic for small errors, linear for large ones, whose
best constant lies between mean and median. Validation stops both and chooses the share ``w``; no
weight is fitted to it.

Among the features is static exchange evaluation, the swap-off on one square, for every legal move
of both sides, as if either had the move, with what the moved piece would attack. It is no search
over moves: no position after a move is valued, and no engine is asked.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
import numpy.typing as npt
from safetensors import safe_open
from safetensors.numpy import load_file, save_file

from tabia.evaluation.models.best_nets import Nets, train_nets
from tabia.evaluation.models.best_view import MoverView
from tabia.evaluation.models.config import BestModel
from tabia.learning import boosting
from tabia.learning.boosting import BoostedTrees
from tabia.learning.examples import Examples, blocks

__all__ = ["BestEnsemble", "fit", "load"]

_FILE = "weights.safetensors"
_SHARES = np.arange(21) / 20
_TREE_HUBER = 1.0  # pawns

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class BestEnsemble:
    """Nets and trees.

    Attributes
    ----------
    view
        Turns inputs to features.
    nets, trees
        Predict from features what is to be added to the engine's value, the mover's view.
    share
        Weight of the nets; the trees have the rest.
    """

    view: MoverView
    nets: Nets
    trees: BoostedTrees
    share: float

    @property
    def n_parameters(self) -> int:
        """Numbers of all nets and all trees."""
        return self.nets.n_parameters + self.trees.n_parameters

    @property
    def facts(self) -> Mapping[str, float]:
        """Nets, their hidden units together, trees, and the share of the nets."""
        return {
            "nets": len(self.nets.members),
            "nodes": self.nets.nodes,
            "trees": self.trees.booster.num_trees(),
            "net_share": self.share,
        }

    def predict(self, x: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Return ``[n]`` pawns, White's view, for inputs ``[n, d]``."""
        predicted = np.empty(len(x), np.float32)
        for part in blocks(len(x)):
            seen = self.view(x[part])
            nets, trees = self.nets.predict(seen.features), self.trees.predict(seen.features)
            predicted[part] = seen.side * (seen.base + _blend(nets, trees, self.share))
        return predicted

    def save(self, folder: Path) -> None:
        """Write ``weights.safetensors`` and ``model.txt``, LightGBM's own format."""
        tensors = self.nets.tensors() | {"share": np.array([self.share])}
        # One entry: the order of several in the header is not fixed.
        metadata = {"columns": json.dumps(self.view.columns)}
        save_file(tensors, folder / _FILE, metadata)
        self.trees.save(folder)


def fit(
    train: Examples, validation: Examples, settings: Mapping[str, Any], seed: int
) -> BestEnsemble:
    """Train nets and trees; inputs are found by name, and any group of them may be missing."""
    chosen = BestModel.model_validate(settings)
    view = MoverView(tuple(train.inputs.columns))
    rows, held = _seen(view, train), _seen(view, validation)
    trees = _boost(rows, held, chosen, seed)
    nets = train_nets(rows, held, view.fine, chosen, seed)
    features, target = held
    by_nets, by_trees = nets.predict(features), trees.predict(features)
    errors = [np.abs(_blend(by_nets, by_trees, w) - target).mean() for w in _SHARES]
    return BestEnsemble(view, nets, trees, float(_SHARES[int(np.argmin(errors))]))


def load(folder: Path) -> BestEnsemble:
    """Read a saved model."""
    tensors = load_file(folder / _FILE)
    with safe_open(folder / _FILE, "numpy") as opened:
        columns = json.loads(opened.metadata()["columns"])
    trees, share = boosting.load(folder), float(tensors["share"][0])
    return BestEnsemble(MoverView(tuple(columns)), Nets.of(tensors), trees, share)


def _seen(view: MoverView, rows: Examples) -> tuple[Floats, Floats]:
    """Return features ``[n, m]`` and, ``[n]``, what the engine's value lacks, the mover's view."""
    features = np.empty((len(rows), len(view.names)), np.float32)
    target = np.empty(len(rows), np.float32)
    for part in blocks(len(rows)):
        seen = view(rows.inputs.rows(part))
        features[part] = seen.features
        target[part] = seen.side * rows.target[part] - seen.base
    return features, target


def _blend(nets: Floats, trees: Floats, share: float) -> Floats:
    return np.float32(share) * nets + np.float32(1 - share) * trees


def _boost(
    rows: tuple[Floats, Floats], held: tuple[Floats, Floats], settings: BestModel, seed: int
) -> BoostedTrees:
    parameters = {
        "objective": "huber",
        "alpha": _TREE_HUBER,
        "metric": "l1",
        "num_leaves": settings.leaves,
        "learning_rate": settings.tree_learning_rate,
        "min_data_in_leaf": settings.min_leaf,
        "feature_fraction": 0.3,
        "bagging_fraction": 0.7,
        "bagging_freq": 1,
        "lambda_l2": 1.0,
    }
    known = lightgbm.Dataset(rows[0], rows[1])
    held_back = lightgbm.Dataset(held[0], held[1], reference=known)
    return boosting.boost(parameters, known, held_back, settings, seed)
