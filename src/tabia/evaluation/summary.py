"""Stage evaluation.summary: the chapter's result tables.

Of a model that is trained with several seeds, a metric's plain name is its mean over the seeds:
what the training procedure achieves on average. Its interval resamples games and seeds together:
in every draw the seeds are drawn with replacement and their values under that draw's games are
averaged. With few seeds this understates the spread between seeds a little, by the usual factor
(k - 1) / k of a bootstrap variance.

``…_best_seed`` is the seed with the smallest error on the validation split, never on the test
split, so its test figure is not picked by luck; its interval is that one model's own.

Times are measured by the clock and do not repeat. Their value is the median of the measurements
over seeds and repeats, and lo and hi are the smallest and the largest.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import get_args

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from tabia.evaluation.config import Filter, Scores
from tabia.evaluation.dataset import engine_of, kept
from tabia.evaluation.models.modules import MODULES
from tabia.evaluation.players import played_by
from tabia.evaluation.scores import PHASE_BINS
from tabia.learning.bootstrap import UndefinedError, interval
from tabia.tables import parquet, results
from tabia.tables.results import EXACT, Figure
from tabia.tables.spec import Spec
from tabia.tables.splits import SPLITS

__all__ = ["run"]

_Keyed = tuple[tuple[object, ...], Figure]


@dataclass(frozen=True)
class _Score:
    """One figure of one trained model, with its bootstrap draws."""

    filter: str
    scenario: int
    model: str
    seed: int
    split: str
    elo_bin_by: str | None
    elo_bin: str | None
    phase_bin: str | None
    figure: Figure
    draws: npt.NDArray[np.float64]

    @property
    def cell(self) -> tuple[str | int | None, ...]:
        """What it is a score of, leaving out the seed."""
        return (
            self.filter,
            self.scenario,
            self.model,
            self.split,
            self.elo_bin_by,
            self.elo_bin,
            self.phase_bin,
            self.figure.metric,
        )


def run(
    spec: Spec,
    *,
    sample: Path,
    dataset: Path,
    label_rejects: list[Path],
    scores: list[Path],
    times: list[Path],
    positions_table: Path,
    models_table: Path,
    by_elo_table: Path,
    by_phase_table: Path,
    times_table: Path,
) -> None:
    """Write the five result tables.

    Parameters
    ----------
    spec
        ``config`` holds ``seed`` and ``scores`` (:class:`Scores`).
    """
    settings = Scores.model_validate(spec.config["scores"])
    engine = engine_of([dataset])
    counts = _positions(parquet.read(sample), parquet.read(dataset), label_rejects)
    _write(
        counts,
        ("step", "filter", "reason", "split"),
        positions_table,
        spec,
        engine,
        "Positions sampled, rejected by the engine, labelled, and left after each filter",
    )
    cells = _cells(scores)
    combined = [row for cell in cells.values() for row in _over_seeds(spec, settings, cell)]
    best = _best_seeds(cells)
    overall, by_elo, by_phase = [], [], []
    for score, n_seeds in combined:
        keys: tuple[object, ...] = (score.filter, score.scenario, score.model, score.split)
        if score.elo_bin is not None:
            by_elo.append(((*keys, n_seeds, score.elo_bin_by, score.elo_bin), score.figure))
        elif score.phase_bin is not None:
            by_phase.append(((*keys, n_seeds, score.phase_bin), score.figure))
        else:
            overall.append(((*keys, n_seeds), score.figure))
            winner = best.get((score.filter, score.scenario, score.model))
            own = [other for other in cells[score.cell] if other.seed == winner]
            if n_seeds > 1 and own:
                named = replace(own[0].figure, metric=f"{score.figure.metric}_best_seed")
                overall.append(((*keys, n_seeds), named))
    keys_of = ("filter", "scenario", "model", "split", "n_seeds")
    _write(overall, keys_of, models_table, spec, engine, "Errors of each model on each split")
    _write(
        by_elo,
        (*keys_of, "elo_bin_by", "elo_bin"),
        by_elo_table,
        spec,
        engine,
        "Errors on the test split by Elo bin",
    )
    _write(
        by_phase,
        (*keys_of, "phase"),
        by_phase_table,
        spec,
        engine,
        "Errors on the test split by phase",
    )
    _write(
        _times(times),
        ("filter", "scenario", "model", "n_seeds"),
        times_table,
        spec,
        engine,
        "Training and prediction times as measured, and sizes; the engine's inputs are given",
    )


def _write(
    rows: Sequence[_Keyed],
    keys: Sequence[str],
    path: Path,
    spec: Spec,
    engine: Mapping[str, str],
    title: str,
) -> None:
    results.write(results.table(keys, rows), path, spec=spec, title=title, extra=engine)


# --- positions ---------------------------------------------------------------------------


def _positions(sample: pa.Table, dataset: pa.Table, label_rejects: list[Path]) -> list[_Keyed]:
    """Count positions from the sample to what each filter keeps; every step adds up."""
    labelled = pc.is_in(sample["position_id"], dataset["position_id"].combine_chunks())
    rejected = sample.filter(pc.invert(labelled))
    reasons = _reasons(label_rejects)
    reason = [reasons.get(ident, "unknown") for ident in rejected["position_id"].to_pylist()]
    everyone = played_by(sample["played_by"].to_pylist())
    rows = [
        *_counts("sampled", None, None, sample, everyone),
        *_counts("rejected", None, None, rejected, everyone),
    ]
    for name in sorted(Counter(reason)):
        own = rejected.filter(pa.array([value == name for value in reason]))
        rows += _counts("rejected", None, name, own, everyone)
    rows += _counts("labelled", None, None, dataset, everyone)
    for filter_ in get_args(Filter):
        rows += _counts("after filter", filter_, None, kept(dataset, filter_), everyone)
    return rows


def _reasons(label_rejects: list[Path]) -> dict[bytes, str]:
    """Return why each rejected position has no label: the reason at its first failed limit."""
    reasons: dict[bytes, str] = {}
    for path in label_rejects:
        table = parquet.read(path, ["position_id", "reason"])
        pairs = zip(table["position_id"].to_pylist(), table["reason"].to_pylist(), strict=True)
        for ident, reason in pairs:
            reasons.setdefault(ident, reason)
    return reasons


def _counts(
    step: str, filter_: str | None, reason: str | None, table: pa.Table, everyone: str
) -> Iterable[_Keyed]:
    split = table["split"].to_numpy()
    game_id, players = table["game_id"].to_numpy(), table["played_by"].to_numpy()
    for name in ("all", *SPLITS):
        own = np.ones(len(table), np.bool_) if name == "all" else split == name
        count = int(own.sum())
        figure = results.exact(
            "positions",
            count,
            unit="positions",
            n_games=len(np.unique(game_id[own])),
            n_positions=count,
            # Of no position there is no player; then whose positions were asked about.
            played_by=played_by(players[own].tolist()) if count else everyone,
        )
        yield (step, filter_, reason, name), figure


# --- errors ------------------------------------------------------------------------------


def _cells(paths: list[Path]) -> dict[tuple[str | int | None, ...], list[_Score]]:
    """Read the scores and group them by what they are scores of; a group has one for each seed.

    The order of the groups does not depend on the order of the files.
    """
    scores: list[_Score] = []
    for path in paths:
        for row in parquet.read(path).to_pylist():
            figure = Figure(**{name: row.pop(name) for name in results.FIGURE.names})
            draws = np.array(row.pop("draws"), np.float64)
            scores.append(_Score(**row, figure=figure, draws=draws))
    scores.sort(key=_place)
    cells: dict[tuple[str | int | None, ...], list[_Score]] = {}
    for score in scores:
        cells.setdefault(score.cell, []).append(score)
    return cells


def _place(score: _Score) -> tuple[object, ...]:
    low = int(score.elo_bin[1:].split(",")[0]) if score.elo_bin else -1
    phase = list(PHASE_BINS).index(score.phase_bin) if score.phase_bin else -1
    split = SPLITS.index(score.split)
    run = _run_place(score.filter, score.scenario, score.model)
    return (*run, split, low, phase, score.figure.metric, score.seed)


def _run_place(filter_: str, scenario: int, model: str) -> tuple[int, int, int]:
    return get_args(Filter).index(filter_), scenario, list(MODULES).index(model)


def _over_seeds(spec: Spec, settings: Scores, cell: list[_Score]) -> list[tuple[_Score, int]]:
    """Return the mean over seeds with its interval, or the one run as it is."""
    first = cell[0]
    if len(cell) == 1:
        return [(first, 1)]
    value = float(np.mean([score.figure.value for score in cell]))
    draws = np.stack([score.draws for score in cell])  # [seeds, draws]
    seeds = spec.rng("seeds", len(cell)).integers(len(cell), size=draws.shape)
    averaged = np.take_along_axis(draws, seeds, axis=0).mean(axis=0)
    try:
        lo, hi, method = interval(value, averaged, settings.confidence, over="game and seed")
    except UndefinedError as error:
        print(f"no {first.figure.metric} for {first.cell}: {error}", file=sys.stderr)
        return []
    figure = replace(first.figure, value=value, lo=lo, hi=hi, interval=method)
    return [(replace(first, figure=figure), len(cell))]


def _best_seeds(
    cells: Mapping[tuple[str | int | None, ...], list[_Score]],
) -> dict[tuple[str, int, str], int]:
    """Return the seed with the smallest mean absolute error on validation, for every model."""
    best: dict[tuple[str, int, str], int] = {}
    for cell in cells.values():
        first = cell[0]
        whole = first.elo_bin is None and first.phase_bin is None
        if first.split == "validation" and whole and first.figure.metric == "mae":
            winner = min(cell, key=lambda score: (score.figure.value, score.seed))
            best[(first.filter, first.scenario, first.model)] = winner.seed
    return best


# --- times -------------------------------------------------------------------------------


def _times(paths: list[Path]) -> list[_Keyed]:
    groups: dict[tuple[str, int, str, str], list[dict[str, object]]] = {}
    for path in paths:
        for row in parquet.read(path).to_pylist():
            key = (row["filter"], row["scenario"], row["model"], row["metric"])
            groups.setdefault(key, []).append(row)
    metrics = list(dict.fromkeys(key[3] for key in groups))
    order = sorted(groups, key=lambda key: (*_run_place(*key[:3]), metrics.index(key[3])))
    rows: list[_Keyed] = []
    for key in order:
        found = groups[key]
        values = np.array([row["value"] for row in found], np.float64)
        lo, hi = float(values.min()), float(values.max())
        measured = not key[3].startswith(("size", "inputs", "parameters"))
        runs = f"{len(values)} measurement" + ("s" if len(values) > 1 else "")
        figure = Figure(
            metric=key[3],
            unit=str(found[0]["unit"]),
            value=float(np.median(values)),
            lo=lo,
            hi=hi,
            interval=f"range over {runs}, value the median" if measured or lo < hi else EXACT,
            n_games=int(str(found[0]["n_games"])),
            n_positions=int(str(found[0]["n_positions"])),
            played_by=str(found[0]["played_by"]),
        )
        n_seeds = len({row["seed"] for row in found})
        rows.append(((*key[:3], n_seeds), figure))
    return rows
