"""Xiangqi as the mover sees it, against the board that plays one move at a time."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np
import pytest

from tabia._native.xiangqi_board import Board, encode_move
from tabia._native.xiangqi_positions import boards_from_fens, expand
from tabia.games.mover_view import MoverView
from tabia.games.xiangqi_moves import RELATIVE
from tabia.games.xiangqi_view import VIEW
from tests.games.xiangqi_play import random_game

GAMES = [random_game(random.Random(seed), 150).moves() for seed in range(8)]
BOARDS = expand(np.concatenate(GAMES), np.cumsum([0, *map(len, GAMES)])).board
TWINS = [Board.from_packed(row.tobytes()) for row in BOARDS]
TURNED = np.array([np.frombuffer(t.mirrored().flipped().packed(), np.uint8) for t in TWINS])


def test_the_view_meets_the_contract() -> None:
    view: MoverView = VIEW
    assert (view.name, view.rows, view.columns, view.n_kinds) == ("xiangqi", 10, 9, 7)
    sizes = {name: len(v.labels) for name, v in view.vocabularies.items()}
    assert sizes == {"relative": 755, "from_to": 2086}
    assert all(name == v.name for name, v in view.vocabularies.items())
    assert view.facts(BOARDS).shape == (len(BOARDS), len(view.facts_names)) == (len(BOARDS), 0)


def test_pieces_are_those_of_the_turned_board() -> None:
    found = VIEW.pieces(BOARDS)
    assert (found.shape, found.dtype) == ((len(BOARDS), 90), np.uint8)
    for row, twin in zip(found, TWINS, strict=True):
        board = twin.mirrored().flipped() if twin.black_to_move else twin
        assert row.tobytes() == board.piece_codes()


def test_the_mover_is_known() -> None:
    found = VIEW.black_to_move(BOARDS)
    assert found.dtype == np.bool_
    assert found.tolist() == [twin.black_to_move for twin in TWINS]


def test_legal_moves_labels_and_squares_do_not_depend_on_the_side() -> None:
    codes, offsets = VIEW.legal_moves(BOARDS)
    assert [codes[a:b].tolist() for a, b in pairwise(offsets)] == [
        twin.legal_moves() for twin in TWINS
    ]
    owner = np.repeat(np.arange(len(BOARDS)), np.diff(offsets))
    start, end = codes // 90, codes % 90
    other = (90 * (89 - start) + (89 - end)).astype(np.uint16)
    for vocabulary in VIEW.vocabularies.values():
        found = vocabulary.indices(BOARDS[owner], codes)
        assert found.dtype == np.int16
        assert np.array_equal(found, vocabulary.indices(TURNED[owner], other))
    black = VIEW.black_to_move(BOARDS)[owner]
    squares, turned = VIEW.squares(codes, black), VIEW.squares(other, ~black)
    assert squares.start.dtype == squares.end.dtype == np.int16
    assert np.array_equal(squares.start, turned.start)
    assert np.array_equal(squares.end, turned.end)
    assert np.array_equal(VIEW.pieces(BOARDS), VIEW.pieces(TURNED))
    own = VIEW.pieces(BOARDS)[owner, squares.start]
    assert ((own >= 1) & (own <= 7)).all()
    assert np.array_equal(squares.start, np.where(black, 89 - start, start))
    assert np.array_equal(squares.end, np.where(black, 89 - end, end))


@pytest.mark.parametrize(
    ("text", "black", "name", "label"),
    [
        ("h2e2", False, "h2e2", "C2=5"),
        ("b7e7", True, "h2e2", "C2=5"),
        ("b9c7", True, "h0g2", "H2+3"),
        ("b0c2", False, "b0c2", "H8+7"),
    ],
)
def test_moves_have_their_labels(text: str, black: bool, name: str, label: str) -> None:
    fen = Board().fen().replace(" w ", " b ") if black else Board().fen()
    boards = boards_from_fens([fen])
    codes = np.array([encode_move(text)], np.uint16)
    found = VIEW.vocabularies["from_to"].indices(boards, codes)
    assert VIEW.vocabularies["from_to"].labels[found[0]] == name
    assert RELATIVE[VIEW.vocabularies["relative"].indices(boards, codes)[0]] == label
    squares = VIEW.squares(codes, np.array([black]))
    assert 90 * squares.start[0] + squares.end[0] == encode_move(name)


def test_codes_of_no_move_are_errors() -> None:
    for row in (BOARDS[:1], BOARDS[1:2]):
        for code in (0, 0xFFFF, encode_move("a0b3")):
            with pytest.raises(ValueError, match="code of no piece's move"):
                VIEW.vocabularies["from_to"].indices(row, np.array([code], np.uint16))


def test_no_boards_give_no_rows() -> None:
    none = BOARDS[:0]
    assert VIEW.pieces(none).shape == (0, 90)
    assert VIEW.black_to_move(none).shape == (0,)
