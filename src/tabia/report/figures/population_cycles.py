"""Strength, and Rock-Paper-Scissors cycles, against average win rate."""

from __future__ import annotations

import altair as alt

from tabia.report.figures.inputs import Inputs, Row, title, values
from tabia.report.figures.population import behind, has_intervals
from tabia.report.theme import ACCENT, MUTED, REJECTED

__all__ = ["chart"]

_WIDTH, _HEIGHT = 460, 170
_COLUMNS = ("strategy", "at", "strength", "cycles", "cycles_low", "cycles_high", "games")


def chart(inputs: Inputs) -> alt.TopLevelMixin:
    """Return both histograms, one above the other."""
    rows = inputs.rows("population_strategies")
    figures = {row["figure"]: row for row in inputs.rows("population_figures")}
    rated = all(row["win_rate"] is not None for row in rows)
    at = "win_rate" if rated else "mean_payoff"
    for row in rows:
        row["at"] = row[at]
    x = alt.X(
        "at:Q",
        title="average win rate" if rated else "mean payoff",
        scale=alt.Scale(domain=[0, 1]) if rated else alt.Scale(zero=False),
    )
    base = alt.Chart(values(rows, _COLUMNS)).properties(width=_WIDTH, height=_HEIGHT)
    tooltip = [
        alt.Tooltip("strategy:N"),
        alt.Tooltip("at:Q", title="win rate" if rated else "mean payoff", format=".3f"),
        alt.Tooltip("strength:Q", format=".4~g"),
        alt.Tooltip("cycles:Q", format=","),
        alt.Tooltip("cycles_low:Q", title="from", format=","),
        alt.Tooltip("cycles_high:Q", title="to", format=","),
        alt.Tooltip("games:Q", format=","),
    ]
    has_elo = any(row["elo"] is not None for row in rows)
    strength = base.mark_bar(color=ACCENT, size=6).encode(
        x=x,
        y=alt.Y(
            "strength:Q",
            title="Elo" if has_elo else "average win rate",
            scale=alt.Scale(zero=not has_elo),
        ),
        tooltip=tooltip,
    )
    bars = base.mark_bar(color=REJECTED, size=6).encode(
        x=x, y=alt.Y("cycles:Q", title="cycles through the strategy"), tooltip=tooltip
    )
    below: alt.Chart | alt.LayerChart | alt.FacetChart = bars
    if has_intervals(rows, "cycles"):
        lines = base.mark_rule(color=MUTED).encode(x=x, y="cycles_low:Q", y2="cycles_high:Q")
        below = alt.layer(bars, lines)
    figure: alt.VConcatChart = alt.vconcat(strength, below, spacing=18)
    figure.title = title("Cycles against win rate", behind(rows), *_test(figures["cycles"]))
    return figure


def _test(cycles: Row) -> list[str]:
    count = f"{cycles['value']:,.0f} Rock-Paper-Scissors cycles"
    if cycles["p_value"] is None:
        return [f"{count}; without games nothing tells how many are noise"]
    return [
        f"{count}; pure Elo with as many games: {cycles['null_low']:,.0f} to"
        f" {cycles['null_high']:,.0f} (95 %), p = {cycles['p_value']:.3f}"
    ]
