"""What each generation cost, stage by stage, for the summary. Times do not repeat."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tabia.search.times import SELF_PLAY, TRAINING
from tabia.tables import parquet
from tabia.tables.results import Figure, exact

__all__ = ["KEYS", "rows"]

KEYS = ("learner", "generation", "stage")

_PLAYED_BY = "engines"
_Keyed = tuple[tuple[object, ...], Figure]
_Rows = Sequence[dict[str, Any]]

_RATES: dict[str, tuple[tuple[str, str, str, float], ...]] = {
    SELF_PLAY: (
        ("games_per_cpu_minute", "games/CPU min", "games", 60.0),
        ("positions_per_cpu_second", "positions/CPU s", "positions", 1.0),
        ("evaluations_per_cpu_second", "evaluations/CPU s", "evaluations", 1.0),
    ),
    TRAINING: (("positions_per_cpu_second", "positions/CPU s", "positions", 1.0),),
}
"""Of each stage: metric, unit, the count it divides, and CPU seconds of its unit of time."""


def rows(learners: Sequence[str], paths: Sequence[Path]) -> list[_Keyed]:
    """Return the rows of the table of times.

    Parameters
    ----------
    learners
        In the order wanted.
    paths
        Tables :data:`tabia.search.times.TIMES`, in any order.
    """
    groups: dict[tuple[str, int, str], list[dict[str, Any]]] = {}
    for row in (row for path in paths for row in parquet.read(path).to_pylist()):
        groups.setdefault((row["learner"], row["generation"], row["stage"]), []).append(row)
    places = {name: place for place, name in enumerate(learners)}
    return [
        (keys, figure)
        for keys in sorted(groups, key=lambda keys: (places[keys[0]], *keys[1:]))
        for figure in _figures(keys[2], groups[keys])
    ]


def _figures(stage: str, jobs: _Rows) -> list[Figure]:
    """Return figures of one stage of one generation, whose jobs are its shards."""
    games, positions = (sum(job[key] for job in jobs) for key in ("games", "positions"))

    def counted(metric: str, value: float, unit: str) -> Figure:
        return exact(
            metric, value, unit=unit, n_games=games, n_positions=positions, played_by=_PLAYED_BY
        )

    found = [
        counted("measured_share", _share(jobs), "share"),
        counted("games", games, "count"),
        counted("positions", positions, "count"),
    ]
    if stage == SELF_PLAY:
        found.append(counted("evaluations", sum(job["evaluations"] for job in jobs), "count"))
    # A job that was killed after its last game and before its end has measured nothing.
    done = [job for job in jobs if job["positions"] and job["work_cpu_seconds"] > 0]
    if not done:
        return found
    many = len(jobs) > 1
    once = f"none: as measured, the sum of {len(jobs)} shards" if many else "none: measured once"
    for metric in ("cpu_seconds", "seconds"):
        value = sum(job[metric] for job in jobs)
        found.append(Figure(metric, "s", value, value, value, once, games, positions, _PLAYED_BY))
    many = len(done) > 1
    spread = f"range over {len(done)} shards, value of all together" if many else once
    for metric, unit, count, seconds in _RATES[stage]:
        each = [seconds * job[count] / job["work_cpu_seconds"] for job in done]
        of_all = sum(job[count] for job in done) / sum(job["work_cpu_seconds"] for job in done)
        value = seconds * of_all if many else each[0]
        lo, hi = min(*each, value), max(*each, value)
        found.append(Figure(metric, unit, value, lo, hi, spread, games, positions, _PLAYED_BY))
    return found


def _share(jobs: _Rows) -> float:
    """Share of a stage's games or steps that was measured; shards differ by a game at most."""
    return float(sum(job["share"] for job in jobs) / len(jobs))
