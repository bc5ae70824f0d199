"""``tabia payoff GAMES --bins 1000-2000:100``: who beats whom among people of different Elo."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Literal

import numpy as np

from tabia.app.commands.game_rows import GameRows, read_rows
from tabia.app.commands.one_line import one_line
from tabia.population import payoff_csv
from tabia.population.payoff import PayoffError
from tabia.population.people import PeoplePayoff, payoff_of_people
from tabia.records.config import EloBins, Game

__all__ = ["payoff"]

_NEEDED = ("first_elo", "second_elo", "result")
_SHOWN = 13  # bins that a terminal has room for
_MARKS = ("", "~", "*")  # none, half or all of a cell is the Elo expectation


def payoff(
    files: list[Path],
    bins: EloBins,
    *,
    game: Game | None,
    headers: Path | None,
    out: Path | None,
    form: Literal["games", "matrix"],
    as_json: bool,
) -> None:
    """Print the payoff matrix of rated games, and write it.

    Parameters
    ----------
    files
        Game files of any format, packed or not, and games tables (Parquet); one game.
    bins
        Elo bins.
    game, headers
        See :func:`tabia.app.commands.game_rows.read_rows`.
    out
        CSV file, or None.
    form
        Of the CSV: ``games``, from which everything can be computed again, or ``matrix``.
    as_json
        Print one JSON object instead of a table.

    Raises
    ------
    GameFileError
        If a file cannot be read.
    PayoffError
        If no game is between players of the bins.
    """
    read = read_rows(files, game=game, headers=headers, needed=_NEEDED)
    try:
        found = payoff_of_people(read.rows, bins)
    except PayoffError as error:
        named = ", ".join(str(file) for file in files)
        raise PayoffError(f"{named}: {error}") from error
    if out is not None:
        write = payoff_csv.write_games if form == "games" else payoff_csv.write_matrix
        write(found.matrix, out)
    if as_json:
        print(json.dumps(_as_json(found, read), ensure_ascii=False, indent=1))
    else:
        print(_as_text(found, read))
    for note in read.notes:
        print(one_line(note), file=sys.stderr)


def _cells(found: PeoplePayoff) -> dict[str, Any]:
    """Count the cells of two different bins by what they are made of."""
    matrix = found.matrix
    above = np.triu_indices(len(matrix), 1)
    share = matrix.filled_share[above]
    games = matrix.games
    counts = np.zeros(len(share), np.int64) if games is None else games[above]
    filled = counts[counts > 0]
    within = 0 if games is None else int(games.diagonal().sum())
    return {
        "cells": len(share),
        "cells_of_games": int((share == 0).sum()),
        "cells_half_filled": int((share == 0.5).sum()),
        "cells_filled": int((share == 1).sum()),
        "games_between": int(counts.sum()),
        "games_within": within,
        "games_per_cell_median": float(np.median(filled)) if len(filled) else 0.0,
        "games_per_cell_most": int(filled.max(initial=0)),
    }


def _as_json(found: PeoplePayoff, read: GameRows) -> dict[str, Any]:
    matrix = found.matrix
    return {
        "game": read.game,
        "bins": found.bins.model_dump(),
        "records": read.found,
        "left_out": read.left_out,
        "unrated": found.unrated,
        "outside": found.outside,
        "lowest_elo": found.lowest,
        "highest_elo": found.highest,
        "games": matrix.n_games,
        **_cells(found),
        "names": list(matrix.names),
        "elo": _plain(matrix.ratings),
        "payoff": _plain(matrix.payoff),
        "counts": _plain(matrix.counts),
        "filled": _plain(matrix.filled),
    }


def _plain(array: Any) -> Any:
    return None if array is None else array.tolist()


def _as_text(found: PeoplePayoff, read: GameRows) -> str:
    matrix, cells = found.matrix, _cells(found)
    lines = [
        f"{read.game}: {matrix.n_games:,} games between players of {len(matrix)} bins of Elo,"
        f" {found.bins.width} wide"
    ]
    left = {**read.left_out, "no rating": found.unrated, "a rating outside": found.outside}
    if told := [f"{why.replace('_', ' ')} {count:,}" for why, count in left.items() if count]:
        lines.append("left out: " + ", ".join(told))
    if found.outside:
        lines.append(f"ratings are {found.lowest} to {found.highest}")
    lines += [
        f"{cells['games_within']:,} games within a bin say nothing of its payoff;"
        f" {cells['games_between']:,} are between two bins",
        f"cells of two bins: {cells['cells']}; with games in both orders {cells['cells_of_games']},"
        f" in one {cells['cells_half_filled']} (~, half is the Elo expectation),"
        f" without games {cells['cells_filled']} (*, all is)",
        f"games in a cell that has any: median {cells['games_per_cell_median']:g},"
        f" at most {cells['games_per_cell_most']:,}",
    ]
    if len(matrix) > _SHOWN:
        lines.append(f"more than {_SHOWN} bins: --out FILE writes the matrix, --json prints it")
        return "\n".join(lines)
    share = (2 * matrix.filled_share).astype(int)
    payoffs = [
        [
            "" if i == j else f"{_MARKS[share[i, j]]}{matrix.payoff[i, j] + 0.0:+.2f}"
            for j in range(len(matrix))
        ]
        for i in range(len(matrix))
    ]
    games = matrix.games
    lines += ["", *_square("payoff", matrix.names, payoffs)]
    if games is not None:
        counts = [[f"{count:,}" for count in row] for row in games.tolist()]
        lines += ["", *_square("games", matrix.names, counts)]
    return "\n".join(lines)


def _square(head: str, names: tuple[str, ...], cells: list[list[str]]) -> list[str]:
    """Columns are named by the lower end of their bin."""
    tops = [name[: name.index(",")] for name in names]
    left = max(len(head), *(len(name) for name in names))
    width = 2 + max(len(text) for text in [*tops, *(cell for row in cells for cell in row)])
    rows = [head.ljust(left) + "".join(top.rjust(width) for top in tops)]
    rows += [
        name.ljust(left) + "".join(cell.rjust(width) for cell in row)
        for name, row in zip(names, cells, strict=True)
    ]
    return rows
