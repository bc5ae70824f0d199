"""How fast evaluators are: positions a CPU second, route by route and batch by batch."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

__all__ = ["Speed", "measure"]

_LEAST_S = 0.05


@dataclass(frozen=True)
class Speed:
    """Speed of one route at one batch size.

    Attributes
    ----------
    route
        Name.
    batch
        Positions a call.
    positions_per_s
        Positions a second of CPU time, user and system, all threads together; median of the rounds.
    """

    route: str
    batch: int
    positions_per_s: float


def measure(
    routes: Mapping[str, Callable[[int], object]],
    batches: Sequence[int],
    *,
    rounds: int = 3,
    least_s: float = _LEAST_S,
) -> list[Speed]:
    """Return the speed of every route at every batch size.

    Routes take turns, so that a machine that slows down slows all. CPU time is counted, because
    other programs do not add to it; with several threads it is no measure of waiting.

    Parameters
    ----------
    routes
        Functions that evaluate as many positions as they are told.
    batches
        Positions a call.
    rounds
        Turns of each route; one more comes first and is not counted.
    least_s
        CPU seconds of a turn at least.
    """
    found = []
    for batch in batches:
        speeds: dict[str, list[float]] = {name: [] for name in routes}
        for turn in range(rounds + 1):
            for name, run in routes.items():
                speed = _speed(run, batch, least_s if turn else 0.0)
                if turn:
                    speeds[name].append(speed)
        found += [Speed(name, batch, statistics.median(speeds[name])) for name in routes]
    return found


def _speed(run: Callable[[int], object], batch: int, least_s: float) -> float:
    begin, calls = time.process_time(), 0
    while True:
        run(batch)
        calls += 1
        taken = time.process_time() - begin
        if taken >= least_s and taken > 0:
            return calls * batch / taken
