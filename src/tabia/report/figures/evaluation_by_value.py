"""Error of the most telling models by the size of the target."""

from __future__ import annotations

import altair as alt

from tabia.report.figures.errors import lines
from tabia.report.figures.inputs import Inputs

__all__ = ["chart"]


def chart(inputs: Inputs) -> alt.TopLevelMixin:
    """Return the mean absolute error against |target|, pawns, on a logarithmic scale."""
    return lines(
        inputs,
        "evaluation_by_value",
        "value_bin",
        title_text="Mean absolute error by size of the target, on test games",
        axis="absolute target, pawns",
        logarithmic=True,
    )
