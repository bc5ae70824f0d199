"""Games of a player against itself: what the tables hold is what was played."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tabia._native.go_board import Board
from tabia.search.config import Budget, ChessRules, GoRules, SearchSettings
from tabia.search.evaluator import Evaluation
from tabia.search.learning_config import Resignation, SelfPlay
from tabia.search.play import final_count, play_chunk, recommended
from tabia.search.selfplay import chunks
from tabia.search.selfplay_tables import SELFPLAY_GAMES, SELFPLAY_POSITIONS
from tabia.search.trees import SOLVED, Root
from tests.search.made import HashEvaluator

RULES = GoRules(size=5, komi=0.5, max_plies=40)
LABELS = 26


def selfplay(**changes: object) -> SelfPlay:
    search = SearchSettings(
        budget=Budget(simulations=16, fast_simulations=4, full_share=0.5), noise=True
    )
    given = {"at_once": 4, "resign": None, "search": search.model_dump()}
    return SelfPlay.model_validate(given | changes)


class Lost:
    """Thinks that Black has lost, or White."""

    def __init__(self, loser: str) -> None:
        self.loser = loser

    def evaluate(self, planes: NDArray[np.float32]) -> Evaluation:
        is_black = planes[:, -6, 0, 0]  # docs/mcts.md: the plane of the side to move
        value = np.where((is_black == 1) == (self.loser == "black"), -0.99, 0.99)
        return Evaluation(np.zeros((len(planes), LABELS), np.float32), value.astype(np.float32))


def test_every_position_of_every_game_is_a_row_with_its_search() -> None:
    games, positions = play_chunk(RULES, selfplay(), 2, HashEvaluator(LABELS), range(6), 7)
    assert games.schema.equals(SELFPLAY_GAMES)
    assert positions.schema.equals(SELFPLAY_POSITIONS)
    assert games["number"].to_pylist() == list(range(6))
    rows = iter(positions.to_pylist())
    for game in games.to_pylist():
        board = Board(size=5, ko="positional", allows_suicide=True, komi=0.5)
        for ply, code in enumerate(game["moves"]):
            row = next(rows)
            assert (row["number"], row["ply"]) == (game["number"], ply)
            assert row["moves"] == board.legal_moves()
            assert row["policy"][row["moves"].index(code)] > 0
            assert sum(row["policy"]) == pytest.approx(1, abs=1e-5)
            assert sum(row["priors"]) == pytest.approx(1, abs=1e-5)
            assert row["simulations"] <= (16 if row["is_full"] else 4)
            board.push(code)
        assert game["n_plies"] == len(game["moves"]) <= 40
        assert game["n_plies"] == 40 or game["moves"][-2:] == [361, 361]
        assert game["result"] == np.sign(game["margin"])
        assert game["margin"] == final_count(RULES, game["moves"])[0]
    assert next(rows, None) is None
    full = positions["is_full"].to_pylist()
    assert 0.3 < np.mean(full) < 0.7


def test_equal_seeds_give_equal_games_and_other_seeds_others() -> None:
    one, again, other = (
        play_chunk(RULES, selfplay(), 1, HashEvaluator(LABELS), range(3), seed)
        for seed in (1, 1, 2)
    )
    assert one[0].equals(again[0])
    assert one[1].equals(again[1])
    assert not one[0].equals(other[0])


def test_a_game_does_not_depend_on_its_neighbours_where_the_evaluator_does_not() -> None:
    together, _ = play_chunk(RULES, selfplay(), 1, HashEvaluator(LABELS), range(5), 3)
    alone, _ = play_chunk(RULES, selfplay(at_once=1), 1, HashEvaluator(LABELS), [4], 3)
    assert alone["moves"].to_pylist() == together["moves"].to_pylist()[4:]


def test_the_final_count_knows_whose_the_points_are() -> None:
    # Black's wall on the third column owns two columns to its left, White's on the fourth one.
    moves = []
    for row in range(5):
        moves += [19 * row + 2, 19 * row + 3]
    margin, owner = final_count(RULES, [*moves, 361, 361])
    assert margin == 15 - 10 - 0.5
    assert list(owner) == [1, 1, 1, 2, 2] * 5


@pytest.mark.parametrize(
    ("loser", "result", "ply"), [("black", -1, 4), ("white", 1, 5)]
)  # the third search of each
def test_who_sees_no_hope_resigns_after_so_many_searches(loser: str, result: int, ply: int) -> None:
    settings = selfplay(resign=Resignation(value=-0.9, searches=3, played_on=0).model_dump())
    games, positions = play_chunk(RULES, settings, 1, Lost(loser), range(2), 1)
    for game in games.to_pylist():
        assert (game["termination"], game["result"]) == ("resignation", result)
        assert (game["gave_up"], game["gave_up_at"], game["n_plies"]) == (-result, ply, ply)
        assert game["margin"] is None
        assert game["owner"] is None
    assert positions["ply"].to_pylist() == list(range(ply + 1)) * 2


def test_games_that_are_played_on_tell_who_would_have_resigned() -> None:
    settings = selfplay(resign=Resignation(value=-0.9, searches=3, played_on=1).model_dump())
    games, _ = play_chunk(RULES, settings, 1, Lost("black"), range(2), 1)
    for game in games.to_pylist():
        assert (game["termination"], game["played_on"]) == ("rules", True)
        assert (game["gave_up"], game["gave_up_at"]) == (1, 4)


def test_a_resigned_game_that_is_played_out_tells_its_owners() -> None:
    resign = Resignation(value=-0.9, searches=3, played_on=0, play_out=2)
    settings = selfplay(resign=resign.model_dump())
    games, positions = play_chunk(RULES, settings, 1, Lost("black"), range(2), 1)
    for game in games.to_pylist():
        assert (game["termination"], game["played_on"]) == ("rules", False)
        assert (game["gave_up"], game["gave_up_at"]) == (1, 4)
        assert game["n_plies"] > 5
        assert game["margin"] == final_count(RULES, game["moves"])[0]
        assert game["result"] == np.sign(game["margin"])
    # What was searched after the resignation is not among the positions.
    assert positions["ply"].to_pylist() == list(range(5)) * 2


def made_root(visits: list[int], solved: list[str | None]) -> Root:
    n = len(visits)
    return Root(
        first_to_move=True,
        value=0.0,
        evaluation=0.0,
        moves=np.arange(n, dtype=np.uint16),
        visits=np.array(visits, np.uint32),
        q=np.zeros(n),
        prior=np.array([0.1, 0.2, 0.3, 0.4][:n], np.float32),
        noisy_prior=np.full(n, 1 / n, np.float32),
        improved=np.full(n, 1 / n),
        solved=None,
        solved_plies=0,
        solved_codes=np.array([SOLVED.index(one) for one in solved], np.uint8),
        solved_lengths=np.zeros(n, np.uint16),
        outcome=None,
    )


@pytest.mark.parametrize(
    ("visits", "solved", "policy"),
    [
        ([1, 3, 0, 0], [None, None, None, None], [0.25, 0.75, 0, 0]),
        ([6, 3, 1, 0], ["loss", None, None, None], [0, 0.75, 0.25, 0]),
        ([6, 3, 0, 0], ["loss", "loss", None, None], [0, 0, 3 / 7, 4 / 7]),
        ([6, 1, 1, 0], ["loss", "win", "draw", None], [0, 1, 0, 0]),
        ([6, 2, 0, 0], ["loss", "loss", "loss", "loss"], [0.75, 0.25, 0, 0]),
    ],
)
def test_what_is_recommended_honours_what_is_proven(
    visits: list[int], solved: list[str | None], policy: list[float]
) -> None:
    assert recommended(made_root(visits, solved), improved=False) == pytest.approx(policy)


def test_chess_is_played_to_its_own_ends() -> None:
    rules = ChessRules(max_plies=30)
    games, positions = play_chunk(rules, selfplay(), 1, HashEvaluator(1858), range(2), 5)
    assert set(games["termination"].to_pylist()) == {"rules"}
    assert games["margin"].null_count == 2
    assert positions["moves"].to_pylist()[0] == sorted(positions["moves"].to_pylist()[0])
    assert len(positions["moves"].to_pylist()[0]) == 20


def test_shards_and_chunks_hold_every_game_once() -> None:
    found = [list(chunks(10, 3, shard, 2)) for shard in range(3)]
    assert found == [
        [range(0, 2), range(2, 3)],
        [range(3, 5), range(5, 6)],
        [range(6, 8), range(8, 10)],
    ]
