"""What a search asks of a network: policy and value of a batch of positions.

An analysis also asks for score and ownership, of those that have them (:class:`BoardEvaluator`). A
search knows no model. Whoever has one wraps it as an :class:`Evaluator`; the planes of each game
are described in docs/mcts.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

__all__ = ["BoardEvaluator", "Evaluation", "Evaluator", "UniformEvaluator"]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Policies and values of a batch.

    Attributes
    ----------
    logits
        `[n, labels]` float32, of all labels of the game's vocabulary; the search takes the softmax
        over the legal moves.
    values
        `[n]` float32, expected result for the side to move, -1 (lost) to 1 (won).
    score
        `[n]` float32, points that the side to move will be ahead at the end of a game of Go, komi
        included; None where it was not asked for or is not known.
    ownership
        `[n, rows, columns]` float32, whose each point of Go will be: 1 the side to move's, -1 its
        opponent's; None as above.
    """

    logits: NDArray[np.float32]
    values: NDArray[np.float32]
    score: NDArray[np.float32] | None = None
    ownership: NDArray[np.float32] | None = None


@runtime_checkable
class Evaluator(Protocol):
    """Evaluates positions in batches."""

    def evaluate(self, planes: NDArray[np.float32]) -> Evaluation:
        """Evaluate positions `[n, planes, rows, columns]`, float32, from the mover's view.

        The array is the search's own and changes after the call.
        """
        ...


@runtime_checkable
class BoardEvaluator(Evaluator, Protocol):
    """Also knows score and ownership, and tells them when it is asked."""

    def evaluate_board(self, planes: NDArray[np.float32]) -> Evaluation:
        """Evaluate as `evaluate` does, with score and ownership as far as they are known."""
        ...


class UniformEvaluator:
    """Knows nothing: equal priors, value 0.

    Parameters
    ----------
    labels
        Size of the game's vocabulary.
    """

    def __init__(self, labels: int) -> None:
        self._labels = labels

    def evaluate(self, planes: NDArray[np.float32]) -> Evaluation:
        """Return zeros for every position."""
        n = len(planes)
        return Evaluation(np.zeros((n, self._labels), np.float32), np.zeros(n, np.float32))
