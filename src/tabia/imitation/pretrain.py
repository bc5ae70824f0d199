"""Stage ``imitation.pretrain``: the one net on unrated games, before it sees rated ones.

A game that is among the rated ones too is left out: its moves would be known before they are
tested. Training can be killed and goes on where it was, to the same weights.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tabia.imitation.models.config import OneNet
from tabia.imitation.models.one_net import Net, OneNetPolicy, train_net
from tabia.imitation.net_inputs import Shown
from tabia.imitation.positions import Positions
from tabia.learning.folder import atomic_folder
from tabia.learning.training import reproducible
from tabia.records.hashing import unit_of
from tabia.tables.spec import Spec

__all__ = ["PretrainError", "run"]

_ORDER = 0x4F52444552000006
_HELD = 0x48454C4400000007
_HELD_SHARE = 0.01
_HELD_MOST = 20_000


class PretrainError(ValueError):
    """No unrated game to learn from."""

    exit_code = 3


def run(spec: Spec, *, unrated: Path, samples: Path, state: Path, model: Path) -> None:
    """Train the net and write its weights.

    Parameters
    ----------
    spec
        ``config`` holds ``seed`` and ``settings`` (:class:`OneNet`, what matters here of it);
        the wildcard is ``game``.
    unrated, samples
        IN: samples of unrated games, and of the rated ones, which are left out.
    state
        Folder for what a killed job has done.
    model
        OUT: folder of the weights.

    Raises
    ------
    PretrainError
        If fewer than two unrated games are left.
    """
    settings = OneNet.model_validate(spec.config["settings"])
    positions = Positions.read(unrated)
    known = np.unique(Positions.read(samples).split_hash)
    fresh = ~np.isin(positions.split_hash, known)
    held = fresh & (unit_of(positions.split_hash, _HELD) < _HELD_SHARE)
    if fresh.any() and not held.any():
        held = fresh & (positions.split_hash == positions.split_hash[fresh].min())
    train, validation = np.flatnonzero(fresh & ~held), np.flatnonzero(held)[:_HELD_MOST]
    if not len(train) or not len(validation):
        raise PretrainError(
            f"{unrated}: fewer than two games that are not among the rated ones; name more under"
            f" imitation.{positions.game}.unrated, or leave it out"
        )
    train = _some(positions, train, settings.pretraining_positions)
    seed = int(spec.rng("pretrain").integers(2**31))
    rows, checked = (Shown(positions, index, settings.memory) for index in (train, validation))
    training = settings.pretraining
    with reproducible(seed, threads=training.threads):
        net = Net(rows.shape, settings.channels, settings.blocks)
        history = train_net(
            net,
            rows,
            checked,
            settings,
            training,
            seed,
            label="pretrain one_net",
            state=state / f"{spec.hash}.pt",
        )
    policy = OneNetPolicy(
        net=net,
        channels=settings.channels,
        blocks=settings.blocks,
        memory=settings.memory,
        precision=settings.precision,
        epochs=history.best,
        pretrained=False,
    )
    with atomic_folder(model) as folder:
        policy.save(folder)


def _some(positions: Positions, rows: np.ndarray, most: int | None) -> np.ndarray:
    """Return the rows of whole games, drawn by content, that hold `most` positions at most."""
    if most is None or len(rows) <= most:
        return rows
    order = unit_of(positions.split_hash[rows], _ORDER)
    limit = np.sort(order)[most]  # of a game that no longer fits as a whole
    return np.asarray(rows[order < limit])
