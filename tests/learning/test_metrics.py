"""Metrics against formulas written out."""

from __future__ import annotations

import numpy as np
import pytest

from tabia.learning.metrics import MAE, R2, SIGN, point


def numbers() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    target = rng.normal(0, 4, 200).astype(np.float32)
    return target, (target + rng.normal(0.2, 1, 200)).astype(np.float32)


def test_mae_is_the_mean_of_absolute_errors_over_positions():
    target, predicted = numbers()
    wide = predicted.astype(np.float64) - target
    assert point(MAE, target, predicted) == pytest.approx(np.abs(wide).mean(), rel=1e-12)


def test_r2_is_the_papers_formula():
    target, predicted = (a.astype(np.float64) for a in numbers())
    expected = 1 - ((target - predicted) ** 2).sum() / ((target - target.mean()) ** 2).sum()
    assert point(R2, target, predicted) == pytest.approx(expected, rel=1e-12)


def test_r2_of_a_perfect_model_is_one_and_of_the_mean_is_zero():
    target, _ = numbers()
    assert point(R2, target, target) == 1.0
    mean = np.full_like(target, target.astype(np.float64).mean())
    assert point(R2, target, mean) == pytest.approx(0, abs=1e-6)


def test_r2_of_a_constant_target_is_undefined():
    target = np.full(200, 0.1, np.float32)
    assert point(R2, target, target + 1) is None


def test_sign_agreement_counts_only_positions_beyond_five_pawns():
    target = np.array([6, -7, 8, 5, -1, 9], np.float32)
    predicted = np.array([1, -1, -1, -3, 3, 0], np.float32)
    # 5 itself does not count; a prediction of 0 names no winner.
    assert point(SIGN, target, predicted) == 2 / 4
