"""How fast a search is on one game, and where its time goes.

Seconds of the parts are CPU seconds of the process, all its threads together, because other
programs do not add to them.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from tabia.search.config import Budget, Rules, SearchSettings
from tabia.search.evaluator import Evaluator
from tabia.search.run import seed_of
from tabia.search.thinking import Rollouts
from tabia.search.trees import Trees

__all__ = ["PARTS", "SearchSpeed", "measure_search", "peak_bytes"]

PARTS = ("select", "evaluate", "expand", "choose", "rollouts")
"""`select`: down the tree and planes of the leaves. `evaluate`: the network. `expand`: priors of
new nodes, values up the tree. `choose`: choice of the move, and playing it with what the tree
keeps. `rollouts`: random games with the tree around them, in place of the first three."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchSpeed:
    """What a search took.

    Attributes
    ----------
    moves
        Searches, one a move of a game.
    simulations
        Of all of them together; fewer than asked where positions were proven.
    evaluated
        Leaves that the evaluator saw; 0 with random games.
    batches
        Calls of the evaluator.
    seconds, cpu_seconds
        By the clock; of the CPU, user and system, all threads.
    parts
        CPU seconds by part, of `PARTS`.
    tree_bytes, largest_tree_bytes
        Memory of the tree at the end of a search: the mean, the largest.
    peak_bytes
        Most memory that the process ever had, the interpreter and its libraries included.
    """

    moves: int
    simulations: int
    evaluated: int
    batches: int
    seconds: float
    cpu_seconds: float
    parts: Mapping[str, float]
    tree_bytes: float
    largest_tree_bytes: int
    peak_bytes: int

    @property
    def simulations_per_s(self) -> float:
        """Simulations a second by the clock."""
        return self.simulations / self.seconds

    @property
    def simulations_per_cpu_s(self) -> float:
        """Simulations a CPU second."""
        return self.simulations / self.cpu_seconds

    @property
    def load(self) -> float:
        """CPU seconds a second: 1 is one core at work all the time."""
        return self.cpu_seconds / self.seconds

    @property
    def leaves_per_batch(self) -> float | None:
        """Leaves of a call of the evaluator; None with random games."""
        return self.evaluated / self.batches if self.batches else None

    @property
    def shares(self) -> dict[str, float]:
        """Share of each part, 0 to 1; they sum to 1."""
        total = sum(self.parts.values())
        return {name: seconds / total for name, seconds in self.parts.items()}


def measure_search(
    rules: Rules,
    evaluator: Evaluator | Rollouts,
    search: SearchSettings | None = None,
    *,
    simulations: int = 128,
    moves: int = 10,
    history: int = 1,
    leaves: int = 1,
    threads: int = 1,
    seed: int = 1,
    clock: Callable[[], float] = time.perf_counter,
    cpu_clock: Callable[[], float] = time.process_time,
) -> SearchSpeed:
    """Search the moves of one game from its start, a new one where it ends, and measure.

    A move comes before that is not counted, since evaluators get ready at their first call. The
    tree is kept from move to move, as players keep it.

    Parameters
    ----------
    rules
        The game.
    evaluator
        Evaluates leaves, or the number of random games in its place.
    search
        How the tree grows; None is the default. Its budget does not count.
    simulations
        Of each move, beside what the kept tree has.
    moves
        Moves that are counted.
    history
        Positions that the evaluator sees.
    leaves
        Leaves of the game in a batch.
    threads
        For random games; an evaluator has its own.
    seed
        Of what is random in the search.
    clock, cpu_clock
        Seconds; replaced in tests.

    Raises
    ------
    ValueError
        If a number is below 1, or the evaluator does not fit the game.
    """
    for name, value in (("moves", moves), ("simulations", simulations), ("leaves", leaves)):
        if value < 1:
            raise ValueError(f"{value} {name}; there must be 1 or more")
    own = SearchSettings() if search is None else search
    own = own.model_copy(update={"budget": Budget(simulations=simulations)})
    run = _Run(Trees(rules, own, history=history), evaluator, leaves, threads, cpu_clock)
    run.move(seed_of(seed, 0))
    run.restart()
    begun, cpu_begun = clock(), cpu_clock()
    for number in range(moves):
        run.move(seed_of(seed, 1 + number))
    seconds, cpu_seconds = clock() - begun, cpu_clock() - cpu_begun
    return SearchSpeed(
        moves=moves,
        simulations=run.simulations,
        evaluated=run.evaluated,
        batches=run.batches,
        seconds=seconds,
        cpu_seconds=cpu_seconds,
        parts=run.parts,
        tree_bytes=float(np.mean(run.tree_bytes)),
        largest_tree_bytes=max(run.tree_bytes),
        peak_bytes=peak_bytes(),
    )


class _Run:
    """One game, its evaluator and what was counted."""

    def __init__(
        self,
        trees: Trees,
        evaluator: Evaluator | Rollouts,
        leaves: int,
        threads: int,
        cpu_clock: Callable[[], float],
    ) -> None:
        self._trees, self._evaluator = trees, evaluator
        self._leaves, self._threads, self._cpu = leaves, threads, cpu_clock
        self._planes = np.empty((leaves, *trees.searcher.shape), np.float32)
        self._slot_of = np.empty(leaves, np.int32)
        self.restart()

    def restart(self) -> None:
        """Go back to the game's start and count from 0."""
        self._trees.reset(0)
        self.simulations = self.evaluated = self.batches = 0
        rolls_out = isinstance(self._evaluator, Rollouts)
        names = ("rollouts", "choose") if rolls_out else PARTS[:4]
        self.parts = dict.fromkeys(names, 0.0)
        self.tree_bytes: list[int] = []

    def move(self, seed: int) -> None:
        """Search a move and play it."""
        searcher = self._trees.searcher
        if self._trees.root(0).outcome is not None:
            self._trees.reset(0)
        self._trees.begin(0, seed)
        if isinstance(self._evaluator, Rollouts):
            begun = self._cpu()
            searcher.run_rollouts(
                self._evaluator.rollouts, leaves=self._leaves, threads=self._threads
            )
            self.parts["rollouts"] += self._cpu() - begun
        else:
            while self._batch(self._evaluator):
                pass
        self.simulations += searcher.done(0)
        self.tree_bytes.append(searcher.tree_bytes(0))
        begun = self._cpu()
        self._trees.play(0, self._trees.choose(0, seed))
        self.parts["choose"] += self._cpu() - begun

    def _batch(self, evaluator: Evaluator) -> bool:
        searcher = self._trees.searcher
        times = [self._cpu()]
        n = searcher.select(self._planes, self._slot_of, leaves=self._leaves)
        times.append(self._cpu())
        self.parts["select"] += times[1] - times[0]
        if n == 0:
            return False
        found = evaluator.evaluate(self._planes[:n])
        times.append(self._cpu())
        searcher.expand(
            np.ascontiguousarray(found.logits, np.float32),
            np.ascontiguousarray(found.values, np.float32),
        )
        times.append(self._cpu())
        self.parts["evaluate"] += times[2] - times[1]
        self.parts["expand"] += times[3] - times[2]
        self.evaluated += n
        self.batches += 1
        return True


def peak_bytes() -> int:
    """Most resident memory that this process has had, in bytes (Linux counts it in KiB)."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
