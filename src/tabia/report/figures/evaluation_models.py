"""Error of every model, with intervals, by filter and scenario."""

from __future__ import annotations

import altair as alt

from tabia.report.figures.errors import grid
from tabia.report.figures.inputs import Inputs

__all__ = ["chart"]


def chart(inputs: Inputs) -> alt.TopLevelMixin:
    """Return a dot and interval for each model; a row a scenario, a column a filter."""
    return grid(inputs, "evaluation_models", "Mean absolute error of each model on test games")
