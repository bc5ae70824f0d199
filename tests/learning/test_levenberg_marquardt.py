"""Levenberg–Marquardt against least squares in closed form and against scipy's."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from scipy.optimize import least_squares

from tabia.learning import levenberg_marquardt
from tabia.learning.levenberg_marquardt import minimise, normal_equations, step
from tabia.learning.perceptron import Perceptron, PerceptronResiduals


class Dense:
    """Residuals given as functions, in chunks of three rows."""

    def __init__(self, residual: Callable, jacobian: Callable) -> None:
        self.residual, self.jacobian = residual, jacobian

    def squared_error(self, weights: np.ndarray) -> float:
        return float(np.square(self.residual(weights)).sum())

    def chunks(self, weights: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        jacobian, residual = self.jacobian(weights), self.residual(weights)
        for start in range(0, len(residual), 3):
            rows = slice(start, start + 3)
            yield np.ascontiguousarray(jacobian[rows]), residual[rows]


def linear(matrix: np.ndarray, target: np.ndarray) -> Dense:
    return Dense(lambda w: matrix @ w - target, lambda w: matrix)


def solve(problem, start, **settings):
    limits = {"iterations": 200, "stop_after": 200} | settings
    return minimise(problem, np.asarray(start, np.float64), problem.squared_error, **limits)


@pytest.fixture
def overdetermined() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    return rng.normal(size=(20, 4)), rng.normal(size=20)


def rosenbrock() -> Dense:
    return Dense(
        lambda w: np.array([10 * (w[1] - w[0] ** 2), 1 - w[0]]),
        lambda w: np.array([[-20 * w[0], 10.0], [-1.0, 0.0]]),
    )


def decay_curve() -> Dense:
    """Fit ``a exp(-b t) + c`` to noisy points."""
    t = np.linspace(0, 4, 40)
    y = 2.5 * np.exp(-1.3 * t) + 0.5 + np.random.default_rng(1).normal(0, 0.05, 40)
    return Dense(
        lambda w: w[0] * np.exp(-w[1] * t) + w[2] - y,
        lambda w: np.stack([np.exp(-w[1] * t), -w[0] * t * np.exp(-w[1] * t), t**0], axis=1),
    )


def net_problem(rows: int = 200) -> tuple[Perceptron, PerceptronResiduals]:
    rng = np.random.default_rng(2)
    x = rng.normal(size=(rows, 3))
    y = np.sin(x[:, 0]) * x[:, 1] + rng.normal(0, 0.1, rows)
    net = Perceptron(3, (4, 3))
    return net, PerceptronResiduals(net, x, y)


def test_normal_equations_are_sums_over_all_rows(overdetermined):
    matrix, target = overdetermined
    weights = np.arange(4.0)
    found = normal_equations(linear(matrix, target), weights)
    np.testing.assert_allclose(found.curvature, np.triu(matrix.T @ matrix), rtol=1e-13)
    np.testing.assert_allclose(found.gradient, matrix.T @ (matrix @ weights - target), rtol=1e-12)


def test_one_undamped_step_solves_a_linear_problem(overdetermined):
    matrix, target = overdetermined
    start = np.array([3.0, -2.0, 1.0, 7.0])
    change = step(normal_equations(linear(matrix, target), start), 0.0)
    expected, *_ = np.linalg.lstsq(matrix, target)
    np.testing.assert_allclose(start + change, expected, rtol=1e-12)


def test_a_damped_step_solves_the_augmented_linear_problem(overdetermined):
    """Outside twin: stack sqrt(damping) I under the Jacobian and solve by lstsq."""
    matrix, target = overdetermined
    start = np.ones(4)
    change = step(normal_equations(linear(matrix, target), start), 2.5)
    stacked = np.vstack([matrix, np.sqrt(2.5) * np.eye(4)])
    expected, *_ = np.linalg.lstsq(stacked, np.r_[target - matrix @ start, np.zeros(4)])
    np.testing.assert_allclose(change, expected, rtol=1e-12)


def test_a_singular_matrix_gives_no_step_until_it_is_damped():
    matrix = np.array([[1.0, 2.0], [2.0, 4.0], [-1.0, -2.0]])
    equations = normal_equations(linear(matrix, np.array([1.0, 0.0, 2.0])), np.zeros(2))
    assert step(equations, 0.0) is None
    assert np.isfinite(step(equations, 1e-3)).all()


def test_a_rank_deficient_problem_is_solved_and_what_nothing_depends_on_stays(overdetermined):
    matrix, target = overdetermined
    matrix[:, 1] = 0
    matrix[:, 3] = matrix[:, 2]
    found = solve(linear(matrix, target), [0.0, 5.0, 0.0, 0.0])
    _, (least,), *_ = np.linalg.lstsq(matrix[:, [0, 2]], target)
    assert found.errors[-1] == pytest.approx(least, rel=1e-9)
    assert found.weights[1] == 5.0
    assert found.weights[2] == pytest.approx(found.weights[3], rel=1e-9)


def test_more_weights_than_residuals_are_fitted_exactly():
    matrix = np.random.default_rng(3).normal(size=(5, 9))
    found = solve(linear(matrix, np.arange(5.0)), np.zeros(9))
    np.testing.assert_allclose(matrix @ found.weights, np.arange(5.0), atol=1e-8)


@pytest.mark.parametrize(
    ("problem", "start"),
    [(rosenbrock(), [-1.2, 1.0]), (decay_curve(), [1.0, 1.0, 0.0])],
    ids=["rosenbrock", "decay"],
)
def test_nonlinear_problems_end_where_scipys_minpack_ends(problem, start):
    expected = least_squares(problem.residual, start, problem.jacobian, method="lm", xtol=1e-15)
    found = solve(problem, start)
    assert found.errors[-1] == pytest.approx(2 * expected.cost, rel=1e-9, abs=1e-15)
    np.testing.assert_allclose(found.weights, expected.x, rtol=1e-6)


def test_a_small_net_is_fitted_as_well_as_by_scipys_minpack():
    net, problem = net_problem()
    start = net.start(np.random.default_rng(4))
    out = np.empty((len(problem.x), net.n_weights))

    def jacobian(weights: np.ndarray) -> np.ndarray:
        net.jacobian(weights, problem.x, out)
        return out

    expected = least_squares(
        lambda w: net.values(w, problem.x) - problem.y, start, jacobian, method="lm", max_nfev=500
    )
    found = solve(problem, start, iterations=500, stop_after=500)
    assert found.errors[-1] <= 2 * expected.cost * (1 + 1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_the_error_never_rises_over_accepted_steps(seed):
    net, problem = net_problem(60)
    found = solve(problem, net.start(np.random.default_rng(seed)), iterations=40)
    assert found.errors[0] == problem.squared_error(net.start(np.random.default_rng(seed)))
    assert len(found.errors) > 5
    assert (np.diff(found.errors) < 0).all()


def test_damping_follows_nielsens_rule(monkeypatch, overdetermined):
    """The linear model is exact here, so ρ = 1: a third after a step; 2, 4, 8 after refusals."""
    matrix, target = overdetermined
    problem = linear(matrix, target)
    used: list[float] = []

    def watched(equations, damping):
        used.append(damping)
        return None if len(used) in (2, 3, 4) else step(equations, damping)

    monkeypatch.setattr(levenberg_marquardt, "step", watched)
    solve(problem, np.ones(4), iterations=3, first_damping=0.5)
    first = 0.5 * (matrix * matrix).sum(axis=0).max()
    expected = first * np.array([1, 1 / 3, 2 / 3, 8 / 3, 64 / 3, 64 / 9])
    np.testing.assert_allclose(used, expected, rtol=1e-6)


def test_a_step_to_where_the_residuals_are_undefined_is_refused():
    """From 20, Gauss–Newton on log w leaps below zero."""
    with np.errstate(invalid="ignore"):
        problem = Dense(np.log, lambda w: np.diag(1 / w))
        found = solve(problem, [20.0], first_damping=1e-9)
    assert found.weights[0] == pytest.approx(1.0, abs=1e-9)
    assert np.isfinite(found.errors).all()


def test_a_minimum_is_left_at_once():
    found = solve(linear(np.eye(2), np.zeros(2)), np.zeros(2))
    assert (found.iterations, found.reason) == (0, "gradient")


def test_the_weights_of_the_least_validation_error_are_kept(overdetermined):
    matrix, target = overdetermined
    problem, seen = linear(matrix, target), []
    script = iter([9.0, 7.0, 8.0, 5.0, 6.0, 5.0, 6.0, 4.0])

    def validation(weights: np.ndarray) -> float:
        seen.append(weights)
        return next(script)

    found = minimise(problem, np.ones(4), validation, iterations=50, stop_after=3, first_damping=9)
    assert found.validation_errors == (9.0, 7.0, 8.0, 5.0, 6.0, 5.0, 6.0)
    assert (found.iterations, found.reason) == (3, "validation")
    np.testing.assert_array_equal(found.weights, seen[3])
    assert len(found.errors) == 7


def test_no_more_steps_than_asked_for_are_taken():
    net, problem = net_problem()
    found = solve(problem, net.start(np.random.default_rng(0)), iterations=4)
    assert (len(found.errors), found.reason) == (5, "iterations")


def test_equal_starts_give_equal_weights():
    net, problem = net_problem()
    start = net.start(np.random.default_rng(0))
    kept = start.copy()
    first, second = (solve(problem, start, iterations=20) for _ in range(2))
    np.testing.assert_array_equal(first.weights, second.weights)
    np.testing.assert_array_equal(start, kept)


def test_a_start_without_a_finite_error_is_refused():
    with pytest.raises(ValueError, match="must be finite"):
        solve(linear(np.eye(2), np.array([np.nan, 0])), np.zeros(2))


def test_where_no_step_lets_the_error_fall_the_start_is_kept():
    """A Jacobian of the wrong sign sends every step uphill."""
    problem = Dense(lambda w: w - 1, lambda w: -np.eye(2))
    found = solve(problem, [3.0, 4.0])
    np.testing.assert_array_equal(found.weights, [3.0, 4.0])
    assert (found.iterations, len(found.errors), found.reason) == (0, 1, "step")


@pytest.mark.parametrize(("good", "steps"), [(0, 0), (2, 2)])
@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e200])
def test_a_jacobian_that_is_not_finite_or_has_no_finite_squares_is_an_error(good, steps, bad):
    """The error itself stays finite, so no comparison of errors would end the search."""
    made = []

    def jacobian(w: np.ndarray) -> np.ndarray:
        made.append(w)
        return np.diag(np.exp(w)) if len(made) <= good else np.full((2, 2), bad)

    problem = Dense(lambda w: np.exp(w) - 1, jacobian)
    with pytest.raises(ValueError, match=f"the Jacobian after {steps} steps is not finite"):
        solve(problem, [0.5, 0.7])


@pytest.mark.parametrize("size", [1.0, 1e150])
def test_the_search_ends_where_no_damping_gives_a_step(monkeypatch, size):
    """With the larger Jacobian the limit of damping overflows, and then damping itself does."""
    monkeypatch.setattr(levenberg_marquardt, "step", lambda equations, damping: None)
    with np.errstate(over="ignore"):
        found = solve(linear(size * np.eye(2), np.ones(2)), np.zeros(2))
    assert (found.iterations, found.reason) == (0, "damping")
