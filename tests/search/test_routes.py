"""A net against itself over two routes."""

from __future__ import annotations

import pytest
import torch

from tabia.search.config import Budget, GoRules, SearchSettings
from tabia.search.routes import play_routes
from tests.search.nets.made import GO, made

RULES = GoRules(size=5, komi=0.5, max_plies=30)
SEARCH = SearchSettings(budget=Budget(simulations=8))


def test_a_route_that_changes_no_move_scores_half() -> None:
    torch.manual_seed(1)
    ended = []
    match = play_routes(
        made("small", GO), RULES, "torch", "torch", games=8, search=SEARCH, ended=ended.append
    )
    assert (match.games, len(ended)) == (8, 8)
    assert match.difference.score == 0.5
    assert match.difference.pairs == (0, 0, 4, 0, 0)
    assert match.unequal_pairs == 0
    assert 2 <= match.different <= 4


@pytest.mark.parametrize("route", ["onnx", "int8", "bfloat16"])
def test_routes_play_whole_games(route: str) -> None:
    torch.manual_seed(1)
    match = play_routes(made("small", GO), RULES, route, "torch", games=4, search=SEARCH)
    assert (match.first, match.second, match.games) == (route, "torch", 4)
    assert sum(match.difference.pairs) == 2


def test_odd_numbers_and_unknown_routes_are_refused() -> None:
    net = made("small", GO)
    with pytest.raises(ValueError, match="3 games"):
        play_routes(net, RULES, "onnx", "torch", games=3)
    with pytest.raises(ValueError, match="no route 'gpu'"):
        play_routes(net, RULES, "gpu", "torch", games=2)
