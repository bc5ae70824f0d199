"""Games and positions in each Elo bin, by split, each game apart."""

from __future__ import annotations

from collections import defaultdict

import altair as alt

from tabia.report.figures.inputs import Inputs, Row, by_interval, empty, of_games, title, values
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
    """Return bars by Elo bin, stacked by split: rows a game and metric, columns whose Elo."""
    rows = inputs.rows("records_elo_bins")
    if not rows:
        return empty(_TITLE, "No game was accepted.")
    counted: dict[str, float] = defaultdict(float)
    for row in rows:
        if row["metric"] == "games" and row["elo_bin_by"] == "both":
            counted[row["game"]] += row["value"]
    whose = [_WHOSE[name] for name in _WHOSE if any(row["elo_bin_by"] == name for row in rows)]
    panels = [
        _panel([row for row in rows if row["game"] == game], whose) for game in sorted(counted)
    ]
    figure: alt.VConcatChart = alt.vconcat(*panels, spacing=24)
    figure.title = title(_TITLE, of_games(rows, dict(sorted(counted.items()))))
    return figure


def _panel(rows: list[Row], whose_order: list[str]) -> alt.FacetChart:
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
    panel: alt.FacetChart = (
        alt.layer(bars, data=values(drawn, columns))
        .facet(
            row=alt.Row("metric:N", title=None),
            column=alt.Column("whose:N", title=None, sort=whose_order),
            spacing=18,
        )
        .resolve_scale(y="independent")
        .properties(title=alt.TitleParams(rows[0]["game"], fontSize=12, offset=6))
    )
    return panel
