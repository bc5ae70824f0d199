"""Errors of every model, side by side: the paper's tables 3 and 4, without the times."""

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
    in_order,
    model,
    runs,
    size,
    title,
)

__all__ = ["tables"]

_ERRORS = {
    "MAE validation": ("mae", "validation"),
    "MAE test": ("mae", "test"),
    "R² validation": ("r2", "validation"),
    "R² test": ("r2", "test"),
    "sign agreement test": ("sign_agreement", "test"),
}
_HEADS = ("scenario", "model", "seeds", *_ERRORS, "nodes", "fuzzy sets")
_MEANING = (
    "MAE: mean absolute error in pawns. R²: share of the targets' variance that is explained."
    " Sign agreement: share of the positions beyond 5 pawns whose winner is predicted."
)
_BEST = "Best of k: the seed with the smallest MAE on validation."
_LEAKS = (
    "Split by position: as in the paper. Positions of one game stand in training and in test, so"
    " these rows reward remembering and are not comparable with the others."
)


def tables(rows: Mapping[str, Sequence[Row]]) -> list[WideTable]:
    """Return one table a filter: a row a scenario and model, and one for the best seed.

    Parameters
    ----------
    rows
        Of ``evaluation_models`` and ``evaluation_sizes``.
    """
    parts = by_filter(rows["evaluation_models"], rows["evaluation_sizes"])
    return [_table(*part) for part in parts]


def _table(filter_: str, errors: Sequence[Row], sizes: Mapping[Run, Sequence[Row]]) -> WideTable:
    lines: list[tuple[Cell, ...]] = []
    for run, found in runs(errors).items():
        of_run = sizes.get(run, [])
        head = (Cell(str(run.scenario), run.scenario), model(run))
        several = run.n_seeds > 1
        seeds = Cell(f"mean of {run.n_seeds}" if several else "1", run.n_seeds)
        sizes_of = (size(among(of_run, "nodes")), fuzzy_sets(of_run))
        lines.append((*head, seeds, *_errors(found, ""), *sizes_of))
        if several:
            seeds = Cell(f"best of {run.n_seeds}", run.n_seeds)
            lines.append((*head, seeds, *_errors(found, "_best_seed"), EMPTY, EMPTY))
    return WideTable(title("Errors", filter_), _HEADS, tuple(lines), tuple(_notes(errors)))


def _errors(found: Sequence[Row], ending: str) -> list[Cell]:
    return [
        _error(among(found, metric + ending, split=split)) for metric, split in _ERRORS.values()
    ]


def _error(row: Row | None) -> Cell:
    if row is None:
        return EMPTY
    value, lo, hi = (_number(row[key]) for key in ("value", "lo", "hi"))
    return Cell(f"{value} [{lo}, {hi}]", row["value"])


def _number(value: float) -> str:
    # Rounded first: -0.0002 is 0.000, not -0.000.
    return f"{round(value, 3) + 0.0:,.3f}"


def _notes(errors: Sequence[Row]) -> list[str]:
    """Say what the figures mean, how their intervals were found, and what stands behind them."""
    notes = [f"{_MEANING} In brackets: {'; '.join(_methods(errors))}."]
    if any(row["n_seeds"] > 1 for row in errors):
        notes[0] += f" {_BEST}"
    for split_by in in_order(errors, "split_by"):
        parts = []
        for split in ("validation", "test"):
            own = [row for row in errors if (row["split"], row["split_by"]) == (split, split_by)]
            whole = [row for row in own if row["metric"] == "mae"]
            far = [row for row in own if row["metric"] == "sign_agreement"]
            if whole:
                parts.append(f"{split} {counts(whole)}")
            if far and split == "test":
                parts.append(f"sign agreement {counts(far)}")
        said = f"Positions: {'; '.join(parts)}."
        notes.append(said if split_by == "game" else f"{_LEAKS} {said}")
    notes.append(f"Played by {' and '.join(_players(errors))}. Values are from White's view.")
    return notes


def _methods(errors: Sequence[Row]) -> list[str]:
    methods = in_order(errors, "interval")
    plain = list(dict.fromkeys(name.removesuffix(", widened to the value") for name in methods))
    return plain + (["widened where it would not hold the value"] if plain != methods else [])


def _players(errors: Sequence[Row]) -> list[str]:
    return sorted({name for row in errors for name in row["played_by"].split(" and ")})
