"""Bootstrap intervals of :mod:`tabia.learning.metrics`, resampling whole games.

Positions of one game resemble each other, so they are not independent; games are. Every metric
is a function of sums over positions, so a resample of games needs only the sums of each game
and not its positions.

The interval is the percentile bootstrap (Efron): games are drawn with replacement, as many as
there are, and the ends are quantiles of the metric over the draws. It is conditional on the
trained model; it says how much another set of games of the same kind would change the figure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tabia.learning.metrics import Floats, Metric

__all__ = ["Estimate", "Measure", "UndefinedError", "estimate", "estimate_measures", "interval"]

_DEFINED_SHARE = 0.9  # of the draws that must give a value, else there is no interval
_CELLS = 2_000_000  # draws x games held at once: 16 MB


class UndefinedError(ValueError):
    """A metric that these rows do not determine, e.g. R² of a constant target."""


@dataclass(frozen=True)
class Estimate:
    """A metric with its interval.

    Attributes
    ----------
    value, lo, hi
        ``lo <= value <= hi``.
    draws
        ``[draws]`` float64, the metric in every resample; NaN where it was undefined.
    method
        How `lo` and `hi` were found, in words.
    n_games, n_positions
        What stands behind the value: only rows that enter the metric count.
    """

    value: float
    lo: float
    hi: float
    draws: Floats
    method: str
    n_games: int
    n_positions: int


@dataclass(frozen=True)
class Measure:
    """A function of sums over rows, with what is summed.

    Attributes
    ----------
    name
        Its name in the result.
    terms
        ``[n, k]`` float64; the first counts the rows that enter.
    value
        ``sums [..., k] -> [...]`` float64; not finite where undefined.
    """

    name: str
    terms: Floats
    value: Callable[[Floats], Floats]


def estimate(
    metrics: Sequence[Metric],
    target: npt.NDArray[np.floating],
    predicted: npt.NDArray[np.floating],
    game_id: npt.NDArray[np.uint64],
    rng: np.random.Generator,
    *,
    draws: int,
    confidence: float,
) -> dict[str, Estimate | UndefinedError]:
    """Return each metric with its interval, or the reason why it has none, by name.

    All metrics see the same resamples. Two calls with generators in the same state and the same
    games see the same resamples too, so that models are compared draw by draw.

    Parameters
    ----------
    target, predicted
        ``[n]`` pawns, White's view.
    game_id
        ``[n]`` the game that each row belongs to.
    draws
        Resamples.
    confidence
        Level, e.g. 0.95.
    """
    y, p = np.asarray(target, np.float64), np.asarray(predicted, np.float64)
    if not y.shape == p.shape == game_id.shape or y.ndim != 1:
        raise ValueError(f"shapes differ: {y.shape}, {p.shape}, {game_id.shape}")
    measures = [Measure(metric.name, metric.terms(y, p), metric.value) for metric in metrics]
    return estimate_measures(measures, game_id, rng, draws=draws, confidence=confidence)


def estimate_measures(
    measures: Sequence[Measure],
    game_id: npt.NDArray[np.uint64],
    rng: np.random.Generator,
    *,
    draws: int,
    confidence: float,
) -> dict[str, Estimate | UndefinedError]:
    """Return each measure with its interval, as :func:`estimate` does for metrics.

    Parameters
    ----------
    game_id
        ``[n]`` the game that each row belongs to.
    """
    games, index = np.unique(game_id, return_inverse=True)
    if len(games) < 2:
        reason = UndefinedError(f"{len(games)} game: a resample of games needs two")
        return {measure.name: reason for measure in measures}
    terms = np.concatenate([measure.terms for measure in measures], axis=1)
    sums = np.empty((len(games), terms.shape[1]))
    for number, column in enumerate(terms.T):
        sums[:, number] = np.bincount(index, column, len(games))
    resampled = _resample(sums, rng, draws)
    results: dict[str, Estimate | UndefinedError] = {}
    start = 0
    for measure in measures:
        part = slice(start, start + measure.terms.shape[1])
        start = part.stop
        try:
            results[measure.name] = _estimate(
                measure, sums[:, part], resampled[:, part], confidence
            )
        except UndefinedError as error:
            results[measure.name] = error
    return results


def _estimate(metric: Measure, sums: Floats, resampled: Floats, confidence: float) -> Estimate:
    value = float(metric.value(sums.sum(axis=0)))
    if not np.isfinite(value):
        raise UndefinedError(f"{metric.name} is undefined for these positions")
    counts = sums[:, 0]
    if np.count_nonzero(counts) < 2:
        raise UndefinedError(f"{metric.name} rests on one game: a resample of games needs two")
    draws = metric.value(resampled)
    draws = np.where(np.isfinite(draws), draws, np.nan)
    lo, hi, method = interval(value, draws, confidence, over="game")
    return Estimate(
        value=value,
        lo=lo,
        hi=hi,
        draws=draws,
        method=method,
        n_games=int(np.count_nonzero(counts)),
        n_positions=int(counts.sum()),
    )


def interval(
    value: float, draws: Floats, confidence: float, *, over: str
) -> tuple[float, float, str]:
    """Return the ends of the percentile interval and the method in words.

    The interval is widened to `value` where resampling is so skewed that it would lie outside;
    the method then says so.

    Parameters
    ----------
    draws
        ``[draws]`` the figure in every resample, NaN where undefined.
    over
        What was resampled: ``"game"``.

    Raises
    ------
    UndefinedError
        If the figure was undefined in more than a tenth of the resamples.
    """
    defined = draws[np.isfinite(draws)]
    if len(defined) < _DEFINED_SHARE * len(draws):
        raise UndefinedError(f"undefined in {len(draws) - len(defined)} of {len(draws)} resamples")
    lo, hi = np.quantile(defined, [(1 - confidence) / 2, (1 + confidence) / 2])
    method = f"{100 * confidence:.4g}% percentile bootstrap by {over}, {len(draws)} draws"
    if not lo <= value <= hi:
        method += ", widened to the value"
    return float(min(lo, value)), float(max(hi, value)), method


def _resample(sums: Floats, rng: np.random.Generator, draws: int) -> Floats:
    """Sum each column of `sums` ``[games, k]`` over `draws` multinomial resamples of the games.

    ``np.einsum`` without optimisation adds in a fixed order; a BLAS product would not, as that
    order changes with the number of threads.
    """
    n_games = len(sums)
    step = max(1, _CELLS // n_games)
    parts = []
    for start in range(0, draws, step):
        count = min(step, draws - start)
        chosen = rng.integers(n_games, size=(count, n_games))
        chosen += n_games * np.arange(count)[:, None]
        weights = np.bincount(chosen.ravel(), minlength=count * n_games)
        parts.append(
            np.einsum("dg,gk->dk", weights.reshape(count, n_games).astype(np.float64), sums)
        )
    return np.concatenate(parts)
