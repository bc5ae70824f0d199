"""Levenberg–Marquardt on a perceptron: time of an iteration beside scipy.optimize.least_squares.

    python benchmarks/levenberg_marquardt.py [--rows 3000] [--inputs 40] [--hidden 8 4] [--json]

One made-up problem, one core, the same first weights and the same Jacobian, made by our code, for
all; nobody stops early. An iteration is a Jacobian and all that follows from it up to the next:

tabia
    ``tabia.learning.levenberg_marquardt``: JᵀJ in chunks, Cholesky;
scipy lm
    MINPACK: QR decomposition with pivoting of the whole Jacobian;
scipy trf
    trust region reflective: singular values of the whole Jacobian.

The squared error that each has reached is a share of the first. ``tabia, whole`` is our iteration
on the real run's numbers of rows, inputs and weights, which would take the others minutes.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # as the command line does

import numpy as np
import numpy.typing as npt
from scipy.optimize import least_squares

from tabia.learning.levenberg_marquardt import minimise
from tabia.learning.perceptron import Perceptron, PerceptronResiduals

_WHOLE = (10_100, 197, (8, 4))
"""Rows, inputs and hidden units of the real run."""

Floats = npt.NDArray[np.float64]


class _Problem:
    """A net to fit, and how often its Jacobian was asked for."""

    def __init__(self, rows: int, inputs: int, hidden: tuple[int, ...]) -> None:
        rng = np.random.default_rng(0)
        x = rng.normal(size=(rows, inputs))
        y = np.tanh(x @ rng.normal(size=inputs) / np.sqrt(inputs)) * x[:, 0]
        y = (y + rng.normal(0, 0.3, rows)) / y.std()
        self.net = Perceptron(inputs, hidden)
        self.residuals = PerceptronResiduals(self.net, x, y)
        self.start = self.net.start(rng)
        self.jacobians = 0
        self._whole = np.empty((rows, self.net.n_weights))

    def residual(self, weights: Floats) -> Floats:
        return self.net.values(weights, self.residuals.x) - self.residuals.y

    def jacobian(self, weights: Floats) -> Floats:
        self.jacobians += 1
        self.net.jacobian(weights, self.residuals.x, self._whole)
        return self._whole.copy()  # scipy keeps what it is given


def _tabia(problem: _Problem, steps: int) -> tuple[Floats, int]:
    found = minimise(
        problem.residuals,
        problem.start,
        problem.residuals.squared_error,
        iterations=steps,
        stop_after=steps,
    )
    # No Jacobian is made after the last step.
    return found.weights, len(found.errors) - 1


def _scipy(problem: _Problem, steps: int, method: str) -> tuple[Floats, int]:
    problem.jacobians = 0
    found = least_squares(
        problem.residual, problem.start, problem.jacobian, method=method, max_nfev=steps + 1
    )
    return found.x, problem.jacobians


def _measure(
    problem: _Problem, solve: Callable[[_Problem, int], tuple[Floats, int]], steps: int
) -> dict[str, float]:
    start, cpu = time.perf_counter(), time.process_time()
    weights, iterations = solve(problem, steps)
    cpu, seconds = time.process_time() - cpu, time.perf_counter() - start
    first = problem.residuals.squared_error(problem.start)
    return {
        "iterations": iterations,
        "seconds": round(seconds, 3),
        "cpu_seconds": round(cpu, 3),
        "cpu_seconds_an_iteration": round(cpu / iterations, 4),
        "error_left": round(problem.residuals.squared_error(weights) / first, 4),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=3000)
    parser.add_argument("--inputs", type=int, default=40)
    parser.add_argument("--hidden", type=int, nargs="+", default=[8, 4], help="units by layer")
    parser.add_argument("--steps", type=int, default=20, help="iterations at most")
    parser.add_argument("--json", action="store_true", help="print one JSON object only")
    options = parser.parse_args()
    problem = _Problem(options.rows, options.inputs, tuple(options.hidden))
    contestants: dict[str, Callable[[_Problem, int], tuple[Floats, int]]] = {
        "tabia": _tabia,
        "scipy lm": lambda problem, steps: _scipy(problem, steps, "lm"),
        "scipy trf": lambda problem, steps: _scipy(problem, steps, "trf"),
    }
    rows = {
        name: _measure(problem, solve, options.steps) | {"weights": problem.net.n_weights}
        for name, solve in contestants.items()
    }
    whole = _Problem(*_WHOLE)
    rows["tabia, whole"] = _measure(whole, _tabia, 5) | {"weights": whole.net.n_weights}
    if options.json:
        print(json.dumps(rows, indent=2))
        return
    print(f"{options.rows} rows, {options.inputs} inputs, hidden {options.hidden}")
    ours = rows["tabia"]["cpu_seconds_an_iteration"]
    for name, row in rows.items():
        each = row["cpu_seconds_an_iteration"]
        beside = "" if name.startswith("tabia") else f", tabia is {each / ours:.1f} × as fast"
        print(
            f"{name}: {row['weights']} weights, {row['iterations']} iterations of"
            f" {1000 * each:.1f} ms CPU time, {row['error_left']:.4f} of the error left{beside}"
        )


if __name__ == "__main__":
    main()
