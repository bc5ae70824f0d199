"""The paper's convolutional net: 20 filters 5×5, then 50 filters 3×3 (section 4.1).

The paper tells no more. Stated here: the picture is padded with zeros so that it keeps its size
through both layers, for the edge of a board matters as much as its middle; ReLU follows each
layer; there is no pooling and no stride; a linear layer takes all 50 pictures to the value.
"""

from __future__ import annotations

import torch
from torch import nn

__all__ = ["FILTERS", "Convolutions"]

_FIRST, _SECOND = 20, 50

FILTERS = _FIRST + _SECOND
"""Filters of both layers together."""


class Convolutions(nn.Module):
    """The net, from a picture and inputs that have no place in it to a value.

    Parameters
    ----------
    channels, height, width
        Size of the picture.
    beside
        Inputs that join the filtered pictures before the last layer.
    """

    def __init__(self, channels: int, height: int, width: int, beside: int = 0) -> None:
        super().__init__()
        self.first = nn.Conv2d(channels, _FIRST, 5, padding="same")
        self.second = nn.Conv2d(_FIRST, _SECOND, 3, padding="same")
        self.value = nn.Linear(_SECOND * height * width + beside, 1)

    def forward(self, picture: torch.Tensor, beside: torch.Tensor) -> torch.Tensor:
        """Return ``[n]`` values of pictures ``[n, channels, height, width]``.

        ``beside`` is ``[n, beside]``.
        """
        seen = torch.relu(self.second(torch.relu(self.first(picture)))).flatten(1)
        values: torch.Tensor = self.value(torch.cat([seen, beside], 1))
        return values.squeeze(1)
