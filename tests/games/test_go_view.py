"""Go as the mover sees it, and the features of its moves on boards counted by hand."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tabia._native.go_board import PASS, Board, encode_vertex
from tabia._native.go_positions import boards_from_fens
from tabia.games.go_view import VIEW
from tabia.games.mover_view import MoverView


def boards(size: int = 9, count: int = 60, seed: int = 1) -> list[Board]:
    rng, board, found = random.Random(seed), Board(size=size, ko="simple"), []
    while len(found) < count:
        found.append(board.copy())
        board.push(rng.choice(board.legal_moves()[:-1]))
    return found


PLAYED = boards()
PACKED = np.stack([np.frombuffer(board.packed(), np.uint8) for board in PLAYED])


def at(text: str, size: int = 9) -> int:
    return encode_vertex(text, size)


def features(fen: str, move: str, *, last: str | None = None, own: str | None = None):
    size = fen.split()[0].count("/") + 1
    previous = [[-1 if text is None else at(text, size) for text in (last, own)]]
    code = np.array([at(move, size)], np.uint16)
    row = VIEW.features(
        boards_from_fens([fen]), code, np.array([0, 1]), np.array(previous, np.int32)
    )
    return dict(zip(VIEW.feature_names, row[0].tolist(), strict=True))


def test_the_view_meets_the_contract() -> None:
    view: MoverView = VIEW
    assert (view.name, view.rows, view.columns, view.n_kinds) == ("go", 20, 19, 1)
    labels = view.vocabularies["from_to"].labels
    assert (len(labels), labels[0], labels[360], labels[361]) == (362, "A19", "T1", "pass")
    assert len(set(view.feature_names)) == 40


def test_colours_are_the_movers_and_nothing_is_turned() -> None:
    found = VIEW.pieces(PACKED)
    assert found.shape == (60, 380)
    for row, board in zip(found, PLAYED, strict=True):
        for code in range(380):
            line, column = divmod(code, 19)
            inside = line < 9 and column < 9
            colour = board.color(code) if inside else 0
            own = 2 if board.white_to_move else 1
            assert row[code] == (0 if colour == 0 else 1 if colour == own else 2)
    assert VIEW.black_to_move(PACKED).tolist() == [board.white_to_move for board in PLAYED]


def test_legal_moves_are_those_of_the_stones_and_a_ko() -> None:
    codes, offsets = VIEW.legal_moves(PACKED)
    assert (codes.dtype, len(offsets)) == (np.uint16, 61)
    for i, board in enumerate(PLAYED):
        assert codes[offsets[i] : offsets[i + 1]].tolist() == board.legal_moves()


def test_players_may_go_on_after_two_passes() -> None:
    packed = boards_from_fens(["5/5/2X2/5/5 b - 2 0 0"])
    codes, offsets = VIEW.legal_moves(packed)
    assert offsets.tolist() == [0, 25]
    assert codes[-1] == PASS
    assert packed[0, 1] == 4  # what was given is as it was


def test_no_board_has_no_move() -> None:
    codes, offsets = VIEW.legal_moves(PACKED[:0])
    assert (len(codes), offsets.tolist()) == (0, [0])


def test_a_move_starts_and_ends_on_its_point_and_the_pass_below_the_board() -> None:
    codes = np.array([0, 200, PASS], np.uint16)
    squares = VIEW.squares(codes, np.array([False, True, True]))
    assert squares.start.tolist() == squares.end.tolist() == [0, 200, 361]
    assert VIEW.vocabularies["from_to"].indices(PACKED[:3], codes).tolist() == [0, 200, 361]


def test_facts_are_a_pass_a_ko_and_the_size() -> None:
    fens = ["5/5/5/5/5 b - 1 0 0", "1XO2/X1XO1/1XO2/5/5 w - 0 0 0"]
    board = Board(fens[1], ko="simple")
    board.push(encode_vertex("B4", 5))
    packed = np.stack([boards_from_fens(fens[:1])[0], np.frombuffer(board.packed(), np.uint8)])
    assert board.ko_point == encode_vertex("C4", 5)
    expected = np.array([[1, 0, 5 / 19], [0, 1, 5 / 19]], np.float32)
    assert VIEW.facts(packed).tolist() == expected.tolist()


def test_taking_saving_and_atari_are_counted() -> None:
    row = features("5/1XX2/XOO2/1XX2/5 b - 0 0 0", "D3")
    assert (row["taken"], row["stones_after"], row["opponent_chains"]) == (2, 1, 1)
    assert (row["opponent_least_liberties"], row["liberties_after"]) == (1, 4)
    row = features("5/1XX2/XOO2/1XX2/5 w - 0 0 0", "D3")
    assert (row["taken"], row["saved"], row["liberties_after"]) == (0, 2, 3)
    assert (row["own_in_atari"], row["own_least_liberties"]) == (2, 1)
    row = features("5/1XX2/XO3/1X3/5 b - 0 0 0", "C3")
    assert (row["taken"], row["own_chains"]) == (1, 1)
    row = features("5/1XX2/1O3/1X3/5 b - 0 0 0", "C3")
    assert (row["put_in_atari"], row["put_to_two"], row["own_beside"]) == (1, 0, 1)


def test_suicide_self_atari_and_eyes_are_told() -> None:
    row = features("1X3/X4/5/5/5 w - 0 0 0", "A5")
    assert (row["is_suicide"], row["liberties_after"], row["stones_after"]) == (1, 0, 0)
    row = features("1X3/X4/5/5/5 b - 0 0 0", "A5")
    assert (row["fills_eye"], row["own_chains"], row["is_suicide"]) == (1, 2, 0)
    row = features("1X3/XO3/5/5/5 b - 0 0 0", "A5")
    assert row["fills_eye"] == 0
    row = features("2X2/5/5/5/5 w - 0 0 0", "B5")
    assert (row["self_atari"], row["liberties_after"], row["line"]) == (0, 2, 1)
    row = features("X1X2/5/5/5/5 w - 0 0 0", "B5")
    assert (row["self_atari"], row["liberties_after"]) == (1, 1)


def test_distances_and_lines_are_of_the_point() -> None:
    fen = "9/9/9/9/4O4/9/9/9/9 b - 0 0 0"
    row = features(fen, "C4", last="E5", own="C5")
    assert (row["line"], row["other_line"]) == (3, 4)
    assert (row["last_distance"], row["own_last_distance"]) == (5, 2)
    assert (row["opponent_nearest"], row["own_nearest"], row["last_liberties"]) == (3, 9, 4)
    assert (row["touches_last"], row["influence"], row["balance"], row["size"]) == (0, -6, -1, 9)
    row = features(fen, "E6", last="E5")
    assert (row["touches_last"], row["own_last_distance"]) == (1, -1)


def test_a_pass_is_a_move_of_its_own() -> None:
    row = features("5/5/2X2/5/5 w - 0 0 0", "pass", last="C3")
    assert (row["is_pass"], row["line"], row["last_distance"], row["taken"]) == (1, -1, -1, 0)
    assert row["last_liberties"] == 4
    row = features("5/5/2X2/5/5 b - 1 0 0", "C4")
    assert row["after_pass"] == 1


def test_counts_agree_with_boards_that_are_played_on() -> None:
    codes, offsets = VIEW.legal_moves(PACKED)
    none = np.full((len(PLAYED), 2), -1, np.int32)
    found = VIEW.features(PACKED, codes, offsets, none)
    column = {name: found[:, i] for i, name in enumerate(VIEW.feature_names)}
    for i, board in enumerate(PLAYED):
        own = 2 if board.white_to_move else 1
        for place in range(offsets[i], offsets[i + 1] - 1):
            code, after = int(codes[place]), board.copy()
            before = board.prisoners(own)  # type: ignore[arg-type]
            after.push(code)
            assert bool(column["is_suicide"][place]) == (after.color(code) == 0)
            if not after.color(code):
                continue
            assert column["taken"][place] == after.prisoners(own) - before  # type: ignore[arg-type]
            assert column["liberties_after"][place] == min(8, len(after.liberties(code)))
            assert column["stones_after"][place] == len(after.chain(code))
            assert bool(column["takes_ko"][place]) == (after.ko_point is not None)


def test_a_move_that_is_not_legal_is_an_error() -> None:
    with pytest.raises(ValueError, match="row 0: move 40 is not legal"):
        features("5/5/2X2/5/5 b - 0 0 0", "C3")
