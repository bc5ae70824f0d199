"""Strengths of players by maximum likelihood: Bradley and Terry's model, and Davidson's with draws.

d is how much stronger the player is who moves first than the other one, plus the advantage of the
first move, in natural units (1 is 174 Elo where there are no draws).

*points* (Bradley and Terry 1952): who moves first scores 1 / (1 + exp(-d)) points a game. A draw is
half a game won and half a game lost. This is what Elo means, here as in :mod:`tabia.match.elo`.

*davidson* (Davidson 1970, with Davidson and Beaver's advantage of the first move, 1977): won, drawn
and lost are as likely as exp(d / 2) : nu : exp(-d / 2), and nu is estimated too.

Either likelihood is concave in all that is estimated, so there is one answer; it is found by
Newton's method.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tabia.match.elo import ELO_SCALE

__all__ = ["NATURAL_ELO", "Cells", "FitError", "Model", "Strengths", "expected", "fit", "fit_each"]

Model = Literal["points", "davidson"]

NATURAL_ELO = ELO_SCALE / math.log(10)
"""Elo of a natural unit."""

_NO_ANSWER = "these results determine no finite strengths"
_MOST = 700.0  # exponent of a number
_STEPS = 200
_CLOSE = 1e-9
_LONGEST = 1.0  # step, natural units: from afar a whole one can leave its region of trust
_ROUNDS = 10_000
_DENSE = 300  # parameters up to which a full matrix is the faster one
_AT_ONCE = 4_000_000  # numbers in the matrices that are solved side by side: 32 MB

_Floats = NDArray[np.float64]
_Places = NDArray[np.intp]


class FitError(ValueError):
    """Results that determine no finite strengths."""

    exit_code = 3


@dataclass(frozen=True, slots=True)
class Cells:
    """Results, together for all games with the same players in the same order.

    Attributes
    ----------
    first, second
        ``[m]`` who moves first, and the other, by number.
    won, drawn, lost
        ``[m]`` games by result of the first; need not be whole. ``[k, m]``: k such tables.
    """

    first: _Places
    second: _Places
    won: _Floats
    drawn: _Floats
    lost: _Floats


@dataclass(frozen=True, slots=True)
class Strengths:
    """What was estimated, in natural units.

    Attributes
    ----------
    players
        ``[n]``.
    advantage
        Of the first move; 0 where none was asked for.
    nu
        Davidson's: a draw is nu / (2 + nu) likely between equals; 0 in the model of points.
    """

    players: _Floats
    advantage: float
    nu: float

    @property
    def elo(self) -> float:
        """Elo of a natural unit: small differences give the score that Elo says they give.

        Between equals the score rises by 1 / (2 (2 + nu)) with d, by 1 / 4 where nu is 0.
        """
        return NATURAL_ELO * 2 / (2 + self.nu)


def expected(d: _Floats, nu: _Floats | float = 0.0) -> tuple[_Floats, _Floats]:
    """Return expected points a game of who moves first and the probability of a draw.

    Parameters
    ----------
    d
        Differences, natural units, the advantage of the first move in them.
    nu
        Davidson's; 0 is the model of points, in which draws have no probability.
    """
    # By the smaller of both exponentials: neither overflows.
    less = np.exp(-np.abs(d) / 2)
    total = 1 + less**2 + nu * less
    best = (1 + nu * less / 2) / total
    return np.where(d >= 0, best, 1 - best), nu * less / total


def fit(
    players: int,
    cells: Cells,
    held: Mapping[int, float],
    *,
    advantage: bool,
    model: Model = "points",
) -> Strengths:
    """Return the likeliest strengths.

    Parameters
    ----------
    players
        Their number.
    cells
        The results.
    held
        Strengths that are given, by player: at least one of all that are joined by games.
    advantage
        Whether the first move may be worth something.
    model
        Which one. Davidson's without a single draw is the model of points.

    Raises
    ------
    FitError
        If there is no finite answer: a player or a group of them lost or won every game against
        all others, every game was drawn (Davidson), or order of moving and strength cannot be told
        apart.
    """
    one = Cells(cells.first, cells.second, cells.won[None], cells.drawn[None], cells.lost[None])
    return next(fit_each(players, one, held, advantage=advantage, model=model))


def fit_each(
    players: int,
    cells: Cells,
    held: Mapping[int, float],
    *,
    advantage: bool,
    model: Model = "points",
    start: Strengths | None = None,
) -> Iterator[Strengths]:
    """Yield the likeliest strengths of each of k tables of results; see `fit`.

    Parameters
    ----------
    cells
        With ``[k, m]`` results; all of them together decide whether there are draws.
    start
        Where to begin: the answer to a similar question.

    Raises
    ------
    FitError
        If one of them has no finite answer.
    """
    work = _Work(players, cells, held, advantage, model)
    at_once = max(1, _AT_ONCE // (work.count + 1) ** 2) if work.is_dense else 1
    for begin in range(0, len(cells.won), at_once):
        part = slice(begin, begin + at_once)
        games = _Results(cells.won[part], cells.drawn[part], cells.lost[part])
        value = work.start(games, start)
        for _ in range(_STEPS):
            step = work.step(value, games)
            longest = np.abs(step).max(axis=1, initial=0.0)
            if not np.isfinite(longest).all():
                raise FitError(_NO_ANSWER)
            value = value + step / np.maximum(longest / _LONGEST, 1.0)[:, None]
            if longest.max() < _CLOSE:
                break
        else:
            raise FitError(_NO_ANSWER)
        yield from map(work.strengths, value)


class _Results:
    """Tables of results ``[k, m]``."""

    def __init__(self, won: _Floats, drawn: _Floats, lost: _Floats) -> None:
        self.drawn = drawn
        self.games = won + drawn + lost
        self.points = won + drawn / 2


class _Work:
    """Parameters as vectors ``[k, count]``: players that are not held, the advantage, log nu."""

    def __init__(
        self, players: int, cells: Cells, held: Mapping[int, float], advantage: bool, model: Model
    ) -> None:
        # Imported late: the processes that only play need no scipy.
        from scipy import sparse

        self._given = np.zeros(players)
        self._given[list(held)] = list(held.values())
        self._free = np.setdiff1d(np.arange(players), np.array(list(held), np.intp))
        self._advantage = advantage
        self._has_draws = model == "davidson" and bool(cells.drawn.sum() > 0)
        self._linear = len(self._free) + advantage
        self.count = self._linear + self._has_draws
        self.is_dense = self.count <= _DENSE
        self._offset = self._given[cells.first] - self._given[cells.second]
        # d is linear in all but nu: one or two players and the advantage a cell. Held players
        # share a column behind all others, which is cut off.
        m, width = len(cells.first), self._linear + 1
        place = np.full(players, self._linear, np.intp)
        place[self._free] = np.arange(len(self._free))
        columns = np.stack([place[cells.first], place[cells.second]], axis=1)
        signs = np.tile([1.0, -1.0], (m, 1))
        if advantage:
            columns = np.column_stack([columns, np.full(m, len(self._free))])
            signs = np.column_stack([signs, np.ones(m)])
        rows = np.repeat(np.arange(m), columns.shape[1])
        self._design = sparse.csr_array((signs.ravel(), (rows, columns.ravel())), (m, width))[
            :, : self._linear
        ]
        if self.is_dense:
            squares = columns[:, :, None] * width + columns[:, None, :]
            products = signs[:, :, None] * signs[:, None, :]
            rows = np.repeat(np.arange(m), columns.shape[1] ** 2)
            self._squares = sparse.csr_array(
                (products.ravel(), (rows, squares.ravel())), (m, width**2)
            ).T.tocsr()

    def start(self, games: _Results, like: Strengths | None) -> _Floats:
        """Return where to begin."""
        value = np.zeros((len(games.games), self.count))
        if like is not None:
            value[:, : len(self._free)] = like.players[self._free]
            if self._advantage:
                value[:, len(self._free)] = like.advantage
        if self._has_draws:
            share = np.clip(games.drawn.sum(axis=1) / games.games.sum(axis=1), 1e-3, 0.99)
            value[:, -1] = np.log(2 * share / (1 - share))
        return value

    def strengths(self, value: _Floats) -> Strengths:
        """Return what a vector ``[count]`` says."""
        players = self._given.copy()
        players[self._free] = value[: len(self._free)]
        return Strengths(
            players,
            float(value[len(self._free)]) if self._advantage else 0.0,
            math.exp(min(float(value[-1]), _MOST)) if self._has_draws else 0.0,
        )

    def step(self, value: _Floats, results: _Results) -> _Floats:
        """Return Newton's steps from vectors; not finite where the curvature has no inverse."""
        games = results.games
        d = self._offset + (self._design @ value[:, : self._linear].T).T
        nu = np.exp(np.minimum(value[:, -1:], _MOST)) if self._has_draws else 0.0
        points, draw = expected(d, nu)
        error = results.points - games * points
        slope = (self._design.T @ error.T).T
        # Variances of score and of draw, and their covariance, of one game. The score is 0, 1/2, 1.
        spread = games * (points - draw / 4 - points**2)
        border = corner = None
        if self._has_draws:
            slope = np.column_stack([slope, (results.drawn - games * draw).sum(axis=1)])
            border = (self._design.T @ (games * draw * (0.5 - points)).T).T
            corner = (games * draw * (1 - draw)).sum(axis=1)
        if not self.count:
            return np.asarray(slope, np.float64)
        if not self.is_dense:
            return self._iterated(spread[0], border, corner, slope[0])[None]
        k, width, linear = len(value), self._linear + 1, self._linear
        curve = np.zeros((k, self.count, self.count))
        square = (self._squares @ spread.T).T.reshape(k, width, width)
        curve[:, :linear, :linear] = square[:, :linear, :linear]
        if border is not None and corner is not None:
            curve[:, :linear, -1] = curve[:, -1, :linear] = border
            curve[:, -1, -1] = corner
        try:
            found = np.linalg.solve(curve, slope[..., None])[..., 0]
        except np.linalg.LinAlgError:
            return np.full_like(value, np.nan)
        return np.asarray(found, np.float64)

    def _iterated(
        self, spread: _Floats, border: _Floats | None, corner: _Floats | None, slope: _Floats
    ) -> _Floats:
        """Return the step of one vector by conjugate gradients.

        Games among many join them in a tangle that no order of elimination keeps sparse: for 4,500
        players that took 12 s, and this 0.1 s.
        """
        from scipy import sparse
        from scipy.sparse import linalg

        curve = self._design.T @ sparse.diags_array(spread) @ self._design
        if border is not None and corner is not None:
            side = sparse.csr_array(border)
            curve = sparse.block_array([[curve, side.T], [side, corner[:, None]]], format="csr")
        scale = curve.diagonal()
        if not scale.min() > 0.0:
            return np.full_like(slope, np.nan)
        step, failed = linalg.cg(
            curve, slope, rtol=_CLOSE, maxiter=_ROUNDS, M=sparse.diags_array(1 / scale)
        )
        return np.asarray(np.full_like(slope, np.nan) if failed else step, np.float64)
