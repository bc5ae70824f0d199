"""The contract between the training stage and a model.

A model is a module with two functions, ``fit`` and ``load``, that return an object with
``predict`` and ``save``. What is saved is the weights alone, in a format that loads without
running code; the training stage writes the card beside them.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from tabia.learning.examples import Examples

__all__ = ["Fact", "KeepsRows", "Model", "ModelModule"]

Fact = int | float | str


class Model(Protocol):
    """A trained model."""

    @property
    def n_parameters(self) -> int:
        """How many numbers were fitted."""
        ...

    @property
    def facts(self) -> Mapping[str, Fact]:
        """What training chose, for the card: a penalty, a number of trees."""
        ...

    def predict(self, x: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Return ``[n]`` values for inputs ``[n, d]``, in the units of the target."""
        ...

    def save(self, folder: Path) -> None:
        """Write the weights into an existing folder; equal models give equal bytes."""
        ...


@runtime_checkable
class KeepsRows(Protocol):
    """A model that keeps training rows, so that its values can be explained by them."""

    @property
    def kept(self) -> object:
        """The rows; None if there are none."""
        ...


class ModelModule(Protocol):
    """A module of models."""

    def fit(
        self, train: Examples, validation: Examples, settings: Mapping[str, Any], seed: int
    ) -> Model:
        """Train on `train`, choose settings on `validation`; equal arguments, equal model."""
        ...

    def load(self, folder: Path) -> Model:
        """Read a model back; it predicts exactly as the saved one."""
        ...
