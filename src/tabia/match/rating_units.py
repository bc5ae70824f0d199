"""What ratings are drawn from: the units of their bootstrap."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tabia.match.rated_games import Games
from tabia.match.strength import Cells

__all__ = ["Units"]

_Floats = NDArray[np.float64]
_Places = NDArray[np.intp]

_LEAST = 1e-9  # weight of a prior's game in a draw; its strengths would be beyond any number


class Units:
    """Games, pairs of games, and what each player brings: sizes, and what each adds to which cell.

    Parameters
    ----------
    games
        What was played.
    prior
        Games that each player brings, half won and half lost, spread over his opponents as his
        games are, and over both orders of moving.
    """

    def __init__(self, games: Games, prior: float) -> None:
        n = len(games.names)
        order = games.first * n + games.second
        back = games.second * n + games.first
        cells, cell = np.unique(np.concatenate([order, back]), return_inverse=True)
        mine, back = cell[: len(order)], cell[len(order) :]
        self._first, self._second = cells // n, cells % n
        place = mine * 3 + (1 - games.result.astype(np.intp))
        if games.unit is None:
            # Sums of exponential weights are gamma weights: one unit for all games that are alike.
            place, counts = np.unique(place, return_counts=True)
            unit = np.arange(len(place))
            self.sizes = counts.astype(np.float64)
        else:
            _, unit = np.unique(games.unit, return_inverse=True)
            self.sizes = np.ones(int(unit.max()) + 1)
        self._unit, self._place, self._share = unit, place, np.ones(len(place))
        self._played = len(self.sizes)
        if prior:
            self._add_prior(games, prior, mine, back)
        from scipy import sparse

        self._adds = sparse.csr_array(
            (self._share, (self._place, self._unit)), (3 * len(cells), len(self.sizes))
        )

    def _add_prior(self, games: Games, prior: float, mine: _Places, back: _Places) -> None:
        """Each player is a unit of games won and one of games lost, in both orders."""
        n = len(games.names)
        each = np.bincount(games.first, minlength=n) + np.bincount(games.second, minlength=n)
        units, places, shares = [], [], []
        for player, ahead, behind in ((games.first, mine, back), (games.second, back, mine)):
            # `ahead`: the cell in which the player moves first. Half of his games are in each.
            share = 1 / each[player] / 2
            for won in (True, False):
                unit = self._played + 2 * player + (not won)
                units += [unit, unit]
                places += [ahead * 3 + (0 if won else 2), behind * 3 + (2 if won else 0)]
                shares += [share, share]
        self._unit = np.concatenate([self._unit, *units])
        self._place = np.concatenate([self._place, *places])
        self._share = np.concatenate([self._share, *shares])
        self.sizes = np.concatenate([self.sizes, np.full(2 * n, prior / 2)])

    def draw(self, rng: np.random.Generator, draws: int) -> _Floats:
        """Return weights of the units, ``[draws, units]``."""
        weights = rng.standard_gamma(self.sizes, (draws, len(self.sizes)))
        weights[:, self._played :] = np.maximum(weights[:, self._played :], _LEAST)
        return weights

    def cells(self, weights: _Floats) -> Cells:
        """Return the results with units of such weights, ``[draws, units]``."""
        counts = (self._adds @ weights.T).T.reshape(len(weights), -1, 3)
        won, drawn, lost = np.ascontiguousarray(np.moveaxis(counts, 2, 0))
        return Cells(self._first, self._second, won, drawn, lost)
