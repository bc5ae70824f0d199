"""The result tables of a whole small run: two models, two filters, two scenarios."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tabia.evaluation import dataset, scores, summary, summary_choices
from tabia.evaluation.config import Scores
from tabia.evaluation.models.modules import split_by
from tabia.tables import parquet, results, schemas
from tests.evaluation import made_runs
from tests.evaluation.world import ELO_BINS, LABELS, spec

CONFIG = {"seed": 1, "scores": {"bootstrap": 200}, "filters": ["abs20", "mate"]}
RUNS = [
    {"filter": filter_, "scenario": scenario, "model": model, "seed": seed}
    for filter_ in ("mate", "abs20")
    for scenario in ("1", "3")
    for model, seeds in (("ridge", "0"), ("mlp_lm", "012"), ("ridge_by_position", "0"))
    for seed in seeds
]
NOISE = {"ridge": 4.0, "mlp_lm": 3.0, "ridge_by_position": 2.0}
SIZES = {"6-3": 2.0, "8-4": 1.5, "12-4": 1.75}
NAMES = ("positions", "models", "by_elo", "by_phase", "by_value", "choices", "sizes", "times")


@pytest.fixture(scope="module")
def run_folder(chapter, tmp_path_factory) -> Path:
    """The chapter with three rejected positions, made-up models, scored and summarised."""
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
    for number, keys in enumerate(RUNS):
        model, by = split_by(keys["model"])
        own = folder / "-".join(keys.values())
        made_runs.predict(
            folder / "dataset.parquet",
            own,
            filter_=keys["filter"],
            noise=NOISE[keys["model"]],
            seed=number,
            by_position=by == "position",
        )
        scores.run(
            spec("scores", CONFIG | {"elo_bins": ELO_BINS, "model": model, "split_by": by}, **keys),
            dataset=folder / "dataset.parquet",
            predictions=own / "predictions.parquet",
            scores=own / "scores.parquet",
        )
        seed = int(keys["seed"])
        names = {"filter": keys["filter"], "scenario": int(keys["scenario"])}
        names |= {"model": model, "split_by": by, "seed": seed}
        made_runs.time(own, names, seconds=[seed + 1.0, seed + 2.0, seed + 3.0], nodes=7 + seed)
    for filter_ in ("mate", "abs20"):
        made_runs.choose(
            folder / "dataset.parquet",
            folder / f"choice-{filter_}.parquet",
            filter_=filter_,
            scenario=3,
            model="mlp_lm",
            noise=SIZES,
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
        choices=[folder / f"choice-{filter_}.parquet" for filter_ in ("mate", "abs20")[::step]],
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
    made += [f"mate-1-mlp_lm-0/{name}" for name in ("predictions", "times", "scores")]
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
    scored = parquet.read(run_folder / "mate-3-ridge-0" / "scores.parquet").to_pylist()
    own = next(r for r in scored if r["split"] == "test" and r["metric"] == "mae")
    row = find(run_folder, "mate", 3, "ridge", "test", "mae")
    for name in ("value", "lo", "hi", "interval", "n_games", "n_positions", "played_by"):
        assert row[name] == own[name]
    assert row["n_seeds"] == 1


def find(
    folder: Path, filter_: str, scenario: int, model: str, split: str, metric: str,
    split_by: str = "game",
) -> dict:  # fmt: skip
    keys = {"filter": filter_, "scenario": scenario, "model": model, "split": split}
    keys |= {"split_by": split_by}
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
        path = folder / f"mate-1-mlp_lm-{seed}" / "scores.parquet"
        rows += [
            row
            for row in parquet.read(path).to_pylist()
            if row["split"] == split and row["metric"] == "mae"
            if row["elo_bin"] is None and row["phase_bin"] is None and row["value_bin"] is None
        ]
    return rows


def test_several_seeds_are_averaged_and_resampled_by_game_and_seed(run_folder):
    row = find(run_folder, "mate", 1, "mlp_lm", "test", "mae")
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
    row = find(run_folder, "mate", 1, "mlp_lm", "test", "mae_best_seed")
    assert row["value"] == of_seeds(run_folder, "test")[best]["value"]
    assert row["interval"] == "95% percentile bootstrap by game, 200 draws"
    with pytest.raises(AssertionError):
        find(run_folder, "mate", 3, "ridge", "test", "mae_best_seed")


@pytest.mark.parametrize("split", ["validation", "test"])
def test_sign_agreement_stands_beside_mae_and_r2(run_folder, split):
    predicted = parquet.read(run_folder / "mate-3-ridge-0" / "predictions.parquet").to_pylist()
    far = [row for row in predicted if row["split"] == split and abs(row["target"]) > 5]
    row = find(run_folder, "mate", 3, "ridge", split, "sign_agreement")
    agree = [row["predicted"] * row["target"] > 0 for row in far]
    assert row["value"] == pytest.approx(np.mean(agree))
    assert (row["n_positions"], row["unit"]) == (len(far), "share")
    assert 0.5 < row["value"] < 1


def test_rows_of_a_split_by_position_say_so_and_stand_apart(run_folder):
    leaking = find(run_folder, "mate", 3, "ridge", "test", "mae", split_by="position")
    own = parquet.read(run_folder / "mate-3-ridge_by_position-0" / "scores.parquet").to_pylist()
    assert leaking["value"] == own[6]["value"]
    assert leaking["value"] < 0.7 * find(run_folder, "mate", 3, "ridge", "test", "mae")["value"]
    for name in NAMES[1:5] + NAMES[6:]:
        rows = table(run_folder, name)
        assert {row["model"] for row in rows} == {"ridge", "mlp_lm"}
        assert {row["model"] for row in rows if row["split_by"] == "position"} == {"ridge"}


def test_filters_come_in_the_order_of_the_configuration(run_folder):
    for name in NAMES:
        found = [row["filter"] for row in table(run_folder, name) if row["filter"]]
        assert list(dict.fromkeys(found)) == ["abs20", "mate"], name


def test_models_come_in_the_order_of_the_chapter_the_leaking_rows_last(run_folder):
    for name in ("models", "sizes", "times"):
        rows = [row for row in table(run_folder, name) if row["scenario"] == 3]
        order = list(dict.fromkeys((row["model"], row["split_by"]) for row in rows))
        assert order == [("ridge", "game"), ("ridge", "position"), ("mlp_lm", "game")]


def test_bins_come_in_order_and_once_for_each_model(run_folder):
    columns = {"by_elo": "elo_bin", "by_phase": "phase", "by_value": "value_bin"}
    for name, column in columns.items():
        rows = table(run_folder, name)
        keys = [(r["filter"], r["scenario"], r["model"], r["split_by"], r[column]) for r in rows]
        assert len(keys) == len(set(keys))
        assert {(r["split"], r["metric"]) for r in rows} == {("test", "mae")}
        own = [key[4] for key in keys if key[:4] == keys[0][:4]]
        lows = [float(re.search(r"[\d.]+", bin_)[0]) for bin_ in own]
        assert len(lows) > 1
        assert lows == sorted(lows)


def test_bins_of_the_target_are_those_that_were_scored(run_folder):
    scored = parquet.read(run_folder / "mate-3-ridge-0" / "scores.parquet").to_pylist()
    wanted = [(r["value_bin"], r["value"], r["lo"], r["hi"]) for r in scored if r["value_bin"]]
    rows = [
        (r["value_bin"], r["value"], r["lo"], r["hi"])
        for r in table(run_folder, "by_value")
        if (r["filter"], r["scenario"], r["model"], r["split_by"]) == ("mate", 3, "ridge", "game")
    ]
    assert rows == wanted
    assert len(rows) == len(scores.VALUE_BINS)


def of_run(folder: Path, name: str, model: str) -> dict[str, dict]:
    rows = [row for row in table(folder, name) if row["model"] == model]
    return {
        row["metric"]: row
        for row in rows
        if (row["filter"], row["scenario"], row["split_by"]) == ("mate", 3, "game")
    }


def test_times_are_medians_with_their_range(run_folder):
    rows = of_run(run_folder, "times", "mlp_lm")
    assert list(rows) == ["training_time", "prediction_time_in_batch", "prediction_time_alone"]
    trained = rows["training_time"]
    assert (trained["value"], trained["lo"], trained["hi"]) == (2, 1, 3)
    assert trained["interval"] == "range over 3 measurements, value the median"
    alone = rows["prediction_time_alone"]
    assert (alone["value"], alone["lo"], alone["hi"]) == (30_000, 10_000, 50_000)
    assert alone["interval"] == "range over 9 measurements, value the median"
    once = of_run(run_folder, "times", "ridge")["training_time"]
    assert once["interval"] == "range over 1 measurement, value the median"


def test_sizes_are_exact_where_seeds_agree(run_folder):
    rows = of_run(run_folder, "sizes", "mlp_lm")
    assert list(rows) == ["size", "inputs", "parameters", "nodes"]
    assert (rows["inputs"]["value"], rows["inputs"]["interval"]) == (771, results.EXACT)
    nodes = rows["nodes"]
    assert (nodes["value"], nodes["lo"], nodes["hi"], nodes["n_seeds"]) == (8, 7, 9, 3)
    assert nodes["interval"] == "range over 3 seeds, value the median"
    assert of_run(run_folder, "sizes", "ridge")["nodes"]["interval"] == results.EXACT


def test_sizes_that_were_tried_have_their_errors_on_validation(run_folder):
    rows = [row for row in table(run_folder, "choices") if row["filter"] == "mate"]
    kept_rows = dataset.kept(parquet.read(run_folder / "dataset.parquet"), "mate").to_pylist()
    validation = [row for row in kept_rows if row["split"] == "validation"]
    assert list(dict.fromkeys(row["size"] for row in rows)) == list(SIZES)
    for row in rows:
        assert row["n_positions"] == len(validation)
        assert row["n_games"] == len({r["game_id"] for r in validation})
        assert row["chosen"] == (row["size"] == "8-4")
        if row["metric"] == "parameters":
            assert row["value"] == 10 * (1 + list(SIZES).index(row["size"]))
        else:
            assert row["value"] == pytest.approx(SIZES[row["size"]], rel=1e-5)
            assert row["interval"].startswith("95% percentile bootstrap by game, 200 draws")
    assert [row["metric"] for row in rows[:3]] == ["rmse", "mae", "parameters"]


def test_sizes_tried_on_another_dataset_are_refused(run_folder, chapter, tmp_path):
    path = tmp_path / "choice.parquet"
    made_runs.choose(
        run_folder / "dataset.parquet",
        path,
        filter_="abs20",
        scenario=3,
        model="mlp_lm",
        noise=SIZES,
    )
    other = parquet.read(path)
    mate = pa.array(["mate"] * len(other))
    parquet.write(other.set_column(0, "filter", mate), path)
    with pytest.raises(summary_choices.ChoicesError, match="choose again"):
        summary_choices.rows(
            spec("summary", CONFIG),
            Scores(bootstrap=100),
            CONFIG["filters"],
            parquet.read(run_folder / "dataset.parquet"),
            [path],
        )


def test_neither_the_order_of_files_nor_a_rerun_changes_a_byte(run_folder, chapter, tmp_path):
    summarise(chapter, run_folder, tmp_path, step=-1)
    for name in NAMES:
        for suffix in (".parquet", ".csv", ".md"):
            file = f"evaluation_{name}{suffix}"
            assert (tmp_path / file).read_bytes() == (run_folder / file).read_bytes()
