"""Native splines against NumPy in double precision."""

from __future__ import annotations

import numpy as np
import pytest

from tabia._native.thin_plate import Basis, Sums


def slow(rows: np.ndarray, centres: np.ndarray) -> np.ndarray:
    apart = rows.astype(np.float64)[:, None] - centres.astype(np.float64)
    squares = np.square(apart).sum(axis=2)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(squares > 0, 0.5 * squares * np.log(squares), 0.0)


def made_up(n: int, m: int, d: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    rows, centres = rng.random((n, d)), rng.random((m, d))
    centres[0] = rows[0]  # distance 0
    return rows.astype(np.float32), centres.astype(np.float32), rng.normal(0, 1, m)


def test_values_by_hand():
    centres = np.array([[0, 0], [1, 0], [3, 4]], np.float32)
    values = Basis(centres)(np.zeros((1, 2), np.float32))
    # r = 0, 1 and 5: 0, 1 ln 1 = 0 and 25 ln 5.
    np.testing.assert_allclose(values, [[0, 0, 25 * np.log(5)]], rtol=1e-15)


@pytest.mark.parametrize(("n", "m", "d"), [(1, 1, 1), (3, 5, 2), (67, 33, 7), (130, 70, 197)])
def test_the_basis_is_numpys(n, m, d):
    rows, centres, _ = made_up(n, m, d)
    np.testing.assert_allclose(Basis(centres)(rows), slow(rows, centres), rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize(("n", "m", "d"), [(1, 1, 1), (3, 5, 2), (67, 33, 7), (130, 270, 197)])
def test_the_sums_are_numpys_in_single_precision(n, m, d):
    rows, centres, weights = made_up(n, m, d)
    values = slow(rows, centres)
    scale = (np.abs(values) + d) @ np.abs(weights)
    assert (np.abs(Sums(centres, weights)(rows) - values @ weights) < 2e-6 * scale).all()


def test_the_logarithm_holds_over_the_whole_range_of_distances():
    distances = np.geomspace(1e-15, 1e9, 4001).astype(np.float32)[:, None]
    centre = np.zeros((1, 1), np.float32)
    expected = slow(distances, centre)
    np.testing.assert_allclose(Basis(centre)(distances), expected, rtol=1e-12, atol=1e-14)
    found = Sums(centre, np.ones(1))(distances)
    squares = np.square(distances[:, 0].astype(np.float64))
    assert (np.abs(found - expected[:, 0]) <= 1e-6 * np.abs(expected[:, 0]) + 1e-7 * squares).all()


def test_a_row_alone_has_the_bits_that_it_has_among_others():
    rows, centres, weights = made_up(131, 77, 50)
    sums, basis = Sums(centres, weights), Basis(centres)
    together, values = sums(rows), basis(rows)
    for number, row in enumerate(rows):
        assert sums(row[None])[0] == together[number]
        np.testing.assert_array_equal(basis(row[None])[0], values[number])
    np.testing.assert_array_equal(sums(rows[5:]), together[5:])


def test_no_rows_give_no_values():
    _, centres, weights = made_up(1, 4, 3)
    assert Basis(centres)(np.zeros((0, 3), np.float32)).shape == (0, 4)
    assert Sums(centres, weights)(np.zeros((0, 3), np.float32)).shape == (0,)


def test_shapes_that_do_not_fit_are_refused():
    _, centres, weights = made_up(1, 4, 3)
    with pytest.raises(ValueError, match="4 centres, weights"):
        Sums(centres, weights[:3])
    with pytest.raises(ValueError, match="2 inputs, centres 3"):
        Basis(centres)(np.zeros((1, 2), np.float32))
    with pytest.raises(ValueError, match="no centres"):
        Basis(np.zeros((0, 3), np.float32))
