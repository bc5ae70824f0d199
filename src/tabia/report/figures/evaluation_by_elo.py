"""Error of the most telling models by the Elo of the players."""

from __future__ import annotations

import altair as alt

from tabia.report.figures.errors import lines
from tabia.report.figures.inputs import Inputs

__all__ = ["chart"]


def chart(inputs: Inputs) -> alt.TopLevelMixin:
    """Return the mean absolute error against the Elo bin; a row a scenario, a column a filter."""
    whose = {row["elo_bin_by"] for row in inputs.rows("evaluation_by_elo")}
    axis = "Elo bin of both players" if whose == {"both"} else "Elo bin of the player to move"
    return lines(
        inputs,
        "evaluation_by_elo",
        "elo_bin",
        title_text="Mean absolute error by Elo bin, on test games",
        axis=axis,
    )
