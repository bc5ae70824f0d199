"""Top-k and top-p accuracy of the most telling models: the paper's table IV as curves."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt

from tabia.report.figures.imitation import (
    ALL_BINS,
    COLUMNS,
    by_game,
    finish,
    own_rows,
    telling,
    tooltip,
)
from tabia.report.figures.inputs import Inputs, Row, narrow, one_each, values
from tabia.report.theme import colours

__all__ = ["chart"]

_TITLE = "Moves predicted where more than one may be named"
_AXES = {"k": "k: the likeliest moves that count", "p": "p: the mass that they must exceed"}
_Y = "moves among them"


def chart(inputs: Inputs) -> alt.TopLevelMixin:
    """Return top-k on the left and top-p on the right, a line a model."""
    rows = [
        {**row, **place}
        for row in narrow(own_rows(inputs), tested_on=ALL_BINS)
        if (place := _place(row["metric"])) is not None
    ]
    one_each(rows, ["game", "model", "metric"], "imitation_models")
    panels, drawn, left = [], [], dict[str, None]()
    for game, own in by_game(rows).items():
        shown, others = telling(own)
        left |= dict.fromkeys(others)
        kept = [row for row in own if row["model"] in shown]
        drawn += kept
        parts = [_panel(narrow(kept, letter=letter), shown, letter) for letter in _AXES]
        panels.append((game, alt.hconcat(*parts, spacing=30)))
    return finish(_TITLE, "No model was scored.", panels, drawn, [*left])


def _place(metric: str) -> Row | None:
    """Return which curve a measure is a point of, and where; None for another measure."""
    if metric.startswith("top_p_"):
        return {"letter": "p", "at": float(metric.removeprefix("top_p_"))}
    if metric.startswith("top_") and metric.removeprefix("top_").isdigit():
        return {"letter": "k", "at": int(metric.removeprefix("top_"))}
    return None


def _panel(
    rows: Sequence[Row], shown: Sequence[str], letter: str
) -> alt.LayerChart | alt.FacetChart:
    names, range_ = colours(shown)
    low, high, ticks = (
        (1, 10, [*range(1, 11)]) if letter == "k" else (0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1])
    )
    y = alt.Y(
        "value:Q",
        title=_Y,
        scale=alt.Scale(zero=False, domainMax=1),
        axis=alt.Axis(format="~%", tickCount=6),
    )
    base = alt.Chart().encode(
        x=alt.X(
            "at:Q",
            title=_AXES[letter],
            scale=alt.Scale(domain=[low, high], nice=False, padding=8),
            axis=alt.Axis(values=ticks, format="d" if letter == "k" else "~f"),
        ),
        color=alt.Color(
            "model:N",
            title=None,
            scale=alt.Scale(domain=names, range=range_),
            legend=alt.Legend(symbolOpacity=1),
        ),
        tooltip=tooltip(alt.Tooltip("at:Q", title=letter)),
    )
    line = base.mark_line(strokeWidth=1.8).encode(y=y)
    bar = base.mark_rule(strokeWidth=3, opacity=0.4).encode(y=alt.Y("lo:Q", title=_Y), y2="hi:Q")
    dot = base.mark_circle(size=26, opacity=1).encode(y=y)
    data = values(rows, (*COLUMNS, "at"))
    return alt.layer(line, bar, dot, data=data).properties(width=300, height=240)
