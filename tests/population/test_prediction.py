"""Elo and what knows cycles, on games that they have not seen."""

import numpy as np
import pytest

from tabia.population import payoff
from tabia.population.payoff import PayoffError, PayoffMatrix, elo_expectation
from tabia.population.prediction import fit_scores, predict_held_out
from tests.population.games import ROCK_PAPER_SCISSORS


def _played(expected: np.ndarray, games: int, seed: int, elo: np.ndarray | None) -> PayoffMatrix:
    n = len(expected)
    won = np.random.default_rng(seed).binomial(games, expected)
    np.fill_diagonal(won, 0)
    counts = np.stack([won, 0 * won, games - won], axis=2)
    counts[np.arange(n), np.arange(n)] = 0
    return payoff.from_counts([f"s{i}" for i in range(n)], counts, elo)


def test_a_cycle_is_foretold_by_planes_and_not_by_elo() -> None:
    matrix = _played((1 + 0.8 * ROCK_PAPER_SCISSORS) / 2, 60, 1, None)
    found = {row.model: row for row in predict_held_out(matrix, seed=1)}
    assert set(found) == {"even", "elo", "melo2", "melo4", "melo2_shrunk", "disc"}
    assert found["elo"].log_loss == pytest.approx(np.log(2), abs=0.02)
    assert found["elo"].gain == 0
    for name in ("melo2", "melo2_shrunk", "disc"):
        assert found[name].gain_low > 0.2
        assert found[name].brier < 0.15
    entropy = -(0.9 * np.log(0.9) + 0.1 * np.log(0.1))
    assert found["melo2"].log_loss == pytest.approx(entropy, abs=0.08)


def test_pure_elo_is_foretold_no_better_by_planes() -> None:
    elo = np.linspace(1000, 1700, 8)
    matrix = _played(elo_expectation(elo[:, None] - elo + 30), 10, 2, elo)
    found = {row.model: row for row in predict_held_out(matrix, seed=2)}
    assert found["elo"].log_loss < found["even"].log_loss - 0.1
    assert abs(found["ratings"].gain) < 0.02
    assert found["melo2"].gain < 0
    assert found["melo2"].gain < found["melo2_shrunk"].gain
    assert found["melo2_shrunk"].gain == pytest.approx(0, abs=0.005)


def test_fitted_scores_are_those_of_many_games() -> None:
    elo = np.array([1000.0, 1200, 1300])
    expected = elo_expectation(elo[:, None] - elo + 50)
    counts = np.zeros((3, 3, 3), np.int64)
    counts[..., 0] = np.rint(100_000 * expected)
    counts[..., 2] = 100_000 - counts[..., 0]
    counts[np.arange(3), np.arange(3)] = 0
    off = ~np.eye(3, dtype=bool)
    for model in ("elo", "melo2", "ratings"):
        assert fit_scores(counts, model, elo)[off] == pytest.approx(expected[off], abs=1e-3), model


def test_too_few_games_are_refused() -> None:
    matrix = _played(np.full((2, 2), 0.5), 2, 1, None)
    with pytest.raises(PayoffError, match="4 games are too few to hold out; 10 are needed"):
        predict_held_out(matrix, seed=0)
    with pytest.raises(PayoffError, match="need games"):
        predict_held_out(payoff.from_values("ab", np.zeros((2, 2))), seed=0)
