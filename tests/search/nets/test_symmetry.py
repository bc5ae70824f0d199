from __future__ import annotations

import numpy as np
import pytest

from tabia._native import xiangqi_positions
from tabia._native.go_board import PASS
from tabia._native.go_board import Board as GoBoard
from tabia._native.xiangqi_board import Board as XiangqiBoard
from tabia.games.xiangqi_view import VIEW
from tabia.search.nets.config import search_shape
from tabia.search.nets.symmetry import Symmetries

SIZE = 5
GO = Symmetries(search_shape("go", size=SIZE))
XIANGQI = Symmetries(search_shape("xiangqi"))
CHESS = Symmetries(search_shape("chess"))


def code(label: int) -> int:
    return PASS if label == SIZE**2 else 19 * (label // SIZE) + label % SIZE


def random_game(seed: int) -> list[int]:
    rng = np.random.default_rng(seed)
    board = GoBoard(size=SIZE)
    while len(board.moves()) < 40 and (legal := board.legal_moves()[:-1]):
        board.push(legal[rng.integers(len(legal))])
    return [SIZE * (move // 19) + move % 19 for move in board.moves()]


def test_there_are_eight_for_go_two_for_xiangqi_one_for_chess():
    assert [len(group) for group in (GO, XIANGQI, CHESS)] == [8, 2, 1]


@pytest.mark.parametrize("group", [GO, XIANGQI, CHESS])
@pytest.mark.parametrize("of", ["points", "moves"])
def test_symmetries_form_a_group(group, of):
    elements = [tuple(row) for row in getattr(group, of)]
    assert elements[0] == tuple(range(len(elements[0])))
    assert len(set(elements)) == len(group)
    for row in getattr(group, of):
        products = {tuple(row[other]) for other in getattr(group, of)}
        assert products == set(elements)


@pytest.mark.parametrize("group", [GO, XIANGQI, CHESS])
def test_the_inverse_undoes(group):
    rng = np.random.default_rng(0)
    shape = group._shape
    which = np.arange(len(group))
    planes = rng.random((len(group), 3, shape.rows, shape.columns)).astype(np.float32)
    moves = rng.random((len(group), shape.moves)).astype(np.float32)
    back = group.inverse[which]
    changed = group.change_planes(planes, which)
    np.testing.assert_array_equal(group.change_planes(changed, back), planes)
    np.testing.assert_array_equal(group.change_moves(group.change_moves(moves, which), back), moves)
    assert len(group) == 1 or not np.array_equal(changed[-1], planes[-1])


def test_number_1_turns_counterclockwise_and_number_4_exchanges_left_and_right():
    board = np.zeros((2, SIZE, SIZE), np.float32)
    board[:, 0, 3] = 1
    turned, exchanged = GO.change_planes(board, np.array([1, 4]))
    assert np.argwhere(turned).tolist() == [[1, 0]]
    assert np.argwhere(exchanged).tolist() == [[0, 1]]


@pytest.mark.parametrize("which", range(8))
def test_a_changed_game_of_go_has_changed_stones_and_changed_legal_moves(which):
    game = random_game(which)
    assert len(game) > 20
    new_label = np.argsort(GO.moves[which])  # where each label goes
    board, other = GoBoard(size=SIZE), GoBoard(size=SIZE)
    for label in game:
        board.push(code(label))
        other.push(code(int(new_label[label])))
        stones = np.frombuffer(board.stones(), np.uint8).astype(np.float32)
        changed = GO.change_planes(stones.reshape(1, SIZE, SIZE), np.array([which]))
        assert changed.astype(np.uint8).tobytes() == other.stones()
        legal = np.zeros((1, SIZE**2 + 1), np.float32)
        for target, found in ((legal, board), (there := np.zeros_like(legal), other)):
            for label_ in range(SIZE**2 + 1):
                target[0, label_] = found.is_legal(code(label_))
        np.testing.assert_array_equal(GO.change_moves(legal, np.array([which])), there)


def test_a_reflected_position_of_xiangqi_has_the_reflected_legal_moves():
    rng = np.random.default_rng(3)
    board = XiangqiBoard()
    vocabulary = VIEW.vocabularies["from_to"]
    for ply in range(40):
        legal = board.legal_moves()
        board.push(int(legal[rng.integers(len(legal))]))
        placement, *rest = board.fen().split(" ")
        mirrored = " ".join(["/".join(row[::-1] for row in placement.split("/")), *rest])
        boards = xiangqi_positions.boards_from_fens([board.fen(), mirrored])
        pieces = VIEW.pieces(boards).reshape(2, 10, 9).astype(np.float32)
        changed = XIANGQI.change_planes(pieces[:1], np.array([1]))
        np.testing.assert_array_equal(changed[0], pieces[1])
        codes, offsets = VIEW.legal_moves(boards)
        masks = np.zeros((2, 2086), np.float32)
        for row in (0, 1):
            own = codes[offsets[row] : offsets[row + 1]]
            labels = vocabulary.indices(np.repeat(boards[row : row + 1], len(own), 0), own)
            masks[row, labels] = 1
        np.testing.assert_array_equal(
            XIANGQI.change_moves(masks[:1], np.array([1]))[0], masks[1], err_msg=f"ply {ply}"
        )


def test_drawn_symmetries_are_all_there_and_follow_the_generator():
    drawn = GO.draw(400, np.random.default_rng(0))
    assert (np.bincount(drawn, minlength=8) > 25).all()
    np.testing.assert_array_equal(drawn, GO.draw(400, np.random.default_rng(0)))


def test_arrays_of_other_shapes_are_refused():
    which = np.array([0])
    with pytest.raises(ValueError, match="boards of 5 × 5"):
        GO.change_planes(np.zeros((1, 2, 5, 6), np.float32), which)
    with pytest.raises(ValueError, match=r"\[1, 26\]"):
        GO.change_moves(np.zeros((1, 25), np.float32), which)
