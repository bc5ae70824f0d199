"""How far a training is, kept on disk so that a killed job goes on where it was."""

from __future__ import annotations

import json
import pickle
import sys
import time
from copy import deepcopy
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from torch import nn

from tabia.tables.parquet import atomic_path

__all__ = ["Course", "Optimiser", "Standing"]

_SAVE_EVERY_S = 60.0


class Optimiser(Protocol):
    """What moves the weights of a net: one of ``torch.optim``, or our own."""

    def zero_grad(self) -> None:
        """Forget the gradients."""
        ...

    def step(self) -> object:
        """Move the weights by their gradients."""
        ...

    def state_dict(self) -> dict[str, Any]:
        """Return what a restart needs."""
        ...

    def load_state_dict(self, state: dict[str, Any], /) -> None:
        """Go on from what :meth:`state_dict` returned."""
        ...


@dataclass
class Standing:
    """Where a training stands.

    Attributes
    ----------
    epoch
        Epochs that are over.
    steps, rows, total
        Steps and rows of the epoch that runs, and the sum of their losses.
    trained, validated
        Losses of the epochs that are over.
    best, least
        Epoch, from 1, with the least validation loss, and that loss; 0 before any.
    kept
        Weights of that epoch.
    is_over
        True once training has stopped early.
    """

    epoch: int = 0
    steps: int = 0
    rows: int = 0
    total: float = 0.0
    trained: list[float] = field(default_factory=list)
    validated: list[float] = field(default_factory=list)
    best: int = 0
    least: float = float("inf")
    kept: dict[str, Any] = field(default_factory=dict)
    is_over: bool = False

    def stepped(self, loss: float, rows: int) -> None:
        """Count a step with the mean `loss` of `rows` rows."""
        self.steps += 1
        self.rows += rows
        self.total += loss * rows

    def ended(self, trained: float, validated: float, net: nn.Module) -> None:
        """Count an epoch, and keep the net's weights if they are the best so far."""
        self.epoch += 1
        self.steps, self.rows, self.total = 0, 0, 0.0
        self.trained.append(trained)
        self.validated.append(validated)
        if validated < self.least:
            self.best, self.least = self.epoch, validated
            self.kept = deepcopy(net.state_dict())


class Course:
    """Saves and restores a training.

    Parameters
    ----------
    net, optimiser, schedule, rng
        Whatever changes while it trains, besides torch's own random numbers.
    state
        The file; None keeps nothing.
    """

    def __init__(
        self,
        net: nn.Module,
        optimiser: Optimiser,
        schedule: torch.optim.lr_scheduler.LRScheduler | None,
        rng: np.random.Generator,
        state: Path | None,
    ) -> None:
        self._net, self._optimiser, self._schedule, self._rng = net, optimiser, schedule, rng
        self._state = state
        self._shuffle: dict[str, Any] = {}
        self._saved = time.monotonic()
        self.course = Standing()

    def begin(self, label: str) -> Standing:
        """Return the standing of an earlier, killed run, or a new one.

        A file that cannot be read is said and left aside.
        """
        if self._state is not None and self._state.is_file():
            try:
                self._restore(torch.load(self._state, weights_only=True))
                print(
                    f"{label}: goes on in epoch {self.course.epoch + 1}, step"
                    f" {self.course.steps + 1}",
                    file=sys.stderr,
                )
            except (
                pickle.UnpicklingError,
                RuntimeError,
                ValueError,
                KeyError,
                TypeError,
                EOFError,
            ) as error:
                print(
                    f"{label}: {self._state} cannot be read ({error}); training begins anew",
                    file=sys.stderr,
                )
                self.course = Standing()
        return self.course

    def shuffles(self) -> None:
        """Remember the generator before it shuffles an epoch's rows."""
        self._shuffle = dict(self._rng.bit_generator.state)

    def save_now_and_then(self) -> None:
        """Save, if the last time was a minute ago; weights do not depend on when."""
        if self._state is None or time.monotonic() - self._saved < _SAVE_EVERY_S:
            return
        self.save()

    def save(self) -> None:
        """Save everything that a restart needs."""
        if self._state is None:
            return
        schedule = None if self._schedule is None else self._schedule.state_dict()
        with atomic_path(self._state) as unfinished:
            torch.save(
                {
                    "net": self._net.state_dict(),
                    "optimiser": self._optimiser.state_dict(),
                    "schedule": schedule,
                    "standing": asdict(self.course),
                    "shuffle": json.dumps(self._shuffle),
                    "torch": torch.get_rng_state(),
                },
                unfinished,
            )
        self._saved = time.monotonic()

    def remove(self) -> None:
        """Forget what was kept: training is over."""
        if self._state is not None:
            self._state.unlink(missing_ok=True)

    def _restore(self, found: dict[str, Any]) -> None:
        standing = Standing(**found["standing"])
        self._net.load_state_dict(found["net"])
        self._optimiser.load_state_dict(found["optimiser"])
        if self._schedule is not None:
            self._schedule.load_state_dict(found["schedule"])
        self._rng.bit_generator.state = json.loads(found["shuffle"])
        torch.set_rng_state(found["torch"])
        self.course = standing
