"""The swarm on functions with a known minimum."""

from __future__ import annotations

import numpy as np

from tabia.learning.particle_swarm import minimise

GOAL = np.array([3, 17, 9, 5, 12])


def distance(place: np.ndarray) -> float:
    return float(np.square(place - GOAL).sum())


def first_places(particles: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).uniform(2, 20, (particles, len(GOAL)))


def test_a_bowl_is_descended_to_its_bottom():
    found = minimise(distance, first_places(20), 2, 20, 80, np.random.default_rng(1))
    assert found.place.tolist() == GOAL.tolist()
    assert found.value == 0


def test_the_result_is_never_worse_than_a_first_place():
    for seed in range(20):
        start = first_places(3, seed)
        best = min(distance(np.rint(place)) for place in start)
        found = minimise(distance, start, 2, 20, 2, np.random.default_rng(seed))
        assert found.value <= best
        assert found.value == distance(found.place)


def test_places_are_whole_within_the_range_and_asked_once():
    asked: list[tuple[int, ...]] = []

    def objective(place: np.ndarray) -> float:
        assert place.dtype == np.int32
        asked.append(tuple(place.tolist()))
        return float(-place.sum())  # pulls against the upper end

    found = minimise(objective, first_places(8), 2, 20, 30, np.random.default_rng(0))
    assert len(asked) == len(set(asked)) == found.judged
    assert np.min(asked) >= 2
    assert np.max(asked) <= 20
    assert found.place.tolist() == [20] * 5


def test_places_that_are_not_allowed_are_left():
    def objective(place: np.ndarray) -> float:
        return float("inf") if place[0] > 10 else distance(place)

    start = np.vstack((np.full(5, 4.0), np.full((5, 5), 15.0)))
    found = minimise(objective, start, 2, 20, 40, np.random.default_rng(0))
    assert found.value < distance(np.full(5, 4))


def test_no_moves_judge_the_first_places_and_equal_values_keep_the_first():
    start = np.array([[5.0, 5.0], [6.0, 6.0]])
    found = minimise(lambda place: 1.0, start, 2, 20, 0, np.random.default_rng(0))
    assert found.place.tolist() == [5, 5]
    assert found.judged == 2


def test_equal_generators_give_equal_searches():
    runs = [
        minimise(distance, first_places(6), 2, 20, 5, np.random.default_rng(4)) for _ in range(2)
    ]
    assert runs[0].place.tolist() == runs[1].place.tolist()
    assert runs[0].judged == runs[1].judged
