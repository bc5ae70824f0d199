"""What the figures of a payoff matrix share: how strategies are named, ordered and counted."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt

from tabia.report.figures.inputs import Row

__all__ = ["LABELLED", "PAYOFF_COLOURS", "axis", "behind", "has_intervals", "order"]

LABELLED = 60
"""Strategies up to which each has its name on an axis."""

# Vermilion and blue of the palette: who wins more is redder, as in the paper's Figure 6.
PAYOFF_COLOURS = ["#0072B2", "#f7f7f7", "#D55E00"]


def order(rows: Sequence[Row]) -> list[str]:
    """Return the strategies in the order of the matrix."""
    return [str(row["strategy"]) for row in rows]


def has_intervals(rows: Sequence[Row], column: str) -> bool:
    """Whether a column of the table of strategies has an interval."""
    return any(row.get(f"{column}_low") is not None for row in rows)


def behind(rows: Sequence[Row]) -> str:
    """Say what stands behind the table of strategies."""
    games = [row["games"] for row in rows if row["games"] is not None]
    text = f"{len(rows):,} strategies"
    if not games:
        return f"{text}, games not known: no intervals"
    return f"{text}, {min(games):,} to {max(games):,} games each"


def axis(names: Sequence[str]) -> alt.Axis:
    """Return an axis that lists strategies, if they are not too many."""
    shown = len(names) <= LABELLED
    return alt.Axis(labels=shown, ticks=shown)
