"""Positions that are left after each filter, by split."""

from __future__ import annotations

import altair as alt

from tabia.report.figures.inputs import Inputs, Row, counts, empty, narrow, title, values
from tabia.report.theme import ACCENT
from tabia.tables.splits import SPLITS

__all__ = ["chart"]

_TITLE = "Positions left after each filter"


def chart(inputs: Inputs) -> alt.TopLevelMixin:
    """Return bars: positions by step of filtering, a panel a split."""
    # The rows with a reason split up the rejected positions; the table has them.
    rows = [row for row in inputs.rows("evaluation_positions") if row["reason"] is None]
    if not rows:
        return empty(_TITLE, "No position was labelled.")
    drawn: list[Row] = [
        {**row, "what": f"{row['step']} {row['filter'] or ''}".strip()} for row in rows
    ]
    order = list(dict.fromkeys(row["what"] for row in drawn))
    base = alt.Chart().encode(
        y=alt.Y("what:N", sort=order, title=None),
        x=alt.X("value:Q", title="positions", axis=alt.Axis(format="~s", tickCount=4)),
        tooltip=[
            alt.Tooltip("what:N", title="positions"),
            alt.Tooltip("split:N"),
            alt.Tooltip("value:Q", title="number", format=","),
            alt.Tooltip("n_games:Q", title="games", format=","),
            alt.Tooltip("played_by:N", title="played by"),
        ],
    )
    bars = base.mark_bar(color=ACCENT)
    labels = base.mark_text(align="left", dx=4).encode(text=alt.Text("value:Q", format=","))
    splits = [split for split in ("all", *SPLITS) if any(row["split"] == split for row in drawn)]
    columns = ["what", "split", "value", "n_games", "played_by"]
    figure: alt.FacetChart = (
        alt.layer(bars, labels, data=values(drawn, columns))
        .properties(width=330, height=alt.Step(24))
        .facet(
            facet=alt.Facet(
                "split:N", sort=splits, title=None, header=alt.Header(labelAnchor="start")
            ),
            columns=2,
            spacing=34,
        )
        .properties(title=title(_TITLE, counts(narrow(rows, split="all"))))
    )
    return figure
