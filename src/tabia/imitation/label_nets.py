"""Nets that name a move by its label: training without the legality filter, prediction with it.

What the paper's recurrent net and its two-dimensional rival share. A net brings its inputs, rows
that are expanded batch by batch from arrays that are made once, and maps a batch to scores of all
labels of a vocabulary. It minimises the cross-entropy of the label that was played, over all
labels, as the paper's does, and the L2 penalty of its fully connected layers.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.numpy import load_file, save_file
from torch import nn
from torch.nn import functional

from tabia.imitation.legal_labels import joined, over_legal, played_labels
from tabia.imitation.models.config import Training
from tabia.imitation.policy import Fact, Index, Lesson, Prediction
from tabia.imitation.positions import Positions, view_of
from tabia.learning.adam import Adam
from tabia.learning.examples import blocks
from tabia.learning.training import Batch, Plan, Rows, reproducible, single_threaded, train
from tabia.tables import parquet

__all__ = ["Head", "LabelNet", "LabelPolicy", "Played", "activation", "load_policy", "train_policy"]

_WEIGHTS = "weights.safetensors"
_ABOUT = "net.json"
_BATCH = 1024  # rows predicted at once
_FC_WIDTH = 256
_CLIP = 1.0  # recurrent nets without a bounded activation have rare steps of great length


class SmallBatchError(ValueError):
    """Batches of one row, of which batch normalisation cannot take a variance."""

    exit_code = 2


def activation(name: str, x: torch.Tensor) -> torch.Tensor:
    """Return `x` ``[n, d]`` through `relu`, `softmax` (over d), `linear` (as it is) or `tanh`.

    Raises
    ------
    ValueError
        If there is no such activation.
    """
    if name == "relu":
        return torch.relu(x)
    if name == "softmax":
        return torch.softmax(x, dim=1)
    if name == "tanh":
        return torch.tanh(x)
    if name == "linear":
        return x
    raise ValueError(f"no activation is called {name!r}; there are relu, softmax, linear, tanh")


class Head(nn.Module):
    """Dropout and fully connected layers, the last of which scores the labels.

    Parameters
    ----------
    width
        Inputs.
    labels
        Labels of the vocabulary.
    dropout
        Before every fully connected layer.
    layers
        Hidden ones, 256 units each; with none, `l2` and `act` do nothing.
    l2
        Weight of the sum of squares of their weights (not of their biases) in the loss.
    act
        Their activation.
    """

    def __init__(
        self, width: int, labels: int, *, dropout: float, layers: int, l2: float, act: str
    ) -> None:
        super().__init__()
        widths = [width, *[_FC_WIDTH] * layers]
        self.hidden = nn.Sequential(*map(nn.Linear, widths[:-1], widths[1:]))
        self.label = nn.Linear(widths[-1], labels)
        self._dropout, self._l2, self._act = dropout, l2, act

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return scores ``[n, labels]`` of ``[n, width]``."""
        for layer in self.hidden:
            x = activation(self._act, layer(self._drop(x)))
        scores: torch.Tensor = self.label(self._drop(x))
        return scores

    def penalty(self) -> torch.Tensor | None:
        """Return what is added to the loss in training; None for nothing."""
        if not self._l2 or not len(self.hidden):
            return None
        weights = [part for name, part in self.hidden.named_parameters() if "weight" in name]
        return self._l2 * torch.stack([weight.square().sum() for weight in weights]).sum()

    def _drop(self, x: torch.Tensor) -> torch.Tensor:
        return functional.dropout(x, self._dropout, self.training) if self._dropout else x


class LabelNet(nn.Module, ABC):
    """A net that scores labels; :meth:`inputs` says what of positions it sees."""

    head: Head
    normalised: bool
    """True if some layer normalises over the batch."""

    @abstractmethod
    def inputs(self, positions: Positions, index: Index, vocabulary: str) -> Rows:
        """Return the inputs of rows `index`; moves have labels of `vocabulary`."""

    @abstractmethod
    def scores(self, batch: Batch) -> torch.Tensor:
        """Return ``[m, labels]`` of a batch of inputs."""


@dataclass(frozen=True)
class Played:
    """Inputs and the label that was played: what a net learns from.

    Attributes
    ----------
    inputs
        Of `n` rows.
    label
        `[n]` int64.
    """

    inputs: Rows
    label: torch.Tensor

    def __len__(self) -> int:
        return len(self.label)

    def take(self, index: NDArray[np.intp]) -> Batch:
        """Return some rows: the inputs' tensors, then the labels."""
        return *self.inputs.take(index), self.label[torch.from_numpy(index)]


class _Structure(Protocol):
    def model_dump(self) -> dict[str, Any]: ...


@dataclass(frozen=True)
class LabelPolicy:
    """A trained net of labels: a :class:`tabia.imitation.policy.Policy`.

    Attributes
    ----------
    net
        In evaluation mode.
    game, vocabulary
        Names.
    structure
        Its variables.
    epochs
        Passes over the training rows behind the weights.
    """

    net: LabelNet
    game: str
    vocabulary: str
    structure: Mapping[str, Any]
    epochs: int

    @property
    def n_parameters(self) -> int:
        """Weights and biases."""
        return sum(weight.numel() for weight in self.net.parameters())

    @property
    def facts(self) -> Mapping[str, Fact]:
        """Epochs that early stopping kept, and the structure."""
        return {"epochs": self.epochs} | {name: _fact(v) for name, v in self.structure.items()}

    def predict(self, positions: Positions, index: Index) -> Prediction:
        """Return the distributions of rows `index`, on one thread."""
        inputs = self.net.inputs(positions, index, self.vocabulary)
        parts = []
        self.net.eval()
        with single_threaded():
            for part in blocks(len(index), _BATCH):
                batch = inputs.take(np.arange(part.start, part.stop))
                log_p = self.net.scores(batch).log_softmax(1).numpy()
                parts.append(over_legal(positions, index[part], log_p, self.vocabulary))
        return joined(parts)

    def save(self, folder: Path) -> None:
        """Write ``weights.safetensors`` and ``net.json``."""
        state = self.net.state_dict().items()
        save_file({name: part.contiguous().numpy() for name, part in state}, folder / _WEIGHTS)
        about = {
            "game": self.game,
            "vocabulary": self.vocabulary,
            "structure": dict(self.structure),
            "epochs": self.epochs,
        }
        parquet.write_text(folder / _ABOUT, json.dumps(about, sort_keys=True, indent=2) + "\n")


def train_policy(
    lesson: Lesson,
    structure: _Structure,
    training: Training,
    make: Callable[[int], LabelNet],
    *,
    vocabulary: str,
    seed: int,
    label: str,
) -> LabelPolicy:
    """Make a net and train it.

    Parameters
    ----------
    make
        Returns an untrained net, given the number of labels; called once, where torch's random
        numbers come from `seed`.
    vocabulary
        Name of the labels.
    label
        Begins the line of progress.

    Raises
    ------
    SmallBatchError
        If a net that normalises over batches would see one of a single row.
    """
    positions = lesson.positions
    with reproducible(seed, threads=training.threads):
        net = make(len(positions.view.vocabularies[vocabulary].labels))
        _check_batches(net, len(lesson.train), training.batch, label)

        def rows(index: Index) -> Played:
            label = torch.from_numpy(played_labels(positions, index, vocabulary))
            return Played(net.inputs(positions, index, vocabulary), label)

        history = train(
            net,
            Adam(net.parameters(), training.learning_rate),
            lambda batch: _loss(net, batch),
            rows(lesson.train),
            rows(lesson.validation),
            Plan(training.epochs, training.batch, training.stop_after, clip=_CLIP),
            np.random.default_rng(seed),
            label=label,
        )
    return LabelPolicy(net, positions.game, vocabulary, structure.model_dump(), history.best)


def load_policy(
    folder: Path, make: Callable[[str, Mapping[str, Any], int], LabelNet]
) -> LabelPolicy:
    """Read a saved net.

    Parameters
    ----------
    make
        Returns an untrained net for a game, a structure and a number of labels.
    """
    about = json.loads((folder / _ABOUT).read_text(encoding="utf-8"))
    labels = len(view_of(about["game"]).vocabularies[about["vocabulary"]].labels)
    with reproducible(0, threads=1):  # weights are drawn before they are replaced
        net = make(about["game"], about["structure"], labels)
    weights = load_file(folder / _WEIGHTS)
    net.load_state_dict({name: torch.from_numpy(part) for name, part in weights.items()})
    net.eval()
    return LabelPolicy(net, **about)


def _loss(net: LabelNet, batch: Batch) -> torch.Tensor:
    *inputs, label = batch
    loss = functional.cross_entropy(net.scores(tuple(inputs)), label)
    # The penalty is for training only: what is kept is the net that predicts best.
    penalty = net.head.penalty() if net.training else None
    return loss if penalty is None else loss + penalty


def _check_batches(net: LabelNet, rows: int, batch: int, label: str) -> None:
    least = rows // -(-rows // batch)
    if net.normalised and least < 2:
        raise SmallBatchError(
            f"{label}: batch normalisation needs batches of two positions and more, but {rows}"
            f" positions in batches of {batch} leave one alone; take a larger batch, more games,"
            " or batch_norm: false"
        )


def _fact(value: object) -> Fact:
    if value is None:
        return "all"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float | str):
        return value
    raise TypeError(f"a structure variable of type {type(value).__name__}")
