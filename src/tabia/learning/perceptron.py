"""A multilayer perceptron with one linear output: values and their exact Jacobian.

Hidden units are tanh. The weights of all layers stand in one vector, layer by layer; a layer is a
matrix ``[units, inputs + 1]`` whose last column holds the biases. In float64 throughout.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from tabia.learning.examples import blocks

__all__ = ["CHUNK", "Perceptron", "PerceptronResiduals"]

Floats = npt.NDArray[np.float64]

CHUNK = 512
"""Rows of the Jacobian made at once. Sums depend on it to rounding, so it is fixed."""

_FIRST_LAYER = 0.1
"""First weights of the first hidden layer, as a share of the other layers'."""


@dataclass(frozen=True)
class Perceptron:
    """The shape of a net.

    Attributes
    ----------
    inputs
        Inputs, at least one.
    hidden
        Units of the hidden layers, from the inputs on.
    """

    inputs: int
    hidden: tuple[int, ...]

    @property
    def shapes(self) -> tuple[tuple[int, int], ...]:
        """Return ``(units, inputs + 1)`` of each layer, the output last."""
        widths = (self.inputs, *self.hidden, 1)
        return tuple((units, width + 1) for width, units in pairwise(widths))

    @property
    def n_weights(self) -> int:
        """How many weights there are, biases included."""
        return sum(units * width for units, width in self.shapes)

    def layers(self, weights: Floats) -> list[Floats]:
        """Return views of `weights` ``[n_weights]``, one matrix a layer."""
        views, start = [], 0
        for units, width in self.shapes:
            views.append(weights[start : start + units * width].reshape(units, width))
            start += units * width
        return views

    def start(self, rng: np.random.Generator) -> Floats:
        """Draw first weights for inputs of mean 0 and variance 1.

        A unit's weights have variance ``1 / inputs``, so that its sum varies as they do; biases of
        the hidden layers after the first lie in [-0.5, 0.5], all others are zero. The weights of
        the first layer are a tenth of that: the net starts nearly linear in its inputs, and what
        it does not need stays small. A start of full size, as Nguyen and Widrow's is, projects
        many inputs on directions that mean nothing, and the training rows are fitted with those
        before they are unlearned: 4 % more error on validation (194 terms of 10,230 positions).
        """
        weights = np.zeros(self.n_weights)
        for number, layer in enumerate(self.layers(weights)):
            units, width = layer.shape
            scale = _FIRST_LAYER if number == 0 and self.hidden else 1.0
            layer[:, :-1] = rng.normal(size=(units, width - 1)) * scale / np.sqrt(width - 1)
            if 0 < number < len(self.hidden):
                layer[:, -1] = rng.uniform(-0.5, 0.5, units)
        return weights

    def values(self, weights: Floats, x: Floats) -> Floats:
        """Return the outputs ``[n]`` for inputs ``[n, inputs]``."""
        *hidden, output = self.layers(weights)
        for layer in hidden:
            x = np.tanh(x @ layer[:, :-1].T + layer[:, -1])
        return np.asarray(x @ output[0, :-1] + output[0, -1])

    def jacobian(self, weights: Floats, x: Floats, out: Floats) -> Floats:
        """Write the Jacobian of the outputs into `out` and return the outputs ``[n]``.

        A weight's derivative is the product of its unit's (back-propagated) and its input, so a
        layer's block is an outer product a row.

        Parameters
        ----------
        x
            ``[n, inputs]``.
        out
            ``[n, n_weights]`` float64, C order, overwritten.
        """
        layers = self.layers(weights)
        entering = [x]
        for layer in layers[:-1]:
            entering.append(np.tanh(entering[-1] @ layer[:, :-1].T + layer[:, -1]))
        values = entering[-1] @ layers[-1][0, :-1] + layers[-1][0, -1]
        slopes = np.ones((len(x), 1))
        end = self.n_weights
        for number in range(len(layers) - 1, -1, -1):
            (units, width), before = layers[number].shape, entering[number]
            block = out[:, end - units * width : end].reshape(len(x), units, width)
            np.multiply(slopes[:, :, None], before[:, None, :], out=block[:, :, :-1])
            block[:, :, -1] = slopes
            end -= units * width
            if number:
                slopes = (slopes @ layers[number][:, :-1]) * (1 - before * before)
        return np.asarray(values)


@dataclass(frozen=True)
class PerceptronResiduals:
    """Outputs less targets, for :mod:`tabia.learning.levenberg_marquardt`.

    Attributes
    ----------
    net
        The net.
    x
        ``[n, net.inputs]`` float64.
    y
        ``[n]`` float64 targets.
    chunk
        Rows of the Jacobian made at once.
    """

    net: Perceptron
    x: Floats
    y: Floats
    chunk: int = CHUNK

    def squared_error(self, weights: Floats) -> float:
        """Return the sum of squared residuals."""
        residual = self.net.values(weights, self.x) - self.y
        return float(residual @ residual)

    def chunks(self, weights: Floats) -> Iterator[tuple[Floats, Floats]]:
        """Yield the Jacobian and the residuals of `chunk` rows at a time, in one buffer."""
        buffer = np.empty((min(self.chunk, len(self.x)), self.net.n_weights))
        for part in blocks(len(self.x), self.chunk):
            jacobian = buffer[: part.stop - part.start]
            yield jacobian, self.net.jacobian(weights, self.x[part], jacobian) - self.y[part]
