"""Intervals against resamples written out and against theory."""

from __future__ import annotations

import numpy as np
import pytest

from tabia.learning.bootstrap import Estimate, UndefinedError, estimate, interval
from tabia.learning.metrics import MAE, R2, SIGN

GAMES = np.repeat(np.arange(40, dtype=np.uint64), 5)


def numbers(seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    target = rng.normal(0, 4, len(GAMES)).astype(np.float32)
    return target, (target + rng.normal(0.2, 1, len(GAMES))).astype(np.float32)


def of(metric, target, predicted, games=GAMES, *, seed=1, draws=400, confidence=0.95) -> Estimate:
    rng = np.random.default_rng(seed)
    found = estimate([metric], target, predicted, games, rng, draws=draws, confidence=confidence)[
        metric.name
    ]
    if isinstance(found, UndefinedError):
        raise found
    return found


def test_r2_of_a_constant_target_is_undefined_and_not_a_crash():
    target = np.full(len(GAMES), 0.1, np.float32)
    with pytest.raises(UndefinedError, match="r2 is undefined"):
        of(R2, target, target + 1)


def test_games_without_a_position_that_counts_do_not_stand_behind_the_value():
    target = np.array([6, -7, 8, 5, -1, 9], np.float32)
    predicted = np.array([1, -1, -1, -3, 3, 0], np.float32)
    found = of(SIGN, target, predicted, np.arange(6, dtype=np.uint64), draws=2000)
    assert found.value == 2 / 4
    assert (found.n_games, found.n_positions) == (4, 4)


def test_the_draws_are_the_metric_of_resampled_games():
    target, predicted = numbers()
    found = of(MAE, target, predicted, seed=3, draws=50)
    chosen = np.random.default_rng(3).integers(40, size=(50, 40))
    error = np.abs(predicted.astype(np.float64) - target).reshape(40, 5)
    by_hand = [error[games].mean() for games in chosen]
    np.testing.assert_allclose(found.draws, by_hand, rtol=1e-12)
    lo, hi = np.quantile(by_hand, [0.025, 0.975])
    assert (found.lo, found.hi) == pytest.approx((lo, hi), rel=1e-12)
    assert found.method == "95% percentile bootstrap by game, 50 draws"


def test_r2_draws_are_the_metric_of_resampled_rows():
    target, predicted = numbers()
    found = of(R2, target, predicted, seed=3, draws=20)
    chosen = np.random.default_rng(3).integers(40, size=(20, 40))
    y, p = (a.astype(np.float64).reshape(40, 5) for a in (target, predicted))
    by_hand = [1 - ((y[g] - p[g]) ** 2).sum() / ((y[g] - y[g].mean()) ** 2).sum() for g in chosen]
    np.testing.assert_allclose(found.draws, by_hand, rtol=1e-9)


def test_equal_generators_give_equal_intervals_and_metrics_share_their_draws():
    target, predicted = numbers()
    first = of(MAE, target, predicted)
    both = estimate(
        [R2, MAE], target, predicted, GAMES, np.random.default_rng(1), draws=400, confidence=0.95
    )["mae"]
    assert isinstance(both, Estimate)
    np.testing.assert_array_equal(first.draws, both.draws)


def test_the_order_of_rows_does_not_matter_beyond_rounding():
    target, predicted = numbers()
    order = np.random.default_rng(9).permutation(len(GAMES))
    first = of(MAE, target, predicted)
    second = of(MAE, target[order], predicted[order], GAMES[order])
    assert (first.lo, first.hi) == pytest.approx((second.lo, second.hi), rel=1e-12)


@pytest.mark.parametrize("seed", range(30))
def test_the_value_lies_in_its_interval_even_for_three_skewed_games(seed):
    rng = np.random.default_rng(seed)
    target = np.exp(rng.normal(0, 3, 6)).astype(np.float32)
    games = np.repeat(np.arange(3, dtype=np.uint64), 2)
    found = of(MAE, target, np.zeros(6, np.float32), games, seed=seed, draws=100, confidence=0.5)
    assert found.lo <= found.value <= found.hi


def test_an_interval_that_had_to_be_widened_says_so():
    lo, hi, method = interval(0.0, np.linspace(1, 2, 100), 0.9, over="game")
    assert (lo, method) == (
        0.0,
        "90% percentile bootstrap by game, 100 draws, widened to the value",
    )
    assert hi == pytest.approx(1.95, abs=0.01)


def test_one_game_gives_no_interval():
    target, predicted = numbers()
    with pytest.raises(UndefinedError, match="two"):
        of(MAE, target, predicted, np.zeros(len(GAMES), np.uint64))


def test_clustered_errors_widen_the_interval():
    """Rows of one game that err alike carry the information of one row."""
    rng = np.random.default_rng(5)
    games = np.repeat(np.arange(100, dtype=np.uint64), 20)
    error = np.repeat(np.abs(rng.normal(0, 1, 100)), 20).astype(np.float32)
    zero = np.zeros_like(error)
    by_game = of(MAE, zero, error, games)
    by_row = of(MAE, zero, error, np.arange(2000, dtype=np.uint64))
    ratio = (by_game.hi - by_game.lo) / (by_row.hi - by_row.lo)
    assert ratio == pytest.approx(np.sqrt(20), rel=0.15)


def test_nine_in_ten_intervals_at_ninety_percent_hold_the_truth():
    """Coverage over 300 data sets of 60 games; the truth is known: E|N(0, 1)| = sqrt(2 / π)."""
    truth, held = np.sqrt(2 / np.pi), 0
    games = np.repeat(np.arange(60, dtype=np.uint64), 3)
    for seed in range(300):
        rng = np.random.default_rng(seed)
        shared = rng.normal(0, np.sqrt(0.5), 60)
        error = (np.repeat(shared, 3) + rng.normal(0, np.sqrt(0.5), 180)).astype(np.float32)
        found = of(MAE, np.zeros_like(error), error, games, seed=seed, draws=200, confidence=0.9)
        held += found.lo <= truth <= found.hi
    assert 0.84 <= held / 300 <= 0.95


def test_shapes_that_differ_are_refused():
    target, predicted = numbers()
    with pytest.raises(ValueError, match="shapes differ"):
        of(MAE, target, predicted[:-1])
