"""Gradient-boosted trees (LightGBM) that rank the legal moves of a position.

A tree sees one legal move: the game's own features of it, how it stands to the moves before, how
often it was played in like situations (:mod:`tabia.imitation.play_rates`), both players' Elos, ply
and phase. The sum of the trees is the move's score, found by LambdaRank (Burges, "From RankNet to
LambdaRank to LambdaMART", Microsoft Research TR-2010-82): pairs of the move played and another pull
apart, the more so the more their exchange would change the top of the order. A softmax over the
legal moves, of the scores times an inverse temperature, makes probabilities of them; the
temperature is that of the least negative log-likelihood on validation, and so is the number of
trees.

The cross-entropy of the softmax was tried in place of LambdaRank, as LightGBM's objective with the
gradient p - y and the diagonal second derivative p (1 - p). It is slower to learn: moves of one
position that fall into one leaf share their second derivatives, which the diagonal counts in full.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file, save_file
from scipy.optimize import minimize_scalar

from tabia.games.mover_view import MoverView
from tabia.imitation.by_position import log_softmax, played_places
from tabia.imitation.models.config import LightGBMRanker
from tabia.imitation.move_contexts import HISTORY_NAMES, Moves, contexts, history
from tabia.imitation.play_rates import PARTS, RATE_NAMES, PlayRates
from tabia.imitation.policy import Fact, Lesson, Prediction
from tabia.imitation.positions import NO_ELO, Positions
from tabia.learning.boosting import BoostedTrees
from tabia.learning.boosting import load as load_trees
from tabia.records.hashing import unit_of
from tabia.tables import parquet

__all__ = ["FeaturesError", "Ranker", "fit", "load"]

Index = NDArray[np.intp]
Floats = NDArray[np.float32]

_RATES, _SCALE = "rates.safetensors", "ranker.json"
_POSITION = ("ply", "phase", "mover_elo", "other_elo")
_PART, _DRAW = 0x504C415952000005, 0x4452415747000006  # apart from folds and validation
_TOP = 5  # ranks that LambdaRank cares for: pairs below change nothing
_COLDEST, _HOTTEST = 0.05, 20.0  # inverse: temperatures between 1/20 and 20


class FeaturesError(ValueError):
    """A saved model that was trained on other features than this version has."""

    exit_code = 3


@dataclass(frozen=True)
class Ranker:
    """Trained trees, and the counts that some of their features come from.

    Attributes
    ----------
    trees
        They score legal moves.
    rates
        Counts.
    sharpness
        Inverse temperature: what scores are multiplied by before the softmax.
    elo
        Mean Elo of the training moves, which stands in for one that is not known: trees split
        numbers, and would take 0 for the weakest player of all.
    """

    trees: BoostedTrees
    rates: PlayRates
    sharpness: float
    elo: float

    @property
    def n_parameters(self) -> int:
        """Numbers in the trees, and the temperature."""
        return self.trees.n_parameters + 1

    @property
    def facts(self) -> Mapping[str, Fact]:
        """How many trees early stopping kept, and the temperature."""
        return {**self.trees.facts, "temperature": round(1 / self.sharpness, 4)}

    def predict(self, positions: Positions, index: Index) -> Prediction:
        """Return the distributions of rows `index`.

        Raises
        ------
        FeaturesError
            If the model is of a version with other features.
        """
        names = _names(positions.view)
        if (known := tuple(self.trees.booster.feature_name())) != names:
            other = sorted(set(known) ^ set(names))
            raise FeaturesError(
                f"lightgbm: trained on other features than this version of tabia has"
                f" ({', '.join(other[:5]) or 'another order'}); train it again"
            )
        _, offsets = positions.legal_of(index)
        if not len(index):
            return Prediction(offsets, np.zeros(0, np.float32))
        moves = Moves.of(positions, index)
        rates = self.rates.features(contexts(moves, positions.view.n_kinds))
        scores = self.trees.predict(_matrix(positions, index, moves, rates, self.elo)).astype(
            np.float64
        )
        p = np.exp(log_softmax(self.sharpness * scores, offsets))
        return Prediction(offsets, p.astype(np.float32))

    def save(self, folder: Path) -> None:
        """Write ``model.txt``, LightGBM's own format, ``rates.safetensors`` and ``ranker.json``."""
        self.trees.save(folder)
        save_file(dict(self.rates.arrays()), folder / _RATES)
        text = json.dumps({"sharpness": self.sharpness, "elo": self.elo}) + "\n"
        parquet.write_text(folder / _SCALE, text)


def fit(lesson: Lesson, settings: Mapping[str, Any], seed: int) -> Ranker:
    """Boost until validation's log-likelihood has not risen for ``stop_after`` rounds."""
    chosen = LightGBMRanker.model_validate(
        {key: value for key, value in settings.items() if key in LightGBMRanker.model_fields}
    )
    positions = lesson.positions
    index = _drawn(positions, lesson.train, chosen.positions)
    moves = Moves.of(positions, index)
    target = _Target.of(positions, index)
    part = (unit_of(positions.split_hash[index], _PART) * PARTS).astype(np.intp)
    rates, columns = PlayRates.count(
        contexts(moves, positions.view.n_kinds), target.is_played, part[moves.row]
    )
    names = list(_names(positions.view))
    known = positions.mover_elo[index]
    elo = float(known[known != NO_ELO].mean()) if (known != NO_ELO).any() else float(NO_ELO)
    rows = lightgbm.Dataset(
        _matrix(positions, index, moves, columns, elo),
        target.label,
        group=np.diff(target.offsets),
        feature_name=names,
    )
    held = lesson.validation
    held_moves = Moves.of(positions, held)
    held_target = _Target.of(positions, held)
    columns = rates.features(contexts(held_moves, positions.view.n_kinds))
    held_matrix = _matrix(positions, held, held_moves, columns, elo)
    held_rows = lightgbm.Dataset(
        held_matrix,
        held_target.label,
        group=np.diff(held_target.offsets),
        reference=rows,
    )
    booster = lightgbm.train(
        {
            "objective": "lambdarank",
            "lambdarank_truncation_level": _TOP,
            "metric": "None",
            "num_leaves": chosen.leaves,
            "learning_rate": chosen.learning_rate,
            "min_data_in_leaf": chosen.min_leaf,
            "feature_fraction": chosen.column_share,
            "seed": seed,
            "deterministic": True,
            "force_row_wise": True,
            "num_threads": chosen.threads,
            "verbosity": -1,
        },
        rows,
        num_boost_round=chosen.trees,
        valid_sets=[held_rows],
        feval=held_target.measure,
        callbacks=[lightgbm.early_stopping(chosen.stop_after, verbose=False)],
    )
    trees = BoostedTrees.parse(booster.model_to_string(num_iteration=booster.best_iteration))
    scores = trees.predict(held_matrix).astype(np.float64)
    return Ranker(trees, rates, held_target.sharpest(scores)[0], elo)


def load(folder: Path) -> Ranker:
    """Read a saved model."""
    rates = PlayRates.from_arrays(load_file(folder / _RATES))
    about = json.loads((folder / _SCALE).read_text(encoding="utf-8"))
    return Ranker(load_trees(folder), rates, float(about["sharpness"]), float(about["elo"]))


@dataclass(frozen=True)
class _Target:
    """Which of the legal moves were played.

    Attributes
    ----------
    played
        `[n]` their places among the legal moves.
    offsets
        `[n + 1]` as `Positions.legal_of` gives them.
    """

    played: Index
    offsets: NDArray[np.int64]

    @classmethod
    def of(cls, positions: Positions, index: Index) -> _Target:
        return cls(played_places(positions, index), positions.legal_of(index)[1])

    @property
    def is_played(self) -> NDArray[np.bool_]:
        found = np.zeros(int(self.offsets[-1]), np.bool_)
        found[self.played] = True
        return found

    @property
    def label(self) -> Floats:
        return self.is_played.astype(np.float32)

    def nll(self, scores: NDArray[np.float64]) -> float:
        """Return the mean negative log-likelihood of a softmax of scores `[M]`, in nats."""
        return float(-log_softmax(scores, self.offsets)[self.played].mean())

    def sharpest(self, scores: NDArray[np.float64]) -> tuple[float, float]:
        """Return the factor for scores `[M]` at which `nll` is least, and that."""
        # Convex in the factor, not in its logarithm; both have one minimum.
        found = minimize_scalar(
            lambda log: self.nll(np.exp(log) * scores),
            bounds=(np.log(_COLDEST), np.log(_HOTTEST)),
            method="bounded",
            options={"xatol": 1e-3},
        )
        return float(np.exp(found.x)), float(found.fun)

    def measure(
        self, scores: NDArray[np.float64], rows: lightgbm.Dataset
    ) -> tuple[str, float, bool]:
        """Return what early stopping goes by: the least `nll`, which is better when lower."""
        return "nll", self.sharpest(scores)[1], False


def _drawn(positions: Positions, index: Index, most: int | None) -> Index:
    """Return the rows of as many games, drawn by content, as have `most` positions at most."""
    if most is None or len(index) <= most:
        return index
    games, number, size = np.unique(
        positions.split_hash[index], return_inverse=True, return_counts=True
    )
    order = np.argsort(unit_of(games, _DRAW), kind="stable")
    kept = np.zeros(len(games), np.bool_)
    kept[order] = np.cumsum(size[order]) <= most
    kept[order[0]] = True
    return index[kept[number]]


def _names(view: MoverView) -> tuple[str, ...]:
    return (*view.feature_names, *HISTORY_NAMES, *_POSITION, *RATE_NAMES)


def _matrix(positions: Positions, index: Index, moves: Moves, rates: Floats, elo: float) -> Floats:
    """Return the features of all legal moves of rows `index`, `[M, len(_names(view))]`.

    Parameters
    ----------
    elo
        Stands in for an Elo that is not known.
    """
    codes, offsets = positions.legal_of(index)
    own = positions.view.features(
        positions.board[index], codes, offsets, positions.previous_moves(index, 2)
    )
    mover, other = positions.mover_elo[index], positions.other_elo[index]
    position = np.stack(
        [
            positions.ply[index].astype(np.float32),
            positions.phase[index].astype(np.float32),
            *(np.where(own == NO_ELO, elo, own).astype(np.float32) for own in (mover, other)),
        ],
        axis=1,
    )
    return np.concatenate([own, history(moves), position[moves.row], rates], axis=1)
