"""Accuracy by the bin trained on and the bin tested on: the paper's figure 1 as a matrix."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tabia.report.wide_tables.imitation import (
    bins,
    by_game,
    head,
    notes,
    percent,
    select,
    text,
)
from tabia.report.wide_tables.layout import WideTable
from tabia.report.wide_tables.runs import Row, in_order

__all__ = ["tables"]

_MEANING = (
    "Share of the moves played that are the model's likeliest, in per cent: a row a bin that was"
    " trained on, a column a bin tested on."
)


def tables(rows: Mapping[str, Sequence[Row]]) -> list[WideTable]:
    """Return one table a game and model that is trained bin by bin.

    Parameters
    ----------
    rows
        Of ``imitation_models``.
    """
    found = []
    for game, own in by_game(rows["imitation_models"]):
        for model in in_order(own, "model"):
            top = [row for row in own if row["model"] == model and row["metric"] == "top_1"]
            trained, tested = bins(top, "trained_on"), bins(top)
            if not trained:
                continue
            lines = tuple(
                (
                    text(head(one)),
                    *(percent(select(top, trained_on=one, tested_on=name)) for name in tested),
                )
                for one in trained
            )
            shown = [row for row in top if row["trained_on"] in trained]
            heads = ("trained on", *map(head, tested))
            found.append(WideTable(f"{game}: {model}", heads, lines, notes(shown, _MEANING)))
    return found
