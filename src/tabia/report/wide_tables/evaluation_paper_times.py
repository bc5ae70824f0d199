"""Times and sizes of every model, side by side: the rest of the paper's tables 3 and 4."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tabia.report.wide_tables.layout import Cell, WideTable
from tabia.report.wide_tables.runs import (
    EMPTY,
    PAPER_TABLES,
    Row,
    among,
    counts,
    fuzzy_sets,
    in_order,
    model,
    runs,
    size,
)

__all__ = ["tables"]

_TIMES = {
    "training, s": "training_time",
    "one prediction alone, µs": "prediction_time_alone",
    "a prediction in a batch, µs": "prediction_time_in_batch",
}
_SIZES = {"parameters": "parameters", "inputs": "inputs", "bytes": "size"}
_HEADS = ("scenario", "model", "seeds", *_TIMES, "nodes", "fuzzy sets", *_SIZES)


def tables(rows: Mapping[str, Sequence[Row]]) -> list[WideTable]:
    """Return one table a filter, a row a scenario and model.

    Parameters
    ----------
    rows
        Of ``evaluation_times`` and ``evaluation_sizes``.
    """
    times = rows["evaluation_times"]
    return [
        _table(
            filter_,
            [row for row in times if row["filter"] == filter_],
            [row for row in rows["evaluation_sizes"] if row["filter"] == filter_],
        )
        for filter_ in in_order(times, "filter")
    ]


def _table(filter_: str, times: Sequence[Row], sizes: Sequence[Row]) -> WideTable:
    size_rows = runs(sizes)
    lines: list[tuple[Cell, ...]] = []
    for run, found in runs(times).items():
        of_run = size_rows.get(run, [])
        lines.append(
            (
                Cell(str(run.scenario), run.scenario),
                model(run),
                Cell(str(run.n_seeds), run.n_seeds),
                *(_time(among(found, metric)) for metric in _TIMES.values()),
                size(among(of_run, "nodes")),
                fuzzy_sets(of_run),
                *(size(among(of_run, metric)) for metric in _SIZES.values()),
            )
        )
    title = f"Times and sizes, filter {filter_}{PAPER_TABLES.get(filter_, '')}"
    return WideTable(title, _HEADS, tuple(lines), tuple(_notes(times)))


def _time(row: Row | None) -> Cell:
    if row is None:
        return EMPTY
    value, lo, hi = (_number(row[key]) for key in ("value", "lo", "hi"))
    once = row["lo"] == row["hi"]
    return Cell(value if once else f"{value} [{lo}, {hi}]", row["value"])


def _number(value: float) -> str:
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}"


def _notes(times: Sequence[Row]) -> list[str]:
    """Say what was measured, how often, and on what."""

    def behind(metric: str) -> str:
        return counts([row for row in times if row["metric"] == metric])

    return [
        "Measured by the clock, so these figures do not repeat: the median, in brackets the"
        " smallest and the largest, over seeds and repeats, where there are several. Sizes that"
        " differ between seeds: likewise. The making of inputs, above all the engine's, is not in"
        " the times.",
        f"Trained on {behind('training_time')}; predicted one by one {behind(_ALONE)}, in a batch"
        f" {behind(_IN_BATCH)}. Nodes: of the hidden layers; of an RBF net its centres. Fuzzy"
        " sets: an input's.",
    ]


_ALONE, _IN_BATCH = "prediction_time_alone", "prediction_time_in_batch"
