"""How often moves were played where they could be, by context.

The rate of a move in a context is the share of the training positions with that move in that
context in which it was played. Few positions say little, so a rate is drawn towards that of the
coarser context: with `k` of `n` played and the coarser rate `r`, it is ``(k + 4 r) / (n + 4)``.

A model that learns from rates must not see its own rows in them: it would trust them too much. So
the rates of the training rows are those of the other parts of the games (cross-fitting, as in
out-of-fold target encoding).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tabia.imitation.move_contexts import COARSER

__all__ = ["PARTS", "RATE_NAMES", "PlayRates"]

PARTS = 10
"""Parts of the training games; the rates of each are found on the others."""

RATE_NAMES = (
    *(f"rate_{name}" for name in COARSER),
    *(f"seen_{name}" for name in COARSER),
)
"""Columns of rates: logarithm of the rate, logarithm of 1 + n."""

_PRIOR = 4.0
_LEAST = 2  # n below which a context counts as unknown; the rest is most of the memory

Hashes = NDArray[np.uint64]
Contexts = Mapping[str, Callable[[], Hashes]]


@dataclass(frozen=True)
class _Tally:
    """Moves in a context: hashes `[c]`, ascending, and `[c]` int32 how often possible, played."""

    keys: Hashes
    possible: NDArray[np.int32]
    played: NDArray[np.int32]

    def find(self, keys: Hashes) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        if not len(self.keys):
            return np.zeros(len(keys), np.int64), np.zeros(len(keys), np.int64)
        place = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        known = self.keys[place] == keys
        return (
            np.where(known, self.possible[place], 0).astype(np.int64),
            np.where(known, self.played[place], 0).astype(np.int64),
        )


@dataclass(frozen=True)
class PlayRates:
    """Counts by context.

    Attributes
    ----------
    base
        Share of all legal moves that was played.
    tallies
        Counts of each context.
    """

    base: float
    tallies: Mapping[str, _Tally]

    @classmethod
    def count(
        cls, contexts: Contexts, played: NDArray[np.bool_], part: NDArray[np.intp]
    ) -> tuple[PlayRates, NDArray[np.float32]]:
        """Count the legal moves of training positions.

        Parameters
        ----------
        contexts
            For each context, hashes `[M]` of the moves.
        played
            `[M]` whether the move was played.
        part
            `[M]` the part of the games that it belongs to, below :data:`PARTS`.

        Returns
        -------
        The counts, and the features `[M, len(RATE_NAMES)]` of the moves counted, each from the
        other parts.
        """
        base = float(played.mean())
        tallies: dict[str, _Tally] = {}
        counts: dict[str, tuple[NDArray[np.int64], NDArray[np.int64]]] = {}
        for name in COARSER:
            keys, number = np.unique(contexts[name](), return_inverse=True)
            cell = number * PARTS + part
            shape = (len(keys), PARTS)
            size = len(keys) * PARTS
            possible = np.bincount(cell, minlength=size).reshape(shape)
            chosen = np.bincount(cell[played], minlength=size).reshape(shape)
            all_possible, all_chosen = possible.sum(1), chosen.sum(1)
            kept = all_possible >= _LEAST
            tallies[name] = _Tally(
                keys[kept], all_possible[kept].astype("i4"), all_chosen[kept].astype("i4")
            )
            counts[name] = _enough(
                all_possible[number] - possible[number, part],
                all_chosen[number] - chosen[number, part],
            )
        return cls(base, tallies), _features(counts, base)

    def features(self, contexts: Contexts) -> NDArray[np.float32]:
        """Return `[M, len(RATE_NAMES)]` of moves of other games."""
        counts = {name: self.tallies[name].find(contexts[name]()) for name in COARSER}
        return _features(counts, self.base)

    def arrays(self) -> Mapping[str, NDArray[np.generic]]:
        """Return the arrays to save."""
        found: dict[str, NDArray[np.generic]] = {"base": np.array([self.base])}
        for name, tally in self.tallies.items():
            found |= {
                f"{name}.keys": tally.keys,
                f"{name}.possible": tally.possible,
                f"{name}.played": tally.played,
            }
        return found

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[np.generic]]) -> PlayRates:
        """Return what :meth:`arrays` told."""
        tallies = {
            name: _Tally(
                arrays[f"{name}.keys"].astype(np.uint64),
                arrays[f"{name}.possible"].astype(np.int32),
                arrays[f"{name}.played"].astype(np.int32),
            )
            for name in COARSER
        }
        return cls(float(arrays["base"].astype(np.float64)[0]), tallies)


def _enough(
    possible: NDArray[np.int64], played: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    enough = possible >= _LEAST
    return np.where(enough, possible, 0), np.where(enough, played, 0)


def _features(
    counts: Mapping[str, tuple[NDArray[np.int64], NDArray[np.int64]]], base: float
) -> NDArray[np.float32]:
    rates: dict[str, NDArray[np.float64]] = {}
    for name, coarser in COARSER.items():
        possible, played = counts[name]
        towards = base if coarser is None else rates[coarser]
        rates[name] = (played + _PRIOR * towards) / (possible + _PRIOR)
    columns = [np.log(rate) for rate in rates.values()]
    columns += [np.log1p(possible) for possible, _ in counts.values()]
    return np.stack([column.astype(np.float32) for column in columns], axis=1)
