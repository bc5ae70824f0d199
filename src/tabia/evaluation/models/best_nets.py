"""The nets of the model `best`: small perceptrons on scaled features, trained with Huber's loss.

Features are centred, scaled and cut at five standard deviations. Those whose steps matter, such
as what an exchange wins, are seen in pieces besides (piecewise linear encoding, Gorishniy et al.
2022, section 3.2): a feature with bounds b₀ < … < bₖ from the training rows' quantiles gives k
inputs clip((x - bᵢ) / (bᵢ₊₁ - bᵢ), 0, 1), of which a net can make any line of k pieces.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from tabia.evaluation.models.config import BestModel
from tabia.learning.examples import blocks
from tabia.learning.training import Batch, Plan, Tensors, reproducible, single_threaded, train

__all__ = ["Encoding", "Nets", "train_nets"]

Floats = npt.NDArray[np.float32]

_PIECES = 6
_CUT = 5.0  # standard deviations
_LEAST_SPREAD = 0.1  # of a piece: rarer ones are not blown up
_BATCH = 1024  # rows predicted at once


@dataclass(frozen=True)
class Encoding:
    """From features to what nets see.

    Attributes
    ----------
    centre, spread
        ``[m]`` mean and standard deviation of each feature.
    feature
        ``[k]`` int64, the feature that a piece belongs to.
    low, high
        ``[k]`` ends of each piece.
    piece_centre, piece_spread
        ``[k]`` mean and standard deviation of each piece.
    """

    centre: Floats
    spread: Floats
    feature: npt.NDArray[np.int64]
    low: Floats
    high: Floats
    piece_centre: Floats
    piece_spread: Floats

    @classmethod
    def measure(cls, features: Floats, fine: npt.NDArray[np.bool_]) -> Encoding:
        """Measure training rows ``[n, m]``; those features in pieces where `fine` ``[m]``."""
        feature, low, high = [], [], []
        for number in np.flatnonzero(fine):
            bounds = _bounds(features[:, number])
            feature += [number] * (len(bounds) - 1)
            low += bounds[:-1].tolist()
            high += bounds[1:].tolist()
        index = np.array(feature, np.int64)
        ends = np.array(low, np.float32), np.array(high, np.float32)
        pieces = _pieces(features, index, *ends).astype(np.float64)
        wide = features.astype(np.float64)
        spread = wide.std(axis=0)
        return cls(
            wide.mean(axis=0).astype(np.float32),
            np.where(spread > 1e-6, spread, 1).astype(np.float32),
            index,
            *ends,
            pieces.mean(axis=0).astype(np.float32),
            np.maximum(pieces.std(axis=0), _LEAST_SPREAD).astype(np.float32),
        )

    @property
    def width(self) -> int:
        """Number of inputs of a net."""
        return len(self.centre) + len(self.feature)

    def __call__(self, features: Floats) -> Floats:
        """Return ``[n, width]`` for features ``[n, m]``."""
        scaled = np.clip((features - self.centre) / self.spread, -_CUT, _CUT)
        pieces = _pieces(features, self.feature, self.low, self.high)
        return np.concatenate([scaled, (pieces - self.piece_centre) / self.piece_spread], axis=1)


@dataclass(frozen=True)
class Nets:
    """Nets whose values are averaged.

    Attributes
    ----------
    encoding
        What they see.
    members
        Nets, in evaluation mode.
    """

    encoding: Encoding
    members: tuple[nn.Sequential, ...]

    @property
    def n_parameters(self) -> int:
        """Weights and biases of all."""
        return sum(weight.numel() for net in self.members for weight in net.parameters())

    @property
    def nodes(self) -> int:
        """Hidden units of all."""
        layers = (layer for net in self.members for layer in list(net.children())[:-1])
        return sum(layer.out_features for layer in layers if isinstance(layer, nn.Linear))

    def predict(self, features: Floats) -> Floats:
        """Return ``[n]`` pawns for features ``[n, m]``, on one thread."""
        predicted = np.empty(len(features), np.float32)
        with single_threaded():
            for part in blocks(len(features), _BATCH):
                rows = torch.from_numpy(self.encoding(features[part]))
                values = [net(rows)[:, 0] for net in self.members]
                predicted[part] = torch.stack(values).mean(dim=0).numpy()
        return predicted

    def tensors(self) -> dict[str, npt.NDArray[np.generic]]:
        """Return all numbers by name."""
        found = {f"encoding.{name}": values for name, values in vars(self.encoding).items()}
        for number, net in enumerate(self.members):
            for name, values in net.state_dict().items():
                found[f"net.{number}.{name}"] = values.contiguous().numpy()
        return found

    @classmethod
    def of(cls, tensors: Mapping[str, npt.NDArray[np.generic]]) -> Nets:
        """Return the nets that have these numbers; names of others are passed over."""
        encoding: dict[str, npt.NDArray[np.generic]] = {}
        states: dict[int, dict[str, torch.Tensor]] = {}
        for name, values in tensors.items():
            kind, _, rest = name.partition(".")
            if kind == "encoding":
                encoding[rest] = values
            elif kind == "net":
                number, _, weight = rest.partition(".")
                states.setdefault(int(number), {})[weight] = torch.from_numpy(values)
        members = []
        for _, state in sorted(states.items()):
            layers = [name for name in state if name.endswith(".weight")]
            layers.sort(key=lambda name: int(name.split(".")[0]))
            sizes = [len(state[name]) for name in layers[:-1]]
            with reproducible(0, threads=1):
                net = _net(state[layers[0]].shape[1], sizes, dropout=0.0)
            net.load_state_dict(state)
            members.append(net.eval())
        return cls(Encoding(**encoding), tuple(members))  # type: ignore[arg-type]


def train_nets(
    train_rows: tuple[Floats, Floats],
    held: tuple[Floats, Floats],
    fine: npt.NDArray[np.bool_],
    settings: BestModel,
    seed: int,
) -> Nets:
    """Train the nets one after the other, each from its own seed.

    Parameters
    ----------
    train_rows, held
        Features ``[n, m]`` and targets ``[n]``; of each net the epoch that is best on `held` stays.
    fine
        ``[m]`` features that are seen in pieces, too.
    """
    encoding = Encoding.measure(train_rows[0], fine)
    rows, others = (
        Tensors((torch.from_numpy(encoding(features)), torch.from_numpy(target)))
        for features, target in (train_rows, held)
    )
    members = []
    for number in range(settings.nets):
        own = np.random.SeedSequence((seed, number)).generate_state(2)
        with reproducible(int(own[0]), threads=settings.threads):
            label = f"train best, net {number + 1} of {settings.nets}"
            rng = np.random.default_rng(int(own[1]))
            members.append(_train(encoding.width, rows, others, settings, rng, label))
    return Nets(encoding, tuple(members))


def _train(
    width: int,
    rows: Tensors,
    held: Tensors,
    settings: BestModel,
    rng: np.random.Generator,
    label: str,
) -> nn.Sequential:
    net = _net(width, settings.hidden, settings.dropout)
    optimiser = torch.optim.AdamW(
        net.parameters(), lr=settings.learning_rate, weight_decay=settings.weight_decay
    )
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda epoch: _step_size((epoch + 0.5) / settings.epochs)
    )

    def loss(batch: Batch) -> torch.Tensor:
        x, y = batch
        return nn.functional.smooth_l1_loss(net(x)[:, 0], y, beta=settings.huber)

    plan = Plan(settings.epochs, settings.batch, stop_after=settings.epochs)
    train(net, optimiser, loss, rows, held, plan, rng, label=label, schedule=schedule)
    return net


def _net(width: int, hidden: Sequence[int], dropout: float) -> nn.Sequential:
    """Return an untrained net that says 0, as if nothing were to add to the engine's value."""
    layers: list[nn.Module] = []
    for size in hidden:
        layers += [nn.Linear(width, size), nn.ReLU(), nn.Dropout(dropout)]
        width = size
    last = nn.Linear(width, 1)
    nn.init.zeros_(last.weight)
    nn.init.zeros_(last.bias)
    return nn.Sequential(*layers, last)


def _step_size(done: float) -> float:
    """Return the share of the full step size: up over 30 % of training, then down to none."""
    if done < 0.3:
        return 0.04 + 0.96 * (1 - math.cos(math.pi * done / 0.3)) / 2
    return (1 + math.cos(math.pi * (done - 0.3) / 0.7)) / 2


def _bounds(values: Floats) -> Floats:
    """Return the ends of a feature's pieces: its values if they are few, else quantiles."""
    distinct = np.unique(values)
    if len(distinct) <= _PIECES + 1:
        return distinct
    return np.unique(np.quantile(values, np.linspace(0, 1, _PIECES + 1)).astype(np.float32))


def _pieces(features: Floats, feature: npt.NDArray[np.int64], low: Floats, high: Floats) -> Floats:
    return np.clip((features[:, feature] - low) / (high - low), 0, 1)
