"""What the model `best` makes of its inputs: all of it from the side of the player to move.

A position and its colour flip are one position to the model: values of White and Black become
the mover's and the opponent's, and the target is the mover's. So nothing has to be learnt twice.
Colour symmetry is exact but for ties among equal takers in the swap-off: in rare positions (2 of
8,000 real ones) they make one count of safe moves differ by one between a position and its flip.

Inputs are found by name, and each group may be missing:

* terms, ``white_<term>`` and ``black_<term>``: their difference and their sum, and the guide's own
  value from them: phase, middlegame, endgame, and the two tapered by the phase;
* placement, ``P@a1`` …: the number of pieces of each kind, and the balance of material;
* state, ``white_to_move`` and castling rights (without it, White is the mover);
* tactics, ``mover_…`` and ``opponent_…``: as they are;
* the engine's values, ``input_1`` … in pawns: turned to the mover, with their steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

__all__ = ["MoverView", "View"]

Floats = npt.NDArray[np.float32]

_KINDS = ("pawns", "knights", "bishops", "rooks", "queens")
_LETTERS = "PNBRQ"
_VALUES = np.array([1, 3, 3, 5, 9], np.float32)
_RIGHTS = ("castle_K", "castle_Q", "castle_k", "castle_q")

# The guide's sums; imbalance and bishop pair count a sixteenth.
_BOTH = ("imbalance", "bishop_pair")
_MIDDLEGAME = (
    "piece_value_mg",
    "psqt_mg",
    "pawns_mg",
    "pieces_mg",
    "mobility_mg",
    "threats_mg",
    "passed_mg",
    "space",
    "king_mg",
)
_ENDGAME = (
    "piece_value_eg",
    "psqt_eg",
    "pawns_eg",
    "pieces_eg",
    "mobility_eg",
    "threats_eg",
    "passed_eg",
    "king_eg",
)
_PHASE = (3915.0, 15258.0)  # non-pawn material of both sides at phase 0 and at phase 1
_PAWN = 213.0  # a pawn of the guide's endgame


@dataclass(frozen=True)
class View:
    """Rows as the mover sees them.

    Attributes
    ----------
    side
        ``[n]`` 1 where White is to move, else -1.
    base
        ``[n]`` pawns, the mover's view: the deepest value of the engine that is shown, or 0.
    features
        ``[n, len(names)]``, finite.
    """

    side: Floats
    base: Floats
    features: Floats


@dataclass(frozen=True)
class MoverView:
    """Turns inputs to the mover's view.

    Attributes
    ----------
    columns
        Names of the inputs; those that the module does not know are left out.
    """

    columns: tuple[str, ...]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the features."""
        return tuple(name for name, _ in self._parts(np.zeros((1, len(self.columns)), np.float32)))

    @cached_property
    def fine(self) -> npt.NDArray[np.bool_]:
        """``[len(names)]`` features whose steps matter, so that nets see them in pieces, too."""
        coarse = ("difference:", "sum:", "castle:", "count:")
        return np.array([not name.startswith(coarse) for name in self.names])

    def __call__(self, x: npt.NDArray[np.float32]) -> View:
        """Return the view of inputs ``[n, len(columns)]``."""
        side = self._side(x)
        engine = self._engine(x, side)
        base = engine[-1] if engine else np.zeros(len(x), np.float32)
        features = np.empty((len(x), len(self.names)), np.float32)
        for number, (_, values) in enumerate(self._parts(x)):
            features[:, number] = values
        return View(side, base, features)

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.columns)}

    @cached_property
    def _terms(self) -> tuple[str, ...]:
        white = (name.removeprefix("white_") for name in self.columns if name.startswith("white_"))
        return tuple(name for name in white if f"black_{name}" in self._places)

    def _has(self, names: Sequence[str]) -> bool:
        return all(name in self._places for name in names)

    def _column(self, x: Floats, name: str) -> Floats:
        return np.asarray(x[:, self._places[name]])

    def _side(self, x: Floats) -> Floats:
        if "white_to_move" not in self._places:
            return np.ones(len(x), np.float32)
        return np.where(self._column(x, "white_to_move") < 0, -1, 1).astype(np.float32)

    def _engine(self, x: Floats, side: Floats) -> list[Floats]:
        """Return the engine's values ``[n]``, shallow to deep, the mover's view."""
        names = sorted(name for name in self.columns if name.startswith("input_"))
        return [self._column(x, name) * side for name in names]

    def _parts(self, x: Floats) -> list[tuple[str, Floats]]:
        """Return the features ``[n]`` by name."""
        side = self._side(x)
        found = [
            (name, self._column(x, name))
            for name in self.columns
            if name.startswith(("mover_", "opponent_"))
        ]
        found += self._material(x, side)
        if self._has(_RIGHTS):
            white = [self._column(x, name) for name in _RIGHTS[:2]]
            black = [self._column(x, name) for name in _RIGHTS[2:]]
            for wing, ours, theirs in zip("KQ", white, black, strict=True):
                found.append((f"castle:mover {wing}", np.where(side > 0, ours, theirs)))
                found.append((f"castle:opponent {wing}", np.where(side > 0, theirs, ours)))
        for term in self._terms:
            found.append((f"difference:{term}", self._difference(x, side, term)))
        for term in self._terms:
            found.append((f"sum:{term}", self._sum(x, term)))
        value = self._guide(x, side)
        found += value
        engine = self._engine(x, side)
        for number, values in enumerate(engine, 1):
            found.append((f"engine {number}", values))
            if value:
                found.append((f"engine {number} above guide", values - value[-1][1] / _PAWN))
        for number, (shallow, deep) in enumerate(pairwise(engine), 1):
            found.append((f"engine step {number}", deep - shallow))
            found.append((f"engine step {number}, size", np.abs(deep - shallow)))
        return found

    def _difference(self, x: Floats, side: Floats, term: str) -> Floats:
        white, black = self._column(x, f"white_{term}"), self._column(x, f"black_{term}")
        return side * (white - black)

    def _sum(self, x: Floats, term: str) -> Floats:
        return self._column(x, f"white_{term}") + self._column(x, f"black_{term}")

    def _material(self, x: Floats, side: Floats) -> list[tuple[str, Floats]]:
        layers = {letter: f"{letter}@a1" for letter in _LETTERS + _LETTERS.lower()}
        if not self._has(tuple(layers.values())):
            return []
        counts = {}
        for letter in layers:
            squares = [self._places[f"{letter}@{file}{rank}"] for rank in "12345678"
                       for file in "abcdefgh"]  # fmt: skip
            counts[letter] = np.abs(x[:, squares]).sum(axis=1)
        found = []
        balance = np.zeros(len(x), np.float32)
        for letter, kind, value in zip(_LETTERS, _KINDS, _VALUES, strict=True):
            ours = np.where(side > 0, counts[letter], counts[letter.lower()])
            theirs = np.where(side > 0, counts[letter.lower()], counts[letter])
            found.append((f"count:mover's {kind}", ours))
            found.append((f"count:opponent's {kind}", theirs))
            found.append((f"count:{kind} more", ours - theirs))
            balance = balance + value * (ours - theirs)
        return [*found, ("material", balance)]

    def _guide(self, x: Floats, side: Floats) -> list[tuple[str, Floats]]:
        needed = {*_BOTH, *_MIDDLEGAME, *_ENDGAME, "non_pawn_material"}
        if not needed <= set(self._terms):
            return []
        low, high = _PHASE
        material = np.clip(self._sum(x, "non_pawn_material"), low, high)
        phase = (material - low) / (high - low)
        both = self._summed(x, side, _BOTH) / np.float32(16)
        middle = both + self._summed(x, side, _MIDDLEGAME)
        end = both + self._summed(x, side, _ENDGAME)
        tapered = middle * phase + end * (1 - phase)
        return [
            ("guide, phase", phase),
            ("guide, middlegame", middle),
            ("guide, endgame", end),
            ("guide, tapered", tapered),
        ]

    def _summed(self, x: Floats, side: Floats, terms: Sequence[str]) -> Floats:
        total = np.zeros(len(x), np.float32)
        for term in terms:
            total += self._difference(x, side, term)
        return total
