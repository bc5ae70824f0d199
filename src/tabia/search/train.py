"""Stage ``search.train``: the next generation's net, from the games of the last ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
import torch

from tabia.learning.training import Batch, History, Plan, Rows, reproducible, train
from tabia.search.learning_config import Learning
from tabia.search.lessons import read
from tabia.search.nets import folder
from tabia.search.nets.config import Small
from tabia.search.nets.loss import Targets, loss, squared_weights
from tabia.search.nets.net import Net
from tabia.search.resume import state_name
from tabia.search.start import RULES, told_rules
from tabia.search.times import TRAINING, Done, Stopwatch
from tabia.search.times import write as write_times
from tabia.tables.spec import Spec

__all__ = ["PRETRAINED", "REVISION", "Taught", "run", "train_net"]

REVISION = 2
"""Raised when other weights come out of the same games and configuration."""

PRETRAINED = ("pretrained", "pretrained_by", "pretrained_games")
"""Facts of a net that learned from records, which the nets that go on from it have too."""

_CLIP = 5.0
_WARM = 0.1  # share of the steps in which the step size rises


def run(
    spec: Spec,
    *,
    games: Sequence[Path],
    positions: Sequence[Path],
    net: Path,
    state: Path,
    model: Path,
    times: Path,
) -> None:
    """Train.

    Parameters
    ----------
    spec
        ``config`` holds ``seed``, ``rules``, ``targets`` and ``learning`` (:class:`Learning`);
        wildcards are ``run`` and ``generation``.
    games, positions
        IN: tables of self-play of the window's generations, in the same order.
    net
        IN: folder of the last trained net, whose weights are where this training begins.
    state
        Folder for what a killed job has done.
    model
        OUT: folder of the new net.
    times
        OUT: :data:`tabia.search.times.TIMES`, of the steps that were taken since the job was
        started last.

    Raises
    ------
    ValueError
        If the games have no position to learn from.
    """
    whole, work = Stopwatch(), Stopwatch()
    with whole.timed():
        done = _learn(
            spec, work, games=games, positions=positions, net=net, state=state, model=model
        )
    write_times(times, spec, TRAINING, whole, work, done)


def _learn(
    spec: Spec,
    work: Stopwatch,
    *,
    games: Sequence[Path],
    positions: Sequence[Path],
    net: Path,
    state: Path,
    model: Path,
) -> Done:
    """Train, and return what of it was not done before; `work` times the steps."""
    taken: list[int] = []
    rules = RULES.validate_python(spec.config["rules"])
    settings = Learning.model_validate(spec.config["learning"])
    generation = int(spec.wildcards["generation"])
    seed = int(spec.rng("train", generation).integers(2**31))
    with reproducible(seed, threads=settings.threads):
        loaded = folder.load(net)
        made = loaded.net
        own = made.settings
        heads = (own.score, own.ownership) if isinstance(own, Small) else (False, False)
        rows, held = read(
            list(zip(games, positions, strict=True)),
            rules,
            made.shape,
            settings,
            spec.config["targets"],
            heads=heads,
            seed=seed,
        )
        name = state_name(spec, [*games, *positions, net])
        with work.timed():
            history = train_net(
                made,
                rows,
                held,
                settings,
                spec.rng("shuffle", generation),
                label=f"train {spec.wildcards['run']} {generation}",
                state=state / f"{name}.pt",
                stepped=taken.append,
            )
    folder.save(
        model,
        made,
        {
            "run": spec.wildcards["run"],
            "generation": generation,
            "games": rows.games,
            "positions": len(rows),
            "held_games": held.games,
            "held_positions": len(held),
            "passes": history.best,
            "loss": round(history.validation[history.best - 1], 6),
            **told_rules(rules),
            # What the first of these nets began with is true of all of them.
            **{key: fact for key, fact in loaded.provenance.items() if key in PRETRAINED},
        },
    )
    passed = len(history.train) * len(rows)
    return Done(rows.games, sum(taken), None, sum(taken) / passed)


class Taught(Rows, Protocol):
    """Rows with targets for a net of this chapter."""

    def targets(self, batch: Batch) -> Targets:
        """Return the targets in what ``take`` gave."""
        ...


def train_net(
    net: Net,
    rows: Taught,
    held: Taught,
    settings: Learning,
    rng: np.random.Generator,
    *,
    label: str,
    state: Path | None = None,
    stepped: Callable[[int], None] = lambda rows: None,
) -> History:
    """Train `net` in place by Adam, the step size rising and then falling; keep the best pass.

    `stepped` is told the rows of every step that is taken here, and not before the job was killed.
    """
    net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    optimiser = torch.optim.Adam(net.parameters(), lr=settings.learning_rate, betas=(0.9, 0.99))
    steps = settings.passes * -(-len(rows) // settings.batch)
    # The schedule divides by the rising steps less one.
    warm = 1.1 * _WARM if _WARM * (steps + 1) == 1 else _WARM
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, settings.learning_rate, total_steps=steps + 1, pct_start=warm,
        cycle_momentum=False,  # or Adam's first beta would swing with the step size
    )  # fmt: skip

    def of_batch(batch: Batch) -> torch.Tensor:
        found = loss(net(batch[0], batch[1]), rows.targets(batch), settings.weights).total
        if not net.training:
            return found
        stepped(len(batch[0]))
        # The penalty belongs to training; validation measures what the net says.
        return found + settings.weights.l2 * squared_weights(net)

    plan = Plan(
        epochs=settings.passes, batch=settings.batch, stop_after=settings.passes, clip=_CLIP
    )
    return train(
        net, optimiser, of_batch, rows, held, plan, rng,
        label=label, schedule=schedule, by_step=True, state=state,
    )  # fmt: skip
