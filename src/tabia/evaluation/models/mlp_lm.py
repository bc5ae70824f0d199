"""A perceptron with two hidden layers, trained by Levenberg–Marquardt: the paper's MLP.

The paper (section 4.1) trains an MLP with two tanh layers by Levenberg–Marquardt backpropagation
and finds the sizes of its layers on the validation split. Every size of the settings is trained
from a start of its own, drawn from the seed and the size alone: a size gives the same net whatever
other sizes are tried. The squared error on validation decides when training stops and which size
is kept.

Inputs and target are brought to mean 0 and variance 1 on the training split. Inputs that are
constant there are left out; their weights are zero. What is kept is folded into the weights, so
that the net takes inputs as they are and gives pawns.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors.numpy import load_file, save_file

from tabia.evaluation.models.config import LevenbergMarquardtMLP
from tabia.learning.examples import Examples, blocks
from tabia.learning.levenberg_marquardt import minimise
from tabia.learning.perceptron import Perceptron, PerceptronResiduals

__all__ = ["TwoLayerPerceptron", "fit", "load"]

Floats = npt.NDArray[np.float64]

_FIRST_DAMPING = 0.1
"""First damping, as a share of the largest diagonal element of JᵀJ. On 10,230 real positions and
194 terms, 8 and 4 units err by 3 % more on validation after the bolder steps of 0.001."""


@dataclass(frozen=True)
class TwoLayerPerceptron:
    """A trained net: tanh, tanh, linear. All arrays are float64.

    Attributes
    ----------
    weights_1, bias_1
        ``[h1, d]`` and ``[h1]``, a unit of input.
    weights_2, bias_2
        ``[h2, h1]`` and ``[h2]``.
    weights_3, bias_3
        ``[1, h2]`` and ``[1]`` pawns, White's view.
    iterations
        ``[1]`` int64, accepted steps up to these weights.
    """

    weights_1: Floats
    bias_1: Floats
    weights_2: Floats
    bias_2: Floats
    weights_3: Floats
    bias_3: Floats
    iterations: npt.NDArray[np.int64]

    @property
    def n_parameters(self) -> int:
        """Weights and biases, the weights of constant inputs among them."""
        layers = (self.weights_1, self.weights_2, self.weights_3)
        return sum(layer.size + len(layer) for layer in layers)

    @property
    def facts(self) -> Mapping[str, int]:
        """Hidden nodes together and by layer, weights, and steps up to the best on validation."""
        first, second = len(self.bias_1), len(self.bias_2)
        return {
            "nodes": first + second,
            "hidden_1": first,
            "hidden_2": second,
            "weights": self.n_parameters,
            "iterations": int(self.iterations[0]),
        }

    def predict(self, x: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Return ``[n]`` pawns for inputs ``[n, d]``.

        ``np.einsum`` sums a row in the same order whatever rows stand beside it; BLAS does not.
        """
        first = np.tanh(np.einsum("nd,hd->nh", x.astype(np.float64), self.weights_1) + self.bias_1)
        second = np.tanh(np.einsum("nh,kh->nk", first, self.weights_2) + self.bias_2)
        return np.asarray(np.einsum("nk,k->n", second, self.weights_3[0]) + self.bias_3, np.float32)

    def save(self, folder: Path) -> None:
        """Write ``weights.safetensors``."""
        tensors = {field.name: getattr(self, field.name) for field in fields(self)}
        save_file(tensors, folder / "weights.safetensors")


def fit(
    train: Examples, validation: Examples, settings: Mapping[str, Any], seed: int
) -> TwoLayerPerceptron:
    """Train a net of every size of `settings`; keep the smallest squared error on validation."""
    chosen = LevenbergMarquardtMLP.model_validate(settings)
    scaling = _Scaling.of(train)
    x, y = scaling.apply(train)
    held_x, held_y = scaling.apply(validation)
    best: TwoLayerPerceptron | None = None
    least = np.inf
    for sizes in chosen.sizes:
        net = Perceptron(x.shape[1], sizes)
        held = PerceptronResiduals(net, held_x, held_y)
        found = minimise(
            PerceptronResiduals(net, x, y),
            net.start(np.random.default_rng([seed, *sizes])),
            held.squared_error,
            iterations=chosen.iterations,
            stop_after=chosen.stop_after,
            first_damping=_FIRST_DAMPING,
        )
        error = min(found.validation_errors)
        if best is None or error < least:
            best, least = scaling.fold(net.layers(found.weights), found.iterations), error
    if best is None:
        raise ValueError("settings name no sizes")
    return best


def load(folder: Path) -> TwoLayerPerceptron:
    """Read a saved model."""
    return TwoLayerPerceptron(**load_file(folder / "weights.safetensors"))


@dataclass(frozen=True)
class _Scaling:
    """Means and standard deviations on the training split.

    Attributes
    ----------
    varying
        ``[d]`` bool, whether an input has two different values.
    mean_x, scale_x
        ``[k]`` float64, of the varying inputs.
    mean_y, scale_y
        Of the target; the scale of a constant target is 1.
    """

    varying: npt.NDArray[np.bool_]
    mean_x: Floats
    scale_x: Floats
    mean_y: float
    scale_y: float

    @classmethod
    def of(cls, rows: Examples) -> _Scaling:
        """Measure; compared exactly, because the variance of a constant is rounding noise."""
        x = rows.inputs.rows(slice(None))
        varying = x.min(axis=0) < x.max(axis=0)
        wide = x[:, varying].astype(np.float64)
        y = rows.target.astype(np.float64)
        scale_y = float(y.std()) if y.min() < y.max() else 1.0
        return cls(varying, wide.mean(axis=0), wide.std(axis=0), float(y.mean()), scale_y)

    def apply(self, rows: Examples) -> tuple[Floats, Floats]:
        """Return the scaled inputs ``[n, k]`` and target ``[n]``."""
        x = np.empty((len(rows), len(self.mean_x)))
        for part in blocks(len(rows)):
            x[part] = rows.inputs.rows(part)[:, self.varying]
        x -= self.mean_x
        x /= self.scale_x
        return x, (rows.target.astype(np.float64) - self.mean_y) / self.scale_y

    def fold(self, layers: list[Floats], iterations: int) -> TwoLayerPerceptron:
        """Return the net that takes unscaled inputs and gives pawns."""
        first, second, output = layers
        slopes = first[:, :-1] / self.scale_x
        weights_1 = np.zeros((len(first), len(self.varying)))
        weights_1[:, self.varying] = slopes
        return TwoLayerPerceptron(
            weights_1,
            first[:, -1] - slopes @ self.mean_x,
            second[:, :-1].copy(),
            second[:, -1].copy(),
            self.scale_y * output[:, :-1],
            self.scale_y * output[:, -1] + self.mean_y,
            np.array([iterations]),
        )
