"""Intervals, the null of pure Elo, and what filled cells do."""

import numpy as np
import pytest

from tabia.population import payoff
from tabia.population.cycles import total_cycles
from tabia.population.geometry import measure
from tabia.population.influence import cell_influences, filled_influence
from tabia.population.payoff import PayoffError, PayoffMatrix, elo_expectation
from tabia.population.uncertainty import bootstrap, elo_null, fit_elo, resampled
from tests.population.games import ROCK_PAPER_SCISSORS, random_game


def _played(game: np.ndarray, games: int, seed: int) -> PayoffMatrix:
    """Games without draws, `games` in each order of each pair, at the odds of a game."""
    n = len(game)
    rng = np.random.default_rng(seed)
    won = rng.binomial(games, (1 + game) / 2)
    np.fill_diagonal(won, 0)
    counts = np.stack([won, 0 * won, games - won], axis=2)
    counts[np.arange(n), np.arange(n)] = 0
    return payoff.from_counts([f"s{i}" for i in range(n)], counts)


def _elo_probabilities(elo: np.ndarray) -> np.ndarray:
    return np.asarray(2 * elo_expectation(elo[:, None] - elo) - 1)


def test_resamples_keep_what_they_say_they_keep() -> None:
    matrix = _played(random_game(5, 1) / 2, 10, 2)
    assert matrix.counts is not None
    rng = np.random.default_rng(0)
    means = []
    for counts in resampled(matrix, rng, 200, "cells"):
        assert (counts.sum(axis=2) == matrix.counts.sum(axis=2)).all()
        means.append(counts)
    assert np.mean(means, axis=0) == pytest.approx(matrix.counts, abs=1.0)
    for counts in resampled(matrix, rng, 3, "games"):
        assert counts.sum() == 200
        assert (counts[matrix.counts == 0] == 0).all()


def test_the_interval_of_a_payoff_is_that_of_a_binomial_share() -> None:
    counts = np.zeros((2, 2, 3), np.int64)
    counts[0, 1] = counts[1, 0] = (200, 0, 200)
    found = bootstrap(payoff.from_counts("ab", counts), seed=1, draws=200)
    # The mean of two means of 400 games each: deviation 1 / sqrt(800).
    assert found.payoff_high[0, 1] == pytest.approx(1.96 / np.sqrt(800), rel=0.2)
    assert found.payoff_low[0, 1] == pytest.approx(-1.96 / np.sqrt(800), rel=0.2)
    assert found.payoff_low == pytest.approx(-found.payoff_high.T)


def test_a_strong_cycle_is_certain_and_pure_elo_does_not_explain_it() -> None:
    matrix = _played(0.5 * ROCK_PAPER_SCISSORS, 100, 3)
    found = bootstrap(matrix, seed=1, draws=50)
    assert (found.figures["cycles"].low, found.figures["cycles"].high) == (1, 1)
    assert found.vectors["nash"][0].low > 0.1
    assert 0.25 < found.figures["strongest_cycle"].low < 0.55
    tests = elo_null(matrix, seed=1, draws=99)
    assert tests["strongest_cycle"].p_value == 0.01
    assert tests["transitive_share"].p_value == 0.01


def test_cycles_that_noise_makes_are_told_from_real_ones() -> None:
    # Equals that play four games each make cycles by chance; the null makes as many.
    matrix = _played(np.zeros((7, 7)), 2, 5)
    assert total_cycles(matrix.payoff) > 2
    test = elo_null(matrix, seed=2, draws=39)["cycles"]
    assert test.null_low <= test.observed <= test.null_high
    assert test.p_value > 0.05


def test_the_null_of_pure_elo_is_rejected_as_seldom_as_it_says() -> None:
    elo = np.linspace(-150, 150, 6)
    p_values = [
        elo_null(_played(_elo_probabilities(elo), 5, seed), seed=seed, draws=19)[
            "transitive_share"
        ].p_value
        for seed in range(16)
    ]
    assert 0.25 < np.mean(p_values) < 0.75
    assert np.mean(np.array(p_values) <= 0.1) < 0.3


def test_elo_and_the_first_moves_worth_are_found_from_many_games() -> None:
    elo = np.array([-200.0, 0, 50, 150])
    rng = np.random.default_rng(1)
    shares = elo_expectation(elo[:, None] - elo + 40)
    won = rng.binomial(4000, shares)
    counts = np.stack([won, 0 * won, 4000 - won], axis=2)
    fitted = fit_elo(payoff.from_counts("abcd", counts))
    assert fitted.elo == pytest.approx(elo, abs=8)
    assert fitted.advantage == pytest.approx(40, abs=5)
    assert fitted.probabilities[..., 0] == pytest.approx(shares, abs=0.02)


def test_a_clean_sweep_has_a_finite_fit() -> None:
    counts = np.zeros((2, 2, 3), np.int64)
    counts[0, 1] = (5, 0, 0)
    counts[1, 0] = (0, 0, 5)
    fitted = fit_elo(payoff.from_counts("ab", counts))
    assert 200 < fitted.elo[0] - fitted.elo[1] < 2000


def test_equal_seeds_give_equal_intervals() -> None:
    matrix = _played(random_game(5, 1) / 2, 10, 2)
    one, other = (bootstrap(matrix, seed=4, draws=10) for _ in range(2))
    assert repr(one.figures) == repr(other.figures)
    assert (one.payoff_low == other.payoff_low).all()


def test_matrices_without_games_have_no_interval_and_no_test() -> None:
    matrix = payoff.from_values("abc", ROCK_PAPER_SCISSORS)
    with pytest.raises(PayoffError, match="need games"):
        bootstrap(matrix, seed=0)
    with pytest.raises(PayoffError, match="need games"):
        elo_null(matrix, seed=0)
    with pytest.raises(PayoffError, match="give ratings"):
        bootstrap(_played(ROCK_PAPER_SCISSORS, 2, 0), seed=0, resampling="games")


def test_cycles_are_parted_by_their_filled_cells() -> None:
    counts = np.zeros((4, 4, 3), np.int64)
    for i, j in ((0, 1), (1, 2), (2, 0), (0, 3)):  # 0 beats 1 beats 2 beats 0; 0 beats 3
        counts[i, j] = (3, 0, 0)
        counts[j, i] = (0, 0, 3)
    # By Elo 3 beats 2; 3 and 1 are equals.
    matrix = payoff.from_counts("abcd", counts, [1500, 1400, 1300, 1400])
    found = filled_influence(matrix)
    assert (found.filled, found.half_filled, found.pairs) == (2, 0, 6)
    assert found.cycles_by_filled == (1, 1, 0, 0)  # 0 1 2, and 0 3 2 over a filled cell
    assert found.figures["cycles"] == (2, 1)
    cells = {(cell.row, cell.column): cell for cell in cell_influences(matrix)}
    assert set(cells) == {(1, 3), (2, 3)}
    assert cells[2, 3].cycles == 1
    assert cells[2, 3].payoff < 0
    assert cells[1, 3].cycles == 0
    for cell in cells.values():
        assert 0 <= cell.nash_change <= 1


def test_half_filled_cells_count_as_played_where_filling_is_left_out() -> None:
    counts = np.zeros((2, 2, 3), np.int64)
    counts[0, 1] = (3, 0, 1)
    matrix = payoff.from_counts("ab", counts, [1000, 1400])
    found = filled_influence(matrix)
    assert (found.filled, found.half_filled) == (0, 1)
    assert measure(matrix.payoff).figures["strongest_cycle"] == 0
    assert found.figures["nash_support"] == (1, 1)
    # 0.5 as played, and (0.5 - 0.82) / 2 < 0 with the Elo half: another strategy is played.
    assert matrix.payoff[0, 1] < 0


def test_a_matrix_without_filled_cells_has_the_same_figures_without_them() -> None:
    found = filled_influence(_played(random_game(5, 3) / 2, 4, 1))
    assert found.filled == 0
    for name, (whole, bare) in found.figures.items():
        assert whole == pytest.approx(bare, nan_ok=True), name
