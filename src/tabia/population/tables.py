"""Everything that is known of a payoff matrix, as rows of tables for files and figures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from tabia.population.geometry import FIGURES, VECTORS, Geometry, measure, strengths
from tabia.population.influence import CellInfluence, Influence, cell_influences, filled_influence
from tabia.population.payoff import PayoffMatrix
from tabia.population.prediction import Prediction, predict_held_out
from tabia.population.uncertainty import Bootstrap, NullTest, bootstrap, elo_null

__all__ = ["Analysis", "Row", "analyse", "tables"]

Row = dict[str, Any]

_FEWEST_GAMES = 10  # that predictions are measured on
_CURVE = 101  # points of a curve that is drawn


@dataclass(frozen=True, eq=False)
class Analysis:
    """What was found; None where a matrix has no games or no filled cells.

    Attributes
    ----------
    matrix
        What was analysed.
    geometry, bootstrap, null, predictions, influence, cells
        Of :mod:`tabia.population.geometry`, ``uncertainty``, ``prediction`` and ``influence``.
    """

    matrix: PayoffMatrix
    geometry: Geometry
    bootstrap: Bootstrap | None
    null: dict[str, NullTest] | None
    predictions: list[Prediction] | None
    influence: Influence | None
    cells: list[CellInfluence] | None


def analyse(
    matrix: PayoffMatrix, *, seed: int = 0, draws: int = 200, confidence: float = 0.95
) -> Analysis:
    """Measure everything that a matrix allows.

    Parameters
    ----------
    seed
        Resamples, simulated matrices and folds draw from it.
    draws
        Resamples, and simulated matrices; 0 leaves intervals and the test out.
    """
    counted = matrix.counts is not None and (matrix.n_games or 0) > 0 and len(matrix) > 1
    filled = bool((matrix.filled_share > 0).any())
    games = matrix.games
    between = games is not None and int(np.triu(games, 1).sum()) >= _FEWEST_GAMES
    return Analysis(
        matrix=matrix,
        geometry=measure(matrix.payoff, matrix.ratings),
        bootstrap=bootstrap(matrix, seed=seed, draws=draws, confidence=confidence)
        if counted and draws
        else None,
        null=elo_null(matrix, seed=seed + 1, draws=draws) if counted and draws else None,
        predictions=predict_held_out(matrix, seed=seed + 2) if between else None,
        influence=filled_influence(matrix) if filled else None,
        cells=cell_influences(matrix) if filled else None,
    )


def tables(found: Analysis) -> dict[str, list[Row]]:
    """Return the rows of each table, by its name; tables without rows are left out.

    ``figures``
        One a figure, with interval, null and what it is without filled cells.
    ``strategies``
        One a strategy: rating, games, place in the game, intervals.
    ``cells``
        One a pair of strategies in each order: payoff, interval, games, filled share.
    ``clusters``
        One a Nash cluster.
    ``profile``
        The fitted curve, point by point.
    ``predictions``
        One a model.
    ``filled_cells``
        One a filled cell.
    """
    every = {
        "figures": _figures(found),
        "strategies": _strategies(found),
        "cells": _cells(found),
        "clusters": _clusters(found),
        "profile": _profile(found.geometry),
        "predictions": [asdict(row) for row in found.predictions or []],
        "filled_cells": _filled(found),
    }
    return {name: rows for name, rows in every.items() if rows}


def _figures(found: Analysis) -> list[Row]:
    rows = []
    for name, meaning in FIGURES.items():
        row: Row = {"figure": name, "value": _known(found.geometry.figures[name])}
        interval = None if found.bootstrap is None else found.bootstrap.figures[name]
        row["low"] = None if interval is None else _known(interval.low)
        row["high"] = None if interval is None else _known(interval.high)
        test = (found.null or {}).get(name)
        row["null_mean"] = None if test is None else _known(test.null_mean)
        row["null_low"] = None if test is None else _known(test.null_low)
        row["null_high"] = None if test is None else _known(test.null_high)
        row["p_value"] = None if test is None else test.p_value
        without = None if found.influence is None else found.influence.figures[name][1]
        row["without_filled"] = None if without is None else _known(without)
        row["meaning"] = meaning
        row["interval"] = "no games" if interval is None else interval.method
        rows.append(row)
    return rows


def _strategies(found: Analysis) -> list[Row]:
    matrix = found.matrix
    games = matrix.games
    strength = strengths(matrix.payoff, matrix.ratings)
    rows = []
    for i, name in enumerate(matrix.names):
        row: Row = {
            "strategy": name,
            "elo": None if matrix.ratings is None else float(matrix.ratings[i]),
            "strength": float(strength[i]),
            "games": None if games is None else int(games[i].sum()),
            "win_rate": float(matrix.win_rate[i]) if matrix.is_score else None,
            "filled": float(matrix.filled_share[i].sum()),
        }
        for vector in VECTORS:
            row[vector] = float(found.geometry.vectors[vector][i])
            if found.bootstrap is not None:
                interval = found.bootstrap.vectors[vector][i]
                row[f"{vector}_low"], row[f"{vector}_high"] = (
                    _known(interval.low),
                    _known(interval.high),
                )
        parabola = found.geometry.parabola
        row["outlier"] = None if parabola is None else bool(parabola.outliers[i])
        rows.append(row)
    return rows


def _cells(found: Analysis) -> list[Row]:
    matrix, ends = found.matrix, found.bootstrap
    share = matrix.filled_share
    rows = []
    for i, row_name in enumerate(matrix.names):
        for j, column_name in enumerate(matrix.names):
            row: Row = {
                "row": row_name,
                "column": column_name,
                "payoff": float(matrix.payoff[i, j]) + 0.0,
                "low": None if ends is None else float(ends.payoff_low[i, j]) + 0.0,
                "high": None if ends is None else float(ends.payoff_high[i, j]) + 0.0,
                "filled": float(share[i, j]),
            }
            counts = None if matrix.counts is None else matrix.counts[i, j]
            for kind, what in enumerate(("wins", "draws", "losses")):
                row[f"{what}_moving_first"] = None if counts is None else int(counts[kind])
            rows.append(row)
    return rows


def _clusters(found: Analysis) -> list[Row]:
    strength, names = found.geometry.strength, found.matrix.names
    return [
        {
            "cluster": number,
            "size": len(cluster),
            "strength": float(strength[cluster.members].mean()),
            "members": " ".join(names[member] for member in cluster.members),
            "probabilities": " ".join(f"{value:.6g}" for value in cluster.probabilities),
        }
        for number, cluster in enumerate(found.geometry.clusters, 1)
    ]


def _profile(geometry: Geometry) -> list[Row]:
    if geometry.profile is None:
        return []
    low, high = float(geometry.strength.min()), float(geometry.strength.max())
    grid = np.linspace(low, high, _CURVE)
    return [
        {"strength": float(x), "size": float(y)}
        for x, y in zip(grid, geometry.profile(grid), strict=True)
    ]


def _filled(found: Analysis) -> list[Row]:
    names: Sequence[str] = found.matrix.names
    return [
        {
            "row": names[cell.row],
            "column": names[cell.column],
            "payoff": cell.payoff,
            "cycles": cell.cycles,
            "cycles_reversed": cell.cycles_reversed,
            "nash_change": cell.nash_change,
        }
        for cell in found.cells or []
    ]


def _known(value: float) -> float | None:
    return float(value) + 0.0 if math.isfinite(value) else None
