"""Which of a game's figures are noise: bootstrap intervals, and a test against pure Elo.

The bootstrap draws games with replacement. Where ratings fill empty cells it draws from all games
(``games``), so that a cell may come out empty and is filled then; else within each cell
(``cells``), as many as it has. A cell of one game never changes by the second way, so that
intervals of thin tables are too narrow by it.

Noise makes games look less transitive than they are: a pair of equals comes out as one beating the
other, and such pairs close cycles. Resampling adds that noise once more; intervals of cycle counts
lie above the count for that reason and do not tell whether there is a cycle at all. The null test
does: strengths are fitted to the games by Davidson's model with an advantage of the first move,
games are drawn from it, as many as there are in every cell and order, and made into a matrix in the
same way, filled cells included. The p value is the share of such matrices that are as little
transitive as the real one, itself counted among them (Davison and Hinkley 1997, section 4.2).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tabia.learning.bootstrap import UndefinedError, interval
from tabia.match import strength
from tabia.population.geometry import FIGURES, VECTORS, measure
from tabia.population.payoff import Floats, Ints, PayoffError, PayoffMatrix, payoffs_of

__all__ = [
    "TESTED",
    "Bootstrap",
    "EloFit",
    "Interval",
    "NullTest",
    "bootstrap",
    "elo_null",
    "fit_elo",
    "resampled",
]

Resampling = Literal["games", "cells"]

TESTED: Mapping[str, Literal["more", "less"]] = {
    "cycles": "more",
    "strongest_cycle": "more",
    "largest_cluster": "more",
    "clusters": "less",
    "transitive_share": "less",
    "nash_support": "more",
    "nash_entropy": "more",
}
"""Figures that the null is tested by, and where they lie in games that are less transitive."""

PRIOR = 1.0
"""Games that each strategy brings to the fit, against an average one: half won, half lost."""


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate and its interval; NaN ends and the reason in `method` where it has none."""

    value: float
    low: float
    high: float
    method: str


@dataclass(frozen=True, eq=False)
class Bootstrap:
    """Intervals of everything that is measured.

    Attributes
    ----------
    figures
        By the names of `tabia.population.geometry.FIGURES`.
    vectors
        A list of one a strategy, by the names of `tabia.population.geometry.VECTORS`.
    payoff_low, payoff_high
        ``[n, n]`` ends of the interval of each payoff; antisymmetric to each other.
    resampling, draws, confidence
        How it was done.
    """

    figures: dict[str, Interval]
    vectors: dict[str, list[Interval]]
    payoff_low: Floats
    payoff_high: Floats
    resampling: Resampling
    draws: int
    confidence: float


@dataclass(frozen=True, eq=False)
class EloFit:
    """Davidson's model of the games.

    Attributes
    ----------
    elo
        ``[n]`` strengths of mean 0, Elo.
    advantage
        Of the first move, Elo.
    probabilities
        ``[n, n, 3]`` that the row, moving first, wins, draws and loses.
    """

    elo: Floats
    advantage: float
    probabilities: Floats


@dataclass(frozen=True, slots=True)
class NullTest:
    """A figure beside what pure Elo would give.

    Attributes
    ----------
    observed
        Of the real matrix.
    null_mean, null_low, null_high
        Mean of the figure under the null, and the interval that holds 95 % of it.
    p_value
        How often pure Elo is as little transitive; small means that it is not all noise.
    draws
        Simulated matrices.
    """

    observed: float
    null_mean: float
    null_low: float
    null_high: float
    p_value: float
    draws: int


def resampled(
    matrix: PayoffMatrix, rng: np.random.Generator, draws: int, resampling: Resampling
) -> Iterator[Ints]:
    """Yield `draws` bootstrap resamples ``[n, n, 3]`` of the games of a matrix."""
    counts = _counts(matrix)
    if resampling == "cells":
        games = counts.sum(axis=2)
        shares = counts / np.maximum(games, 1)[..., None]
        shares[games == 0] = 1 / 3
        for _ in range(draws):
            yield rng.multinomial(games, shares)
    else:
        total = int(counts.sum())
        flat = counts.ravel() / max(total, 1)
        for _ in range(draws):
            yield rng.multinomial(total, flat).reshape(counts.shape).astype(np.int64)


def bootstrap(
    matrix: PayoffMatrix,
    *,
    seed: int,
    draws: int = 200,
    confidence: float = 0.95,
    resampling: Resampling | None = None,
) -> Bootstrap:
    """Return intervals of everything that `tabia.population.geometry.measure` measures.

    Parameters
    ----------
    matrix
        With games.
    resampling
        What is drawn from, see the module; None is ``games`` with ratings and ``cells`` without.

    Raises
    ------
    PayoffError
        If the matrix has no games, or ``games`` is asked for without ratings.
    """
    if resampling is None:
        resampling = "cells" if matrix.ratings is None else "games"
    if resampling == "games" and matrix.ratings is None:
        raise PayoffError(
            "resampling all games can empty a cell; give ratings to fill it, or cells"
        )
    point = measure(matrix.payoff, matrix.ratings)
    n = len(matrix)
    figures = {name: np.empty(draws) for name in FIGURES}
    vectors = {name: np.empty((draws, n)) for name in VECTORS}
    payoffs = np.empty((draws, n, n))
    rng = np.random.default_rng(seed)
    for draw, counts in enumerate(resampled(matrix, rng, draws, resampling)):
        payoffs[draw], _ = payoffs_of(counts, matrix.ratings)
        found = measure(payoffs[draw], matrix.ratings)
        for name in FIGURES:
            figures[name][draw] = found.figures[name]
        for name in VECTORS:
            vectors[name][draw] = found.vectors[name]
    ends = (1 - confidence) / 2
    low, high = np.quantile(payoffs, [ends, 1 - ends], axis=0)
    return Bootstrap(
        figures={
            name: _interval(point.figures[name], figures[name], confidence) for name in FIGURES
        },
        vectors={
            name: [
                _interval(float(point.vectors[name][i]), vectors[name][:, i], confidence)
                for i in range(n)
            ]
            for name in VECTORS
        },
        payoff_low=np.minimum(low, matrix.payoff),
        payoff_high=np.maximum(high, matrix.payoff),
        resampling=resampling,
        draws=draws,
        confidence=confidence,
    )


def fit_elo(matrix: PayoffMatrix, prior: float = PRIOR) -> EloFit:
    """Return Davidson's model of the games of a matrix; those on the diagonal count too.

    Parameters
    ----------
    prior
        Games of every strategy against an average one, half won and half lost, in both orders of
        moving: they keep the answer finite, and matter where there are few others.
    """
    counts = _counts(matrix)
    n = len(matrix)
    first, second = np.nonzero(counts.sum(axis=2))
    every = np.arange(n)
    average = np.full(n, n)
    half = np.full(2 * n, prior / 4)
    cells = strength.Cells(
        first=np.concatenate([first, every, average]),
        second=np.concatenate([second, average, every]),
        won=np.concatenate([counts[first, second, 0], half]),
        drawn=np.concatenate([counts[first, second, 1], 0 * half]),
        lost=np.concatenate([counts[first, second, 2], half]),
    )
    found = strength.fit(n + 1, cells, {n: 0.0}, advantage=True, model="davidson")
    players = found.players[:n] - found.players[:n].mean()
    points, drawn = strength.expected(
        players[:, None] - players[None, :] + found.advantage, found.nu
    )
    won = points - drawn / 2
    probabilities = np.clip(np.stack([won, drawn, 1 - won - drawn], axis=2), 0.0, 1.0)
    return EloFit(
        elo=players * found.elo,
        advantage=found.advantage * found.elo,
        probabilities=probabilities / probabilities.sum(axis=2, keepdims=True),
    )


def elo_null(matrix: PayoffMatrix, *, seed: int, draws: int = 200) -> dict[str, NullTest]:
    """Test the figures in `TESTED` against pure Elo with the same numbers of games per cell.

    Raises
    ------
    PayoffError
        If the matrix has no games.
    """
    games = _counts(matrix).sum(axis=2)
    shares = fit_elo(matrix).probabilities
    rng = np.random.default_rng(seed)
    observed = measure(matrix.payoff, matrix.ratings).figures
    under = {name: np.empty(draws) for name in TESTED}
    for draw in range(draws):
        payoff, _ = payoffs_of(rng.multinomial(games, shares), matrix.ratings)
        found = measure(payoff, matrix.ratings).figures
        for name in TESTED:
            under[name][draw] = found[name]
    tests = {}
    for name, side in TESTED.items():
        values = under[name]
        # Figures that are equal but for rounding are as extreme.
        slack = 1e-9 * max(1.0, abs(observed[name]))
        as_extreme = (
            values >= observed[name] - slack if side == "more" else values <= observed[name] + slack
        )
        low, high = np.quantile(values, [0.025, 0.975])
        tests[name] = NullTest(
            observed=observed[name],
            null_mean=float(values.mean()),
            null_low=float(low),
            null_high=float(high),
            p_value=(1 + int(as_extreme.sum())) / (1 + draws),
            draws=draws,
        )
    return tests


def _counts(matrix: PayoffMatrix) -> Ints:
    if matrix.counts is None:
        raise PayoffError("this matrix has payoffs and no games; intervals and tests need games")
    return matrix.counts


def _interval(value: float, draws: Floats, confidence: float) -> Interval:
    try:
        if not np.isfinite(value):
            raise UndefinedError("the figure itself is undefined")
        low, high, method = interval(value, draws, confidence, over="game")
    except UndefinedError as error:
        return Interval(value, float("nan"), float("nan"), f"no interval: {error}")
    return Interval(value, low, high, method)
