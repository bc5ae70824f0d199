"""What the imitation chapter's wide tables share: shares in per cent, notes, order of bins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tabia.report.wide_tables.layout import Cell
from tabia.report.wide_tables.runs import EMPTY, Row, counts, in_order

__all__ = [
    "ALL_BINS",
    "OWN",
    "bins",
    "by_game",
    "code",
    "head",
    "notes",
    "own_rows",
    "percent",
    "select",
    "text",
]

OWN, ALL_BINS = "own bin", "all bins"


def by_game(rows: Sequence[Row]) -> Iterator[tuple[str, list[Row]]]:
    """Yield each game with its rows, in the order of the table."""
    for game in in_order(rows, "game"):
        yield game, [row for row in rows if row["game"] == game]


def select(rows: Iterable[Row], **wanted: object) -> Row | None:
    """Return the row that has the `wanted` values, or None."""
    for row in rows:
        if all(row[key] == value for key, value in wanted.items()):
            return row
    return None


def own_rows(rows: Iterable[Row]) -> list[Row]:
    """Return the rows of models that were tested on what they were trained for."""
    return [row for row in rows if row["trained_on"] in (row["tested_on"], OWN, ALL_BINS)]


def bins(rows: Iterable[Row], column: str = "tested_on") -> list[str]:
    """Return the bins of a column from low to high, without those that stand for all."""
    found = {row[column] for row in rows} - {OWN, ALL_BINS}
    return sorted(found, key=lambda name: int(name[1:].split(",")[0]))


def head(name: str) -> str:
    """Return a bin as tables head it, without its brackets: ``1000-1100``."""
    return name[1:-1].replace(",", "–") if name.startswith("(") else name


def percent(row: Row | None, *, signed: bool = False) -> Cell:
    """Return a share with its interval, in per cent; of a difference, in points."""
    if row is None:
        return EMPTY
    value, lo, hi = (_number(100 * row[key], signed) for key in ("value", "lo", "hi"))
    return Cell(f"{value} [{lo}, {hi}]", row["value"])


def _number(value: float, signed: bool) -> str:
    # Rounded first: -0.04 is 0.0, not -0.0.
    rounded = round(value, 1) + 0.0
    return f"{rounded:+.1f}" if signed else f"{rounded:.1f}"


def text(value: object) -> Cell:
    """Return a cell of text, empty for None."""
    return EMPTY if value is None else Cell(f"{value}")


def code(name: str) -> Cell:
    """Return a cell that names a model."""
    return Cell(name, is_code=True)


def notes(rows: Sequence[Row], meaning: str) -> tuple[str, ...]:
    """Say what figures mean, how their intervals were found, and what stands behind them."""
    methods = in_order(rows, "interval")
    plain = list(dict.fromkeys(name.replace(", widened to the value", "") for name in methods))
    if plain != methods:
        plain.append("widened where it would not hold the value")
    players = sorted({name for row in rows for name in row["played_by"].split(" and ")})
    return (
        f"{meaning} In brackets: {'; '.join(plain)}.",
        f"Behind each figure: {counts(rows)}. Played by {' and '.join(players)}.",
    )
