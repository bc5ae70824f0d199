"""A book of most frequent moves that backs off to coarser and coarser contexts.

Its levels, from fine to coarse: moves played in the same position; labels played after the same two
last moves, by their labels; labels played after the same last move, the opponent's; and how often
labels are played where they are legal. Each level is drawn towards the next as towards the mean of
a Dirichlet distribution (MacKay and Peto, "A hierarchical Dirichlet language model", Natural
Language Engineering 1, 1995):

    p_l(a) = (n_l(a) + s_l p_(l+1)(a)) / (N_l + s_l),    p_4(a) ~ (k(a) + s_4 r) / (m(a) + s_4),

where `n_l(a)` is how often `a` was played in the context, `N_l` the sum of `n_l` over the labels
that are legal here, `s_l` the strength of the next level, counted in moves; `m(a)` in how many
training positions `a` was legal, `k(a)` how often it was played there, and `r` that share of all
labels. A level without counts leaves everything to the next. Sums run over legal moves only, so
that every level is a distribution over them. Legal moves that share a label share its mass equally.

The strengths are the likeliest ones on validation: `s_4` of the rates alone, then the others
together. A bin has few validation games, of which fewer repeat a position, so the logarithms of the
strengths have normal priors, about what PlayOK's games ask for.

Among moves that were played equally often in a position, the coarser levels decide; if all of them
say the same, all are equally likely, and their codes order them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import safe_open
from safetensors.numpy import save_file

from tabia.games.mover_view import Vocabulary
from tabia.imitation.by_position import played_places, total
from tabia.imitation.models.config import Book
from tabia.imitation.move_counts import MoveCounts, blocks, last_labels, legal_labels
from tabia.imitation.policy import Fact, Lesson, Prediction
from tabia.imitation.positions import Positions

__all__ = ["STRENGTHS", "BookPolicy", "fit", "load"]

Index = NDArray[np.intp]
Floats = NDArray[np.float64]

_FILE = "book.safetensors"
_LEVELS = ("position", "two_moves", "one_move")
STRENGTHS = (5.0, 12.0, 100.0, 50.0)
"""Middles of the priors of the strengths: of the three levels with contexts, then of the rates."""

_LEAST, _MOST = 1e-3, 1e6  # strengths
_ENOUGH = 50_000  # validation positions for four numbers; more only take memory


@dataclass(frozen=True)
class BookPolicy:
    """How often moves were played, by context.

    Attributes
    ----------
    vocabulary
        Name of the move labels of the coarser levels.
    strengths
        `s` above, finest level first.
    levels
        Counts, finest context first; codes of moves in the first, labels in the others.
    possible, played
        `[labels]` int64: `m` and `k` above.
    """

    vocabulary: str
    strengths: tuple[float, ...]
    levels: tuple[MoveCounts, ...]
    possible: NDArray[np.int64]
    played: NDArray[np.int64]

    @property
    def n_parameters(self) -> int:
        """How many counts there are, and the strengths."""
        counts = sum(len(level.counts) for level in self.levels)
        return counts + int(np.count_nonzero(self.possible)) + len(self.strengths)

    @property
    def facts(self) -> Mapping[str, Fact]:
        """How many positions the book holds, and the strengths."""
        names = (*_LEVELS, "rates")
        return {"positions": len(self.levels[0].contexts)} | {
            f"strength_{name}": float(f"{strength:.4g}")
            for name, strength in zip(names, self.strengths, strict=True)
        }

    def knows(self, positions: Positions, index: Index) -> NDArray[np.bool_]:
        """Return `[len(index)]`: whether the position was in a game that the book is made of."""
        return np.isin(positions.key[index], self.levels[0].contexts)

    def predict(self, positions: Positions, index: Index) -> Prediction:
        """Return the distributions of rows `index`."""
        _, offsets = positions.legal_of(index)
        if not len(index):
            return Prediction(offsets, np.zeros(0, np.float32))
        counted = _Counted.of(self, positions, index)
        p = counted.rates(self.strengths[-1])
        for level in reversed(range(len(self.levels))):
            n, of_all = counted.counts[level], counted.totals[level]
            strength = self.strengths[level]
            p = (n + strength * p) / (of_all + strength)
        return Prediction(offsets, p.astype(np.float32))

    def save(self, folder: Path) -> None:
        """Write ``book.safetensors``."""
        arrays: dict[str, NDArray[Any]] = {
            "strengths": np.array(self.strengths),
            "possible": self.possible,
            "played": self.played,
        }
        for name, level in zip(_LEVELS, self.levels, strict=True):
            arrays.update(level.arrays(name))
        save_file(arrays, folder / _FILE, metadata={"vocabulary": self.vocabulary})


def fit(lesson: Lesson, settings: Mapping[str, Any], seed: int) -> BookPolicy:
    """Count the training rows and find the strengths; nothing is random: `seed` does nothing."""
    positions, index = lesson.positions, lesson.train
    name = str(settings["vocabulary"])
    chosen = Book.model_validate(
        {key: value for key, value in settings.items() if key in Book.model_fields}
    )
    vocabulary = positions.view.vocabularies[name]
    moves = positions.move[index]
    labels = vocabulary.indices(positions.board[index], moves)
    book = BookPolicy(
        vocabulary=name,
        strengths=STRENGTHS,
        levels=tuple(
            MoveCounts.of(context, labels if level else moves)
            for level, context in enumerate(_contexts(positions, index, vocabulary))
        ),
        possible=_possible(positions, index, vocabulary),
        played=np.bincount(labels, minlength=len(vocabulary.labels)),
    )
    if not chosen.strength_spread or not len(lesson.validation):
        return book
    index = lesson.validation[:: -(-len(lesson.validation) // _ENOUGH)]
    held = _Counted.of(book, positions, index)
    at = played_places(positions, index)
    return replace(book, strengths=held.strengths(at, chosen.strength_spread))


def load(folder: Path) -> BookPolicy:
    """Read a saved book."""
    with safe_open(folder / _FILE, "numpy") as file:
        arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  no mapping
        vocabulary = file.metadata()["vocabulary"]
    return BookPolicy(
        vocabulary=vocabulary,
        strengths=tuple(arrays["strengths"].tolist()),
        levels=tuple(MoveCounts.from_arrays(arrays, name) for name in _LEVELS),
        possible=arrays["possible"],
        played=arrays["played"],
    )


@dataclass(frozen=True)
class _Counted:
    """What a book has counted of the legal moves of some positions.

    Attributes
    ----------
    offsets
        `[n + 1]` as `Positions.legal_of` gives them.
    counts, totals
        Of each level, finest first, `[M]`: how often the move was played in the context, a label's
        count shared by its moves; and the sum over the position's moves.
    played, possible
        `[M]`: of the move's label, over all training positions.
    alike
        `[M]`: how many legal moves of the position have the move's label.
    mean_rate
        `r` of the module.
    """

    offsets: NDArray[np.int64]
    counts: tuple[Floats, ...]
    totals: tuple[Floats, ...]
    played: NDArray[np.int64]
    possible: NDArray[np.int64]
    alike: Floats
    mean_rate: float

    @classmethod
    def of(cls, book: BookPolicy, positions: Positions, index: Index) -> _Counted:
        vocabulary = positions.view.vocabularies[book.vocabulary]
        codes, offsets = positions.legal_of(index)
        labels = legal_labels(positions, index, vocabulary)
        alike = _alike(labels, offsets)
        contexts = _contexts(positions, index, vocabulary)
        counts = [
            level.played(context, labels if number else codes, offsets)
            / (alike if number else np.ones(1))
            for number, (level, context) in enumerate(zip(book.levels, contexts, strict=True))
        ]
        return cls(
            offsets=offsets,
            counts=tuple(counts),
            totals=tuple(total(count, offsets) for count in counts),
            played=book.played[labels],
            possible=book.possible[labels],
            alike=alike,
            mean_rate=float(book.played.sum() / book.possible.sum()),
        )

    def rates(self, strength: float) -> Floats:
        """Return `[M]` the distributions of the coarsest level."""
        rate = (self.played + strength * self.mean_rate) / (self.possible + strength) / self.alike
        return rate / total(rate, self.offsets)

    def strengths(self, at: Index, spread: float) -> tuple[float, ...]:
        """Return the likeliest strengths, given the places `[n]` of the moves that were played.

        Parameters
        ----------
        spread
            Standard deviation of the priors of their logarithms.
        """
        middle = np.log(STRENGTHS)

        def of_rates(log: Floats) -> float:
            loss = -np.log(self.rates(float(np.exp(log[0])))[at]).sum()
            return float(loss + ((log[0] - middle[-1]) / spread) ** 2 / 2)

        rates = _least(of_rates, middle[-1:])
        base = self.rates(float(np.exp(rates[0])))[at]
        counts = [count[at] for count in self.counts]
        totals = [of_all[at] for of_all in self.totals]

        def of_levels(logs: Floats) -> float:
            p = base
            for n, of_all, s in zip(counts[::-1], totals[::-1], np.exp(logs)[::-1], strict=True):
                p = (n + s * p) / (of_all + s)
            return float(-np.log(p).sum() + (((logs - middle[:-1]) / spread) ** 2).sum() / 2)

        return (*np.exp(_least(of_levels, middle[:-1])).tolist(), float(np.exp(rates[0])))


def _least(loss: Callable[[Floats], float], start: Floats) -> Floats:
    """Return where `loss` of the logarithms of some strengths is least."""
    # Imported late: a book that is read needs no scipy.
    from scipy.optimize import minimize

    bounds = [(np.log(_LEAST), np.log(_MOST))] * len(start)
    return np.asarray(minimize(loss, start, method="L-BFGS-B", bounds=bounds).x, np.float64)


def _contexts(
    positions: Positions, index: Index, vocabulary: Vocabulary
) -> tuple[NDArray[np.uint64], ...]:
    last = last_labels(positions, index, 2, vocabulary).astype(np.int64) + 1
    one = last[:, 0]
    two = one * (len(vocabulary.labels) + 1) + last[:, 1]
    return positions.key[index], two.astype(np.uint64), one.astype(np.uint64)


def _possible(positions: Positions, index: Index, vocabulary: Vocabulary) -> NDArray[np.int64]:
    """Return `[labels]` in how many of the rows `index` a legal move has the label."""
    size = len(vocabulary.labels)
    found = np.zeros(size, np.int64)
    for part in blocks(len(index)):
        labels = legal_labels(positions, index[part], vocabulary)
        begin, end = (positions.legal_offsets[index[part] + one] for one in (0, 1))
        row = np.repeat(np.arange(len(begin)), end - begin)
        found += np.bincount(np.unique(row * size + labels) % size, minlength=size)
    return found


def _alike(labels: NDArray[np.int32], offsets: NDArray[np.int64]) -> Floats:
    """Return `[M]` how many legal moves of the position have the move's label."""
    row = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    same = row * (int(labels.max()) + 1) + labels
    _, place, count = np.unique(same, return_inverse=True, return_counts=True)
    found: Floats = count[place].astype(np.float64)
    return found
