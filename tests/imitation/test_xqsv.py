from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from tabia.imitation.label_nets import Head, LabelPolicy, SmallBatchError, activation
from tabia.imitation.models import xqsv
from tabia.imitation.models.config import RecurrentGrid, RecurrentStructure
from tabia.imitation.models.xqsv import RecurrentNet
from tabia.imitation.policy import Lesson, Prediction
from tests.imitation.made_game import CODES, made, made_positions

pytestmark = pytest.mark.usefixtures(made.__name__)
__all__ = ["made"]

SMALL = {"rnn_hidden": 8, "memory": 3}
TABLE_I = [
    (name, value) for name, field in RecurrentGrid.model_fields.items() for value in field.default
]


def settings(vocabulary: str = "plain", **training: float) -> dict[str, object]:
    plan = {"epochs": 1, "batch": 16} | training
    return {"training": plan, "game": "made", "vocabulary": vocabulary}


def lesson(positions, structure, held: int = 10) -> Lesson:
    rows = np.arange(len(positions))
    return Lesson(positions, rows[:-held], rows[-held:], structure)


def fitted(structure=SMALL, seed: int = 1, lengths=(12, 20), **training: float) -> LabelPolicy:
    return xqsv.fit(lesson(made_positions(list(lengths)), structure), settings(**training), seed)


def untrained(**structure) -> LabelPolicy:
    full = RecurrentStructure(**({"rnn_hidden": 16, "batch_norm": False} | structure))
    torch.manual_seed(3)
    net = RecurrentNet(full, CODES)
    return LabelPolicy(net.eval(), "made", "plain", full.model_dump(), 0)


def row_of(policy: LabelPolicy, positions, row: int) -> np.ndarray:
    return policy.predict(positions, np.array([row])).p


def with_move(positions, row: int):
    move = positions.move.copy()
    move[row] = (move[row] + 1) % 3
    return replace(positions, move=move)


def assert_distributions(found: Prediction, positions, index) -> None:
    codes, offsets = positions.legal_of(index)
    assert found.offsets.tolist() == offsets.tolist()
    assert len(found.p) == len(codes)
    assert (found.p >= 0).all()
    np.testing.assert_allclose(np.add.reduceat(found.p, offsets[:-1]), 1, atol=1e-5)
    assert ((found.illegal >= 0) & (found.illegal <= 1)).all()
    assert found.unfiltered.dtype == np.bool_


@pytest.mark.parametrize(("name", "value"), TABLE_I)
def test_every_value_of_table_i_trains_and_gives_distributions_over_legal_moves(name, value):
    positions = made_positions([12, 20])
    policy = xqsv.fit(lesson(positions, SMALL | {name: value}), settings(batch=40), 1)
    index = np.arange(len(positions))
    assert_distributions(policy.predict(positions, index), positions, index)


def test_the_table_has_the_paper_s_values():
    assert len(TABLE_I) == 4 + 4 + 4 + 3 + 4 + 2 + 4 + 5 + 4 + 4


@pytest.mark.parametrize("rnn", ["lstm", "gru", "backward_lstm", "backward_gru"])
@pytest.mark.parametrize("memory", [6, None])
def test_a_net_learns_games_by_heart(rnn, memory):
    positions = made_positions([10, 11, 12, 13])
    rows = np.arange(len(positions))[positions.row_in_game > 0]  # the first moves look all alike
    structure = {"rnn": rnn, "memory": memory, "rnn_hidden": 32, "rnn_dropout": 0, "dropout": 0}
    plan = settings(epochs=60, stop_after=60, learning_rate=0.01)
    plan["training"]["batch"] = 21
    policy = xqsv.fit(Lesson(positions, rows, rows, structure | {"fc_l2": 0}), plan, 1)
    assert policy.predict(positions, rows).unfiltered.mean() > 0.9


@pytest.mark.parametrize("rnn", ["lstm", "gru", "backward_lstm", "backward_gru"])
def test_a_memory_of_m_sees_the_last_m_moves_and_no_more(rnn):
    positions = made_positions([30], legal=CODES)
    policy = untrained(rnn=rnn, memory=5)
    before = row_of(policy, positions, 20)
    for row in range(30):
        changed = row_of(policy, with_move(positions, row), 20)
        assert np.array_equal(changed, before) == (row not in range(15, 20)), row


@pytest.mark.parametrize("rnn", ["gru", "backward_lstm"])
def test_perfect_memory_sees_every_move_before_and_none_of_another_game(rnn):
    positions = made_positions([8, 12, 5], legal=CODES)
    policy = untrained(rnn=rnn, memory=None)
    before = row_of(policy, positions, 18)  # the eleventh move of the second game
    for row in range(25):
        changed = row_of(policy, with_move(positions, row), 18)
        assert np.array_equal(changed, before) == (row not in range(8, 18)), row


@pytest.mark.parametrize("cell", ["lstm", "gru"])
def test_a_backward_layer_is_the_forward_one_on_the_moves_in_reverse(cell):
    positions = made_positions([9], legal=CODES)
    reverse = replace(positions, move=positions.move[::-1].copy())
    forward = untrained(rnn=cell, memory=8)
    backward = untrained(rnn=f"backward_{cell}", memory=8)
    backward.net.load_state_dict(forward.net.state_dict())
    found = row_of(backward, positions, 8)  # moves 0 … 7, the latest first
    np.testing.assert_array_equal(found, row_of(forward, _shifted(reverse), 8))
    assert not np.array_equal(found, row_of(forward, positions, 8))


def _shifted(reverse):
    """Moves 8 … 0 become 7 … 0 and one that is not seen."""
    return replace(reverse, move=np.roll(reverse.move, -1))


@pytest.mark.parametrize("rnn", ["lstm", "backward_gru"])
def test_perfect_memory_is_a_memory_longer_than_the_game(rnn):
    positions = made_positions([9, 14, 3])
    index = np.arange(len(positions))
    perfect, long = untrained(rnn=rnn, memory=None), untrained(rnn=rnn, memory=20)
    np.testing.assert_allclose(
        perfect.predict(positions, index).p, long.predict(positions, index).p, atol=1e-6
    )


def test_short_sequences_are_not_changed_by_longer_ones_beside_them():
    positions = made_positions([9, 14, 3])
    policy = untrained(rnn="lstm", memory=10)
    together = policy.predict(positions, np.arange(len(positions)))
    for row in range(len(positions)):
        part = together.p[together.offsets[row] : together.offsets[row + 1]]
        np.testing.assert_allclose(row_of(policy, positions, row), part, atol=1e-6)


@pytest.mark.parametrize("rnn", ["lstm", "backward_lstm", "gru", "backward_gru"])
@pytest.mark.parametrize("memory", [20, None])
def test_long_sequences_give_what_reading_each_alone_gives(rnn, memory):
    positions = made_positions([40, 17, 3, 55], legal=CODES)
    policy = untrained(rnn=rnn, memory=memory, rnn_dropout=0)
    index = np.random.default_rng(0).permutation(len(positions))
    found = policy.net.scores(policy.net.inputs(positions, index, "plain").take(np.arange(115)))
    for place, row in enumerate(index):
        count = min(int(positions.row_in_game[row]), memory or 100)
        moves = positions.move[row - count : row].astype(np.int64)
        state = torch.zeros(1, 16)
        if count:
            order = moves[::-1].copy() if rnn.startswith("backward") else moves
            embedded = policy.net.embedding(torch.from_numpy(order)).unsqueeze(1)
            state = policy.net.recurrent(embedded)[0][-1]
        alone = policy.net.head(torch.relu(state))[0].detach()
        np.testing.assert_allclose(found[place].detach(), alone, atol=1e-5)


def test_first_moves_of_games_have_one_distribution_over_labels():
    positions = made_positions([4, 4, 4], legal=CODES)
    policy = untrained(memory=None)
    first = [row_of(policy, positions, row) for row in (0, 4, 8)]
    np.testing.assert_array_equal(first[0], first[1])
    np.testing.assert_array_equal(first[0], first[2])
    state = torch.zeros(1, 16)
    expected = policy.net.head(state).softmax(1).detach().numpy()[0]
    np.testing.assert_allclose(first[0], expected, atol=1e-6)


def test_moves_are_read_in_order_the_last_ones_before_the_position():
    positions = made_positions([6, 6])
    index = np.array([0, 2, 11])
    moves = positions.move.astype(int)
    for backward in (False, True):
        net = untrained(memory=3, rnn="backward_gru" if backward else "gru").net
        seen, count = net.inputs(positions, index, "plain").take(np.arange(3))
        assert count.tolist() == [0, 2, 3]
        order = slice(None, None, -1) if backward else slice(None)
        assert seen.tolist() == [
            [0, 0, 0],
            [*moves[0:2][order], 0],
            [*moves[8:11][order]],
        ]


def test_without_hidden_layers_their_variables_do_nothing(tmp_path: Path):
    bytes_ = []
    for place, own in enumerate(({"fc_l2": 0, "fc_activation": "tanh"}, {"fc_l2": 5})):
        folder = tmp_path / str(place)
        folder.mkdir()
        fitted(SMALL | {"fc_layers": 0} | own).save(folder)
        bytes_.append((folder / "weights.safetensors").read_bytes())
    assert bytes_[0] == bytes_[1]


def test_the_penalty_is_the_sum_of_squares_of_hidden_weights():
    head = Head(3, 4, dropout=0, layers=2, l2=0.5, act="relu")
    weights = [layer.weight for layer in head.hidden]
    assert [tuple(weight.shape) for weight in weights] == [(256, 3), (256, 256)]
    expected = 0.5 * sum(float(weight.detach().double().square().sum()) for weight in weights)
    assert float(head.penalty().detach()) == pytest.approx(expected, rel=1e-5)
    assert Head(3, 4, dropout=0, layers=0, l2=0.5, act="relu").penalty() is None


def test_a_penalty_makes_hidden_weights_smaller():
    def size(l2: float) -> float:
        policy = fitted(SMALL | {"fc_l2": l2}, epochs=20, stop_after=20, learning_rate=0.01)
        return float(policy.net.head.hidden[0].weight.detach().square().sum())

    assert size(1.0) < 0.8 * size(0)


def test_the_activations():
    x = torch.tensor([[-1.0, 0.0, 2.0]])
    assert activation("relu", x).tolist() == [[0, 0, 2]]
    assert activation("linear", x).tolist() == [[-1, 0, 2]]
    np.testing.assert_allclose(activation("tanh", x), np.tanh(x.numpy()), rtol=1e-6)
    e = np.exp(x.numpy())
    np.testing.assert_allclose(activation("softmax", x), e / e.sum(), rtol=1e-6)
    with pytest.raises(ValueError, match="no activation is called 'swish'"):
        activation("swish", x)


@pytest.mark.parametrize("name", ["dropout", "rnn_dropout"])
def test_dropout_acts_in_training_only(name):
    policy = untrained(**({"dropout": 0, "rnn_dropout": 0} | {name: 0.5}))
    batch = policy.net.inputs(made_positions([12]), np.arange(12), "plain").take(np.arange(12))
    once, twice = policy.net.scores(batch), policy.net.scores(batch)
    assert torch.equal(once, twice)
    policy.net.train()
    assert not torch.equal(policy.net.scores(batch), policy.net.scores(batch))


def test_equal_seeds_give_equal_bytes_and_others_do_not(tmp_path: Path):
    found = []
    for place, seed in enumerate((1, 1, 2)):
        folder = tmp_path / str(place)
        folder.mkdir()
        fitted(seed=seed, epochs=2).save(folder)
        found.append({path.name: path.read_bytes() for path in sorted(folder.iterdir())})
    assert found[0] == found[1]
    assert found[0]["weights.safetensors"] != found[2]["weights.safetensors"]
    assert sorted(found[0]) == ["net.json", "weights.safetensors"]


@pytest.mark.parametrize("memory", [4, None])
def test_a_net_read_back_predicts_exactly_the_same(memory, tmp_path: Path):
    policy = fitted(SMALL | {"memory": memory, "fc_layers": 2})
    policy.save(tmp_path)
    again = xqsv.load(tmp_path)
    positions = made_positions([15, 6], 7)
    index = np.arange(len(positions))
    np.testing.assert_array_equal(
        policy.predict(positions, index).p, again.predict(positions, index).p
    )
    assert again.n_parameters == policy.n_parameters
    assert again.facts == policy.facts
    assert policy.facts["memory"] == (memory or "all")


def test_the_default_structure_serves_where_no_search_was():
    own = settings() | {"default": SMALL | {"rnn_hidden": 9}}
    policy = xqsv.fit(lesson(made_positions([12, 20]), None), own, 1)
    assert policy.net.recurrent.hidden_size == 9


def test_batches_of_one_row_are_refused_where_rows_are_normalised():
    with pytest.raises(SmallBatchError, match="22 positions in batches of 1 leave one alone"):
        fitted(batch=1)
    fitted(SMALL | {"batch_norm": False}, batch=1)


def test_no_rows_give_no_predictions():
    found = fitted().predict(made_positions([5]), np.arange(0))
    assert found.offsets.tolist() == [0]
    assert len(found.p) == len(found.illegal) == len(found.unfiltered) == 0
