"""The maximum-entropy Nash equilibrium, a bar a strategy."""

from __future__ import annotations

import altair as alt

from tabia.report.figures.inputs import Inputs, title, values
from tabia.report.figures.population import axis, behind, has_intervals, order
from tabia.report.theme import ACCENT, MUTED

__all__ = ["chart"]

_COLUMNS = ("strategy", "nash", "nash_low", "nash_high", "games")


def chart(inputs: Inputs) -> alt.TopLevelMixin:
    """Return the bars, in the order of the matrix."""
    rows = inputs.rows("population_strategies")
    names = order(rows)
    base = (
        alt.Chart(values(rows, _COLUMNS))
        .encode(x=alt.X("strategy:N", sort=names, axis=axis(names), title=None))
        .properties(width=max(320, min(720, 22 * len(names))), height=240)
    )
    bars = base.mark_bar(color=ACCENT).encode(
        y=alt.Y("nash:Q", title="probability"),
        tooltip=[
            alt.Tooltip("strategy:N"),
            alt.Tooltip("nash:Q", title="probability", format=".4f"),
            alt.Tooltip("nash_low:Q", title="from", format=".4f"),
            alt.Tooltip("nash_high:Q", title="to", format=".4f"),
            alt.Tooltip("games:Q", format=","),
        ],
    )
    played = sum(row["nash"] >= 1e-6 for row in rows)
    lines = [behind(rows), f"played: {played} of {len(rows)}"]
    layers = [bars]
    if has_intervals(rows, "nash"):
        layers.append(base.mark_rule(color=MUTED).encode(y="nash_low:Q", y2="nash_high:Q"))
        lines.append("lines: intervals by resampling games")
    return alt.layer(*layers).properties(title=title("Nash equilibrium", *lines))
