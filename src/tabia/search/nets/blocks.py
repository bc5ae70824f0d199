"""Parts of nets: stem, residual blocks and pooling over the board.

Forward passes use only what :mod:`tabia.search.nets.graph` can write down: modules of this file,
torch's layers, and a few operations on tensors.
"""

from __future__ import annotations

import math

import torch
from torch import nn

__all__ = [
    "Nested",
    "Plain",
    "Pool",
    "Stem",
    "Unit",
    "conv",
    "convolved",
]

# Board width whose scaled mean is 0, and the unit of widths (Wu, "Accelerating Self-Play Learning
# in Go", 2019, section 3.2 and appendix A).
_MIDDLE_WIDTH = 14.0
_WIDTH_UNIT = 10.0


def conv(inputs: int, outputs: int, size: int) -> nn.Conv2d:
    """Return a convolution without bias that keeps the board's size."""
    return nn.Conv2d(inputs, outputs, size, padding=size // 2, bias=False)


def convolved(inputs: int, outputs: int, size: int) -> nn.Sequential:
    """Return a convolution with batch normalisation behind it."""
    return nn.Sequential(conv(inputs, outputs, size), nn.BatchNorm2d(outputs))


class Stem(nn.Module):
    """Planes by a 3×3 convolution and numbers by a fully connected layer: one input each.

    A number counts the same everywhere, at the edge too, where a constant plane would meet the
    padding.

    Parameters
    ----------
    planes, numbers, channels
        Sizes.
    normalised
        Whether batch normalisation and ReLU follow; pre-activation nets have theirs in the units.
    """

    def __init__(self, planes: int, numbers: int, channels: int, *, normalised: bool) -> None:
        super().__init__()
        if normalised:
            self.planes: nn.Module = convolved(planes, channels, 3)
        else:
            self.planes = conv(planes, channels, 3)
        # torch warns of layers without inputs.
        self.numbers = nn.Linear(numbers, channels, bias=False) if numbers else None
        self._normalised = normalised

    def forward(self, planes: torch.Tensor, numbers: torch.Tensor) -> torch.Tensor:
        """Return ``[B, channels, rows, columns]``."""
        h: torch.Tensor = self.planes(planes)
        if self.numbers is not None:
            h = h + self.numbers(numbers).unsqueeze(2).unsqueeze(3)
        return torch.relu(h) if self._normalised else h


class Unit(nn.Module):
    """A bottleneck of 1×1, 3×3 and 1×1 convolutions, normalised and activated before each."""

    def __init__(self, channels: int, narrow: int) -> None:
        super().__init__()
        self.norms = nn.ModuleList(nn.BatchNorm2d(width) for width in (channels, narrow, narrow))
        self.down = conv(channels, narrow, 1)
        self.middle = conv(narrow, narrow, 3)
        self.up = conv(narrow, channels, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return `x` plus what the unit found, in the shape of `x`."""
        h = self.down(torch.relu(self.norms[0](x)))
        h = self.middle(torch.relu(self.norms[1](h)))
        found: torch.Tensor = self.up(torch.relu(self.norms[2](h)))
        return x + found


class Pool(nn.Module):
    """Means and maxima over the board, ``[B, n, rows, columns]`` to ``[B, outputs]``.

    Parameters
    ----------
    channels
        n.
    scaled
        Whether the mean comes twice, the second time times (width - 14) / 10, the width being the
        root of the number of points: a net that plays on boards of several sizes can so tell them
        apart.

    Attributes
    ----------
    outputs
        2 n, or 3 n.
    """

    def __init__(self, channels: int, *, scaled: bool) -> None:
        super().__init__()
        self.scaled = scaled
        self.outputs = (3 if scaled else 2) * channels

    @staticmethod
    def scale(rows: int, columns: int) -> float:
        """Return the factor of the second mean."""
        return (math.sqrt(rows * columns) - _MIDDLE_WIDTH) / _WIDTH_UNIT

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return means, scaled means if any, maxima."""
        mean, most = x.mean((2, 3)), x.amax((2, 3))
        if not self.scaled:
            return torch.cat([mean, most], 1)
        return torch.cat([mean, mean * self.scale(x.shape[2], x.shape[3]), most], 1)


class Plain(nn.Module):
    """Two 3×3 convolutions around a shortcut, activated behind (He et al. 2015).

    Parameters
    ----------
    channels
        Filters.
    pool
        Between the convolutions every channel is given a number that depends on the whole board;
        None for none.
    """

    def __init__(self, channels: int, pool: Pool | None = None) -> None:
        super().__init__()
        self.first = convolved(channels, channels, 3)
        self.second = convolved(channels, channels, 3)
        self.pool = pool
        self.pooled = None if pool is None else nn.Linear(pool.outputs, channels)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the shape of `x`."""
        h = torch.relu(self.first(x))
        if self.pool is not None and self.pooled is not None:
            h = h + self.pooled(self.pool(h)).unsqueeze(2).unsqueeze(3)
        return torch.relu(x + self.second(h))


class Nested(nn.Module):
    """Two plain blocks of half the width between 1×1 convolutions, around a shortcut."""

    def __init__(self, channels: int, pool: Pool | None = None) -> None:
        super().__init__()
        half = channels // 2
        self.down = convolved(channels, half, 1)
        self.inner = nn.Sequential(Plain(half, pool), Plain(half))
        self.up = convolved(half, channels, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the shape of `x`."""
        h = torch.relu(self.down(x))
        return torch.relu(x + self.up(self.inner(h)))
