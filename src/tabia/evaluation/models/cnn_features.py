"""The paper's convolutional net on the evaluation terms and the engine's values, by SGD.

How 194 to 197 numbers become the picture that a convolution needs, the paper does not tell.
Here they make two pictures of 10×10, one a side:

* channel 0 holds White's 97 terms, channel 1 Black's, so that a filter sees both sides' value of
  a term in one place;
* within a channel, terms stand row by row, group by group of the evaluation guide, so that terms
  of one subject are neighbours;
* the engine's values take the last three cells of White's channel, as they are White's view. Cells
  without an input are zero, as is the border that padding adds.

All inputs are brought to mean 0 and variance 1 on the training split, the target too; the loss is
the mean squared error.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from tabia._native.chess_terms import GROUPS, TERMS
from tabia.evaluation.convolution import FILTERS, Convolutions
from tabia.evaluation.features import ENGINE_INPUTS
from tabia.evaluation.models.config import CNN
from tabia.learning.examples import Examples
from tabia.learning.nets import NetModel, Shapes, load_net, train_net
from tabia.learning.training import Plan

__all__ = ["fit", "load", "picture"]

_SIDES = ("white", "black")
_ENGINE = ENGINE_INPUTS[1]
_WIDTH = math.isqrt(len(TERMS) + len(_ENGINE) - 1) + 1  # least square that holds a side's inputs


def picture(columns: Sequence[str]) -> npt.NDArray[np.int64]:
    """Return which input stands in each cell, ``[2, height, width]``; -1 where none does.

    Raises
    ------
    ValueError
        If a column is neither a term nor an engine value.
    """
    groups = list(dict.fromkeys(GROUPS))
    order = sorted(range(len(TERMS)), key=lambda term: (groups.index(GROUPS[term]), term))
    cells = np.full((len(_SIDES), _WIDTH * _WIDTH), -1, np.int64)
    place: dict[str, tuple[int, int]] = {}
    for cell, term in enumerate(order):
        for channel, side in enumerate(_SIDES):
            place[f"{side}_{TERMS[term]}"] = channel, cell
    for number, name in enumerate(_ENGINE):
        place[name] = 0, _WIDTH * _WIDTH - len(_ENGINE) + number
    for column, name in enumerate(columns):
        if name not in place:
            raise ValueError(f"cnn_features has no place for the input {name!r}")
        cells[place[name]] = column
    return cells.reshape(len(_SIDES), _WIDTH, _WIDTH)


class _Net(nn.Module):
    """Inputs to picture to value."""

    cells: torch.Tensor

    def __init__(self, cells: npt.NDArray[np.int64]) -> None:
        super().__init__()
        self.register_buffer("cells", torch.from_numpy(cells))
        self.convolutions = Convolutions(*cells.shape)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return ``[n]`` scaled values of scaled inputs ``[n, d]``."""
        with_blank = nn.functional.pad(x, (1, 0))  # column 0 is what empty cells show
        shown = with_blank.index_select(1, self.cells.flatten() + 1)
        values: torch.Tensor = self.convolutions(
            shown.view(len(x), *self.cells.shape), x.new_empty(len(x), 0)
        )
        return values


def fit(train: Examples, validation: Examples, settings: Mapping[str, Any], seed: int) -> NetModel:
    """Train by SGD with momentum until the validation error has not fallen for ``stop_after``."""
    chosen = CNN.model_validate(settings)
    columns = train.inputs.columns

    def make() -> tuple[nn.Module, torch.optim.Optimizer]:
        net = _Net(picture(columns))
        return net, torch.optim.SGD(net.parameters(), chosen.learning_rate, chosen.momentum)

    return train_net(
        make,
        train,
        validation,
        Plan(chosen.epochs, chosen.batch, chosen.stop_after),
        scaled=np.ones(len(columns), np.bool_),
        nodes=FILTERS,
        seed=seed,
        threads=chosen.threads,
        label="train cnn_features",
    )


def load(folder: Path) -> NetModel:
    """Read a saved model."""

    def make(width: int, shapes: Shapes) -> tuple[nn.Module, int]:
        return _Net(np.empty(shapes["cells"], np.int64)), FILTERS

    return load_net(folder, make)
