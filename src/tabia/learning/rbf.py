"""Radial basis function networks with thin-plate splines: prediction and files.

The value of a row x is ``Σ w φ(|x - c|)`` over the centres c, with inputs normalised to 0 .. 1 on
the training split and ``φ(r) = r² ln r``, φ(0) = 0. There is neither intercept nor polynomial.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt
from safetensors import safe_open
from safetensors.numpy import save_file

from tabia._native.thin_plate import Sums
from tabia.learning.fuzzy_means import places
from tabia.learning.kept_rows import KeptRows
from tabia.learning.model import Fact
from tabia.learning.scaling import Scaling

__all__ = ["RBFNetwork"]

Floats = npt.NDArray[np.float64]

_FILE = "weights.safetensors"


@dataclass(frozen=True)
class RBFNetwork:
    """A trained network.

    Attributes
    ----------
    columns
        Names of the d inputs.
    scaling
        Their ranges in the training split. A constant input is not looked at in prediction.
    means
        ``[d]`` float64, their means in the training split, in their own units.
    sets
        ``[d]`` int32 fuzzy sets an input, 1 where it is constant.
    centres
        ``[m, d]`` uint8, each centre's fuzzy set of every input, from 0.
    weights
        ``[m]`` float64, target units.
    facts
        What training chose.
    kept
        Training rows for explanations (:mod:`tabia.learning.rbf_explanation`), if they are kept.
    """

    columns: tuple[str, ...]
    scaling: Scaling
    means: Floats
    sets: npt.NDArray[np.int32]
    centres: npt.NDArray[np.uint8]
    weights: Floats
    facts: Mapping[str, Fact]
    kept: KeptRows | None = None

    @property
    def n_parameters(self) -> int:
        """A weight and the coordinates of the inputs that vary, for every centre."""
        return len(self.weights) * (1 + int(np.count_nonzero(self.scaling.varies)))

    @cached_property
    def places(self) -> npt.NDArray[np.float32]:
        """``[m, d]`` the centres as normalised inputs."""
        return places(self.centres, self.sets)

    @cached_property
    def _sums(self) -> Sums:
        return Sums(self.places, self.weights)

    def predict(self, x: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Return ``[n]`` values for inputs ``[n, d]``.

        Splines are taken in single precision and summed in double: some 1e-4 of the target's
        spread from the exact sum on the evaluation terms. A row alone and among others gives the
        same bits. Every finite input gives a finite value (:data:`tabia.learning.scaling.FAR`).
        """
        return self.predict_normalised(self.scaling(x))

    def predict_normalised(self, rows: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Return ``[n]`` values for rows ``[n, d]`` that :attr:`scaling` has normalised."""
        return np.asarray(self._sums(rows), np.float32)

    def with_facts(self, facts: Mapping[str, Fact]) -> RBFNetwork:
        """Return the same network with other facts."""
        return replace(self, facts=facts)

    def save(self, folder: Path) -> None:
        """Write ``weights.safetensors`` and, if rows are kept, ``train.safetensors``."""
        tensors: dict[str, npt.NDArray[np.generic]] = {
            "low": self.scaling.low,
            "high": self.scaling.high,
            "means": self.means,
            "fuzzy_sets": self.sets,
            "centres": self.centres,
            "weights": self.weights,
        }
        about = {"columns": self.columns, "facts": dict(self.facts)}
        # One entry: safetensors writes several in no fixed order.
        metadata = {"about": json.dumps(about, ensure_ascii=False, sort_keys=True)}
        save_file(tensors, folder / _FILE, metadata=metadata)
        if self.kept is not None:
            self.kept.save(folder)

    @classmethod
    def load(cls, folder: Path) -> RBFNetwork:
        """Read a saved network; it predicts the same bits."""
        with safe_open(folder / _FILE, framework="numpy") as file:
            about = json.loads(file.metadata()["about"])
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        return cls(
            columns=tuple(about["columns"]),
            scaling=Scaling(tensors["low"], tensors["high"]),
            means=tensors["means"],
            sets=tensors["fuzzy_sets"],
            centres=tensors["centres"],
            weights=tensors["weights"],
            facts=about["facts"],
            kept=KeptRows.load(folder),
        )
