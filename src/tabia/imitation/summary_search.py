"""What the structure searches tried and found, for the summary.

A candidate's validation figures get intervals from its sums by game, on resamples that are the same
for all candidates of a bin.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabia.imitation.bins import label
from tabia.imitation.config import ImitationScores
from tabia.imitation.models.config import RecurrentStructure, ResidualStructure
from tabia.imitation.names import ALL
from tabia.imitation.summary_scores import model_place
from tabia.learning.bootstrap import Measure, UndefinedError, estimate_measures
from tabia.tables import parquet
from tabia.tables.results import Figure, exact
from tabia.tables.spec import Spec

__all__ = ["KEYS", "VARIABLES", "rows"]

VARIABLES = tuple(
    dict.fromkeys([*RecurrentStructure.model_fields, *ResidualStructure.model_fields])
)
"""Structure variables of all nets; null where a net has it not."""

KEYS: Mapping[str, tuple[str, ...]] = {
    "structures": ("game", "model", "trained_on", *VARIABLES),
    "candidates": ("game", "model", "trained_on", "search_phase", "candidate", "chosen", "fault"),
}
"""Key columns of each table; `model` is the one whose search it is. `fault` says why a candidate
was not measured, null for all others."""

_COUNTS = {"parameters": "count", "epochs": "count"}

_Keyed = tuple[tuple[object, ...], Figure]
_Row = dict[str, Any]


def rows(
    spec: Spec,
    paths: Sequence[Path],
    settings: Mapping[str, Any],
    bins: Mapping[str, Sequence[str]],
) -> dict[str, list[_Keyed]]:
    """Return the rows of each table of :data:`KEYS` from the tables of all phases.

    Parameters
    ----------
    spec
        Gives the generators of the bootstrap.
    settings
        Of each game: its :class:`ImitationScores` as plain values.
    bins
        Of each game: names in paths.
    """
    tried = [row for path in paths for row in parquet.read(path).to_pylist()]
    last: dict[tuple[str, str, str], int] = {}
    for row in tried:
        search = (row["game"], row["net"], row["bin"])
        last[search] = max(row["phase"], last.get(search, 0))

    def place(row: _Row) -> tuple[object, ...]:
        of = -1 if row["bin"] == ALL else list(bins[row["game"]]).index(row["bin"])
        return list(bins).index(row["game"]), model_place(row["net"]), of, row["phase"]

    found: dict[str, list[_Keyed]] = {name: [] for name in KEYS}
    for row in sorted(tried, key=place):  # candidates of a phase stay in the order of the grid
        own_settings = ImitationScores.model_validate(settings[row["game"]])
        own = (row["game"], row["net"], label(row["bin"]))
        is_last = last[row["game"], row["net"], row["bin"]] == row["phase"]
        for figure in _figures(spec, row, own_settings):
            keys = (*own, row["phase"], row["candidate"], row["chosen"], row["fault"])
            found["candidates"].append((keys, figure))
            if is_last and row["chosen"]:
                found["structures"].append(((*own, *map(_text, _values(row))), figure))
    return found


def _values(row: _Row) -> Iterator[object]:
    for name in VARIABLES:
        # Every net has a memory, and none at all means that it sees the whole game.
        yield "all" if name == "memory" and row[name] is None else row[name]


def _text(value: object) -> str | None:
    if value is None:
        return None
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else f"{value}"


def _figures(spec: Spec, row: _Row, settings: ImitationScores) -> Iterator[Figure]:
    if row["fault"] is None:
        yield from _measured(spec, row, settings)
    for metric, unit in _COUNTS.items():
        if row[metric] is not None:
            yield exact(
                metric,
                row[metric],
                unit=unit,
                n_games=row["n_train_games"],
                n_positions=row["n_train_positions"],
                played_by=row["played_by"],
            )


def _measured(spec: Spec, row: _Row, settings: ImitationScores) -> Iterator[Figure]:
    sizes = np.array(row["game_positions"], np.float64)
    found = estimate_measures(
        [
            Measure("validation_top_1", np.stack([sizes, row["game_hits"]], axis=1), _mean),
            Measure("validation_nll", np.stack([sizes, row["game_nll"]], axis=1), _mean),
        ],
        np.arange(len(sizes), dtype=np.uint64),
        spec.rng("search", row["game"], row["bin"]),
        draws=settings.bootstrap,
        confidence=settings.confidence,
    )
    for metric, unit in (("validation_top_1", "share"), ("validation_nll", "nats")):
        result = found[metric]
        if isinstance(result, UndefinedError):
            print(f"no {metric} of {row['net']} {row['bin']}: {result}", file=sys.stderr)
            continue
        yield Figure(
            metric=metric,
            unit=unit,
            value=result.value,
            lo=result.lo,
            hi=result.hi,
            interval=result.method,
            n_games=result.n_games,
            n_positions=result.n_positions,
            played_by=row["played_by"],
        )


def _mean(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(sums[..., 1] / sums[..., 0])
