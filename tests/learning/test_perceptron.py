"""The perceptron's values against plain loops, its Jacobian against complex steps."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tabia.learning.levenberg_marquardt import normal_equations
from tabia.learning.perceptron import CHUNK, Perceptron, PerceptronResiduals

SHAPES = [(5, (4, 3)), (1, (1, 1)), (3, (6,)), (2, (3, 2, 4)), (4, ())]


def drawn(inputs: int, hidden: tuple[int, ...], rows: int = 7):
    net = Perceptron(inputs, hidden)
    rng = np.random.default_rng(inputs)
    return net, rng.normal(size=net.n_weights), rng.normal(size=(rows, inputs))


def slow_value(net: Perceptron, weights: np.ndarray, row: np.ndarray) -> float:
    """Walk through the weights one by one, in the order that the module states."""
    position, values = 0, list(row)
    for number, units in enumerate((*net.hidden, 1)):
        sums = []
        for _ in range(units):
            own = weights[position : position + len(values) + 1]
            sums.append(sum(a * b for a, b in zip(own, values, strict=False)) + own[-1])
            position += len(values) + 1
        values = [math.tanh(s) for s in sums] if number < len(net.hidden) else sums
    return values[0]


def complex_step_jacobian(net: Perceptron, weights: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Im f(w + ih)/h is the derivative to rounding, as nothing cancels."""
    columns = []
    for number in range(len(weights)):
        moved = weights.astype(np.complex128)
        moved[number] += 1e-30j
        columns.append(net.values(moved, x).imag / 1e-30)
    return np.stack(columns, axis=1)


@pytest.mark.parametrize(("inputs", "hidden"), SHAPES)
def test_values_are_those_of_plain_loops(inputs, hidden):
    net, weights, x = drawn(inputs, hidden)
    expected = [slow_value(net, weights, row) for row in x]
    np.testing.assert_allclose(net.values(weights, x), expected, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize(("inputs", "hidden"), SHAPES)
def test_the_jacobian_is_that_of_complex_steps(inputs, hidden):
    net, weights, x = drawn(inputs, hidden)
    out = np.full((len(x), net.n_weights), np.nan)
    values = net.jacobian(weights, x, out)
    np.testing.assert_allclose(out, complex_step_jacobian(net, weights, x), rtol=1e-11, atol=1e-14)
    np.testing.assert_array_equal(values, net.values(weights, x))


def test_n_weights_counts_biases():
    assert Perceptron(197, (8, 4)).n_weights == 197 * 8 + 8 + 8 * 4 + 4 + 4 + 1


def test_the_size_of_chunks_changes_no_sum_beyond_rounding():
    net, weights, x = drawn(5, (4, 3), rows=23)
    y = np.linspace(-1, 1, 23)
    whole = normal_equations(PerceptronResiduals(net, x, y, 23), weights)
    for chunk in (1, 7, 22, 1000):
        part = normal_equations(PerceptronResiduals(net, x, y, chunk), weights)
        np.testing.assert_allclose(part.curvature, whole.curvature, rtol=1e-11, atol=1e-12)
        np.testing.assert_allclose(part.gradient, whole.gradient, rtol=1e-11, atol=1e-12)


def test_the_chunk_in_use_is_fixed():
    net, _, x = drawn(5, (4, 3))
    assert PerceptronResiduals(net, x, x[:, 0]).chunk == CHUNK == 512


def test_residuals_are_outputs_less_targets():
    net, weights, x = drawn(3, (6,))
    problem = PerceptronResiduals(net, x, np.arange(7.0), chunk=4)
    expected = net.values(weights, x) - np.arange(7.0)
    found = np.concatenate([residual for _, residual in problem.chunks(weights)])
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    assert problem.squared_error(weights) == pytest.approx((expected**2).sum(), rel=1e-12)


def test_a_start_is_drawn_from_the_generator_alone():
    net = Perceptron(20, (5, 4))
    first, second, other = (net.start(np.random.default_rng(seed)) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, second)
    assert (first != other).any()


def test_a_start_is_nearly_linear_in_the_inputs_but_not_dead():
    """Sums of hidden units stay where tanh is steep."""
    net = Perceptron(200, (8, 4))
    x = np.random.default_rng(0).normal(size=(500, 200))
    first, second, _ = net.layers(net.start(np.random.default_rng(1)))
    entering = x @ first[:, :-1].T + first[:, -1]
    assert 0.01 < entering.std(axis=0).min() < entering.std(axis=0).max() < 0.5
    entering = np.tanh(entering) @ second[:, :-1].T + second[:, -1]
    assert np.abs(entering).max() < 2
