"""The one training loop: steps over shuffled batches, early stopping, the best weights kept.

The caller brings a net, an optimiser, a loss and rows; the loop knows nothing of what they
mean. All of it, the making of the net included, belongs inside :func:`reproducible`::

    with reproducible(seed, threads=1):
        net = make_net()
        optimiser = torch.optim.SGD(net.parameters(), lr=0.01)
        history = train(net, optimiser, loss, rows, held, plan, rng, label="train cnn")

Equal arguments then give equal weights, bit by bit, on one kind of CPU.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from tabia.learning.course import Course, Optimiser
from tabia.learning.examples import blocks
from tabia.tables.progress import Progress

__all__ = [
    "Batch",
    "DivergedError",
    "History",
    "Loss",
    "Plan",
    "Rows",
    "Tensors",
    "reproducible",
    "single_threaded",
    "train",
]

_HELD_BATCH = 1024  # rows of the validation split measured at once

Batch = tuple[torch.Tensor, ...]
"""Some rows: one tensor a kind of number, the first axis of each the rows."""

Loss = Callable[[Batch], torch.Tensor]
"""Mean loss of a batch, a scalar that can be differentiated by the net's weights."""


class DivergedError(ValueError):
    """Training whose loss on validation was not a finite number after the first epoch."""

    exit_code = 2


class Rows(Protocol):
    """Rows that are expanded to tensors batch by batch, so that millions of them fit."""

    def __len__(self) -> int: ...

    def take(self, index: npt.NDArray[np.intp]) -> Batch:
        """Return the rows ``[m]`` with these numbers."""
        ...


@dataclass(frozen=True)
class Tensors:
    """Rows that are tensors already.

    Attributes
    ----------
    parts
        Tensors of equal length.
    """

    parts: Batch

    def __post_init__(self) -> None:
        lengths = [len(part) for part in self.parts]
        if len(set(lengths)) != 1:
            raise ValueError(f"tensors of one length are needed, these have {lengths} rows")

    def __len__(self) -> int:
        return len(self.parts[0])

    def take(self, index: npt.NDArray[np.intp]) -> Batch:
        """Return some rows."""
        chosen = torch.from_numpy(index)
        return tuple(part[chosen] for part in self.parts)


@dataclass(frozen=True)
class Plan:
    """How long to train, and in which steps.

    Attributes
    ----------
    epochs
        Passes over the training rows at most.
    batch
        Rows a step at most; the batches of an epoch differ by one row at most, so that no
        small last batch takes a step as large as the others.
    stop_after
        Training stops when the validation loss has reached no new minimum for so many epochs.
    clip
        A gradient longer than this (Euclidean norm over all weights) is shortened to it; None
        leaves gradients as they are.
    """

    epochs: int
    batch: int
    stop_after: int
    clip: float | None = None


@dataclass(frozen=True)
class History:
    """How training went.

    Attributes
    ----------
    best
        Epoch, from 1, whose weights were kept: the first with the least validation loss.
    train
        Mean loss over each epoch's steps, which are taken while the weights move.
    validation
        Loss after each epoch.
    """

    best: int
    train: tuple[float, ...]
    validation: tuple[float, ...]


@contextmanager
def reproducible(seed: int, *, threads: int) -> Iterator[None]:
    """Give the block random numbers from `seed`, deterministic algorithms and `threads` threads.

    torch's own random state, thread count and choice of algorithms are restored afterwards.
    Sums depend on the number of threads, so it is part of what must be equal.
    """
    algorithms = torch.get_deterministic_debug_mode()
    with torch.random.fork_rng(devices=[]), _threads(threads):
        torch.manual_seed(seed)
        # use_deterministic_algorithms() does the same and loads torch's compiler, 1.1 s.
        torch.set_deterministic_debug_mode("error")
        try:
            yield
        finally:
            torch.set_deterministic_debug_mode(algorithms)


@contextmanager
def single_threaded() -> Iterator[None]:
    """Run the block without gradients on one thread; the thread count is restored afterwards."""
    with torch.inference_mode(), _threads(1):
        yield


@contextmanager
def _threads(count: int) -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def train(
    net: nn.Module,
    optimiser: Optimiser,
    loss: Loss,
    rows: Rows,
    held: Rows,
    plan: Plan,
    rng: np.random.Generator,
    *,
    label: str,
    schedule: torch.optim.lr_scheduler.LRScheduler | None = None,
    by_step: bool = False,
    state: Path | None = None,
) -> History:
    """Train `net` in place and leave it, in evaluation mode, with its best weights.

    Parameters
    ----------
    net, optimiser
        The net, and what moves its weights.
    loss
        Mean loss of a batch, by `net`.
    rows, held
        Training and validation rows, at least one each.
    rng
        Shuffles the rows of every epoch.
    label
        Begins the line of progress on stderr, ``"train cnn_planes"``.
    schedule
        Moves the step size; None leaves it to the optimiser.
    by_step
        The schedule moves after every step and not after every epoch.
    state
        File that keeps how far training is, so that a killed job goes on where it was and ends with
        the same weights; removed at the end. None keeps nothing.

    Raises
    ------
    DivergedError
        If no epoch ended with a finite validation loss.
    """
    if not len(rows) or not len(held):
        raise ValueError(f"{label}: {len(rows)} training and {len(held)} validation rows")
    kept = Course(net, optimiser, schedule, rng, state)
    course = kept.begin(label)
    with Progress(label, plan.epochs * len(rows), "rows at most") as progress:
        progress.advance(course.epoch * len(rows) + course.rows)
        while course.epoch < plan.epochs and not course.is_over:
            step = schedule if by_step else None
            mean = _epoch(net, optimiser, loss, rows, plan, rng, progress, kept, step)
            course.ended(mean, _mean_loss(net, loss, held), net)
            # From a loss that is not finite no step leads back.
            last = course.validated[-1]
            course.is_over = course.epoch - course.best >= plan.stop_after or not np.isfinite(last)
            if schedule is not None and not by_step and not course.is_over:
                schedule.step()
    kept.remove()
    if not course.best:
        raise DivergedError(
            f"{label}: the validation loss is {course.validated[-1]} after epoch {course.epoch};"
            " take a smaller learning_rate"
        )
    net.load_state_dict(course.kept)
    net.eval()
    return History(course.best, tuple(course.trained), tuple(course.validated))


def _epoch(
    net: nn.Module,
    optimiser: Optimiser,
    loss: Loss,
    rows: Rows,
    plan: Plan,
    rng: np.random.Generator,
    progress: Progress,
    kept: Course,
    schedule: torch.optim.lr_scheduler.LRScheduler | None,
) -> float:
    """Take one step a batch, from where the course is; return the mean loss."""
    net.train()
    course = kept.course
    kept.shuffles()
    order = rng.permutation(len(rows))
    for index in np.array_split(order, -(-len(rows) // plan.batch))[course.steps :]:
        optimiser.zero_grad()
        value = loss(rows.take(index))
        value.backward()  # type: ignore[no-untyped-call]
        if plan.clip is not None:
            nn.utils.clip_grad_norm_(net.parameters(), plan.clip)
        optimiser.step()
        if schedule is not None:
            schedule.step()
        course.stepped(float(value.detach()), len(index))
        progress.advance(len(index))
        kept.save_now_and_then()
    return course.total / len(rows)


def _mean_loss(net: nn.Module, loss: Loss, rows: Rows) -> float:
    net.eval()
    total = 0.0
    with torch.inference_mode():
        for part in blocks(len(rows), _HELD_BATCH):
            index = np.arange(part.start, part.stop)
            total += float(loss(rows.take(index))) * len(index)
    return total / len(rows)
