"""What a generation's games and training took, and how fast they were, over generations."""

from __future__ import annotations

import altair as alt

from tabia.report.figures.imitation import Panel, finish
from tabia.report.figures.inputs import Inputs, narrow, one_each
from tabia.report.figures.search import by_learner, in_pairs, over_generations

__all__ = ["chart"]

_SHOWN = {
    ("self-play", "cpu_seconds"): "CPU seconds of self-play",
    ("training", "cpu_seconds"): "CPU seconds of training",
    ("self-play", "games_per_cpu_minute"): "games a CPU minute",
    ("self-play", "positions_per_cpu_second"): "searched positions a CPU second",
    ("self-play", "evaluations_per_cpu_second"): "evaluated positions a CPU second",
    ("training", "positions_per_cpu_second"): "trained positions a CPU second",
}


def chart(inputs: Inputs) -> alt.TopLevelMixin:
    """Return six charts a learner."""
    rows = [row for row in inputs.rows("search_times") if (row["stage"], row["metric"]) in _SHOWN]
    one_each(rows, ["learner", "generation", "stage", "metric"], "search_times")
    panels: list[tuple[str, Panel]] = []
    for name, own in by_learner(rows).items():
        drawn = [
            over_generations(of_metric, label, ",.1f", zero=True)
            for (stage, metric), label in _SHOWN.items()
            if (of_metric := narrow(own, stage=stage, metric=metric))
        ]
        panels.append((name, in_pairs(drawn)))
    return finish("Time of generations", "No game was timed.", panels, rows)
