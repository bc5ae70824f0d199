"""What a figure is drawn from, and the small steps that figures share."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import altair as alt
import pyarrow as pa

__all__ = [
    "FigureError",
    "Inputs",
    "Row",
    "by_interval",
    "counts",
    "empty",
    "narrow",
    "of_games",
    "one_each",
    "players",
    "title",
    "values",
]

_LONGEST_LINE = 88  # characters of a subtitle; the narrowest figures are cut beyond

Row = dict[str, Any]
"""One row of a result table, by column name."""


class FigureError(ValueError):
    """A table that does not say which of its rows belong in the figure."""


@dataclass(frozen=True)
class Inputs:
    """Everything that a figure may read.

    Attributes
    ----------
    tables
        Result tables by name.
    predictions
        ``…/{filter}/{scenario}/{model}/{seed}.parquet``.
    dataset
        Positions with ``position_id`` and ``fen``, or None.
    points
        Most positions that a figure draws one by one.
    """

    tables: Mapping[str, pa.Table]
    predictions: Sequence[Path] = ()
    dataset: Path | None = None
    points: int = 2000

    def rows(self, table: str) -> list[Row]:
        """Return the rows of a result table.

        Raises
        ------
        FigureError
            If the table was not given.
        """
        if table not in self.tables:
            given = ", ".join(sorted(self.tables)) or "none"
            raise FigureError(f"no table {table}; given: {given}")
        rows: list[Row] = self.tables[table].to_pylist()
        return rows


def narrow(rows: Iterable[Row], **wanted: object) -> list[Row]:
    """Return the rows whose columns have the `wanted` values."""
    return [row for row in rows if all(row[key] == value for key, value in wanted.items())]


def one_each(rows: Sequence[Row], keys: Sequence[str], name: str) -> list[Row]:
    """Return `rows` of the table `name` as they are, after a look that each stands alone.

    Raises
    ------
    FigureError
        If two rows share their keys, so that two figures would be drawn at one place.
    """
    seen: set[tuple[str, ...]] = set()
    for row in rows:
        place = tuple(str(row[key]) for key in keys)
        if place in seen:
            raise FigureError(f"{name}: two rows for {dict(zip(keys, place, strict=True))}")
        seen.add(place)
    return [*rows]


def by_interval(names: Iterable[str]) -> list[str]:
    """Sort bins such as ``(1000,1200]`` by their lower end; what has no number comes last."""

    def place(name: str) -> tuple[bool, float, str]:
        match = re.search(r"-?\d+(?:\.\d+)?", name)
        return match is None, float(match[0]) if match else 0.0, name

    return sorted(set(names), key=place)


def values(rows: Iterable[Mapping[str, Any]], columns: Sequence[str]) -> alt.InlineData:
    """Return chosen `columns` as inline data, floats cut to six digits to keep pages small."""
    return alt.InlineData(
        values=[{name: _short(row.get(name)) for name in columns} for row in rows]
    )


def _short(value: object) -> object:
    return float(f"{value:.6g}") if isinstance(value, float) else value


def counts(rows: Sequence[Row]) -> str:
    """Say what stands behind each of `rows` (smallest to largest number), and who played."""
    parts = []
    for column, unit in (("n_games", "games"), ("n_positions", "positions")):
        numbers = [row[column] for row in rows if row[column] is not None]
        if not numbers:
            continue
        low, high = min(numbers), max(numbers)
        parts.append(f"{low:,} {unit}" if low == high else f"{low:,} to {high:,} {unit}")
    return " · ".join([*parts, players(rows)])


def players(rows: Sequence[Row]) -> str:
    """Say who played the games behind `rows`."""
    found = {name for row in rows for name in row["played_by"].split(" and ")}
    if found == {"engines"}:
        return "engine play, not people"
    return "people's games" if found == {"people"} else "games of " + " and ".join(sorted(found))


def of_games(rows: Sequence[Row], counted: Mapping[str, float]) -> str:
    """Say how many games stand behind a figure, each game apart, and of whom.

    Parameters
    ----------
    rows
        Rows of a result table, for who played.
    counted
        Number of games by game: ``{"chess": 400, "xiangqi": 300}``.
    """
    parts = [f"{number:,.0f} games of {game}" for game, number in counted.items()]
    return " · ".join([*parts, players(rows)])


def title(text: str, *subtitle: str) -> alt.TitleParams:
    """Return a title that says what is plotted, and lines below it that say from what."""
    lines = [part for line in subtitle for part in textwrap.wrap(line, _LONGEST_LINE)]
    return alt.TitleParams(text, subtitle=lines)


def empty(text: str, reason: str) -> alt.Chart:
    """Return a figure that says why there is nothing to draw."""
    chart: alt.Chart = (
        alt.Chart(alt.InlineData(values=[{"text": reason}]), title=title(text))
        .mark_text(align="left", fontSize=13)
        .encode(x=alt.value(0), y=alt.value(12), text=alt.Text("text:N"))
        .properties(width=420, height=24)
    )
    return chart
