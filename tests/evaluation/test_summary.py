"""The result tables of a whole small run: three models, two filters, two scenarios."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tabia.evaluation import dataset, scores, summary
from tabia.tables import parquet, results, schemas
from tests.evaluation.test_train import job
from tests.evaluation.world import ELO_BINS, LABELS, spec

CONFIG = {"seed": 1, "scores": {"bootstrap": 200}, "elo_bins": ELO_BINS}
RUNS = [
    {"filter": filter_, "scenario": scenario, "model": model, "seed": seed}
    for filter_ in ("mate", "abs20")
    for scenario in ("1", "3")
    for model, seeds in (("mean", "0"), ("lightgbm", "012"))
    for seed in seeds
]
NAMES = ("positions", "models", "by_elo", "by_phase", "times")


@pytest.fixture(scope="module")
def run_folder(chapter, tmp_path_factory) -> Path:
    """The chapter with three rejected positions, trained, scored and summarised."""
    folder = tmp_path_factory.mktemp("run")
    labels = parquet.read(chapter / "labels.parquet")
    sample = parquet.read(chapter / "sample.parquet")
    lost = sample["position_id"].to_pylist()[:3]
    keep = pa.array([ident not in lost for ident in labels["position_id"].to_pylist()])
    rows = [
        {"position_id": ident, "fen": "", "limit": limit, "reason": reason, "detail": ""}
        for ident, reason in zip(lost, ("engine_timeout", "engine_crashed", "engine_timeout"),
                                 strict=True)
        for limit in ("depth 2", "depth 4", "depth 8", "nodes 1000")
    ]  # fmt: skip
    about = {"engine.name": "Made up 1"}
    parquet.write(labels.filter(keep), folder / "labels.parquet", extra=about)
    parquet.write(pa.Table.from_pylist(rows, schemas.LABEL_REJECTS), folder / "rejects.parquet")
    dataset.run(
        spec("dataset", {"labels": LABELS}),
        sample=chapter / "sample.parquet",
        labels=[folder / "labels.parquet"],
        label_rejects=[folder / "rejects.parquet"],
        dataset=folder / "dataset.parquet",
    )
    for keys in RUNS:
        own = job(folder / "-".join(keys.values()), folder / "dataset.parquet", **keys)
        scores.run(
            spec("scores", CONFIG, **keys),
            dataset=folder / "dataset.parquet",
            predictions=own / "predictions.parquet",
            scores=own / "scores.parquet",
        )
    summarise(chapter, folder, folder)
    return folder


def summarise(chapter: Path, folder: Path, out: Path, step: int = 1) -> None:
    runs = ["-".join(keys.values()) for keys in RUNS][::step]
    summary.run(
        spec("summary", CONFIG),
        sample=chapter / "sample.parquet",
        dataset=folder / "dataset.parquet",
        label_rejects=[folder / "rejects.parquet"],
        scores=[folder / run / "scores.parquet" for run in runs],
        times=[folder / run / "times.parquet" for run in runs],
        **{f"{name}_table": out / f"evaluation_{name}.parquet" for name in NAMES},
    )


def table(folder: Path, name: str) -> list[dict]:
    return parquet.read(folder / f"evaluation_{name}.parquet").to_pylist()


@pytest.mark.parametrize("name", NAMES)
def test_every_table_has_n_and_intervals_in_three_formats(run_folder, name):
    path = run_folder / f"evaluation_{name}.parquet"
    result = parquet.read(path)
    results.check(result, name)
    assert len(result) > 0
    assert len(path.with_suffix(".csv").read_text().splitlines()) == len(result) + 1
    assert path.with_suffix(".md").is_file()


def test_every_table_made_from_labels_names_the_engine(run_folder):
    made = [f"evaluation_{name}" for name in NAMES]
    made += [f"mate-1-lightgbm-0/{name}" for name in ("predictions", "times", "scores")]
    for name in made:
        metadata = pq.read_schema(run_folder / f"{name}.parquet").metadata
        assert metadata[b"engine.name"] == b"Made up 1", name


def test_positions_add_up_from_the_sample_to_the_filters(run_folder, chapter):
    rows = table(run_folder, "positions")
    count = {(r["step"], r["filter"], r["reason"], r["split"]): int(r["value"]) for r in rows}
    sampled = len(parquet.read(chapter / "sample.parquet"))
    whole = parquet.read(run_folder / "dataset.parquet").to_pylist()
    assert count["sampled", None, None, "all"] == sampled
    assert count["rejected", None, None, "all"] == 3
    assert count["rejected", None, "engine_timeout", "all"] == 2
    assert count["rejected", None, "engine_crashed", "all"] == 1
    assert count["labelled", None, None, "all"] == sampled - 3 == len(whole)
    mates = sum(row["is_mate"] for row in whole)
    far = sum(not row["is_mate"] and abs(row["target"]) > 20 for row in whole)
    assert count["after filter", "mate", None, "all"] == sampled - 3 - mates
    assert count["after filter", "abs20", None, "all"] == sampled - 3 - mates - far
    assert mates > 0 < far
    for key, value in count.items():
        if key[3] == "all":
            assert value == sum(count[*key[:3], s] for s in ("train", "validation", "test"))
    for row in rows:
        assert row["n_positions"] == row["value"]
        assert row["interval"] == results.EXACT


def test_one_run_is_reported_as_it_was_scored(run_folder):
    scored = parquet.read(run_folder / "mate-3-mean-0" / "scores.parquet").to_pylist()
    own = next(r for r in scored if r["split"] == "test" and r["metric"] == "mae")
    row = find(run_folder, "mate", 3, "mean", "test", "mae")
    for name in ("value", "lo", "hi", "interval", "n_games", "n_positions", "played_by"):
        assert row[name] == own[name]
    assert row["n_seeds"] == 1


def find(folder: Path, filter_: str, scenario: int, model: str, split: str, metric: str) -> dict:
    keys = {"filter": filter_, "scenario": scenario, "model": model, "split": split}
    found = [
        row
        for row in table(folder, "models")
        if row["metric"] == metric and all(row[key] == value for key, value in keys.items())
    ]
    assert len(found) == 1
    return found[0]


def of_seeds(folder: Path, split: str) -> list[dict]:
    rows = []
    for seed in "012":
        path = folder / f"mate-1-lightgbm-{seed}" / "scores.parquet"
        rows += [
            row
            for row in parquet.read(path).to_pylist()
            if row["split"] == split and row["metric"] == "mae"
            if row["elo_bin"] is None and row["phase_bin"] is None
        ]
    return rows


def test_several_seeds_are_averaged_and_resampled_by_game_and_seed(run_folder):
    row = find(run_folder, "mate", 1, "lightgbm", "test", "mae")
    seeds = of_seeds(run_folder, "test")
    values = [seed["value"] for seed in seeds]
    assert row["value"] == pytest.approx(np.mean(values))
    assert row["n_seeds"] == 3
    assert row["interval"] == "95% percentile bootstrap by game and seed, 200 draws"
    # Wider than the joint bootstrap by game of the average, for the seeds vary too.
    by_game = np.mean([seed["draws"] for seed in seeds], axis=0)
    lo, hi = np.quantile(by_game, [0.025, 0.975])
    assert row["hi"] - row["lo"] > 0.97 * (hi - lo)
    assert row["lo"] < row["value"] < row["hi"]


def test_the_best_seed_is_chosen_on_validation(run_folder):
    best = int(np.argmin([seed["value"] for seed in of_seeds(run_folder, "validation")]))
    row = find(run_folder, "mate", 1, "lightgbm", "test", "mae_best_seed")
    assert row["value"] == of_seeds(run_folder, "test")[best]["value"]
    assert row["interval"] == "95% percentile bootstrap by game, 200 draws"
    with pytest.raises(AssertionError):
        find(run_folder, "mate", 3, "mean", "test", "mae_best_seed")


def test_bins_come_in_order_and_once_for_each_model(run_folder):
    for name, column in (("by_elo", "elo_bin"), ("by_phase", "phase")):
        rows = table(run_folder, name)
        keys = [(r["filter"], r["scenario"], r["model"], r[column]) for r in rows]
        assert len(keys) == len(set(keys))
        assert {(r["split"], r["metric"]) for r in rows} == {("test", "mae")}
        lows = [int(r[column].strip("(").replace("-", ",").split(",")[0]) for r in rows]
        first = next(i for i, key in enumerate(keys) if key[:3] != keys[0][:3])
        assert lows[:first] == sorted(lows[:first])


def test_times_are_ranges_and_sizes_that_agree_are_exact(run_folder):
    rows = {
        (r["filter"], r["scenario"], r["model"], r["metric"]): r for r in table(run_folder, "times")
    }
    trained = rows["mate", 1, "lightgbm", "training_time"]
    assert trained["interval"] == "range over 3 measurements, value the median"
    alone = rows["mate", 1, "lightgbm", "prediction_time_alone"]
    assert alone["interval"] == "range over 9 measurements, value the median"
    assert 0 < alone["lo"] <= alone["value"] <= alone["hi"]
    inputs = rows["mate", 1, "lightgbm", "inputs"]
    assert (inputs["value"], inputs["interval"]) == (771, results.EXACT)
    once = rows["mate", 3, "mean", "training_time"]
    assert once["interval"] == "range over 1 measurement, value the median"


def test_neither_the_order_of_files_nor_a_rerun_changes_a_byte(run_folder, chapter, tmp_path):
    summarise(chapter, run_folder, tmp_path, step=-1)
    for name in NAMES:
        for suffix in (".parquet", ".csv", ".md"):
            file = f"evaluation_{name}{suffix}"
            assert (tmp_path / file).read_bytes() == (run_folder / file).read_bytes()
