"""The nets trained by stochastic gradients: what they see, learn, save and leave untouched."""

from __future__ import annotations

import importlib
import itertools
import random

import chess
import numpy as np
import pytest
import torch

from tabia._native import chess_positions, chess_terms
from tabia.evaluation.features import ENGINE_INPUTS, PLACEMENT, placement
from tabia.evaluation.models import cnn_planes, mlp_bitmap
from tabia.evaluation.models.cnn_features import picture
from tabia.evaluation.models.cnn_planes import planes
from tabia.learning.examples import DenseInputs, Examples

TERMS = chess_terms.COLUMNS
NETS = {"cnn_features": TERMS, "cnn_planes": PLACEMENT, "mlp_bitmap": PLACEMENT}
SETTINGS = {
    "cnn_features": {"epochs": 4, "batch": 16, "learning_rate": 0.003},
    "cnn_planes": {"epochs": 4, "batch": 16, "learning_rate": 0.003},
    "mlp_bitmap": {"epochs": 12, "batch": 16, "learning_rate": 0.005, "hidden": [16, 8]},
}
PLANES = "PNBRQKpnbrqk"


def made_up(name: str, count: int, seed: int, scenario: int = 3) -> Examples:
    """Rows whose target is the sum of terms or placement plus ten times the shallowest value."""
    rng = np.random.default_rng(seed)
    columns = NETS[name]
    if columns is PLACEMENT:
        x = rng.choice([-1, 1], (count, len(columns))) * (rng.random((count, len(columns))) < 0.04)
    else:
        x = 50 + rng.integers(0, 9, (count, len(columns))) * (np.arange(len(columns)) % 4 == 1)
    engine = rng.normal(3, 5, (count, len(ENGINE_INPUTS[scenario])))
    target = x.sum(axis=1) + 10 * engine[:, :1].sum(axis=1)
    inputs = DenseInputs(
        tuple(columns) + ENGINE_INPUTS[scenario],
        np.concatenate([x, engine], axis=1).astype(np.float32),
    )
    return Examples(inputs, target.astype(np.float32), np.arange(count, dtype=np.uint64))


def fit(name: str, *, seed: int = 0, scenario: int = 3, rows: int = 400, **settings: object):
    module = importlib.import_module(f"tabia.evaluation.models.{name}")
    train, held = (made_up(name, n, s, scenario) for n, s in ((rows, 1), (100, 2)))
    return module.fit(train, held, SETTINGS[name] | settings, seed)


def squared_error(model, rows: Examples) -> float:
    return float(np.square(model.predict(rows.inputs.rows(slice(None))) - rows.target).mean())


@pytest.fixture(scope="module", params=NETS)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def model(name: str):
    return fit(name, scenario=1)


def random_boards(count: int) -> list[chess.Board]:
    rng, boards = random.Random(5), []
    while len(boards) < count:
        board = chess.Board()
        for _ in range(rng.randrange(120)):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice(moves))
        boards.append(board)
    return boards


@pytest.mark.parametrize("scenario", [1, 2, 3])
def test_every_input_has_one_cell_of_the_picture(scenario):
    columns = TERMS + ENGINE_INPUTS[scenario]
    cells = picture(columns)
    assert cells.shape == (2, 10, 10)
    assert sorted(cells[cells >= 0].tolist()) == list(range(len(columns)))


def test_a_term_has_one_place_for_both_sides_beside_its_group():
    cells = picture(TERMS)
    white, black = cells.reshape(2, -1)[:, :97]
    assert [TERMS[cell].partition("_")[::2] for cell in white] == [
        ("white", TERMS[cell].partition("_")[2]) for cell in black
    ]
    groups = [chess_terms.GROUPS[chess_terms.TERMS.index(TERMS[cell][6:])] for cell in white]
    changes = sum(a != b for a, b in itertools.pairwise(groups))
    assert changes == len(set(groups)) - 1
    assert (cells.reshape(2, -1)[:, 97:] == -1).all()


def test_engine_values_end_whites_picture():
    columns = TERMS + ENGINE_INPUTS[1]
    white, black = picture(columns).reshape(2, -1)[:, 97:]
    assert [columns[cell] for cell in white] == list(ENGINE_INPUTS[1])
    assert (black == -1).all()


def test_the_net_on_terms_sees_each_input_in_its_cell_and_nothing_in_the_blank_ones():
    model = fit("cnn_features", scenario=2, rows=40, epochs=1)
    x = np.arange(1, 197, dtype=np.float32)[np.newaxis].repeat(2, axis=0)
    seen = []
    with torch.inference_mode():
        model.net.convolutions.register_forward_pre_hook(lambda _, given: seen.append(given[0]))
        model.net(torch.from_numpy(x))
    cells = picture(TERMS + ENGINE_INPUTS[2])
    np.testing.assert_array_equal(seen[0].numpy(), np.stack([cells + 1, cells + 1]))


def test_an_input_without_a_place_in_the_picture_is_refused():
    with pytest.raises(ValueError, match=r"no place for the input 'P@a1'"):
        picture(("white_isolated", "P@a1"))


def test_planes_are_the_board():
    boards = random_boards(60)
    codes = chess_positions.piece_codes(
        chess_positions.boards_from_fens([board.fen() for board in boards])
    )
    shown = planes(torch.from_numpy(placement(codes))).numpy()
    expected = np.zeros((60, 12, 8, 8), np.float32)
    for number, board in enumerate(boards):
        for square, piece in board.piece_map().items():
            plane = PLANES.index(piece.symbol())
            where = chess.square_rank(square), chess.square_file(square)
            expected[number, plane][where] = 1 if piece.color else -1
    np.testing.assert_array_equal(shown, expected)


@pytest.mark.parametrize("module", [cnn_planes, mlp_bitmap])
def test_inputs_that_are_not_the_bitmap_are_refused(module):
    rows = made_up("cnn_features", 4, 0)
    with pytest.raises(ValueError, match="needs piece placement first"):
        module.fit(rows, rows, {}, 0)


def test_a_net_learns_a_planted_function(name):
    held = made_up(name, 100, 2)
    error = squared_error(fit(name, rows=800), held)
    assert error < 0.5 * held.target.var()


def test_engine_values_are_learned_from(name, model):
    """Ten times the first is in the target: most of its variance."""
    held = made_up(name, 100, 3, scenario=1)
    assert squared_error(model, held) < 0.5 * held.target.var()
    x = held.inputs.rows(slice(None))
    shifted = x + 5 * (np.arange(x.shape[1]) == x.shape[1] - 3).astype(np.float32)
    assert np.mean(model.predict(shifted) - model.predict(x)) > 25


def test_predictions_are_pawns_whatever_the_units_of_the_target(name):
    """A target in other units gives the same net: it sees the target in units of its spread."""
    module = importlib.import_module(f"tabia.evaluation.models.{name}")
    rows, x = made_up(name, 100, 1), made_up(name, 50, 2).inputs.rows(slice(None))
    scaled = Examples(rows.inputs, rows.target * 1024 + 4096, rows.game_id)
    models = [module.fit(part, part, SETTINGS[name] | {"epochs": 2}, 0) for part in (rows, scaled)]
    plain, other = (model.predict(x) for model in models)
    np.testing.assert_allclose(other, plain * 1024 + 4096, rtol=1e-3)


def test_equal_seeds_give_equal_bytes_and_other_seeds_others(name, tmp_path):
    for folder, seed in (("a", 1), ("b", 1), ("c", 2)):
        (tmp_path / folder).mkdir()
        fit(name, seed=seed, epochs=2, rows=100).save(tmp_path / folder)
    a, b, c = ((tmp_path / f / "weights.safetensors").read_bytes() for f in "abc")
    assert a == b != c


def test_a_saved_model_loads_to_the_same_predictions_and_bytes(name, model, tmp_path):
    for folder in (tmp_path / "a", tmp_path / "b"):
        folder.mkdir()
    model.save(tmp_path / "a")
    loaded = importlib.import_module(f"tabia.evaluation.models.{name}").load(tmp_path / "a")
    x = made_up(name, 50, 4, scenario=1).inputs.rows(slice(None))
    np.testing.assert_array_equal(loaded.predict(x), model.predict(x))
    assert loaded.predict(x).dtype == np.float32
    assert (loaded.n_parameters, loaded.facts) == (model.n_parameters, model.facts)
    loaded.save(tmp_path / "b")
    assert len({path.read_bytes() for path in tmp_path.glob("*/weights.safetensors")}) == 1


def test_a_prediction_does_not_depend_on_its_batch_but_for_rounding(name, model):
    x = made_up(name, 1500, 4, scenario=1).inputs.rows(slice(None))
    together = model.predict(x)
    for index in (slice(0, 1), slice(1020, 1030), slice(1499, 1500)):
        np.testing.assert_allclose(model.predict(x[index]), together[index], rtol=1e-4, atol=1e-4)
    assert model.predict(x[:0]).shape == (0,)


def test_fit_and_predict_leave_torch_as_it_was(name, model):
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        torch.manual_seed(3)
        expected = torch.rand(2)
        torch.manual_seed(3)
        fit(name, epochs=1, rows=40)
        model.predict(made_up(name, 3, 4, scenario=1).inputs.rows(slice(None)))
        assert torch.get_num_threads() == 2
        assert torch.equal(torch.rand(2), expected)
        assert not torch.are_deterministic_algorithms_enabled()
    finally:
        torch.set_num_threads(before)


def test_early_stopping_keeps_the_epoch_that_is_best_on_validation(name):
    """A step size far too large: after the first epochs things only get worse."""
    few = fit(name, rows=60, epochs=40, stop_after=3)
    same = fit(name, rows=60, epochs=few.facts["epochs"])
    x = made_up(name, 20, 4).inputs.rows(slice(None))
    np.testing.assert_array_equal(few.predict(x), same.predict(x))


@pytest.mark.parametrize(("net", "inputs", "expected"), [
    ("cnn_features", 197, 20 * (2 * 25 + 1) + 50 * (20 * 9 + 1) + 50 * 100 + 1),
    ("cnn_planes", 771, 20 * (12 * 25 + 1) + 50 * (20 * 9 + 1) + 50 * 64 + 3 + 1),
    ("mlp_bitmap", 771, 16 * 772 + 8 * 17 + 9),
])  # fmt: skip
def test_n_parameters_counts_weights_and_biases(net, inputs, expected):
    model = fit(net, scenario=1, rows=40, epochs=1)
    assert len(model.scales.centre) == inputs
    assert model.n_parameters == expected


def test_facts_count_filters_or_hidden_units_and_epochs():
    for net, nodes in (("cnn_features", 70), ("cnn_planes", 70), ("mlp_bitmap", 24)):
        assert fit(net, rows=40, epochs=1).facts == {"nodes": nodes, "epochs": 1}


def test_constant_inputs_and_targets_do_no_harm(name):
    rows = made_up(name, 50, 1)
    flat = Examples(
        DenseInputs(rows.inputs.columns, np.full_like(rows.inputs.rows(slice(None)), 7)),
        np.full(50, 3, np.float32),
        rows.game_id,
    )
    module = importlib.import_module(f"tabia.evaluation.models.{name}")
    model = module.fit(flat, flat, SETTINGS[name] | {"learning_rate": 1e-5, "epochs": 1}, 0)
    assert np.isfinite(model.predict(rows.inputs.rows(slice(None)))).all()
