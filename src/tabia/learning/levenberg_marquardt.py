"""Levenberg–Marquardt: damped Gauss–Newton for sums of squares.

Minimises ``F(w) = Σ rᵢ(w)²``. A step h solves ``(JᵀJ + μI) h = -Jᵀr``, J the Jacobian of all
residuals at w, by Cholesky decomposition. It is accepted only if F falls. The damping μ follows
Nielsen's rule (H. B. Nielsen, *Damping parameter in Marquardt's method*, IMM-REP-1999-05,
Technical University of Denmark, 1999): with the gain ratio ρ = (fall of F) / (fall that the linear
model foretells), an accepted step multiplies μ by ``max(1/3, 1 - (2ρ - 1)³)``, and rejected ones
multiply it by 2, 4, 8, … That it is I that is damped, and not the diagonal of JᵀJ, is Levenberg's
form, in which M. T. Hagan and M. B. Menhaj brought the method to perceptrons (*Training
feedforward networks with the Marquardt algorithm*, IEEE Transactions on Neural Networks 5(6),
1994): it leaves weights alone on which no residual depends.

J comes in chunks of rows, in float64, and only ``JᵀJ`` and ``Jᵀr`` are kept, so memory grows with
the square of the number of weights and not with the number of residuals.

Training ends early when the error on other rows stops falling; the weights that were best there
are returned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt
from scipy.linalg import lapack
from scipy.linalg.blas import dsyrk

__all__ = ["Fit", "NormalEquations", "Residuals", "minimise", "normal_equations", "step"]

Floats = npt.NDArray[np.float64]
Reason = Literal["iterations", "validation", "gradient", "step", "damping"]

_GRADIENT = 1e-10
"""Stop where ``max |Jᵀr|`` falls below this share of what it was at the start."""
_STEP = 1e-10
"""Stop where a step is shorter than this share of the weights."""
_DAMPING = 1e16
"""Stop where μ exceeds this many times the largest diagonal element of JᵀJ."""


class Residuals(Protocol):
    """Residuals of a model that depend on its weights."""

    def squared_error(self, weights: Floats) -> float:
        """Return ``Σ rᵢ²``; it may be infinite or NaN where the weights are absurd."""
        ...

    def chunks(self, weights: Floats) -> Iterator[tuple[Floats, Floats]]:
        """Yield the Jacobian ``[m, p]``, C order, and the residuals ``[m]`` of some rows.

        Both are read before the next are asked for, so one buffer may serve all chunks. The
        cutting into chunks must not depend on anything but the number of rows.
        """
        ...


@dataclass(frozen=True)
class NormalEquations:
    """What one Jacobian leaves behind.

    Attributes
    ----------
    curvature
        ``[p, p]`` float64, Fortran order: the upper triangle of ``JᵀJ``. Below it stands zero.
    gradient
        ``[p]`` float64, ``Jᵀr``: half the gradient of the squared error.
    """

    curvature: Floats
    gradient: Floats

    @property
    def diagonal(self) -> Floats:
        """Return the diagonal of ``JᵀJ`` ``[p]``."""
        return np.diagonal(self.curvature)


@dataclass(frozen=True)
class Fit:
    """What :func:`minimise` found.

    Attributes
    ----------
    weights
        ``[p]`` float64, the weights with the least validation error.
    iterations
        Accepted steps up to these weights.
    errors
        Squared error at the start and after each accepted step: it never rises.
    validation_errors
        The same on validation.
    reason
        Why it ended: the limit of ``iterations``; no progress on ``validation``; a ``gradient`` or
        a ``step`` of practically zero; or no ``damping`` under which the error falls.
    """

    weights: Floats
    iterations: int
    errors: tuple[float, ...]
    validation_errors: tuple[float, ...]
    reason: Reason


def normal_equations(residuals: Residuals, weights: Floats) -> NormalEquations:
    """Sum ``JᵀJ`` and ``Jᵀr`` over the chunks, in their order."""
    p = len(weights)
    curvature = np.zeros((p, p), order="F")
    gradient = np.zeros(p)
    for jacobian, residual in residuals.chunks(weights):
        # The transpose of a C-ordered chunk is what BLAS wants: nothing is copied, and only the
        # upper triangle is computed.
        curvature = dsyrk(1.0, jacobian.T, beta=1.0, c=curvature, overwrite_c=True)
        gradient += residual @ jacobian
    return NormalEquations(curvature, gradient)


def step(equations: NormalEquations, damping: float) -> Floats | None:
    """Solve ``(JᵀJ + damping · I) h = -Jᵀr``.

    Returns
    -------
    Floats | None
        ``[p]`` float64; None where the matrix is not positive definite to rounding, or the
        solution not finite: more damping is needed.
    """
    matrix = equations.curvature.copy(order="F")
    matrix[np.diag_indices_from(matrix)] += damping
    factor, failed = lapack.dpotrf(matrix, overwrite_a=True, clean=False)
    if failed:
        return None
    solution, _ = lapack.dpotrs(factor, -equations.gradient)
    return solution if np.isfinite(solution).all() else None


def minimise(
    residuals: Residuals,
    start: Floats,
    validation_error: Callable[[Floats], float],
    *,
    iterations: int,
    stop_after: int,
    first_damping: float = 1e-3,
) -> Fit:
    """Take steps until nothing is gained any more.

    Parameters
    ----------
    start
        ``[p]`` first weights.
    validation_error
        The error that decides which weights are returned, and when to stop.
    iterations
        Accepted steps at most.
    stop_after
        Accepted steps without progress on validation before stopping.
    first_damping
        First μ, as a share of the largest diagonal element of the first JᵀJ.

    Raises
    ------
    ValueError
        If the error at `start`, or the Jacobian at any accepted weights, is not finite.
    """
    weights = np.array(start, np.float64)
    errors = [residuals.squared_error(weights)]
    validation = [validation_error(weights)]
    if not np.isfinite([errors[0], validation[0]]).all():
        raise ValueError(
            f"squared error {errors[0]} and validation error {validation[0]} at the first weights:"
            " inputs and targets must be finite numbers"
        )
    best, best_at = weights, 0
    equations = _finite(normal_equations(residuals, weights), 0)
    first_gradient = np.abs(equations.gradient).max()
    damping = first_damping * max(equations.diagonal.max(), np.finfo(float).tiny)
    growth = 2.0
    reason: Reason = "iterations"
    while len(errors) <= iterations:
        if np.abs(equations.gradient).max() <= _GRADIENT * first_gradient:
            reason = "gradient"
            break
        # Written so that a damping without a finite value ends it too.
        if not damping <= min(_DAMPING * equations.diagonal.max(), np.finfo(float).max):
            reason = "damping"
            break
        change = step(equations, damping)
        if change is not None:
            if np.linalg.norm(change) <= _STEP * (np.linalg.norm(weights) + _STEP):
                reason = "step"
                break
            error = residuals.squared_error(weights + change)
            fall = errors[-1] - error
        if change is None or not fall > 0:  # a NaN is no fall either
            damping *= growth
            growth *= 2
            continue
        foretold = float(change @ (damping * change - equations.gradient))
        damping *= max(1 / 3, 1 - (2 * fall / foretold - 1) ** 3)
        growth = 2.0
        weights = weights + change
        errors.append(error)
        validation.append(validation_error(weights))
        if validation[-1] < validation[best_at]:
            best, best_at = weights, len(validation) - 1
        elif len(validation) - 1 - best_at >= stop_after:
            reason = "validation"
            break
        if len(errors) <= iterations:
            equations = _finite(normal_equations(residuals, weights), len(errors) - 1)
    return Fit(best, best_at, tuple(errors), tuple(validation), reason)


def _finite(equations: NormalEquations, iteration: int) -> NormalEquations:
    if np.isfinite(equations.gradient).all() and np.isfinite(equations.curvature).all():
        return equations
    raise ValueError(
        f"the Jacobian after {iteration} steps is not finite or its squares overflow, though the"
        " squared error is finite: the model's derivatives are wrong or its inputs far too large"
    )
