"""Accuracy of every model, bin by bin: the paper's table III, with the rivals and the ceiling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tabia.report.models import imitator
from tabia.report.wide_tables.imitation import (
    ALL_BINS,
    bins,
    by_game,
    code,
    head,
    notes,
    own_rows,
    percent,
    select,
    text,
)
from tabia.report.wide_tables.layout import Cell, WideTable
from tabia.report.wide_tables.runs import Row, in_order

__all__ = ["tables"]

_OURS = "xqsv"
_UNFILTERED = "no legality filter"
_FIRST = ("xqsv", "xqsv_all", "resnet", "xqsv_perfect")  # the paper's columns, in its order
_MEANING = "Share of the moves played that are the model's likeliest, in per cent."
_LIMITS = {
    "ceiling_above": "upper estimate",
    "ceiling_below": "lower estimate",
    "repeated_share": "positions that came up in two games",
}
_DISTANCES = {
    "top_1": "top-1 accuracy",
    "to_ceiling_above": "more by the upper estimate",
    "to_ceiling_below": "more by the lower estimate",
}
_CEILING = (
    "The most that a predictor of one move could reach, in per cent, where a position came up in"
    " two games of a bin or more, each once a game. Upper estimate: how often the most frequent"
    " move is played. Lower: how often the most frequent one of the other games is. All bins: by"
    " one that knows the bin."
)
_DISTANCE = (
    "On the positions that came up in two games of a bin or more: how often the model's likeliest"
    " move is played, in per cent, and by how many points more a predictor of one move could reach."
)


def tables(rows: Mapping[str, Sequence[Row]]) -> list[WideTable]:
    """Return three tables a game: models by bin, the noise ceiling, and how far models are from it.

    Parameters
    ----------
    rows
        Of ``imitation_models``, ``imitation_differences`` and ``imitation_ceiling``.
    """
    found = []
    for game, own in by_game(rows["imitation_models"]):
        found.append(_by_bin(game, own_rows(own), _of(rows["imitation_differences"], game)))
        ceiling = [row for row in _of(rows["imitation_ceiling"], game) if row["ply"] is None]
        limits = [row for row in ceiling if row["model"] is None]
        if limits:
            found.append(_ceiling(game, limits))
        reached = [row for row in ceiling if row["model"] and row["tested_on"] == ALL_BINS]
        if reached:
            found.append(_distances(game, reached))
    return found


def _of(rows: Sequence[Row], game: str) -> list[Row]:
    return [row for row in rows if row["game"] == game]


def _by_bin(game: str, rows: Sequence[Row], differences: Sequence[Row]) -> WideTable:
    models = in_order(rows, "model")
    ordered = [name for name in _FIRST if name in models]
    ordered += [name for name in models if name not in _FIRST]
    against = next((row["against"] for row in differences), None)
    columns = [*bins(rows), ALL_BINS]
    lines: list[tuple[Cell, ...]] = []
    for model in ordered:
        more = select(differences, model=model, tested_on=ALL_BINS, metric="top_1_difference")
        ends = (percent(more, signed=True),) if against else ()
        cells = _cells(rows, model, "top_1", columns)
        lines.append((code(model), text(imitator(model).about), *cells, *ends))
        if model == _OURS and select(rows, model=model, metric="top_1_unfiltered"):
            cells = _cells(rows, model, "top_1_unfiltered", columns)
            last = (text(""),) if against else ()
            lines.append((code(model), text(_UNFILTERED), *cells, *last))
    heads = (
        "model",
        "what it is",
        *map(head, columns),
        *((f"more than {against}",) if against else ()),
    )
    shown = [row for row in rows if row["metric"] in ("top_1", "top_1_unfiltered")]
    meaning = f"{_MEANING}{_best(rows)}"
    if against:
        meaning += f" More than {against}: on the same moves of all bins, in points."
    shown += [row for row in differences if row["metric"] == "top_1_difference"]
    return WideTable(f"{game}: top-1 accuracy by Elo", heads, tuple(lines), notes(shown, meaning))


def _cells(rows: Sequence[Row], model: str, metric: str, columns: Sequence[str]) -> list[Cell]:
    return [percent(select(rows, model=model, metric=metric, tested_on=name)) for name in columns]


def _best(rows: Sequence[Row]) -> str:
    pooled = [row for row in rows if row["metric"] == "top_1" and row["tested_on"] == ALL_BINS]
    if not pooled:
        return ""
    return f" Best over all bins: {max(pooled, key=lambda row: row['value'])['model']}."


def _ceiling(game: str, rows: Sequence[Row]) -> WideTable:
    columns = [*bins(rows), ALL_BINS]
    lines = []
    for metric, name in _LIMITS.items():
        own = [row for row in rows if row["metric"] == metric]
        lines.append((text(name), *(percent(select(own, tested_on=one)) for one in columns)))
    shown = [row for row in rows if row["metric"] in _LIMITS]
    heads = ("", *map(head, columns))
    return WideTable(f"{game}: noise ceiling by Elo", heads, tuple(lines), notes(shown, _CEILING))


def _distances(game: str, rows: Sequence[Row]) -> WideTable:
    lines = []
    for model in in_order(rows, "model"):
        own = [row for row in rows if row["model"] == model]
        lines.append((code(model), *(percent(select(own, metric=name)) for name in _DISTANCES)))
    shown = [row for row in rows if row["metric"] in _DISTANCES]
    heads = ("model", *_DISTANCES.values())
    title = f"{game}: distance from the noise ceiling, all bins"
    return WideTable(title, heads, tuple(lines), notes(shown, _DISTANCE))
