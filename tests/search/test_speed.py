"""How fast a search is: what is counted, and the times of a clock that tells them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tabia.search.config import GoRules
from tabia.search.evaluator import Evaluation
from tabia.search.speed import measure_search, peak_bytes
from tabia.search.thinking import Rollouts
from tests.search.made import HashEvaluator, settings

RULES = GoRules(size=5, max_plies=4)


class Clock:
    """Seconds that only the evaluator's calls and the looks at the clock take."""

    def __init__(self, look: float) -> None:
        self.now, self.look = 0.0, look

    def __call__(self) -> float:
        self.now += self.look
        return self.now


def test_leaves_batches_and_simulations_are_counted_and_their_times_added_up() -> None:
    clock = Clock(0.0)

    class Slow(HashEvaluator):
        def evaluate(self, planes: object) -> Evaluation:
            clock.now += 2.0
            return super().evaluate(planes)  # type: ignore[arg-type]

    evaluator = Slow(26)
    found = measure_search(
        GoRules(size=5),
        evaluator,
        settings(solve=False, virtual_loss=3),
        simulations=20,
        moves=3,
        leaves=4,
        clock=lambda: 10 * clock.now,
        cpu_clock=clock,
    )
    assert found.simulations == 60
    # The first move, which is not counted, evaluates the root and the others go on from a kept one.
    assert found.evaluated == 61
    counted = evaluator.batches[-found.batches :]
    assert sum(counted) == found.evaluated
    assert max(counted) <= 4
    assert found.leaves_per_batch == found.evaluated / found.batches
    assert found.cpu_seconds == 2.0 * found.batches
    assert found.seconds == 20.0 * found.batches
    assert found.load == pytest.approx(0.1)
    assert found.simulations_per_s == pytest.approx(60 / (20.0 * found.batches))
    assert found.simulations_per_cpu_s == pytest.approx(60 / (2.0 * found.batches))
    assert found.shares == {"select": 0.0, "evaluate": 1.0, "expand": 0.0, "choose": 0.0}
    assert found.largest_tree_bytes >= found.tree_bytes > 20 * 80


def test_parts_begin_and_end_at_their_own_looks_at_the_clock() -> None:
    found = measure_search(
        GoRules(size=5),
        HashEvaluator(26),
        settings(solve=False),
        simulations=5,
        moves=1,
        cpu_clock=Clock(1.0),
    )
    # One second between two looks: a leaf at a time, the root's too, and a last look that finds
    # nothing to do.
    assert dict(found.parts) == {"select": 7.0, "evaluate": 6.0, "expand": 6.0, "choose": 1.0}


def test_random_games_are_one_part_and_have_no_batches() -> None:
    found = measure_search(
        GoRules(size=5), Rollouts(2), settings(solve=False), simulations=30, moves=2, leaves=3,
        threads=2,
    )  # fmt: skip
    assert set(found.parts) == {"rollouts", "choose"}
    assert (found.simulations, found.evaluated, found.batches) == (60, 0, 0)
    assert found.leaves_per_batch is None
    assert sum(found.shares.values()) == pytest.approx(1)


def test_a_game_that_ends_begins_anew() -> None:
    # Games end after 4 plies; 9 moves are two games and a move.
    found = measure_search(
        RULES, HashEvaluator(26), settings(solve=False), simulations=8, moves=9, leaves=2
    )
    assert found.simulations == 72


def test_the_peak_is_this_process_memory() -> None:
    def status() -> Iterator[int]:
        with Path("/proc/self/status").open(encoding="ascii") as file:
            yield from (int(line.split()[1]) * 1024 for line in file if line.startswith("VmHWM"))

    assert peak_bytes() == pytest.approx(next(status()), rel=0.05)


def test_numbers_below_one_are_refused() -> None:
    for name in ("moves", "simulations", "leaves"):
        with pytest.raises(ValueError, match=f"0 {name}"):
            measure_search(RULES, HashEvaluator(26), **{name: 0})
