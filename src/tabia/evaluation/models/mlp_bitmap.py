"""A perceptron with two hidden layers on the paper's bitmap, by Adam.

The paper (section 4.1) takes this rival and its input from Sabatelli et al. (2018): 768 inputs of
1, -1 and 0, and the engine's values, 770 or 771 in all. It names neither optimiser nor activation;
here they are Adam and tanh, which did much better than ReLU on the validation split of real games
(R² 0.19 against 0.11 without engine values).

The bitmap stays as it is; engine values and target are brought to mean 0 and variance 1 on the
training split. The loss is the mean squared error.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import nn

from tabia.evaluation.bitmap_nets import train_on_bitmap
from tabia.evaluation.models.config import BitmapMLP
from tabia.learning.examples import Examples
from tabia.learning.nets import NetModel, Shapes, load_net

__all__ = ["fit", "load"]


class _Net(nn.Module):
    """Two hidden layers of tanh."""

    def __init__(self, inputs: int, hidden: tuple[int, int]) -> None:
        super().__init__()
        self.first = nn.Linear(inputs, hidden[0])
        self.second = nn.Linear(hidden[0], hidden[1])
        self.value = nn.Linear(hidden[1], 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return ``[n]`` scaled values of scaled inputs ``[n, d]``."""
        values: torch.Tensor = self.value(torch.tanh(self.second(torch.tanh(self.first(x)))))
        return values.squeeze(1)


def fit(train: Examples, validation: Examples, settings: Mapping[str, Any], seed: int) -> NetModel:
    """Train by Adam until the validation error has not fallen for ``stop_after`` epochs.

    Raises
    ------
    ValueError
        If the inputs do not begin with piece placement.
    """
    chosen = BitmapMLP.model_validate(settings)
    width = len(train.inputs.columns)

    def make() -> tuple[nn.Module, torch.optim.Optimizer]:
        net = _Net(width, chosen.hidden)
        return net, torch.optim.Adam(net.parameters(), chosen.learning_rate)

    return train_on_bitmap(
        "mlp_bitmap", make, train, validation, chosen, nodes=sum(chosen.hidden), seed=seed
    )


def load(folder: Path) -> NetModel:
    """Read a saved model."""

    def make(width: int, shapes: Shapes) -> tuple[nn.Module, int]:
        second, first = shapes["second.weight"]
        return _Net(width, (first, second)), first + second

    return load_net(folder, make)
