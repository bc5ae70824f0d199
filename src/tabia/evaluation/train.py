"""Stage evaluation.train: one model, on one filter, scenario and seed.

Which model it is comes from the wildcards. The module is found by name when the job runs, so
that this stage's code mark covers no model and a change in one model retrains that one only.

A run whose name ends in ``_by_position`` splits by position and not by game, as the paper did.
Positions of one game resemble each other, so that split leaks; its rows say ``split_by``
position everywhere.

Training and prediction are timed by the clock, so the times go to a table of their own; model,
card and predictions are the same bytes on every run.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
from pydantic import ValidationError

from tabia.evaluation import card
from tabia.evaluation.dataset import engine_of
from tabia.evaluation.dataset import read as read_dataset
from tabia.evaluation.features import ENGINE_INPUTS, examples, read_inputs
from tabia.evaluation.players import played_by
from tabia.learning.examples import Examples, blocks
from tabia.learning.folder import atomic_folder
from tabia.learning.model import KeepsRows, Model, ModelModule
from tabia.records.hashing import split_of as split_by_hash
from tabia.tables import parquet
from tabia.tables.spec import Spec, SpecError
from tabia.tables.splits import SPLITS

__all__ = ["PREDICTIONS", "TIMES", "TrainError", "fit", "load", "model_module", "predict", "run"]

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
        pa.field("split_by", pa.string(), nullable=False),
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
    """Too few positions, predictions that are no numbers, or a table of sizes that marks none."""

    exit_code = 3


def run(
    spec: Spec,
    *,
    dataset: Path,
    features: Mapping[str, Path],
    choice: Path | None,
    model: Path,
    predictions: Path,
    times: Path,
    threads: int = 1,
) -> None:
    """Train, predict and time one model.

    Parameters
    ----------
    spec
        ``config`` holds ``seed``, the model's ``model`` (its module), ``settings``,
        ``any_threads`` (True: the model does not depend on threads), ``inputs`` (groups), and
        ``splits``: shares of a split by position, or null for the dataset's own by
        game. Wildcards are ``filter``, ``scenario``, ``model`` (the run) and ``seed``.
    features
        Tables of inputs by group.
    choice
        The size that was chosen for all seeds (:mod:`tabia.evaluation.choose`), if there is one.
    model
        Folder for the weights, ``config.json`` and the card, ``README.md``.
    threads
        Threads of a model that does not depend on them; all others have theirs in ``settings``.

    Raises
    ------
    TrainError
        If no training or no validation position is left, `choice` does not mark one size, or the
        model predicts what is no finite number.
    DatasetError, FeaturesError
        If a table is missing or of another kind, or holds what is no finite number.
    SpecError
        If the spec names a filter, scenario or model that there is not.
    """
    rows, splits = load(spec, dataset, features)
    settings = dict(spec.config["settings"])
    if choice is not None:
        settings["sizes"] = [_chosen(choice)]
    # The seed of every run is drawn from the configuration's, apart from every other use of it.
    drawn = int(spec.rng("model", int(spec.wildcards["seed"])).integers(2**31))
    free = {"threads": threads} if spec.config["any_threads"] else {}
    start = time.perf_counter()
    trained = fit(spec, splits, settings | free, drawn)
    seconds = time.perf_counter() - start

    predicted = np.empty(len(rows), np.float32)
    split_of = rows["split"].to_numpy()
    for split, part in splits.items():
        predicted[split_of == split] = predict(trained, part)
    _check_finite(predicted, rows, spec)
    table = rows.select(PREDICTIONS.names[:-1]).append_column("predicted", pa.array(predicted))
    table = table.cast(PREDICTIONS)
    engine = engine_of([dataset])
    players, phase = played_by(rows["played_by"].to_pylist()), rows["phase"].to_numpy()
    about = card.about(spec, trained, splits, table, phase, players, settings, engine)
    with atomic_folder(model) as folder:
        trained.save(folder)
        if isinstance(trained, KeepsRows):
            own = rows.filter(pc.equal(rows["split"], "train"))
            parquet.write(own.select(["fen", "target"]), folder / "train.parquet", spec=spec)
        size = sum(file.stat().st_size for file in folder.iterdir())
        card.write(about, folder)
    parquet.write(table, predictions, spec=spec, extra=engine)
    measured = _times(trained, splits, seconds, size)
    name, by = spec.config["model"], about["split_by"]
    keys = {
        "filter": spec.wildcards["filter"],
        "scenario": int(spec.wildcards["scenario"]),
        "model": name,
        "split_by": by,
        "seed": int(spec.wildcards["seed"]),
    }
    played = {split: _players(rows, split) for split in splits}
    # The split itself is no column: the schema leaves it out.
    records = [keys | row | {"played_by": played[str(row["split"])]} for row in measured]
    parquet.write(pa.Table.from_pylist(records, schema=TIMES), times, spec=spec, extra=engine)


def load(
    spec: Spec, dataset: Path, features: Mapping[str, Path]
) -> tuple[pa.Table, dict[str, Examples]]:
    """Return the rows that the filter keeps, with their split, and the examples of each split."""
    scenario = _scenario(spec)
    rows = read_dataset(dataset, spec.wildcards["filter"])
    if shares := spec.config["splits"]:
        rows = rows.set_column(
            rows.schema.get_field_index("split"), "split", _by_position(rows, shares)
        )
    tables = {name: read_inputs(name, path) for name, path in features.items()}
    splits = examples(rows, scenario, spec.config["inputs"], tables)
    for split in ("train", "validation"):
        if split not in splits:
            raise TrainError(
                f"{dataset}: no {split} position passes the filter {spec.wildcards['filter']};"
                " sample more positions or add games"
            )
    return rows, splits


def model_module(spec: Spec) -> ModelModule:
    """Return the module of the model that a spec trains.

    Raises
    ------
    SpecError
        If there is no such model.
    """
    name = f"tabia.evaluation.models.{spec.config['model']}"
    unknown = f"--spec: no model is called {spec.config['model']!r}; docs/evaluation.md lists them"
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if not (error.name or "").startswith("tabia.evaluation.models"):
            raise
        raise SpecError(unknown) from error
    if not hasattr(module, "fit"):
        raise SpecError(unknown)
    return cast(ModelModule, module)


def fit(
    spec: Spec, splits: Mapping[str, Examples], settings: Mapping[str, Any], seed: int
) -> Model:
    """Train the model of a spec.

    Raises
    ------
    SpecError
        If there is no such model, or it has not such settings.
    """
    module = model_module(spec)
    try:
        return module.fit(splits["train"], splits["validation"], settings, seed)
    except ValidationError as error:
        fault = error.errors()[0]
        where = ".".join(map(str, ("settings", *fault["loc"])))
        raise SpecError(f"--spec: {spec.config['model']}: {where}: {fault['msg']}") from error


def _scenario(spec: Spec) -> int:
    found = {str(number): number for number in ENGINE_INPUTS}
    if spec.wildcards["scenario"] not in found:
        raise SpecError(
            f"--spec: no scenario is called {spec.wildcards['scenario']!r}; there are"
            f" {', '.join(found)}"
        )
    return found[spec.wildcards["scenario"]]


def _check_finite(predicted: npt.NDArray[np.float32], rows: pa.Table, spec: Spec) -> None:
    """Refuse a model whose values are no numbers before anything of it is written."""
    bad = np.flatnonzero(~np.isfinite(predicted))
    if len(bad):
        first = int(bad[0])
        raise TrainError(
            f"{spec.config['model']}: the trained model predicts {predicted[first]} for"
            f" position_id {rows['position_id'][first].as_py().hex()} ({rows['split'][first]}), no"
            f" finite number for {len(bad)} of {len(rows)} positions; nothing was written; change"
            " its settings: a smaller learning_rate, larger penalties"
        )


def _chosen(choice: Path) -> list[int]:
    """Return the size that a table of choices marks."""
    if not choice.is_file():
        raise TrainError(
            f"{choice}: there is no such table of sizes; run the workflow, or"
            " `tabia evaluation choose`"
        )
    sizes = [list(row["size"]) for row in parquet.read(choice).to_pylist() if row["chosen"]]
    if len(sizes) != 1:
        raise TrainError(
            f"{choice}: marks {len(sizes)} sizes as chosen, not one; delete it and run the"
            " workflow again"
        )
    return sizes[0]


def _by_position(rows: pa.Table, shares: Mapping[str, float]) -> pa.Array:
    """Split by the position's own hash: positions of one game fall into different splits."""
    ids = b"".join(rows["position_id"].to_pylist())
    halves = np.frombuffer(ids, "<u8").reshape(-1, 2)
    codes = split_by_hash(halves[:, 1].copy(), shares)
    return pa.DictionaryArray.from_arrays(pa.array(codes), list(SPLITS)).dictionary_decode()


def _players(rows: pa.Table, split: str) -> str:
    own = rows["played_by"].to_numpy()[rows["split"].to_numpy() == split]
    return played_by(own.tolist())


def predict(model: Model, rows: Examples) -> npt.NDArray[np.float32]:
    """Return predictions of all rows, ``[n]``, block by block."""
    parts = [model.predict(rows.inputs.rows(part)) for part in blocks(len(rows))]
    return np.concatenate(parts)


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
    add("inputs", "count", len(splits["train"].inputs.columns), "train", trained_on)
    add("parameters", "count", model.n_parameters, "train", trained_on)
    for fact, found in model.facts.items():
        if isinstance(found, int):
            add(fact, "count", found, "train", trained_on)
    return rows


def _clock(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
