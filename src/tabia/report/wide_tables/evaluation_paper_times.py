"""Times and sizes of every model, side by side: the rest of the paper's tables 3 and 4."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tabia.report.wide_tables.layout import Cell, WideTable
from tabia.report.wide_tables.runs import (
    EMPTY,
    Row,
    Run,
    among,
    by_filter,
    counts,
    fuzzy_sets,
    model,
    runs,
    size,
    title,
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
    parts = by_filter(rows["evaluation_times"], rows["evaluation_sizes"])
    return [_table(*part) for part in parts]


def _table(filter_: str, times: Sequence[Row], sizes: Mapping[Run, Sequence[Row]]) -> WideTable:
    lines: list[tuple[Cell, ...]] = []
    for run, found in runs(times).items():
        of_run = sizes.get(run, [])
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
    return WideTable(title("Times and sizes", filter_), _HEADS, tuple(lines), tuple(_notes(times)))


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
        "Training times hold different work: that of rbf the whole search over fuzzy sets, that of"
        " mlp_lm the chosen size alone (its search is a job of its own), the paper's one network.",
        f"Trained on {behind('training_time')}; predicted one by one {behind(_ALONE)}, in a batch"
        f" {behind(_IN_BATCH)}. Nodes: of the hidden layers; of an RBF net its centres. Fuzzy"
        " sets: an input's.",
    ]


_ALONE, _IN_BATCH = "prediction_time_alone", "prediction_time_in_batch"
