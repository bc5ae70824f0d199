"""What a generation's games against itself were like, for the summary."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tabia.learning.bootstrap import Measure, UndefinedError, estimate_measures
from tabia.tables import parquet
from tabia.tables.results import Figure, exact
from tabia.tables.spec import Spec

__all__ = ["figures_of", "wilson"]

_PLAYED_BY = "engines"


def wilson(hits: int, of: int, confidence: float) -> tuple[float, float]:
    """Return the interval of a share (Wilson 1927); it holds at 0 and 1 as well.

    Raises
    ------
    ValueError
        If the share is of nothing.
    """
    if not 0 <= hits <= of or of == 0:
        raise ValueError(f"{hits} of {of} is no share")
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share, spread = hits / of, z * z / of
    middle = (share + spread / 2) / (1 + spread)
    half = z * math.sqrt(share * (1 - share) / of + spread / (4 * of)) / (1 + spread)
    return max(0.0, min(middle - half, share)), min(1.0, max(middle + half, share))


def figures_of(
    spec: Spec, learner: str, generation: int, shards: Sequence[tuple[Path, Path]]
) -> list[Figure]:
    """Return the figures of one generation, counts first.

    Parameters
    ----------
    spec
        ``config`` holds ``bootstrap`` and ``confidence``; it gives the generators.
    learner, generation
        Names.
    shards
        Tables of games and positions.
    """
    confidence = spec.config["confidence"]
    games = pa.concat_tables([parquet.read(path) for path, _ in shards]).to_pylist()
    tables = [
        parquet.read(path).select(["number", "ply", "is_full", "value", "evaluation", "policy"])
        for _, path in shards
    ]
    positions = pa.concat_tables(tables)
    counts = len(games), len(positions)

    def counted(metric: str, value: int) -> Figure:
        return exact(
            metric,
            value,
            unit="count",
            n_games=counts[0],
            n_positions=counts[1],
            played_by=_PLAYED_BY,
        )

    def share(metric: str, hits: Sequence[bool]) -> Figure:
        lo, hi = wilson(sum(hits), len(hits), confidence)
        return Figure(
            metric=metric,
            unit="share",
            value=sum(hits) / len(hits),
            lo=lo,
            hi=hi,
            interval=f"{confidence:.0%} Wilson, by game",
            n_games=len(hits),
            n_positions=None,
            played_by=_PLAYED_BY,
        )

    found = [
        counted("games", counts[0]),
        counted("positions", counts[1]),
        counted("full_searches", int(np.count_nonzero(positions["is_full"].to_numpy()))),
        share("draws", [row["result"] == 0 for row in games]),
        share("first_player_wins", [row["result"] == 1 for row in games]),
        share("resigned", [not row["played_on"] and row["gave_up"] is not None for row in games]),
    ]
    given_up = [row for row in games if row["played_on"] and row["gave_up"] is not None]
    if given_up:
        # Who would have resigned did not lose.
        wrong = [row["result"] != -row["gave_up"] for row in given_up]
        found.append(share("false_resignations", wrong))
    return found + _means(spec, learner, generation, games, positions)


def _means(
    spec: Spec, learner: str, generation: int, games: Sequence[dict[str, Any]], positions: pa.Table
) -> list[Figure]:
    """Means with a bootstrap by game, all on the same resamples."""
    number = positions["number"].to_numpy()
    result = {row["number"]: row["result"] for row in games}
    plies = {row["number"]: row["n_plies"] for row in games}
    first = np.array([result[one] for one in number.tolist()], np.float64)
    outcome = np.where(positions["ply"].to_numpy() % 2 == 0, first, -first)
    full = positions["is_full"].to_numpy().astype(np.float64)
    entropy = _entropies(positions["policy"])
    ends = np.unique(number, return_index=True)[1]
    once = np.zeros(len(number))
    once[ends] = 1.0
    length = np.array([plies[one] for one in number.tolist()], np.float64)
    ones = np.ones(len(number))
    units = {
        "mean_plies": "plies",
        "policy_entropy": "nats",
        "value_error": "squared value",
        "search_value_error": "squared value",
    }
    terms = {
        "mean_plies": (once, once * length),
        "policy_entropy": (full, full * entropy),
        "value_error": (ones, (positions["evaluation"].to_numpy() - outcome) ** 2),
        "search_value_error": (ones, (positions["value"].to_numpy() - outcome) ** 2),
    }
    results = estimate_measures(
        [Measure(name, np.stack(of, axis=1), _mean) for name, of in terms.items()],
        number.astype(np.uint64),
        spec.rng("selfplay", learner, generation),
        draws=spec.config["bootstrap"],
        confidence=spec.config["confidence"],
    )
    return [
        Figure(
            metric=name,
            unit=units[name],
            value=one.value,
            lo=one.lo,
            hi=one.hi,
            interval=one.method,
            n_games=one.n_games,
            n_positions=None if name == "mean_plies" else one.n_positions,
            played_by=_PLAYED_BY,
        )
        for name, one in results.items()
        if not isinstance(one, UndefinedError)  # fewer than two games have no interval
    ]


def _mean(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(sums[..., 1] / sums[..., 0])


def _entropies(policies: pa.ChunkedArray) -> NDArray[np.float64]:
    """Entropy of each list of shares, nats."""
    whole = policies.combine_chunks()
    shares = whole.flatten().to_numpy(zero_copy_only=False).astype(np.float64)
    lengths = whole.value_lengths().to_numpy(zero_copy_only=False)
    terms = np.where(shares > 0, -shares * np.log(np.where(shares > 0, shares, 1.0)), 0.0)
    owner = np.repeat(np.arange(len(lengths)), lengths)
    return np.bincount(owner, terms, len(lengths)).astype(np.float64)
