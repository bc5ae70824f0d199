from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from tabia._native import chess_positions, xiangqi_positions
from tabia.games.chess_view import VIEW as CHESS
from tabia.games.xiangqi_view import VIEW as XIANGQI
from tabia.imitation.label_nets import LabelPolicy
from tabia.imitation.models import resnet
from tabia.imitation.models.config import ResidualGrid, ResidualStructure
from tabia.imitation.models.resnet import ResidualNet, other_side
from tabia.imitation.policy import Lesson
from tests.imitation.made_game import CODES, VIEW, made, made_positions

pytestmark = pytest.mark.usefixtures(made.__name__)
__all__ = ["made"]

SMALL = {"channels": 4, "memory": 2, "blocks": 1}
VALUES = [
    (name, value) for name, field in ResidualGrid.model_fields.items() for value in field.default
]


def settings(**training: float) -> dict[str, object]:
    plan = {"epochs": 1, "batch": 16} | training
    return {"training": plan, "game": "made", "vocabulary": "plain"}


def fitted(structure=SMALL, seed: int = 1, **training: float) -> LabelPolicy:
    positions = made_positions([12, 20])
    rows = np.arange(len(positions))
    return resnet.fit(
        Lesson(positions, rows[:-10], rows[-10:], structure), settings(**training), seed
    )


def untrained(**structure) -> LabelPolicy:
    full = ResidualStructure(**(SMALL | {"batch_norm": False} | structure))
    torch.manual_seed(3)
    return LabelPolicy(ResidualNet(full, VIEW, CODES).eval(), "made", "plain", full.model_dump(), 0)


@pytest.mark.parametrize(("name", "value"), VALUES)
def test_every_value_trains_and_gives_distributions_over_legal_moves(name, value):
    positions = made_positions([12, 20])
    found = fitted(SMALL | {name: value}).predict(positions, np.arange(32))
    assert found.offsets.tolist() == positions.legal_offsets.tolist()
    np.testing.assert_allclose(np.add.reduceat(found.p, found.offsets[:-1]), 1, atol=1e-5)
    assert ((found.p >= 0) & (found.p <= 1)).all()


def test_a_net_learns_positions_by_heart():
    positions = made_positions([10, 11, 12, 13])
    rows = np.arange(len(positions))
    structure = {"channels": 8, "memory": 1, "blocks": 1, "dropout": 0, "fc_l2": 0}
    plan = settings(epochs=60, stop_after=60, learning_rate=0.01)
    policy = resnet.fit(Lesson(positions, rows, rows, structure), plan, 1)
    assert policy.predict(positions, rows).unfiltered.mean() > 0.95


@pytest.mark.parametrize("memory", [1, 3])
def test_a_memory_of_m_sees_m_boards_the_present_one_included(memory):
    positions = made_positions([8, 9], legal=CODES)
    policy = untrained(memory=memory)
    before = policy.predict(positions, np.array([13])).p
    for row in range(17):
        board = positions.board.copy()
        board[row, 4] = (board[row, 4] + 1) % 5
        found = policy.predict(replace(positions, board=board), np.array([13])).p
        assert np.array_equal(found, before) == (row not in range(14 - memory, 14)), row


def test_boards_from_before_the_game_are_empty():
    positions = made_positions([4, 4])
    net = untrained(memory=3).net
    (planes,) = net.inputs(positions, np.array([4, 5]), "plain").take(np.arange(2))
    assert planes.shape == (2, 3 * 4, 3, 3)
    pieces = int((positions.board[4, :9] > 0).sum())
    assert planes[0, :4].sum() == pieces
    assert planes[0, 4:].sum() == 0
    assert planes[1, 4:8].sum() == pieces
    assert planes[1, 8:].sum() == 0


def test_planes_are_one_a_kind_own_ones_first_the_present_board_first():
    positions = made_positions([3])
    board = np.zeros((3, 11), np.uint8)
    board[:, 10] = CODES
    board[2, [0, 5]] = [1, 4]  # an own piece of kind 1, one of kind 2 of the opponent
    board[1, 7] = 1  # the opponent's piece of kind 1, who was to move then, on his file 1, row 2
    positions = replace(positions, board=board)
    (planes,) = untrained(memory=2).net.inputs(positions, np.array([2]), "plain").take(np.arange(1))
    places = np.argwhere(planes[0].numpy()).tolist()
    assert places == [[0, 0, 0], [3, 1, 2], [4 + 2, 0, 1]]


def random_boards(game: str, plies: int = 60) -> np.ndarray:
    """Packed boards of a game of random legal moves."""
    rng = np.random.default_rng(1)
    view = {"chess": CHESS, "xiangqi": XIANGQI}[game]
    moves: list[int] = []
    while True:
        ends = [0, len(moves)]
        codes = np.array(moves, np.uint16)
        if game == "chess":
            boards = chess_positions.expand(codes, ends, [None], [False]).board
        else:
            boards = xiangqi_positions.expand(codes, ends).board
        legal, _ = view.legal_moves(boards[-1:])
        if len(moves) == plies or not len(legal):
            return boards
        moves.append(int(rng.choice(legal)))


@pytest.mark.parametrize(("game", "view"), [("chess", CHESS), ("xiangqi", XIANGQI)])
def test_from_the_other_side_a_board_is_what_the_next_mover_sees_but_for_the_move(game, view):
    own = view.pieces(random_boards(game))
    assert len(own) > 40
    other = other_side(view, own)
    changed = (other[:-1] != own[1:]).sum(axis=1)
    assert ((changed >= 2) & (changed <= 4)).all()  # castling changes four squares
    np.testing.assert_array_equal(other_side(view, other), own)


def test_from_the_other_side_xiangqi_turns_and_chess_is_reflected():
    for view, square, seen in ((XIANGQI, 2, 87), (CHESS, 2, 58)):
        pieces = np.zeros((1, view.rows * view.columns), np.uint8)
        pieces[0, square] = 1
        found = other_side(view, pieces)
        assert np.flatnonzero(found[0]).tolist() == [seen]
        assert found[0, seen] == 1 + view.n_kinds


@pytest.mark.parametrize("batch_norm", [True, False])
def test_a_net_read_back_predicts_exactly_the_same(batch_norm, tmp_path: Path):
    policy = fitted(SMALL | {"batch_norm": batch_norm, "fc_layers": 2})
    policy.save(tmp_path)
    again = resnet.load(tmp_path)
    positions = made_positions([15, 6], 7)
    index = np.arange(len(positions))
    np.testing.assert_array_equal(
        policy.predict(positions, index).p, again.predict(positions, index).p
    )
    assert again.n_parameters == policy.n_parameters


def test_equal_seeds_give_equal_bytes_and_others_do_not(tmp_path: Path):
    found = []
    for place, seed in enumerate((1, 1, 2)):
        folder = tmp_path / str(place)
        folder.mkdir()
        fitted(seed=seed, epochs=2).save(folder)
        found.append((folder / "weights.safetensors").read_bytes())
    assert found[0] == found[1] != found[2]


def test_without_hidden_layers_their_variables_do_nothing():
    index = np.arange(32)
    found = [
        fitted(SMALL | {"fc_layers": 0} | own).predict(made_positions([12, 20]), index).p
        for own in ({"fc_l2": 0, "fc_activation": "tanh"}, {"fc_l2": 5})
    ]
    np.testing.assert_array_equal(*found)


def test_a_net_has_as_many_parameters_as_its_structure_says():
    def count(**own) -> int:
        return untrained(**({"memory": 1, "fc_layers": 0} | own)).n_parameters

    first, block = 4 * 4 * 9 + 4, 2 * (4 * 4 * 9 + 4)
    output = (4 * 9 + 1) * CODES
    assert count() == first + block + output
    assert count(blocks=3) == first + 3 * block + output
    assert count(memory=2) == first + 4 * 4 * 9 + block + output
    # Two numbers a filter in place of one bias.
    assert count(batch_norm=True) == count() + 3 * 4
    assert count(fc_layers=2) == first + block + 37 * 256 + 257 * 256 + 257 * CODES
