"""Accuracy by the half-moves before, with the noise ceiling where it is known."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt

from tabia.report.figures.imitation import (
    ACCURACY,
    COLUMNS,
    Panel,
    by_game,
    by_start,
    finish,
    telling,
    tooltip,
)
from tabia.report.figures.inputs import Inputs, Row, narrow, one_each, values
from tabia.report.theme import MUTED, colours

__all__ = ["chart"]

_TITLE = "Moves predicted, by ply"
_GREY = "grey: the most that a predictor of one move could reach"
_KNOWN = 1 / 3  # share of positions that come up again, from which on a ceiling is worth showing


def chart(inputs: Inputs) -> alt.TopLevelMixin:
    """Return a line a model, and a grey box for the ceiling of each part."""
    rows = narrow(inputs.rows("imitation_parts"), group="ply", metric="top_1")
    one_each(rows, ["game", "model", "part"], "imitation_parts")
    ceilings = inputs.rows("imitation_ceiling")
    panels, drawn, left, more = [], [], dict[str, None](), dict[str, None]()
    for game, own in by_game(rows).items():
        shown, others = telling(own)
        left |= dict.fromkeys(others)
        kept = [row for row in own if row["model"] in shown]
        drawn += kept
        known = _known(narrow(ceilings, game=game))
        more |= {_GREY: None} if known else {}
        panels.append((game, _panel(kept, shown, known)))
    return finish(_TITLE, "No model was scored.", panels, drawn, [*left], [*more])


def _known(rows: Sequence[Row]) -> list[Row]:
    """Return the parts whose ceiling is known, with both of its estimates."""
    of_ply = [row for row in rows if row["ply"] is not None and row["model"] is None]
    at = {(row["ply"], row["metric"]): row for row in of_ply}
    found = []
    for ply in dict.fromkeys(row["ply"] for row in of_ply):
        share = at.get((ply, "repeated_share"))
        below, above = (at.get((ply, f"ceiling_{end}")) for end in ("below", "above"))
        if share and below and above and share["value"] >= _KNOWN:
            found.append(
                {
                    **above,
                    "model": "noise ceiling",
                    "part": ply,
                    "below": below["value"],
                    "above": above["value"],
                    "repeated": share["value"],
                }
            )
    return found


def _panel(rows: Sequence[Row], shown: Sequence[str], known: Sequence[Row]) -> Panel:
    parts = by_start(row["part"] for row in rows)
    names, range_ = colours(shown)
    x = alt.X(
        "part:N",
        sort=parts,
        scale=alt.Scale(domain=parts),
        title="half-moves played before",
        axis=alt.Axis(labelAngle=0, grid=False),
    )
    y = alt.Y(
        "value:Q",
        title=ACCURACY,
        scale=alt.Scale(zero=False),
        axis=alt.Axis(format="~%", tickCount=6),
    )
    data = values(rows, (*COLUMNS, "part"))
    offset = alt.XOffset("model:N", sort=names, scale=alt.Scale(domain=names, paddingOuter=1))
    base = alt.Chart(data).encode(
        x=x,
        color=alt.Color(
            "model:N",
            title=None,
            scale=alt.Scale(domain=names, range=range_),
            legend=alt.Legend(symbolOpacity=1),
        ),
        tooltip=tooltip(alt.Tooltip("part:N", title="half-moves played before")),
    )
    bar = base.mark_rule(strokeWidth=2, opacity=0.5).encode(
        y=alt.Y("lo:Q", title=ACCURACY), y2="hi:Q", xOffset=offset
    )
    dot = base.mark_circle(size=45, opacity=1).encode(y=y, xOffset=offset)
    layers = [bar, dot]
    if known:
        box = (
            alt.Chart(values(known, (*COLUMNS, "part", "below", "above", "repeated")))
            .mark_bar(color=MUTED, opacity=0.35)
            .encode(
                x=x,
                y=alt.Y("below:Q", title=ACCURACY),
                y2="above:Q",
                tooltip=[
                    alt.Tooltip("model:N", title="what"),
                    alt.Tooltip("part:N", title="half-moves played before"),
                    alt.Tooltip("below:Q", title="lower estimate", format=".1%"),
                    alt.Tooltip("above:Q", title="upper estimate", format=".1%"),
                    alt.Tooltip("repeated:Q", title="positions that come up again", format=".0%"),
                    alt.Tooltip("n_games:Q", title="games", format=","),
                    alt.Tooltip("n_positions:Q", title="positions", format=","),
                ],
            )
        )
        layers.insert(0, box)
    width = max(420, 12 * len(names) * len(parts))
    return alt.layer(*layers).properties(width=width, height=240)
