"""Payoffs of people's games against cells worked out by hand."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from tabia.population.payoff import PayoffError
from tabia.population.people import bin_of_rows, payoff_of_people
from tabia.records.config import EloBins

BINS = EloBins(low=1000, high=1300, width=100)


def rows(*games: tuple[int | None, int | None, int | None]) -> pa.Table:
    """Return games of first Elo, second Elo and result of the first."""
    first, second, result = zip(*games, strict=True)
    return pa.table(
        {
            "first_elo": pa.array(first, pa.int32()),
            "second_elo": pa.array(second, pa.int32()),
            "result": pa.array(result, pa.int8()),
        }
    )


def test_bins_are_open_below_and_closed_above() -> None:
    elo = pa.array([1000, 1001, 1100, 1101, 1300, 1301, None], pa.int32())
    assert bin_of_rows(elo, BINS).tolist() == [-1, 0, 0, 1, 2, -1, -1]


def test_a_cell_is_the_mean_of_both_orders_in_the_rows_view() -> None:
    # (1000,1100] first: won, drawn -> E_ij = 1/2. Second: the first player won 3 of 4, drew 1, so
    # E_ji = -3/4 in its view. M = (1/2 - 3/4) / 2.
    found = payoff_of_people(
        rows(
            *((1050, 1150, 1), (1050, 1150, 0)),
            *((1150, 1050, 1), (1150, 1050, 1), (1150, 1050, 1), (1150, 1050, 0)),
        ),
        BINS,
    ).matrix
    assert found.payoff[0, 1] == -0.125
    assert found.payoff[1, 0] == 0.125
    assert found.counts is not None
    assert found.counts[0, 1].tolist() == [1, 1, 0]
    assert found.counts[1, 0].tolist() == [3, 1, 0]
    assert found.filled_share[0, 1] == 0


def test_an_order_without_games_is_the_elo_expectation() -> None:
    # 100 Elo: p = 1 / (1 + 10^(1/4)) = 0.35994, 2p - 1 = -0.28013. One order: mean with a win.
    found = payoff_of_people(rows((1050, 1150, 1)), BINS).matrix
    assert found.payoff[0, 1] == pytest.approx((1 - 0.28013) / 2, abs=1e-5)
    assert found.payoff[0, 2] == pytest.approx(2 / (1 + 10**0.5) - 1)
    assert found.filled_share.tolist() == [[0, 0.5, 1], [0.5, 0, 1], [1, 1, 0]]
    assert found.ratings is not None
    assert found.ratings.tolist() == [1050, 1150, 1250]


def test_the_matrix_is_antisymmetric_with_a_diagonal_of_0() -> None:
    rng = np.random.default_rng(2)
    games = [
        (int(a), int(b), int(r))
        for a, b, r in rng.integers((1001, 1001, -1), (1301, 1301, 2), (300, 3))
    ]
    matrix = payoff_of_people(rows(*games), BINS).matrix
    assert (matrix.payoff == -matrix.payoff.T).all()
    assert matrix.n_games == 300
    # The slow way, game by game.
    for i in range(3):
        for j in range(3):
            if i == j:
                continue
            own = [r for a, b, r in games if (a - 1001) // 100 == i and (b - 1001) // 100 == j]
            back = [-r for a, b, r in games if (a - 1001) // 100 == j and (b - 1001) // 100 == i]
            assert matrix.payoff[i, j] == pytest.approx((np.mean(own) + np.mean(back)) / 2)


def test_what_does_not_count_is_counted() -> None:
    found = payoff_of_people(
        rows((1050, 1150, 1), (1050, None, 1), (900, 1150, 0), (1050, 1250, None)), BINS
    )
    assert (found.matrix.n_games, found.unrated, found.outside) == (1, 1, 1)
    assert (found.lowest, found.highest) == (900, 1150)


def test_games_outside_of_all_bins_are_refused_with_the_ratings_there_are() -> None:
    with pytest.raises(PayoffError, match="ratings are 700 to 800"):
        payoff_of_people(rows((700, 800, 1)), BINS)
    with pytest.raises(PayoffError, match="no player has a rating"):
        payoff_of_people(rows((None, None, 1)), BINS)
