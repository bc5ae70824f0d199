"""Which rows count, and which games are pairs."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from tabia.match.game_rows import COLUMNS, counting, named_games, rows_of


def rows(*games: dict[str, Any]) -> pa.Table:
    usual = {"first_name": "a", "second_name": "b", "result": 1, "file": "f"}
    all_columns = dict.fromkeys(COLUMNS) | usual
    return rows_of(pa.Table.from_pylist([{**all_columns, **game} for game in games]))


def test_games_without_a_result_with_stones_and_again_are_left_out() -> None:
    kept, left = counting(
        rows(
            {"split_hash": 1},
            {"split_hash": 1, "file": "g"},
            {"split_hash": 1, "round": "2"},
            {"split_hash": None},
            {"split_hash": None},
            {"result": 0, "handicap": 4, "split_hash": 5},
            {"result": None, "split_hash": 6},
        )
    )
    assert len(kept) == 4
    assert left == {"no result": 1, "handicap": 1, "there again": 1}


def test_players_without_a_name_and_against_themselves_are_left_out() -> None:
    games, left = named_games(
        rows({}, {"first_name": "?"}, {"second_name": " "}, {"second_name": "a"})
    )
    assert games.names == ("a", "b")
    assert left == {"a player without a name": 2, "a player against himself": 1}


def test_pairs_are_rounds_alike_with_colours_reversed() -> None:
    one = {"round": "1.1"}
    other = {"round": "1.2", "first_name": "b", "second_name": "a"}
    games, _ = named_games(rows(one, other, {**one, "round": "2.1"}, {**other, "round": "2.2"}))
    assert games.unit is not None
    assert games.unit.tolist() == [0, 0, 2, 2]
    assert named_games(rows(one, other), "game")[0].unit is None


def test_games_that_are_not_all_in_pairs_count_by_game_unless_asked() -> None:
    table = rows(
        {"round": "1.1"},
        {"round": "1.2", "first_name": "b", "second_name": "a"},
        {"round": "2.1"},
        {"round": "2.2"},  # the same colours again
    )
    assert named_games(table)[0].unit is None
    pairs = named_games(table, "pair")[0].unit
    assert pairs is not None
    assert pairs.tolist() == [0, 0, 2, 3]
