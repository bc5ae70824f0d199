"""Error of the most telling models by the phase of the game."""

from __future__ import annotations

import altair as alt

from tabia.report.figures.errors import lines
from tabia.report.figures.inputs import Inputs

__all__ = ["chart"]


def chart(inputs: Inputs) -> alt.TopLevelMixin:
    """Return the mean absolute error against the phase; a row a scenario, a column a filter."""
    return lines(
        inputs,
        "evaluation_by_phase",
        "phase",
        title_text="Mean absolute error by game phase, on test games",
        axis="phase (0 endgame, 128 all pieces)",
    )
