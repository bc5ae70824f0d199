"""The maximum-entropy Nash equilibrium of an antisymmetric game.

Such a game has the value 0 and both players the same equilibria: all mixtures p with

    M p <= 0,   sum p = 1,   p >= 0,

M p being what each strategy gains against p. They are a convex set, so that exactly one of them has
the largest entropy -sum p ln p (Ortiz, Schapire and Kakade 2007). It plays whatever any equilibrium
plays, and treats equal strategies equally.

The problem is one of exponential cones, which Clarabel's interior points solve. As p = 0 is where
the entropy has no slope, and the constraints have no inside, these stop at about 1e-9. So the
answer is polished: which strategies are played tells which gains are 0, what is left of the problem
is linear equations and, where those leave a choice, Newton's method within it. Payoffs are divided
by the largest first, so that nothing depends on their unit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tabia.population.payoff import Floats

__all__ = [
    "SUPPORT",
    "TOLERANCE",
    "Equilibrium",
    "NashError",
    "entropy",
    "exploitability",
    "max_entropy_nash",
]

SUPPORT = 1e-6
"""Probability from which on a strategy is said to be played."""

TOLERANCE = 1e-9
"""Largest exploitability of an answer, as a share of the largest payoff."""

_SOLVER = 1e-11  # tighter does not help: see the module
_CUTS = (1e-6, 1e-7, 1e-5, 1e-8, 1e-4, 1e-3)  # supports that are tried, as probabilities
_RANK = 1e-10
_EXACT = 1e-12
_NEWTON = 100
_EXCHANGES = 50


class NashError(RuntimeError):
    """A game that no equilibrium was found of that is good enough."""


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """A mixture of strategies.

    Attributes
    ----------
    probabilities
        ``[n]`` float64, not negative, of sum 1.
    exploitability
        What the best strategy gains against it, in payoffs a game; 0 in an equilibrium.
    """

    probabilities: Floats
    exploitability: float

    @property
    def support(self) -> tuple[int, ...]:
        """Numbers of the strategies that are played, with `SUPPORT` at least."""
        return tuple(int(number) for number in np.flatnonzero(self.probabilities >= SUPPORT))

    @property
    def entropy(self) -> float:
        """In nats; 0 of a pure strategy, ln n of n equally likely ones."""
        return entropy(self.probabilities)


def entropy(probabilities: Floats) -> float:
    """Entropy of a mixture in nats."""
    played = probabilities[probabilities > 0]
    return float(max(0.0, -(played * np.log(played)).sum()))


def exploitability(payoff: Floats, probabilities: Floats) -> float:
    """Return what the best strategy gains against a mixture, in payoffs a game.

    Parameters
    ----------
    payoff
        ``[n, n]`` antisymmetric.
    probabilities
        ``[n]``.
    """
    return float(max(0.0, (payoff @ probabilities).max()))


def max_entropy_nash(payoff: Floats) -> Equilibrium:
    """Return the one equilibrium of largest entropy.

    Parameters
    ----------
    payoff
        ``[n, n]`` float64, antisymmetric, in any unit.

    Raises
    ------
    NashError
        If no answer is within `TOLERANCE`, which no matrix is known to bring about.
    """
    game = np.asarray(payoff, np.float64)
    n = len(game)
    if game.shape != (n, n) or n == 0 or not np.isfinite(game).all() or (game != -game.T).any():
        raise ValueError(f"payoffs {game.shape} are not antisymmetric numbers")
    scale = float(np.abs(game).max())
    if scale == 0.0:
        return _equilibrium(game, np.full(n, 1.0 / n))
    scaled = game / scale
    scaled[np.abs(scaled) < _EXACT] = 0.0  # means of games that cancel leave so much by rounding
    # Who beats all others is the only equilibrium: if q is one, it must not lose to that strategy.
    beaten = (scaled > 0).sum(axis=1)
    best = int(beaten.argmax())
    if beaten[best] == n - 1:
        pure = np.zeros(n)
        pure[best] = 1.0
        return _equilibrium(game, pure)
    rough = _interior_point(scaled)
    found = _best_polish(scaled, rough)
    if exploitability(scaled, found) > TOLERANCE:
        raise NashError(
            f"game of {n} strategies: exploitability {exploitability(scaled, found):.2g} of the"
            f" largest payoff, more than {TOLERANCE:g}"
        )
    return _equilibrium(game, found)


def _equilibrium(game: Floats, probabilities: Floats) -> Equilibrium:
    return Equilibrium(probabilities, exploitability(game, probabilities))


def _interior_point(game: Floats) -> Floats:
    """Solve to about 1e-9: maximise sum t with t_i <= -p_i ln p_i, a cone each."""
    import clarabel  # late: many who import this module solve nothing
    from scipy import sparse

    n = len(game)
    none = sparse.csc_matrix((n, n))
    # Variables p, t. Rows: sum p = 1; M p <= 0; and (t_i, p_i, 1) in the exponential cone.
    index = np.arange(n)
    cones = sparse.coo_matrix(
        (
            np.full(2 * n, -1.0),
            (np.concatenate([3 * index, 3 * index + 1]), np.concatenate([n + index, index])),
        ),
        (3 * n, 2 * n),
    )
    total = sparse.csc_matrix(np.concatenate([np.ones(n), np.zeros(n)])[None, :])
    rows = sparse.vstack([total, sparse.hstack([sparse.csc_matrix(game), none]), cones])
    bounds = np.concatenate([[1.0], np.zeros(n), np.tile([0.0, 0.0, 1.0], n)])
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.max_threads = 1  # sums must not depend on the machine
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = _SOLVER
    solver = clarabel.DefaultSolver(
        sparse.csc_matrix((2 * n, 2 * n)),
        np.concatenate([np.zeros(n), np.full(n, -1.0)]),
        rows.tocsc(),
        bounds,
        [
            clarabel.ZeroConeT(1),
            clarabel.NonnegativeConeT(n),
            *(clarabel.ExponentialConeT() for _ in range(n)),
        ],
        settings,
    )
    return _mixture(np.array(solver.solve().x[:n]))


def _mixture(values: Floats) -> Floats:
    positive = np.maximum(np.nan_to_num(values, nan=0.0), 0.0)
    total = positive.sum()
    mixed: Floats = positive / total if total > 0 else np.full(len(values), 1.0 / len(values))
    return mixed


def _best_polish(game: Floats, rough: Floats) -> Floats:
    """Polish for several cut-offs; return the exact answer of largest entropy, else the closest."""
    best, exact = rough, exploitability(game, rough) <= _EXACT
    tried: set[bytes] = set()
    for cut in _CUTS:
        support = np.flatnonzero(rough > cut)
        if len(support) == 0 or support.tobytes() in tried:
            continue
        tried.add(support.tobytes())
        polished = _polish(game, rough, support)
        if polished is None:
            continue
        good = exploitability(game, polished) <= _EXACT
        if good:
            # The cut-offs nearest to the solver's own accuracy come first: the first that is exact
            # and has no less entropy than the solver found is the answer.
            if entropy(polished) >= entropy(rough) - 1e-6:
                return polished
            if not exact or entropy(polished) > entropy(best):
                best, exact = polished, True
        elif not exact and exploitability(game, polished) < exploitability(game, best):
            best = polished
    return best


def _polish(game: Floats, rough: Floats, support: NDArray[np.intp]) -> Floats | None:
    """Return the mixture of largest entropy on `support` with gain 0 there, or None.

    Strategies outside that would gain are made to gain 0 as well, one after the other; they are
    let go where the entropy would rise by it.
    """
    active: list[int] = []
    outside = np.setdiff1d(np.arange(len(game)), support)
    for _ in range(_EXCHANGES):
        rows = np.concatenate([support, np.array(active, np.intp)])
        played, prices = _equal_gains(game[np.ix_(rows, support)], rough[support], len(support))
        if played is None:
            if len(active) < 2:
                return None
            active.pop(0)  # what was asked for first cannot hold beside what was asked for since
            continue
        found = np.zeros(len(game))
        found[support] = played
        gains = game @ found
        worst = outside[gains[outside].argmax()] if len(outside) else None
        if worst is not None and gains[worst] > _EXACT and worst not in active:
            active.append(int(worst))
            continue
        if active and prices is not None and prices[len(support) :].min() < -_RANK:
            active.pop(int(prices[len(support) :].argmin()))
            continue
        return _mixture(found)
    return None


def _equal_gains(rows: Floats, start: Floats, n_prices: int) -> tuple[Floats | None, Floats | None]:
    """Maximise the entropy of p with ``rows @ p = 0`` and sum 1.

    Returns
    -------
    p
        ``[k]`` positive, or None if there is no such p.
    prices
        Multipliers of the rows: what entropy a gain allowed there would bring. None where the
        equations leave no choice.
    """
    k = len(start)
    equations = np.vstack([rows, np.ones(k)])
    wanted = np.zeros(len(equations))
    wanted[-1] = 1.0
    left, sizes, right = np.linalg.svd(equations, full_matrices=True)
    rank = int((sizes > _RANK * sizes[0]).sum())
    point = right[:rank].T @ ((left[:, :rank].T @ wanted) / sizes[:rank])
    if np.abs(equations @ point - wanted).max() > _EXACT:
        return None, None
    free = right[rank:].T
    if free.shape[1] == 0:
        return (point, None) if point.min() > 0 else (None, None)
    # Nearest to the interior point, which is positive there.
    p = point + free @ (free.T @ (start - point))
    if p.min() <= 0:
        return None, None
    for _ in range(_NEWTON):
        slope = free.T @ (np.log(p) + 1.0)
        step = free @ np.linalg.solve(free.T @ (free / p[:, None]), slope)
        shrinking = step > 0
        length = min(1.0, 0.9 * float((p[shrinking] / step[shrinking]).min(initial=np.inf)))
        p = p - length * step
        if np.abs(step).max() < 1e-15:
            break
    # Back onto the equations, from which the steps stray by rounding.
    p = p - right[:rank].T @ ((left[:, :rank].T @ (equations @ p - wanted)) / sizes[:rank])
    if p.min() <= 0:
        return None, None
    # ln p + 1 + equations' prices = 0, with the sign that a price > 0 belongs to rows @ p <= 0.
    prices = -left[:, :rank] @ ((right[:rank] @ (np.log(p) + 1.0)) / sizes[:rank])
    return p, prices[:-1]
