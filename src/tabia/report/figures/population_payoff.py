"""Payoffs of all strategies against each other; cells filled by the Elo expectation are marked."""

from __future__ import annotations

import altair as alt

from tabia.report.figures.inputs import Inputs, narrow, one_each, title, values
from tabia.report.figures.population import PAYOFF_COLOURS, axis, behind, order
from tabia.report.theme import MUTED

__all__ = ["chart"]

_SIDE = 460
_COLUMNS = ("row", "column", "payoff", "low", "high", "filled", "wins", "draws", "losses")


def chart(inputs: Inputs) -> alt.TopLevelMixin:
    """Return the heat map."""
    strategies = inputs.rows("population_strategies")
    cells = one_each(inputs.rows("population_cells"), ["row", "column"], "population_cells")
    for row in cells:
        for what in ("wins", "draws", "losses"):
            row[what] = row[f"{what}_moving_first"]
    names = order(strategies)
    largest = max([abs(row["payoff"]) for row in cells] + [1e-9])
    base = (
        alt.Chart(values(cells, _COLUMNS))
        .encode(
            x=alt.X("column:N", sort=names, axis=axis(names), title="against"),
            y=alt.Y("row:N", sort=names, axis=axis(names), title=None),
            tooltip=[
                alt.Tooltip("row:N", title="strategy"),
                alt.Tooltip("column:N", title="against"),
                alt.Tooltip("payoff:Q", format="+.3f"),
                alt.Tooltip("low:Q", title="from", format="+.3f"),
                alt.Tooltip("high:Q", title="to", format="+.3f"),
                alt.Tooltip("wins:Q", title="won moving first", format=","),
                alt.Tooltip("draws:Q", title="drawn moving first", format=","),
                alt.Tooltip("losses:Q", title="lost moving first", format=","),
                alt.Tooltip("filled:Q", title="share by Elo"),
            ],
        )
        .properties(width=_SIDE, height=_SIDE)
    )
    heat = base.mark_rect().encode(
        color=alt.Color(
            "payoff:Q",
            title="payoff",
            scale=alt.Scale(domain=[-largest, 0, largest], range=PAYOFF_COLOURS),
        )
    )
    lines = [behind(strategies), "payoff: mean score of the row, won 1, drawn 0, lost -1"]
    empty = [row for row in narrow(cells, filled=1.0) if row["row"] != row["column"]]
    half = narrow(cells, filled=0.5)
    layers = [heat]
    if empty or half:
        lines.append(
            f"dots: {len(empty) // 2} pairs without a game, filled by the Elo expectation;"
            f" small dots: {len(half) // 2} pairs with games in one order only"
        )
        size = max(4.0, 0.06 * (_SIDE / len(names)) ** 2)
        for share, area in ((1, size), (0.5, size / 4)):
            layers.append(
                base.transform_filter(
                    f"datum.filled == {share} && datum.row != datum.column"
                ).mark_circle(color=MUTED, opacity=0.9, size=area)
            )
    return alt.layer(*layers).properties(title=title("Payoffs", *lines))
