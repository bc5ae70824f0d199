"""Accuracy of every model in every Elo bin: the paper's table III, with the rivals, as dots."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt

from tabia.report.figures.imitation import (
    ACCURACY,
    ALL_BINS,
    COLUMNS,
    bins,
    by_game,
    finish,
    in_order,
    own_rows,
    tooltip,
)
from tabia.report.figures.inputs import Inputs, Row, narrow, one_each, values
from tabia.report.models import imitator
from tabia.report.theme import families

__all__ = ["chart"]

_TITLE = "Moves predicted, by model and Elo bin"
_OURS, _UNFILTERED = "xqsv", "xqsv, no filter"
_COLUMNS = 3


def chart(inputs: Inputs) -> alt.TopLevelMixin:
    """Return a panel a bin, first of all bins: a dot and interval for each model."""
    found = own_rows(inputs)
    top = narrow(found, metric="top_1")
    one_each(top, ["game", "model", "tested_on"], "imitation_models")
    rows = [{**row, "family": imitator(row["model"]).family, "filtered": True} for row in top]
    for row in narrow(found, metric="top_1_unfiltered", model=_OURS):
        family = imitator(_OURS).family
        rows.append({**row, "model": _UNFILTERED, "family": family, "filtered": False})
    panels = [(game, _panel(own)) for game, own in by_game(rows).items()]
    return finish(_TITLE, "No model was scored.", panels, rows)


def _panel(rows: Sequence[Row]) -> alt.FacetChart:
    order = _ranked(rows)
    names, range_ = families(row["family"] for row in rows)
    where = [ALL_BINS, *bins(rows, "tested_on")]
    x = alt.X(
        "value:Q",
        title=ACCURACY,
        scale=alt.Scale(zero=False, nice=True),
        axis=alt.Axis(format="~%", tickCount=5),
    )
    base = alt.Chart().encode(
        y=alt.Y("model:N", sort=order, title=None),
        color=alt.Color(
            "family:N",
            title=None,
            scale=alt.Scale(domain=names, range=range_),
            legend=alt.Legend(symbolOpacity=1),
        ),
        tooltip=tooltip(alt.Tooltip("tested_on:N", title="Elo")),
    )
    bar = base.mark_rule(strokeWidth=4, opacity=0.45).encode(
        x=alt.X("lo:Q", title=ACCURACY), x2="hi:Q"
    )
    dot = base.transform_filter("datum.filtered").mark_circle(size=50, opacity=1).encode(x=x)
    ring = base.transform_filter("!datum.filtered").mark_point(size=50, opacity=1).encode(x=x)
    columns = (*COLUMNS, "tested_on", "family", "filtered")
    return alt.LayerChart(layer=[bar, dot, ring], width=200, height=alt.Step(18)).facet(
        facet=alt.Facet(
            "tested_on:N",
            title=None,
            sort=where,
            header=alt.Header(labelAnchor="start"),
        ),
        columns=_COLUMNS,
        spacing={"row": 16, "column": 40},
        data=values(rows, columns),
    )


def _ranked(rows: Sequence[Row]) -> list[str]:
    """Return the models, the best over all bins first."""
    pooled = narrow(rows, tested_on=ALL_BINS)
    pooled.sort(key=lambda row: (-row["value"], row["model"]))
    known = in_order(pooled, "model")
    return known + [name for name in in_order(rows, "model") if name not in known]
