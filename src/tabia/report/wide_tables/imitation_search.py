"""Structures that the searches found, bin by bin: the paper's table II."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tabia.report.models import imitator
from tabia.report.wide_tables.imitation import by_game, code, head, notes, percent, select, text
from tabia.report.wide_tables.layout import WideTable
from tabia.report.wide_tables.runs import Row, in_order, size

__all__ = ["tables"]

_VARIABLES = {
    "memory": "m",
    "rnn": "RNN",
    "rnn_dropout": "RDP",
    "rnn_hidden": "RHD",
    "rnn_activation": "RA",
    "blocks": "blocks",
    "channels": "channels",
    "batch_norm": "BN",
    "dropout": "DP",
    "fc_layers": "#FC",
    "fc_l2": "FCR",
    "fc_activation": "FCA",
}
_MEANING = (
    "Accuracy in per cent: on the test games of the bin, each predicted by a model that has not"
    " seen it, and on the validation games that decided the structure, which flatter it."
    " Variables as in the paper's table I; m all: the whole game."
)


def tables(rows: Mapping[str, Sequence[Row]]) -> list[WideTable]:
    """Return one table a game and net, a row a bin.

    Parameters
    ----------
    rows
        Of ``imitation_structures`` and ``imitation_models``.
    """
    found = []
    for game, own in by_game(rows["imitation_structures"]):
        tested = [row for row in rows["imitation_models"] if row["game"] == game]
        for model in in_order(own, "model"):
            of_model = [row for row in own if row["model"] == model]
            found.append(_table(game, model, of_model, tested))
    return found


def _table(game: str, model: str, rows: Sequence[Row], tested: Sequence[Row]) -> WideTable:
    shown = [name for name in _VARIABLES if any(row[name] is not None for row in rows)]
    lines, behind = [], []
    for trained_on in in_order(rows, "trained_on"):
        own = [row for row in rows if row["trained_on"] == trained_on]
        test = select(
            tested, model=model, trained_on=trained_on, tested_on=trained_on, metric="top_1"
        )
        validation = select(own, metric="validation_top_1")
        behind += [row for row in (test, validation) if row is not None]
        lines.append(
            (
                text(head(trained_on)),
                percent(test),
                percent(validation),
                *(text(own[0][name]) for name in shown),
                size(select(own, metric="parameters")),
            )
        )
    heads = ("Elo", "test", "validation", *(_VARIABLES[name] for name in shown), "parameters")
    about = imitator(model).about
    name = f"{game}: {code(model).text}" + (f", {about}" if about else "")
    return WideTable(name, heads, tuple(lines), notes(behind, _MEANING) if behind else ())
