"""The two-dimensional rival of the paper's ablation: a residual net over the last boards.

It sees the board and the `memory` - 1 boards before it as planes, one a kind of piece and side, all
from the view of the player to move now; boards from before the game are empty. As after every move
there is one board, `memory` counts as the recurrent net's does. A 3×3 convolution leads to residual
blocks of two 3×3 convolutions each (He et al., 2016), batch normalisation after every convolution
if it is on; then dropout and fully connected layers like the recurrent net's, and the same labels.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from tabia.games.mover_view import MoverView
from tabia.imitation.label_nets import Head, LabelNet, LabelPolicy, load_policy, train_policy
from tabia.imitation.legal_labels import window
from tabia.imitation.models.config import Residual, ResidualStructure
from tabia.imitation.policy import Index, Lesson
from tabia.imitation.positions import Positions, view_of
from tabia.learning.training import Batch

__all__ = ["LastBoards", "ResidualNet", "fit", "load", "other_side"]

_TURNED = frozenset({"xiangqi"})
"""Games whose second player sees the board turned by half; the others' see it reflected."""

_SAME = frozenset({"go"})
"""Games whose players see the same board."""


def other_side(view: MoverView, pieces: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return pieces ``[n, squares]`` as the player who is not to move sees them."""
    kinds = view.n_kinds
    swapped = np.concatenate([[0], np.arange(1, kinds + 1) + kinds, np.arange(1, kinds + 1)])
    exchanged = swapped.astype(np.uint8)[pieces]
    if view.name in _SAME:
        return exchanged
    board = exchanged.reshape(-1, view.rows, view.columns)[:, ::-1]
    if view.name in _TURNED:
        board = board[:, :, ::-1]
    return np.ascontiguousarray(board).reshape(pieces.shape)


@dataclass(frozen=True)
class LastBoards:
    """Some positions and those before them, as planes.

    Attributes
    ----------
    own, other
        `[N, squares]` uint8: pieces of consecutive positions, as the player to move and as the
        other one sees them.
    at
        `[n]` places of the positions in `own`.
    before
        `[n]` positions of the same game before each.
    memory
        Boards, the present one included.
    view
        How the game shows its boards.
    """

    own: NDArray[np.uint8]
    other: NDArray[np.uint8]
    at: Index
    before: NDArray[np.int32]
    memory: int
    view: MoverView

    def __len__(self) -> int:
        return len(self.at)

    def take(self, index: NDArray[np.intp]) -> Batch:
        """Return planes ``[m, memory * 2 * n_kinds, rows, columns]``, the present board's first."""
        size = (len(index), self.view.rows, self.view.columns, -1)
        pieces = np.empty((len(index), self.own.shape[1], self.memory), np.int64)
        for lag in range(self.memory):
            there = self.before[index] >= lag
            side = self.other if lag % 2 else self.own
            pieces[:, :, lag] = np.where(there[:, None], side[self.at[index] - lag], 0)
        # Planes last in memory: convolutions on CPUs are fastest so, and nothing is copied.
        planes = functional.embedding(torch.from_numpy(pieces), _planes(2 * self.view.n_kinds))
        return (planes.reshape(size).permute(0, 3, 1, 2),)


def _planes(count: int) -> torch.Tensor:
    """Return the planes of every code: row 0, an empty square, is in none."""
    return torch.eye(count + 1)[:, 1:].contiguous()


class _Block(nn.Module):
    def __init__(self, channels: int, *, batch_norm: bool) -> None:
        super().__init__()
        self.first = _convolution(channels, channels, batch_norm=batch_norm)
        self.second = _convolution(channels, channels, batch_norm=batch_norm)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x + self.second(torch.relu(self.first(x))))


def _convolution(inputs: int, channels: int, *, batch_norm: bool) -> nn.Module:
    layer = nn.Conv2d(inputs, channels, 3, padding=1, bias=not batch_norm)
    return nn.Sequential(layer, nn.BatchNorm2d(channels)) if batch_norm else layer


class ResidualNet(LabelNet):
    """Convolution, residual blocks and head.

    Parameters
    ----------
    structure
        The eight variables.
    view
        How the game shows its boards.
    labels
        Labels of the vocabulary.
    """

    def __init__(self, structure: ResidualStructure, view: MoverView, labels: int) -> None:
        super().__init__()
        self.structure = structure
        self.normalised = False  # over squares as well, of which there are many in one position
        self._view = view
        channels, batch_norm = structure.channels, structure.batch_norm
        planes = structure.memory * 2 * view.n_kinds
        self.entry = _convolution(planes, channels, batch_norm=batch_norm)
        self.blocks = nn.Sequential(
            *(_Block(channels, batch_norm=batch_norm) for _ in range(structure.blocks))
        )
        self.head = Head(
            channels * view.rows * view.columns,
            labels,
            dropout=structure.dropout,
            layers=structure.fc_layers,
            l2=structure.fc_l2,
            act=structure.fc_activation,
        )
        self.to(memory_format=torch.channels_last)  # type: ignore[call-overload]

    def inputs(self, positions: Positions, index: Index, vocabulary: str) -> LastBoards:
        """Return the boards of rows `index` and those before them."""
        there = window(positions, index)
        own = self._view.pieces(positions.board[there])
        return LastBoards(
            own,
            other_side(self._view, own),
            index - there.start,
            positions.row_in_game[index],
            self.structure.memory,
            self._view,
        )

    def scores(self, batch: Batch) -> torch.Tensor:
        """Return ``[m, labels]`` of planes."""
        (planes,) = batch
        x = self.blocks(torch.relu(self.entry(planes)))
        scores: torch.Tensor = self.head(x.flatten(1))
        return scores


def fit(lesson: Lesson, settings: Mapping[str, Any], seed: int) -> LabelPolicy:
    """Train; the structure is the lesson's, or the settings' default where it brings none."""
    config = Residual.model_validate(
        {name: value for name, value in settings.items() if name in Residual.model_fields}
    )
    structure = config.default
    if lesson.structure is not None:
        structure = ResidualStructure.model_validate(dict(lesson.structure))
    return train_policy(
        lesson,
        structure,
        config.training,
        lambda labels: ResidualNet(structure, lesson.positions.view, labels),
        vocabulary=settings["vocabulary"],
        seed=seed,
        label="train resnet",
    )


def load(folder: Path) -> LabelPolicy:
    """Read a saved net."""
    return load_policy(
        folder,
        lambda game, structure, labels: ResidualNet(
            ResidualStructure.model_validate(dict(structure)), view_of(game), labels
        ),
    )
