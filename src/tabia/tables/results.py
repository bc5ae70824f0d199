"""Result tables: every figure with its interval and the number of games behind it.

A result table is long: key columns first, then the columns of :data:`FIGURE`. One row is one
figure. Parquet, CSV and Markdown are written side by side; the Markdown shows
``value [lo, hi]``, and says once below the table how intervals were found and who played.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from tabia.tables import parquet
from tabia.tables.spec import Spec

__all__ = [
    "EXACT",
    "FIGURE",
    "Figure",
    "ResultTableError",
    "check",
    "exact",
    "key_columns",
    "number",
    "table",
    "write",
]

EXACT = "exact count"
"""Interval method of a figure that is counted, not estimated: lo = hi = value."""

FIGURE = pa.schema(
    [
        pa.field("metric", pa.string(), nullable=False),
        pa.field("unit", pa.string(), nullable=False),
        pa.field("value", pa.float64(), nullable=False),
        pa.field("lo", pa.float64(), nullable=False),
        pa.field("hi", pa.float64(), nullable=False),
        pa.field("interval", pa.string(), nullable=False),
        pa.field("n_games", pa.int64(), nullable=False),
        pa.field("n_positions", pa.int64()),  # null where a figure is about games only
        pa.field("played_by", pa.string(), nullable=False),
    ]
)


class ResultTableError(ValueError):
    """A result table that shows a figure without its n, interval or method."""


@dataclass(frozen=True)
class Figure:
    """One figure of a result table.

    Attributes
    ----------
    interval
        How `lo` and `hi` were found, e.g. ``"95% bootstrap by game, 1000 draws"``.
    n_games, n_positions
        What stands behind the figure.
    played_by
        ``people``, ``engines`` or ``engines and people``.
    """

    metric: str
    unit: str
    value: float
    lo: float
    hi: float
    interval: str
    n_games: int
    n_positions: int | None
    played_by: str


def exact(
    metric: str, value: float, *, unit: str, n_games: int, n_positions: int | None, played_by: str
) -> Figure:
    """Return a counted figure: its interval is itself."""
    return Figure(metric, unit, value, value, value, EXACT, n_games, n_positions, played_by)


def table(keys: Sequence[str], rows: Sequence[tuple[Sequence[object], Figure]]) -> pa.Table:
    """Build a result table from ``(key values, figure)`` rows; keys become text or int columns.

    Raises
    ------
    ResultTableError
        If a row has another number of key values than there are keys.
    """
    for row, (values, _) in enumerate(rows):
        if len(values) != len(keys):
            raise ResultTableError(f"row {row}: {tuple(values)} for the keys {tuple(keys)}")
    columns: dict[str, object] = {
        key: _key_column([values[i] for values, _ in rows]) for i, key in enumerate(keys)
    }
    for column in FIGURE:
        columns[column.name] = pa.array(
            [getattr(figure, column.name) for _, figure in rows], column.type
        )
    return pa.table(columns)


def _key_column(values: Sequence[object]) -> pa.Array:
    column = pa.array(values)
    return column.cast(pa.string()) if pa.types.is_null(column.type) else column


def key_columns(result: pa.Table) -> list[str]:
    """Return the names of the key columns: all that do not belong to the figure itself."""
    return [name for name in result.column_names if name not in FIGURE.names]


def check(result: pa.Table, name: str) -> None:
    """Fail if any figure of `result` lacks n, lo, hi or the interval's method.

    Raises
    ------
    ResultTableError
        Naming the table, the first offending row and the column.
    """
    for column in FIGURE:
        if column.name not in result.column_names:
            raise ResultTableError(f"{name}: no column {column.name}")
        if not column.nullable and result[column.name].null_count:
            row = result[column.name].is_null().to_pylist().index(True)
            raise ResultTableError(f"{name}: row {row} has no {column.name}")
    shown = ["value", "lo", "hi", "interval", "n_games"]
    for row, figure in enumerate(result.select(shown).to_pylist()):
        if not all(math.isfinite(figure[key]) for key in ("value", "lo", "hi")):
            raise ResultTableError(f"{name}: row {row}: value, lo or hi is not a finite number")
        if not figure["lo"] <= figure["value"] <= figure["hi"]:
            ends = f"[{figure['lo']}, {figure['hi']}]"
            raise ResultTableError(f"{name}: row {row}: value {figure['value']} outside {ends}")
        if not figure["interval"].strip():
            raise ResultTableError(f"{name}: row {row}: interval method is empty")
        if figure["interval"] == EXACT and figure["lo"] != figure["hi"]:
            raise ResultTableError(f"{name}: row {row}: an exact count has no interval")
        if figure["n_games"] < 1 and figure["interval"] != EXACT:
            raise ResultTableError(f"{name}: row {row}: an estimate from no game")


def write(
    result: pa.Table,
    path: Path,
    *,
    spec: Spec | None = None,
    title: str,
    extra: Mapping[str, str] | None = None,
) -> None:
    """Write `result` as ``path`` (.parquet) with .csv and .md beside it, after :func:`check`."""
    check(result, path.stem)
    parquet.write_text(path.with_suffix(".csv"), _csv(result))
    parquet.write_text(path.with_suffix(".md"), _markdown(result, title))
    parquet.write(result, path, spec=spec, extra={"tabia.title": title, **(extra or {})})


def _csv(result: pa.Table) -> str:
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    out.writerow(result.column_names)
    out.writerows(
        ["" if cell is None else cell for cell in row.values()] for row in result.to_pylist()
    )
    return text.getvalue()


def _markdown(result: pa.Table, title: str) -> str:
    names = key_columns(result)
    rows = result.to_pylist()
    methods = [name for name in dict.fromkeys(row["interval"] for row in rows) if name != EXACT]
    players = list(dict.fromkeys(row["played_by"] for row in rows))
    # Long texts are said once, below the table; where there are several, a number stands for each.
    numbers = {name: str(place) for place, name in enumerate(methods, start=1)}
    heads = [*names, "metric", "value [lo, hi]", "unit", "games", "positions"]
    heads += ["interval"] if len(methods) > 1 else []
    heads += ["played by"] if len(players) > 1 else []
    lines = [f"# {title}", ""]
    lines.append("| " + " | ".join(heads) + " |")
    lines.append("|" + "|".join(" --- " for _ in heads) + "|")
    for row in rows:
        value = number(row["value"])
        if row["interval"] != EXACT:
            value += f" [{number(row['lo'])}, {number(row['hi'])}]"
        positions = "" if row["n_positions"] is None else f"{row['n_positions']:,}"
        cells = [*(_cell(row[key]) for key in names), row["metric"], value, row["unit"]]
        cells += [f"{row['n_games']:,}", positions]
        cells += [numbers.get(row["interval"], "")] if len(methods) > 1 else []
        cells += [row["played_by"]] if len(players) > 1 else []
        lines.append("| " + " | ".join(cells) + " |")
    lines += _notes(rows, numbers, players)
    return "\n".join(lines) + "\n"


def _notes(
    rows: Sequence[Mapping[str, object]], numbers: Mapping[str, str], players: Sequence[str]
) -> list[str]:
    """Say how intervals were found, and who played where it is the same in every row."""
    notes: list[str] = []
    if len(numbers) == 1:
        notes += ["", f"Interval: {next(iter(numbers))}."]
    elif numbers:
        notes += ["", "Intervals:", ""]
        notes += [f"{place}. {name}" for name, place in numbers.items()]
    if any(row["interval"] == EXACT for row in rows):
        notes += ["", "Figures without an interval are exact counts."]
    if len(players) == 1:
        notes += ["", f"Played by {players[0]}."]
    return notes


def _cell(value: object) -> str:
    return "" if value is None else str(value).replace("|", "\\|")


def number(value: float) -> str:
    """Return a figure as people read it: whole numbers in full, others to four digits."""
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}"
    return f"{value:.4g}" if abs(value) < 1000 else f"{value:,.0f}"
