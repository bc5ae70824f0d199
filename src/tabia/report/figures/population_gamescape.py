"""Strategies in the plane that describes their game best, with a parabola through them."""

from __future__ import annotations

import altair as alt

from tabia.report.figures.inputs import Inputs, Row, title, values
from tabia.report.figures.population import PAYOFF_COLOURS, behind, has_intervals
from tabia.report.theme import MUTED

__all__ = ["chart"]

_WIDTH, _HEIGHT = 460, 360
_COLUMNS = (
    "strategy", "mean_payoff", "x", "x_low", "x_high", "y", "y_low", "y_high", "outlier",
)  # fmt: skip


def chart(inputs: Inputs) -> alt.TopLevelMixin:
    """Return the 2D embedding by the Schur decomposition."""
    rows = inputs.rows("population_strategies")
    figures = {row["figure"]: row for row in inputs.rows("population_figures")}
    largest = max([abs(row["mean_payoff"]) for row in rows] + [1e-9])
    x = alt.X("x:Q", title="mean payoff rises →", scale=alt.Scale(zero=True, nice=True))
    y = alt.Y("y:Q", title=None, scale=alt.Scale(zero=True, nice=True))
    base = alt.Chart(values(rows, _COLUMNS)).properties(width=_WIDTH, height=_HEIGHT)
    origin = (
        alt.Chart(alt.InlineData(values=[{"x": 0, "y": 0}]))
        .mark_point(shape="cross", color=MUTED, size=120)
        .encode(x="x:Q", y="y:Q")
    )
    layers: list[alt.Chart] = [origin]
    if has_intervals(rows, "x"):
        across = base.mark_rule(color=MUTED, opacity=0.45).encode(x="x_low:Q", x2="x_high:Q", y=y)
        along = base.mark_rule(color=MUTED, opacity=0.45).encode(x=x, y="y_low:Q", y2="y_high:Q")
        layers += [across, along]
    fitted = any(row["outlier"] is not None for row in rows)
    if fitted:
        layers.append(
            base.transform_filter("datum.outlier == false")
            .transform_regression("x", "y", method="poly", order=2)
            .mark_line(color=MUTED, strokeDash=[7, 3, 1, 3], strokeWidth=2)
            .encode(x=x, y=y)
        )
    layers.append(
        base.mark_point(filled=True, size=90, stroke=MUTED, opacity=1).encode(
            x=x,
            y=y,
            shape=alt.Shape(
                "outlier:N",
                legend=None,
                scale=alt.Scale(domain=[False, True, None], range=["circle", "square", "circle"]),
            ),
            color=alt.Color(
                "mean_payoff:Q",
                title="mean payoff",
                scale=alt.Scale(domain=[-largest, 0, largest], range=PAYOFF_COLOURS),
            ),
            tooltip=[
                alt.Tooltip("strategy:N"),
                alt.Tooltip("mean_payoff:Q", title="mean payoff", format="+.3f"),
                alt.Tooltip("x:Q", format=".3f"),
                alt.Tooltip("y:Q", format=".3f"),
            ],
        )
    )
    return alt.layer(*layers).properties(title=title("Gamescape", *_lines(rows, figures)))


def _lines(rows: list[Row], figures: dict[str, Row]) -> list[str]:
    lines = [behind(rows)]
    weight, gap = figures["plane_weight"]["value"], figures["largest_gap_deg"]["value"]
    if weight is not None:
        lines.append(
            f"the plane holds {weight:.0%} of the squared payoffs; widest angle without a strategy,"
            f" seen from the origin (cross): {gap:.0f}°"
        )
    bend = figures["bend"]["value"]
    if bend is None:
        lines.append("too few strategies differ for a parabola")
    else:
        left = sum(row["outlier"] is True for row in rows)
        lines.append(
            f"line: parabola, bend {bend:.3f}; squares: {left} outliers by Z-score, left out of it"
        )
    return lines
