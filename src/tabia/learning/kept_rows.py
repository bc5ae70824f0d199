"""Training rows kept beside a model, so that its explanations can name those nearest to a row."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from safetensors.numpy import load_file, save_file

from tabia.learning.examples import Inputs

__all__ = ["KeptRows"]

_FILE = "train.safetensors"
_MOST = 8_000_000  # values kept: 40,000 rows of 200 inputs, 16 MB where all are small integers
_INT16 = np.iinfo(np.int16)


@dataclass(frozen=True)
class KeptRows:
    """Rows of the training split, all of them or every `step`-th.

    Attributes
    ----------
    x
        ``[n, d]`` float32, inputs as the model was given them.
    step
        Row i here is row ``i * step`` of the training split.
    """

    x: npt.NDArray[np.float32]
    step: int

    @classmethod
    def of(cls, inputs: Inputs, most: int = _MOST) -> KeptRows:
        """Keep as many evenly spread rows as have at most `most` values, at least one."""
        values = len(inputs) * len(inputs.columns)
        step = max(1, -(-values // most))
        return cls(inputs.rows(np.arange(0, len(inputs), step)), step)

    def save(self, folder: Path) -> None:
        """Write ``train.safetensors``: inputs that are small integers as int16, others as they are.

        Both come back exactly; evaluation terms are nearly all integers.
        """
        whole = np.all((self.x == np.rint(self.x)) & (np.abs(self.x) <= _INT16.max), axis=0)
        tensors = {
            "whole": whole,
            "integers": np.ascontiguousarray(self.x[:, whole].astype(np.int16)),
            "reals": np.ascontiguousarray(self.x[:, ~whole]),
            "step": np.array([self.step], np.int64),
        }
        save_file(tensors, folder / _FILE)

    @classmethod
    def load(cls, folder: Path) -> KeptRows | None:
        """Read rows back; None if the model keeps none."""
        path = folder / _FILE
        if not path.exists():
            return None
        tensors = load_file(path)
        whole = tensors["whole"].astype(bool)
        x = np.empty((len(tensors["integers"]), len(whole)), np.float32)
        x[:, whole] = tensors["integers"]
        x[:, ~whole] = tensors["reals"]
        return cls(x, int(tensors["step"][0]))
