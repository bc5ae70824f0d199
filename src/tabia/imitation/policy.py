"""The contract between the chapter's stages and a model of moves.

A model is a module with two functions, ``fit`` and ``load``, that return an object with ``predict``
and ``save``. It predicts a distribution over the legal moves of a position; what a net thinks of
moves that are not legal is told beside it, for the ablation of the legality filter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tabia.imitation.positions import Positions

__all__ = ["Fact", "Lesson", "Policy", "PolicyModule", "Prediction"]

Fact = int | float | str

Index = NDArray[np.intp]


@dataclass(frozen=True)
class Lesson:
    """What a model learns from.

    Attributes
    ----------
    positions
        Rated games.
    train, validation
        `[n]` rows of `positions`. No game, and no repetition of one, has rows in both, nor any
        row of the test fold.
    structure
        The structure that a search found, by variable; None for models without a search.
    pretrained
        Folder of the net that was trained on unrated games; None for models that start from
        nothing.
    parts
        Folders of the models that this one is put together from, by name.
    """

    positions: Positions
    train: Index
    validation: Index
    structure: Mapping[str, Any] | None = None
    pretrained: Path | None = None
    parts: Mapping[str, Path] | None = None


@dataclass(frozen=True)
class Prediction:
    """Distributions over the legal moves of some positions.

    Attributes
    ----------
    offsets
        `[n + 1]` int64, as :meth:`tabia.imitation.positions.Positions.legal_of` gives them.
    p
        `[offsets[-1]]` float32: of each legal move, in order of code; sums to 1 in a position.
    illegal
        `[n]` float32: share of the mass that lay on labels of no legal move before the filter;
        None for models that know legal moves only.
    unfiltered
        `[n]` bool: whether the likeliest label of all, legal or not, is that of the move played;
        None as above.
    result
        `[n, 3]` float32: probability that the mover loses, draws, wins; None if not predicted.
    """

    offsets: NDArray[np.int64]
    p: NDArray[np.float32]
    illegal: NDArray[np.float32] | None = None
    unfiltered: NDArray[np.bool_] | None = None
    result: NDArray[np.float32] | None = None


class Policy(Protocol):
    """A trained model of moves."""

    @property
    def n_parameters(self) -> int:
        """How many numbers were fitted."""
        ...

    @property
    def facts(self) -> Mapping[str, Fact]:
        """What training chose, for the card: epochs, trees, weights."""
        ...

    def predict(self, positions: Positions, index: Index) -> Prediction:
        """Return the distributions of rows `index` of `positions`.

        The moves played in the rows above are seen (the history), those of the rows themselves
        only by :attr:`Prediction.unfiltered`.
        """
        ...

    def save(self, folder: Path) -> None:
        """Write the weights into an existing folder; equal models give equal bytes."""
        ...


class PolicyModule(Protocol):
    """A module of models of moves."""

    def fit(self, lesson: Lesson, settings: Mapping[str, Any], seed: int) -> Policy:
        """Train; equal arguments give an equal model.

        Parameters
        ----------
        settings
            The model's section of the configuration as plain values, and ``game`` and
            ``vocabulary``.
        """
        ...

    def load(self, folder: Path) -> Policy:
        """Read a model back; it predicts exactly as the saved one."""
        ...
