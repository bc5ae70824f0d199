"""Mean absolute errors with intervals, as the evaluation chapter's figures draw them.

Scenarios stand below each other, each with a scale of its own: errors with and without the
engine's values as inputs differ too much for one. Filters stand side by side, in the order of
the table. Only splits by game are drawn; what leaks has a figure of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import altair as alt

from tabia.report.figures.inputs import (
    Inputs,
    Row,
    by_interval,
    counts,
    empty,
    narrow,
    one_each,
    title,
    values,
)
from tabia.report.models import most_telling
from tabia.report.theme import colours

__all__ = [
    "COLUMNS",
    "ERROR",
    "in_order",
    "lines",
    "scenarios",
    "subtitle",
    "tested",
    "tooltip",
]

_SCENARIOS = {
    1: "scenario 1: the engine's values at three depths are inputs",
    2: "scenario 2: the engine's values at two depths are inputs",
    3: "scenario 3: no engine value is an input",
}
ERROR = "mean absolute error, pawns"
_TICKS = [digit * 10**power for power in range(-3, 3) for digit in (1, 2, 5)]
_MOST = 6  # models told apart by colour: as many as the palette has
COLUMNS = (
    "filter",
    "scenario",
    "model",
    "value",
    "lo",
    "hi",
    "interval",
    "n_games",
    "n_positions",
    "played_by",
)
"""Columns of a table that a figure's data hold."""


def lines(
    inputs: Inputs,
    table: str,
    column: str,
    *,
    title_text: str,
    axis: str,
    logarithmic: bool = False,
) -> alt.TopLevelMixin:
    """Return errors of the most telling models against the bins in `column`."""
    found = narrow(tested(inputs, table), split_by="game")
    one_each(found, ["filter", "scenario", "model", column], table)
    if not found:
        return empty(title_text, "No model was scored on test games.")
    models = most_telling(in_order(found, "model"), _MOST)
    rows = [{**row, "bin": str(row[column])} for row in found if row["model"] in models]
    order = by_interval(row["bin"] for row in rows)
    # A logarithm has no zero, and an interval may reach it.
    is_log = logarithmic and min(row["lo"] for row in rows) > 0
    names, range_ = colours(models)
    scale = alt.Scale(type="log") if is_log else alt.Scale(zero=False)
    ticks = alt.Axis(values=_TICKS, format="~g") if is_log else alt.Axis(tickCount=5)
    base = alt.Chart().encode(
        x=alt.X(
            "bin:N",
            sort=order,
            scale=alt.Scale(domain=order),
            title=axis,
            axis=alt.Axis(labelAngle=-40, grid=False),
        ),
        color=alt.Color(
            "model:N",
            title=None,
            scale=alt.Scale(domain=names, range=range_),
            legend=alt.Legend(symbolOpacity=1),
        ),
        tooltip=[alt.Tooltip("bin:N", title=axis.split(" (")[0]), *tooltip()],
    )
    offset = alt.XOffset("model:N", sort=names)
    bar = base.mark_rule(strokeWidth=2, opacity=0.55).encode(
        y=alt.Y("lo:Q", title=ERROR, scale=scale), y2="hi:Q", xOffset=offset
    )
    dot = base.mark_circle(size=45, opacity=1).encode(
        y=alt.Y("value:Q", title=ERROR, scale=scale, axis=ticks), xOffset=offset
    )
    panel = alt.LayerChart(
        layer=[bar, dot], width=max(300, 9 * len(names) * len(order)), height=170
    )
    lines_below = subtitle(rows)
    if left := [name for name in in_order(found, "model") if name not in models]:
        lines_below.append(f"in the table only: {', '.join(left)}")
    figure = scenarios(rows, lambda _: panel, (*COLUMNS, "bin"))
    return figure.properties(title=title(title_text, *lines_below))


def scenarios(
    rows: Sequence[Row],
    panel: Callable[[Sequence[Row]], alt.LayerChart],
    columns: Sequence[str],
) -> alt.VConcatChart:
    """Return what `panel` draws of each scenario's rows, a column a filter, below each other.

    Parameters
    ----------
    panel
        From the rows of one scenario to a chart without data.
    columns
        Columns of `rows` that the panels need.
    """
    filters = in_order(rows, "filter")
    drawn = []
    for scenario in sorted({row["scenario"] for row in rows}):
        own = [
            {**row, "filter": f"filter {row['filter']}"}
            for row in rows
            if row["scenario"] == scenario
        ]
        column = alt.Column("filter:N", title=None, sort=[f"filter {name}" for name in filters])
        head = alt.TitleParams(_SCENARIOS.get(scenario, f"scenario {scenario}"), fontSize=13)
        drawn.append(
            panel(own)
            .facet(column=column, data=values(own, columns), spacing=40)
            .properties(title=head)
        )
    figure: alt.VConcatChart = alt.vconcat(*drawn, spacing=26)
    return figure


def in_order(rows: Sequence[Row], column: str) -> list[str]:
    """Return the values of `column` in the order in which the table first has them."""
    return list(dict.fromkeys(str(row[column]) for row in rows))


def tested(inputs: Inputs, table: str) -> list[Row]:
    """Return the mean absolute errors on the test split, of every kind of split."""
    return narrow(inputs.rows(table), metric="mae", split="test")


def tooltip() -> list[alt.Tooltip]:
    """Return what is said of an error under the pointer."""
    return [
        alt.Tooltip("model:N"),
        alt.Tooltip("filter:N", title="positions"),
        alt.Tooltip("scenario:N"),
        alt.Tooltip("value:Q", title="MAE, pawns", format=".4f"),
        alt.Tooltip("lo:Q", title="from", format=".4f"),
        alt.Tooltip("hi:Q", title="to", format=".4f"),
        alt.Tooltip("interval:N"),
        alt.Tooltip("n_games:Q", title="games", format=","),
        alt.Tooltip("n_positions:Q", title="positions", format=","),
        alt.Tooltip("played_by:N", title="played by"),
    ]


def subtitle(rows: Sequence[Row]) -> list[str]:
    """Return the lines below a title: what stands behind the errors, what the bars are."""
    methods = sorted({row["interval"].removesuffix(", widened to the value") for row in rows})
    return [counts(rows), f"bars: {'; '.join(methods)}"]
