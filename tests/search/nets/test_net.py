from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn

from tabia.games import chess_moves, xiangqi_moves
from tabia.learning.training import single_threaded
from tabia.search.nets.blocks import Plain, Pool, Unit
from tabia.search.nets.config import AlphaZero, GoPlayer, Small, search_shape
from tabia.search.nets.heads import from_to
from tabia.search.nets.net import make
from tests.search.nets.made import CASES, CHESS, GO, TINY, XIANGQI, case_name, inputs, made, outputs


@pytest.mark.parametrize(("name", "shape"), CASES, ids=case_name)
def test_every_net_answers_in_the_contracts_shapes(name, shape):
    policy, value, score, ownership = outputs(made(name, shape), *inputs(shape, 3))
    assert policy.shape == (3, shape.moves)
    if TINY[name].value == "scalar":
        assert value.shape == (3,)
        assert (np.abs(value) < 1).all()
    else:
        assert value.shape == (3, 3)
    if name == "all_heads":
        assert score.shape == (3,)
        assert ownership.shape == (3, 5, 5)
        assert (np.abs(ownership) < 1).all()
    else:
        assert score is None
        assert ownership is None


@pytest.mark.parametrize(("name", "shape"), CASES, ids=case_name)
def test_policy_and_value_depend_on_planes_and_on_numbers(name, shape):
    net = made(name, shape)
    planes, numbers = inputs(shape, 16)
    plain = outputs(net, planes, numbers)
    others = [outputs(net, 1 - planes, numbers)]
    if shape.numbers:
        others.append(outputs(net, planes, numbers + 1))
    for other in others:
        assert not np.array_equal(plain[0], other[0])
        assert not np.array_equal(plain[1], other[1])


def test_the_go_player_convolves_1_3_1_behind_normalisation_and_activation():
    unit = Unit(8, 2)
    assert [part.kernel_size for part in (unit.down, unit.middle, unit.up)] == [
        (1, 1),
        (3, 3),
        (1, 1),
    ]
    unit.eval()
    x = torch.randn(2, 8, 5, 5)
    seen = []
    unit.down.register_forward_pre_hook(lambda _, args: seen.append(args[0]))
    unit(x)
    # An untrained normalisation divides by √(1 + ε).
    expected = np.maximum(x.numpy(), 0) / np.sqrt(1 + 1e-5)
    np.testing.assert_allclose(seen[0].detach(), expected, rtol=1e-5)


def test_nothing_touches_the_go_players_shortcuts():
    unit = Unit(8, 2).eval()
    nn.init.zeros_(unit.up.weight)
    x = torch.randn(2, 8, 5, 5)
    assert torch.equal(unit(x), x)


def test_the_go_player_has_three_convolutions_a_unit_and_three_beside_them():
    net = make(GO, GoPlayer(channels=8, narrow=2, blocks=3, units=2))
    assert sum(isinstance(part, nn.Conv2d) for part in net.modules()) == 3 * 2 * 3 + 3


def test_alphazeros_net_has_the_parameters_that_its_paper_tells():
    shape = search_shape("go", size=9, history=8, numbers_apart=False)
    planes, c, points = 20, 128, 81
    stem = 9 * planes * c + 2 * c
    block = 2 * (9 * c * c + 2 * c)
    policy = c * 2 + 2 * 2 + (2 * points + 1) * 82
    value = c + 2 + (points + 1) * 256 + 257
    assert make(shape, AlphaZero()).n_parameters == stem + 10 * block + policy + value


def test_pooling_gives_means_scaled_means_and_maxima():
    board = torch.arange(81.0).reshape(1, 1, 9, 9)
    assert Pool(1, scaled=False)(board).tolist() == [[40, 80]]
    assert Pool(1, scaled=True)(board).tolist() == [[40, -20, 80]]
    assert Pool.scale(19, 19) == 0.5
    assert Pool.scale(14, 14) == 0


def test_pooling_lets_a_point_tell_the_whole_board_what_stands_there():
    def reaches(pool: Pool | None) -> bool:
        torch.manual_seed(0)
        block = Plain(4, pool).eval()
        empty = torch.zeros(1, 4, 9, 9)
        stone = empty.clone()
        stone[0, :, 0, 0] = 5
        return not torch.equal(block(empty)[0, :, 8, 8], block(stone)[0, :, 8, 8])

    assert reaches(Pool(4, scaled=True))
    assert not reaches(None)


def test_blocks_pool_as_often_as_they_are_told():
    def pooled(every: int) -> list[bool]:
        net = make(GO, Small(channels=4, blocks=4, pool_every=every))
        return [block.pool is not None for block in net.blocks]

    assert pooled(0) == [False] * 4
    assert pooled(2) == [False, True, False, True]
    assert pooled(1) == [True] * 4


def test_the_small_net_plays_go_on_boards_of_every_size():
    net = made("all_heads", GO)
    for size in (7, 9):
        shape = search_shape("go", size=size)
        policy, _, _, ownership = outputs(net, *inputs(shape, 2))
        assert policy.shape == (2, size * size + 1)
        assert ownership.shape == (2, size, size)


@pytest.mark.parametrize("name", ["go_player", "alphazero"])
def test_other_nets_refuse_another_board(name):
    with pytest.raises(ValueError, match=r"7 × 7; this \w+ net of go was made for 5 × 5"):
        outputs(made(name, GO), *inputs(search_shape("go", size=7), 1))


def test_other_inputs_are_refused():
    net = made("small", GO)
    planes, numbers = inputs(GO, 2)
    for wrong in ((planes[:, 1:], numbers), (planes, numbers[:, 1:]), (planes, numbers[:1])):
        with pytest.raises(ValueError, match=r"wanted are \[B, 3, rows, columns\] and \[B, 3\]"):
            outputs(net, *wrong)


@pytest.mark.parametrize("head", ["score", "ownership"])
def test_score_and_ownership_are_for_go(head):
    with pytest.raises(ValueError, match="are for go, not for chess"):
        make(CHESS, Small(**{head: True}))


def test_labels_of_chess_start_and_end_where_their_texts_say():
    starts, ends, promotions = from_to("chess")
    for label, start, end, kind in zip(chess_moves.LABELS, starts, ends, promotions, strict=True):
        squares = [ord(label[i]) - ord("a") + 8 * (int(label[i + 1]) - 1) for i in (0, 2)]
        assert [start, end] == squares, label
        assert " nbr"[kind] == (label[4:] or " "), label


def test_labels_of_xiangqi_start_and_end_where_their_codes_say():
    starts, ends, promotions = from_to("xiangqi")
    codes = [90 * start + end for start, end in zip(starts, ends, strict=True)]
    assert codes == list(xiangqi_moves.FROM_TO)
    assert set(promotions) == {0}


def test_a_move_is_scored_by_its_start_and_its_end():
    net = make(XIANGQI, TINY["small"]).eval()
    head = net.policy
    x = torch.randn(1, 8, 10, 9)
    other = x.clone()
    other[0, :, 0, 4] += 1  # e0
    with single_threaded():
        changed = (head(x) != head(other))[0].numpy()
    starts, ends, _ = from_to("xiangqi")
    touched = (np.array(starts) == 4) | (np.array(ends) == 4)
    np.testing.assert_array_equal(changed, touched)


def test_promotions_of_one_pawn_have_scores_of_their_own():
    head = make(CHESS, TINY["small"]).eval().policy
    labels = [chess_moves.LABELS.index(text) for text in ("e7e8", "e7e8n", "e7e8b", "e7e8r")]
    with single_threaded():
        found = head(torch.randn(1, 8, 8, 8))[0, labels].tolist()
    assert len(set(found)) == 4


def test_equal_seeds_make_equal_nets():
    one, same, other = (made("small", GO, seed).state_dict() for seed in (1, 1, 2))
    assert all(torch.equal(part, same[name]) for name, part in one.items())
    assert not all(torch.equal(part, other[name]) for name, part in one.items())
