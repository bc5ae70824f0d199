"""Mean absolute errors with intervals, as the evaluation chapter's figures draw them."""

from __future__ import annotations

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
from tabia.report.theme import colours

__all__ = ["grid", "lines"]

_X_ERROR = "mean absolute error, pawns"


def grid(inputs: Inputs, table: str, title_text: str) -> alt.TopLevelMixin:
    """Return a dot and interval for each model; a row a scenario, a column a filter."""
    rows = one_each(_errors(inputs, table), ["filter", "scenario", "model"], table)
    if not rows:
        return empty(title_text, "No model was scored on test games.")
    drawn = [{**row, **_panels(row), "label": f"{row['value']:.3g}"} for row in rows]
    names, range_ = colours(row["model"] for row in drawn)
    best = sorted(names, key=lambda name: min(r["value"] for r in drawn if r["model"] == name))
    base = alt.Chart().encode(
        y=alt.Y("model:N", sort=best, title=None),
        color=alt.Color("model:N", legend=None, scale=alt.Scale(domain=names, range=range_)),
        tooltip=_tooltip(),
    )
    x = alt.X("value:Q", title=_X_ERROR, scale=alt.Scale(zero=True), axis=alt.Axis(tickCount=6))
    bar = base.mark_rule(strokeWidth=4, opacity=0.45).encode(
        x=alt.X("lo:Q", title=_X_ERROR), x2="hi:Q"
    )
    dot = base.mark_circle(size=45, opacity=1).encode(x=x)
    label = base.mark_text(dy=-11).encode(x=x, text="label:N", color=alt.Undefined)
    columns = [*_COLUMNS, "label"]
    figure: alt.FacetChart = (
        alt.layer(bar, dot, label, data=values(drawn, columns))
        .properties(width=330, height=alt.Step(32))
        .facet(row=_ROW, column=_COLUMN, spacing=22)
        .properties(title=title(title_text, *_subtitle(rows)))
    )
    return figure


def lines(
    inputs: Inputs, table: str, column: str, *, title_text: str, axis: str
) -> alt.TopLevelMixin:
    """Return errors against the bins in `column`; a row a scenario, a column a filter."""
    found = [{**row, column: str(row[column])} for row in _errors(inputs, table)]
    rows = one_each(found, ["filter", "scenario", "model", column], table)
    if not rows:
        return empty(title_text, "No model was scored on test games.")
    order = by_interval(row[column] for row in rows)
    drawn: list[Row] = [{**row, **_panels(row), "bin": row[column]} for row in rows]
    names, range_ = colours(row["model"] for row in drawn)
    base = alt.Chart().encode(
        x=alt.X(
            "bin:N",
            sort=order,
            scale=alt.Scale(domain=order),
            title=axis,
            axis=alt.Axis(labelAngle=-40, grid=False),
        ),
        color=alt.Color("model:N", title=None, scale=alt.Scale(domain=names, range=range_)),
        tooltip=[alt.Tooltip("bin:N", title=axis.split(" (")[0]), *_tooltip()],
    )
    offset = alt.XOffset("model:N", sort=names)
    bar = base.mark_rule(strokeWidth=2, opacity=0.55).encode(
        y=alt.Y("lo:Q", title=_X_ERROR), y2="hi:Q", xOffset=offset
    )
    dot = base.mark_circle(size=45, opacity=1).encode(
        y=alt.Y("value:Q", title=_X_ERROR, axis=alt.Axis(tickCount=5)), xOffset=offset
    )
    columns = [*_COLUMNS, "bin"]
    figure: alt.FacetChart = (
        alt.layer(bar, dot, data=values(drawn, columns))
        .properties(width=max(300, 44 * len(order)), height=190)
        .facet(row=_ROW, column=_COLUMN, spacing=22)
        .properties(title=title(title_text, *_subtitle(rows)))
    )
    return figure


_ROW = alt.Row("row:N", title=None)
_COLUMN = alt.Column("column:N", title=None)
_COLUMNS = [
    "row",
    "column",
    "model",
    "value",
    "lo",
    "hi",
    "interval",
    "n_games",
    "n_positions",
    "played_by",
]


def _errors(inputs: Inputs, table: str) -> list[Row]:
    """Return the mean absolute errors on the test split, of splits by game only."""
    return narrow(inputs.rows(table), metric="mae", split="test", split_by="game")


def _panels(row: Row) -> Row:
    """Return what the heads of a row's panel say."""
    return {"row": f"scenario {row['scenario']}", "column": f"filter {row['filter']}"}


def _tooltip() -> list[alt.Tooltip]:
    return [
        alt.Tooltip("model:N"),
        alt.Tooltip("column:N", title="positions"),
        alt.Tooltip("row:N", title="inputs"),
        alt.Tooltip("value:Q", title="MAE, pawns", format=".4f"),
        alt.Tooltip("lo:Q", title="from", format=".4f"),
        alt.Tooltip("hi:Q", title="to", format=".4f"),
        alt.Tooltip("interval:N"),
        alt.Tooltip("n_games:Q", title="games", format=","),
        alt.Tooltip("n_positions:Q", title="positions", format=","),
        alt.Tooltip("played_by:N", title="played by"),
    ]


def _subtitle(rows: list[Row]) -> list[str]:
    methods = sorted({row["interval"] for row in rows})
    return [counts(rows), f"bars: {'; '.join(methods)}"]
