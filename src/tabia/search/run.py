"""Drives searches to their end: leaves out, evaluations in."""

from __future__ import annotations

import numpy as np

from tabia.search.evaluator import Evaluator
from tabia.search.trees import Trees

__all__ = ["run"]


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
    searcher = trees.searcher
    planes = np.empty((batch, *searcher.shape), np.float32)
    slot_of = np.empty(batch, np.int32)
    evaluated = 0
    while n := searcher.select(planes, slot_of, leaves=leaves):
        try:
            found = evaluator.evaluate(planes[:n])
            searcher.expand(
                np.ascontiguousarray(found.logits, np.float32),
                np.ascontiguousarray(found.values, np.float32),
            )
        except BaseException:
            searcher.drop()
            raise
        evaluated += n
    return evaluated
