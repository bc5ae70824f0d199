"""What self-play and training cost: a small file beside what a job makes.

Times do not repeat, so they stand in no file whose bytes are promised.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tabia.search.evaluator import Evaluation, Evaluator
from tabia.tables import parquet
from tabia.tables.spec import Spec

__all__ = ["SELF_PLAY", "TIMES", "TRAINING", "Counted", "Done", "Stopwatch", "write"]

SELF_PLAY, TRAINING = "self-play", "training"

TIMES = pa.schema(
    [
        pa.field("learner", pa.string(), nullable=False),
        pa.field("generation", pa.int32(), nullable=False),
        pa.field("stage", pa.string(), nullable=False),  # self-play, training
        pa.field("shard", pa.int32()),  # of self-play
        pa.field("seconds", pa.float64(), nullable=False),  # by the clock, of the whole job
        pa.field("cpu_seconds", pa.float64(), nullable=False),  # user and system, of the whole job
        pa.field("work_cpu_seconds", pa.float64(), nullable=False),  # of games or steps alone
        pa.field("games", pa.int64(), nullable=False),  # played, or learned from
        pa.field("positions", pa.int64(), nullable=False),  # searched, or gone through in steps
        pa.field("evaluations", pa.int64()),  # self-play: positions that the net evaluated
        pa.field("share", pa.float64(), nullable=False),  # of the job's games or steps, measured
    ]
)
"""One row: what a job did since it was started, or started again after it was killed."""


class Stopwatch:
    """Adds up CPU and clock seconds of this process over the blocks that are timed.

    Attributes
    ----------
    seconds
        By the clock.
    cpu_seconds
        User and system time, of all threads.
    """

    def __init__(self) -> None:
        self.seconds = self.cpu_seconds = 0.0

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Time the block."""
        clock, cpu = time.perf_counter(), time.process_time()
        try:
            yield
        finally:
            self.seconds += time.perf_counter() - clock
            self.cpu_seconds += time.process_time() - cpu


class Counted:
    """Answers as another evaluator does, and counts the positions.

    Parameters
    ----------
    evaluator
        The other.

    Attributes
    ----------
    positions
        Evaluated so far.
    """

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator, self.positions = evaluator, 0

    def evaluate(self, planes: NDArray[np.float32]) -> Evaluation:
        """Evaluate positions; see :class:`tabia.search.evaluator.Evaluator`."""
        self.positions += len(planes)
        return self._evaluator.evaluate(planes)


@dataclass(frozen=True)
class Done:
    """What a job did while it was measured; the fields are columns of `TIMES`."""

    games: int
    positions: int
    evaluations: int | None
    share: float


def write(
    path: Path, spec: Spec, stage: str, whole: Stopwatch, work: Stopwatch, done: Done
) -> None:
    """Write a job's measurement.

    Parameters
    ----------
    path
        OUT: `TIMES`.
    spec
        The job's; its wildcards name learner, generation and shard.
    stage
        `SELF_PLAY` or `TRAINING`.
    whole, work
        Time of the whole job, from the reading of its inputs, and of games or steps alone.
    done
        What was done in that time.
    """
    shard = spec.wildcards["shard"] if stage == SELF_PLAY else None
    row = {
        "learner": spec.wildcards["run"],
        "generation": int(spec.wildcards["generation"]),
        "stage": stage,
        "shard": None if shard is None else int(shard),
        "seconds": whole.seconds,
        "cpu_seconds": whole.cpu_seconds,
        "work_cpu_seconds": work.cpu_seconds,
        "games": done.games,
        "positions": done.positions,
        "evaluations": done.evaluations,
        "share": done.share,
    }
    parquet.write(pa.Table.from_pylist([row], TIMES), path, spec=spec)
