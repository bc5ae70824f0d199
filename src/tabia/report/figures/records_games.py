"""Games accepted and rejected, by reason, for each source."""

from __future__ import annotations

from collections import defaultdict

import altair as alt

from tabia.report.figures.inputs import Inputs, Row, counts, empty, title, values
from tabia.report.theme import ACCENT, REJECTED

__all__ = ["chart"]

_TITLE = "Games found in each source, by fate"
_ACCEPTED = "accepted"
_START = 0.8  # where the scale begins: a logarithm has no zero, and one game must be seen


def chart(inputs: Inputs) -> alt.TopLevelMixin:
    """Return a dot for every source and fate: how many games, on a logarithmic scale."""
    rows = [
        row for row in inputs.rows("records_games") if row["reason"] != "found" and row["value"] > 0
    ]
    if not rows:
        return empty(_TITLE, "No game was found.")
    games: dict[tuple[str, str], float] = defaultdict(float)
    played_by: dict[str, str] = {}
    for row in rows:
        games[row["source"], row["reason"]] += row["value"]
        played_by[row["source"]] = row["played_by"]
    found: dict[str, float] = defaultdict(float)
    for (source, _), number in games.items():
        found[source] += number
    drawn: list[Row] = [
        {
            "source": source,
            "reason": reason,
            "fate": _ACCEPTED if reason == _ACCEPTED else "rejected",
            "start": _START,
            "games": number,
            "share": number / found[source],
            "played_by": played_by[source],
            "label": f"{number:,.0f}",
        }
        for (source, reason), number in sorted(games.items())
    ]
    reasons = {row["reason"] for row in drawn}
    order = [reason for reason in (_ACCEPTED,) if reason in reasons]
    order += sorted(reasons - {_ACCEPTED}, key=lambda r: (-max(_of(drawn, r)), r))
    base = alt.Chart().encode(
        y=alt.Y("reason:N", sort=order, title=None),
        tooltip=[
            alt.Tooltip("source:N"),
            alt.Tooltip("reason:N"),
            alt.Tooltip("games:Q", format=","),
            alt.Tooltip("share:Q", title="share of the source", format=".2%"),
            alt.Tooltip("played_by:N", title="played by"),
        ],
    )
    x = alt.X(
        "games:Q",
        title="games (logarithmic scale)",
        scale=alt.Scale(type="log", domainMin=_START, nice=False),
        axis=alt.Axis(format="~s", values=[10**power for power in range(10)]),
    )
    colour = alt.Color(
        "fate:N",
        title=None,
        scale=alt.Scale(domain=[_ACCEPTED, "rejected"], range=[ACCENT, REJECTED]),
    )
    stem = base.mark_rule(strokeWidth=2, opacity=0.6).encode(
        x=alt.X("start:Q"), x2="games:Q", color=colour
    )
    dot = base.mark_circle(size=90, opacity=1).encode(x=x, color=colour)
    label = base.mark_text(align="left", dx=9).encode(x=x, text="label:N")
    data = values(
        drawn, ["source", "reason", "fate", "start", "games", "share", "played_by", "label"]
    )
    figure: alt.FacetChart = (
        alt.layer(stem, dot, label, data=data)
        .properties(width=520, height=alt.Step(22))
        .facet(
            row=alt.Row(
                "source:N",
                title=None,
                header=alt.Header(labelOrient="top", labelAnchor="start", labelAngle=0),
            ),
            spacing=16,
        )
        .resolve_scale(y="independent")
        .properties(title=title(_TITLE, counts(rows, add=True)))
    )
    return figure


def _of(rows: list[Row], reason: str) -> list[float]:
    return [row["games"] for row in rows if row["reason"] == reason]
