"""The engine's own deepest auxiliary value (depth 8 in the paper), taken as the prediction.

It is what a learner gets for nothing in scenario 1, so any model there must beat it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tabia.learning.examples import Examples

__all__ = ["EngineModel", "fit", "load"]

_COLUMN = "input_3"


@dataclass(frozen=True)
class EngineModel:
    """Predicts one of its inputs.

    Attributes
    ----------
    column
        Number of the input.
    """

    column: int

    @property
    def n_parameters(self) -> int:
        """None: nothing is fitted."""
        return 0

    @property
    def facts(self) -> Mapping[str, str]:
        """The input that is the prediction."""
        return {"prediction": _COLUMN}

    def predict(self, x: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Return the input, ``[n]`` pawns."""
        return x[:, self.column].copy()

    def save(self, folder: Path) -> None:
        """Write ``model.json``."""
        (folder / "model.json").write_text(json.dumps({"column": self.column}) + "\n")


def fit(
    train: Examples, validation: Examples, settings: Mapping[str, Any], seed: int
) -> EngineModel:
    """Find the deepest engine value among the inputs.

    Raises
    ------
    ValueError
        If the scenario does not show it.
    """
    columns = train.inputs.columns
    if _COLUMN not in columns:
        raise ValueError(f"engine_depth8 needs {_COLUMN}, which only scenario 1 shows")
    return EngineModel(columns.index(_COLUMN))


def load(folder: Path) -> EngineModel:
    """Read a saved model."""
    return EngineModel(int(json.loads((folder / "model.json").read_text())["column"]))
