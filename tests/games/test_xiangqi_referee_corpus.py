"""The form of the corpus of repetitions, and that pyffish answers what the corpus says."""

from __future__ import annotations

from collections import Counter

import pytest

from tabia._native.xiangqi_board import Board, decode_move, encode_move
from tests.games.xiangqi_referee_corpus import Case, cases

RESULTS = {
    "repetition": {0},
    "mutual_perpetual_check": {0},
    "mutual_perpetual_chase": {0},
    "perpetual_check": {1, -1},
    "perpetual_chase": {1, -1},
}
SOURCES = (
    "Asian Xiangqi Federation rules (2003), ",
    "Asian rules, World Xiangqi Federation's English text, ",
    "Asian rules as told by ",
    "Chinese national rules 2020, ",
    "pyffish 0.0.90, variant xiangqi",
)
EVERY_CASE = pytest.mark.parametrize("case", cases(), ids=str)


def test_there_are_enough_cases_with_names_of_their_own() -> None:
    assert len({case.id for case in cases()}) == len(cases()) == 94
    assert sum(case.source.startswith("window of a") for case in cases()) == 20
    assert len({(case.start_fen, case.moves) for case in cases()}) == len(cases())


def test_every_kind_of_verdict_is_expected_of_some_case() -> None:
    reasons = Counter((case.expected["asian"] or {}).get("reason") for case in cases())
    assert set(reasons) == {*RESULTS, None}
    assert reasons["perpetual_chase"] > 30
    losers = {case.expected["asian"]["result"] for case in cases() if case.expected["asian"]}
    assert losers == {1, 0, -1}


@EVERY_CASE
def test_moves_are_legal_and_the_position_comes_up_a_third_time_at_their_end(case: Case) -> None:
    board = Board(case.start_fen)
    assert board.fen() == case.start_fen
    positions = [board.epd()]
    for move in case.moves.split():
        board.push(encode_move(move))
        positions.append(board.epd())
    thirds = [i for i, here in enumerate(positions) if positions[: i + 1].count(here) == 3]
    ends = any(case.expected.values())
    assert thirds == ([len(positions) - 1] if ends else [])
    for verdict in filter(None, case.expected.values()):
        assert verdict["ply"] == len(positions) - 1
        assert verdict["result"] in RESULTS[verdict["reason"]]


@EVERY_CASE
def test_every_verdict_is_cited(case: Case) -> None:
    assert set(case.expected) == {"none", "simple", "asian"}
    assert case.expected["none"] is None
    assert set(case.citations) == set(case.pyffish) == {"simple", "asian"}
    for rules, citations in case.citations.items():
        assert citations, rules
        assert all(citation.startswith(SOURCES) for citation in citations)
        # Who cites pyffish expects what pyffish says, and the other way round.
        expected, said = case.expected[rules], case.pyffish[rules]
        same = (expected and (expected["ply"], expected["result"])) == (
            said and (said["ply"], said["result"])
        )
        assert same == any(citation.startswith("pyffish") for citation in citations)
    assert case.situation.endswith(".")


@EVERY_CASE
@pytest.mark.parametrize("rules", ["simple", "asian"])
def test_pyffish_answers_what_the_corpus_says(case: Case, rules: str) -> None:
    pyffish = pytest.importorskip("pyffish")
    pyffish.load_variant_config("[xiangqi-checks:xiangqi]\nchasingRule = none\n")
    variant = {"simple": "xiangqi-checks", "asian": "xiangqi"}[rules]
    moves = [decode_move(encode_move(move), first_rank=1) for move in case.moves.split()]
    black_begins = case.start_fen.split()[1] == "b"
    ended, value = pyffish.is_optional_game_end(variant, case.start_fen, moves, 0)
    sign = (value > 0) - (value < 0)  # of the side to move
    black_moves = black_begins != bool(len(moves) % 2)
    answer = {"ply": len(moves), "result": -sign if black_moves else sign}
    assert (answer if ended else None) == case.pyffish[rules]
