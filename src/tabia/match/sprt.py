"""The sequential probability ratio test of a match: stop as soon as the pairs played decide it.

Two hypotheses about the first player are weighed: that he is `elo0` stronger and that he is `elo1`
stronger. Nothing is assumed about how often pairs of games are halved or split: under each
hypothesis the likeliest five shares of the scores of a pair are taken that give its mean. This is
the generalised test of the testing frameworks of computer chess (Van den Bergh, "Comments on
normalized Elo" and "Maximum likelihood estimation for multinomial distributions"; fishtest), with
bounds in logistic Elo.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from tabia.match.elo import PAIR_SCORES, score_of_elo

__all__ = ["SequentialTest", "log_likelihood_ratio", "sequential_test"]

_SEEN = 1e-3  # pairs: a score that never came up may still come
_MARGIN = 1e-9


@dataclass(frozen=True, slots=True)
class SequentialTest:
    """Where a test stands.

    Attributes
    ----------
    ratio
        Logarithm of the likelihood ratio of `elo1` to `elo0`.
    lower, upper
        Bounds at which the test ends.
    verdict
        ``elo0`` or ``elo1``, whichever is accepted, or None: play on.
    """

    elo0: float
    elo1: float
    ratio: float
    lower: float
    upper: float
    verdict: Literal["elo0", "elo1"] | None


def sequential_test(
    pairs: Sequence[int], elo0: float, elo1: float, alpha: float = 0.05, beta: float = 0.05
) -> SequentialTest:
    """Return where the test stands after some pairs.

    Parameters
    ----------
    pairs
        Number of pairs by score of the first player, in the order of `PAIR_SCORES`.
    elo0, elo1
        The hypotheses, elo0 the lower one.
    alpha, beta
        How often elo1 may be accepted where elo0 is true, and the reverse.

    Raises
    ------
    ValueError
        If the numbers are none of a test.
    """
    if not elo0 < elo1:
        raise ValueError(f"elo0 {elo0:g} is not below elo1 {elo1:g}")
    if not (0 < alpha < 1 and 0 < beta < 1 and alpha + beta < 1):
        raise ValueError(f"alpha {alpha:g} and beta {beta:g} are no rates of error of a test")
    lower, upper = math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)  # Wald's
    ratio = log_likelihood_ratio(pairs, elo0, elo1)
    verdict: Literal["elo0", "elo1"] | None = None
    if ratio >= upper:
        verdict = "elo1"
    elif ratio <= lower:
        verdict = "elo0"
    return SequentialTest(elo0, elo1, ratio, lower, upper, verdict)


def log_likelihood_ratio(pairs: Sequence[int], elo0: float, elo1: float) -> float:
    """Return how much likelier the pairs are under elo1 than under elo0, as a logarithm.

    With shares p of the scores a (points a game) the likeliest shares whose mean is s are
    p / (1 + x (a - s)), x solving sum p (a - s) / (1 + x (a - s)) = 0. Scores that never came up
    count as a thousandth of a pair. 0 without pairs.

    Parameters
    ----------
    pairs, elo0, elo1
        As in :func:`sequential_test`.

    Raises
    ------
    ValueError
        If there are not five numbers of pairs, or one is negative.
    """
    if len(pairs) != len(PAIR_SCORES) or min(pairs) < 0:
        raise ValueError(f"{list(pairs)} are no numbers of pairs by score, five of them")
    if not sum(pairs):
        return 0.0
    counts = [count or _SEEN for count in pairs]
    scores = [score / 2 for score in PAIR_SCORES]
    terms = [_log_weights(counts, scores, score_of_elo(elo)) for elo in (elo0, elo1)]
    return math.fsum(
        count * (under0 - under1) for count, under0, under1 in zip(counts, *terms, strict=True)
    )


def _log_weights(counts: Sequence[float], scores: Sequence[float], mean: float) -> list[float]:
    """Return log(1 + x (a - s)) of each score: what its likeliest share is divided by."""
    # Imported late: the processes that only play need no scipy.
    from scipy import optimize

    apart = [score - mean for score in scores]

    def secular(x: float) -> float:
        return math.fsum(c * a / (1 + x * a) for c, a in zip(counts, apart, strict=True))

    # All denominators are positive between these, and the sum falls from +inf to -inf.
    low, high = -1 / apart[-1], -1 / apart[0]
    width = high - low
    x = float(optimize.brentq(secular, low + _MARGIN * width, high - _MARGIN * width, xtol=1e-14))
    return [math.log1p(x * a) for a in apart]
