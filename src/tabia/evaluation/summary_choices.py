"""Sizes that were tried on validation and which of them was kept, for the summary."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabia.evaluation.config import Scores
from tabia.evaluation.dataset import kept
from tabia.evaluation.players import played_by
from tabia.evaluation.summary_errors import run_place
from tabia.learning.bootstrap import UndefinedError, estimate
from tabia.learning.metrics import MAE, Floats, Metric
from tabia.tables import parquet
from tabia.tables.results import Figure, exact
from tabia.tables.spec import Spec

__all__ = ["KEYS", "ChoicesError", "rows"]

KEYS = ("filter", "scenario", "model", "size", "chosen")

_Keyed = tuple[tuple[object, ...], Figure]


class ChoicesError(ValueError):
    """Sizes that were not tried on this dataset."""

    exit_code = 3


def _squares(target: Floats, predicted: Floats) -> Floats:
    return np.stack([np.ones_like(target), (predicted - target) ** 2], axis=1)


def _root_mean(sums: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.sqrt(sums[..., 1] / sums[..., 0]))


# Not among the metrics of tabia.learning: an edit there trains every model again.
_RMSE = Metric("rmse", "pawns", _squares, _root_mean)


def rows(
    spec: Spec,
    settings: Scores,
    filters: Sequence[str],
    dataset: pa.Table,
    paths: Sequence[Path],
) -> list[_Keyed]:
    """Return the errors on validation of every size that was tried, from tables CHOICES.

    Sizes of one model are compared on the same resamples of games.

    Raises
    ------
    ChoicesError
        If a size was tried on other positions than the dataset's.
    """
    tables = [(path, parquet.read(path)) for path in paths]
    tables = [(path, table) for path, table in tables if len(table)]
    place = partial(run_place, filters)
    tables.sort(key=lambda item: place(_run(item[1])))
    return [
        row for path, table in tables for row in _of_model(spec, settings, dataset, path, table)
    ]


def _run(table: pa.Table) -> tuple[str, int, str, str]:
    filter_, scenario, model = (table[name][0].as_py() for name in KEYS[:3])
    return filter_, scenario, model, "game"


def _of_model(
    spec: Spec, settings: Scores, dataset: pa.Table, path: Path, table: pa.Table
) -> list[_Keyed]:
    filter_, scenario, model, _ = _run(table)
    validation = kept(dataset, filter_)
    validation = validation.filter(pc.equal(validation["split"], "validation"))
    game_id = validation["game_id"].to_numpy()
    players = played_by(validation["played_by"].to_pylist())
    found: list[_Keyed] = []
    for row in table.to_pylist():
        predicted = np.array(row["validation_predicted"], np.float32)
        if len(predicted) != len(validation):
            raise ChoicesError(
                f"{path}: tried on {len(predicted)} positions, the dataset has {len(validation)};"
                " choose again"
            )
        keys = (filter_, scenario, model, "-".join(map(str, row["size"])), row["chosen"])
        errors = estimate(
            (_RMSE, MAE),
            validation["target"].to_numpy(),
            predicted,
            game_id,
            spec.rng("choices"),
            draws=settings.bootstrap,
            confidence=settings.confidence,
        )
        for metric in (_RMSE, MAE):
            error = errors[metric.name]
            if isinstance(error, UndefinedError):
                continue
            counts = (error.n_games, error.n_positions)
            ends = (error.value, error.lo, error.hi, error.method)
            found.append((keys, Figure(metric.name, metric.unit, *ends, *counts, players)))
        figure = exact(
            "parameters",
            row["parameters"],
            unit="count",
            n_games=row["n_games"],
            n_positions=row["n_positions"],
            played_by=players,
        )
        found.append((keys, figure))
    return found
