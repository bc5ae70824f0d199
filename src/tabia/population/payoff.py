"""Payoff matrices: what each strategy gains against each other, with the games behind it.

A strategy is a bin of people or an agent. The payoff is the mean score of a game, 1 for won, 0 for
drawn and -1 for lost, in the row's view: antisymmetric, 0 on the diagonal. A win rate p (draws half
a game) is a payoff 2p - 1.

From games a cell is made as Algorithm 1 of Wang et al., "JiangJun" (2023), does it. E_ij is the
mean score of i where i moves first, E_ji the mean score of i where i moves second, and
M_ij = (E_ij + E_ji) / 2, so that the advantage of the first move cancels. Where one of the two has
no games, it is 2p - 1 by the Elo expectation p, and marked as filled.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tabia.match.elo import ELO_SCALE

__all__ = [
    "Bools",
    "Floats",
    "Ints",
    "PayoffError",
    "PayoffMatrix",
    "elo_expectation",
    "elo_payoff",
    "from_counts",
    "from_values",
    "payoffs_of",
]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

ANTISYMMETRIC = 1e-6
"""How far a payoff may be from the opposite of its mirror image: matrices are written rounded."""


class PayoffError(ValueError):
    """Numbers that make no payoff matrix."""

    exit_code = 3


@dataclass(frozen=True, eq=False)
class PayoffMatrix:
    """A payoff matrix; make it by `from_counts` or `from_values`, which check it.

    Attributes
    ----------
    names
        Of the n strategies, all different.
    payoff
        ``[n, n]`` float64 mean score of the row against the column; antisymmetric.
    ratings
        ``[n]`` float64 Elo of each strategy, for instance the middle of a bin; None if unknown.
    counts
        ``[n, n, 3]`` int64 games that the row (moving first) won, drew and lost against the column
        (moving second); None where only payoffs are known. On the diagonal stand games within a
        strategy: they say something of the first move and nothing of the payoff.
    filled
        ``[n, n]`` bool: no game with the row moving first against the column, so that this half
        of the cell is the Elo expectation. False on the diagonal, and everywhere without counts.
    """

    names: tuple[str, ...]
    payoff: Floats
    ratings: Floats | None = None
    counts: Ints | None = None
    filled: Bools | None = None

    def __len__(self) -> int:
        return len(self.names)

    @property
    def games(self) -> Ints | None:
        """``[n, n]`` games between two strategies, whoever moved first; None without counts."""
        if self.counts is None:
            return None
        first = self.counts.sum(axis=2)
        both: Ints = first + first.T
        np.fill_diagonal(both, first.diagonal())
        return both

    @property
    def n_games(self) -> int | None:
        """Games in all, those within a strategy too; None without counts."""
        return None if self.counts is None else int(self.counts.sum())

    @property
    def filled_share(self) -> Floats:
        """``[n, n]`` 0, 1/2 or 1: how much of each cell is the Elo expectation."""
        if self.filled is None:
            return np.zeros((len(self), len(self)))
        share: Floats = (self.filled.astype(np.float64) + self.filled.T) / 2
        return share

    @property
    def is_score(self) -> bool:
        """Whether all payoffs are -1 to 1, so that win rates and Elo mean something."""
        return bool(np.abs(self.payoff).max(initial=0.0) <= 1.0)

    @property
    def mean_payoff(self) -> Floats:
        """``[n]`` mean of each row over the other strategies; 0 where there is no other."""
        others = max(len(self) - 1, 1)
        mean: Floats = self.payoff.sum(axis=1) / others
        return mean

    @property
    def win_rate(self) -> Floats:
        """``[n]`` average win rate against the others, 0 to 1, a draw being half a win.

        Raises
        ------
        PayoffError
            If a payoff lies outside -1 to 1.
        """
        if not self.is_score:
            raise PayoffError(f"payoffs up to {np.abs(self.payoff).max():g} are no scores -1 to 1")
        rate: Floats = (self.mean_payoff + 1) / 2
        return rate

    def take(self, kept: Sequence[int]) -> PayoffMatrix:
        """Return the matrix of the strategies with these numbers, in this order."""
        index = np.asarray(kept, dtype=np.intp)
        square = np.ix_(index, index)
        return PayoffMatrix(
            names=tuple(self.names[number] for number in index),
            payoff=self.payoff[square],
            ratings=None if self.ratings is None else self.ratings[index],
            counts=None if self.counts is None else self.counts[square],
            filled=None if self.filled is None else self.filled[square],
        )


def elo_expectation(difference: Floats) -> Floats:
    """Return the expected score 0 to 1 of who is stronger by `difference` Elo, any shape."""
    # By tanh, which does not overflow where the differences are huge.
    scaled = np.asarray(difference, np.float64) * (np.log(10.0) / (2 * ELO_SCALE))
    expected: Floats = (1.0 + np.tanh(scaled)) / 2
    return expected


def elo_payoff(ratings: Floats) -> Floats:
    """Return the payoffs ``[n, n]`` that ratings ``[n]`` alone would give: 2p - 1."""
    values = np.asarray(ratings, np.float64)
    expected = 2.0 * elo_expectation(values[:, None] - values[None, :]) - 1.0
    antisymmetric: Floats = (expected - expected.T) / 2
    return antisymmetric


def from_counts(
    names: Sequence[str],
    counts: NDArray[np.integer],
    ratings: Sequence[float] | Floats | None = None,
) -> PayoffMatrix:
    """Return the payoff matrix of games, made as the module says.

    Parameters
    ----------
    names
        Of the n strategies.
    counts
        ``[n, n, 3]`` games that the row, moving first, won, drew and lost against the column.
    ratings
        ``[n]`` Elo of the strategies. Without them every pair needs games, and where only one of
        the two has moved first its mean score stands for the cell, the advantage of the first move
        included.

    Raises
    ------
    PayoffError
        If shapes differ, a count is negative, names repeat, a rating is no number, or a pair has
        no games and there are no ratings.
    """
    kept, elo = _names(names), _ratings(ratings, len(names))
    games = np.asarray(counts)
    n = len(kept)
    if games.shape != (n, n, 3) or games.dtype.kind not in "iu":
        raise PayoffError(f"counts {games.shape} {games.dtype} are not [{n}, {n}, 3] integers")
    if (games < 0).any():
        i, j, kind = (int(place) for place in np.argwhere(games < 0)[0])
        number, what = int(games[i, j, kind]), ("won", "drawn", "lost")[kind]
        raise PayoffError(f"{kept[i]} against {kept[j]}: {number} games {what} is negative")
    games = games.astype(np.int64)
    played = games.sum(axis=2)
    if elo is None:
        missing = np.argwhere(np.triu(played + played.T == 0, 1))
        if len(missing):
            i, j = (int(place) for place in missing[0])
            raise PayoffError(
                f"{kept[i]} and {kept[j]} have no games (so have {len(missing)} pairs in all);"
                " give the Elo of every strategy, by which cells without games are filled"
            )
    payoff, filled = payoffs_of(games, elo)
    return PayoffMatrix(kept, payoff, elo, games, filled)


def payoffs_of(counts: Ints, ratings: Floats | None) -> tuple[Floats, Bools]:
    """Return payoffs ``[n, n]`` and which halves were filled, as `from_counts`; nothing is checked.

    A pair without games and ratings gets 0.
    """
    played = counts.sum(axis=2)
    empty: Bools = played == 0
    np.fill_diagonal(empty, False)
    first = (counts[..., 0] - counts[..., 2]) / np.maximum(played, 1)
    if ratings is None:
        # The mean over the sides that were played.
        sides = (played > 0).astype(np.float64)
        payoff = (first - first.T) / np.maximum(sides + sides.T, 1)
        filled = np.zeros_like(empty)
    else:
        first = np.where(empty, elo_payoff(ratings), first)
        payoff = (first - first.T) / 2
        filled = empty
    np.fill_diagonal(payoff, 0.0)
    return payoff, filled


def from_values(
    names: Sequence[str], payoff: Floats, ratings: Sequence[float] | Floats | None = None
) -> PayoffMatrix:
    """Return the payoff matrix of payoffs that are known without games.

    Parameters
    ----------
    names
        Of the n strategies.
    payoff
        ``[n, n]`` in the row's view. It may be antisymmetric up to `ANTISYMMETRIC` and is made
        exactly so.
    ratings
        ``[n]`` Elo of the strategies, if known.

    Raises
    ------
    PayoffError
        If shapes differ, names repeat, a number is none, or the matrix is not antisymmetric.
    """
    kept, elo = _names(names), _ratings(ratings, len(names))
    values = np.asarray(payoff, np.float64)
    n = len(kept)
    if values.shape != (n, n):
        raise PayoffError(f"payoffs {values.shape} are not [{n}, {n}], as the names want")
    if not np.isfinite(values).all():
        i, j = (int(place) for place in np.argwhere(~np.isfinite(values))[0])
        raise PayoffError(f"{kept[i]} against {kept[j]}: payoff {values[i, j]} is no number")
    wrong = np.argwhere(np.abs(values + values.T) > ANTISYMMETRIC)
    if len(wrong):
        i, j = (int(place) for place in wrong[0])
        if i == j:
            raise PayoffError(f"{kept[i]} against itself: payoff {values[i, i]:g} is not 0")
        raise PayoffError(
            f"{kept[i]} against {kept[j]}: payoff {values[i, j]:g}, and {values[j, i]:g} the other"
            " way round; they must be opposite"
        )
    antisymmetric: Floats = (values - values.T) / 2
    return PayoffMatrix(kept, antisymmetric, elo)


def _names(names: Sequence[str]) -> tuple[str, ...]:
    kept = tuple(names)
    if not kept:
        raise PayoffError("no strategies; a payoff matrix needs one at least")
    for number, name in enumerate(kept):
        if not name.strip():
            raise PayoffError(f"strategy {number + 1} has no name")
        if name in kept[:number]:
            raise PayoffError(f"strategy {name!r} is there twice; names must differ")
    return kept


def _ratings(ratings: Sequence[float] | Floats | None, n: int) -> Floats | None:
    if ratings is None:
        return None
    elo = np.asarray(ratings, np.float64)
    if elo.shape != (n,):
        raise PayoffError(f"{elo.shape} ratings for {n} strategies")
    if not np.isfinite(elo).all():
        raise PayoffError(f"rating {elo[~np.isfinite(elo)][0]} is no number")
    return elo
