from __future__ import annotations

import importlib
import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from tabia.evaluation import train
from tabia.evaluation.dataset import DATASET, kept
from tabia.evaluation.features import examples
from tabia.tables import parquet
from tests.evaluation.world import TREES, spec


def job(folder: Path, dataset: Path, **wildcards: str) -> Path:
    wildcards = {"filter": "mate", "scenario": "1", "model": "lightgbm", "seed": "0"} | wildcards
    settings = TREES if wildcards["model"] == "lightgbm" else {}
    train.run(
        spec("train", {"seed": 1, "settings": settings}, **wildcards),
        dataset=dataset,
        model=folder / "model",
        predictions=folder / "predictions.parquet",
        times=folder / "times.parquet",
    )
    return folder


@pytest.fixture(scope="module")
def trained(chapter, tmp_path_factory):
    return job(tmp_path_factory.mktemp("trained"), chapter / "dataset.parquet")


def test_predictions_are_the_saved_models_for_every_kept_position(chapter, trained):
    table = parquet.read(trained / "predictions.parquet")
    rows = kept(parquet.read(chapter / "dataset.parquet"), "mate")
    assert table.schema.equals(train.PREDICTIONS)
    for name in ("position_id", "game_id", "split", "target"):
        assert table[name].to_pylist() == rows[name].to_pylist()
    model = importlib.import_module("tabia.evaluation.models.lightgbm").load(trained / "model")
    split = table["split"].to_numpy()
    for name, part in examples(rows, 1).items():
        expected = model.predict(part.inputs.rows(slice(None)))
        np.testing.assert_array_equal(table["predicted"].to_numpy()[split == name], expected)


def test_the_card_says_what_the_model_is(trained):
    card = json.loads((trained / "model" / "card.json").read_text())
    assert card["model"] == "lightgbm"
    assert card["inputs"][-3:] == ["input_1", "input_2", "input_3"]
    assert card["settings"] == TREES
    assert card["splits"]["train"]["positions"] > card["splits"]["train"]["games"] > 100
    assert card["splits"]["train"]["mae_pawns"] < card["splits"]["test"]["mae_pawns"]
    assert card["played_by"] == "engines and people"
    assert card["licence"] == "GPL-3.0-or-later"


def test_times_are_measurements_with_what_was_measured(trained):
    rows = parquet.read(trained / "times.parquet").to_pylist()
    assert {(row["metric"], row["repeat"]) for row in rows} == {
        ("training_time", 0),
        *(("prediction_time_in_batch", repeat) for repeat in range(3)),
        *(("prediction_time_alone", repeat) for repeat in range(3)),
        ("size", 0),
        ("inputs", 0),
        ("parameters", 0),
    }
    assert all(row["value"] > 0 and row["n_games"] > 1 for row in rows)
    size = next(row["value"] for row in rows if row["metric"] == "size")
    assert size == (trained / "model" / "model.txt").stat().st_size


@pytest.mark.parametrize("model", ["ridge", "lightgbm"])
def test_two_runs_write_the_same_bytes_but_for_the_times(chapter, tmp_path, model):
    first, second = (
        job(tmp_path / name, chapter / "dataset.parquet", model=model, scenario="2")
        for name in "ab"
    )
    for path in sorted(first.rglob("*")):
        if path.is_file() and path.name != "times.parquet":
            assert path.read_bytes() == (second / path.relative_to(first)).read_bytes(), path


def test_seeds_differ(chapter, trained, tmp_path):
    other = job(tmp_path, chapter / "dataset.parquet", seed="1")
    first, second = (parquet.read(f / "predictions.parquet") for f in (trained, other))
    assert first["target"].equals(second["target"])
    assert not first["predicted"].equals(second["predicted"])


def test_the_filter_decides_the_positions(chapter, trained, tmp_path):
    job(tmp_path, chapter / "dataset.parquet", filter="abs20", model="mean", scenario="3")
    target = parquet.read(tmp_path / "predictions.parquet")["target"].to_numpy()
    all_targets = parquet.read(trained / "predictions.parquet")["target"].to_numpy()
    assert np.abs(target).max() <= 20 < np.abs(all_targets).max()
    assert len(target) == (np.abs(all_targets) <= 20).sum()


@pytest.mark.parametrize("missing", ["train", "validation"])
def test_a_split_without_positions_is_the_datas_fault(chapter, tmp_path, missing):
    table = parquet.read(chapter / "dataset.parquet")
    keep = pa.array([split != missing for split in table["split"].to_pylist()])
    parquet.write(table.filter(keep).cast(DATASET), tmp_path / "dataset.parquet")
    with pytest.raises(train.TrainError, match=f"no {missing} position") as error:
        job(tmp_path, tmp_path / "dataset.parquet", model="mean")
    assert error.value.exit_code == 3
    assert not (tmp_path / "model").exists()


def test_training_works_without_test_positions(chapter, tmp_path):
    table = parquet.read(chapter / "dataset.parquet")
    keep = pa.array([split != "test" for split in table["split"].to_pylist()])
    parquet.write(table.filter(keep).cast(DATASET), tmp_path / "dataset.parquet")
    job(tmp_path, tmp_path / "dataset.parquet", model="ridge")
    assert set(parquet.read(tmp_path / "predictions.parquet")["split"].to_pylist()) == {
        "train",
        "validation",
    }
