"""GNU Go beside a search: its moves, its rules, its count."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from tabia.engines.errors import EngineNotFoundError
from tabia.engines.uci import find_engine
from tabia.search.config import Budget, ChessRules, GoRules, SearchSettings
from tabia.search.duel import RandomPlayer, RolloutPlayer, duel
from tabia.search.learning_config import Ladder, Learner, Search, gnugo_level
from tabia.search.play import final_count
from tabia.search.rivals import GnuGoPlayer, rival

RULES = GoRules(size=5, komi=7, max_plies=80)


@pytest.fixture(autouse=True, scope="module")
def _gnugo() -> None:
    try:
        find_engine("gnugo")
    except EngineNotFoundError as error:
        pytest.skip(str(error))


def test_gnu_go_takes_dead_stones_before_it_passes_and_counts_as_the_tree_does() -> None:
    gnugo = GnuGoPlayer(RULES, 0, 2)
    games = duel(RandomPlayer(RULES, 2), gnugo, 2, seed=3, opening=0)
    gnugo.close()
    assert len(games) == 4
    assert sum(game.points for game in games) == 0
    for game in games:
        assert game.margin == final_count(RULES, game.moves)[0]


def test_a_match_with_gnu_go_repeats_from_its_seed() -> None:
    search = SearchSettings(budget=Budget(simulations=16))

    def play() -> list[tuple[int, ...]]:
        gnugo = GnuGoPlayer(RULES, 1, 2)
        first = RolloutPlayer(RULES, search, 2)
        games = duel(first, gnugo, 2, seed=5, opening=2, opener=first)
        gnugo.close()
        return [game.moves for game in games]

    assert play() == play()


def test_a_tree_and_gnu_go_need_rules_where_dead_stones_stay() -> None:
    with pytest.raises(ValueError, match="take rules tromp-taylor"):
        GnuGoPlayer(GoRules(size=5, rules="chinese"), 1, 1)
    with pytest.raises(ValueError, match="'gnugo-level-1' is no rival at chess"):
        rival("gnugo-level-1", ChessRules(), SearchSettings(), 1)


def test_a_level_is_read_from_a_rivals_name() -> None:
    assert gnugo_level("gnugo-level-10") == 10
    assert gnugo_level("random") is None


@pytest.mark.parametrize("rules", [GoRules(size=5, rules="chinese"), ChessRules()])
def test_a_ladder_with_gnu_go_is_refused_where_it_cannot_be_played(
    rules: GoRules | ChessRules,
) -> None:
    with pytest.raises(ValidationError, match="plays Go under tromp-taylor only"):
        Search(learners={"a": Learner(rules=rules)}, ladder=Ladder(rivals=("gnugo-level-1",)))
