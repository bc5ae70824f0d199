"""What a split by position would claim, beside a split by game."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt

from tabia.report.figures.errors import (
    COLUMNS,
    ERROR,
    in_order,
    scenarios,
    subtitle,
    tested,
    tooltip,
)
from tabia.report.figures.inputs import Inputs, Row, empty, one_each, title
from tabia.report.theme import ACCENT, REJECTED

__all__ = ["chart"]

_TITLE = "Test error by how positions are split"
_SPLITS = {"game": "by game", "position": "by position: leaks"}


def chart(inputs: Inputs) -> alt.TopLevelMixin:
    """Return each model's error with either split, for models that were trained with both."""
    found = tested(inputs, "evaluation_models")
    both = {row["model"] for row in found if row["split_by"] == "position"}
    found = [row for row in found if row["model"] in both]
    rows = one_each(found, ["filter", "scenario", "model", "split_by"], "evaluation_models")
    if not rows:
        return empty(_TITLE, "No model was trained with a split by position.")
    drawn: list[Row] = [{**row, "split_by": _SPLITS[row["split_by"]]} for row in found]
    order = in_order(found, "model")
    columns = (*COLUMNS, "split_by")
    figure = scenarios(drawn, lambda own: _panel(own, order), columns)
    return figure.properties(title=title(_TITLE, *subtitle(rows)))


def _panel(rows: Sequence[Row], order: Sequence[str]) -> alt.LayerChart:
    low, high = min(row["lo"] for row in rows), max(row["hi"] for row in rows)
    pad = 0.06 * (high - low) or 0.1
    scale = alt.Scale(domain=[low - pad, high + pad], zero=False, nice=False)
    splits = list(_SPLITS.values())
    base = alt.Chart().encode(
        y=alt.Y("model:N", sort=[*order], title=None),
        yOffset=alt.YOffset("split_by:N", sort=splits),
        color=alt.Color(
            "split_by:N",
            title=None,
            scale=alt.Scale(domain=splits, range=[ACCENT, REJECTED]),
            legend=alt.Legend(symbolOpacity=1),
        ),
        tooltip=[alt.Tooltip("split_by:N", title="split"), *tooltip()],
    )
    bar = base.mark_rule(strokeWidth=4, opacity=0.45).encode(
        x=alt.X("lo:Q", title=ERROR, scale=scale), x2="hi:Q"
    )
    dot = base.mark_circle(size=45, opacity=1).encode(
        x=alt.X("value:Q", title=ERROR, scale=scale, axis=alt.Axis(tickCount=6))
    )
    return alt.LayerChart(layer=[bar, dot], width=330, height=alt.Step(14))
