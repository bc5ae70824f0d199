"""Games accepted and rejected, by reason, for each source."""

from __future__ import annotations

from collections import defaultdict

import altair as alt

from tabia.report.figures.inputs import Inputs, Row, empty, narrow, of_games, title, values
from tabia.report.theme import ACCENT, REJECTED

__all__ = ["chart"]

_TITLE = "Games found in each source, by fate"
_ACCEPTED, _FOUND, _SUM = "accepted", "found", "all sources"  # as the table names them
_START = 0.8  # where the scale begins: a logarithm has no zero, and one game must be seen


def chart(inputs: Inputs) -> alt.TopLevelMixin:
    """Return a dot for every source and fate: how many games, on a logarithmic scale."""
    rows = [
        row
        for row in narrow(inputs.rows("records_games"), metric="games")
        if row["reason"] != _FOUND and row["source"] != _SUM and row["value"] > 0
    ]
    if not rows:
        return empty(_TITLE, "No game was found.")
    games: dict[tuple[str, str], float] = defaultdict(float)
    played_by: dict[str, str] = {}
    game_of: dict[str, str] = {}
    for row in rows:
        games[row["source"], row["reason"]] += row["value"]
        played_by[row["source"]] = row["played_by"]
        game_of[row["source"]] = row["game"]
    found: dict[str, float] = defaultdict(float)
    counted: dict[str, float] = defaultdict(float)
    for (source, _), number in games.items():
        found[source] += number
        counted[game_of[source]] += number
    drawn: list[Row] = [
        {
            "source": source,
            "game": game_of[source],
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
    sources = sorted({row["source"] for row in drawn}, key=lambda name: (game_of[name], name))
    # One chart a source and not facets: each has its own reasons, and its own height with them.
    panels = [
        _panel([row for row in drawn if row["source"] == source], source == sources[-1])
        for source in sources
    ]
    figure: alt.VConcatChart = alt.vconcat(*panels, spacing=14).resolve_scale(x="shared")
    figure.title = title(_TITLE, of_games(rows, counted))
    return figure


def _panel(drawn: list[Row], is_last: bool) -> alt.LayerChart | alt.FacetChart:
    order = [row["reason"] for row in sorted(drawn, key=_place)]
    base = alt.Chart().encode(
        y=alt.Y("reason:N", sort=order, title=None),
        tooltip=[
            alt.Tooltip("game:N"),
            alt.Tooltip("source:N"),
            alt.Tooltip("reason:N"),
            alt.Tooltip("games:Q", format=","),
            alt.Tooltip("share:Q", title="share of the source", format=".2%"),
            alt.Tooltip("played_by:N", title="played by"),
        ],
    )
    x = alt.X(
        "games:Q",
        title="games (logarithmic scale)" if is_last else None,
        scale=alt.Scale(type="log", domainMin=_START, nice=False),
        axis=alt.Axis(format="~s", values=[10**power for power in range(10)], labels=is_last),
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
    columns = ["game", "source", "reason", "fate", "start", "games", "share", "played_by", "label"]
    panel = alt.layer(stem, dot, label, data=values(drawn, columns))
    head = alt.TitleParams(f"{drawn[0]['source']} · {drawn[0]['game']}", fontSize=12, offset=6)
    return panel.properties(width=520, height=alt.Step(22), title=head)


def _place(row: Row) -> tuple[bool, float, str]:
    """Accepted first, then the most frequent reasons."""
    return row["reason"] != _ACCEPTED, -row["games"], row["reason"]
