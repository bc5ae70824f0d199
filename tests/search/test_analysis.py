"""The analysis of a position: right values and views, increments, stopping and going on."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from tabia._native.chess_board import encode_uci
from tabia._native.go_board import PASS, Board, encode_vertex
from tabia.search.analysis import Analyser
from tabia.search.analysis_report import PositionReport
from tabia.search.config import GUMBEL, ChessRules, GoRules, SearchSettings, XiangqiRules
from tabia.search.evaluator import Evaluation, UniformEvaluator
from tabia.search.thinking import Rollouts
from tests.search.made import GAMES, HashEvaluator, settings

MATE_IN_TWO = "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1"  # 1. Rb7 and 2. Ra8#, or the rooks exchanged
SLACK = settings(c_init=4.0, fpu="fixed", fpu_value=0.0)
GO = GoRules(size=5, komi=0.5)


def last(reports: object) -> PositionReport:
    return list(reports)[-1]  # type: ignore[call-overload, no-any-return]


def codes(*vertices: str) -> list[int]:
    return [encode_vertex(vertex, 5) for vertex in vertices]


class Opinionated:
    """Black is 3 points ahead and owns the top row, White the bottom row, in every position."""

    def evaluate(self, planes: NDArray[np.float32]) -> Evaluation:
        return UniformEvaluator(26).evaluate(planes)

    def evaluate_board(self, planes: NDArray[np.float32]) -> Evaluation:
        sign = planes[:, 3, 0, 0] * 2 - 1  # 1 where Black is to move
        owner = np.zeros((len(planes), 5, 5), np.float32)
        owner[:, 0], owner[:, 4] = sign[:, None], -sign[:, None]
        found = self.evaluate(planes)
        return Evaluation(found.logits, found.values, 3 * sign, owner)


class StoneCounter(Opinionated):
    """Score and ownership are the stones on the board."""

    def evaluate_board(self, planes: NDArray[np.float32]) -> Evaluation:
        mine = planes[:, 0] - planes[:, 1]  # the mover's stones and its opponent's
        found = self.evaluate(planes)
        return Evaluation(found.logits, found.values, mine.sum((1, 2)), mine)


def test_a_mate_in_two_is_found_and_proven() -> None:
    analyser = Analyser(ChessRules(), UniformEvaluator(1858), SLACK)
    analyser.set_position(MATE_IN_TWO)
    report = last(analyser.think(visits=50_000))
    assert (report.solved, report.solved_plies) == ("win", 3)
    assert (report.value, report.win_rate) == (1.0, 1.0)
    assert report.first_to_move
    best = report.moves[0]
    assert (best.solved, best.solved_plies, best.q, best.win_rate) == ("win", 3, 1.0, 1.0)
    assert len(best.variation) == 3
    assert best.variation[0] == best.code
    assert len(report.moves) == 9
    assert report.score_lead is None
    assert report.ownership_black is None
    assert report.visits < 50_000  # a proven position needs no more


def test_the_side_that_is_mated_sees_a_loss() -> None:
    analyser = Analyser(ChessRules(), UniformEvaluator(1858), SLACK)
    analyser.set_position(MATE_IN_TWO, [encode_uci("b1b7")])
    report = last(analyser.think(visits=5000))
    assert (report.solved, report.solved_plies, report.value) == ("loss", 2, -1.0)
    assert not report.first_to_move
    assert report.ply == 1


def test_score_is_the_movers_and_ownership_is_blacks_for_both_colours() -> None:
    analyser = Analyser(GO, Opinionated())
    analyser.set_position(None, codes("C3"))
    for black_to_move, lead in ((False, -3), (True, 3)):
        report = last(analyser.think(visits=200, moves=26))
        assert report.first_to_move == black_to_move
        assert report.score_lead == lead
        # A pass that loses at once is proven, and its lead is the count's.
        unproven = [move for move in report.moves if move.visits and move.solved is None]
        assert {move.score_lead for move in unproven} == {lead}
        assert report.ownership_black is not None
        assert report.ownership_black[:, 2].tolist() == [1, 0, 0, 0, -1]
        analyser.play(report.moves[0].code)


def test_leads_are_means_over_the_first_positions_of_a_variation() -> None:
    analyser = Analyser(GO, StoneCounter())
    played = codes("C3", "pass", "B2")
    analyser.set_position(None, played)
    report = last(analyser.think(visits=300, moves=26))

    def stones(path: Sequence[int]) -> float:
        board = Board(size=5)
        for code in (*played, *path):
            board.push(code)
        return float(board.stones().count(2) - board.stones().count(1))  # White's view

    for move in report.moves[:6]:
        assert len(move.variation) >= 3
        positions = [move.variation[:n] for n in range(1, min(4, len(move.variation)) + 1)]
        assert move.score_lead == pytest.approx(np.mean([stones(path) for path in positions]))
    best = report.moves[0].variation
    wanted = np.mean([stones(best[:n]) for n in range(4)])
    assert report.score_lead == pytest.approx(wanted)
    assert report.ownership_black is not None
    assert report.ownership_black.sum() == pytest.approx(-wanted)
    assert report.ownership_black[2, 2] == 1
    unvisited = [move for move in report.moves if not move.visits]
    assert all(move.score_lead is None for move in unvisited)


def test_a_move_that_ends_the_game_is_counted_and_not_guessed() -> None:
    analyser = Analyser(GO, StoneCounter())
    analyser.set_position(None, codes("C3", "pass"))
    analyser.play(PASS)  # Black passes; then White's pass ends the game
    assert analyser.is_over
    over = last(analyser.think(visits=10))
    assert (over.outcome, over.moves, over.visits) == (1, (), 0)
    assert over.score_lead == -(25 - 0.5)  # White to move: a stone owns the board, less komi
    analyser.set_position(None, codes("C3", "pass"))
    report = last(analyser.think(visits=200, moves=26))
    leads = {move.code: move.score_lead for move in report.moves}
    assert leads[PASS] == 24.5


def test_unvisited_moves_have_priors_only() -> None:
    report = last(Analyser(ChessRules(), HashEvaluator(1858)).think(visits=2, moves=20))
    assert len(report.moves) == 20
    assert [move.visits for move in report.moves] == [1] + 19 * [0]
    unvisited = report.moves[1]
    assert (unvisited.q, unvisited.win_rate, unvisited.score_lead) == (None, None, None)
    assert unvisited.variation == (unvisited.code,)
    assert sum(move.prior for move in report.moves) == pytest.approx(1)


def test_reports_come_while_it_thinks_and_change_nothing() -> None:
    told = list(Analyser(GO, HashEvaluator(26)).think(visits=200, every_visits=40))
    assert [report.is_final for report in told] == [False] * (len(told) - 1) + [True]
    assert [report.visits for report in told] == sorted({report.visits for report in told})
    steps = [b.visits - a.visits for a, b in itertools.pairwise(told[:-1])]
    assert len(told) >= 4
    assert all(40 <= step < 48 for step in steps)
    silent = list(Analyser(GO, HashEvaluator(26)).think(visits=200))
    assert len(silent) == 1
    assert silent[0].moves == told[-1].moves
    assert (silent[0].visits, silent[0].value) == (200, told[-1].value)


def test_time_is_kept_by_the_clock() -> None:
    ticks = itertools.count(0.0, 0.25)
    analyser = Analyser(GO, HashEvaluator(26), clock=lambda: next(ticks))
    told = list(analyser.think(seconds=3.0, every_s=1.0))
    assert [report.is_final for report in told] == [False, False, True]
    assert 3.0 <= told[-1].seconds <= 3.5
    assert told[0].seconds == pytest.approx(1.0)


def test_stopped_and_continued_it_finds_what_it_finds_at_once() -> None:
    whole = last(Analyser(GO, HashEvaluator(26)).think(visits=300))
    analyser = Analyser(GO, HashEvaluator(26))
    stopped = []
    for report in analyser.think(visits=300, every_visits=100):
        stopped.append(report)
        analyser.stop()
    assert 100 <= stopped[-1].visits < 120
    assert stopped[-1].is_final
    report = next(analyser.think(visits=300, every_visits=100))  # a reader that leaves stops it too
    assert not report.is_final
    assert last(analyser.think(visits=300)).moves == whole.moves


def test_visits_already_there_count() -> None:
    analyser = Analyser(GO, HashEvaluator(26))
    first = last(analyser.think(visits=100))
    again = last(analyser.think(visits=50))
    assert again.visits == first.visits == 100
    assert again.moves == first.moves


def test_the_tree_is_kept_where_the_game_goes_on() -> None:
    analyser = Analyser(GO, HashEvaluator(26))
    best = last(analyser.think(visits=200)).moves[0]
    assert analyser.set_position(None, [best.code])
    assert analyser.visits == best.visits
    assert analyser.moves == (best.code,)
    assert not analyser.set_position(None, codes("A1"))
    assert analyser.visits == 0
    assert last(analyser.think(visits=50)).visits == 50
    analyser.forget()
    assert analyser.visits == 0


def test_a_position_that_is_none_leaves_the_one_before() -> None:
    analyser = Analyser(GO, HashEvaluator(26))
    analyser.set_position(None, codes("A1"))
    with pytest.raises(ValueError, match=r"."):
        analyser.set_position(None, codes("A1", "B2", "B2"))
    assert analyser.moves == tuple(codes("A1"))
    with pytest.raises(ValueError, match=r"."):
        analyser.set_position("9/9 b")
    assert last(analyser.think(visits=20)).ply == 1


def test_history_forbids_what_the_stones_alone_allow() -> None:
    # Black takes at B3; White's recapture at B2 would bring the board before back.
    ko = codes("A2", "A3", "B1", "B4", "C2", "C3", "D5", "B2", "B3")
    analyser = Analyser(GoRules(size=5, rules="tromp-taylor"), UniformEvaluator(26))

    def listed() -> set[int]:
        return {move.code for move in last(analyser.think(visits=40, moves=26)).moves}

    analyser.set_position(None, ko)
    assert encode_vertex("B2", 5) not in listed()
    board = Board(size=5)
    for code in ko:
        board.push(code)
    stones, side, *_ = board.fen().split()
    analyser.set_position(f"{stones} {side}")
    assert encode_vertex("B2", 5) in listed()


@pytest.mark.parametrize("game", sorted(GAMES))
def test_leaves_decide_and_not_how_the_evaluator_takes_them(game: str) -> None:
    class OneByOne:
        def __init__(self, inner: HashEvaluator) -> None:
            self.inner = inner

        def evaluate(self, planes: NDArray[np.float32]) -> Evaluation:
            parts = [self.inner.evaluate(planes[i : i + 1]) for i in range(len(planes))]
            return Evaluation(
                np.concatenate([part.logits for part in parts]),
                np.concatenate([part.values for part in parts]),
            )

    labels = {"chess": 1858, "xiangqi": 2086, "go": 26}[game]
    rules = GAMES[game]
    one = last(Analyser(rules, OneByOne(HashEvaluator(labels)), leaves=8).think(visits=100))
    together = HashEvaluator(labels)
    assert last(Analyser(rules, together, leaves=8).think(visits=100)).moves == one.moves
    assert max(together.batches) == 8
    alone = last(Analyser(rules, HashEvaluator(labels), leaves=1).think(visits=100))
    assert alone.moves != one.moves


def test_random_games_stand_in_for_an_evaluator() -> None:
    report = last(Analyser(GO, Rollouts(), seed=1).think(visits=400, every_visits=100))
    assert report.visits == 400
    row, column = divmod(report.moves[0].code, 19)
    assert {row, column} <= {1, 2, 3}  # not at the edge
    assert report.value is not None
    assert report.value > 0
    assert (report.score_lead, report.ownership_black) == (None, None)
    again = last(Analyser(GO, Rollouts(), seed=1).think(visits=400))
    assert again.moves == report.moves
    assert last(Analyser(GO, Rollouts(), seed=2).think(visits=400)).moves != report.moves


def test_random_games_on_threads_find_what_they_find_on_one() -> None:
    found = [
        last(Analyser(GO, Rollouts(2, threads), leaves=leaves).think(visits=300)).moves
        for threads, leaves in ((1, 16), (3, 16), (1, 1))
    ]
    assert found[0] == found[1]
    assert found[0] != found[2]


def test_a_mate_is_proven_by_random_games_too() -> None:
    wide = settings(fpu="fixed", fpu_value=1.0)  # every move is tried once first
    analyser = Analyser(XiangqiRules(), Rollouts(), wide)
    analyser.set_position("4k4/8R/7R1/9/9/9/9/9/4P4/4K4 w - - 0 1")
    report = last(analyser.think(visits=5000))
    assert (report.solved, report.solved_plies) == ("win", 1)


def test_a_player_decides_by_its_budget() -> None:
    analyser = Analyser(ChessRules(), UniformEvaluator(1858), SearchSettings())
    analyser.set_position("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
    assert analyser.decide(seed=1) == encode_uci("a1a8")
    assert analyser.visits <= 129


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        ({}, "limit of visits or of seconds"),
        ({"visits": 1}, "1 visits"),
        ({"seconds": 0.0}, "0 seconds"),
        ({"visits": 9, "every_visits": 0}, "every 0 visits"),
        ({"visits": 9, "every_s": 0.0}, "every 0 seconds"),
        ({"visits": 9, "moves": 0}, "0 moves"),
    ],
)
def test_limits_out_of_range_are_refused(limits: dict[str, float], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        next(Analyser(GO, UniformEvaluator(26)).think(**limits))  # type: ignore[arg-type]


def test_halving_needs_a_number_of_visits() -> None:
    analyser = Analyser(GO, UniformEvaluator(26), GUMBEL)
    with pytest.raises(ValueError, match="limit of visits"):
        next(analyser.think(seconds=1))
    assert last(analyser.think(visits=50)).visits == 50


def test_a_batch_without_leaves_is_refused() -> None:
    with pytest.raises(ValueError, match="0 leaves"):
        Analyser(GO, UniformEvaluator(26), leaves=0)
