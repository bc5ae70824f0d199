"""Gradient-boosted trees (LightGBM) that rank the legal moves of a position.

A tree sees one legal move: the game's own features of it, how it stands to the moves before, how
often it was played in like situations (:mod:`tabia.imitation.play_rates`), both players' Elos, ply
and phase. The sum of the trees is the move's score s, and a softmax over the legal moves makes
probabilities of the scores. Boosting minimises their cross-entropy with the moves played, which for
a legal move of probability p has the gradient p - y in s, y being 1 for the move played and 0 for
the others, and the diagonal second derivative p (1 - p). So the groups of moves compete as classes
do, and what comes out are probabilities, which LightGBM's own ranking objectives do not give.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file, save_file

from tabia.games.mover_view import MoverView
from tabia.imitation.by_position import log_softmax, played_places
from tabia.imitation.models.config import LightGBMRanker
from tabia.imitation.move_contexts import HISTORY_NAMES, Moves, contexts, history
from tabia.imitation.play_rates import PARTS, RATE_NAMES, PlayRates
from tabia.imitation.policy import Fact, Lesson, Prediction
from tabia.imitation.positions import Positions
from tabia.learning.boosting import BoostedTrees
from tabia.learning.boosting import load as load_trees
from tabia.records.hashing import unit_of

__all__ = ["FeaturesError", "Ranker", "fit", "load"]

Index = NDArray[np.intp]
Floats = NDArray[np.float32]

_RATES = "rates.safetensors"
_POSITION = ("ply", "phase", "mover_elo", "other_elo")
_PART, _DRAW = 0x504C415952000005, 0x4452415747000006  # apart from folds and validation
_LEAST_CURVATURE = 1.0  # in a leaf: moves that are hardly possible fill leaves without it
_TINY = 1e-6  # curvature of a move that is as good as certain, or impossible


class FeaturesError(ValueError):
    """A saved model that was trained on other features than this version has."""

    exit_code = 3


@dataclass(frozen=True)
class Ranker:
    """Trained trees, and the counts that some of their features come from."""

    trees: BoostedTrees
    rates: PlayRates

    @property
    def n_parameters(self) -> int:
        """Numbers in the trees."""
        return self.trees.n_parameters

    @property
    def facts(self) -> Mapping[str, Fact]:
        """How many trees early stopping kept."""
        return self.trees.facts

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
        scores = self.trees.predict(_matrix(positions, index, moves, rates)).astype(np.float64)
        return Prediction(offsets, np.exp(log_softmax(scores, offsets)).astype(np.float32))

    def save(self, folder: Path) -> None:
        """Write ``model.txt``, LightGBM's own format, and ``rates.safetensors``."""
        self.trees.save(folder)
        save_file(dict(self.rates.arrays()), folder / _RATES)


def fit(lesson: Lesson, settings: Mapping[str, Any], seed: int) -> Ranker:
    """Boost until the cross-entropy on validation has not fallen for ``stop_after`` rounds."""
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
    rows = lightgbm.Dataset(
        _matrix(positions, index, moves, columns), target.label, feature_name=names
    )
    held = lesson.validation
    held_moves = Moves.of(positions, held)
    held_target = _Target.of(positions, held)
    columns = rates.features(contexts(held_moves, positions.view.n_kinds))
    held_rows = lightgbm.Dataset(
        _matrix(positions, held, held_moves, columns), held_target.label, reference=rows
    )
    booster = lightgbm.train(
        {
            "objective": target.derivatives,
            "metric": "None",
            "num_leaves": chosen.leaves,
            "learning_rate": chosen.learning_rate,
            "min_data_in_leaf": chosen.min_leaf,
            "min_sum_hessian_in_leaf": _LEAST_CURVATURE,
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
        feval=held_target.cross_entropy,
        callbacks=[lightgbm.early_stopping(chosen.stop_after, verbose=False)],
    )
    text = booster.model_to_string(num_iteration=booster.best_iteration)
    return Ranker(BoostedTrees.parse(text), rates)


def load(folder: Path) -> Ranker:
    """Read a saved model."""
    return Ranker(load_trees(folder), PlayRates.from_arrays(load_file(folder / _RATES)))


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

    def derivatives(
        self, scores: NDArray[np.float64], rows: lightgbm.Dataset
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return gradient and second derivative of the cross-entropy, `[M]` each."""
        p = np.exp(log_softmax(scores, self.offsets))
        curvature = np.maximum(p * (1 - p), _TINY)
        p[self.played] -= 1
        return p, curvature

    def cross_entropy(
        self, scores: NDArray[np.float64], rows: lightgbm.Dataset
    ) -> tuple[str, float, bool]:
        """Return the mean cross-entropy in nats, which is better when lower."""
        return "nll", float(-log_softmax(scores, self.offsets)[self.played].mean()), False


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


def _matrix(positions: Positions, index: Index, moves: Moves, rates: Floats) -> Floats:
    """Return the features of all legal moves of rows `index`, `[M, len(_names(view))]`."""
    codes, offsets = positions.legal_of(index)
    own = positions.view.features(
        positions.board[index], codes, offsets, positions.previous_moves(index, 2)
    )
    position = np.stack(
        [getattr(positions, name)[index].astype(np.float32) for name in _POSITION], axis=1
    )
    return np.concatenate([own, history(moves), position[moves.row], rates], axis=1)
