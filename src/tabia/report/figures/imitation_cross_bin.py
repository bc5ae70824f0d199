"""Accuracy over the bins tested on, one line a bin trained on: the paper's figure 1."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt

from tabia.report.figures.imitation import (
    ACCURACY,
    COLUMNS,
    bins,
    by_game,
    finish,
    in_order,
    tooltip,
)
from tabia.report.figures.inputs import Inputs, Row, narrow, one_each, values
from tabia.report.theme import RAMP

__all__ = ["chart"]

_TITLE = "Moves predicted, by the Elo trained on and tested on"
_COLUMNS = 2


def chart(inputs: Inputs) -> alt.TopLevelMixin:
    """Return a panel for each model that is trained bin by bin."""
    top = narrow(inputs.rows("imitation_models"), metric="top_1")
    rows = [
        row for row in top if row["trained_on"].startswith("(") and row["tested_on"].startswith("(")
    ]
    one_each(rows, ["game", "model", "trained_on", "tested_on"], "imitation_models")
    panels = [(game, _panel(own)) for game, own in by_game(rows).items()]
    return finish(_TITLE, "No model was trained bin by bin.", panels, rows)


def _panel(rows: Sequence[Row]) -> alt.FacetChart:
    tested, trained = bins(rows, "tested_on"), bins(rows, "trained_on")
    drawn = [{**row, "is_own": row["trained_on"] == row["tested_on"]} for row in rows]
    y = alt.Y(
        "value:Q",
        title=ACCURACY,
        scale=alt.Scale(zero=False),
        axis=alt.Axis(format="~%", tickCount=5),
    )
    base = alt.Chart().encode(
        x=alt.X(
            "tested_on:N",
            sort=tested,
            scale=alt.Scale(domain=tested),
            title="Elo tested on",
            axis=alt.Axis(labelAngle=-40, grid=False),
        ),
        color=alt.Color(
            "trained_on:O",
            title="Elo trained on",
            sort=trained,
            scale=alt.Scale(domain=trained, scheme=alt.SchemeParams(name="plasma", extent=RAMP)),
        ),
        tooltip=tooltip(
            alt.Tooltip("trained_on:N", title="trained on"),
            alt.Tooltip("tested_on:N", title="tested on"),
        ),
    )
    # Lines and intervals are moved aside alike, so that those of one bin stand side by side.
    offset = alt.XOffset(
        "trained_on:N", sort=trained, scale=alt.Scale(domain=trained, paddingOuter=1)
    )
    line = base.mark_line(strokeWidth=1.5, opacity=0.8).encode(y=y, xOffset=offset)
    bar = base.mark_rule(strokeWidth=2, opacity=0.45).encode(
        y=alt.Y("lo:Q", title=ACCURACY), y2="hi:Q", xOffset=offset
    )
    dot = base.mark_circle(opacity=1).encode(
        y=y,
        xOffset=offset,
        size=alt.condition("datum.is_own", alt.value(130), alt.value(30)),
    )
    columns = (*COLUMNS, "trained_on", "tested_on", "is_own")
    models = in_order(rows, "model")
    return alt.LayerChart(
        layer=[line, bar, dot], width=max(240, 14 * len(tested) * len(trained)), height=200
    ).facet(
        facet=alt.Facet("model:N", title=None, sort=models, header=alt.Header(labelAnchor="start")),
        columns=_COLUMNS,
        spacing=24,
        data=values(drawn, columns),
    )
