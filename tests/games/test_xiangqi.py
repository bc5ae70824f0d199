"""Xiangqi behind the contract that all games share."""

from __future__ import annotations

import random

import pytest

from tabia.games.contract import Game, Position
from tabia.games.xiangqi import (
    FAIRY,
    GAME,
    FenError,
    IllegalMoveError,
    XiangqiGame,
    XiangqiPosition,
)
from tests.games.xiangqi_play import random_game


def play(position: XiangqiPosition, text: str) -> XiangqiPosition:
    for move in text.split():
        position.push(GAME.encode(move))
    return position


def test_a_xiangqi_position_keeps_the_contract() -> None:
    game: Game = GAME
    position = game.position()
    assert isinstance(position, Position)
    assert (game.name, position.first_to_move, position.outcome()) == ("xiangqi", True, None)
    codes = position.legal_moves()
    assert codes == sorted(codes)
    assert len(codes) == 44
    assert [game.encode(game.decode(code)) for code in codes] == codes
    assert game.position(position.fen()).key == position.key


def test_the_side_without_a_legal_move_has_lost() -> None:
    # Two cannons: whatever comes between is a screen for the front one.
    mate = play(GAME.position("3aka3/9/9/C8/9/4C4/9/9/9/3K5 w - - 0 1"), "a6e6")
    assert (mate.outcome(), mate.board.is_check, mate.legal_moves()) == (1, True, [])
    stalemate = GAME.position("3k5/1R7/9/9/9/9/9/9/9/4K4 b - - 0 1")
    assert not stalemate.board.is_check
    assert stalemate.outcome() == 1
    assert stalemate.legal_moves() == []
    lost = GAME.position("5k3/9/9/9/9/9/9/9/r8/3K1r3 w - - 0 1")
    assert (lost.outcome(), lost.board.is_check) == (-1, True)


def test_120_plies_without_a_capture_are_a_draw_unless_the_rule_is_off() -> None:
    fen = "4k4/9/9/9/9/9/4p4/9/9/3K4R w - - 119 90"
    drawn = play(GAME.position(fen), "i0i1")
    assert (drawn.outcome(), drawn.legal_moves()) == (0, [])
    taken = play(GAME.position("4k4/9/9/9/9/9/4p3R/9/9/3K5 w - - 119 90"), "i3e3")
    assert taken.outcome() is None
    free = play(XiangqiGame(quiet_plies=None).position(fen), "i0i1")
    assert free.outcome() is None
    assert free.legal_moves()
    assert play(XiangqiGame(quiet_plies=121).position(fen), "i0i1").outcome() is None


def test_a_mate_on_the_last_ply_counts() -> None:
    position = GAME.position("3k5/9/9/9/8R/9/9/9/9/4K4 w - - 119 90")
    assert play(position, "i5d5").outcome() == 1


def test_history_is_kept_and_can_be_taken_back() -> None:
    start = "4k4/9/9/9/9/9/4p4/9/9/3K4R b - - 3 9"
    position = GAME.position(start)
    play(position, "e9e8 i0i1")
    copy = position.copy()
    assert position.pop() == GAME.encode("i0i1")
    assert [GAME.decode(code) for code in copy.board.moves()] == ["e9e8", "i0i1"]
    assert copy.start_fen == position.start_fen == start
    assert position.pop() == GAME.encode("e9e8")
    assert position.fen() == start


@pytest.mark.parametrize("seed", range(5))
def test_repetition_ends_nothing(seed: int) -> None:
    position = GAME.position()
    for _ in range(1 + seed):
        play(position, "h0g2 h9g7 g2h0 g7h9")
    assert position.key == GAME.position().key
    assert position.outcome() is None


def test_outcomes_of_random_games_are_by_their_last_position() -> None:
    for seed in range(30):
        codes = random_game(random.Random(seed), 400).moves()
        position = GAME.position()
        for code in codes:
            assert position.board.has_legal_move
            position.push(code)
            if position.board.has_legal_move:
                quiet = position.board.halfmove_clock >= 120
                assert position.outcome() == (0 if quiet else None)


def test_fairy_stockfish_counts_ranks_from_1() -> None:
    assert FAIRY.encode("h3e3") == GAME.encode("h2e2")
    assert FAIRY.decode(GAME.encode("h9g7")) == "h10g8"


def test_errors_say_whose_fault_it_is() -> None:
    with pytest.raises(FenError):
        GAME.position("nonsense")
    with pytest.raises(IllegalMoveError, match="move a0a4 is not legal"):
        GAME.position().push(GAME.encode("a0a4"))
    with pytest.raises(ValueError, match="no move with ranks 0 to 9"):
        GAME.encode("nonsense")
