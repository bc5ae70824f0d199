"""Times and sizes of each model over its seeds, for the summary.

Times are measured by the clock and do not repeat, so they have a table of their own. Sizes are
counted: bytes, inputs, parameters, and what the model says of itself (nodes, fuzzy sets, trees).

A time's value is the median of the measurements over seeds and repeats; a size that differs
between seeds is the median over seeds. lo and hi are the smallest and the largest.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tabia.evaluation.summary_errors import run_place
from tabia.tables import parquet
from tabia.tables.results import EXACT, Figure

__all__ = ["COUNTED", "KEYS", "rows"]

KEYS = ("filter", "scenario", "model", "split_by", "n_seeds")

COUNTED = ("bytes", "count")
"""Units of what is counted and not measured."""

_Keyed = tuple[tuple[object, ...], Figure]
_Run = tuple[str, int, str, str]


def rows(filters: Sequence[str], paths: Sequence[Path]) -> tuple[list[_Keyed], list[_Keyed]]:
    """Return the rows of the tables of times and of sizes, from raw tables TIMES."""
    measured = [row for path in paths for row in parquet.read(path).to_pylist()]
    # By seed, so that the order of metrics does not depend on the order of the files.
    measured.sort(key=lambda row: (run_place(filters, _run(row)), row["seed"]))
    groups: dict[tuple[_Run, str], list[dict[str, Any]]] = {}
    for row in measured:
        groups.setdefault((_run(row), row["metric"]), []).append(row)
    times: list[_Keyed] = []
    sizes: list[_Keyed] = []
    for (run, metric), found in groups.items():
        n_seeds = len({row["seed"] for row in found})
        is_time = found[0]["unit"] not in COUNTED
        (times if is_time else sizes).append(((*run, n_seeds), _figure(metric, found, is_time)))
    return times, sizes


def _run(row: dict[str, Any]) -> _Run:
    return row["filter"], row["scenario"], row["model"], row["split_by"]


def _figure(metric: str, found: Sequence[dict[str, Any]], is_time: bool) -> Figure:
    first = found[0]
    values = np.array([row["value"] for row in found], np.float64)
    lo, hi = float(values.min()), float(values.max())
    what = "measurement" if is_time else "seed"
    over = f"{len(values)} {what}" + ("s" if len(values) > 1 else "")
    return Figure(
        metric=metric,
        unit=first["unit"],
        value=float(np.median(values)),
        lo=lo,
        hi=hi,
        interval=f"range over {over}, value the median" if is_time or lo < hi else EXACT,
        n_games=first["n_games"],
        n_positions=first["n_positions"],
        played_by=first["played_by"],
    )
