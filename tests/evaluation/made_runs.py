"""Made-up predictions, times and choices of sizes, as training and choosing would leave them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabia.evaluation.choose import CHOICES
from tabia.evaluation.dataset import kept
from tabia.evaluation.train import PREDICTIONS, TIMES
from tabia.tables import parquet

ABOUT = {"engine.name": "Made up 1"}


def predict(
    dataset: Path, folder: Path, *, filter_: str = "mate", noise: float = 1.0, seed: int = 0,
    by_position: bool = False,
) -> Path:  # fmt: skip
    """Write predictions.parquet: the target with noise; seeded, so equal calls agree."""
    rows = kept(parquet.read(dataset), filter_)
    target = rows["target"].to_numpy().astype(np.float64)
    guess = target + np.random.default_rng(seed).normal(0, noise, len(rows))
    table = rows.select(PREDICTIONS.names[:-1]).append_column("predicted", pa.array(guess))
    if by_position:
        split = [("train", "train", "validation", "test")[i % 4] for i in range(len(rows))]
        table = table.set_column(2, "split", pa.array(split))
    parquet.write(table.cast(PREDICTIONS), folder / "predictions.parquet", extra=ABOUT)
    return folder


def time(folder: Path, keys: dict[str, object], *, seconds: Sequence[float], nodes: int) -> None:
    """Write times.parquet: one training time, a prediction time a repeat, and counts."""
    common = {**keys, "n_games": 40, "n_positions": 100, "played_by": "people"}

    def row(metric: str, unit: str, value: float, repeat: int = 0) -> dict[str, object]:
        return common | {"metric": metric, "unit": unit, "value": value, "repeat": repeat}

    each = "µs per position"
    rows = [row("training_time", "s", seconds[0])]
    for repeat, found in enumerate(seconds):
        rows.append(row("prediction_time_in_batch", each, 1e3 * found, repeat))
        rows.append(row("prediction_time_alone", each, 1e4 * found, repeat))
    rows += [row("size", "bytes", 1234.0), row("inputs", "count", 771.0)]
    rows += [row("parameters", "count", 10.0), row("nodes", "count", float(nodes))]
    parquet.write(pa.Table.from_pylist(rows, TIMES), folder / "times.parquet", extra=ABOUT)


def choose(
    dataset: Path, path: Path, *, filter_: str, scenario: int, model: str, noise: dict[str, float]
) -> None:
    """Write a table of choices: for each size ("8-4") an error as large as its noise."""
    rows = kept(parquet.read(dataset), filter_)
    rows = rows.filter(pc.equal(rows["split"], "validation"))
    target = rows["target"].to_numpy().astype(np.float64)
    shape = np.where(np.arange(len(rows)) % 2, 1.0, -1.0)
    records = [
        {
            "filter": filter_,
            "scenario": scenario,
            "model": model,
            "size": [int(nodes) for nodes in size.split("-")],
            "parameters": 10 * number,
            "validation_mse": error**2,
            "validation_mae": error,
            "n_games": len(np.unique(rows["game_id"].to_numpy())),
            "n_positions": len(rows),
            "validation_predicted": (target + error * shape).astype(np.float32),
            "chosen": error == min(noise.values()),
        }
        for number, (size, error) in enumerate(noise.items(), start=1)
    ]
    parquet.write(pa.Table.from_pylist(records, CHOICES), path)
