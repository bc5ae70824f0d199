"""Gradient-boosted regression trees (LightGBM), stopped early on the validation split.

Training is deterministic: one histogram layout, fixed seeds, and a thread count that comes from
the settings and not from the machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import lightgbm
import numpy as np
import numpy.typing as npt

from tabia.learning.examples import BLOCK, Examples, Inputs
from tabia.learning.trees_text import require_whole

__all__ = ["BoostedTrees", "Boosting", "Rounds", "boost", "fit", "load"]

_BATCH = BLOCK
_FILE = "model.txt"


@dataclass(frozen=True)
class BoostedTrees:
    """A trained ensemble, cut at its best round.

    Attributes
    ----------
    text
        The model in LightGBM's own text format.
    booster
        The same, ready to predict.
    """

    text: str
    booster: lightgbm.Booster

    @classmethod
    def parse(cls, text: str) -> BoostedTrees:
        """Read LightGBM's text format."""
        return cls(text, lightgbm.Booster(model_str=text))

    @property
    def n_parameters(self) -> int:
        """Split features, thresholds and leaf values of all trees."""
        return sum(3 * tree["num_leaves"] - 2 for tree in self._trees())

    @property
    def facts(self) -> Mapping[str, int]:
        """How many trees early stopping kept."""
        return {"trees": self.booster.num_trees()}

    def predict(self, x: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Return ``[n]`` pawns for inputs ``[n, d]``; a row's trees are summed in order."""
        return np.asarray(self.booster.predict(x, num_threads=1), np.float32)

    def save(self, folder: Path) -> None:
        """Write ``model.txt``, LightGBM's own format."""
        (folder / _FILE).write_text(self.text, encoding="utf-8", newline="\n")

    def _trees(self) -> list[dict[str, Any]]:
        return list(self.booster.dump_model()["tree_info"])


class _Rows(lightgbm.Sequence):  # type: ignore[misc]
    """Packed inputs, expanded a batch at a time while LightGBM bins them."""

    batch_size = _BATCH

    def __init__(self, inputs: Inputs) -> None:
        self._inputs = inputs

    def __len__(self) -> int:
        return len(self._inputs)

    def __getitem__(self, index: int | slice | list[int]) -> npt.NDArray[np.float64]:
        if isinstance(index, slice):
            return self._inputs.rows(index).astype(np.float64)
        rows = self._inputs.rows(np.atleast_1d(np.asarray(index, np.intp))).astype(np.float64)
        return rows[0] if np.ndim(index) == 0 else rows


class Rounds(Protocol):
    """Settings of how long is boosted, and on how many threads."""

    @property
    def trees(self) -> int: ...  # noqa: D102
    @property
    def stop_after(self) -> int: ...  # noqa: D102
    @property
    def threads(self) -> int: ...  # noqa: D102


class Boosting(Rounds, Protocol):
    """Settings of the boosting, in LightGBM's sense of the words."""

    @property
    def leaves(self) -> int: ...  # noqa: D102
    @property
    def learning_rate(self) -> float: ...  # noqa: D102
    @property
    def min_leaf(self) -> int: ...  # noqa: D102
    @property
    def column_share(self) -> float: ...  # noqa: D102


def fit(train: Examples, validation: Examples, settings: Boosting, seed: int) -> BoostedTrees:
    """Minimise the squared error until validation's has not fallen for ``stop_after`` rounds."""
    parameters = {
        "objective": "regression",
        "metric": "l2",
        "num_leaves": settings.leaves,
        "learning_rate": settings.learning_rate,
        "min_data_in_leaf": settings.min_leaf,
        "feature_fraction": settings.column_share,
    }
    names = list(train.inputs.columns)
    rows = lightgbm.Dataset(_Rows(train.inputs), train.target, feature_name=names)
    held = lightgbm.Dataset(_Rows(validation.inputs), validation.target, reference=rows)
    return boost(parameters, rows, held, settings, seed)


def boost(
    parameters: Mapping[str, Any],
    rows: lightgbm.Dataset,
    held: lightgbm.Dataset,
    settings: Rounds,
    seed: int,
) -> BoostedTrees:
    """Boost until the validation error has not fallen for ``stop_after`` rounds.

    Parameters
    ----------
    parameters
        LightGBM's, without those that make training repeat, which are added here.
    rows, held
        Training and validation rows.
    """
    booster = lightgbm.train(
        {
            **parameters,
            # Given rows in batches, LightGBM 4.7 drops rare inputs that it keeps in a whole matrix.
            "feature_pre_filter": False,
            "seed": seed,
            "deterministic": True,
            "force_row_wise": True,
            "num_threads": settings.threads,
            "verbosity": -1,
        },
        rows,
        num_boost_round=settings.trees,
        valid_sets=[held],
        callbacks=[lightgbm.early_stopping(settings.stop_after, verbose=False)],
    )
    return BoostedTrees.parse(booster.model_to_string(num_iteration=booster.best_iteration))


def load(folder: Path) -> BoostedTrees:
    """Read a saved model.

    Raises
    ------
    DamagedTreesError
        If its text is cut short or damaged.
    """
    text = (folder / _FILE).read_text(encoding="utf-8")
    require_whole(text)
    return BoostedTrees.parse(text)
