"""Go behind the contract of games."""

from __future__ import annotations

import random

import pytest

from tabia.games.contract import Game, Position
from tabia.games.go import (
    GAME,
    PASS,
    FenError,
    GoGame,
    GoPosition,
    IllegalMoveError,
    handicap_points,
)
from tests.games.go_diagrams import codes, fen_of, play

WALLS = fen_of(
    """
    . . X O .
    . . X O .
    . . X O .
    . . X O .
    . O X O .
    """
)


def test_go_meets_the_contract() -> None:
    game: Game = GAME
    assert isinstance(game.position(), Position)
    assert (game.name, game.encode("D4"), game.decode(PASS)) == ("go", 19 * 15 + 3, "pass")
    assert GoGame(size=9).encode("D4") == 19 * 5 + 3
    with pytest.raises(ValueError, match="is no vertex"):
        GoGame(size=9).encode("T1")
    with pytest.raises(FenError, match="size 5, not 19"):
        GAME.position(WALLS)


@pytest.mark.parametrize(
    ("rules", "outcome"),
    [("tromp-taylor", -1), ("chinese", -1), ("japanese", 1), ("paper", 1)],
)
def test_two_passes_end_the_game_with_the_rules_count(rules: str, outcome: int) -> None:
    # With B1 dead: by area 15 to 10, by territory 11 to 5.
    position = GoPosition(WALLS, rules=rules, komi=5.25)
    assert (position.outcome(), position.first_to_move) == (None, True)
    position.push(PASS)
    assert position.outcome() is None
    position.push(PASS)
    assert position.legal_moves() == []
    assert position.outcome() == (outcome if rules != "paper" else -1)
    position.pop()
    assert position.outcome() is None


def test_an_equal_count_is_a_draw() -> None:
    position = GoPosition(WALLS, rules="chinese", komi=5)
    for _ in range(2):
        position.push(PASS)
    assert position.outcome() == 0


def test_a_limit_ends_the_game() -> None:
    position = GoPosition(size=5, max_plies=3)
    for code in (0, 1, 2):
        assert position.outcome() is None
        position.push(code)
    assert (position.is_terminal, position.legal_moves(), position.outcome()) == (True, [], -1)
    with pytest.raises(ValueError, match="max_plies 0 is below 1"):
        GoPosition(max_plies=0)


def test_copies_are_independent_and_texts_come_back() -> None:
    rng = random.Random(0)
    position = GoGame(size=7, rules="japanese").position()
    for _ in range(40):
        position.push(rng.choice(position.legal_moves()[:-1]))
    other = position.copy()
    other.push(other.legal_moves()[0])
    assert other.fen() != position.fen()
    again = GoGame(size=7, rules="japanese").position(position.fen())
    assert (again.key, again.fen(), again.legal_moves()) == (
        position.key,
        position.fen(),
        position.legal_moves(),
    )


def test_rules_decide_what_may_be_played() -> None:
    fen = fen_of(
        """
        X . O . .
        O O . . .
        . . . . .
        . . . . .
        . . . . .
        """
    )
    assert 1 in GoPosition(fen, rules="tromp-taylor").legal_moves()
    japanese = GoPosition(fen, rules="japanese")
    with pytest.raises(IllegalMoveError, match="B5 is not legal"):
        japanese.push(1)
    with pytest.raises(ValueError, match="no rules 'go'"):
        GoPosition(rules="go")


def test_komi_is_the_rules_own_unless_given() -> None:
    assert GoPosition(rules="japanese").board.komi == 6.5
    assert GoPosition(rules="japanese", komi=0.5).board.komi == 0.5


@pytest.mark.parametrize(
    ("size", "stones", "vertices"),
    [
        (19, 2, "D4 Q16"),
        (19, 3, "D4 Q16 D16"),
        (19, 4, "D4 Q16 D16 Q4"),
        (19, 5, "D4 Q16 D16 Q4 K10"),
        (19, 6, "D4 Q16 D16 Q4 D10 Q10"),
        (19, 7, "D4 Q16 D16 Q4 D10 Q10 K10"),
        (19, 8, "D4 Q16 D16 Q4 D10 Q10 K4 K16"),
        (19, 9, "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10"),
        (13, 5, "D4 K10 D10 K4 G7"),
        (9, 5, "C3 G7 C7 G3 E5"),
        (8, 4, "C3 F6 C6 F3"),
    ],
)
def test_handicap_stones_stand_where_gtp_has_them(size: int, stones: int, vertices: str) -> None:
    game = GoGame(size=size)
    assert handicap_points(size, stones) == sorted(game.encode(v) for v in vertices.split())


@pytest.mark.parametrize(("size", "stones"), [(19, 1), (19, 10), (8, 5), (7, 5), (6, 2), (5, 4)])
def test_handicaps_without_usual_points_are_refused(size: int, stones: int) -> None:
    with pytest.raises(ValueError, match=f"size {size}"):
        handicap_points(size, stones)


def test_white_moves_first_after_handicap_stones() -> None:
    position = GoPosition(size=9)
    position.board = position.board.with_stones(black=handicap_points(9, 4), white_to_move=True)
    assert position.fen() == "9/9/2X3X2/9/9/9/2X3X2/9/9 w - 0 0 0"
    play(position.board, "E5")
    assert position.board.color(codes(position.board, "E5")[0]) == 2
