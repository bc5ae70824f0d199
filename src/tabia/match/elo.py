"""Elo difference of two players from the scores of their pairs of games.

The unit is the pair: both games begin with the same opening, so that their results depend on each
other and must not be counted as independent. A pair gives the first agent 0, 1/2, 1, 3/2 or 2
points, hence *pentanomial*. The method is that of the testing frameworks of computer chess (Van den
Bergh, "A practical introduction to the GSPRT", and the source of fishtest).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = [
    "ELO_SCALE",
    "PAIR_SCORES",
    "EloDifference",
    "elo_of_score",
    "from_pairs",
    "score_of_elo",
]

PAIR_SCORES = (0.0, 0.5, 1.0, 1.5, 2.0)
"""Points of the first agent in a pair of games."""

ELO_SCALE = 400.0
"""Elo at which ten points are won for one that is lost (Elo 1978)."""


@dataclass(frozen=True, slots=True)
class EloDifference:
    """How much stronger one player is than the other.

    Attributes
    ----------
    pairs
        Number of pairs by score, in the order of `PAIR_SCORES`.
    score, score_low, score_high
        Points a game, 0 to 1, with its interval.
    elo, elo_low, elo_high
        The same as differences of Elo; None where the score is 0 or 1, which is infinite: an open
        bound.
    level
        Of the interval.
    los
        Likelihood of superiority: how sure it is that the first player is the stronger one.
    """

    pairs: tuple[int, ...]
    score: float
    score_low: float
    score_high: float
    elo: float | None
    elo_low: float | None
    elo_high: float | None
    level: float
    los: float


def elo_of_score(score: float) -> float | None:
    """Elo difference at which a score a game is expected: 400 log10(score / (1 - score)).

    None at 0 and 1, and beyond.
    """
    if not 0.0 < score < 1.0:
        return None
    return ELO_SCALE * math.log10(score / (1.0 - score))


def score_of_elo(elo: float) -> float:
    """Score a game that is expected at a difference of Elo: 1 / (1 + 10^(-elo / 400))."""
    return 1.0 / (1.0 + math.exp(-elo / ELO_SCALE * math.log(10)))


def from_pairs(pairs: Sequence[int], level: float = 0.95) -> EloDifference:
    """Elo difference and interval of a match.

    With n pairs of scores x_i (points a game, so 0, 1/4 … 1), mean m and variance
    s² = sum (x_i - m)² / (n - 1), the interval of the score is m ± t s / sqrt(n), t being Student's
    quantile with n - 1 degrees of freedom, which honours that few pairs tell little of their own
    spread. Its ends are turned into Elo one by one; an end at or beyond 0 or 1 is an open bound.

    Where all pairs, or nearly all, have the same score (all games won, all drawn, every opening won
    by the same colour), s says too little. But scores that never came up in n pairs have at most a
    share q = 1 - (a / 2)^(1/n), a = 1 - level (Clopper and Pearson's bound), and whatever they are,
    they move the mean to (1 - q) m at the lowest and (1 - q) m + q at the highest. The interval
    covers these too. That matters for small spreads and few pairs only.

    The likelihood of superiority is the distribution function of the same t at
    (m - 1/2) sqrt(n) / s, but no surer than n pairs can be that all favour one side, each being as
    likely a priori to favour the other: between (1/2)^(n+1) and 1 - (1/2)^(n+1).

    Parameters
    ----------
    pairs
        Number of pairs by score of the first agent, in the order of `PAIR_SCORES`.
    level
        Of the interval, 0 to 1.

    Raises
    ------
    ValueError
        If there is no pair, or a number is negative, or the level is not between 0 and 1.
    """
    if len(pairs) != len(PAIR_SCORES) or min(pairs) < 0 or sum(pairs) == 0:
        raise ValueError(f"{list(pairs)} are no numbers of pairs by score, five of them, not all 0")
    if not 0.0 < level < 1.0:
        raise ValueError(f"level {level} is not between 0 and 1")
    n = sum(pairs)
    points = [score / 2 for score in PAIR_SCORES]
    mean = math.fsum(count * x for count, x in zip(pairs, points, strict=True)) / n
    squares = math.fsum(count * (x - mean) ** 2 for count, x in zip(pairs, points, strict=True))
    low = high = mean
    los = 0.5
    if squares > 0.0:
        # Imported late: the processes that only play need no scipy.
        from scipy import stats

        error = math.sqrt(squares / (n - 1) / n)
        half = float(stats.t.ppf((1 + level) / 2, n - 1)) * error
        low, high = mean - half, mean + half
        los = float(stats.t.cdf((mean - 0.5) / error, n - 1))
    elif mean != 0.5:
        los = float(mean > 0.5)
    unseen = 1.0 - ((1.0 - level) / 2) ** (1.0 / n)
    low = max(0.0, min(low, (1.0 - unseen) * mean))
    high = min(1.0, max(high, (1.0 - unseen) * mean + unseen))
    surest = 1.0 - 0.5 ** (n + 1)
    return EloDifference(
        pairs=tuple(pairs),
        score=mean,
        score_low=low,
        score_high=high,
        elo=elo_of_score(mean),
        elo_low=elo_of_score(low),
        elo_high=elo_of_score(high),
        level=level,
        los=min(max(los, 1.0 - surest), surest),
    )
