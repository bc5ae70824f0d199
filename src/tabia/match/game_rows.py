"""Rows of the games table as games that count: which are left out, and which are pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tabia.match.rated_games import Games
from tabia.tables.schemas import GAMES

__all__ = ["COLUMNS", "Unit", "counting", "named_games", "rows_of"]

Unit = Literal["auto", "game", "pair"]

COLUMNS = (
    *("game", "file", "event", "site", "round", "date", "first_name", "second_name"),
    *("first_elo", "second_elo", "result", "handicap", "split_hash"),
)
"""Of the games table, what is read here and by those who count games."""

_SAME = ("first_name", "second_name", "event", "site", "round", "date", "split_hash", "result")


def rows_of(table: pa.Table) -> pa.Table:
    """Return `COLUMNS` of a games table; what is not there is null."""
    columns = {}
    for name in COLUMNS:
        kind = pa.string() if name in ("game", "file") else GAMES.field(name).type
        columns[name] = (
            table[name].cast(kind) if name in table.column_names else pa.nulls(len(table), kind)
        )
    return pa.table(columns)


def counting(rows: pa.Table) -> tuple[pa.Table, Mapping[str, int]]:
    """Leave out rows that say nothing of strength; return the rest, and how many were left out why.

    Games without a result, games of Go with handicap stones, which make the players equal, and
    records of one game that are there again.

    Parameters
    ----------
    rows
        With `COLUMNS`.
    """
    left: Counter[str] = Counter()
    rows = _without(rows, pc.is_null(rows["result"]), "no result", left)
    stones = pc.greater(pc.fill_null(rows["handicap"], 0), 1)
    rows = _without(rows, stones, "handicap", left)
    keys = zip(*(rows[name].to_pylist() for name in _SAME), strict=True)
    seen: set[tuple[object, ...]] = set()
    again = np.zeros(len(rows), np.bool_)
    for i, key in enumerate(keys):
        # Without a hash of its content a row cannot be known again.
        again[i] = key in seen and key[6] is not None
        seen.add(key)
    rows = _without(rows, pa.array(again), "there again", left)
    return rows, dict(left)


def named_games(rows: pa.Table, unit: Unit = "auto") -> tuple[Games, Mapping[str, int]]:
    """Return the games between two different named players, and how many were left out why.

    A pair are two games of the same two players in one file, once with either of them moving first,
    whose rounds are named alike up to a last dot: ``3.1`` and ``3.2``, as matches of this program
    are written.

    Parameters
    ----------
    rows
        With `COLUMNS`, all with a result.
    unit
        What depends on nothing else: a game, a pair of games (games that are in no pair stand
        alone), or pairs where all games are in one.
    """
    left: Counter[str] = Counter()
    nameless = pc.or_(*(_is_blank(rows[name]) for name in ("first_name", "second_name")))
    rows = _without(rows, nameless, "a player without a name", left)
    alone = pc.equal(rows["first_name"], rows["second_name"])
    rows = _without(rows, alone, "a player against himself", left)
    first, second = (rows[name].to_pylist() for name in ("first_name", "second_name"))
    names = tuple(dict.fromkeys(name for pair in zip(first, second, strict=True) for name in pair))
    number = {name: i for i, name in enumerate(names)}
    games = Games(
        names=names,
        first=np.array([number[name] for name in first], np.intp),
        second=np.array([number[name] for name in second], np.intp),
        result=rows["result"].to_numpy().astype(np.int8),
    )
    if unit != "game":
        units, are_all = _pairs(games, rows)
        if len(units) and (unit == "pair" or are_all):
            games = Games(names, games.first, games.second, games.result, units)
    return games, dict(left)


def _without(rows: pa.Table, out: pa.ChunkedArray, why: str, left: Counter[str]) -> pa.Table:
    kept = rows.filter(pc.invert(out))
    if len(kept) < len(rows):
        left[why] = len(rows) - len(kept)
    return kept


def _is_blank(names: pa.ChunkedArray) -> pa.ChunkedArray:
    return pc.is_in(pc.fill_null(pc.utf8_trim_whitespace(names), ""), pa.array(["", "?"]))


def _pairs(games: Games, rows: pa.Table) -> tuple[NDArray[np.intp], bool]:
    """Return the unit of each game, and whether all are in pairs."""
    found: dict[tuple[object, ...], list[int]] = {}
    units = np.arange(len(rows))
    for i, (file, name) in enumerate(
        zip(rows["file"].to_pylist(), rows["round"].to_pylist(), strict=True)
    ):
        stem, dot, _ = (name or "").rpartition(".")
        if dot:
            players = frozenset((int(games.first[i]), int(games.second[i])))
            found.setdefault((file, players, stem), []).append(i)
    paired = 0
    for places in found.values():
        one, other = places[0], places[-1]
        if len(places) == 2 and games.first[one] == games.second[other]:
            units[other] = units[one]
            paired += 2
    return units.astype(np.intp), paired == len(rows)
