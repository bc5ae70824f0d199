"""Least squares in blocks against SciPy and NumPy on the whole matrix."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg

from tabia.learning.least_squares import Solution, solve, solve_quickly


def matrix(n: int, m: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.normal(0, 1, (n, m)), rng.normal(0, 1, n)


def solved(a: np.ndarray, b: np.ndarray, threads: int = 1) -> Solution:
    whole = np.column_stack((a, b))
    return solve(lambda part: whole[part], *a.shape, threads=threads)


@pytest.mark.parametrize(("n", "m"), [(40, 40), (300, 20), (30_000, 12)])
def test_a_well_conditioned_matrix_has_scipys_solution(n, m):
    a, b = matrix(n, m)
    expected, _, rank, _ = scipy.linalg.lstsq(a, b)
    found = solved(a, b)
    np.testing.assert_allclose(found.x, expected, rtol=1e-9, atol=1e-12)
    assert found.rank == rank == m


def test_dependent_columns_share_their_weight():
    a, b = matrix(9000, 5)
    a = np.column_stack((a, a[:, 1], np.zeros(len(a)), a[:, 0] + a[:, 2]))
    expected, _, rank, _ = np.linalg.lstsq(a, b)
    found = solved(a, b)
    np.testing.assert_allclose(found.x, expected, rtol=1e-9, atol=1e-12)
    assert found.rank == rank == 5
    assert found.x[1] == pytest.approx(found.x[5])
    assert found.x[6] == pytest.approx(0, abs=1e-15)


def test_what_the_normal_equations_lose_is_kept():
    """Two columns that differ in the ninth digit: squared, the difference is below rounding."""
    a, b = matrix(500, 3)
    a = np.column_stack((a, a[:, 0] + 1e-9 * b))
    found = solved(a, b)
    assert found.rank == 4
    # The residual of b itself is in the span, through the difference of the two.
    assert np.linalg.norm(a @ found.x - b) < 1e-5 * np.linalg.norm(b)


def test_fewer_rows_than_columns_are_met_exactly_with_the_least_norm():
    a, b = matrix(7, 20)
    found = solved(a, b)
    np.testing.assert_allclose(a @ found.x, b, atol=1e-12)
    np.testing.assert_allclose(found.x, np.linalg.pinv(a) @ b, atol=1e-12)
    assert found.rank == 7


def test_a_matrix_of_zeros_has_rank_zero_and_the_solution_zero():
    found = solved(np.zeros((50, 3)), np.ones(50))
    assert found.rank == 0
    assert found.x.tolist() == [0, 0, 0]


def test_threads_do_not_change_a_bit():
    a, b = matrix(50_000, 8)
    once = solved(a, b)
    for threads in (2, 3, 7):
        np.testing.assert_array_equal(solved(a, b, threads).x, once.x)


def test_the_quick_solution_is_close_and_bears_dependent_columns():
    a, b = matrix(400, 6)
    expected, *_ = scipy.linalg.lstsq(a, b)
    parts = [(a[:150], b[:150]), (a[150:], b[150:])]
    np.testing.assert_allclose(solve_quickly(parts, 6), expected, rtol=1e-8)
    twice = np.column_stack((a, a))
    np.testing.assert_allclose(twice @ solve_quickly([(twice, b)], 12), a @ expected, atol=1e-3)
    assert solve_quickly([(np.zeros((4, 2)), np.ones(4))], 2).tolist() == [0, 0]
