"""Error of every model, with intervals, by filter and scenario."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt

from tabia.report.figures.errors import COLUMNS, ERROR, scenarios, subtitle, tested, tooltip
from tabia.report.figures.inputs import Inputs, Row, empty, narrow, one_each, title
from tabia.report.models import family
from tabia.report.theme import families

__all__ = ["chart"]

_TITLE = "Mean absolute error of each model on test games"
_STRETCH = 2.5  # a model that would stretch the scale by more than this is drawn at its end
_FEWEST = 3  # models that a scale must hold


def chart(inputs: Inputs) -> alt.TopLevelMixin:
    """Return a dot and interval for each model: the smallest error on top of each scenario."""
    found = narrow(tested(inputs, "evaluation_models"), split_by="game")
    rows = one_each(found, ["filter", "scenario", "model"], "evaluation_models")
    if not rows:
        return empty(_TITLE, "No model was scored on test games.")
    names, range_ = families(family(row["model"]) for row in rows)
    colour = alt.Color(
        "family:N",
        title=None,
        scale=alt.Scale(domain=names, range=range_),
        legend=alt.Legend(symbolOpacity=1),
    )
    drawn: list[Row] = []
    for scenario in {row["scenario"]: None for row in found}:
        own = [row for row in found if row["scenario"] == scenario]
        edge = _edge(own)
        drawn += [{**row, **_placed(row, edge), "family": family(row["model"])} for row in own]
    columns = (*COLUMNS, "family", "at", "label", "is_beyond")
    figure = scenarios(drawn, lambda own: _panel(own, colour), columns)
    return figure.properties(title=title(_TITLE, *subtitle(rows)))


def _edge(rows: Sequence[Row]) -> float:
    """Return where the scale ends: the last of the models that do not stretch it too much."""
    ends: dict[str, float] = {}
    for row in rows:
        ends[row["model"]] = max(row["hi"], ends.get(row["model"], row["hi"]))
    start = min(row["lo"] for row in rows)
    found = sorted(ends.values())
    while len(found) > _FEWEST and found[-1] - start > _STRETCH * (found[-2] - start):
        found.pop()
    return found[-1]


def _placed(row: Row, edge: float) -> Row:
    """Return where a row's mark stands and what is written beside it."""
    is_beyond = row["hi"] > edge
    at = edge if is_beyond else row["value"]
    return {"at": at, "is_beyond": is_beyond, "label": f"{row['value']:.3f}"}


def _panel(rows: Sequence[Row], colour: alt.Color) -> alt.LayerChart:
    ends = [row["hi"] for row in rows if not row["is_beyond"]]
    low, high = min(row["lo"] for row in rows), max(ends)
    pad = 0.04 * (high - low) or 0.1
    # Room on the right for the last label.
    scale = alt.Scale(domain=[low - pad, high + 6 * pad], zero=False, nice=False)
    first = rows[0]["filter"]
    order = [row["model"] for row in sorted(rows, key=_error) if row["filter"] == first]
    base = alt.Chart().encode(y=alt.Y("model:N", sort=order, title=None), tooltip=tooltip())
    inside = base.transform_filter("!datum.is_beyond")
    beyond = base.transform_filter("datum.is_beyond")
    x = alt.X("at:Q", title=ERROR, scale=scale, axis=alt.Axis(tickCount=6))
    end = alt.X("hi:Q", title=ERROR, scale=scale)
    bar = inside.mark_rule(strokeWidth=4, opacity=0.45).encode(
        x=alt.X("lo:Q", title=ERROR, scale=scale), x2="hi:Q", color=colour
    )
    dot = inside.mark_circle(size=45, opacity=1).encode(x=x, color=colour)
    arrow = beyond.mark_point(shape="triangle-right", size=45, filled=True, opacity=1)
    label = inside.mark_text(align="left", dx=6).encode(x=end, text="label:N")
    label_beyond = beyond.mark_text(align="left", dx=8).encode(x=x, text="label:N")
    layers = [bar, dot, arrow.encode(x=x, color=colour), label, label_beyond]
    return alt.LayerChart(layer=layers, width=330, height=alt.Step(19))


def _error(row: Row) -> tuple[float, str]:
    return row["value"], row["model"]
