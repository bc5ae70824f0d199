"""Games and positions in each Elo bin."""

from __future__ import annotations

import altair as alt

from tabia.report.figures.inputs import Inputs, by_interval, counts, empty, title, values
from tabia.report.theme import ACCENT
from tabia.tables import results

__all__ = ["chart"]

_TITLE = "What stands behind each Elo bin"


def chart(inputs: Inputs) -> alt.TopLevelMixin:
    """Return bars by Elo bin: one panel for each metric and source."""
    rows = inputs.rows("records_elo_bins")
    if not rows:
        return empty(_TITLE, "No game has a bin.")
    others = [
        key
        for key in results.key_columns(inputs.tables["records_elo_bins"])
        if key != "elo_bin" and len({row[key] for row in rows}) > 1
    ]
    drawn = [
        {
            **row,
            "elo_bin": row["elo_bin"] or "none",
            "panel": ", ".join(str(row[key]) for key in (*others, "metric")),
        }
        for row in rows
    ]
    order = by_interval(row["elo_bin"] for row in drawn)
    bars = (
        alt.Chart()
        .mark_bar(color=ACCENT)
        .encode(
            x=alt.X(
                "elo_bin:N",
                sort=order,
                scale=alt.Scale(domain=order),
                title="Elo bin",
                axis=alt.Axis(labelAngle=-40),
            ),
            y=alt.Y("value:Q", title="number", axis=alt.Axis(format="~s", tickCount=5)),
            tooltip=[
                alt.Tooltip("panel:N", title="what"),
                alt.Tooltip("elo_bin:N", title="Elo bin"),
                alt.Tooltip("value:Q", title="number", format=","),
                alt.Tooltip("n_games:Q", title="games", format=","),
                alt.Tooltip("played_by:N", title="played by"),
            ],
        )
        .properties(width=340, height=170)
    )
    columns = ["elo_bin", "panel", "value", "n_games", "played_by"]
    figure: alt.FacetChart = (
        alt.layer(bars, data=values(drawn, columns))
        .facet(
            facet=alt.Facet(
                "panel:N",
                title=None,
                sort=list(dict.fromkeys(row["panel"] for row in drawn)),
                header=alt.Header(labelAnchor="start"),
            ),
            columns=2,
            spacing=24,
        )
        .resolve_scale(y="independent")
        .properties(title=title(_TITLE, counts(rows)))
    )
    return figure
