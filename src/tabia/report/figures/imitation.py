"""Accuracy with intervals, as the imitation chapter's figures draw it, each game apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import altair as alt

from tabia.report.figures.inputs import Inputs, Row, counts, empty, title
from tabia.report.models import most_telling_imitators

__all__ = [
    "ACCURACY",
    "ALL_BINS",
    "COLUMNS",
    "MOST",
    "OWN",
    "Panel",
    "bins",
    "by_game",
    "by_start",
    "finish",
    "in_order",
    "intervals",
    "own_rows",
    "telling",
    "tooltip",
]

OWN, ALL_BINS = "own bin", "all bins"
ACCURACY = "share of moves predicted"
MOST = 6  # models told apart by colour: as many as the palette has
COLUMNS = (
    "model",
    "value",
    "lo",
    "hi",
    "interval",
    "n_games",
    "n_positions",
    "played_by",
)
"""Columns of a table that a figure's data hold."""

Panel = alt.LayerChart | alt.FacetChart | alt.HConcatChart | alt.ConcatChart


def in_order(rows: Iterable[Row], column: str) -> list[str]:
    """Return the values of `column` in the order in which the table first has them."""
    return list(dict.fromkeys(str(row[column]) for row in rows))


def by_game(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """Return the rows of each game."""
    return {game: [row for row in rows if row["game"] == game] for game in in_order(rows, "game")}


def own_rows(inputs: Inputs) -> list[Row]:
    """Return the rows of models that were tested on what they were trained for."""
    every = inputs.rows("imitation_models")
    return [row for row in every if row["trained_on"] in (row["tested_on"], OWN, ALL_BINS)]


def by_start(names: Iterable[str]) -> list[str]:
    """Sort parts such as ``(1000,1100]`` or ``10-19`` by their lower end."""
    return sorted(
        set(names), key=lambda name: float(name.lstrip("(").replace("-", ",").split(",")[0])
    )


def bins(rows: Iterable[Row], column: str) -> list[str]:
    """Return the bins of a column from low to high, without those that stand for all."""
    return by_start({str(row[column]) for row in rows} - {OWN, ALL_BINS})


def telling(rows: Sequence[Row]) -> tuple[list[str], list[str]]:
    """Return the models that are drawn where room is short, and those left to the table."""
    given = in_order(rows, "model")
    shown = most_telling_imitators(given, MOST)
    return shown, [name for name in given if name not in shown]


def tooltip(*first: alt.Tooltip, form: str = ".1%") -> list[alt.Tooltip]:
    """Return what is said of a figure under the pointer."""
    return [
        alt.Tooltip("model:N"),
        *first,
        alt.Tooltip("value:Q", title=ACCURACY, format=form),
        alt.Tooltip("lo:Q", title="from", format=form),
        alt.Tooltip("hi:Q", title="to", format=form),
        alt.Tooltip("interval:N"),
        alt.Tooltip("n_games:Q", title="games", format=","),
        alt.Tooltip("n_positions:Q", title="positions", format=","),
        alt.Tooltip("played_by:N", title="played by"),
    ]


def intervals(rows: Sequence[Row]) -> str:
    """Say how the intervals of `rows` were found."""
    methods = {row["interval"].replace(", widened to the value", "") for row in rows}
    return f"bars: {'; '.join(sorted(methods))}"


def finish(
    text: str, reason: str, panels: Sequence[tuple[str, Panel]], rows: Sequence[Row],
    left: Sequence[str] = (), more: Sequence[str] = (),
) -> alt.TopLevelMixin:  # fmt: skip
    """Return the panels of all games below each other, or a figure that says `reason`.

    Parameters
    ----------
    panels
        Each game with its chart.
    rows
        What is drawn, for the lines below the title.
    left
        Models that are not drawn.
    more
        Further lines.
    """
    if not panels:
        return empty(text, reason)
    lines = [counts(rows), intervals(rows), *more]
    if left:
        lines.append(f"in the table only: {', '.join(left)}")
    drawn = [
        panel.properties(title=alt.TitleParams(game, fontSize=13, offset=8))
        for game, panel in panels
    ]
    figure: alt.VConcatChart = alt.vconcat(*drawn, spacing=28).resolve_scale(
        color="independent",
        size="independent",
        x="independent",
        xOffset="independent",
        y="independent",
    )
    figure.title = title(text, *lines)
    return figure
