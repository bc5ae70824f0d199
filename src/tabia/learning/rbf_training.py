"""Training of radial basis function networks: centres by fuzzy means, weights by least squares.

What is tried is judged by the mean absolute error on the validation split, the paper's measure.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from tabia._native.thin_plate import Basis
from tabia.learning.examples import Examples, blocks, means
from tabia.learning.fuzzy_means import places, select
from tabia.learning.kept_rows import KeptRows
from tabia.learning.least_squares import solve, solve_quickly
from tabia.learning.rbf import RBFNetwork
from tabia.learning.scaling import Scaling

__all__ = ["NoNetworkError", "Symmetric", "Trainer", "best_symmetric"]


class NoNetworkError(ValueError):
    """No number of fuzzy sets that is allowed gives a network."""

    exit_code = 2


class Trainer:
    """The rows of the training and the validation split, normalised once for many networks.

    Parameters
    ----------
    train, validation
        Rows, at least one each.
    max_nodes
        Centres at most.
    threads
        Threads of the least squares. The results do not depend on it.

    Raises
    ------
    NoNetworkError
        If every input is constant in the training split.
    """

    def __init__(self, train: Examples, validation: Examples, max_nodes: int, threads: int) -> None:
        self._columns = train.inputs.columns
        self._scaling = Scaling.of(train.inputs)
        self.varies = self._scaling.varies
        if not self.varies.any():
            raise NoNetworkError(
                f"all {len(self._columns)} inputs are constant in the {len(train)} training rows;"
                " add positions or inputs"
            )
        self._x = _normalised(self._scaling, train)
        self._y = train.target.astype(np.float64)
        self._held = _normalised(self._scaling, validation)
        self._held_y = validation.target.astype(np.float64)
        self._means = means(train.inputs)
        self._kept = KeptRows.of(train.inputs)
        self.max_nodes = max_nodes
        self._threads = threads

    def network(self, sets: npt.NDArray[np.int32]) -> RBFNetwork | None:
        """Train a network; None if it needs more than `max_nodes` centres.

        Parameters
        ----------
        sets
            ``[d]`` fuzzy sets an input; that of a constant input is not looked at.

        Returns
        -------
        The network, with ``nodes`` and ``rank`` of the least squares among its facts.
        """
        sets = np.where(self.varies, sets, 1).astype(np.int32)
        centres = self._centres(sets)
        if centres is None:
            return None
        basis = Basis(places(centres, sets))
        solution = solve(
            lambda part: np.column_stack((basis(self._x[part]), self._y[part])),
            len(self._x),
            len(centres),
            threads=self._threads,
        )
        return RBFNetwork(
            columns=self._columns,
            scaling=self._scaling,
            means=self._means,
            sets=sets,
            centres=centres,
            weights=solution.x,
            facts={"nodes": len(centres), "rank": solution.rank},
            kept=self._kept,
        )

    def error(self, network: RBFNetwork) -> float:
        """Return the network's mean absolute error on the validation split."""
        predicted = (network.predict_normalised(self._held[part]) for part in _parts(self._held))
        return self._error(predicted)

    def quick_error(self, sets: npt.NDArray[np.int32]) -> float:
        """Return about the same for a network that is not kept; infinite where there is none.

        The weights come from the normal equations, which on the evaluation terms (condition
        numbers up to 3e4) give the error to six digits in a third of the time.
        """
        sets = np.where(self.varies, sets, 1).astype(np.int32)
        centres = self._centres(sets)
        if centres is None:
            return float("inf")
        basis = Basis(places(centres, sets))
        weights = solve_quickly(
            ((basis(self._x[part]), self._y[part]) for part in _parts(self._x)), len(centres)
        )
        return self._error(basis(self._held[part]) @ weights for part in _parts(self._held))

    def _centres(self, sets: npt.NDArray[np.int32]) -> npt.NDArray[np.uint8] | None:
        return select([self._x], sets, self.max_nodes)

    def _error(self, predicted: Iterable[npt.NDArray[np.floating]]) -> float:
        total = 0.0
        for part, own in zip(_parts(self._held), predicted, strict=True):
            total += float(np.abs(own - self._held_y[part]).sum())
        return total / len(self._held)


@dataclass(frozen=True)
class Symmetric:
    """The best network whose inputs all have the same number of fuzzy sets.

    Attributes
    ----------
    sets
        The number.
    network
        The network; its facts are ``fuzzy_sets``, ``nodes``, ``rank``, ``tried`` and ``skipped``.
    error
        Its mean absolute error on the validation split.
    """

    sets: int
    network: RBFNetwork
    error: float


def best_symmetric(trainer: Trainer, fuzzy_sets: tuple[int, int]) -> Symmetric:
    """Try every number of fuzzy sets between the two, and keep the best on validation.

    Raises
    ------
    NoNetworkError
        If every number asks for too many centres, or no network has a finite error.
    """
    best: Symmetric | None = None
    tried = skipped = 0
    low, high = fuzzy_sets
    for sets in range(low, high + 1):
        network = trainer.network(np.full(len(trainer.varies), sets, np.int32))
        if network is None:
            skipped += 1
            continue
        tried += 1
        error = trainer.error(network)
        if np.isfinite(error) and (best is None or error < best.error):
            best = Symmetric(sets, network, error)
    if best is None and tried:
        raise NoNetworkError(
            f"{low} to {high} fuzzy sets an input: no network has a finite error on validation;"
            " look at inputs and targets"
        )
    if best is None:
        raise NoNetworkError(
            f"{low} to {high} fuzzy sets an input: every number asks for more than"
            f" {trainer.max_nodes} centres; allow fewer sets (fuzzy_sets) or more centres"
            " (max_nodes)"
        )
    facts = {"fuzzy_sets": best.sets, **best.network.facts, "tried": tried, "skipped": skipped}
    return replace(best, network=best.network.with_facts(facts))


def _parts(rows: npt.NDArray[np.float32]) -> Iterable[slice]:
    return blocks(len(rows))


def _normalised(scaling: Scaling, rows: Examples) -> npt.NDArray[np.float32]:
    out = np.empty((len(rows), len(scaling.low)), np.float32)
    for part in blocks(len(rows)):
        out[part] = scaling(rows.inputs.rows(part))
    return out
