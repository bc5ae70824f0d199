"""Solvers of antisymmetric games: time, exploitability, entropy.

    python benchmarks/nash.py [--json] [--sizes 21 100] [--games 3] [--slow]

One run, one core, CPU seconds (user + system), median over the games. Payoffs are random, those of
Elo and noise in equal parts, and of a disc; all scaled to a largest payoff of 1. Exploitability is
what the best reply gains, the largest over the games; entropy in nats, the mean; distance the
largest total variation from ours. Games that a rival fails at count in times only. Rivals that are
not installed are named and left out.

tabia
    `tabia.population.nash.max_entropy_nash`.
cvxpy, Clarabel
    The same problem as cvxpy writes it, at tolerances of 1e-11, not polished.
open_spiel nash_averaging
    `_max_entropy_symmetric_nash` of `open_spiel.python.algorithms.nash_averaging`; needs cvxpy.
scipy LP
    `scipy.optimize.linprog` with HiGHS: some equilibrium, not the one of largest entropy.
nashpy LP
    `nashpy.Game.linear_program`.
nashpy fictitious play
    10,000 rounds (`--slow`).
nashpy stochastic fictitious play
    10,000 rounds with etha 0.1 and epsilon_bar 0.1, as the published code of JiangJun has it
    (`--slow`).
fictitious play
    10,000 rounds in NumPy, both players the same.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import resource
import statistics
import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from tabia.population.nash import entropy, exploitability, max_entropy_nash
from tabia.population.payoff import Floats

_ROUNDS = 10_000

Solver = Callable[[Floats], Floats]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--sizes", type=int, nargs="+", default=[21, 100])
    parser.add_argument("--games", type=int, default=3, help="of each kind")
    parser.add_argument("--slow", action="store_true", help="nashpy's fictitious play too")
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # solvers say that they are not sure of the last digits
    solvers = _solvers(options.slow)
    rows = []
    for n in options.sizes:
        games = [
            game for seed in range(options.games) for game in _games(n, seed)
        ]  # random, Elo and noise, disc
        ours = [max_entropy_nash(game).probabilities for game in games]
        for name, solve in solvers.items():
            _answer(solve, games[0])  # imports and first touches are not counted
            times, exploited, entropies, distances, failed = [], [], [], [], 0
            for game, best in zip(games, ours, strict=True):
                before = _cpu()
                found = _answer(solve, game)
                times.append(_cpu() - before)
                if found is None:
                    failed += 1
                    continue
                found = np.maximum(found, 0) / np.maximum(found, 0).sum()
                exploited.append(exploitability(game, found))
                entropies.append(entropy(found))
                distances.append(float(np.abs(found - best).sum() / 2))
            rows.append(
                {
                    "solver": name,
                    "strategies": n,
                    "games": len(games),
                    "failed": failed,
                    "cpu_seconds": statistics.median(times),
                    "cpu_seconds_most": max(times),
                    "exploitability": max(exploited, default=float("nan")),
                    "entropy": statistics.fmean(entropies) if entropies else float("nan"),
                    "distance": max(distances, default=float("nan")),
                }
            )
    if options.json:
        print(json.dumps(rows, indent=2))
        return
    for row in rows:
        print(
            f"{row['solver']:36} {row['strategies']:4}  {row['cpu_seconds'] * 1e3:9.2f} ms"
            f" (most {row['cpu_seconds_most'] * 1e3:9.2f})  exploitability"
            f" {row['exploitability']:.1e}  entropy {row['entropy']:.4f}"
            f"  distance {row['distance']:.1e}  failed {row['failed']}"
        )


def _answer(solve: Solver, game: Floats) -> Floats | None:
    """Return a solver's mixture, None where it gives up without saying so in any one way."""
    try:
        return solve(game)
    except (AttributeError, ValueError, ArithmeticError):
        return None


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _games(n: int, seed: int) -> list[Floats]:
    rng = np.random.default_rng(seed)
    noise = np.triu(rng.uniform(-1, 1, (n, n)), 1)
    elo = rng.normal(0, 200, n)
    points = rng.normal(size=(n, 2))
    chance = noise - noise.T
    strength = np.tanh((elo[:, None] - elo) * np.log(10) / 800)
    disc = np.outer(points[:, 0], points[:, 1])
    games = [chance, strength - strength.T + chance, disc - disc.T]
    return [(game - game.T) / np.abs(game - game.T).max() for game in games]


def _solvers(slow: bool) -> dict[str, Solver]:
    solvers: dict[str, Solver] = {
        "tabia": lambda game: max_entropy_nash(game).probabilities,
        "scipy LP": _scipy,
        "fictitious play": _fictitious_play,
    }
    if _there("cvxpy"):
        solvers["cvxpy, Clarabel"] = _cvxpy
        if _there("open_spiel"):
            averaging: Any = importlib.import_module("open_spiel.python.algorithms.nash_averaging")
            solvers["open_spiel nash_averaging"] = lambda game: np.asarray(
                averaging._max_entropy_symmetric_nash(game)
            ).ravel()
    if _there("nashpy"):
        nashpy: Any = importlib.import_module("nashpy")
        solvers["nashpy LP"] = lambda game: nashpy.Game(game, -game).linear_program()[0]
        if slow:
            solvers["nashpy fictitious play"] = lambda game: _nashpy_played(
                nashpy.Game(game, -game).fictitious_play(iterations=_ROUNDS)
            )
            solvers["nashpy stochastic fictitious play"] = lambda game: _nashpy_played(
                play
                for play, _ in nashpy.Game(game, -game).stochastic_fictitious_play(
                    iterations=_ROUNDS, etha=0.1, epsilon_bar=0.1
                )
            )
    return solvers


def _there(package: str) -> bool:
    if importlib.util.find_spec(package) is not None:
        return True
    print(f"{package} is not installed and left out", file=sys.stderr)
    return False


def _scipy(game: Floats) -> Floats:
    from scipy import optimize

    n = len(game)
    found = optimize.linprog(
        np.zeros(n), A_ub=game, b_ub=np.zeros(n), A_eq=np.ones((1, n)), b_eq=[1.0], method="highs"
    )
    return np.asarray(found.x, np.float64)


def _fictitious_play(game: Floats) -> Floats:
    n = len(game)
    plays = np.zeros(n)
    plays[0] = 1
    gains = game[:, 0].copy()
    for _ in range(_ROUNDS):
        best = int(gains.argmax())
        plays[best] += 1
        gains += game[:, best]
    mixed: Floats = plays / plays.sum()
    return mixed


def _cvxpy(game: Floats) -> Floats:
    cvxpy: Any = importlib.import_module("cvxpy")
    p = cvxpy.Variable(len(game))
    problem = cvxpy.Problem(
        cvxpy.Maximize(cvxpy.sum(cvxpy.entr(p))), [game @ p <= 0, cvxpy.sum(p) == 1]
    )
    problem.solve(
        solver="CLARABEL", tol_gap_abs=1e-11, tol_gap_rel=1e-11, tol_feas=1e-11, max_threads=1
    )
    return np.asarray(p.value, np.float64)


def _nashpy_played(plays: Any) -> Floats:
    *_, last = plays
    counts = np.asarray(last[0], np.float64)
    mixed: Floats = counts / counts.sum()
    return mixed


if __name__ == "__main__":
    main()
