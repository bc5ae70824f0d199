"""Positions that are left after each filter, by split."""

from __future__ import annotations

import altair as alt

from tabia.report.figures.inputs import Inputs, Row, counts, empty, title, values
from tabia.report.theme import ACCENT
from tabia.tables import results

__all__ = ["chart"]

_TITLE = "Positions left after each filter"
_SPLITS = ("train", "validation", "test")


def chart(inputs: Inputs) -> alt.TopLevelMixin:
    """Return bars: positions by step of filtering, a panel a split."""
    table = inputs.tables.get("evaluation_positions")
    rows = [row for row in inputs.rows("evaluation_positions") if row["unit"] == "positions"]
    if not rows or table is None:
        return empty(_TITLE, "No position was labelled.")
    keys = [key for key in results.key_columns(table) if key != "split"]
    drawn: list[Row] = []
    for row in rows:
        step = " ".join(str(row[key]) for key in keys if row[key] not in (None, ""))
        drawn.append({**row, "step": step, "what": _what(step, row["metric"], rows)})
    order = list(dict.fromkeys(row["what"] for row in drawn))
    base = alt.Chart().encode(
        y=alt.Y("what:N", sort=order, title=None),
        x=alt.X("value:Q", title="positions", axis=alt.Axis(format="~s", tickCount=4)),
        tooltip=[
            alt.Tooltip("what:N", title="positions"),
            alt.Tooltip("split:N"),
            alt.Tooltip("value:Q", title="number", format=","),
            alt.Tooltip("n_games:Q", title="games", format=","),
            alt.Tooltip("played_by:N", title="played by"),
        ],
    )
    bars = base.mark_bar(color=ACCENT)
    labels = base.mark_text(align="left", dx=4).encode(text=alt.Text("value:Q", format=","))
    splits = sorted({row.get("split") or "all" for row in drawn}, key=_split_place)
    for row in drawn:
        row["split"] = row.get("split") or "all"
    columns = ["what", "split", "value", "n_games", "played_by"]
    figure: alt.FacetChart = (
        alt.layer(bars, labels, data=values(drawn, columns))
        .properties(width=230, height=alt.Step(26))
        .facet(
            facet=alt.Facet(
                "split:N", sort=splits, title=None, header=alt.Header(labelAnchor="start")
            ),
            columns=3,
            spacing=30,
        )
        .properties(title=title(_TITLE, counts(rows)))
    )
    return figure


def _what(step: str, metric: str, rows: list[Row]) -> str:
    one_metric = len({row["metric"] for row in rows}) == 1
    return (step if one_metric else f"{step} {metric}".strip()) or metric


def _split_place(split: str) -> tuple[int, str]:
    return (_SPLITS.index(split) if split in _SPLITS else -1), split
