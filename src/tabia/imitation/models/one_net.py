"""One net for all Elos: board and last moves in, both players' Elos as inputs.

A residual net over the board; every second block also sees the means of its row, column and board
(rooks and cannons act along them). A legal move's score is the product of a vector of the square
where it starts and one of the square where it ends, plus a number for its label; the softmax runs
over the legal moves alone. A side output predicts the game's result.

The net is trained on unrated games first (stage ``imitation.pretrain``), with both Elos unknown,
and then on rated ones. Where there are no unrated games it starts from nothing.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.numpy import load_file, save_file
from torch import nn
from torch.nn import functional

from tabia.imitation.models.config import OneNet, Training
from tabia.imitation.net_inputs import N_ELO_NUMBERS, Shape, Shown
from tabia.imitation.policy import Fact, Lesson, Prediction
from tabia.imitation.positions import Positions
from tabia.learning.training import Batch, History, Plan, reproducible, single_threaded, train

__all__ = ["Net", "OneNetPolicy", "fit", "load", "read_weights", "train_net"]

_WEIGHTS = "weights.safetensors"
_SHAPE = "net.json"
_WIDTH = 48  # of the vectors of squares
_HIDDEN = 64  # of the side output
_BATCH = 512  # positions predicted together
_DECAY = 0.01
_CLIP = 1.0
_WARM = 0.1  # share of the steps in which the step size rises


class _Block(nn.Module):
    """Two convolutions around a shortcut.

    Parameters
    ----------
    sees_lines
        Between the convolutions every square is given the means of its row, its column and the
        board.
    """

    def __init__(self, channels: int, *, sees_lines: bool) -> None:
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.first_norm = nn.BatchNorm2d(channels)
        self.second = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.second_norm = nn.BatchNorm2d(channels)
        self.lines: nn.ModuleList | None = None
        if sees_lines:
            self.lines = nn.ModuleList([nn.Linear(channels, channels) for _ in range(3)])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = functional.relu(self.first_norm(self.first(x)))
        if self.lines is not None:
            of_row, of_column, of_board = self.lines
            row, column = h.mean(3), h.mean(2)
            h = h + of_row(row.transpose(1, 2)).transpose(1, 2)[:, :, :, None]
            h = h + of_column(column.transpose(1, 2)).transpose(1, 2)[:, :, None, :]
            h = h + of_board(row.mean(2))[:, :, None, None]
        return functional.relu(x + self.second_norm(self.second(h)))


class Net(nn.Module):
    """Scores of legal moves, and of the three results.

    Parameters
    ----------
    shape
        Inputs and labels.
    channels, blocks
        Size of the trunk.
    """

    def __init__(self, shape: Shape, channels: int, blocks: int) -> None:
        super().__init__()
        self.shape = shape
        self.inputs = nn.Conv2d(shape.n_planes, channels, 3, padding=1)
        self.numbers = nn.Linear(shape.n_numbers, channels)
        self.place = nn.Parameter(torch.zeros(1, channels, shape.rows, shape.columns))
        self.blocks = nn.ModuleList(
            [_Block(channels, sees_lines=bool(place % 2)) for place in range(blocks)]
        )
        self.start = nn.Conv2d(channels, _WIDTH, 1)
        self.end = nn.Conv2d(channels, _WIDTH, 1)
        self.all = nn.Linear(channels + shape.n_numbers, _WIDTH)
        self.label = nn.Embedding(shape.n_labels, 1)
        nn.init.zeros_(self.label.weight)
        # Unrated games teach nothing of Elos; what was drawn for them would only be noise later.
        with torch.no_grad():
            self.numbers.weight[:, :N_ELO_NUMBERS] = 0
            self.all.weight[:, channels : channels + N_ELO_NUMBERS] = 0
        self.result = nn.Sequential(nn.Linear(channels, _HIDDEN), nn.ReLU(), nn.Linear(_HIDDEN, 3))

    def forward(
        self,
        planes: torch.Tensor,
        numbers: torch.Tensor,
        start: torch.Tensor,
        end: torch.Tensor,
        label: torch.Tensor,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return scores ``[n, L]`` of moves and ``[n, 3]`` of results."""
        h = self.inputs(planes) + self.numbers(numbers)[:, :, None, None] + self.place
        h = functional.relu(h)
        for block in self.blocks:
            h = block(h)
        mean = h.mean((2, 3))
        of_all = self.all(torch.cat([mean, numbers.to(mean.dtype)], dim=1))
        n, squares = len(planes), self.shape.rows * self.shape.columns
        first = torch.arange(n)[:, None] * squares
        starts = self.start(h).flatten(2).transpose(1, 2) + of_all[:, None]
        ends = self.end(h).flatten(2).transpose(1, 2)
        # index_select, because its gradient is a sum in a fixed order.
        from_ = starts.reshape(-1, _WIDTH).index_select(0, (first + start).flatten())
        to = ends.reshape(-1, _WIDTH).index_select(0, (first + end).flatten())
        score = (from_ * to).float().sum(1).view(start.shape) / math.sqrt(_WIDTH)
        return score + self.label(label).squeeze(-1), self.result(mean).float()


@dataclass(frozen=True)
class OneNetPolicy:
    """A trained net.

    Attributes
    ----------
    net
        The net, in evaluation mode.
    channels, blocks, memory
        Its size and inputs.
    precision
        Numbers that it computes in.
    epochs
        Passes over the rated games behind the weights.
    pretrained
        True if it began with weights from unrated games.
    """

    net: Net
    channels: int
    blocks: int
    memory: int
    precision: str
    epochs: int
    pretrained: bool

    @property
    def n_parameters(self) -> int:
        """Weights and biases."""
        return sum(weight.numel() for weight in self.net.parameters())

    @property
    def facts(self) -> Mapping[str, Fact]:
        """Epochs that early stopping kept, and where the weights began."""
        return {
            "epochs": self.epochs,
            "began_with": "unrated games" if self.pretrained else "nothing",
        }

    def predict(self, positions: Positions, index: NDArray[np.intp]) -> Prediction:
        """Return the distributions of rows `index`; see :class:`tabia.imitation.policy.Policy`."""
        rows = Shown(positions, index, self.memory)
        _, offsets = positions.legal_of(index)
        p = np.empty(int(offsets[-1]), np.float32)
        result = np.empty((len(index), 3), np.float32)
        self.net.eval()
        with single_threaded():
            for start in range(0, len(index), _BATCH):
                part = np.arange(start, min(start + _BATCH, len(index)))
                batch = rows.take(part)
                score, outcome = _scores(self.net, batch, self.precision)
                share = torch.softmax(score, dim=1)[batch[5]]
                p[offsets[part[0]] : offsets[part[-1] + 1]] = share.numpy()
                result[part] = torch.softmax(outcome, dim=1).numpy()
        return Prediction(offsets=offsets, p=p, result=result)

    def save(self, folder: Path) -> None:
        """Write ``weights.safetensors`` and ``net.json``."""
        weights = {name: part.contiguous().numpy() for name, part in self.net.state_dict().items()}
        save_file(weights, folder / _WEIGHTS)
        about = {
            "shape": asdict(self.net.shape),
            "channels": self.channels,
            "blocks": self.blocks,
            "memory": self.memory,
            "precision": self.precision,
            "epochs": self.epochs,
            "pretrained": self.pretrained,
        }
        text = json.dumps(about, indent=1, sort_keys=True) + "\n"
        (folder / _SHAPE).write_text(text, encoding="utf-8")


def fit(lesson: Lesson, settings: Mapping[str, Any], seed: int) -> OneNetPolicy:
    """Train on rated games, from the weights of unrated ones where there are any."""
    own = OneNet.model_validate(_own(settings))
    rows, held = (
        Shown(lesson.positions, index, own.memory) for index in (lesson.train, lesson.validation)
    )
    with reproducible(seed, threads=own.fine_tuning.threads):
        net = Net(rows.shape, own.channels, own.blocks)
        if lesson.pretrained is not None:
            read_weights(net, lesson.pretrained)
        history = train_net(net, rows, held, own, own.fine_tuning, seed, label="train one_net")
    return OneNetPolicy(
        net=net,
        channels=own.channels,
        blocks=own.blocks,
        memory=own.memory,
        precision=own.precision,
        epochs=history.best,
        pretrained=lesson.pretrained is not None,
    )


def train_net(
    net: Net,
    rows: Shown,
    held: Shown,
    settings: OneNet,
    training: Training,
    seed: int,
    *,
    label: str,
    state: Path | None = None,
) -> History:
    """Train `net` in place: AdamW, the step size rising for a tenth of the steps, then falling."""
    net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    decayed = [weight for weight in net.parameters() if weight.ndim > 1]
    others = [weight for weight in net.parameters() if weight.ndim <= 1]
    optimiser = torch.optim.AdamW(
        [{"params": decayed, "weight_decay": _DECAY}, {"params": others, "weight_decay": 0.0}],
        lr=training.learning_rate,
        betas=(0.9, 0.99),
    )
    steps = training.epochs * -(-len(rows) // training.batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, training.learning_rate, total_steps=steps + 1, pct_start=_WARM
    )

    def loss(batch: Batch) -> torch.Tensor:
        score, outcome = _scores(net, batch, settings.precision)
        moves = functional.cross_entropy(score, batch[6])
        known = batch[7] >= 0
        if not settings.result_weight or not bool(known.any()):
            return moves
        result = functional.cross_entropy(outcome, batch[7], ignore_index=-100)
        return moves + settings.result_weight * result

    plan = Plan(
        epochs=training.epochs, batch=training.batch, stop_after=training.stop_after, clip=_CLIP
    )
    rng = np.random.default_rng(seed)
    return train(
        net, optimiser, loss, rows, held, plan, rng,
        label=label, schedule=schedule, by_step=True, state=state,
    )  # fmt: skip


def _scores(net: Net, batch: Batch, precision: str) -> tuple[torch.Tensor, torch.Tensor]:
    planes, numbers, start, end, label, is_move = batch[:6]
    with _computing(precision):
        score, outcome = net(planes, numbers, start, end, label)
    return score.masked_fill(~is_move, -1e9), outcome


def _computing(precision: str) -> AbstractContextManager[object]:
    if precision == "bfloat16":
        return torch.autocast("cpu", dtype=torch.bfloat16)
    return nullcontext()


def _own(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in settings.items() if name in OneNet.model_fields}


def load(folder: Path) -> OneNetPolicy:
    """Read a model back; it predicts exactly as the saved one."""
    about = json.loads((folder / _SHAPE).read_text(encoding="utf-8"))
    net = Net(Shape(**about.pop("shape")), about["channels"], about["blocks"])
    read_weights(net, folder)
    net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    net.eval()
    return OneNetPolicy(net=net, **about)


def read_weights(net: Net, folder: Path) -> None:
    """Load the weights of a folder into `net`."""
    weights = load_file(folder / _WEIGHTS)
    net.load_state_dict({name: torch.from_numpy(part) for name, part in weights.items()})
