"""Elo over generations, with the players that learn nothing."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt

from tabia.report.figures.imitation import Panel, finish
from tabia.report.figures.inputs import Inputs, Row, narrow, one_each, values
from tabia.report.figures.search import COLUMNS, by_learner, over_generations, tooltip
from tabia.report.theme import MUTED

__all__ = ["chart"]

_FORM = ".0f"


def chart(inputs: Inputs) -> alt.TopLevelMixin:
    """Return a line a learner, and a dashed one a rival."""
    rows = narrow(inputs.rows("search_generations"), metric="elo")
    one_each(rows, ["learner", "player", "generation"], "search_generations")
    panels = [(name, _panel(own)) for name, own in by_learner(rows).items()]
    return finish("Elo over generations", "No learner played a match.", panels, rows)


def _panel(rows: Sequence[Row]) -> Panel:
    line = over_generations(narrow(rows, player="net"), "Elo", _FORM)
    rivals = [row for row in rows if row["generation"] is None]
    if not rivals:
        return line
    base = alt.Chart(values(rivals, ("player", *COLUMNS))).encode(
        y=alt.Y("value:Q", title="Elo", scale=alt.Scale(zero=False)),
        tooltip=tooltip(alt.Tooltip("player:N"), form=_FORM),
    )
    rule = base.mark_rule(color=MUTED, strokeDash=[5, 4], strokeWidth=1.5)
    text = base.mark_text(color=MUTED, align="left", dx=6).encode(
        x=alt.value("width"), text="player:N"
    )
    return alt.layer(rule, text, line).properties(width=360, height=220)
