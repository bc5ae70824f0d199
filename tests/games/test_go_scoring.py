"""Counts of known positions by every method."""

from __future__ import annotations

import numpy as np
import pytest

from tabia._native.go_board import PASS, Board
from tabia._native.go_scoring import count, dead_by_playouts, pass_alive, playouts
from tabia.games.go_rules import RULE_SETS, rule_set
from tabia.games.go_scoring import agree, dead_stones, score
from tests.games.go_diagrams import codes, drawn, play

WALLS = """
    . . X O .
    . . X O .
    . . X O .
    . . X O .
    . . X O .
    """


def margins(board: Board, **given: object) -> dict[str, float]:
    return {
        name: score(board, rules, komi=0, **given).margin  # type: ignore[arg-type]
        for name, rules in RULE_SETS.items()
        if rules.removes_dead or not given.get("dead")
    }


def test_walls_across_the_board_count_fifteen_to_ten_by_area_ten_to_five_by_territory() -> None:
    found = score(drawn(WALLS), rule_set("chinese"), komi=0, dead=())
    assert (found.black, found.white, found.result) == (15, 10, "B+5")
    found = score(drawn(WALLS), rule_set("japanese"), dead=())
    assert (found.black, found.white, found.result) == (10, 5 + 7.5, "W+2.5")
    found = score(drawn(WALLS), rule_set("japanese"), komi=5, dead=())
    assert (found.margin, found.result) == (0, "0")


def test_an_empty_board_is_nobodys() -> None:
    for name, margin in margins(Board(size=9)).items():
        assert margin == 0, name
    found = score(Board(size=9), rule_set("paper"), komi=0)
    assert (found.black, found.white) == (40.5, 40.5)


def test_a_dead_stone_counts_two_by_territory_and_its_point_by_area() -> None:
    board = drawn(WALLS).with_stones(white=codes(drawn(WALLS), "A3"))
    dead = codes(board, "A3")
    assert score(board, rule_set("japanese"), komi=0, dead=dead).black == 11
    assert score(board, rule_set("chinese"), komi=0, dead=dead).black == 15
    assert score(board, rule_set("tromp-taylor"), komi=0).black == 5
    assert score(board, rule_set("chinese"), komi=0, dead=()).black == 5


def test_prisoners_count_by_territory_alone() -> None:
    text = drawn(WALLS).fen().rsplit(" ", 2)[0]
    board = Board(f"{text} 4 1")
    assert score(board, rule_set("japanese"), komi=0, dead=()).margin == 5 + 4 - 1
    assert score(board, rule_set("chinese"), komi=0, dead=()).margin == 5


def test_neutral_points_are_divided_by_the_papers_rules() -> None:
    board = drawn(
        """
        . X . O .
        . X . O .
        . X . O .
        . X O O .
        . X O O .
        """
    )
    found = score(board, rule_set("paper"), dead=(), komi=0)
    assert (found.black, found.white, found.counted.neutral) == (11.5, 13.5, 3)
    found = score(board, rule_set("chinese"), dead=(), komi=0)
    assert (found.black, found.white) == (10, 12)


def test_named_dead_stones_are_refused_where_rules_leave_them() -> None:
    with pytest.raises(ValueError, match="tromp-taylor count every stone on the board as living"):
        score(drawn(WALLS), rule_set("tromp-taylor"), dead=codes(drawn(WALLS), "C1"))
    with pytest.raises(ValueError, match="no stone at A1"):
        score(drawn(WALLS), rule_set("chinese"), dead=codes(drawn(WALLS), "A1"))
    with pytest.raises(ValueError, match="code 18 is no point"):
        score(drawn(WALLS), rule_set("chinese"), dead=[18])


# --- seki --------------------------------------------------------------------------------

NO_EYES = """
    . X O . X O . . .
    . X O . X O . . .
    . X O O X O . . .
    . X X X O O . . .
    . . . X O . . . .
    . . . X O . . . .
    . . . X O . . . .
    . . . X O . . . .
    . . . X O . . . .
    """
ONE_EYE_EACH = """
    . O . X . X O . .
    O O O X X X O . .
    X X X O O O O . .
    . . X O . . . . .
    . . X O . . . . .
    . . X O . . . . .
    . . X O . . . . .
    . . X O . . . . .
    . . X O . . . . .
    """


@pytest.mark.parametrize("side", ["b", "w"])
@pytest.mark.parametrize(
    ("diagram", "area", "territory", "neutral"),
    [(NO_EYES, -13, 19 - 32, 2), (ONE_EYE_EACH, 27 - 53, 12 - 36, 3)],
    ids=["without eyes", "with an eye each"],
)
def test_eyes_in_seki_count_by_area_and_not_by_territory(
    diagram: str, area: int, territory: int, neutral: int, side: str
) -> None:
    board = drawn(diagram, side)
    for name, margin in margins(board).items():
        expected = territory if RULE_SETS[name].scoring == "territory" else area
        assert margin == expected, name
    assert count(board, territory=True).neutral == neutral


def test_groups_in_seki_are_marked() -> None:
    board = drawn(ONE_EYE_EACH)
    seki = count(board, territory=True).seki
    expected = np.zeros((9, 9), dtype=np.uint8)
    expected[0, [0, 1, 3, 4, 5]] = 1
    expected[1, :6] = 1
    assert (seki == expected).all()
    assert not count(board).seki.any()


def test_a_living_group_beside_neutral_points_keeps_its_eyes() -> None:
    board = drawn(
        """
        . X . X . O .
        X X X X . O .
        . . . . O O .
        O O O O O . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """
    )
    found = count(board, territory=True)
    assert found.territory[0] == 2
    assert not found.seki.any()


def test_a_group_with_one_eye_beside_neutral_points_that_can_be_taken_is_not_in_seki() -> None:
    board = drawn(
        """
        . X . . O . .
        X X O . O . .
        O O O . O . .
        O X X . . . .
        X X . X X X X
        . X . . X . .
        . X . X . . .
        """
    )
    assert not count(board, territory=True).seki.any()


def test_a_point_that_must_be_filled_is_not_territory() -> None:
    # Once White has taken E1, D1 has no liberty but C1.
    board = drawn(
        """
        . . X O . . .
        . . X O . . .
        . . X O . . .
        . . X O . . .
        X X X O . . .
        . X X O O O .
        . X . X . O .
        """
    )
    found = count(board, territory=True)
    assert found.owner[6, 2] == 0
    assert found.owner[6, 0] == 1
    assert found.territory[0] == 8 + 2


def test_a_chain_that_can_be_joined_at_a_neutral_point_need_not_fill() -> None:
    # D1 is joined at C1 or at D2.
    board = drawn(
        """
        . . X O . . .
        . . X O . . .
        . . X O . . .
        . . X O . . .
        X X X O O . .
        . X X . O . .
        . X . X O . .
        """
    )
    found = count(board, territory=True)
    assert found.owner[6, 2] == 1
    assert found.territory[0] == 8 + 3


# --- who is dead -------------------------------------------------------------------------


def test_lists_of_dead_stones_are_compared_chain_by_chain() -> None:
    board = drawn(
        """
        . . X O .
        O O X O X
        . . X O X
        . O X O .
        . . X O .
        """
    )
    found = agree(board, codes(board, "A4 B2"), codes(board, "B4 E3"))
    assert found.dead == tuple(sorted(codes(board, "A4 B4")))
    assert found.disputed == tuple(sorted(codes(board, "B2 E3 E4")))
    with pytest.raises(ValueError, match="no stone at A1"):
        agree(board, [], codes(board, "A1"))


def test_stones_in_living_territory_are_found_dead() -> None:
    board = drawn(
        """
        . X . . X O . . .
        . . X O X O . O .
        . X . X . X O . .
        . . X . X O . O .
        X X . . X O O . O
        . X X O X X O O .
        X . X X O O X O .
        . O X O . O . O O
        X X X O O . O . O
        """
    )
    for side in (board, board.with_stones(white_to_move=True)):
        assert dead_stones(side) == sorted(codes(side, "D8 D4 B2 G3"))
    found = score(board, rule_set("japanese"), komi=0)
    assert found.dead == tuple(sorted(codes(board, "D8 D4 B2 G3")))


def test_dead_stones_do_not_depend_on_how_the_board_came_to_be() -> None:
    board = Board(size=9, komi=0)
    play(board, "C3 G7 D3 G3 C7 E5 E4 F4 D5 E6 F5 G5 D6 E7 F6 G6")
    again = Board(board.fen())
    assert dead_by_playouts(board, 100, seed=5) == dead_by_playouts(again, 100, seed=5)
    first, second = (playouts(b, 50, seed=7).balance for b in (board, again))
    assert (first == second).all()
    assert (first != playouts(board, 50, seed=8).balance).any()


# --- life and playouts -------------------------------------------------------------------


def test_a_chain_with_one_eye_is_not_pass_alive() -> None:
    board = drawn(
        """
        . X O . .
        X X O . .
        O O O . .
        . . . . .
        . . . . .
        """
    )
    assert not pass_alive(board).any()


def test_chains_that_share_two_eyes_are_pass_alive_with_what_they_enclose() -> None:
    board = drawn(
        """
        . X X X . X O
        X O . X X X O
        X X X X O O O
        O O O O O . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """
    )
    lives = pass_alive(board)
    assert (lives[0, :6] == 1).all()
    assert (lives[1, :6] == 1).all()
    assert not lives[3:].any()


@pytest.mark.parametrize("policy", ["uniform", "no_eyes", "careful"])
def test_playouts_end_with_every_point_counted(policy: str) -> None:
    board = drawn(WALLS, komi=4)
    found = playouts(board, 200, seed=1, policy=policy)  # type: ignore[arg-type]
    assert found.margin == found.balance.sum()
    assert abs(found.balance).max() <= 200
    assert 0 <= found.black_wins <= 200
    assert found.moves > 200
    assert (found.survived[:, [0, 1, 4]] == 0).all()
    if policy != "uniform":
        # Whoever owns a wall at the end owns what it encloses.
        assert found.survived.max() <= 200


def test_playouts_do_not_fill_eyes() -> None:
    board = drawn(
        """
        . X . X .
        X X X X X
        O O O O O
        . . . . .
        . . . . .
        """,
        "w",
    )
    found = playouts(board, 300, seed=2)
    assert (found.survived[:2][board_stones(board)[:2] == 1] == 300).all()
    assert (found.balance[:2] == 300).all()


def board_stones(board: Board) -> np.ndarray:
    return np.frombuffer(board.stones(), dtype=np.uint8).reshape(board.size, board.size)


def test_playouts_refuse_what_they_do_not_know() -> None:
    with pytest.raises(ValueError, match="policy 'smart' is not uniform"):
        playouts(Board(size=5), 1, seed=0, policy="smart")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="-1 playouts"):
        playouts(Board(size=5), -1, seed=0)


def test_the_score_of_a_board_is_the_count_of_its_rules() -> None:
    board = drawn(WALLS, komi=1.5)
    assert board.score() == 3.5
    assert drawn(WALLS, territory=True, komi=1.5).score() == 3.5
    board = drawn(ONE_EYE_EACH, territory=True, komi=0)
    assert board.score() == -24
    board.push(PASS)
    assert board.score() == -24
