"""The perceptron trained by Levenberg–Marquardt, on small made-up positions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tabia.evaluation.models import mlp_lm
from tabia.evaluation.models.config import LevenbergMarquardtMLP
from tabia.learning.examples import DenseInputs, Examples

SIZES = [[4, 3]]


def rows(count: int, seed: int) -> Examples:
    """Inputs in unlike units, one constant and two twins; a target that no line fits."""
    rng = np.random.default_rng(seed)
    z = rng.normal(size=(count, 6))
    x = z * [1, 100, 0.01, 1, 1, 1] + [0, 500, 0, 3, 0, 0]
    x[:, 4] = 7
    x[:, 5] = x[:, 0]
    target = 3 * z[:, 0] * z[:, 1] + np.abs(z[:, 2]) + 10
    return examples(x, target)


def examples(x: np.ndarray, target: np.ndarray) -> Examples:
    inputs = DenseInputs(tuple(f"x{n}" for n in range(x.shape[1])), x.astype(np.float32))
    return Examples(inputs, target.astype(np.float32), np.arange(len(x), dtype=np.uint64))


TRAIN, VALIDATION, TEST = rows(600, 0), rows(300, 1), rows(300, 2)


def fit(train: Examples = TRAIN, validation: Examples = VALIDATION, seed: int = 0, **settings):
    return mlp_lm.fit(train, validation, {"sizes": SIZES, "iterations": 40} | settings, seed)


def predicted(model, part: Examples) -> np.ndarray:
    return model.predict(part.inputs.rows(slice(None)))


def mse(model, part: Examples) -> float:
    return float(np.square(predicted(model, part).astype(np.float64) - part.target).mean())


def saved(model, folder: Path) -> bytes:
    folder.mkdir()
    model.save(folder)
    return (folder / "weights.safetensors").read_bytes()


@pytest.fixture(scope="module")
def model():
    return fit()


def test_what_no_line_fits_is_learned(model):
    assert mse(model, TEST) < 0.1 * float(TEST.target.var())


def test_predictions_are_two_layers_of_tanh_and_a_line(model):
    for row in TEST.inputs.rows(slice(0, 5)):
        first = np.tanh(model.weights_1 @ row + model.bias_1)
        second = np.tanh(model.weights_2 @ first + model.bias_2)
        (expected,) = model.weights_3 @ second + model.bias_3
        assert model.predict(row[None])[0] == pytest.approx(expected, rel=1e-6)


def test_units_of_inputs_and_target_do_not_matter(model):
    def changed(part: Examples) -> Examples:
        x = part.inputs.rows(slice(None)).astype(np.float64)
        return examples(x * 64 - 32, part.target.astype(np.float64) * 4 - 8)

    other = fit(changed(TRAIN), changed(VALIDATION))
    expected = 4 * predicted(model, TEST) - 8
    np.testing.assert_allclose(predicted(other, changed(TEST)), expected, rtol=1e-3, atol=1e-3)


def test_a_constant_input_has_no_weight_and_twins_are_harmless(model):
    assert (model.weights_1[:, 4] == 0).all()
    x = TEST.inputs.rows(slice(None)).copy()
    x[:, 4] = -1e6
    np.testing.assert_array_equal(model.predict(x), predicted(model, TEST))


def test_only_constant_inputs_leave_the_mean():
    flat = examples(np.ones((50, 3)), np.arange(50.0))
    np.testing.assert_allclose(predicted(fit(flat, flat), flat), 24.5, rtol=1e-4)


def test_a_constant_target_is_predicted():
    flat = replace(TRAIN, target=np.full(len(TRAIN), 2.5, np.float32))
    np.testing.assert_allclose(predicted(fit(flat, flat), TEST), 2.5, rtol=1e-5)


def test_more_weights_than_rows_are_fitted():
    few = rows(20, 3)
    assert np.isfinite(predicted(fit(few, sizes=[[8, 4]]), TEST)).all()


def test_predictions_far_outside_the_training_rows_are_finite(model):
    x = np.full((2, 6), 1e30, np.float32) * np.array([[1], [-1]], np.float32)
    assert np.isfinite(model.predict(x)).all()


def test_a_row_is_predicted_the_same_alone_and_among_others(model):
    x = TEST.inputs.rows(slice(None))
    alone = np.concatenate([model.predict(row[None]) for row in x])
    np.testing.assert_array_equal(alone, model.predict(x))
    assert alone.dtype == np.float32


def test_the_weights_of_the_least_validation_error_are_kept():
    """Training goes on until validation has not improved; what it then overfits is thrown away."""
    noise = np.random.default_rng(5).normal(0, 3, len(TRAIN)).astype(np.float32)
    noisy = replace(TRAIN, target=TRAIN.target + noise)
    kept = fit(noisy, iterations=40, stop_after=5)
    last = kept.facts["iterations"]
    assert 0 < last < 40
    for limit in range(last + 1, last + 6):
        assert saved_weights(fit(noisy, iterations=limit, stop_after=40)) == saved_weights(kept)
    shorter = [mse(fit(noisy, iterations=limit), VALIDATION) for limit in range(1, last)]
    assert mse(kept, VALIDATION) < min(shorter)


def saved_weights(model) -> bytes:
    return model.weights_1.tobytes() + model.weights_3.tobytes() + model.bias_3.tobytes()


def test_the_size_with_the_least_squared_error_on_validation_is_kept():
    sizes = [[1, 1], [4, 3], [2, 2]]
    alone = [fit(sizes=[size]) for size in sizes]
    errors = [mse(model, VALIDATION) for model in alone]
    together = fit(sizes=sizes)
    expected = alone[int(np.argmin(errors))]
    assert together.facts == expected.facts
    assert saved_weights(together) == saved_weights(expected)


def test_equal_seeds_give_equal_bytes_and_others_do_not(tmp_path, model):
    assert saved(fit(seed=0), tmp_path / "a") == saved(model, tmp_path / "b")
    assert saved(fit(seed=1), tmp_path / "c") != saved(model, tmp_path / "d")


def test_a_saved_model_is_read_back_whole(tmp_path, model):
    bytes_ = saved(model, tmp_path / "a")
    loaded = mlp_lm.load(tmp_path / "a")
    np.testing.assert_array_equal(predicted(loaded, TEST), predicted(model, TEST))
    assert (loaded.facts, loaded.n_parameters) == (model.facts, model.n_parameters)
    assert saved(loaded, tmp_path / "b") == bytes_


def test_facts_tell_the_size(model):
    weights = 6 * 4 + 4 + 4 * 3 + 3 + 3 + 1
    assert {name: model.facts[name] for name in ("nodes", "hidden_1", "hidden_2", "weights")} == {
        "nodes": 7, "hidden_1": 4, "hidden_2": 3, "weights": weights,
    }  # fmt: skip
    assert model.n_parameters == weights
    assert 1 <= model.facts["iterations"] <= 40


def test_sizes_by_default_stay_below_3000_weights_for_197_inputs():
    for first, second in LevenbergMarquardtMLP().sizes:
        assert 198 * first + (first + 1) * second + second + 1 <= 3000
