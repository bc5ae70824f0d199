"""The game as a spinning top: a ring a Nash cluster, at its strength, as wide as it has members."""

from __future__ import annotations

import math

import altair as alt

from tabia.report.figures.inputs import Inputs, Row, title, values
from tabia.report.figures.population import behind
from tabia.report.theme import MUTED, RAMP

__all__ = ["chart"]

_TILT = 0.22  # of the rings towards the reader: sine of the angle
_STEPS = 48  # points of a ring


def chart(inputs: Inputs) -> alt.TopLevelMixin:
    """Return the rings in perspective, seen from a little above."""
    strategies = inputs.rows("population_strategies")
    clusters = inputs.rows("population_clusters")
    has_elo = any(row["elo"] is not None for row in strategies)
    levels = [row["strength"] for row in clusters]
    height = (max(levels) - min(levels)) or 1.0
    widest = max(row["size"] for row in clusters)
    # Rings of this tilt are as deep on paper as they are in the unit of strength.
    depth = _TILT * height / 2
    rings: list[Row] = []
    points: list[Row] = []
    members: dict[int, list[str]] = {}
    for row in strategies:
        members.setdefault(int(row["cluster"]), []).append(row["strategy"])
    for row in clusters:
        radius = row["size"] / widest
        if row["size"] == 1:
            radius = 0.0
        for step in range(_STEPS + 1):
            angle = 2 * math.pi * step / _STEPS
            rings.append(_place(row, radius, angle, depth) | {"step": step})
        # Turned ring by ring, so that members do not stand in columns.
        turn = 2.4 * row["cluster"]
        for number, name in enumerate(members.get(int(row["cluster"]), [])):
            angle = turn + 2 * math.pi * number / row["size"]
            points.append(_place(row, radius, angle, depth) | {"strategy": name})
    columns = ("cluster", "size", "strength", "x", "y")
    x = alt.X("x:Q", axis=None, scale=alt.Scale(domain=[-1.1, 1.1]))
    y = alt.Y("y:Q", title="Elo" if has_elo else "average win rate", scale=alt.Scale(zero=False))
    colour = alt.Color(
        "size:Q",
        title="strategies",
        scale=alt.Scale(scheme=alt.SchemeParams("plasma", extent=list(RAMP))),
        legend=alt.Legend(values=sorted({row["size"] for row in clusters}), format="d"),
    )
    axle = (
        alt.Chart(values([{"x": 0.0, "y": max(levels)}, {"x": 0.0, "y": min(levels)}], ("x", "y")))
        .mark_line(color=MUTED, strokeDash=[4, 4])
        .encode(x=x, y=y)
    )
    lines = (
        alt.Chart(values(rings, (*columns, "step")))
        .mark_line(strokeWidth=1.5)
        .encode(x=x, y=y, detail="cluster:N", order="step:Q", color=colour)
    )
    dots = (
        alt.Chart(values(points, (*columns, "strategy")))
        .mark_point(filled=True, size=45, opacity=1)
        .encode(
            x=x,
            y=y,
            color=colour,
            tooltip=[
                alt.Tooltip("strategy:N"),
                alt.Tooltip("cluster:Q"),
                alt.Tooltip("size:Q", title="in the cluster"),
                alt.Tooltip("strength:Q", title="mean strength", format=".4~g"),
            ],
        )
    )
    return alt.layer(axle, lines, dots).properties(
        width=420,
        height=420,
        title=title(
            "Spinning top",
            behind(strategies),
            "a ring a Nash cluster, at the mean strength of its members, as wide as they are many",
        ),
    )


def _place(cluster: Row, radius: float, angle: float, depth: float) -> Row:
    return {
        "cluster": cluster["cluster"],
        "size": cluster["size"],
        "strength": cluster["strength"],
        "x": radius * math.cos(angle),
        "y": cluster["strength"] + depth * radius * math.sin(angle),
    }
