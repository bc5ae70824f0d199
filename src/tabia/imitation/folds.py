"""Which games a model learns from, which decide its settings and which test it: always by game.

The fold of a game follows from its content, so that a game that was recorded twice is never on
both sides. Within the games that are not held back a share is set apart for validation, by content
too, and by another number in every fold.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tabia.imitation.names import ALL, FINAL
from tabia.imitation.positions import Positions
from tabia.records.hashing import fold_of, unit_of

__all__ = ["EmptyFoldError", "Parts", "bin_ends", "in_bin", "parts"]

Index = NDArray[np.intp]

_VALIDATION = 0x56414C4944000004


class EmptyFoldError(ValueError):
    """A bin and fold without positions to learn from."""

    exit_code = 2


@dataclass(frozen=True)
class Parts:
    """Rows of a samples table by their use.

    Attributes
    ----------
    train, validation
        `[n]` rows of the bin.
    test
        `[n]` rows of the test fold, of whatever Elo; empty for the final model.
    """

    train: Index
    validation: Index
    test: Index


def bin_ends(name: str) -> tuple[int, int] | None:
    """Return the ends of a bin by its name in paths: ``1000-1100`` is above 1000, up to 1100.

    ``all`` has none.
    """
    if name == ALL:
        return None
    low, high = name.split("-")
    return int(low), int(high)


def in_bin(positions: Positions, name: str, member: str) -> NDArray[np.bool_]:
    """Return which rows belong to a bin, `[n]`.

    Parameters
    ----------
    member
        ``mover``: the mover's Elo is in the bin; ``both``: both players' are.
    """
    ends = bin_ends(name)
    if ends is None:
        return np.ones(len(positions), np.bool_)
    low, high = ends
    inside = (positions.mover_elo > low) & (positions.mover_elo <= high)
    if member == "both":
        inside &= (positions.other_elo > low) & (positions.other_elo <= high)
    return inside


def parts(
    positions: Positions, name: str, fold: str, *, member: str, folds: int, validation: float
) -> Parts:
    """Return the rows that a model of bin `name` learns from when `fold` is held back.

    Raises
    ------
    EmptyFoldError
        If nothing is left to learn from, or to decide on.
    """
    inside = in_bin(positions, name, member)
    of = fold_of(positions.split_hash, folds)
    held = np.zeros(len(positions), np.bool_) if fold == FINAL else of == int(fold)
    salt = _VALIDATION + (folds if fold == FINAL else int(fold))
    deciding = unit_of(positions.split_hash, salt) < validation
    found = Parts(
        train=np.flatnonzero(inside & ~held & ~deciding),
        validation=np.flatnonzero(inside & ~held & deciding),
        test=np.flatnonzero(held),
    )
    for what in ("train", "validation"):
        if not len(getattr(found, what)):
            raise EmptyFoldError(
                f"imitation.{positions.game}: bin {name} has no {what} position in fold {fold};"
                " take wider elo_bins, fewer folds or more games"
            )
    return found
