"""Reading what an engine says about one position."""

from __future__ import annotations

import pytest

from tabia.engines.answers import Analysis, parse_search
from tabia.engines.errors import EngineGarbageError

WHITE = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -"
BLACK = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq -"


def answer(*lines: str) -> bytes:
    return "\n".join(lines).encode()


def test_the_last_exact_lines_count_and_nodes_are_the_last_ones() -> None:
    text = answer(
        "info string NNUE evaluation using nn.nnue enabled",
        "info depth 1 seldepth 1 multipv 1 score cp 18 nodes 39 nps 1 time 1 pv f1b5",
        "info depth 1 seldepth 1 multipv 2 score cp 12 nodes 39 nps 1 time 1 pv d2d4",
        "info depth 2 seldepth 2 multipv 1 score cp 43 nodes 113 nps 1 time 1 pv d2d4 e5d4",
        "info depth 2 seldepth 2 multipv 2 score cp 18 nodes 113 nps 1 time 1 pv f1b5",
        "bestmove d2d4 ponder e5d4",
    )
    assert parse_search(text, WHITE, 2) == Analysis(43, None, "d2d4", 18, None, "f1b5", 2, 113)


def test_scores_are_in_whites_view_when_black_moves() -> None:
    text = answer(
        "info depth 5 multipv 1 score cp -30 nodes 7 pv b8c6",
        "info depth 5 multipv 2 score mate -4 nodes 7 pv g8f6",
        "bestmove b8c6",
    )
    assert parse_search(text, BLACK, 2) == Analysis(30, None, "b8c6", None, 4, "g8f6", 5, 7)


def test_a_mate_for_the_side_to_move_black_is_negative() -> None:
    text = answer("info depth 5 score mate 3 nodes 7 pv b8c6", "bestmove b8c6")
    assert parse_search(text, BLACK, 1).mate == -3
    assert parse_search(text, BLACK, 1).score_cp is None


def test_bounds_are_no_scores() -> None:
    text = answer(
        "info depth 8 multipv 1 score cp 50 nodes 5 pv d2d4",
        "info depth 8 multipv 2 score cp 40 nodes 5 pv f1b5",
        "info depth 9 multipv 1 score cp 90 lowerbound nodes 9 pv d2d4",
        "info depth 8 multipv 2 score cp 40 nodes 9 pv f1b5",
        "bestmove d2d4",
    )
    assert parse_search(text, WHITE, 2) == Analysis(50, None, "d2d4", 40, None, "f1b5", 8, 9)


def test_the_second_line_does_not_depend_on_what_the_clock_makes_the_engine_print() -> None:
    early = [
        "info depth 8 multipv 1 score cp 50 nodes 5 pv d2d4",
        "info depth 8 multipv 2 score cp 40 nodes 5 pv f1b5",
    ]
    after_3_s = [
        "info depth 9 multipv 1 score cp 60 nodes 7 pv b1c3",
        "info depth 8 multipv 2 score cp 50 nodes 7 pv d2d4",
        "info depth 9 currmove f1b5 currmovenumber 2",
    ]
    end = [
        "info depth 9 multipv 1 score cp 60 nodes 9 pv b1c3",
        "info depth 9 multipv 2 score cp 20 upperbound nodes 9 pv d2d4",
        "bestmove b1c3",
    ]
    slow = parse_search(answer(*early, *after_3_s, *end), WHITE, 2)
    assert slow == parse_search(answer(*early, *end), WHITE, 2)
    assert slow == Analysis(60, None, "b1c3", 50, None, "d2d4", 9, 9)


def test_two_lines_never_name_the_same_move() -> None:
    text = answer(
        "info depth 8 multipv 1 score cp 50 nodes 5 pv d2d4",
        "info depth 8 multipv 2 score cp 40 nodes 5 pv f1b5",
        "info depth 9 multipv 1 score cp 60 nodes 9 pv f1b5",
        "info depth 9 multipv 2 score cp 20 upperbound nodes 9 pv d2d4",
        "bestmove f1b5",
    )
    assert parse_search(text, WHITE, 2) == Analysis(60, None, "f1b5", 50, None, "d2d4", 9, 9)


def test_checkmate_is_mate_0_and_stalemate_0_centipawns() -> None:
    mated = answer("info depth 0 score mate 0", "bestmove (none)")
    assert parse_search(mated, BLACK, 2) == Analysis(None, 0, None, None, None, None, 0, 0)
    stalemate = answer("info depth 0 score cp 0", "bestmove (none)")
    assert parse_search(stalemate, BLACK, 2) == Analysis(0, None, None, None, None, None, 0, 0)


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        (["bestmove d2d4"], "no exact score"),
        (["info depth 3 score cp 5 upperbound pv d2d4", "bestmove d2d4"], "no exact score"),
        (["info depth 3 score cp x nodes 1 pv d2d4", "bestmove d2d4"], "unreadable line"),
        (["info depth 3 score cp", "bestmove d2d4"], "unreadable line"),
        (["info score cp 3 nodes 1 pv d2d4", "bestmove d2d4"], "unreadable line"),
        (["info depth 3 score cp 99999999 pv d2d4", "bestmove d2d4"], "impossible score"),
        (["info depth 3 score wdl 3 pv d2d4", "bestmove d2d4"], "impossible score"),
        (["info depth -3 score cp 3 pv d2d4", "bestmove d2d4"], "impossible number"),
        (["info depth 3 score cp 3 nodes 1", "bestmove d2d4"], "without a move"),
        (["info depth 3 score cp 3 nodes 1 pv d2d4", "bestmove"], "is no move"),
        (["info depth 3 score cp 3 nodes 1 pv d2d4", "bestmove j9j8"], "is no move"),
        (["info depth 3 score cp 3 nodes 1 pv d2d4", "bestmove a3a4"], "moves no piece"),
        (["info depth 3 score cp 3 nodes 1 pv d2d4", "bestmove e5e4"], "moves no piece"),
        (["info depth 3 score cp 3 nodes 1 pv e5e4", "bestmove d2d4"], "moves no piece"),
        (["info depth 3 score cp 30 nodes 1", "bestmove (none)"], "neither mate nor draw"),
    ],
)
def test_nonsense_is_an_error_that_says_what_is_wrong(lines: list[str], fault: str) -> None:
    with pytest.raises(EngineGarbageError, match=fault):
        parse_search(answer(*lines), WHITE, 1)
