"""How often moves were played in contexts: a position, the moves before it, or none.

A context is any 64-bit number, a move is told by a label below 65,536. Counts are kept sorted, so
that those of many positions are found by binary search at once. This module knows no model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tabia.games.mover_view import Vocabulary
from tabia.imitation.positions import Positions

__all__ = ["MoveCounts", "blocks", "last_labels", "legal_labels"]

Contexts = NDArray[np.uint64]
Index = NDArray[np.intp]

_BITS = 16  # of a label
_BLOCK = 8192  # positions whose boards are repeated for their moves at once


@dataclass(frozen=True)
class MoveCounts:
    """How often each label was played in each context.

    Attributes
    ----------
    contexts
        `[c]` uint64, ascending.
    pairs
        `[k]` int64, ascending: 65,536 times the number of the context, plus the label.
    counts
        `[k]` int32, at least 1.
    """

    contexts: Contexts
    pairs: NDArray[np.int64]
    counts: NDArray[np.int32]

    @classmethod
    def of(cls, context: Contexts, label: NDArray[np.integer]) -> MoveCounts:
        """Count labels `[n]` played in contexts `[n]`."""
        contexts, number = np.unique(context, return_inverse=True)
        pairs, counts = np.unique(_pairs(number, label), return_counts=True)
        return cls(contexts, pairs, counts.astype(np.int32))

    def played(
        self, context: Contexts, label: NDArray[np.integer], offsets: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Return `[M]` how often each label was played in the context of its position.

        Parameters
        ----------
        context
            `[n]` of each position.
        label, offsets
            `[M]` and `[n + 1]`: position i has ``label[offsets[i]:offsets[i + 1]]``.
        """
        if not len(self.contexts):
            return np.zeros(len(label), np.int64)
        number = np.minimum(np.searchsorted(self.contexts, context), len(self.contexts) - 1)
        known = np.repeat(self.contexts[number] == context, np.diff(offsets))
        wanted = _pairs(np.repeat(number, np.diff(offsets))[known], label[known])
        place = np.minimum(np.searchsorted(self.pairs, wanted), len(self.pairs) - 1)
        found = np.zeros(len(label), np.int64)
        found[known] = np.where(self.pairs[place] == wanted, self.counts[place], 0)
        return found

    def arrays(self, name: str) -> Mapping[str, NDArray[np.generic]]:
        """Return the arrays to save, by names that begin with `name`."""
        return {
            f"{name}.contexts": self.contexts,
            f"{name}.pairs": self.pairs,
            f"{name}.counts": self.counts,
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[np.generic]], name: str) -> MoveCounts:
        """Return what :meth:`arrays` told."""
        return cls(
            arrays[f"{name}.contexts"].astype(np.uint64),
            arrays[f"{name}.pairs"].astype(np.int64),
            arrays[f"{name}.counts"].astype(np.int32),
        )


def _pairs(number: NDArray[np.integer], label: NDArray[np.integer]) -> NDArray[np.int64]:
    return (number.astype(np.int64) << _BITS) + label.astype(np.int64)


def blocks(n: int) -> Iterator[slice]:
    """Cut `n` positions into slices whose legal moves fit into memory with their boards."""
    for begin in range(0, n, _BLOCK):
        yield slice(begin, min(begin + _BLOCK, n))


def legal_labels(positions: Positions, index: Index, vocabulary: Vocabulary) -> NDArray[np.int32]:
    """Return the labels of the legal moves of rows `index`, as `Positions.legal_of` orders them."""
    found = [np.zeros(0, np.int32)]
    for part in blocks(len(index)):
        codes, offsets = positions.legal_of(index[part])
        boards = np.repeat(positions.board[index[part]], np.diff(offsets), axis=0)
        found.append(vocabulary.indices(boards, codes).astype(np.int32))
    return np.concatenate(found)


def last_labels(
    positions: Positions, index: Index, memory: int, vocabulary: Vocabulary
) -> NDArray[np.int32]:
    """Return `[len(index), memory]` labels of the moves before, the latest first; -1 for none.

    Each is the label from the view of the player who made the move.
    """
    rows = positions.previous_rows(index, memory)
    needed = np.unique(rows[rows >= 0])
    label = np.zeros(0, np.int16)
    if len(needed):
        label = vocabulary.indices(positions.board[needed], positions.move[needed])
    found = np.full(rows.shape, -1, np.int32)
    found[rows >= 0] = label[np.searchsorted(needed, rows[rows >= 0])]
    return found
