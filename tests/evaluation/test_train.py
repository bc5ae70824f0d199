from __future__ import annotations

import importlib
import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from tabia.evaluation import choose, train
from tabia.evaluation.dataset import DATASET, DatasetError, kept
from tabia.evaluation.features import FeaturesError, examples
from tabia.evaluation.models import mean
from tabia.evaluation.models.modules import INPUTS, split_by
from tabia.tables import parquet
from tabia.tables.spec import SpecError
from tests.evaluation.world import LABELS, TREES, spec

SHARES = {"train": 0.5, "validation": 0.25, "test": 0.25}


def config(run: str, **settings: object) -> dict[str, object]:
    model, by = split_by(run)
    return {
        "seed": 1,
        "model": model,
        "inputs": list(INPUTS[model]),
        "settings": (TREES if model.startswith("lightgbm") else {}) | settings,
        "any_threads": model.startswith("rbf"),
        "splits": SHARES if by == "position" else None,
        "labels": LABELS,
    }


def job(folder: Path, dataset: Path, choice: Path | None = None, **wildcards: str) -> Path:
    wildcards = {
        "filter": "mate",
        "scenario": "1",
        "model": "lightgbm_placement",
        "seed": "0",
    } | wildcards
    train.run(
        spec("train", config(wildcards["model"]), **wildcards),
        dataset=dataset,
        features={},
        choice=choice,
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
    model = importlib.import_module("tabia.evaluation.models.lightgbm_placement").load(
        trained / "model"
    )
    split = table["split"].to_numpy()
    for name, part in examples(rows, 1, ["placement"], {}).items():
        expected = model.predict(part.inputs.rows(slice(None)))
        np.testing.assert_array_equal(table["predicted"].to_numpy()[split == name], expected)


def test_config_json_holds_what_using_the_model_again_needs(trained):
    about = json.loads((trained / "model" / "config.json").read_text())
    assert (about["model"], about["run"]) == ("lightgbm_placement", "lightgbm_placement")
    assert about["groups"] == ["placement"]
    assert about["inputs"][-3:] == ["input_1", "input_2", "input_3"]
    assert len(about["inputs"]) == 771
    assert about["settings"] == TREES
    assert about["labels"] == LABELS
    assert about["split_by"] == "game"
    assert about["splits"]["train"]["positions"] > about["splits"]["train"]["games"] > 100
    assert about["splits"]["train"]["mae_pawns"] < about["splits"]["test"]["mae_pawns"]
    assert about["played_by"] == "engines and people"
    assert about["licence"] == "GPL-3.0-or-later"


def test_the_card_shows_people_the_figures_of_config_json(trained):
    about = json.loads((trained / "model" / "config.json").read_text())
    card = (trained / "model" / "README.md").read_text()
    for name, own in about["splits"].items():
        shown = f"| {name} | {own['positions']:,} | {own['games']:,} | {own['mae_pawns']:.4f} |"
        assert shown in card
    assert "leaks" not in card


def test_a_split_by_position_is_the_positions_own_and_says_that_it_leaks(chapter, tmp_path):
    by_game = job(tmp_path / "game", chapter / "dataset.parquet", model="ridge_placement")
    run = job(
        tmp_path / "position", chapter / "dataset.parquet", model="ridge_placement_by_position"
    )
    first, second = (parquet.read(f / "predictions.parquet") for f in (by_game, run))
    for name in ("position_id", "game_id", "target"):
        assert first[name].equals(second[name])
    split, game = np.array(second["split"].to_pylist()), second["game_id"].to_numpy()
    for name, share in SHARES.items():
        assert (split == name).mean() == pytest.approx(share, abs=0.06)
    shared = set(game[split == "train"].tolist()) & set(game[split == "test"].tolist())
    assert len(shared) > 50
    about = json.loads((run / "model" / "config.json").read_text())
    assert (about["model"], about["split_by"]) == ("ridge_placement", "position")
    assert "**This split leaks**" in (run / "model" / "README.md").read_text()
    times = parquet.read(run / "times.parquet").to_pylist()
    assert {(row["model"], row["split_by"]) for row in times} == {("ridge_placement", "position")}


def test_the_chosen_size_is_the_one_that_is_trained(chapter, tmp_path, monkeypatch):
    seen = []

    def fit(train, validation, settings, seed):
        seen.append(settings["sizes"])
        size = settings["sizes"][0][0]
        return mean.MeanModel(float(abs(size - 4)) - 1)

    monkeypatch.setattr(mean, "fit", fit)
    wildcards = {"filter": "mate", "scenario": "3", "model": "mean"}
    choose.run(
        spec("choose", config("mean", sizes=[[3, 1], [4, 1], [9, 2]]), **wildcards),
        dataset=chapter / "dataset.parquet",
        features={},
        choice=tmp_path / "choice.parquet",
    )
    assert seen == [[[3, 1]], [[4, 1]], [[9, 2]]]
    rows = parquet.read(tmp_path / "choice.parquet").to_pylist()
    assert parquet.read(tmp_path / "choice.parquet").schema.equals(choose.CHOICES)
    best = min(rows, key=lambda row: row["validation_mse"])
    assert [row["chosen"] for row in rows] == [row is best for row in rows]
    seen.clear()
    job(
        tmp_path,
        chapter / "dataset.parquet",
        tmp_path / "choice.parquet",
        model="mean",
        scenario="3",
    )
    assert seen == [[best["size"]]]


@pytest.mark.parametrize("chosen", [[], [0, 1]])
def test_a_table_of_sizes_that_does_not_mark_one_is_an_error_with_its_name(
    chapter, tmp_path, chosen
):
    row = dict.fromkeys(("filter", "model"), "") | dict.fromkeys(
        ("scenario", "parameters", "validation_mse", "validation_mae", "n_games", "n_positions"), 0
    )
    rows = [
        row | {"size": [size, 1], "chosen": size in chosen, "validation_predicted": []}
        for size in range(2)
    ]
    path = tmp_path / "choice.parquet"
    parquet.write(pa.Table.from_pylist(rows, choose.CHOICES), path, spec=spec("choose", {}))
    with pytest.raises(train.TrainError, match=rf"choice\.parquet: marks {len(chosen)} sizes"):
        job(tmp_path, chapter / "dataset.parquet", path, model="mean")


@pytest.mark.parametrize(
    ("any_threads", "expected"), [(True, {"a": 1, "threads": 3}), (False, {"a": 1})]
)
def test_the_jobs_threads_reach_a_model_that_does_not_depend_on_them_and_no_card(
    chapter, tmp_path, monkeypatch, any_threads, expected
):
    seen = []

    def fit(train, validation, settings, seed):
        seen.append(settings)
        return mean.MeanModel(0.5)

    monkeypatch.setattr(mean, "fit", fit)
    wanted = config("mean", a=1) | {"any_threads": any_threads}
    train.run(
        spec("train", wanted, filter="mate", scenario="3", model="mean", seed="0"),
        dataset=chapter / "dataset.parquet",
        features={},
        choice=None,
        threads=3,
        model=tmp_path / "model",
        predictions=tmp_path / "predictions.parquet",
        times=tmp_path / "times.parquet",
    )
    assert seen == [expected]
    about = json.loads((tmp_path / "model" / "config.json").read_text())
    assert about["settings"] == {"a": 1}


def test_times_are_measurements_with_what_was_measured(trained):
    rows = parquet.read(trained / "times.parquet").to_pylist()
    assert {(row["metric"], row["repeat"]) for row in rows} == {
        ("training_time", 0),
        *(("prediction_time_in_batch", repeat) for repeat in range(3)),
        *(("prediction_time_alone", repeat) for repeat in range(3)),
        ("size", 0),
        ("inputs", 0),
        ("parameters", 0),
        ("trees", 0),
    }
    assert all(row["value"] > 0 and row["n_games"] > 1 for row in rows)
    size = next(row["value"] for row in rows if row["metric"] == "size")
    assert size == (trained / "model" / "model.txt").stat().st_size


@pytest.mark.parametrize("model", ["ridge_placement", "lightgbm_placement"])
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
    job(tmp_path, tmp_path / "dataset.parquet", model="ridge_placement")
    assert set(parquet.read(tmp_path / "predictions.parquet")["split"].to_pylist()) == {
        "train",
        "validation",
    }


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_model_that_predicts_no_numbers_is_refused_and_nothing_is_written(
    chapter, tmp_path, monkeypatch, value
):
    monkeypatch.setattr(mean, "fit", lambda *_: mean.MeanModel(value))
    with pytest.raises(
        train.TrainError, match=rf"mean: .* predicts {value} for position_id [0-9a-f]"
    ):
        job(tmp_path, chapter / "dataset.parquet", model="mean", scenario="3")
    assert not list(tmp_path.iterdir())


def test_a_size_whose_error_is_no_number_is_never_chosen(chapter, tmp_path, monkeypatch):
    def fit(train, validation, settings, seed):
        return mean.MeanModel({3: np.nan, 4: 0.0, 5: np.inf}[settings["sizes"][0][0]])

    monkeypatch.setattr(mean, "fit", fit)

    def choice(*sizes):
        choose.run(
            spec("choose", config("mean", sizes=sizes), filter="mate", scenario="3", model="mean"),
            dataset=chapter / "dataset.parquet",
            features={},
            choice=tmp_path / "choice.parquet",
        )
        return parquet.read(tmp_path / "choice.parquet").to_pylist()

    rows = choice([3, 1], [4, 1], [5, 1])
    assert [row["chosen"] for row in rows] == [False, True, False]
    with pytest.raises(train.TrainError, match="mean: no size gives finite predictions"):
        choice([3, 1], [5, 1])


@pytest.mark.parametrize(
    ("wildcards", "message"),
    [
        ({"scenario": "4"}, "no scenario is called '4'; there are 1, 2, 3"),
        ({"scenario": "one"}, "no scenario is called 'one'"),
        ({"filter": "none"}, "no filter is called 'none'; there are mate and abs20"),
    ],
)
def test_a_spec_of_what_there_is_not_is_told(chapter, tmp_path, wildcards, message):
    with pytest.raises(SpecError, match=message) as error:
        job(tmp_path, chapter / "dataset.parquet", **wildcards)
    assert error.value.exit_code == 2


@pytest.mark.parametrize("model", ["os", "modules", "a.b", ""])
def test_an_unknown_model_is_told(model):
    with pytest.raises(SpecError, match=f"no model is called '{model}'"):
        train.model_module(spec("train", {"model": model}))


def test_a_missing_dataset_is_told_with_what_makes_it(tmp_path):
    with pytest.raises(DatasetError, match=r"zz\.parquet: there is no such dataset; run the") as e:
        job(tmp_path, tmp_path / "zz.parquet")
    assert e.value.exit_code == 3


def test_a_missing_table_of_inputs_is_told_with_what_makes_it(chapter, tmp_path):
    wildcards = {"filter": "mate", "scenario": "3", "model": "ridge", "seed": "0"}
    with pytest.raises(FeaturesError, match=r"no such table of terms; .*`tabia evaluation terms`"):
        train.load(
            spec("train", config("ridge"), **wildcards),
            chapter / "dataset.parquet",
            {"terms": tmp_path / "zz.parquet"},
        )


def test_a_missing_choice_is_told_with_what_makes_it(chapter, tmp_path):
    with pytest.raises(train.TrainError, match=r"no such table of sizes; .*evaluation choose"):
        job(tmp_path, chapter / "dataset.parquet", tmp_path / "zz.parquet", model="mean")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda table: table.drop_columns(["target"]), "no column target, this is no dataset"),
        (lambda table: table.drop_columns(["keep_mate"]), "no column keep_mate"),
        (
            lambda table: table.set_column(0, "position_id", pa.array(range(len(table)))),
            r"position_id holds int64, not fixed_size_binary\[16\]",
        ),
    ],
)
def test_a_foreign_dataset_is_told(chapter, tmp_path, change, message):
    table = change(parquet.read(chapter / "dataset.parquet"))
    parquet.write(table, tmp_path / "other.parquet")
    with pytest.raises(DatasetError, match=message):
        job(tmp_path, tmp_path / "other.parquet")


def test_settings_that_a_model_cannot_have_are_told(chapter, tmp_path):
    wanted = config("ridge_placement", penalties=[1e-320, 1])
    wildcards = {"filter": "mate", "scenario": "3", "model": "ridge_placement"}
    with pytest.raises(
        SpecError, match=r"ridge_placement: settings\.penalties\.0: .* greater than"
    ):
        choose.run(
            spec("choose", wanted | {"settings": wanted["settings"] | {"sizes": [1]}}, **wildcards),
            dataset=chapter / "dataset.parquet",
            features={},
            choice=tmp_path / "choice.parquet",
        )
    with pytest.raises(
        SpecError, match=r"ridge_placement: settings\.penalties\.0: .* greater than"
    ):
        train.run(
            spec("train", wanted, **wildcards, seed="0"),
            dataset=chapter / "dataset.parquet",
            features={},
            choice=None,
            model=tmp_path / "model",
            predictions=tmp_path / "predictions.parquet",
            times=tmp_path / "times.parquet",
        )
