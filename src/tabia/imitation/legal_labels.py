"""From a distribution over move labels to one over legal moves: the local legality filter.

A label net scores every label of its vocabulary, legal or not. The filter keeps the labels of
legal moves and renormalises their probabilities; the share that it throws away is told beside, and
so is whether the net would have been right without it (section II-C and the last column of Table
III of Zhou, arXiv 2407.04678). Where several legal moves have one label, they share its
probability evenly.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tabia.imitation.policy import Index, Prediction
from tabia.imitation.positions import Positions

__all__ = ["joined", "over_legal", "played_labels", "window"]


def window(positions: Positions, index: Index) -> slice:
    """Return the rows from the first of the games of `index` ``[n]`` to the last of `index`."""
    if not len(index):
        return slice(0, 0)
    return slice(int((index - positions.row_in_game[index]).min()), int(index.max()) + 1)


def played_labels(positions: Positions, index: Index | slice, vocabulary: str) -> NDArray[np.int64]:
    """Return the labels of the moves played in some rows, each from its own mover's view."""
    label = positions.view.vocabularies[vocabulary].indices
    return label(positions.board[index], positions.move[index]).astype(np.int64)


def over_legal(
    positions: Positions,
    index: Index,
    log_p: NDArray[np.float32],
    vocabulary: str,
) -> Prediction:
    """Return the distributions over the legal moves of rows `index`.

    Parameters
    ----------
    log_p
        `[len(index), labels]` logarithms of probabilities of all labels.
    vocabulary
        Name of the vocabulary that the labels belong to.
    """
    label = positions.view.vocabularies[vocabulary].indices
    codes, offsets = positions.legal_of(index)
    row = np.repeat(np.arange(len(index)), np.diff(offsets))
    labels = label(positions.board[index[row]], codes).astype(np.int64)
    legal = log_p[row, labels].astype(np.float64)
    most = np.maximum.reduceat(legal, offsets[:-1])
    _, group, sharing = np.unique(
        row * log_p.shape[1] + labels, return_inverse=True, return_counts=True
    )
    # By the likeliest legal label, so that no sum is zero however little of the mass is legal.
    mass = np.exp(legal - most[row]) / sharing[group]
    total = np.add.reduceat(mass, offsets[:-1])
    return Prediction(
        offsets=offsets,
        p=(mass / total[row]).astype(np.float32),
        illegal=np.clip(1 - total * np.exp(most), 0, 1).astype(np.float32),
        unfiltered=log_p.argmax(axis=1) == played_labels(positions, index, vocabulary),
    )


def joined(parts: Sequence[Prediction]) -> Prediction:
    """Return predictions of consecutive rows as one; all tell of illegal labels."""
    ends = np.cumsum([0, *(part.offsets[-1] for part in parts)])
    starts = [part.offsets[:-1] + end for part, end in zip(parts, ends[:-1], strict=True)]
    return Prediction(
        offsets=np.concatenate([*starts, ends[-1:]]).astype(np.int64),
        p=np.concatenate([np.empty(0, np.float32), *(part.p for part in parts)]),
        illegal=np.concatenate(
            [np.empty(0, np.float32), *(part.illegal for part in parts if part.illegal is not None)]
        ),
        unfiltered=np.concatenate(
            [np.empty(0, np.bool_), *(p.unfiltered for p in parts if p.unfiltered is not None)]
        ),
    )
