"""Games and positions in each Elo bin, by split."""

from __future__ import annotations

from collections import defaultdict

import altair as alt

from tabia.report.figures.inputs import Inputs, by_interval, empty, players, title, values
from tabia.report.theme import SPLITS

__all__ = ["chart"]

_TITLE = "Games and positions in each Elo bin"
_WHOSE = {
    "first": "first player's Elo",
    "second": "second player's Elo",
    "both": "both players in one bin",
    "mover": "mover's Elo",
}


def chart(inputs: Inputs) -> alt.TopLevelMixin:
    """Return bars by Elo bin, stacked by split: a row a metric, a column whose Elo it is."""
    rows = inputs.rows("records_elo_bins")
    if not rows:
        return empty(_TITLE, "No game was accepted.")
    # One bar for all who played: the table tells engines and people apart.
    sums: dict[tuple[str, str, str, str], float] = defaultdict(float)
    for row in rows:
        whose = _WHOSE[row["elo_bin_by"]]
        sums[row["metric"], whose, row["elo_bin"], row["split"]] += row["value"]
    drawn = [
        {"metric": metric, "whose": whose, "elo_bin": elo_bin, "split": split, "value": value}
        for (metric, whose, elo_bin, split), value in sums.items()
    ]
    for bar in drawn:
        bar["place"] = list(SPLITS).index(str(bar["split"]))
    order = by_interval(row["elo_bin"] for row in rows)
    bars = (
        alt.Chart()
        .mark_bar()
        .encode(
            x=alt.X(
                "elo_bin:N",
                scale=alt.Scale(domain=order),
                title="Elo bin",
                axis=alt.Axis(labelAngle=-50),
            ),
            y=alt.Y("value:Q", title=None, axis=alt.Axis(format="~s", tickCount=5)),
            color=alt.Color(
                "split:N",
                title=None,
                scale=alt.Scale(domain=list(SPLITS), range=list(SPLITS.values())),
            ),
            order=alt.Order("place:Q"),
            tooltip=[
                alt.Tooltip("whose:N", title="bin of"),
                alt.Tooltip("elo_bin:N", title="Elo bin"),
                alt.Tooltip("split:N"),
                alt.Tooltip("metric:N", title="number of"),
                alt.Tooltip("value:Q", title="number", format=","),
            ],
        )
        .properties(width=250, height=150)
    )
    columns = ["metric", "whose", "elo_bin", "split", "place", "value"]
    whose_order = [name for name in _WHOSE.values() if any(row["whose"] == name for row in drawn)]
    games = sum(
        row["value"] for row in rows if row["metric"] == "games" and row["elo_bin_by"] == "both"
    )
    figure: alt.FacetChart = (
        alt.layer(bars, data=values(drawn, columns))
        .facet(
            row=alt.Row("metric:N", title=None),
            column=alt.Column("whose:N", title=None, sort=whose_order),
            spacing=18,
        )
        .resolve_scale(y="independent")
        .properties(title=title(_TITLE, f"{games:,.0f} games · {players(rows)}"))
    )
    return figure
