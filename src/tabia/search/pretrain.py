"""Stage ``search.pretrain``: a net of generation 0 that has learned from records."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch

from tabia.learning.training import reproducible
from tabia.search.chosen_records import chosen
from tabia.search.config import GoRules
from tabia.search.learning_config import Learning, Pretrain
from tabia.search.nets import folder
from tabia.search.nets.config import NetShape, Small, architecture_of
from tabia.search.nets.net import Net, make
from tabia.search.record_lessons import RecordLessons, read_games
from tabia.search.resume import state_name
from tabia.search.start import RULES, shape_of, told_rules
from tabia.search.train import train_net
from tabia.tables.spec import Spec

__all__ = ["REVISION", "run"]

REVISION = 1
"""Raised when other weights come out of the same records and configuration."""

_MEASURED = 1024  # positions at once


def run(spec: Spec, *, games: Sequence[Path], state: Path, net: Path) -> None:
    """Draw the weights and train them on the records' own board.

    Parameters
    ----------
    spec
        ``config`` holds ``seed``, ``rules``, ``net`` (an architecture), ``history``,
        ``liberties``, ``pretrain`` (:class:`Pretrain`) and ``splits`` (shares by name); the
        wildcard is ``run``.
    games
        IN: tables of the source's games.
    state
        Folder for what a killed job has done.
    net
        OUT: folder of the net, for the learner's own board.

    Raises
    ------
    RecordsError
        If there is no game to learn from, or none to measure the loss on.
    ValueError
        If the net cannot learn on one board and play on another.
    """
    rules = RULES.validate_python(spec.config["rules"])
    settings = Pretrain.model_validate(spec.config["pretrain"])
    architecture = architecture_of(spec.config["net"])
    own = shape_of(rules, spec.config["history"], liberties=spec.config["liberties"])
    shape, size = own, None
    if isinstance(rules, GoRules):
        size = settings.size
        shape = own.resized(size)
        rules = rules.model_copy(update={"size": size})
    wanted, measured = chosen(
        games, size, spec.config["splits"], games=settings.games, held=settings.held,
        source=settings.source,
    )  # fmt: skip
    heads = (
        (architecture.score, architecture.ownership)
        if isinstance(architecture, Small)
        else (False, False)
    )
    rows, held = (
        read_games(
            table, rules, shape, heads=heads, share=settings.share, symmetries=is_shown
        )
        for table, is_shown in ((wanted, settings.symmetries), (measured, False))
    )  # fmt: skip
    run_name = spec.wildcards["run"]
    print(
        f"pre-train {run_name}: {len(rows):,} positions of {rows.games:,} games, {rows.cut:,} of"
        " them without their ends, which the learner's rules do not have",
        file=sys.stderr,
    )
    with reproducible(int(spec.rng("pretrain").integers(2**31)), threads=settings.threads):
        made = make(shape, architecture)
        history = train_net(
            made,
            rows,
            held,
            Learning.model_validate(
                settings.model_dump(
                    include={"passes", "batch", "learning_rate", "weights", "threads"}
                )
            ),
            spec.rng("shuffle"),
            label=f"pre-train {run_name}",
            state=state / f"{state_name(spec, games)}.pt",
        )
        agreement = _agreement(made, held)
        moved = _for_board(made, own)
    folder.save(
        net,
        moved,
        {
            "run": run_name,
            "generation": 0,
            "games": 0,
            **told_rules(rules),
            "pretrained": settings.source,
            "pretrained_by": _players(wanted["played_by"].to_pylist()),
            "pretrained_games": rows.games,
            "pretrained_positions": len(rows),
            "pretrained_passes": history.best,
            "pretrained_held_games": held.games,
            "pretrained_held_positions": len(held),
            "pretrained_loss": round(history.validation[history.best - 1], 6),
            "pretrained_agreement": round(agreement, 6),
        },
    )


def _agreement(net: Net, held: RecordLessons) -> float:
    """Return the share of the positions held back in which the net's first move was played."""
    same = 0
    with torch.inference_mode():
        for start in range(0, len(held), _MEASURED):
            index = np.arange(start, min(start + _MEASURED, len(held)))
            batch = held.take(index)
            found = net(batch[0], batch[1]).policy.argmax(1).numpy()
            same += int((found == held.label[index]).sum())
    return same / len(held)


def _for_board(net: Net, shape: NetShape) -> Net:
    """Return the net with its weights for another board; ValueError if it has but one."""
    if shape == net.shape:
        return net
    net.shape_on(shape.rows, shape.columns)
    moved = make(shape, net.settings)
    moved.load_state_dict(net.state_dict())
    return moved.eval()


def _players(played_by: Sequence[str]) -> str:
    return ", ".join(dict.fromkeys(sorted(played_by)))
