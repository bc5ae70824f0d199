"""The mean of the training targets: what any model must beat."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors.numpy import load_file, save_file

from tabia.learning.examples import Examples

__all__ = ["MeanModel", "fit", "load"]


@dataclass(frozen=True)
class MeanModel:
    """Predicts one value.

    Attributes
    ----------
    value
        Pawns, White's view.
    """

    value: float

    @property
    def n_parameters(self) -> int:
        """One."""
        return 1

    @property
    def facts(self) -> Mapping[str, float]:
        """The value."""
        return {"mean": self.value}

    def predict(self, x: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Return the mean for every row of `x` ``[n, d]``."""
        return np.full(len(x), self.value, np.float32)

    def save(self, folder: Path) -> None:
        """Write ``weights.safetensors``."""
        save_file({"mean": np.array([self.value])}, folder / "weights.safetensors")


def fit(train: Examples, validation: Examples, settings: Mapping[str, Any], seed: int) -> MeanModel:
    """Average the training targets in float64; nothing else matters."""
    return MeanModel(float(train.target.astype(np.float64).mean()))


def load(folder: Path) -> MeanModel:
    """Read a saved model."""
    return MeanModel(float(load_file(folder / "weights.safetensors")["mean"][0]))
