"""Clusters, cycles and Hodge's parts of games with known answers."""

import itertools

import numpy as np
import pytest

from tabia.population.clusters import cluster_numbers, nash_clusters, relative_performance
from tabia.population.cycles import (
    cycles_per_strategy,
    most_cycles,
    strongest_cycle,
    total_cycles,
)
from tabia.population.hodge import hodge
from tests.population.games import (
    ROCK_PAPER_SCISSORS,
    circle,
    random_game,
    random_signs,
    transitive_chain,
)


def _layers(sizes: list[int]) -> np.ndarray:
    """Circles, each of which beats all that come later."""
    n = sum(sizes)
    game = -transitive_chain(n)
    start = 0
    for size in sizes:
        part = slice(start, start + size)
        game[part, part] = circle(size)
        start += size
    return game


def test_a_chain_is_one_cluster_a_strategy_strongest_first() -> None:
    clusters = nash_clusters(transitive_chain(6))
    assert [cluster.members.tolist() for cluster in clusters] == [[5], [4], [3], [2], [1], [0]]
    assert cluster_numbers(clusters).tolist() == [6, 5, 4, 3, 2, 1]


def test_layers_of_circles_are_found_as_clusters() -> None:
    clusters = nash_clusters(_layers([1, 3, 7, 5, 1]))
    assert [len(cluster) for cluster in clusters] == [1, 3, 7, 5, 1]
    assert clusters[2].members.tolist() == [4, 5, 6, 7, 8, 9, 10]
    assert clusters[2].probabilities == pytest.approx(np.full(7, 1 / 7), abs=1e-12)


def test_every_strategy_is_in_one_cluster_and_earlier_ones_do_not_lose_to_later_ones() -> None:
    for seed in range(5):
        game = random_game(15, seed)
        clusters = nash_clusters(game)
        members = np.concatenate([cluster.members for cluster in clusters])
        assert sorted(members.tolist()) == list(range(15))
        for one, other in itertools.combinations(clusters, 2):
            assert relative_performance(game, one.members, other.members) >= -1e-9


def test_relative_performance_is_the_value_of_the_game_between_two_groups() -> None:
    game = transitive_chain(4)
    assert relative_performance(game, np.array([0, 3]), np.array([1, 2])) == pytest.approx(1)
    # Rock and paper against scissors alone: rock wins.
    assert relative_performance(ROCK_PAPER_SCISSORS, np.array([0, 1]), np.array([2])) == 1.0
    # Rock alone loses to paper.
    assert relative_performance(
        ROCK_PAPER_SCISSORS, np.array([0]), np.array([1, 2])
    ) == pytest.approx(-1)


def test_cycles_are_those_that_a_walk_over_all_triples_finds() -> None:
    for game in (random_game(9, 1), np.round(random_game(10, 2)), random_signs(8, 3)):
        n = len(game)
        through = [0] * n
        for i, j, k in itertools.permutations(range(n), 3):
            if game[i, j] > 0 and game[j, k] > 0 and game[k, i] > 0:
                through[i] += 1  # each cycle begins once at each of its members
        assert cycles_per_strategy(game).tolist() == through
        assert total_cycles(game) == sum(through) // 3


def test_a_chain_has_no_cycle_and_an_odd_circle_all_that_can_be() -> None:
    assert total_cycles(transitive_chain(9)) == 0
    assert strongest_cycle(transitive_chain(9)) is None
    for n in (3, 5, 7, 9):
        assert total_cycles(circle(n)) == most_cycles(n)
    assert [most_cycles(n) for n in (2, 3, 4, 5, 6, 7, 21)] == [0, 1, 2, 5, 8, 14, 385]


def test_payoffs_that_are_rounding_beat_no_one() -> None:
    assert total_cycles(1e-17 * ROCK_PAPER_SCISSORS) == 0
    assert strongest_cycle(1e-17 * ROCK_PAPER_SCISSORS) is None


def test_the_strongest_cycle_is_that_of_the_largest_smallest_payoff() -> None:
    for seed in range(5):
        game = random_game(8, seed)
        found = strongest_cycle(game)
        assert found is not None
        i, j, k = found.members
        assert found.payoffs == (game[i, j], game[j, k], game[k, i])
        assert i < min(j, k)
        assert min(found.payoffs) == max(
            min(game[a, b], game[b, c], game[c, a])
            for a, b, c in itertools.permutations(range(8), 3)
        )


def test_a_game_of_differences_is_all_transitive_and_a_circle_all_cyclic() -> None:
    rating = np.array([0.3, -0.1, 0.5, 0.0])
    found = hodge(rating[:, None] - rating)
    assert found.transitive_share == pytest.approx(1)
    assert found.potential == pytest.approx(rating - rating.mean())
    assert hodge(circle(8)).transitive_share == pytest.approx(0, abs=1e-20)
    assert np.isnan(hodge(np.zeros((3, 3))).transitive_share)


def test_transitive_and_cyclic_part_add_up_and_are_orthogonal() -> None:
    game = random_game(12, 5)
    parts = hodge(game)
    assert parts.transitive + parts.cyclic == pytest.approx(game)
    assert (parts.transitive * parts.cyclic).sum() == pytest.approx(0, abs=1e-12)
    assert parts.cyclic.sum(axis=1) == pytest.approx(np.zeros(12), abs=1e-12)
    # A random game has n - 1 of n (n - 1) / 2 dimensions in the transitive part: 2 / n.
    share = np.mean([hodge(random_game(12, seed)).transitive_share for seed in range(60)])
    assert share == pytest.approx(2 / 12, abs=0.02)
