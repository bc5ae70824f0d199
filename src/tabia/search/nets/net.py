"""The contract of nets and the three architectures.

A net maps ``planes`` ``[B, planes, rows, columns]`` and ``numbers`` ``[B, n]``, float32 and from
the mover's view, to :class:`Outputs`, from the same view.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import nn

from tabia.search.nets.blocks import Nested, Plain, Pool, Stem, Unit
from tabia.search.nets.config import AlphaZero, GoPlayer, NetShape, Small
from tabia.search.nets.heads import FlatPolicy, FlatValue, FromToPolicy, PointPolicy, PooledValue

__all__ = ["Net", "Outputs", "make"]


class Outputs(NamedTuple):
    """What a net says of some positions.

    Attributes
    ----------
    policy
        ``[B, moves]`` logits of the game's labels, legal or not.
    value
        ``[B, 3]`` logits of the mover's win, draw and loss; or ``[B]`` from -1, lost, to 1.
    score
        ``[B]`` points that the mover is ahead at the end, komi included; None without that head.
    ownership
        ``[B, rows, columns]`` from -1, the opponent's, to 1, the mover's; None without that head.
    """

    policy: torch.Tensor
    value: torch.Tensor
    score: torch.Tensor | None = None
    ownership: torch.Tensor | None = None


class Net(nn.Module, ABC):
    """A net with the settings that made it.

    Attributes
    ----------
    shape
        What it reads, and the board that it was made for.
    settings
        Of its architecture.
    any_size
        True if it plays on Go boards of every size, whatever that of `shape`.
    """

    any_size = False

    def __init__(self, shape: NetShape, settings: GoPlayer | AlphaZero | Small) -> None:
        super().__init__()
        self.shape, self.settings = shape, settings
        self.register_forward_pre_hook(_check)

    @property
    def n_parameters(self) -> int:
        """Weights and biases."""
        return sum(weight.numel() for weight in self.parameters())

    @abstractmethod
    def forward(self, planes: torch.Tensor, numbers: torch.Tensor) -> Outputs:
        """Evaluate positions; see the module. ValueError if the inputs have other shapes."""

    def check(self, planes: Sequence[int], numbers: Sequence[int]) -> None:
        """Check the shapes of planes and numbers; ValueError says what the net reads."""
        wanted = (self.shape.planes, self.shape.numbers)
        fits = len(planes) == 4 and len(numbers) == 2 and planes[0] == numbers[0]
        if not fits or (planes[1], numbers[1]) != wanted:
            raise ValueError(
                f"planes {list(planes)} and numbers {list(numbers)}; wanted are"
                f" [B, {wanted[0]}, rows, columns] and [B, {wanted[1]}]"
            )
        self.shape_on(planes[2], planes[3])

    def shape_on(self, rows: int, columns: int) -> NetShape:
        """Return the shape on a board of this size; ValueError if the net cannot play there."""
        if (rows, columns) == (self.shape.rows, self.shape.columns):
            return self.shape
        if not self.any_size or rows != columns:
            raise ValueError(
                f"a board of {rows} × {columns}; this {self.settings.architecture} net of"
                f" {self.shape.game} was made for {self.shape.rows} × {self.shape.columns}"
                + (" and takes square ones" if self.any_size else "")
            )
        return self.shape.resized(rows)


def _check(net: nn.Module, inputs: tuple[torch.Tensor, ...]) -> None:
    if not isinstance(net, Net):
        raise TypeError(f"{type(net).__name__} is no net of this chapter")
    planes, numbers = inputs
    net.check(planes.shape, numbers.shape)


class GoPlayerNet(Net):
    """The Go player's net: both inputs in one body of pre-activation units, two heads.

    Stem; `blocks` times `units` units of 1×1, 3×3 and 1×1 convolutions, each with batch
    normalisation and ReLU before it, around shortcuts that nothing touches; a last normalisation
    and ReLU, without which the body's sum would reach the heads raw; AlphaGo Zero's heads, the
    value's with a softmax.
    """

    def __init__(self, shape: NetShape, settings: GoPlayer) -> None:
        super().__init__(shape, settings)
        channels, squares = settings.channels, shape.rows * shape.columns
        self.stem = Stem(shape.planes, shape.numbers, channels, normalised=False)
        self.blocks = nn.Sequential(
            *(
                nn.Sequential(*(Unit(channels, settings.narrow) for _ in range(settings.units)))
                for _ in range(settings.blocks)
            )
        )
        self.last = nn.BatchNorm2d(channels)
        self.policy = FlatPolicy(channels, 2, squares, shape.moves)
        self.value = FlatValue(
            channels, 1, squares, settings.hidden, scalar=settings.value == "scalar"
        )

    def forward(self, planes: torch.Tensor, numbers: torch.Tensor) -> Outputs:
        """Evaluate positions."""
        h = torch.relu(self.last(self.blocks(self.stem(planes, numbers))))
        return Outputs(self.policy(h), self.value(h))


class AlphaZeroNet(Net):
    """AlphaZero's net: stem, plain residual blocks, a policy and a value head."""

    def __init__(self, shape: NetShape, settings: AlphaZero) -> None:
        super().__init__(shape, settings)
        channels, squares = settings.channels, shape.rows * shape.columns
        self.stem = Stem(shape.planes, shape.numbers, channels, normalised=True)
        self.blocks = nn.Sequential(*(Plain(channels) for _ in range(settings.blocks)))
        self.policy = FlatPolicy(channels, settings.policy_filters, squares, shape.moves)
        self.value = FlatValue(
            channels,
            settings.value_filters,
            squares,
            settings.hidden,
            scalar=settings.value == "scalar",
        )

    def forward(self, planes: torch.Tensor, numbers: torch.Tensor) -> Outputs:
        """Evaluate positions."""
        h = self.blocks(self.stem(planes, numbers))
        return Outputs(self.policy(h), self.value(h))


class SmallNet(Net):
    """The net for CPUs: pooling over the board in body and heads, boards of any size for Go."""

    def __init__(self, shape: NetShape, settings: Small) -> None:
        if shape.game != "go" and (settings.score or settings.ownership):
            raise ValueError(f"score and ownership are for go, not for {shape.game}")
        super().__init__(shape, settings)
        channels, is_go = settings.channels, shape.game == "go"
        self.any_size = is_go
        inner = channels // 2 if settings.block == "nested" else channels
        kind = Nested if settings.block == "nested" else Plain
        pools = [
            bool(settings.pool_every) and place % settings.pool_every == settings.pool_every - 1
            for place in range(settings.blocks)
        ]
        self.stem = Stem(shape.planes, shape.numbers, channels, normalised=True)
        self.blocks = nn.Sequential(
            *(kind(channels, Pool(inner, scaled=is_go) if pool else None) for pool in pools)
        )
        self.policy: nn.Module
        if is_go:
            self.policy = PointPolicy(channels, settings.head, Pool(settings.head, scaled=True))
        else:
            self.policy = FromToPolicy(channels, shape.game, shape.rows * shape.columns)
        self.value = PooledValue(
            channels,
            settings.head,
            settings.hidden,
            Pool(settings.head, scaled=is_go),
            scalar=settings.value == "scalar",
            score=settings.score,
            ownership=settings.ownership,
        )

    def forward(self, planes: torch.Tensor, numbers: torch.Tensor) -> Outputs:
        """Evaluate positions."""
        h = self.blocks(self.stem(planes, numbers))
        value, score, ownership = self.value(h)
        return Outputs(self.policy(h), value, score, ownership)


def make(shape: NetShape, settings: GoPlayer | AlphaZero | Small) -> Net:
    """Return an untrained net; its weights come from torch's random numbers.

    Raises
    ------
    ValueError
        If the game has not what the settings ask for.
    """
    # Channels last in memory: convolutions on CPUs are fastest so.
    net: Net
    if isinstance(settings, GoPlayer):
        net = GoPlayerNet(shape, settings)
    elif isinstance(settings, AlphaZero):
        net = AlphaZeroNet(shape, settings)
    else:
        net = SmallNet(shape, settings)
    net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    return net
