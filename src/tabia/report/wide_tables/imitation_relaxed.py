"""Top-k and top-p accuracy of every model: the paper's table IV."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tabia.report.wide_tables.imitation import (
    ALL_BINS,
    bins,
    by_game,
    head,
    notes,
    own_rows,
    percent,
    select,
)
from tabia.report.wide_tables.layout import Cell, WideTable
from tabia.report.wide_tables.runs import Row, in_order

__all__ = ["tables"]

_PAPERS = "(1200,1300]"  # the bin of the paper's table
_MEANING = {
    "k": "Share of the moves played that are among the model's k likeliest, in per cent.",
    "p": "Share of the moves played, in per cent, that are in the smallest set of likeliest moves"
    " whose probabilities exceed p together; 0 is the likeliest alone, 1 all legal moves.",
}


def tables(rows: Mapping[str, Sequence[Row]]) -> list[WideTable]:
    """Return for each game top-k and top-p: of all bins, and of one.

    That is the paper's bin where there are moves of it, else the one that has most.

    Parameters
    ----------
    rows
        Of ``imitation_models``.
    """
    found = []
    for game, every in by_game(rows["imitation_models"]):
        own = own_rows(every)
        for tested_on in (ALL_BINS, _chosen(own)):
            if tested_on is not None:
                inside = [row for row in own if row["tested_on"] == tested_on]
                found += [_table(game, tested_on, inside, letter) for letter in ("k", "p")]
    return found


def _chosen(rows: Sequence[Row]) -> str | None:
    moves: dict[str, int] = {}
    for name in bins(rows):
        own = [row["n_positions"] for row in rows if row["tested_on"] == name]
        moves[name] = max(own)
    if _PAPERS in moves:
        return _PAPERS
    return max(moves, key=lambda name: moves[name]) if moves else None


def _metrics(letter: str) -> Iterator[tuple[str, str, float]]:
    """Yield each measure's name, what stands before its row, and what that sorts by."""
    if letter == "k":
        for k in range(1, 11):
            yield f"top_{k}", f"{k}", k
    else:
        for step in range(11):
            yield f"top_p_{step / 10:.1f}", f"{step / 10:.1f}", step


def _table(game: str, tested_on: str, rows: Sequence[Row], letter: str) -> WideTable:
    models = in_order(rows, "model")
    lines: list[tuple[Cell, ...]] = []
    shown: list[Row] = []
    for metric, said, order in _metrics(letter):
        own = [row for row in rows if row["metric"] == metric]
        shown += own
        cells = [percent(select(own, model=model)) for model in models]
        lines.append((Cell(said, order), *cells))
    where = tested_on if tested_on == ALL_BINS else f"Elo {head(tested_on)}"
    return WideTable(
        f"{game}: top-{letter} accuracy, {where}",
        (letter, *models),
        tuple(lines),
        notes(shown, _MEANING[letter]),
    )
