"""The book, the one net and the trees, pooled log-linearly.

A legal move's score is the weighted sum of the logarithms of the probabilities that the parts give
it, and a softmax over the legal moves makes probabilities of the scores:

    p(a) = exp(sum_k w_k log p_k(a)) / sum_b exp(sum_k w_k log p_k(b)),    w_k >= 0.

The sum of the weights is what an inverse temperature would be, so there is none besides. The
weights minimise the negative log-likelihood of the validation rows, a convex problem (Genest and
Zidek, "Combining probability distributions", Statistical Science 1, 1986, section 3, for the pool).
Positions that the book knows have weights of their own where that helps: where weights found on one
half of the validation games, and tried on the other half, are better with the distinction both
ways.

The parts were stopped early on the same validation rows. A handful of weights cannot make much of
that: what they could learn by heart is a few numbers, and the distinction is decided across games.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, cast, runtime_checkable

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from tabia.imitation.by_position import log_softmax, played_places
from tabia.imitation.models import modules
from tabia.imitation.models.config import Ensemble
from tabia.imitation.policy import Fact, Lesson, Policy, PolicyModule, Prediction
from tabia.imitation.positions import Positions
from tabia.records.hashing import unit_of
from tabia.tables import parquet

__all__ = ["EnsemblePolicy", "MissingPartError", "fit", "load"]

Index = NDArray[np.intp]
Doubles = NDArray[np.float64]

_FILE = "ensemble.json"
_PARTS = "parts"
_LEAST = 1e-9  # probability; below it a part's "never" would decide alone
_HALVES = 0x48414C4600000007  # apart from folds and validation
_BATCH = 4096  # positions predicted together
STAGES = ("known to the book", "new to the book")
"""Kinds of positions that may have weights of their own."""


class MissingPartError(ValueError):
    """A part of an ensemble that is not there."""

    exit_code = 3


@runtime_checkable
class _Knows(Protocol):
    def knows(self, positions: Positions, index: Index) -> NDArray[np.bool_]: ...


@dataclass(frozen=True)
class EnsemblePolicy:
    """Models and their weights.

    Attributes
    ----------
    parts
        The models, by name.
    folders
        Where they were read, by name.
    weights
        `[1, k]`, or `[2, k]` in the order of :data:`STAGES`.
    """

    parts: Mapping[str, Policy]
    folders: Mapping[str, Path]
    weights: Doubles

    @property
    def n_parameters(self) -> int:
        """Numbers in all parts, and the weights."""
        return sum(part.n_parameters for part in self.parts.values()) + self.weights.size

    @property
    def facts(self) -> Mapping[str, Fact]:
        """The weights."""
        stages = STAGES if len(self.weights) == len(STAGES) else ("",)
        return {
            f"weight of {name}{stage and ', '}{stage}": round(float(weight), 4)
            for stage, row in zip(stages, self.weights, strict=True)
            for name, weight in zip(self.parts, row, strict=True)
        }

    def predict(self, positions: Positions, index: Index) -> Prediction:
        """Return the distributions of rows `index`, with the part's result that has one."""
        log_p, stage, found = _told(self.parts, positions, index)
        _, offsets = positions.legal_of(index)
        if not len(index):
            return Prediction(offsets, np.zeros(0, np.float32))
        weights = self.weights[stage if len(self.weights) > 1 else np.zeros_like(stage)]
        scores = (log_p * np.repeat(weights, np.diff(offsets), axis=0)).sum(1)
        p = np.exp(log_softmax(scores, offsets)).astype(np.float32)
        result = next((one.result for one in found if one.result is not None), None)
        return Prediction(offsets, p, result=result)

    def save(self, folder: Path) -> None:
        """Write ``ensemble.json`` and copies of the parts, below ``parts``."""
        about = {"parts": list(self.parts), "weights": self.weights.tolist()}
        parquet.write_text(folder / _FILE, json.dumps(about, indent=1) + "\n")
        for name, source in self.folders.items():
            shutil.copytree(source, folder / _PARTS / name)


def fit(lesson: Lesson, settings: Mapping[str, Any], seed: int) -> EnsemblePolicy:
    """Find the weights; nothing is random, so `seed` does nothing.

    Raises
    ------
    MissingPartError
        If the folder of a part is not there.
    """
    chosen = Ensemble.model_validate(
        {key: value for key, value in settings.items() if key in Ensemble.model_fields}
    )
    folders = dict(lesson.parts or {})
    if not folders:
        raise MissingPartError("ensemble: no parts were given; it is put together from models")
    parts = _read(folders)
    positions, index = lesson.positions, lesson.validation
    log_p, stage, _ = _told(parts, positions, index)
    rows = _Rows(log_p, positions.legal_of(index)[1], played_places(positions, index))
    half = (unit_of(positions.split_hash[index], _HALVES) < 0.5).astype(np.intp)
    steps = chosen.steps
    one = np.zeros_like(stage)
    staged = (_crossed(rows, stage, half, steps) < _crossed(rows, one, half, steps)).all()
    return EnsemblePolicy(parts, folders, _weights(rows, stage if staged else one, steps))


def load(folder: Path) -> EnsemblePolicy:
    """Read a saved ensemble with its parts.

    Raises
    ------
    MissingPartError
        If the folder of a part is not there.
    """
    about = json.loads((folder / _FILE).read_text(encoding="utf-8"))
    folders = {name: folder / _PARTS / name for name in about["parts"]}
    return EnsemblePolicy(_read(folders), folders, np.array(about["weights"], np.float64))


def _read(folders: Mapping[str, Path]) -> Mapping[str, Policy]:
    parts: dict[str, Policy] = {}
    for name, folder in folders.items():
        if not folder.is_dir():
            raise MissingPartError(
                f"ensemble: {folder}: there is no such folder, where its part {name} should be;"
                " run the workflow again"
            )
        parts[name] = cast(PolicyModule, import_module(modules.module(name))).load(folder)
    return parts


def _told(
    parts: Mapping[str, Policy], positions: Positions, index: Index
) -> tuple[Doubles, Index, list[Prediction]]:
    """Return `[M, k]` the parts' log-probabilities, `[n]` the stage, and what the parts said."""
    found = [_predict(part, positions, index) for part in parts.values()]
    p = np.stack([one.p for one in found], axis=1).astype(np.float64)
    known = np.zeros(len(index), np.bool_)
    for part in parts.values():
        if isinstance(part, _Knows):
            known |= part.knows(positions, index)
    return np.log(np.maximum(p, _LEAST)), (~known).astype(np.intp), found


def _predict(part: Policy, positions: Positions, index: Index) -> Prediction:
    """Return a part's prediction of `index`, found in pieces that fit into memory."""
    pieces = [
        part.predict(positions, index[first : first + _BATCH])
        for first in range(0, max(len(index), 1), _BATCH)
    ]
    results = [piece.result for piece in pieces if piece.result is not None]
    return Prediction(
        offsets=positions.legal_of(index)[1],
        p=np.concatenate([piece.p for piece in pieces]),
        result=np.concatenate(results) if len(results) == len(pieces) else None,
    )


@dataclass(frozen=True)
class _Rows:
    """What the weights are found on: `[M, k]`, `[n + 1]`, and `[n]` places of the moves played."""

    log_p: Doubles
    offsets: NDArray[np.int64]
    played: Index

    def of(self, is_in: NDArray[np.bool_]) -> _Rows:
        """Return the positions where `is_in` `[n]`."""
        length = np.diff(self.offsets)
        offsets = np.concatenate([[0], np.cumsum(length[is_in])])
        within = (self.played - self.offsets[:-1])[is_in]
        return _Rows(self.log_p[np.repeat(is_in, length)], offsets, offsets[:-1] + within)

    def loss(self, weights: Doubles) -> tuple[float, Doubles]:
        """Return the sum of the negative log-likelihoods, and its gradient `[k]`."""
        log_p = log_softmax(self.log_p @ weights, self.offsets)
        expected = np.exp(log_p) @ self.log_p
        return float(-log_p[self.played].sum()), expected - self.log_p[self.played].sum(0)


def _weights(rows: _Rows, stage: Index, steps: int) -> Doubles:
    """Return the weights of each stage, `[stages, k]`; of one without rows, those of all rows."""
    k = rows.log_p.shape[1]
    found = [
        _minimum(rows.of(stage == number) if (stage == number).any() else rows, k, steps)
        for number in range(int(stage.max()) + 1)
    ]
    return np.array(found)


def _minimum(rows: _Rows, k: int, steps: int) -> Doubles:
    n = len(rows.played)

    def mean(weights: Doubles) -> tuple[float, Doubles]:
        loss, gradient = rows.loss(weights)
        return loss / n, gradient / n

    found = minimize(
        mean,
        np.full(k, 1 / k),
        jac=True,
        method="L-BFGS-B",
        bounds=[(0, None)] * k,
        options={"maxiter": steps},
    )
    return np.asarray(found.x, np.float64)


def _crossed(rows: _Rows, stage: Index, half: Index, steps: int) -> Doubles:
    """Return `[2]` the loss on each half of the games with weights found on the other."""
    loss = np.zeros(2)
    for number in (0, 1):
        other, own = half != number, half == number
        if not other.any() or not own.any():
            return np.full(2, np.inf)
        weights = _weights(rows.of(other), stage[other], steps)
        for place in np.unique(stage[own]):
            use = weights[min(place, len(weights) - 1)]
            loss[number] += rows.of(own & (stage == place)).loss(use)[0]
    return loss
