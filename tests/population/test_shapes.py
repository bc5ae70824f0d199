"""Gamescapes and profiles of games with known answers."""

import numpy as np
import pytest
from scipy import linalg, stats

from tabia.population.clusters import nash_clusters
from tabia.population.embedding import embed, fit_parabola, largest_gap
from tabia.population.profile import cluster_points, fit_skewed_normal
from tests.population.games import circle, disc_game, elo_game, random_game, transitive_chain


def test_a_disc_game_is_its_own_embedding_up_to_rotation() -> None:
    points = np.random.default_rng(1).normal(size=(15, 2))
    game = disc_game(points)
    found = embed((game - game.T) / 2)
    assert disc_game(found.points) == pytest.approx(game, abs=1e-12)
    assert found.weight == pytest.approx(1)
    # Rotations of equal axes keep distances only if the plane's axes are weighed alike, which
    # signed areas do not tell: the embedding is the one with equal weights.
    gram = found.points.T @ found.points
    assert gram == pytest.approx(gram[0, 0] * np.eye(2), abs=1e-9)


def test_a_game_of_differences_is_a_straight_line_beside_the_origin() -> None:
    rating = np.random.default_rng(2).normal(size=20)
    found = embed(rating[:, None] - rating)
    y = found.points[:, 1]
    assert np.ptp(y) == pytest.approx(0, abs=1e-9)
    assert abs(y[0]) > 0.1
    assert np.argsort(found.points[:, 0]).tolist() == np.argsort(rating).tolist()
    parabola = fit_parabola(found.points)
    assert parabola is not None
    assert parabola.bend == pytest.approx(0, abs=1e-9)
    assert largest_gap(found.points) > 180


def test_a_circle_goes_round_the_origin() -> None:
    found = embed(circle(12))
    assert np.hypot(*found.points.T) == pytest.approx(np.ones(12))
    assert largest_gap(found.points) == pytest.approx(30)
    assert found.weight == pytest.approx(1)


def test_the_plane_is_that_of_the_largest_schur_block() -> None:
    for seed in range(5):
        game = random_game(11, seed)
        blocks, _ = linalg.schur(game)
        largest = np.abs(np.diagonal(blocks, 1)).max()
        assert embed(game).weight == pytest.approx(2 * largest**2 / (game**2).sum())
        # No rank 2 game is nearer: the embedding's own is the truncated decomposition.
        nearest = disc_game(embed(game).points)
        rest = 1 - ((game - nearest) ** 2).sum() / (game**2).sum()
        assert rest == pytest.approx(embed(game).weight)


def test_numbering_strategies_otherwise_moves_no_point() -> None:
    game = random_game(9, 7)
    order = np.random.default_rng(0).permutation(9)
    turned = embed(game[np.ix_(order, order)]).points
    assert turned == pytest.approx(embed(game).points[order], abs=1e-9)


def test_all_draws_lie_in_the_origin() -> None:
    found = embed(np.zeros((4, 4)))
    assert not found.points.any()
    assert np.isnan(found.weight)
    assert fit_parabola(found.points) is None
    assert largest_gap(found.points) == 360.0


def test_an_outlier_is_left_out_of_the_parabola() -> None:
    x = np.linspace(-1, 1, 25)
    y = 0.5 - x + 2 * x**2
    y[7] += 3
    found = fit_parabola(np.column_stack([x, y]))
    assert found is not None
    assert np.flatnonzero(found.outliers).tolist() == [7]
    assert found.coefficients == pytest.approx((0.5, -1, 2))
    assert found.r_squared == pytest.approx(1)
    assert found.bend == pytest.approx(2 * 2 / 4)  # c2 width / 4


def test_an_elo_game_bends_less_than_a_chain() -> None:
    # The more games are decided, the more the line closes round the origin.
    near = fit_parabola(embed(elo_game(np.linspace(1000, 1400, 21))).points)
    far = fit_parabola(embed(transitive_chain(21)).points)
    assert near is not None
    assert far is not None
    assert near.bend < 0.1 < far.bend


def test_a_skewed_normal_is_found_again_from_its_own_points() -> None:
    x = np.linspace(800, 2400, 25)
    y = 30_000 * stats.skewnorm.pdf(x, 3.0, 1300, 350)
    found = fit_skewed_normal(x, y)
    assert found is not None
    assert found.shape == pytest.approx(3.0, rel=1e-3)
    assert found.location == pytest.approx(1300, abs=1)
    assert found.scale == pytest.approx(350, rel=1e-3)
    assert found.area == pytest.approx(30_000, rel=1e-3)
    assert found.r_squared == pytest.approx(1, abs=1e-9)
    assert found(x) == pytest.approx(y, abs=1e-3)
    assert found.peak == pytest.approx(x[0] + 1600 * y.argmax() / 24, abs=70)


def test_four_clusters_have_no_curve() -> None:
    assert fit_skewed_normal(np.arange(4.0), np.ones(4)) is None


def test_points_of_a_profile_are_means_over_clusters() -> None:
    clusters = nash_clusters(transitive_chain(3))
    strength, size = cluster_points(clusters, np.array([1000.0, 1100, 1200]))
    assert strength.tolist() == [1200, 1100, 1000]
    assert size.tolist() == [1, 1, 1]
