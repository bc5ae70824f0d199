"""Payoff matrices: what games make of a cell, what is refused."""

import numpy as np
import pytest

from tabia.population import payoff
from tabia.population.payoff import PayoffError


def _counts(n: int, cells: dict[tuple[int, int], tuple[int, int, int]]) -> np.ndarray:
    counts = np.zeros((n, n, 3), np.int64)
    for place, numbers in cells.items():
        counts[place] = numbers
    return counts


def test_a_cell_is_the_mean_of_both_sides_and_not_of_all_games() -> None:
    # a moving first: (6 - 2) / 10; b moving first scores 1 of 1, which is -1 for a
    matrix = payoff.from_counts("ab", _counts(2, {(0, 1): (6, 2, 2), (1, 0): (1, 0, 0)}))
    assert matrix.payoff[0, 1] == pytest.approx((0.4 - 1.0) / 2)
    assert matrix.payoff[1, 0] == -matrix.payoff[0, 1]
    assert matrix.games is not None
    assert matrix.games.tolist() == [[0, 11], [11, 0]]
    assert matrix.n_games == 11
    assert not matrix.filled_share.any()


def test_halves_without_games_are_the_elo_expectation_and_marked() -> None:
    cells = {(0, 1): (1, 0, 0), (2, 2): (3, 1, 2)}
    matrix = payoff.from_counts("abc", _counts(3, cells), [1600, 1200, 1600])
    expected = 2 / (1 + 10 ** (-400 / 400)) - 1
    assert matrix.payoff[0, 1] == pytest.approx((1 + expected) / 2)  # b never moved first
    assert matrix.payoff[1, 2] == pytest.approx(-expected)
    assert matrix.payoff[0, 2] == 0.0
    assert matrix.filled_share.tolist() == [[0, 0.5, 1], [0.5, 0, 1], [1, 1, 0]]


def test_without_ratings_one_side_stands_for_the_cell() -> None:
    matrix = payoff.from_counts("ab", _counts(2, {(1, 0): (3, 0, 1)}))
    assert matrix.payoff[1, 0] == 0.5
    assert not matrix.filled_share.any()


def test_a_pair_without_games_and_ratings_is_refused() -> None:
    with pytest.raises(PayoffError, match=r"a and c have no games \(so have 2 pairs in all\)"):
        payoff.from_counts("abc", _counts(3, {(0, 1): (1, 0, 0)}))


def test_negative_counts_and_wrong_shapes_are_refused() -> None:
    with pytest.raises(PayoffError, match="b against a: -1 games lost is negative"):
        payoff.from_counts("ab", _counts(2, {(1, 0): (1, 0, -1)}))
    with pytest.raises(PayoffError, match="not \\[2, 2, 3\\]"):
        payoff.from_counts("ab", np.zeros((2, 2), np.int64))


def test_values_must_be_antisymmetric_finite_and_named_once() -> None:
    with pytest.raises(PayoffError, match=r"a against b: payoff 0\.5, and 0.5 the other way round"):
        payoff.from_values("ab", np.array([[0, 0.5], [0.5, 0]]))
    with pytest.raises(PayoffError, match=r"b against itself: payoff 0\.1 is not 0"):
        payoff.from_values("ab", np.array([[0, 0.5], [-0.5, 0.1]]))
    with pytest.raises(PayoffError, match="payoff nan is no number"):
        payoff.from_values("ab", np.array([[0, np.nan], [-0.5, 0]]))
    with pytest.raises(PayoffError, match="'a' is there twice"):
        payoff.from_values("aa", np.zeros((2, 2)))


def test_rounded_values_become_exactly_antisymmetric() -> None:
    matrix = payoff.from_values("ab", np.array([[0, 0.3333333], [-0.3333330, 0]]))
    assert (matrix.payoff == -matrix.payoff.T).all()


def test_win_rates_are_means_over_the_others() -> None:
    matrix = payoff.from_values("abc", np.array([[0, 1, 0.5], [-1, 0, 0], [-0.5, 0, 0]]))
    assert matrix.win_rate.tolist() == pytest.approx([0.875, 0.25, 0.375])
    with pytest.raises(PayoffError, match="no scores"):
        _ = payoff.from_values("ab", np.array([[0, 2.0], [-2, 0]])).win_rate


def test_elo_payoffs_of_far_ratings_do_not_overflow() -> None:
    assert payoff.elo_payoff(np.array([0.0, 1e6])).tolist() == [[0, -1], [1, 0]]


def test_taking_strategies_keeps_what_belongs_to_them() -> None:
    counts = _counts(3, {(0, 1): (1, 2, 3), (0, 2): (4, 5, 6)})
    part = payoff.from_counts("abc", counts, [1000, 1100, 1200]).take([2, 0])
    assert part.names == ("c", "a")
    assert part.counts is not None
    assert part.counts[1, 0].tolist() == [4, 5, 6]
    assert part.ratings is not None
    assert part.ratings.tolist() == [1200, 1000]
    assert part.payoff[0, 1] == -part.payoff[1, 0]
