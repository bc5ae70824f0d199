"""How often the likeliest move is played, by its probability: a reliability diagram a model."""

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
from tabia.report.theme import ACCENT, MUTED

__all__ = ["chart"]

_TITLE = "How sure models are, and how right"
_X, _Y = "probability of the likeliest move", "how often it is played"
_COLUMNS = 3


def chart(inputs: Inputs) -> alt.TopLevelMixin:
    """Return a panel for each of the most telling models, with its calibration error."""
    every = inputs.rows("imitation_calibration")
    hits = narrow(every, metric="top_1")
    one_each(hits, ["game", "model", "confidence"], "imitation_calibration")
    sure = {
        (row["game"], row["model"], row["confidence"]): row["value"]
        for row in narrow(every, metric="mean_confidence")
    }
    errors = {
        (row["game"], row["model"]): row["value"]
        for row in narrow(own_rows(inputs), metric="ece", tested_on=ALL_BINS)
    }
    rows = [
        {**row, "at": sure[place], "panel": _head(row, errors)}
        for row in hits
        if (place := (row["game"], row["model"], row["confidence"])) in sure
    ]
    panels, drawn, left = [], [], dict[str, None]()
    for game, own in by_game(rows).items():
        shown, others = telling(own)
        left |= dict.fromkeys(others)
        kept = [row for row in own if row["model"] in shown]
        drawn += kept
        panels.append((game, _panel(kept)))
    return finish(_TITLE, "No model was scored.", panels, drawn, [*left])


def _head(row: Row, errors: dict[tuple[str, str], float]) -> str:
    error = errors.get((row["game"], row["model"]))
    return row["model"] if error is None else f"{row['model']}: ECE {100 * error:.1f} %"


def _panel(rows: Sequence[Row]) -> alt.FacetChart:
    axis = alt.Axis(format="~%", values=[0, 0.25, 0.5, 0.75, 1])
    scale = alt.Scale(domain=[0, 1], nice=False)
    most = max(row["n_positions"] for row in rows)
    base = alt.Chart().encode(
        x=alt.X("at:Q", title=_X, scale=scale, axis=axis),
        tooltip=tooltip(
            alt.Tooltip("confidence:N"), alt.Tooltip("at:Q", title="mean of it", format=".1%")
        ),
    )
    bar = base.mark_rule(strokeWidth=3, opacity=0.4, color=ACCENT).encode(
        y=alt.Y("lo:Q", title=_Y, scale=scale), y2="hi:Q"
    )
    dot = base.mark_circle(opacity=1, color=ACCENT).encode(
        y=alt.Y("value:Q", title=_Y, scale=scale, axis=axis),
        size=alt.Size(
            "n_positions:Q",
            title="moves",
            scale=alt.Scale(domain=[0, most], range=[10, 130]),
            legend=alt.Legend(
                format=",.0f", tickCount=4, symbolFillColor=ACCENT, symbolStrokeWidth=0
            ),
        ),
    )
    line = (
        alt.Chart(alt.InlineData(values=[{"a": 0}, {"a": 1}]))
        .mark_line(color=MUTED, strokeDash=[5, 4], strokeWidth=1.2)
        .encode(x="a:Q", y="a:Q")
    )
    order = list(dict.fromkeys(row["panel"] for row in rows))
    return alt.LayerChart(layer=[line, bar, dot], width=190, height=190).facet(
        facet=alt.Facet("panel:N", title=None, sort=order, header=alt.Header(labelAnchor="start")),
        columns=_COLUMNS,
        spacing={"row": 22, "column": 44},
        data=values(rows, (*COLUMNS, "confidence", "at", "panel")),
    )
