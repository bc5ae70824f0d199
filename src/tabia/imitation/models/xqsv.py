"""The paper's structurally variable recurrent net (Zhou, "XQSV", arXiv 2407.04678, section II).

It sees no board: its input are the labels of the last `memory` moves, each from the view of the
player who made it, as in equation (1). All ten variables of Table I are here. What the paper leaves
open, and how it is done:

* A label is an embedding of 64 learned numbers. One-hot labels are a table of as many rows of three
  or four times `rnn_hidden` numbers: more to learn than most Elo bins have positions for.
* There is no padding. The first moves of a game are shorter sequences; the state before the first
  move is zero, and so is what the next layers see of it.
* The backward form reads the latest move first, the forward form last; the state after the last
  one read goes on.
* `rnn_dropout` drops numbers of the embedding, `rnn_activation` acts on the state that goes on,
  batch normalisation follows it, then dropout before every fully connected layer. The output layer
  is not counted in `fc_layers`; hidden ones have 256 units.
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

from tabia.imitation.label_nets import (
    Head,
    LabelNet,
    LabelPolicy,
    activation,
    load_policy,
    train_policy,
)
from tabia.imitation.legal_labels import played_labels, window
from tabia.imitation.models.config import Recurrent, RecurrentStructure
from tabia.imitation.policy import Index, Lesson
from tabia.imitation.positions import Positions
from tabia.learning.training import Batch

__all__ = ["MovesBefore", "RecurrentNet", "fit", "load"]

_State = torch.Tensor | tuple[torch.Tensor, torch.Tensor]  # an LSTM has two
_EMBEDDED = 64
_STRETCH = 16  # moves read between looks at which sequences have ended
_BACKWARD = "backward_"


@dataclass(frozen=True)
class MovesBefore:
    """The labels of the moves before some positions, in the order in which they are read.

    Attributes
    ----------
    labels
        `[N]` int64 of the moves of consecutive positions.
    at
        `[n]` places of the positions in `labels`.
    count
        `[n]` int64: how many moves before each are seen.
    backward
        True to read the latest first.
    """

    labels: NDArray[np.int64]
    at: Index
    count: NDArray[np.int64]
    backward: bool

    def __len__(self) -> int:
        return len(self.at)

    def take(self, index: NDArray[np.intp]) -> Batch:
        """Return labels ``[m, longest]``, zero behind the last one read, and counts ``[m]``."""
        at, count = self.at[index, None], self.count[index]
        step = np.arange(max(count.max(initial=0), 1))
        row = at - 1 - step if self.backward else at - count[:, None] + step
        read = step < count[:, None]
        seen = np.where(read, self.labels[np.where(read, row, 0)], 0)
        return torch.from_numpy(seen), torch.from_numpy(count)


class RecurrentNet(LabelNet):
    """Embedding, recurrent layer and head.

    Parameters
    ----------
    structure
        The ten variables.
    labels
        Labels of the vocabulary.
    """

    def __init__(self, structure: RecurrentStructure, labels: int) -> None:
        super().__init__()
        self.structure = structure
        self.normalised = structure.batch_norm
        layer = nn.LSTM if structure.rnn.endswith("lstm") else nn.GRU
        self.embedding = nn.Embedding(labels, _EMBEDDED)
        self.recurrent = layer(_EMBEDDED, structure.rnn_hidden)
        if structure.batch_norm:
            self.norm = nn.BatchNorm1d(structure.rnn_hidden)
        self.head = Head(
            structure.rnn_hidden,
            labels,
            dropout=structure.dropout,
            layers=structure.fc_layers,
            l2=structure.fc_l2,
            act=structure.fc_activation,
        )

    def inputs(self, positions: Positions, index: Index, vocabulary: str) -> MovesBefore:
        """Return the moves before rows `index`, at most `memory` of each."""
        count = positions.row_in_game[index].astype(np.int64)
        if self.structure.memory is not None:
            count = np.minimum(count, self.structure.memory)
        there = window(positions, index)
        labels = played_labels(positions, there, vocabulary)
        backward = self.structure.rnn.startswith(_BACKWARD)
        return MovesBefore(labels, index - there.start, count, backward)

    def scores(self, batch: Batch) -> torch.Tensor:
        """Return ``[m, labels]`` of labels ``[m, longest]`` in reading order and counts ``[m]``."""
        seen, count = batch
        state = self._state(seen, count) * (count > 0).unsqueeze(1)
        state = activation(self.structure.rnn_activation, state)
        if self.structure.batch_norm:
            state = self.norm(state)
        scores: torch.Tensor = self.head(state)
        return scores

    def _state(self, seen: torch.Tensor, count: torch.Tensor) -> torch.Tensor:
        """Return the state after the last move read, ``[m, rnn_hidden]``.

        Sequences are read longest first, a stretch at a time, and leave when they end. Packed
        sequences do the same, but their gradient takes time by the square of the longest.
        """
        order = count.clamp(min=1).argsort(descending=True, stable=True)
        left, seen = count.clamp(min=1)[order], seen[order]
        found = []
        state: _State | None = None
        for start in range(0, seen.shape[1], _STRETCH):
            states, state = self.recurrent(self._embedded(seen[:, start : start + _STRETCH]), state)
            going = int((left > _STRETCH).sum())
            place = torch.arange(going, len(left))
            found.append(states[left[going:] - 1, place])
            left, seen = left[:going] - _STRETCH, seen[:going]
            if not going:
                break
            state = _first(state, going)
        back = torch.empty_like(order)
        back[order] = torch.arange(len(order))
        return torch.cat(found[::-1])[back]

    def _embedded(self, seen: torch.Tensor) -> torch.Tensor:
        embedded: torch.Tensor = self.embedding(seen.t())
        dropped = self.structure.rnn_dropout
        return functional.dropout(embedded, dropped, self.training) if dropped else embedded


def _first(state: _State, count: int) -> _State:
    """Return the states of the first sequences."""
    if isinstance(state, tuple):
        return state[0][:, :count].contiguous(), state[1][:, :count].contiguous()
    return state[:, :count].contiguous()


def fit(lesson: Lesson, settings: Mapping[str, Any], seed: int) -> LabelPolicy:
    """Train; the structure is the lesson's, or the settings' default where it brings none."""
    config = Recurrent.model_validate(
        {name: value for name, value in settings.items() if name in Recurrent.model_fields}
    )
    structure = config.default
    if lesson.structure is not None:
        structure = RecurrentStructure.model_validate(dict(lesson.structure))
    return train_policy(
        lesson,
        structure,
        config.training,
        lambda labels: RecurrentNet(structure, labels),
        vocabulary=settings["vocabulary"],
        seed=seed,
        label="train xqsv",
    )


def load(folder: Path) -> LabelPolicy:
    """Read a saved net."""
    return load_policy(
        folder,
        lambda _, structure, labels: RecurrentNet(
            RecurrentStructure.model_validate(dict(structure)), labels
        ),
    )
