"""The native Go board: rules, codes and texts."""

from __future__ import annotations

import copy
import pickle
import random

import pytest

from tabia._native.go_board import (
    PASS,
    Board,
    FenError,
    IllegalMoveError,
    decode_point,
    decode_vertex,
    encode_point,
    encode_vertex,
)
from tests.games.go_slow import SlowGame


def board(diagram: str, side: str = "b", **rules: object) -> Board:
    """Board of a diagram: `.` empty, X black, O white."""
    rows = "/".join("".join("1" if c == "." else c for c in line) for line in diagram.split())
    runs = rows.replace("1", ".")
    for n in range(19, 0, -1):
        runs = runs.replace("." * n, str(n))
    return Board(f"{runs} {side}", **rules)  # type: ignore[arg-type]


def at(vertex: str, size: int = 5) -> int:
    return encode_vertex(vertex, size)


@pytest.mark.parametrize("ko", ["simple", "positional", "situational"])
@pytest.mark.parametrize("allows_suicide", [False, True])
@pytest.mark.parametrize("size", [5, 6, 9])
def test_random_games_equal_the_slow_rules(size: int, ko: str, allows_suicide: bool) -> None:
    rng = random.Random(size)
    for _ in range(4 if size < 9 else 1):
        fast = Board(size=size, ko=ko, allows_suicide=allows_suicide)
        slow = SlowGame(size, ko, allows_suicide)
        for _ in range(4 * size * size):
            codes = fast.legal_moves()
            assert codes == slow.legal_moves(), fast.fen()
            if not codes:
                break
            code = rng.choice(codes[:-1]) if len(codes) > 1 and rng.random() < 0.95 else PASS
            fast.push(code)
            slow.push(code)
            points = [19 * r + c for r in range(size) for c in range(size)]
            assert list(fast.stones()) == [slow.stones.get(p, 0) for p in points]
            assert [fast.prisoners(1), fast.prisoners(2)] == [slow.prisoners[1], slow.prisoners[2]]
            assert fast.repetitions == slow.boards.count(slow.boards[-1]) - 1


def test_random_games_come_back_from_text_bytes_and_pop() -> None:
    rng = random.Random(3)
    for size in (5, 7, 13, 19):
        b = Board(size=size, ko="simple", allows_suicide=False)
        seen = [b.fen()]
        for _ in range(2 * size * size):
            codes = b.legal_moves()
            if not codes:
                break
            b.push(rng.choice(codes))
            seen.append(b.fen())
            again = Board(b.fen(), ko="simple", allows_suicide=False)
            assert (again.fen(), again.key) == (b.fen(), b.key)
            assert again.legal_moves() == b.legal_moves()
            packed = Board.from_packed(b.packed())
            assert (packed.key, packed.packed()) == (b.key, b.packed())
        for fen in reversed(seen):
            assert b.fen() == fen
            if b.ply:
                b.pop()
        with pytest.raises(IndexError, match="no move"):
            b.pop()


def test_copies_and_pickles_go_their_own_way() -> None:
    b = Board(size=9, ko="situational", komi=5.5)
    for vertex in ("E5", "C3", "pass", "D4"):
        b.push(at(vertex, 9))
    for other in (b.copy(), copy.copy(b), copy.deepcopy(b), pickle.loads(pickle.dumps(b))):
        assert (other.fen(), other.moves(), other.komi) == (b.fen(), b.moves(), 5.5)
        assert (other.ko, other.allows_suicide) == ("situational", True)
        other.push(PASS)
        assert b.ply == 4


@pytest.mark.parametrize("size", [4, 20, 0, -9, 9.0, "9"])
def test_sizes_outside_5_to_19_are_refused(size: object) -> None:
    with pytest.raises(ValueError, match="is not 5 to 19"):
        Board(size=size)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("fen", "fault"),
    [
        ("5/5/5/5", "4 rows"),
        ("6/6/6/6/6", "row 1 '6': 6 columns; with 5 rows"),
        ("5/5/5/5/4", "row 5 '4': 4 columns"),
        ("5/5/5/5/2x2", "row 5 '2x2': not X, O or a number"),
        ("5/5/5/5/5 x", "side 'x' is not b or w"),
        ("5/5/5/5/5 b Z9", "ko 'Z9' is no vertex"),
        ("5/5/5/5/5 b C3", "no ko forbids C3"),
        ("5/5/5/5/5 b - 3", "passes '3'"),
        ("5/5/5/5/5 b - 0 x", "prisoners 'x'"),
        ("5/5/5/5/5 b - 0 0 0 0", "more than six fields"),
        ("5/5/5/O4/XO3 b", "the stone at A1 has no liberty"),
        ("", "1 rows"),
    ],
)
def test_texts_that_are_no_position_are_refused(fen: str, fault: str) -> None:
    with pytest.raises(FenError, match=fault.replace("(", r"\(")):
        Board(fen)


def test_a_text_of_another_size_is_refused() -> None:
    with pytest.raises(FenError, match="size 5, not 9"):
        Board("5/5/5/5/5", size=9)


def test_keys_do_not_change() -> None:
    assert Board(size=19).key == 14986493199373482689
    b = Board(size=9)
    for vertex in ("E5", "C3", "pass"):
        b.push(at(vertex, 9))
    assert b.key == 16056210972920117338


def test_the_key_tells_side_ko_passes_and_size_apart() -> None:
    rows = "1XO2/X1XO1/1XO2/5/5"
    texts = [f"{rows} b", f"{rows} w", f"{rows} b - 1", f"{rows} b - 2", "5/5/5/5/5", "6/6/6/6/6/6"]
    assert len({Board(text).key for text in texts} | {Board(size=19).key}) == 7
    ko = board(".XO.. XO.O. .XO.. ..... .....", "b")
    ko.push(at("C4"))
    assert ko.ko_point == at("B4")
    assert ko.key != Board(ko.fen().replace(" B4 ", " - ")).key


def test_vertices_count_from_below_without_i() -> None:
    assert [encode_vertex(v, 19) for v in ("A19", "T1", "J10", "d4", "PASS")] == [
        0,
        360,
        19 * 9 + 8,
        19 * 15 + 3,
        361,
    ]
    assert encode_vertex("A1", 9) == 19 * 8
    assert decode_vertex(19 * 8 + 8, 9) == "J1"
    for bad in ("I5", "A0", "A01", "K1", "A10", "", "5A", "A", "A-1", "resign", "Ä1"):
        with pytest.raises(ValueError, match="is no vertex"):
            encode_vertex(bad, 9)
    for code in (-1, 9, 19 * 9, 362):
        with pytest.raises(ValueError, match="no move code"):
            decode_vertex(code, 9)


def test_points_of_sgf_count_from_the_top() -> None:
    assert [encode_point(p) for p in ("aa", "ss", "ba", "ab", "", "tt")] == [
        0,
        360,
        1,
        19,
        361,
        361,
    ]
    assert decode_point(19 * 3 + 15) == "pd"
    assert decode_point(361, 9) == ""
    for bad in ("jj", "AA", "a", "aaa"):
        with pytest.raises(ValueError, match="is no SGF point"):
            encode_point(bad, 9)
    with pytest.raises(ValueError, match="no move code"):
        decode_point(9, 9)


@pytest.mark.parametrize("size", [5, 9, 19])
def test_every_code_goes_to_both_notations_and_back(size: int) -> None:
    for code in Board(size=size).legal_moves():
        assert encode_vertex(decode_vertex(code, size), size) == code
        assert encode_point(decode_point(code, size), size) == code


def test_an_illegal_move_leaves_the_board() -> None:
    b = Board(size=9)
    b.push(at("E5", 9))
    for code, name in ((at("E5", 9), "E5"), (18, "18"), (-1, "-1"), (400, "400")):
        with pytest.raises(IllegalMoveError, match=f"move {name} is not legal in"):
            b.push(code)
    assert b.ply == 1


def test_set_up_replaces_stones_and_forgets_the_game() -> None:
    b = Board(size=9)
    b.push(at("E5", 9))
    c = b.with_stones(
        black=[at("C3", 9)], white=[at("G7", 9)], empty=[at("E5", 9)], white_to_move=False
    )
    assert c.fen() == "9/9/6O2/9/9/9/2X6/9/9 b - 0 0 0"
    assert (c.ply, c.moves(), c.start_fen()) == (0, [], c.fen())
    with pytest.raises(ValueError, match="the stone at A1 has no liberty"):
        Board(size=5).with_stones(black=[at("A1")], white=[at("A2"), at("B1")])
    with pytest.raises(ValueError, match="no point of size 5"):
        Board(size=5).with_stones(black=[5])


def test_two_passes_end_the_game_until_it_is_resumed() -> None:
    b = Board(size=5)
    b.push(PASS)
    assert not b.is_terminal
    b.push(PASS)
    assert b.is_terminal
    assert b.legal_moves() == []
    b.resume()
    b.push(at("C3"))
    assert b.moves() == [361, 361, at("C3")]
    assert pickle.loads(pickle.dumps(b)).fen() == b.fen()
    assert b.pop() == at("C3")
