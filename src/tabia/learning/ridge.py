"""Ridge regression in closed form; the penalty is the best on the validation split.

Minimises ``Σ (yᵢ - b - xᵢ·w)² + penalty · |w·s|²``. Inputs and target are centred, so that the
intercept b is not penalised. s holds the inputs' standard deviations on the training split:
evaluation terms range from counts to centipawns by the thousand, and a penalty on plain weights
would mean something else for each. The saved weights are those of the raw inputs.

The normal equations are summed in float64 block by block and decomposed once,
``XᵀX = Q diag(e) Qᵀ``; then every penalty costs two small products. Inputs that never change, or
that are sums of others, make XᵀX singular: its eigenvalue is zero there, and the penalty alone
keeps the weights at zero.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from safetensors.numpy import load_file, save_file

from tabia.learning.examples import Examples, Inputs, blocks, means

__all__ = ["NoPenaltyError", "RidgeModel", "load", "solve"]

Floats = npt.NDArray[np.float64]


class NoPenaltyError(ValueError):
    """No penalty gives predictions on validation that are finite numbers."""

    exit_code = 2


@dataclass(frozen=True)
class RidgeModel:
    """A linear model.

    Attributes
    ----------
    weights
        ``[d]`` float64, pawns a unit of input.
    intercept
        Pawns, White's view.
    penalty
        The penalty that was chosen.
    """

    weights: Floats
    intercept: float
    penalty: float

    @property
    def n_parameters(self) -> int:
        """Weights and intercept."""
        return len(self.weights) + 1

    @property
    def facts(self) -> Mapping[str, float]:
        """The penalty chosen on validation."""
        return {"penalty": self.penalty}

    def predict(self, x: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Return ``[n]`` pawns for inputs ``[n, d]``.

        ``np.einsum`` sums in the same order whatever the number of threads; BLAS does not.
        """
        products = np.einsum("nd,d->n", x.astype(np.float64), self.weights)
        return np.asarray(products + self.intercept, np.float32)

    def save(self, folder: Path) -> None:
        """Write ``weights.safetensors``."""
        tensors = {
            "weights": self.weights,
            "intercept": np.array([self.intercept]),
            "penalty": np.array([self.penalty]),
        }
        save_file(tensors, folder / "weights.safetensors")


def solve(
    train: Examples, validation: Examples, penalties: Sequence[float], *, scaled: bool
) -> RidgeModel:
    """Solve for every penalty and keep the smallest squared error on validation.

    Parameters
    ----------
    scaled
        True: a penalty weighs inputs at unit variance; False: s is 1 for every input.

    Raises
    ------
    NoPenaltyError
        If no penalty gives a finite error on validation.
    """
    mean_x, mean_y, xx, xy = _normal_equations(train)
    deviation = np.sqrt(np.diag(xx) / len(train))
    scale = np.where(deviation > 0, deviation, 1.0) if scaled else np.ones_like(deviation)
    eigenvalues, vectors = np.linalg.eigh(xx / np.outer(scale, scale))
    eigenvalues = np.maximum(eigenvalues, 0.0)  # rounding leaves some just below zero
    rotated = vectors.T @ (xy / scale)
    candidates = []
    for penalty in sorted(penalties):
        with np.errstate(over="ignore", invalid="ignore"):  # such a candidate is left out below
            weights = vectors @ (rotated / (eigenvalues + penalty)) / scale
        candidates.append(RidgeModel(weights, mean_y - float(mean_x @ weights), penalty))
    errors = np.array([_squared_error(model, validation) for model in candidates])
    if not np.isfinite(errors).any():
        raise NoPenaltyError(
            f"none of the penalties {', '.join(f'{each:g}' for each in sorted(penalties))} gives"
            " finite predictions on validation; give larger penalties, and look at the inputs"
        )
    return candidates[int(np.argmin(np.where(np.isfinite(errors), errors, np.inf)))]


def load(folder: Path) -> RidgeModel:
    """Read a saved model."""
    tensors = load_file(folder / "weights.safetensors")
    return RidgeModel(
        tensors["weights"], float(tensors["intercept"][0]), float(tensors["penalty"][0])
    )


def _normal_equations(train: Examples) -> tuple[Floats, float, Floats, Floats]:
    """Return the means of x and y, and ``XᵀX`` and ``Xᵀy`` of what is centred at them.

    Centring before summing, at the price of a second pass, avoids cancellation.
    """
    y = train.target.astype(np.float64)
    width = len(train.inputs.columns)
    mean_x = means(train.inputs)
    mean_y = float(y.mean())
    xx, xy = np.zeros((width, width)), np.zeros(width)
    for part in blocks(len(train)):
        x = _wide(train.inputs, part) - mean_x
        xx += x.T @ x
        xy += x.T @ (y[part] - mean_y)
    return mean_x, mean_y, xx, xy


def _squared_error(model: RidgeModel, rows: Examples) -> float:
    with np.errstate(over="ignore", invalid="ignore"):  # the caller looks for what is not finite
        return sum(
            float(
                np.square(
                    model.predict(rows.inputs.rows(part)) - rows.target[part], dtype=np.float64
                ).sum()
            )
            for part in blocks(len(rows))
        )


def _wide(inputs: Inputs, part: slice) -> Floats:
    return inputs.rows(part).astype(np.float64)
