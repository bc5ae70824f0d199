"""What the evaluation chapter's wide tables share: runs as rows, and how cells are written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tabia.report.wide_tables.layout import Cell

__all__ = [
    "EMPTY",
    "Row",
    "Run",
    "among",
    "by_filter",
    "counts",
    "fuzzy_sets",
    "in_order",
    "model",
    "runs",
    "size",
    "title",
]

Row = dict[str, Any]
"""One row of a result table, by column name."""

EMPTY = Cell("")
_PAPER_TABLES = {"mate": " (the paper's table 3)", "abs20": " (the paper's table 4)"}
"""The filters' tables in the paper."""


@dataclass(frozen=True)
class Run:
    """A trained model, over all its seeds."""

    filter: str
    scenario: int
    model: str
    split_by: str
    n_seeds: int


def runs(rows: Iterable[Row]) -> dict[Run, list[Row]]:
    """Return the rows of each run, scenario by scenario, else in the order of the table."""
    found: dict[Run, list[Row]] = {}
    for row in rows:
        keys = ("filter", "scenario", "model", "split_by", "n_seeds")
        found.setdefault(Run(*(row[key] for key in keys)), []).append(row)
    # What leaks stands below the rest of its scenario.
    order = sorted(found, key=lambda run: (run.scenario, run.split_by != "game"))
    return {run: found[run] for run in order}


def by_filter(
    rows: Sequence[Row], sizes: Sequence[Row]
) -> Iterator[tuple[str, list[Row], dict[Run, list[Row]]]]:
    """Yield each filter of `rows` with its rows, and the sizes of its runs."""
    for filter_ in in_order(rows, "filter"):
        own = [row for row in rows if row["filter"] == filter_]
        yield filter_, own, runs(row for row in sizes if row["filter"] == filter_)


def title(what: str, filter_: str) -> str:
    """Return the title of a filter's table, with its number in the paper."""
    return f"{what}, filter {filter_}{_PAPER_TABLES.get(filter_, '')}"


def in_order(rows: Iterable[Row], column: str) -> list[Any]:
    """Return the values of `column` in the order in which the table first has them."""
    return list(dict.fromkeys(row[column] for row in rows))


def model(run: Run) -> Cell:
    """Return the cell that names a run's model, and says so where its split leaks."""
    if run.split_by == "game":
        return Cell(run.model, is_code=True)
    return Cell(f"{run.model}, split by {run.split_by}: leaks", is_code=True)


def among(rows: Iterable[Row], metric: str, **wanted: object) -> Row | None:
    """Return the row of a metric, or None."""
    for row in rows:
        if row["metric"] == metric and all(row[key] == value for key, value in wanted.items()):
            return row
    return None


def size(row: Row | None) -> Cell:
    """Return a count, with its range where seeds differ."""
    if row is None:
        return EMPTY
    text = f"{row['value']:,.6g}" if row["value"] % 1 else f"{row['value']:,.0f}"
    if row["lo"] < row["hi"]:
        text += f" [{row['lo']:,.0f}, {row['hi']:,.0f}]"
    return Cell(text, row["value"])


def fuzzy_sets(rows: Sequence[Row]) -> Cell:
    """Return the number of fuzzy sets an input; fewest to most where inputs differ."""
    fewest, most = (among(rows, f"fuzzy_sets_{end}") for end in ("fewest", "most"))
    if fewest and most:
        return Cell(f"{fewest['lo']:,.0f} to {most['hi']:,.0f}", most["hi"])
    return size(among(rows, "fuzzy_sets"))


def counts(rows: Sequence[Row]) -> str:
    """Return the positions and games behind some figures: ``4,925 positions of 3,489 games``."""
    parts: Mapping[str, list[int]] = {
        unit: sorted({row[f"n_{unit}"] for row in rows}) for unit in ("positions", "games")
    }
    said = [
        f"{found[0]:,} {unit}" if len(found) == 1 else f"{found[0]:,} to {found[-1]:,} {unit}"
        for unit, found in parts.items()
    ]
    return " of ".join(said)
