"""How one tree grows, a step at a time: by an evaluator's batches or by random games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from tabia.search.evaluator import Evaluator
from tabia.search.run import Leaves, seed_of
from tabia.search.trees import Trees

__all__ = ["ByEvaluator", "ByRollouts", "Rollouts", "Thinking"]

_CHUNK = 64  # simulations between two looks at the clock


@dataclass(frozen=True, slots=True)
class Rollouts:
    """Random games in place of an evaluator: equal priors, and their mean result as value.

    Attributes
    ----------
    rollouts
        Random games a leaf.
    threads
        Threads for the leaves of a batch; nothing depends on it.
    """

    rollouts: int = 1
    threads: int = 1


class Thinking(Protocol):
    """A search of one slot."""

    def begin(self, simulations: int, seed: int) -> None:
        """Begin a search of so many simulations beside those that the tree has."""
        ...

    def step(self) -> bool:
        """Do a few of them; return whether there were any left to do."""
        ...


class ByEvaluator:
    """Several leaves of the game at once, spread by virtual loss, in one batch.

    Parameters
    ----------
    trees, slot
        The game.
    evaluator
        Evaluates its leaves.
    leaves
        Leaves at most in a batch.
    """

    def __init__(self, trees: Trees, slot: int, evaluator: Evaluator, leaves: int) -> None:
        self._trees, self._slot, self._evaluator = trees, slot, evaluator
        self._leaves = Leaves(trees, leaves, leaves)

    def begin(self, simulations: int, seed: int) -> None:
        """Begin a search."""
        noise = self._trees.settings.noise
        self._trees.searcher.begin(self._slot, simulations, seed, noise=noise)

    def step(self) -> bool:
        """Evaluate one batch; errors as of `tabia.search.run.run`."""
        return self._leaves.step(self._evaluator) > 0


class ByRollouts:
    """Random games from every leaf, several leaves side by side, spread by virtual loss.

    Parameters
    ----------
    trees, slot
        The game.
    rollouts
        How many, and on how many threads.
    leaves
        Leaves at most in a batch.
    """

    def __init__(self, trees: Trees, slot: int, rollouts: Rollouts, leaves: int) -> None:
        self._trees, self._slot, self._rollouts = trees, slot, rollouts
        self._leaves = leaves
        self._missing = self._seed = 0

    def begin(self, simulations: int, seed: int) -> None:
        """Begin a search."""
        self._missing, self._seed = simulations, seed

    def step(self) -> bool:
        """Do some simulations."""
        searcher, slot = self._trees.searcher, self._slot
        if self._missing < 1:
            return False
        # Sequential halving shares out all simulations of a search, which then go at once.
        whole = self._trees.settings.tree.rule == "gumbel"
        chunk = self._missing if whole else min(self._missing, max(_CHUNK, self._leaves))
        visits = searcher.root(slot)[2]
        searcher.begin(slot, chunk, seed_of(self._seed, visits), noise=self._trees.settings.noise)
        searcher.run_rollouts(
            self._rollouts.rollouts, leaves=self._leaves, threads=self._rollouts.threads
        )
        is_proven = searcher.done(slot) < chunk
        self._missing = 0 if is_proven else self._missing - chunk
        return True
