"""What cells filled by the Elo expectation do to a game's figures.

Such cells follow from ratings, are transitive among themselves, and are no observation.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tabia.population.geometry import FIGURES, measure
from tabia.population.payoff import Floats, Ints, PayoffMatrix

__all__ = ["CellInfluence", "Influence", "cell_influences", "filled_influence"]


@dataclass(frozen=True, eq=False)
class Influence:
    """Figures with and without filled cells.

    Attributes
    ----------
    filled, half_filled, pairs
        Pairs of strategies with no game at all, with games in one order of moving only, and in all.
    figures
        By the names of `tabia.population.geometry.FIGURES`: of the matrix as it is, and of the same
        with every filled cell 0, which claims nothing of it, and half-filled ones as they were
        played.
    cycles_by_filled
        Cycles with 0, 1, 2 and 3 filled cells: only the first were seen in games.
    """

    filled: int
    half_filled: int
    pairs: int
    figures: dict[str, tuple[float, float]]
    cycles_by_filled: tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class CellInfluence:
    """What one filled cell does.

    Attributes
    ----------
    row, column
        Numbers of the strategies; row is the smaller.
    payoff
        By which the cell was filled.
    cycles
        Cycles that this cell is part of, given its sign.
    cycles_reversed
        Cycles that it would be part of with the other sign.
    nash_change
        Total variation distance, 0 to 1, between the equilibrium and that with the cell 0.
    """

    row: int
    column: int
    payoff: float
    cycles: int
    cycles_reversed: int
    nash_change: float


def filled_influence(matrix: PayoffMatrix) -> Influence:
    """Return what all filled cells of a matrix do together."""
    share = matrix.filled_share
    whole = measure(matrix.payoff, matrix.ratings).figures
    bare = measure(_bare(matrix), matrix.ratings).figures
    n = len(matrix)
    upper = np.triu(np.ones((n, n), np.bool_), 1)
    return Influence(
        filled=int((upper & (share == 1)).sum()),
        half_filled=int((upper & (share == 0.5)).sum()),
        pairs=int(upper.sum()),
        figures={name: (whole[name], bare[name]) for name in FIGURES},
        cycles_by_filled=_cycles_by_filled(matrix.payoff, share == 1),
    )


def cell_influences(matrix: PayoffMatrix) -> list[CellInfluence]:
    """Return what each wholly filled cell does, those that move the equilibrium most first."""
    from tabia.population.nash import max_entropy_nash

    beats = (matrix.payoff > 1e-12).astype(np.int64)
    # [i, j]: ways i, k, j. If i beats j, the ways j, k, i close cycles with it.
    ways: Ints = beats @ beats
    before = max_entropy_nash(matrix.payoff).probabilities
    found = []
    for row, column in np.argwhere(np.triu(matrix.filled_share == 1, 1)):
        payoff = matrix.payoff.copy()
        payoff[row, column] = payoff[column, row] = 0.0
        after = max_entropy_nash(payoff).probabilities
        value = float(matrix.payoff[row, column])
        with_row, with_column = int(ways[column, row]), int(ways[row, column])
        closes, opposite = (with_row, with_column) if value > 0 else (with_column, with_row)
        found.append(
            CellInfluence(
                row=int(row),
                column=int(column),
                payoff=value,
                cycles=closes if abs(value) > 1e-12 else 0,
                cycles_reversed=opposite,
                nash_change=float(np.abs(after - before).sum() / 2),
            )
        )
    found.sort(key=lambda cell: (-round(cell.nash_change, 9), -cell.cycles, cell.row, cell.column))
    return found


def _bare(matrix: PayoffMatrix) -> Floats:
    payoff: Floats = np.where(matrix.filled_share == 1, 0.0, matrix.payoff)
    if matrix.counts is None or matrix.filled is None:
        return payoff
    half = matrix.filled_share == 0.5
    played = matrix.counts.sum(axis=2)
    first = (matrix.counts[..., 0] - matrix.counts[..., 2]) / np.maximum(played, 1)
    alone = first - first.T  # one of both is 0, where only one was played
    bare: Floats = np.where(half, alone, payoff)
    return bare


def _cycles_by_filled(payoff: Floats, filled: np.ndarray) -> tuple[int, int, int, int]:
    beats = payoff > 1e-12
    seen, guessed = (beats & ~filled).astype(np.float64), (beats & filled).astype(np.float64)
    # tr((seen + t guessed)³) / 3 is a polynomial in t whose coefficients are the numbers sought.
    one = np.trace(seen @ seen @ guessed)
    two = np.trace(seen @ guessed @ guessed)
    none, three = np.trace(seen @ seen @ seen) / 3, np.trace(guessed @ guessed @ guessed) / 3
    return (round(float(none)), round(float(one)), round(float(two)), round(float(three)))
