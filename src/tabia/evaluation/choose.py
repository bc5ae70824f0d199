"""Stage evaluation.choose: the size of a model, chosen once on validation for all its seeds.

Every size of the settings is trained with one seed; the one with the smallest mean squared error
on the validation split is kept, the smaller where two are equal. A size whose error is no finite
number is never kept.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from tabia.evaluation import train
from tabia.tables import parquet
from tabia.tables.spec import Spec

__all__ = ["CHOICES", "run"]

CHOICES = pa.schema(
    [
        pa.field("filter", pa.string(), nullable=False),
        pa.field("scenario", pa.int64(), nullable=False),
        pa.field("model", pa.string(), nullable=False),
        pa.field("size", pa.list_(pa.int64()), nullable=False),  # nodes in each hidden layer
        pa.field("parameters", pa.int64(), nullable=False),
        pa.field("validation_mse", pa.float64(), nullable=False),  # pawns squared
        pa.field("validation_mae", pa.float64(), nullable=False),  # pawns
        pa.field("n_games", pa.int64(), nullable=False),  # of the validation split
        pa.field("n_positions", pa.int64(), nullable=False),
        pa.field("chosen", pa.bool_(), nullable=False),
        # pawns, White's view: of the validation positions in order of position_id
        pa.field("validation_predicted", pa.list_(pa.float32()), nullable=False),
    ]
)
"""One row a size, in the order of the settings."""


def run(spec: Spec, *, dataset: Path, features: Mapping[str, Path], choice: Path) -> None:
    """Train every size and write which is kept.

    Parameters
    ----------
    spec
        As for :func:`tabia.evaluation.train.run`; ``settings`` hold ``sizes``.

    Raises
    ------
    TrainError
        As there, and if no size gives finite predictions on validation.
    """
    _, splits = train.load(spec, dataset, features)
    seed = int(spec.rng("choose").integers(2**31))
    validation = splits["validation"]
    target = validation.target.astype(np.float64)
    records: list[dict[str, Any]] = []
    for size in spec.config["settings"]["sizes"]:
        settings = dict(spec.config["settings"]) | {"sizes": [size]}
        model = train.fit(spec, splits, settings, seed)
        predicted = train.predict(model, validation)
        error = predicted.astype(np.float64) - target
        records.append(
            {
                "filter": spec.wildcards["filter"],
                "scenario": int(spec.wildcards["scenario"]),
                "model": spec.config["model"],
                "size": list(size),
                "parameters": model.n_parameters,
                "validation_mse": float(np.mean(error * error)),
                "validation_mae": float(np.mean(np.abs(error))),
                "n_games": len(np.unique(validation.game_id)),
                "n_positions": len(validation),
                "validation_predicted": predicted,
            }
        )
    finite = [row for row in records if math.isfinite(row["validation_mse"])]
    if not finite:
        raise train.TrainError(
            f"{spec.config['model']}: no size gives finite predictions on validation; give other"
            " sizes, and look at the inputs"
        )
    best = min(finite, key=lambda row: (row["validation_mse"], row["parameters"]))
    table = pa.Table.from_pylist([row | {"chosen": row is best} for row in records], CHOICES)
    parquet.write(table, choice, spec=spec)
