"""Length of games, and entropy of what searches recommend, over generations."""

from __future__ import annotations

import altair as alt

from tabia.report.figures.imitation import Panel, finish
from tabia.report.figures.inputs import Inputs, narrow, one_each
from tabia.report.figures.search import by_learner, over_generations

__all__ = ["chart"]

_SHOWN = {"mean_plies": "half-moves a game", "policy_entropy": "entropy of a search, nats"}


def chart(inputs: Inputs) -> alt.TopLevelMixin:
    """Return two charts a learner."""
    rows = [row for row in inputs.rows("search_selfplay") if row["metric"] in _SHOWN]
    one_each(rows, ["learner", "generation", "metric"], "search_selfplay")
    panels: list[tuple[str, Panel]] = []
    for name, own in by_learner(rows).items():
        drawn = [
            over_generations(of_metric, label, ".3f")
            for metric, label in _SHOWN.items()
            if (of_metric := narrow(own, metric=metric))
        ]
        panels.append((name, alt.hconcat(*drawn).resolve_scale(y="independent")))
    return finish("Games against itself, over generations", "No game was played.", panels, rows)
