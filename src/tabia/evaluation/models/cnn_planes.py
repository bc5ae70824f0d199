"""The paper's convolutional net on the board itself: twelve planes of 8×8, by SGD.

The planes are the layers of the paper's bitmap, P N B R Q K p n b r q k; 1 where White's piece
stands, -1 where Black's does, else 0; first row the first rank, first column the a-file. The
engine's values have no square, so they join after the convolutions. The paper left this input out
for its CNN, because others had found it no better there.

The planes stay as they are; engine values and target are brought to mean 0 and variance 1 on the
training split. The loss is the mean squared error.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import nn

from tabia.evaluation.bitmap_nets import train_on_bitmap
from tabia.evaluation.convolution import FILTERS, Convolutions
from tabia.evaluation.features import PLACEMENT
from tabia.evaluation.models.config import CNN
from tabia.learning.examples import Examples
from tabia.learning.nets import NetModel, Shapes, load_net

__all__ = ["fit", "load", "planes"]

_LAYERS, _RANKS, _FILES = 12, 8, 8


def planes(x: torch.Tensor) -> torch.Tensor:
    """Return the planes ``[n, 12, 8, 8]`` of inputs ``[n, d]`` that begin with the bitmap."""
    return x[:, : len(PLACEMENT)].reshape(len(x), _LAYERS, _RANKS, _FILES)


class _Net(nn.Module):
    """Board and engine values to value."""

    def __init__(self, engine_values: int) -> None:
        super().__init__()
        self.convolutions = Convolutions(_LAYERS, _RANKS, _FILES, engine_values)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return ``[n]`` scaled values of scaled inputs ``[n, d]``."""
        values: torch.Tensor = self.convolutions(planes(x), x[:, len(PLACEMENT) :])
        return values


def fit(train: Examples, validation: Examples, settings: Mapping[str, Any], seed: int) -> NetModel:
    """Train by SGD with momentum until the validation error has not fallen for ``stop_after``.

    Raises
    ------
    ValueError
        If the inputs do not begin with piece placement.
    """
    chosen = CNN.model_validate(settings)
    width = len(train.inputs.columns)

    def make() -> tuple[nn.Module, torch.optim.Optimizer]:
        net = _Net(width - len(PLACEMENT))
        return net, torch.optim.SGD(net.parameters(), chosen.learning_rate, chosen.momentum)

    return train_on_bitmap("cnn_planes", make, train, validation, chosen, nodes=FILTERS, seed=seed)


def load(folder: Path) -> NetModel:
    """Read a saved model."""

    def make(width: int, shapes: Shapes) -> tuple[nn.Module, int]:
        return _Net(width - len(PLACEMENT)), FILTERS

    return load_net(folder, make)
