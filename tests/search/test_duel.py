"""Matches side by side: pairs, colours, openings."""

from __future__ import annotations

import pytest

from tabia._native.go_board import Board
from tabia.search.config import Budget, GoRules, SearchSettings
from tabia.search.duel import NetPlayer, RandomPlayer, RolloutPlayer, duel, pair_points
from tabia.search.play import final_count
from tests.search.made import HashEvaluator

RULES = GoRules(size=5, komi=0.5, max_plies=60)


def searching(simulations: int) -> SearchSettings:
    return SearchSettings(budget=Budget(simulations=simulations))


def test_both_games_of_a_pair_begin_with_one_opening_and_are_counted_right() -> None:
    first = NetPlayer(RULES, searching(8), 3, 1, HashEvaluator(26))
    second = NetPlayer(RULES, searching(4), 3, 2, HashEvaluator(26))
    games = duel(first, second, 4, seed=1, opening=3)
    assert [(game.pair, game.is_first) for game in games] == [
        (pair, is_first) for pair in range(4) for is_first in (True, False)
    ]
    openings = set()
    for one, other in zip(games[::2], games[1::2], strict=True):
        assert one.opening == other.opening == 3
        assert one.moves[:3] == other.moves[:3]
        openings.add(one.moves[:3])
    assert len(openings) > 1
    for game in games:
        board = Board(size=5, komi=0.5)
        for code in game.moves:
            board.push(code)
        margin, _ = final_count(RULES, game.moves)
        assert game.points == float((margin > 0) == game.is_first)


def test_a_match_repeats_from_its_seed() -> None:
    def play(seed: int) -> list[tuple[int, ...]]:
        first = RolloutPlayer(RULES, searching(8), 4)
        return [game.moves for game in duel(first, RandomPlayer(RULES, 4), 3, seed=seed)]

    assert play(1) == play(1)
    assert play(1) != play(2)


def test_search_by_rollouts_beats_random_moves() -> None:
    games = duel(RolloutPlayer(RULES, searching(64), 8), RandomPlayer(RULES, 8), 10, seed=1)
    points = pair_points(games)
    assert len(points) == 10
    assert sum(points) >= 17


def test_players_with_other_numbers_of_slots_are_refused() -> None:
    with pytest.raises(ValueError, match="2 and 3 slots"):
        duel(RandomPlayer(RULES, 2), RandomPlayer(RULES, 3), 1, seed=1)


def test_nobody_passes_in_an_opening_of_go() -> None:
    rules = GoRules(size=5, max_plies=30)
    players = [RandomPlayer(rules, 4) for _ in range(2)]
    played = duel(players[0], players[1], 40, seed=1, opening=20)
    assert all(game.opening == 20 for game in played)
    assert not any(361 in game.moves[:20] for game in played)
