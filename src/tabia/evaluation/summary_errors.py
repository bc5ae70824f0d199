"""Errors of each model over its seeds, for the summary.

Of a model that is trained with several seeds, a metric's plain name is its mean over the seeds:
what the training procedure achieves on average. Its interval resamples games and seeds together:
in every draw the seeds are drawn with replacement and their values under that draw's games are
averaged. With few seeds this understates the spread between seeds a little, by the usual factor
(k - 1) / k of a bootstrap variance.

``…_best_seed`` is the seed with the smallest error on the validation split, never on the test
split, so its test figure is not picked by luck; its interval is that one model's own.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tabia.evaluation.config import Scores
from tabia.evaluation.models import modules
from tabia.evaluation.scores import PHASE_BINS, VALUE_BINS
from tabia.learning.bootstrap import UndefinedError, interval
from tabia.tables import parquet, results
from tabia.tables.results import Figure
from tabia.tables.spec import Spec
from tabia.tables.splits import SPLITS

__all__ = ["KEYS", "rows", "run_place"]

KEYS: Mapping[str, tuple[str, ...]] = {
    "models": (),
    "by_elo": ("elo_bin_by", "elo_bin"),
    "by_phase": ("phase",),
    "by_value": ("value_bin",),
}
"""Key columns of each table after those that say which model it is, how often, on which split."""

_Keyed = tuple[tuple[object, ...], Figure]


@dataclass(frozen=True)
class _Score:
    """One figure of one trained model, with its bootstrap draws, ``[draws]``."""

    filter: str
    scenario: int
    model: str
    split_by: str
    seed: int
    split: str
    elo_bin_by: str | None
    elo_bin: str | None
    phase_bin: str | None
    value_bin: str | None
    figure: Figure
    draws: npt.NDArray[np.float64]

    @property
    def run(self) -> tuple[str, int, str, str]:
        """The trained model, leaving out the seed."""
        return (self.filter, self.scenario, self.model, self.split_by)

    @property
    def cell(self) -> tuple[str | int | None, ...]:
        """What it is a score of, leaving out the seed."""
        bins = (self.elo_bin_by, self.elo_bin, self.phase_bin, self.value_bin)
        return (*self.run, self.split, *bins, self.figure.metric)

    @property
    def table(self) -> str:
        """The result table that it belongs to."""
        if self.elo_bin is not None:
            return "by_elo"
        if self.phase_bin is not None:
            return "by_phase"
        return "models" if self.value_bin is None else "by_value"

    @property
    def bins(self) -> tuple[str | None, ...]:
        """Its values of its table's own :data:`KEYS`."""
        return {
            "models": (),
            "by_elo": (self.elo_bin_by, self.elo_bin),
            "by_phase": (self.phase_bin,),
            "by_value": (self.value_bin,),
        }[self.table]


def rows(
    spec: Spec, settings: Scores, filters: Sequence[str], paths: Sequence[Path]
) -> dict[str, list[_Keyed]]:
    """Return the rows of each table of :data:`KEYS`, in their order, from tables of scores.

    Keys are filter, scenario, model, split_by, split and n_seeds, then the table's own. The
    order of the rows does not depend on the order of the files.
    """
    cells = _cells(paths, filters)
    best = _best_seeds(cells)
    found: dict[str, list[_Keyed]] = {name: [] for name in KEYS}
    for cell in cells.values():
        first, n_seeds = cell[0], len(cell)
        keys = (*first.run, first.split, n_seeds, *first.bins)
        if figure := _over_seeds(spec, settings, cell):
            found[first.table].append((keys, figure))
        own = next((score for score in cell if score.seed == best.get(score.run)), None)
        if first.table == "models" and n_seeds > 1 and own is not None:
            named = replace(own.figure, metric=f"{own.figure.metric}_best_seed")
            found[first.table].append((keys, named))
    return found


def run_place(filters: Sequence[str], run: tuple[str, int, str, str]) -> tuple[int, int, int, bool]:
    """Return where a run, (filter, scenario, model, split_by), stands in every table."""
    filter_, scenario, model, split_by = run
    return filters.index(filter_), scenario, modules.place(model), split_by != "game"


def _cells(
    paths: Sequence[Path], filters: Sequence[str]
) -> dict[tuple[str | int | None, ...], list[_Score]]:
    """Read the scores and group them by what they are scores of; a group has one for each seed."""
    scores: list[_Score] = []
    for path in paths:
        table = parquet.read(path)
        # Not by to_pylist: a run with 30 seeds has tens of millions of draws.
        draws = table["draws"].combine_chunks()
        flat = draws.flatten().to_numpy(zero_copy_only=False).reshape(len(table), -1)
        for row, own in zip(table.drop_columns("draws").to_pylist(), flat, strict=True):
            figure = Figure(**{name: row.pop(name) for name in results.FIGURE.names})
            scores.append(_Score(**row, figure=figure, draws=own))
    scores.sort(key=lambda score: _place(score, filters))
    cells: dict[tuple[str | int | None, ...], list[_Score]] = {}
    for score in scores:
        cells.setdefault(score.cell, []).append(score)
    return cells


def _place(score: _Score, filters: Sequence[str]) -> tuple[object, ...]:
    low = int(score.elo_bin[1:].split(",")[0]) if score.elo_bin else -1
    phase = list(PHASE_BINS).index(score.phase_bin) if score.phase_bin else -1
    value = list(VALUE_BINS).index(score.value_bin) if score.value_bin else -1
    split = SPLITS.index(score.split)
    run = run_place(filters, score.run)
    return (*run, split, low, phase, value, score.figure.metric, score.seed)


def _over_seeds(spec: Spec, settings: Scores, cell: list[_Score]) -> Figure | None:
    """Return the mean over seeds with its interval, or the one run as it is."""
    first = cell[0]
    if len(cell) == 1:
        return first.figure
    value = float(np.mean([score.figure.value for score in cell]))
    draws = np.stack([score.draws for score in cell])  # [seeds, draws]
    seeds = spec.rng("seeds", len(cell)).integers(len(cell), size=draws.shape)
    averaged = np.take_along_axis(draws, seeds, axis=0).mean(axis=0)
    try:
        lo, hi, method = interval(value, averaged, settings.confidence, over="game and seed")
    except UndefinedError as error:
        print(f"no {first.figure.metric} for {first.cell}: {error}", file=sys.stderr)
        return None
    return replace(first.figure, value=value, lo=lo, hi=hi, interval=method)


def _best_seeds(
    cells: Mapping[tuple[str | int | None, ...], list[_Score]],
) -> dict[tuple[str, int, str, str], int]:
    """Return the seed with the smallest mean absolute error on validation, for every model."""
    best: dict[tuple[str, int, str, str], int] = {}
    for cell in cells.values():
        first = cell[0]
        if (first.table, first.split, first.figure.metric) == ("models", "validation", "mae"):
            winner = min(cell, key=lambda score: (score.figure.value, score.seed))
            best[first.run] = winner.seed
    return best
