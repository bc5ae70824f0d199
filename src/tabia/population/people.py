"""Payoff matrices of people: bins of Elo as strategies (Algorithm 1 of "JiangJun", 2023).

A game counts for the two bins that its players' ratings fall into, the player who moved first being
in the row's. How cells are made of games, and what stands where there are none, is said in
:mod:`tabia.population.payoff`; the Elo of a bin is its middle.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tabia.population.payoff import PayoffError, PayoffMatrix, from_counts
from tabia.records.config import EloBins
from tabia.records.elo_bins import bin_column, bin_names

__all__ = ["PeoplePayoff", "bin_of_rows", "payoff_of_people"]


@dataclass(frozen=True, eq=False)
class PeoplePayoff:
    """A payoff matrix of bins, and what became of the games.

    Attributes
    ----------
    matrix
        Strategies are named as bins: ``(1000,1100]``.
    bins
        The bins.
    unrated
        Games of which a player has no rating.
    outside
        Games of which both have one, and one lies in no bin.
    lowest, highest
        Ratings in the games; None where there is none.
    """

    matrix: PayoffMatrix
    bins: EloBins
    unrated: int
    outside: int
    lowest: int | None
    highest: int | None


def payoff_of_people(rows: pa.Table, bins: EloBins) -> PeoplePayoff:
    """Return the payoff matrix of games.

    Parameters
    ----------
    rows
        ``first_elo``, ``second_elo`` and ``result``, first player's view, of a games table; rows
        without a result do not count.
    bins
        The strategies, lowest first.

    Raises
    ------
    PayoffError
        If no game is between players of these bins, with what ratings there are.
    """
    rows = rows.filter(pc.is_valid(rows["result"]))
    first, second = (bin_of_rows(rows[name], bins) for name in ("first_elo", "second_elo"))
    result = rows["result"].to_numpy().astype(np.int64)
    rated = pc.and_(pc.is_valid(rows["first_elo"]), pc.is_valid(rows["second_elo"]))
    n_rated = pc.sum(rated).as_py() or 0
    inside = (first >= 0) & (second >= 0)
    ends = [pc.min_max(rows[name]).as_py() for name in ("first_elo", "second_elo")]
    lowest = min((end["min"] for end in ends if end["min"] is not None), default=None)
    highest = max((end["max"] for end in ends if end["max"] is not None), default=None)
    if not inside.any():
        seen = "no player has a rating" if lowest is None else f"ratings are {lowest} to {highest}"
        raise PayoffError(
            f"no game with a result between players above {bins.low} and up to {bins.high}: {seen}"
        )
    names = bin_names(bins)
    n = len(names)
    # A win of the first player is kind 0, a draw 1, a loss 2.
    cell = (first[inside] * n + second[inside]) * 3 + 1 - result[inside]
    counts = np.bincount(cell, minlength=n * n * 3).reshape(n, n, 3)
    middles = np.arange(bins.low, bins.high, bins.width, dtype=np.float64) + bins.width / 2
    return PeoplePayoff(
        matrix=from_counts(names, counts, middles),
        bins=bins,
        unrated=len(rows) - n_rated,
        outside=n_rated - int(inside.sum()),
        lowest=lowest,
        highest=highest,
    )


def bin_of_rows(elo: pa.Array | pa.ChunkedArray, bins: EloBins) -> NDArray[np.int64]:
    """Return the place of each rating's bin, ``[n]``, from 0; -1 where it is in none."""
    place = pc.index_in(bin_column(elo, bins), pa.array(bin_names(bins)))
    found: NDArray[np.int64] = pc.fill_null(place, -1).to_numpy(zero_copy_only=False)
    return found.astype(np.int64)
