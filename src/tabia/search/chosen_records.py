"""The games that a net learns from before its first game against itself, out of a source's tables.

They are drawn by content and fall in the splits of the records chapter: nets learn from the games
for training, are measured on those for validation, and see none of those for testing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabia.games.go_rules import rule_set, rule_set_of_sgf
from tabia.records.hashing import copies, split_of
from tabia.tables import parquet

__all__ = ["UNKNOWN", "RecordsError", "chosen", "komi_of"]

_COLUMNS = [
    "variant",
    "start_fen",
    "result",
    "termination",
    "played_by",
    "board_size",
    "komi",
    "handicap",
    "rules",
    "n_plies",
    "moves",
    "split_hash",
]
UNKNOWN = 2
"""Stands for a result that a record does not tell."""


class RecordsError(ValueError):
    """Records without a game to learn from, or without one to measure the loss on."""

    exit_code = 3


def chosen(
    files: Sequence[Path],
    size: int | None,
    splits: Mapping[str, float],
    *,
    games: int,
    held: float,
    source: str,
) -> tuple[pa.Table, pa.Table]:
    """Return the games to learn from, and those to measure the loss on.

    Both are drawn by content from their splits, train and validation; a game comes once. More of
    them hold all that fewer do.

    Parameters
    ----------
    files
        Tables under the schema GAMES.
    size
        Lines of the board; None for a game that has one board only.
    splits
        Shares of the splits by name.
    games, held
        At most so many to learn from; so many for each of them to measure on, at least one.
    source
        Name of the source; for messages only.

    Raises
    ------
    RecordsError
        If one of the two has no game.
    """
    table = pa.concat_tables([parquet.read(path, _COLUMNS) for path in files]).combine_chunks()
    played = pc.and_(
        pc.greater(table["n_plies"], 0), pc.equal(table["variant"].cast(pa.string()), "standard")
    )
    table = table.filter(played)
    sizes = "" if size is None else _sizes(table)
    if size is not None:
        table = table.filter(pc.equal(table["board_size"], size))
    hashes = table["split_hash"].to_numpy()
    result = pc.fill_null(table["result"], UNKNOWN).to_numpy()
    repeated, _ = copies(hashes, table["n_plies"].to_numpy(), result, UNKNOWN)
    order = np.argsort(hashes, kind="stable")
    order = order[~repeated[order]]
    split_code = split_of(hashes[order], splits)
    wanted = order[split_code == 0][:games]
    measured = order[split_code == 1][: max(1, round(held * len(wanted)))]
    for name, found in (("train", wanted), ("validation", measured)):
        if not len(found):
            of_size = "" if size is None else f" on {size} lines"
            raise RecordsError(
                f"source {source}: no game{of_size} in the split {name} of {len(order)}"
                f"{sizes}; name a source with more games, or other records.splits"
            )
    return table.take(pa.array(wanted)), table.take(pa.array(measured))


def _sizes(table: pa.Table) -> str:
    counts = sorted(
        (row["values"], row["counts"])
        for row in pc.value_counts(table["board_size"]).to_pylist()
        if row["values"] is not None
    )
    found = ", ".join(f"{count} on {lines}" for lines, count in counts)
    return f" (games by lines: {found or 'none'})"


def komi_of(game: Mapping[str, Any], own: str) -> float:
    """Return White's points beforehand by the rules that a record names.

    Parameters
    ----------
    game
        Row of the games table: ``rules``, ``komi``, ``handicap``.
    own
        Name of the rules that stand in where it names none that are known.
    """
    named = rule_set_of_sgf(game["rules"] or "") or rule_set(own)
    return named.effective_komi(game["handicap"] or 0, game["komi"])
