"""When xiangqi games end: the corpus of repetitions, mates, counters, and the referee's book."""

from __future__ import annotations

import random
from typing import get_args

import pytest

from tabia._native.xiangqi_board import (
    Board,
    FenError,
    IllegalMoveError,
    encode_move,
    flip_move,
    mirror_move,
)
from tabia.games.xiangqi import XiangqiGame, XiangqiPosition
from tabia.games.xiangqi_chases import checkers, legal_captures
from tabia.games.xiangqi_referee import RULE_SETS, Reason, Referee, RuleSet, Verdict, judge
from tabia.games.xiangqi_verdict_text import REASONS, explain_text, headline, names
from tests.games.xiangqi_play import random_game
from tests.games.xiangqi_referee_corpus import Case, case, cases

LONE_KINGS = "4k4/9/9/9/9/9/9/9/9/3K5 w - - {} 90"
CHASE = "b4a4 a5b5 a4b4 b5a5"


def codes(text: str) -> list[int]:
    return [encode_move(move) for move in text.split()]


def facts(verdict: Verdict | None) -> dict[str, object] | None:
    if verdict is None:
        return None
    return {"ply": verdict.ply, "result": verdict.result, "reason": verdict.reason}


@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize("case", cases(), ids=str)
def test_verdicts_are_those_of_the_rule_books(case: Case, rules: RuleSet) -> None:
    assert facts(judge(codes(case.moves), case.start_fen, rules=rules)) == case.expected[rules]


@pytest.mark.parametrize("case", cases()[::5], ids=str)
def test_left_and_right_and_the_colours_do_not_matter(case: Case) -> None:
    moves, expected = codes(case.moves), case.expected["asian"]
    mirrored = Board(case.start_fen).mirrored().fen()
    assert facts(judge(map(mirror_move, moves), mirrored)) == expected
    flipped = judge(map(flip_move, moves), Board(case.start_fen).flipped().fen())
    assert facts(flipped) == (expected and expected | {"result": -expected["result"]})


def test_moves_after_the_end_change_nothing() -> None:
    chase = case("rook-chases-cannon")
    verdict = judge(codes(f"{chase.moves} {CHASE} a0a9"), chase.start_fen)
    assert facts(verdict) == chase.expected["asian"]


def test_a_check_outweighs_a_chase() -> None:
    found = case("check-against-chase")
    verdict = judge(codes(found.moves), found.start_fen)
    assert verdict is not None
    assert verdict.cycle is not None
    assert (verdict.cycle.red.kind, verdict.cycle.black.kind) == ("check", "chase")
    assert verdict.cycle.black.victims == ("R a9 a8",)


def test_every_move_of_the_cycle_is_explained() -> None:
    found = case("cannon-chases-protected-rook")
    verdict = judge(codes(found.moves), found.start_fen)
    assert verdict is not None
    assert verdict.cycle is not None
    assert verdict.cycle.plies == (0, 4, 8)
    assert [move.ply for move in verdict.cycle.moves] == list(range(1, 9))
    first, second = verdict.cycle.moves[:2]
    assert (first.side, first.piece, first.move, first.checks) == ("red", "C", "c1a1", ())
    (attack,) = first.attacks
    assert (attack.attacker, attack.attacker_square) == ("C", "a1")
    assert (attack.victim, attack.victim_square) == ("r", "a6")
    assert (attack.roots, attack.status, attack.is_new) == (("i6",), "stronger", True)
    assert attack.is_chase
    assert [(a.victim_square, a.status, a.is_chase) for a in second.attacks] == [
        ("c3", "home_pawn", False)
    ]


def test_simple_rules_look_for_checks_only() -> None:
    found = case("check-rook")
    verdict = judge(codes(found.moves), found.start_fen, rules="simple")
    assert verdict is not None
    assert verdict.cycle is not None
    assert [move.checks for move in verdict.cycle.moves[:2]] == [("Ra9",), ()]
    assert not any(move.attacks for move in verdict.cycle.moves)


def test_text_says_who_attacks_what_on_which_square() -> None:
    found = case("protected-on-one-point")
    text = explain_text(judge(codes(found.moves), found.start_fen))
    assert text.splitlines()[:6] == [
        "draw: repetition (ply 8)",
        "  same position after plies 0, 4 and 8",
        "  Red does not give check or chase a piece with every move",
        "  Black does not give check or chase a piece with every move",
        "  1. red rook c4a4: chases the cannon on a5 with the rook on a4, unprotected",
        "  2. black cannon a5c5: no check, no new attack",
    ]
    assert text.splitlines()[6] == (
        "  3. red rook a4c4: attacks the cannon on c5 with the rook on c4, protected from c6"
    )
    assert headline(None) == "no end by the rules"


def test_text_names_moves_by_round_and_in_wxf_where_names_are_given() -> None:
    found = case("protected-on-one-point")
    moves = codes(found.moves)
    lines = explain_text(judge(moves, found.start_fen), names(moves, found.start_fen)).splitlines()
    chase = "chases the cannon on a5 with the rook on a4, unprotected"
    assert lines[4:6] == [
        f"  1. R7=9 (ply 1, red rook c4a4): {chase}",
        "  1... C1=3 (ply 2, black cannon a5c5): no check, no new attack",
    ]
    assert lines[6].startswith("  2. R9=7 (ply 3, red rook a4c4): attacks the cannon on c5 ")


def test_rounds_count_from_the_number_of_the_start() -> None:
    fen = "4k4/9/9/9/9/9/9/9/9/3K1R3 {} - - 0 41"
    black = names(codes("e9e8 f0f1 e8e9"), fen.format("b"))
    assert black == [(41, "K5+1"), (42, "R4+1"), (42, "K5-1")]
    assert [one.round for one in names(codes("f0f1 e9e8 f1f0"), fen.format("w"))] == [41, 41, 42]
    assert REASONS.keys() == set(get_args(Reason))


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("unrooting", "leaves the horse on a1 unprotected against the rook on c1"),
        ("rook-offers-rook", "with the rook on b4, which can take in return: an offer"),
        ("king-chases", "attacks the cannon on f0 with the king on f1, which a king may"),
        ("pawn-chases", "attacks the cannon on b9 with the pawn on b8, which a pawn may"),
        ("mount-moves-home-pawn", "which has not crossed the river"),
        ("cannon-chases-protected-rook", "though protected from i6, as the stronger piece"),
        ("check-both", "Black gives check with every move"),
        ("check-horse", "checks with the horse on g8"),
    ],
)
def test_text_gives_the_reason_of_each_kind(name: str, line: str) -> None:
    found = case(name)
    assert line in explain_text(judge(codes(found.moves), found.start_fen))


# --- other ends ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "move", "result", "reason"),
    [
        ("4k4/R8/8R/9/9/9/9/9/9/3K5 w - - 0 1", "i7i9", 1, "checkmate"),
        ("3k5/9/9/9/9/9/9/9/r8/4K4 b - - 0 1", "a1f1", -1, "no_move"),
    ],
)
def test_a_side_without_a_move_has_lost(fen: str, move: str, result: int, reason: str) -> None:
    assert facts(judge(codes(move), fen)) == {"ply": 1, "result": result, "reason": reason}


def test_a_lost_start_is_judged_before_any_move() -> None:
    mated = "R3k4/R8/9/9/9/9/9/9/9/3K5 b - - 0 1"
    assert facts(judge([], mated)) == {"ply": 0, "result": 1, "reason": "checkmate"}


def test_120_plies_without_a_capture_are_a_draw() -> None:
    moves = codes("d0d1 e9e8 d1d0")
    quiet = {"ply": 2, "result": 0, "reason": "quiet"}
    assert facts(judge(moves, LONE_KINGS.format(118))) == quiet
    assert facts(judge(moves, LONE_KINGS.format(118), rules="none")) == quiet
    assert judge(moves, LONE_KINGS.format(118), quiet_plies=None) is None
    assert facts(judge(moves, LONE_KINGS.format(0), quiet_plies=3)) == quiet | {"ply": 3}


def test_a_capture_starts_the_count_anew() -> None:
    assert judge(codes("d0d1"), "4k4/9/9/9/9/9/9/9/3p5/3K5 w - - 119 90") is None


def test_a_mate_on_the_last_quiet_ply_wins() -> None:
    fen = "4k4/R8/8R/9/9/9/9/9/9/3K5 w - - 119 90"
    assert facts(judge(codes("i7i9"), fen)) == {"ply": 1, "result": 1, "reason": "checkmate"}


def test_a_repetition_goes_before_the_counters() -> None:
    chase = case("rook-chases-cannon")
    moves = codes(chase.moves)
    for limit in ({"quiet_plies": 8}, {"max_plies": 8}):
        assert facts(judge(moves, chase.start_fen, **limit)) == chase.expected["asian"]
    assert facts(judge(moves, chase.start_fen, quiet_plies=7)) == {
        "ply": 7,
        "result": 0,
        "reason": "quiet",
    }


def test_a_game_has_at_most_max_plies() -> None:
    capped = judge(codes("h2e2 h9g7 h0g2"), max_plies=2)
    assert facts(capped) == {"ply": 2, "result": 0, "reason": "ply_cap"}


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(ValueError, match="no rules 'chinese'; known are none, simple, asian"):
        Referee(rules="chinese")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="max_plies 0 is below 1"):
        Referee(max_plies=0)
    with pytest.raises(FenError):
        judge([], "9/9/9/9/9/9/9/9/9/9 w")
    with pytest.raises(IllegalMoveError):
        judge(codes("a0a9"))


# --- the referee's book ----------------------------------------------------------------------


def test_a_referee_takes_moves_back() -> None:
    chase = case("rook-chases-cannon")
    referee = Referee(chase.start_fen)
    moves = codes(chase.moves)
    for code in moves:
        assert referee.verdict is None
        referee.push(code)
    assert facts(referee.verdict) == chase.expected["asian"]
    copy = referee.copy()
    assert referee.pop() == moves[-1]
    assert referee.verdict is None
    assert referee.ply == 7
    assert facts(copy.verdict) == chase.expected["asian"]
    referee.push(encode_move("b5c5"))
    assert referee.verdict is None
    assert copy.board.moves() == moves


def test_an_illegal_move_leaves_the_referee_as_it_was() -> None:
    referee = Referee()
    with pytest.raises(IllegalMoveError):
        referee.push(encode_move("a0a9"))
    assert referee.ply == 0
    with pytest.raises(IndexError):
        referee.pop()
    assert referee.ply == 0


def test_an_incremental_referee_agrees_with_judge_on_random_games() -> None:
    for seed in range(20):
        game = random_game(random.Random(seed), 300).moves()
        referee = Referee(quiet_plies=30)
        ends = []
        for code in game:
            referee.push(code)
            ends.append(referee.verdict)
        first = next(filter(None, ends), None)
        assert judge(game, quiet_plies=30) == first
        assert first is None or ends[first.ply - 1] is first


def test_positions_end_by_the_rules_they_are_given() -> None:
    chase = case("rook-chases-cannon")
    results = {}
    for rules in RULE_SETS:
        position = XiangqiGame(rules=rules).position(chase.start_fen)
        for code in codes(chase.moves):
            assert position.outcome() is None
            assert position.legal_moves()
            position.push(code)
        results[rules] = (position.outcome(), bool(position.legal_moves()))
        assert position.copy().outcome() == position.outcome()
    assert results == {"none": (None, True), "simple": (0, False), "asian": (-1, False)}


def test_a_position_that_is_taken_back_goes_on() -> None:
    chase = case("rook-chases-cannon")
    position = XiangqiPosition(chase.start_fen, rules="asian")
    for code in codes(chase.moves):
        position.push(code)
    assert position.verdict is not None
    assert position.verdict.reason == "perpetual_chase"
    position.pop()
    assert position.outcome() is None
    assert position.legal_moves()


def test_positions_know_a_longest_game() -> None:
    position = XiangqiPosition(max_plies=1)
    position.push(encode_move("h2e2"))
    assert (position.outcome(), position.legal_moves()) == (0, [])


# --- attacks -----------------------------------------------------------------------------------


def test_captures_are_those_of_the_native_rules() -> None:
    seen = in_check = 0
    for seed in range(100):
        game = random_game(random.Random(1000 + seed), 200)
        while game.moves():
            pieces = list(game.piece_codes())
            assert checkers(pieces, game.black_to_move) == game.checkers()
            native = {divmod(c, 90) for c in game.legal_moves() if pieces[c % 90]}
            ours = legal_captures(pieces, game.black_to_move)
            if game.is_check:
                # A capture that leaves a check as it is counts as an attack all the same.
                assert native <= ours
                in_check += 1
            else:
                assert native == ours
            seen += len(native)
            for _ in range(min(7, len(game.moves()))):
                game.pop()
    assert seen > 2000
    assert in_check > 30
