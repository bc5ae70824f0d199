"""Length of games, entropy of what searches recommend, draws and resignations, over generations."""

from __future__ import annotations

import altair as alt

from tabia.report.figures.imitation import Panel, finish
from tabia.report.figures.inputs import Inputs, narrow, one_each
from tabia.report.figures.search import by_learner, in_pairs, over_generations

__all__ = ["chart"]

_SHOWN = {
    "mean_plies": ("half-moves a game", ".3f", False),
    "policy_entropy": ("entropy of a search, nats", ".3f", False),
    "draws": ("share of games drawn", ".1%", True),
    "resigned": ("share of games given up", ".1%", True),
}
"""Label, form of numbers, and whether the axis begins at 0, of each metric."""


def chart(inputs: Inputs) -> alt.TopLevelMixin:
    """Return four charts a learner."""
    rows = [row for row in inputs.rows("search_selfplay") if row["metric"] in _SHOWN]
    one_each(rows, ["learner", "generation", "metric"], "search_selfplay")
    panels: list[tuple[str, Panel]] = []
    for name, own in by_learner(rows).items():
        drawn = [
            over_generations(of_metric, label, form, zero=zero)
            for metric, (label, form, zero) in _SHOWN.items()
            if (of_metric := narrow(own, metric=metric))
        ]
        panels.append((name, in_pairs(drawn)))
    return finish("Games against itself, over generations", "No game was played.", panels, rows)
