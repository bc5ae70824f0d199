"""A book of most frequent moves that backs off to coarser and coarser contexts.

Its levels, from fine to coarse: moves played in the same position; labels played after the same two
last moves, by their labels; labels played after the same last move, the opponent's; labels played
at all; any legal move, all equally likely. Each level gives a part of its mass to the next, by
absolute discounting with interpolation (Ney, Essen and Kneser, "On structuring probabilistic
dependences in stochastic language modelling", Computer Speech and Language 8, 1994):

    p_l(a) = max(n_l(a) - d, 0) / N_l + (d T_l / N_l) p_(l+1)(a),

where `n_l(a)` is how often `a` was played in the context, `N_l` the sum of `n_l` over the labels
that are legal here, `T_l` the number of legal labels that were ever played in it, and `d` the
discount. A level without counts leaves everything to the next. Sums run over legal moves only, so
that every level is a distribution over them: the discounts taken off, ``d T_l``, are what is given
away. Legal moves that share a label share its mass equally.

Among moves that were played equally often in a position, the coarser levels decide; if all of them
say the same, all are equally likely, and their codes order them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import safe_open
from safetensors.numpy import save_file

from tabia.games.mover_view import Vocabulary
from tabia.imitation.by_position import total
from tabia.imitation.models.config import Book
from tabia.imitation.move_counts import MoveCounts, last_labels, legal_labels
from tabia.imitation.policy import Fact, Lesson, Prediction
from tabia.imitation.positions import Positions

__all__ = ["BookPolicy", "fit", "load"]

Index = NDArray[np.intp]

_FILE = "book.safetensors"
_LEVELS = ("position", "two_moves", "one_move", "no_move")


@dataclass(frozen=True)
class BookPolicy:
    """How often moves were played, by context.

    Attributes
    ----------
    vocabulary
        Name of the move labels of the coarser levels.
    discount
        `d` above.
    levels
        Counts, from the finest context to none; codes of moves in the first, labels in the others.
    """

    vocabulary: str
    discount: float
    levels: tuple[MoveCounts, ...]

    @property
    def n_parameters(self) -> int:
        """How many counts there are."""
        return sum(len(level.counts) for level in self.levels)

    @property
    def facts(self) -> Mapping[str, Fact]:
        """How many positions the book holds."""
        return {"positions": len(self.levels[0].contexts)}

    def knows(self, positions: Positions, index: Index) -> NDArray[np.bool_]:
        """Return `[len(index)]`: whether the position was in a game that the book is made of."""
        return np.isin(positions.key[index], self.levels[0].contexts)

    def predict(self, positions: Positions, index: Index) -> Prediction:
        """Return the distributions of rows `index`."""
        codes, offsets = positions.legal_of(index)
        if not len(index):
            return Prediction(offsets, np.zeros(0, np.float32))
        vocabulary = positions.view.vocabularies[self.vocabulary]
        labels = legal_labels(positions, index, vocabulary)
        length = np.diff(offsets)
        p = 1 / np.repeat(length, length)
        alike = _alike(labels, offsets)
        contexts = _contexts(positions, index, vocabulary)
        for level, context in reversed(list(zip(self.levels, contexts, strict=True))):
            finest = level is self.levels[0]
            counts = level.played(context, codes if finest else labels, offsets)
            share = np.ones(len(codes)) if finest else 1 / alike
            p = _interpolate(p, counts, share, offsets, self.discount)
        return Prediction(offsets, p.astype(np.float32))

    def save(self, folder: Path) -> None:
        """Write ``book.safetensors``."""
        arrays: dict[str, NDArray[Any]] = {"discount": np.array([self.discount])}
        for name, level in zip(_LEVELS, self.levels, strict=True):
            arrays.update(level.arrays(name))
        save_file(arrays, folder / _FILE, metadata={"vocabulary": self.vocabulary})


def fit(lesson: Lesson, settings: Mapping[str, Any], seed: int) -> BookPolicy:
    """Count the moves of the training rows; nothing is random, so `seed` does nothing."""
    positions, index = lesson.positions, lesson.train
    name = str(settings["vocabulary"])
    chosen = Book.model_validate(
        {key: value for key, value in settings.items() if key in Book.model_fields}
    )
    vocabulary = positions.view.vocabularies[name]
    moves = positions.move[index]
    labels = vocabulary.indices(positions.board[index], moves)
    return BookPolicy(
        vocabulary=name,
        discount=chosen.discount,
        levels=tuple(
            MoveCounts.of(context, labels if level else moves)
            for level, context in enumerate(_contexts(positions, index, vocabulary))
        ),
    )


def load(folder: Path) -> BookPolicy:
    """Read a saved book."""
    with safe_open(folder / _FILE, "numpy") as file:
        arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  no mapping
        vocabulary = file.metadata()["vocabulary"]
    return BookPolicy(
        vocabulary=vocabulary,
        discount=float(arrays["discount"][0]),
        levels=tuple(MoveCounts.from_arrays(arrays, name) for name in _LEVELS),
    )


def _contexts(
    positions: Positions, index: Index, vocabulary: Vocabulary
) -> tuple[NDArray[np.uint64], ...]:
    last = last_labels(positions, index, 2, vocabulary).astype(np.int64) + 1
    one = last[:, 0]
    two = one * (len(vocabulary.labels) + 1) + last[:, 1]
    return positions.key[index], two.astype(np.uint64), one.astype(np.uint64), one.astype("u8") * 0


def _alike(labels: NDArray[np.int32], offsets: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return `[M]` how many legal moves of the position have the move's label."""
    row = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    same = row * (int(labels.max()) + 1) + labels
    _, place, count = np.unique(same, return_inverse=True, return_counts=True)
    found: NDArray[np.float64] = count[place].astype(np.float64)
    return found


def _interpolate(
    coarser: NDArray[np.float64],
    counts: NDArray[np.int64],
    share: NDArray[np.float64],
    offsets: NDArray[np.int64],
    discount: float,
) -> NDArray[np.float64]:
    """Return `[M]` the distributions of a level, by the formula above.

    Parameters
    ----------
    share
        `[M]` the share of a label's mass that the move gets.
    """
    kept = np.maximum(counts - discount, 0) * share
    played = total(counts * share, offsets)
    given = total(discount * (counts > 0) * share, offsets)
    return np.where(played > 0, (kept + given * coarser) / np.maximum(played, 1), coarser)
