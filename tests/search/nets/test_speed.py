from __future__ import annotations

import time

import pytest

from tabia.search.nets.speed import measure


def busy(seconds: float) -> None:
    begin = time.process_time()
    while time.process_time() - begin < seconds:
        pass


def test_positions_are_counted_by_cpu_seconds():
    calls: list[tuple[str, int]] = []

    def slow(batch: int) -> None:
        calls.append(("slow", batch))
        busy(batch * 0.0004)

    def sleeps(batch: int) -> None:
        calls.append(("sleeps", batch))
        time.sleep(0.001)
        busy(batch * 0.0001)

    found = measure({"slow": slow, "sleeps": sleeps}, [5, 10], rounds=3, least_s=0.01)
    assert [(speed.route, speed.batch) for speed in found] == [
        *[("slow", 5), ("sleeps", 5), ("slow", 10), ("sleeps", 10)]
    ]
    for speed in found:
        expected = 2500 if speed.route == "slow" else 10_000
        assert speed.positions_per_s == pytest.approx(expected, rel=0.3)
    # The first turn of each warms up with a single call, and turns alternate.
    assert calls[:3] == [("slow", 5), ("sleeps", 5), ("slow", 5)]
