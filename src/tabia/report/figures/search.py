"""Figures over generations with intervals, as the search chapter draws them, learner by learner."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt

from tabia.report.figures.imitation import in_order
from tabia.report.figures.inputs import Row, narrow, values
from tabia.report.theme import colours

__all__ = ["COLUMNS", "by_learner", "in_pairs", "over_generations", "tooltip"]

COLUMNS = ("value", "lo", "hi", "unit", "interval", "n_games", "n_positions", "played_by")
"""Columns of a table that a figure's data hold, besides the keys."""

_MOST_TICKS = 12


def by_learner(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """Return the rows of each learner."""
    return {name: narrow(rows, learner=name) for name in in_order(rows, "learner")}


def tooltip(*first: alt.Tooltip, form: str) -> list[alt.Tooltip]:
    """Return what is said of a figure under the pointer."""
    return [
        *first,
        alt.Tooltip("value:Q", format=form),
        alt.Tooltip("lo:Q", title="from", format=form),
        alt.Tooltip("hi:Q", title="to", format=form),
        alt.Tooltip("unit:N"),
        alt.Tooltip("interval:N"),
        alt.Tooltip("n_games:Q", title="games", format=","),
        alt.Tooltip("played_by:N", title="played by"),
    ]


def in_pairs(drawn: Sequence[alt.LayerChart | alt.FacetChart]) -> alt.ConcatChart:
    """Return charts two in a row, each with its own scale."""
    chart: alt.ConcatChart = alt.concat(*drawn, columns=2)
    apart: alt.ConcatChart = chart.resolve_scale(x="independent", y="independent")
    return apart


def over_generations(
    rows: Sequence[Row], label: str, form: str, *, zero: bool = False
) -> alt.LayerChart | alt.FacetChart:
    """Return a line with intervals, one point a generation.

    Parameters
    ----------
    rows
        Of one metric and one learner.
    label
        Of the vertical axis.
    form
        Of numbers under the pointer, as d3-format has it.
    zero
        The vertical axis begins at 0.
    """
    [colour] = colours(["net"])[1]
    generations = sorted({row["generation"] for row in rows})
    # Ticks that vega chooses fall between whole numbers where there are few.
    ticks = generations[:: -(-len(generations) // _MOST_TICKS) or 1]
    base = alt.Chart(values(rows, ("generation", *COLUMNS))).encode(
        x=alt.X(
            "generation:Q",
            title="generation",
            axis=alt.Axis(format="d", values=ticks, grid=False),
            scale=alt.Scale(zero=False, nice=False, padding=12),
        ),
        tooltip=tooltip(alt.Tooltip("generation:Q"), form=form),
    )
    y = alt.Y("value:Q", title=label, scale=alt.Scale(zero=zero))
    line = base.mark_line(color=colour, strokeWidth=1.5).encode(y=y)
    bar = base.mark_rule(color=colour, strokeWidth=2, opacity=0.5).encode(
        y=alt.Y("lo:Q", title=label), y2="hi:Q"
    )
    dot = base.mark_circle(color=colour, size=45, opacity=1).encode(y=y)
    return alt.layer(line, bar, dot).properties(width=360, height=220)
