"""The profile of the spinning top: size of Nash clusters against strength."""

from __future__ import annotations

import altair as alt

from tabia.report.figures.inputs import Inputs, title, values
from tabia.report.figures.population import behind
from tabia.report.theme import ACCENT, REJECTED

__all__ = ["chart"]


def chart(inputs: Inputs) -> alt.TopLevelMixin:
    """Return clusters as points, and the skewed normal curve where one was fitted."""
    strategies = inputs.rows("population_strategies")
    clusters = inputs.rows("population_clusters")
    figures = {row["figure"]: row for row in inputs.rows("population_figures")}
    has_elo = any(row["elo"] is not None for row in strategies)
    x = alt.X(
        "strength:Q",
        title="mean Elo of the cluster" if has_elo else "mean win rate of the cluster",
        scale=alt.Scale(zero=False),
    )
    y = alt.Y("size:Q", title="strategies in the cluster")
    points = (
        alt.Chart(values(clusters, ("cluster", "size", "strength", "members")))
        .mark_point(filled=True, color=REJECTED, size=80, opacity=1)
        .encode(
            x=x,
            y=y,
            tooltip=[
                alt.Tooltip("cluster:Q"),
                alt.Tooltip("size:Q"),
                alt.Tooltip("strength:Q", format=".4~g"),
                alt.Tooltip("members:N"),
            ],
        )
    )
    lines = [behind(strategies)]
    layers = [points]
    if "population_profile" in inputs.tables:
        curve = values(inputs.rows("population_profile"), ("strength", "size"))
        layers.insert(0, alt.Chart(curve).mark_line(color=ACCENT, strokeWidth=2.5).encode(x=x, y=y))
        fit = figures["profile_r_squared"]["value"]
        peak = figures["profile_peak"]
        ends = "" if peak["low"] is None else f" (interval {peak['low']:.4g} to {peak['high']:.4g})"
        lines.append(
            f"line: skewed normal, highest at {peak['value']:.4g}{ends}"
            + ("" if fit is None else f", R² {fit:.2f}")
        )
    else:
        lines.append("no curve: four parameters need five clusters of different strength")
    return alt.layer(*layers).properties(
        width=460, height=280, title=title("Profile of the game", *lines)
    )
