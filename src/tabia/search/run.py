"""Drives searches to their end: leaves out, evaluations in."""

from __future__ import annotations

import numpy as np

from tabia.search.evaluator import Evaluator
from tabia.search.trees import Trees

__all__ = ["Leaves", "run", "seed_of"]


def run(trees: Trees, evaluator: Evaluator, *, batch: int = 64, leaves: int = 1) -> int:
    """Do all simulations of the searches that were begun; return how many positions were evaluated.

    Parameters
    ----------
    trees
        The games.
    evaluator
        Evaluates their leaves.
    batch
        Leaves at most in one call of the evaluator.
    leaves
        Leaves at most of one game in a batch. Above 1 they are spread by virtual loss, and the tree
        differs from the one that grows leaf by leaf. What a game finds depends on this number, not
        on the batch or on the other games, as far as the evaluator's answers do not.

    Raises
    ------
    ValueError
        If `leaves` is more than `batch`, or the evaluator's arrays do not fit. After this or any
        error of the evaluator, games whose leaves were in the batch have lost their trees.
    """
    room = Leaves(trees, batch, leaves)
    evaluated = 0
    while n := room.step(evaluator):
        evaluated += n
    return evaluated


class Leaves:
    """A batch of leaves on its way from the trees to an evaluator and back.

    Parameters
    ----------
    trees
        The games.
    batch, leaves
        Leaves at most, and of one game; see :func:`run`.
    """

    def __init__(self, trees: Trees, batch: int, leaves: int = 1) -> None:
        self._searcher, self._leaves = trees.searcher, leaves
        self._planes = np.empty((batch, *trees.searcher.shape), np.float32)
        self._slot_of = np.empty(batch, np.int32)

    def step(self, evaluator: Evaluator) -> int:
        """Evaluate one batch; return its leaves, 0 when all searches are done. Errors: `run`."""
        n = self._searcher.select(self._planes, self._slot_of, leaves=self._leaves)
        if n == 0:
            return 0
        try:
            found = evaluator.evaluate(self._planes[:n])
            self._searcher.expand(
                np.ascontiguousarray(found.logits, np.float32),
                np.ascontiguousarray(found.values, np.float32),
            )
        except BaseException:
            self._searcher.drop()
            raise
        return n


def seed_of(seed: int, *what: int) -> int:
    """Return a seed of 64 bits for one thing of many, from the seed of all and its numbers."""
    return int(np.random.SeedSequence((seed, *what)).generate_state(1, np.uint64)[0])
