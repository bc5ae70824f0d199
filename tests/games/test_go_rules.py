"""Cases of Go's rules, in the order of the figures of "Intelligent Go Player"."""

from __future__ import annotations

import pytest

from tabia._native.go_board import Board, IllegalMoveError
from tabia._native.go_scoring import pass_alive
from tabia.games.go_rules import RULE_SETS, rule_set, rule_set_of_sgf
from tabia.games.go_scoring import dead_stones
from tests.games.go_diagrams import codes, drawn, play

# --- liberties (figures 2 to 4) ----------------------------------------------------------


@pytest.mark.parametrize(
    ("stones", "liberties"),
    [
        ("C3", "B3 D3 C2 C4"),
        ("C3 C4", "B3 D3 C2 B4 D4 C5"),
        ("A1", "A2 B1"),
        ("A3", "A2 A4 B3"),
        ("C3 C4 D4", "B3 D3 C2 B4 E4 C5 D5"),
    ],
)
def test_liberties_of_a_chain_are_the_empty_points_beside_it(stones: str, liberties: str) -> None:
    board = Board(size=5)
    board = board.with_stones(black=codes(board, stones))
    for stone in codes(board, stones):
        assert board.liberties(stone) == sorted(codes(board, liberties))
        assert board.chain(stone) == sorted(codes(board, stones))


def test_a_stone_with_three_foes_beside_it_has_one_liberty() -> None:
    board = drawn(
        """
        . . . . .
        . . O . .
        . O X . .
        . . O . .
        . . . . .
        """
    )
    [stone, last] = codes(board, "C3 D3")
    assert board.liberties(stone) == [last]


# --- taking (figures 5 to 8) -------------------------------------------------------------


def test_a_stone_without_liberty_is_taken() -> None:
    board = drawn(
        """
        . . . . .
        . . O . .
        . O X . .
        . . O . .
        . . . . .
        """,
        "w",
    )
    play(board, "D3")
    assert board.color(codes(board, "C3")[0]) == 0
    assert (board.prisoners(2), board.prisoners(1)) == (1, 0)


SUICIDE = """
    . O . . .
    O . O . .
    . O . . .
    . . . . .
    . . . . .
    """


@pytest.mark.parametrize(
    ("rules", "is_legal"),
    [
        ("japanese", False),
        ("korean", False),
        ("chinese", False),
        ("aga", False),
        ("wmsg", False),
        ("paper", False),
        ("tromp-taylor", False),  # one stone: the board comes back at once
        ("new-zealand", True),  # but with the other side to move
    ],
)
def test_suicide_of_one_stone_is_legal_in_new_zealand_only(rules: str, is_legal: bool) -> None:
    found = rule_set(rules)
    board = drawn(SUICIDE, ko=found.ko, allows_suicide=found.allows_suicide)
    assert [board.is_legal(code) for code in codes(board, "B4 A5")] == [is_legal] * 2


@pytest.mark.parametrize("rules", RULE_SETS)
def test_suicide_of_two_stones_is_legal_where_rules_allow_suicide(rules: str) -> None:
    found = rule_set(rules)
    board = drawn(
        """
        X . O . .
        O O . . .
        . . . . .
        . . . . .
        . . . . .
        """,
        ko=found.ko,
        allows_suicide=found.allows_suicide,
    )
    assert board.is_legal(codes(board, "B5")[0]) == (rules in ("tromp-taylor", "new-zealand"))
    if found.allows_suicide:
        play(board, "B5")
        assert list(board.stones()[:3]) == [0, 0, 2]
        assert (board.prisoners(2), board.white_to_move) == (2, True)


def test_a_play_without_liberty_that_takes_is_no_suicide() -> None:
    board = drawn(
        """
        . X O . .
        X O . O .
        . X O . .
        . . . . .
        . . . . .
        """,
        allows_suicide=False,
    )
    play(board, "C4")
    assert board.color(codes(board, "B4")[0]) == 0
    assert board.prisoners(1) == 1


def test_several_chains_are_taken_at_once() -> None:
    board = drawn(
        """
        O O . X .
        X X O . .
        . X O X .
        . . X . .
        . . . . .
        """,
        allows_suicide=False,
    )
    play(board, "D4 pass C5")
    assert board.prisoners(1) == 4
    assert board.diagram().splitlines()[:3] == [". . X X .", "X X . X .", ". X . X ."]


# --- eyes (figures 9 to 12, 16) ----------------------------------------------------------


@pytest.mark.parametrize(
    "diagram",
    [
        """
        . . . . . . .
        . O O O O O .
        O X X X X X O
        O X . X . X O
        O X X X X X O
        . O O O O O .
        . . . . . . .
        """,
        """
        . X . X O . .
        X X X X O . .
        O O O O O . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """,
        """
        . X O . . . .
        X X O . . . .
        . X O . . . .
        X X O . . . .
        O O O . . . .
        . . . . . . .
        . . . . . . .
        """,
    ],
    ids=["centre", "corner", "side"],
)
def test_a_chain_with_two_true_eyes_lives_without_a_move(diagram: str) -> None:
    board = drawn(diagram, "w", allows_suicide=False)
    lives = pass_alive(board).ravel()
    stones = list(board.stones())
    for i, stone in enumerate(stones):
        assert (lives[i] == 1) == (stone == 1 or (stone == 0 and lives[i] == 1))
        if stone == 1:
            assert lives[i] == 1
    eyes = [i for i, stone in enumerate(stones) if stone == 0 and lives[i] == 1]
    assert len(eyes) == 2
    for i in eyes:
        assert not board.is_legal(19 * (i // 7) + i % 7)
    assert not set(dead_stones(board)) & {
        19 * (i // 7) + i % 7 for i, stone in enumerate(stones) if stone == 1
    }


def test_a_false_eye_is_no_eye() -> None:
    board = drawn(
        """
        . X . X O . .
        X X X O O . .
        O O O . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """,
        "w",
    )
    assert not pass_alive(board)[:2].any()
    play(board, "C7")  # takes D7
    assert board.prisoners(2) == 1
    assert dead_stones(board) == sorted(codes(board, "A6 B6 C6 B7"))


def test_the_bulky_five_dies_when_its_heart_is_taken() -> None:
    board = drawn(
        """
        . O . X O . . . .
        . . X X O . . . .
        X X X O O . . . .
        O O O O . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        """
    )
    assert set(codes(board, "A7 D9")) <= set(dead_stones(board))
    saved = board.with_stones(black=codes(board, "B9"))
    assert not set(codes(board, "A7 D9")) & set(dead_stones(saved))


# --- seki (figures 13 to 15) -------------------------------------------------------------

SEKI = """
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


@pytest.mark.parametrize(("side", "answer"), [("w", "D9"), ("b", "D9")])
def test_whoever_plays_into_a_seki_is_taken(side: str, answer: str) -> None:
    board = drawn(SEKI, side)
    play(board, f"D8 {answer}")
    assert board.prisoners(1 if side == "w" else 2) == (5 if side == "w" else 4)


@pytest.mark.parametrize("side", ["b", "w"])
def test_nothing_is_dead_in_a_seki(side: str) -> None:
    assert dead_stones(drawn(SEKI, side)) == []


# --- ko and repetition (figures 7, 19) ---------------------------------------------------

KO = """
    . X O . .
    X O . O .
    . X O . .
    . . . . .
    . . . . .
    """


@pytest.mark.parametrize("ko", ["simple", "positional", "situational"])
def test_a_ko_is_not_retaken_at_once_but_after_two_moves(ko: str) -> None:
    board = drawn(KO, ko=ko, allows_suicide=False)
    play(board, "C4")
    [b4] = codes(board, "B4")
    assert board.ko_point == b4
    assert not board.is_legal(b4)
    assert b4 not in board.legal_moves()
    with pytest.raises(IllegalMoveError, match="B4 is not legal"):
        board.push(b4)
    play(board, "E1 A1")
    assert board.is_legal(b4)
    play(board, "B4")
    assert board.prisoners(2) == 1


def test_a_snap_back_is_no_ko() -> None:
    board = drawn(
        """
        . O X X .
        O X . X .
        O X . O .
        O X X O .
        . O O . .
        """,
        "w",
        ko="positional",
        allows_suicide=False,
    )
    play(board, "C4")  # thrown in
    assert board.liberties(codes(board, "C4")[0]) == codes(board, "C3")
    play(board, "C3")
    assert board.prisoners(1) == 1
    assert board.ko_point is None


TWO_FOR_ONE = """
    . . . . .
    . . . . .
    . . . . .
    X X O . .
    . O . O .
    """


@pytest.mark.parametrize(
    ("ko", "is_legal"), [("simple", True), ("positional", False), ("situational", True)]
)
def test_sending_two_to_take_one_back_is_for_positional_superko_to_forbid(
    ko: str, is_legal: bool
) -> None:
    board = drawn(TWO_FOR_ONE, "w", ko=ko, allows_suicide=False)
    play(board, "A1 C1")
    assert board.prisoners(1) == 2
    [back] = codes(board, "B1")
    assert board.is_legal(back) == is_legal
    if is_legal:
        board.push(back)
        assert board.stones() == drawn(TWO_FOR_ONE).stones()


TRIPLE_KO = """
    . X O . . . . . .
    X O . O . . . . .
    . X O . . . . . .
    . X O . . . . . .
    X . X O . . . . .
    . X O . . . . . .
    . X O . . . . . .
    X O . O . . . . .
    . X O . . . . . .
    """


@pytest.mark.parametrize(
    ("ko", "is_legal"), [("simple", True), ("positional", False), ("situational", False)]
)
def test_three_kos_go_round_for_ever_unless_superko_forbids(ko: str, is_legal: bool) -> None:
    board = drawn(TRIPLE_KO, ko=ko, allows_suicide=False)
    start = board.stones()
    play(board, "C8 B5 C2 B8 C5")
    [last] = codes(board, "B2")
    assert board.is_legal(last) == is_legal
    if is_legal:
        board.push(last)
        assert board.stones() == start
        assert board.repetitions == 1
        for lap in (2, 3):
            play(board, "C8 B5 C2 B8 C5 B2")
            assert board.repetitions == lap


# --- sets of rules -----------------------------------------------------------------------


def test_sets_of_rules_have_the_values_of_their_sources() -> None:
    table = {
        name: (r.ko, r.allows_suicide, r.scoring, r.komi, r.handicap, r.removes_dead)
        for name, r in RULE_SETS.items()
    }
    assert table == {
        "tromp-taylor": ("positional", True, "area", 7.5, "none", False),
        "chinese": ("positional", False, "area", 7.5, "all", True),
        "japanese": ("simple", False, "territory", 6.5, "none", True),
        "korean": ("simple", False, "territory", 6.5, "none", True),
        "aga": ("situational", False, "area", 7.5, "all_but_one", True),
        "new-zealand": ("situational", True, "area", 7.0, "none", True),
        "wmsg": ("positional", False, "area", 6.5, "none", True),
        "paper": ("positional", False, "area", 0.0, "none", True),
    }
    assert [name for name, r in RULE_SETS.items() if r.divides_neutral] == ["paper"]


def test_handicap_stones_cost_what_the_rules_say() -> None:
    for name, points in (("chinese", 4), ("aga", 3), ("japanese", 0)):
        assert rule_set(name).effective_komi(4) == 0.5 + points
        assert rule_set(name).effective_komi(4, komi=6.5) == 6.5 + points
        assert rule_set(name).effective_komi(0) == rule_set(name).komi
        assert rule_set(name).effective_komi(1, komi=0.5) == 0.5


def test_an_unknown_name_tells_the_known_ones() -> None:
    with pytest.raises(ValueError, match="no rules 'ing'; known are tromp-taylor, chinese"):
        rule_set("ing")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Japanese", "japanese"),
        ("japanese rules", "japanese"),
        ("Chinese", "chinese"),
        ("AGA", "aga"),
        ("NZ", "new-zealand"),
        ("New Zealand", "new-zealand"),
        ("Tromp-Taylor", "tromp-taylor"),
        ("Korean", "korean"),
        ("GOE", None),
        ("Ing", None),
        ("", None),
    ],
)
def test_names_of_sgf_are_known(text: str, name: str | None) -> None:
    found = rule_set_of_sgf(text)
    assert (found.name if found else None) == name
