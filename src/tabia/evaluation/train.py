"""Stage evaluation.train: one model, on one filter, scenario and seed.

Which model it is comes from the wildcards. The module is found by name when the job runs, so
that this stage's code mark covers no model and a change in one model retrains that one only.

Training and prediction are timed by the clock, so the times go to a table of their own; model,
card and predictions are the same bytes on every run.
"""

from __future__ import annotations

import importlib
import json
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import cast

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from tabia.evaluation.dataset import engine_of, kept
from tabia.evaluation.features import examples
from tabia.evaluation.players import played_by
from tabia.learning.examples import Examples, blocks
from tabia.learning.folder import atomic_folder
from tabia.learning.metrics import MAE, R2, point
from tabia.learning.model import Model, ModelModule
from tabia.tables import parquet
from tabia.tables.spec import Spec
from tabia.tables.splits import SPLITS

__all__ = ["PREDICTIONS", "TIMES", "TrainError", "run"]

PREDICTIONS = pa.schema(
    [
        pa.field("position_id", pa.binary(16), nullable=False),
        pa.field("game_id", pa.uint64(), nullable=False),  # the position's owner
        pa.field("split", pa.string(), nullable=False),
        pa.field("target", pa.float32(), nullable=False),  # pawns, White's view
        pa.field("predicted", pa.float32(), nullable=False),  # pawns, White's view
    ]
)
"""One row a position that the filter keeps, in every split, ordered by position_id."""

TIMES = pa.schema(
    [
        pa.field("filter", pa.string(), nullable=False),
        pa.field("scenario", pa.int64(), nullable=False),
        pa.field("model", pa.string(), nullable=False),
        pa.field("seed", pa.int64(), nullable=False),
        pa.field("metric", pa.string(), nullable=False),
        pa.field("unit", pa.string(), nullable=False),
        pa.field("repeat", pa.int64(), nullable=False),
        pa.field("value", pa.float64(), nullable=False),
        pa.field("n_games", pa.int64(), nullable=False),
        pa.field("n_positions", pa.int64(), nullable=False),
        pa.field("played_by", pa.string(), nullable=False),
    ]
)
"""Raw measurements of one run; the summary gives them their range."""

_REPEATS = 3
_BATCH = 4096  # positions predicted together when a batch is timed
_SINGLES = 100  # positions predicted one by one when a single prediction is timed


class TrainError(ValueError):
    """The dataset has too few positions to train on."""

    exit_code = 3


def run(spec: Spec, *, dataset: Path, model: Path, predictions: Path, times: Path) -> None:
    """Train, predict and time one model.

    Parameters
    ----------
    spec
        ``config`` holds ``seed`` and the model's ``settings``; wildcards are ``filter``,
        ``scenario``, ``model`` and ``seed``.
    model
        Folder for the weights and ``card.json``.

    Raises
    ------
    TrainError
        If no training or no validation position is left.
    """
    filter_, scenario, name, seed = (
        spec.wildcards[key] for key in ("filter", "scenario", "model", "seed")
    )
    rows = kept(parquet.read(dataset), filter_)
    splits = examples(rows, int(scenario))
    for split in ("train", "validation"):
        if split not in splits:
            raise TrainError(
                f"{dataset}: no {split} position passes the filter {filter_};"
                " sample more positions or add games"
            )
    module = cast(ModelModule, importlib.import_module(f"tabia.evaluation.models.{name}"))
    # The seed of every run is drawn from the configuration's, apart from every other use of it.
    drawn = int(spec.rng("model", int(seed)).integers(2**31))
    start = time.perf_counter()
    trained = module.fit(splits["train"], splits["validation"], spec.config["settings"], drawn)
    seconds = time.perf_counter() - start

    predicted = np.empty(len(rows), np.float32)
    split_of = rows["split"].to_numpy()
    for split, part in splits.items():
        predicted[split_of == split] = _predict(trained, part)
    table = rows.select(PREDICTIONS.names[:-1]).append_column("predicted", pa.array(predicted))
    table = table.cast(PREDICTIONS)
    card = _card(spec, trained, splits, table, played_by(rows["played_by"].to_pylist()))
    with atomic_folder(model) as folder:
        trained.save(folder)
        size = sum(file.stat().st_size for file in folder.iterdir())
        text = json.dumps(card, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
        (folder / "card.json").write_text(text, encoding="utf-8")
    engine = engine_of([dataset])
    parquet.write(table, predictions, spec=spec, extra=engine)
    measured = _times(trained, splits, seconds, size)
    keys = {"filter": filter_, "scenario": int(scenario), "model": name, "seed": int(seed)}
    players = {split: _players(rows, split) for split in splits}
    records = [keys | row | {"played_by": players[str(row.pop("split"))]} for row in measured]
    parquet.write(pa.Table.from_pylist(records, schema=TIMES), times, spec=spec, extra=engine)


def _players(rows: pa.Table, split: str) -> str:
    own = rows["played_by"].to_numpy()[rows["split"].to_numpy() == split]
    return played_by(own.tolist())


def _predict(model: Model, rows: Examples) -> npt.NDArray[np.float32]:
    parts = [model.predict(rows.inputs.rows(part)) for part in blocks(len(rows))]
    return np.concatenate(parts)


def _card(
    spec: Spec, model: Model, splits: Mapping[str, Examples], table: pa.Table, players: str
) -> dict[str, object]:
    """Describe the model: what it is, what it was trained on, how well it does."""
    columns = splits["train"].inputs.columns
    split_of = table["split"].to_numpy()
    target, predicted = table["target"].to_numpy(), table["predicted"].to_numpy()
    about: dict[str, object] = {}
    for name in SPLITS:
        if name in splits:
            own = split_of == name
            about[name] = {
                "positions": len(splits[name]),
                "games": len(np.unique(splits[name].game_id)),
                "mae_pawns": point(MAE, target[own], predicted[own]),
                "r2": point(R2, target[own], predicted[own]),
            }
    return {
        "model": spec.wildcards["model"],
        "predicts": "engine value of a chess position, pawns, White's view",
        "inputs": list(columns),
        "filter": spec.wildcards["filter"],
        "scenario": int(spec.wildcards["scenario"]),
        "seed": int(spec.wildcards["seed"]),
        "settings": dict(spec.config["settings"]),
        "chosen": dict(model.facts),
        "parameters": model.n_parameters,
        "splits": about,
        "played_by": players,
        "licence": "GPL-3.0-or-later",
    }


def _times(
    model: Model, splits: Mapping[str, Examples], seconds: float, size: int
) -> list[dict[str, object]]:
    """Measure prediction; the inputs are given, their making is not timed."""
    timed = next(name for name in ("test", "validation") if name in splits)
    rows: list[dict[str, object]] = []

    def add(metric: str, unit: str, value: float, split: str, count: int, repeat: int = 0) -> None:
        games = len(np.unique(splits[split].game_id[:count]))
        rows.append(
            {
                "metric": metric,
                "unit": unit,
                "repeat": repeat,
                "value": float(value),
                "n_games": games,
                "n_positions": count,
                "split": split,
            }
        )

    trained_on = len(splits["train"])
    add("training_time", "s", seconds, "train", trained_on)
    batch = splits[timed].inputs.rows(slice(0, _BATCH))
    singles = [batch[number : number + 1] for number in range(min(_SINGLES, len(batch)))]
    for repeat in range(_REPEATS):
        took = _clock(lambda: [model.predict(batch)])
        each = 1e6 * took / len(batch)
        add("prediction_time_in_batch", "µs per position", each, timed, len(batch), repeat)
        took = _clock(lambda: [model.predict(single) for single in singles])
        each = 1e6 * took / len(singles)
        add("prediction_time_alone", "µs per position", each, timed, len(singles), repeat)
    add("size", "bytes", size, "train", trained_on)
    add("inputs", "1", len(splits["train"].inputs.columns), "train", trained_on)
    add("parameters", "1", model.n_parameters, "train", trained_on)
    return rows


def _clock(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
