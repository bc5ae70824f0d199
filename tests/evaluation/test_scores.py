from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from tabia.evaluation import scores
from tabia.evaluation.dataset import DATASET, kept
from tabia.records.config import EloBins
from tabia.tables import parquet, results
from tests.evaluation.made_runs import predict
from tests.evaluation.world import ELO_BINS, spec

CONFIG = {
    "seed": 1,
    "scores": {"bootstrap": 200},
    "elo_bins": ELO_BINS,
    "model": "ridge",
    "split_by": "game",
}
KEYS = {"filter": "mate", "scenario": "3", "model": "ridge", "seed": "0"}


def score(dataset: Path, folder: Path, config: dict = CONFIG, **keys: str) -> list[dict]:
    scores.run(
        spec("scores", config, **(KEYS | keys)),
        dataset=dataset,
        predictions=folder / "predictions.parquet",
        scores=folder / "scores.parquet",
    )
    return parquet.read(folder / "scores.parquet").to_pylist()


@pytest.fixture(scope="module")
def ridge(chapter, tmp_path_factory):
    return predict(chapter / "dataset.parquet", tmp_path_factory.mktemp("ridge"), noise=5)


@pytest.fixture(scope="module")
def rows(chapter, ridge):
    return score(chapter / "dataset.parquet", ridge)


@pytest.fixture(scope="module")
def both(chapter, ridge):
    """Dataset rows with their Elo bins and errors."""
    table = kept(parquet.read(chapter / "dataset.parquet"), "mate")
    bins = EloBins.model_validate(ELO_BINS)
    for by in ("mover", "both"):
        table = table.append_column(f"{by}_elo_bin", scores.elo_bins(table, bins, by))
    predictions = parquet.read(ridge / "predictions.parquet")
    return [
        row | {"error": abs(float(guess["predicted"]) - float(guess["target"]))}
        for row, guess in zip(table.to_pylist(), predictions.to_pylist(), strict=True)
    ]


def test_whole_splits_have_mae_r2_and_sign_agreement(rows, both):
    bins = ("elo_bin", "phase_bin", "value_bin")
    whole = [row for row in rows if all(row[name] is None for name in bins)]
    assert [(row["split"], row["metric"]) for row in whole] == [
        (split, metric)
        for split in ("train", "validation", "test")
        for metric in ("mae", "r2", "sign_agreement")
    ]
    for row in whole[::3]:
        own = [r for r in both if r["split"] == row["split"]]
        assert row["value"] == pytest.approx(np.mean([r["error"] for r in own]))
        assert row["n_positions"] == len(own)
        assert row["n_games"] == len({r["game_id"] for r in own})
        assert row["played_by"] == "engines and people"


def test_elo_bins_of_both_players_are_scored_on_the_test_split(rows, both):
    found = [row for row in rows if row["elo_bin"] is not None]
    assert [row["elo_bin"] for row in found] == ["(1000,1500]", "(1500,2000]"]
    for row in found:
        own = [r for r in both if r["split"] == "test" and r["both_elo_bin"] == row["elo_bin"]]
        assert (row["split"], row["elo_bin_by"], row["metric"]) == ("test", "both", "mae")
        assert row["n_positions"] == len(own)
        assert row["value"] == pytest.approx(np.mean([r["error"] for r in own]))


def test_elo_bins_may_be_the_movers(chapter, ridge, tmp_path, both):
    parquet.write(parquet.read(ridge / "predictions.parquet"), tmp_path / "predictions.parquet")
    config = CONFIG | {"scores": {"bootstrap": 100, "elo_bin_by": "mover"}}
    rows = score(chapter / "dataset.parquet", tmp_path, config)
    low = next(row for row in rows if row["elo_bin"] == "(1000,1500]")
    own = [r for r in both if r["split"] == "test" and r["mover_elo_bin"] == "(1000,1500]"]
    assert (low["elo_bin_by"], low["n_positions"]) == ("mover", len(own))


def test_elo_bins_are_half_open_and_by_mover_and_by_both(chapter):
    table = parquet.read(chapter / "dataset.parquet")
    bins = EloBins.model_validate(ELO_BINS)
    by_mover, by_both = (scores.elo_bins(table, bins, by).to_pylist() for by in ("mover", "both"))
    for row, mover, shared in zip(table.to_pylist(), by_mover, by_both, strict=True):
        named = {None: None, 1000: None, 2001: None, 1001: "(1000,1500]", 1500: "(1000,1500]"}
        named |= {1501: "(1500,2000]", 1999: "(1500,2000]"}
        first, second = named[row["first_elo"]], named[row["second_elo"]]
        assert mover == (first if " w " in row["fen"] else second)
        assert shared == (first if first == second else None)


def test_phase_bins_cover_the_test_split_once(rows, both):
    found = [row for row in rows if row["phase_bin"] is not None]
    assert sum(row["n_positions"] for row in found) == sum(r["split"] == "test" for r in both)
    first, last = scores.PHASE_BINS[found[0]["phase_bin"]]
    own = [r for r in both if r["split"] == "test" and first <= r["phase"] <= last]
    assert found[0]["value"] == pytest.approx(np.mean([r["error"] for r in own]))


def test_phase_bins_leave_no_gap():
    covered = [
        phase for first, last in scores.PHASE_BINS.values() for phase in range(first, last + 1)
    ]
    assert covered == list(range(129))


def test_bins_of_the_target_cover_the_test_split_once(rows, both):
    found = {row["value_bin"]: row for row in rows if row["value_bin"] is not None}
    assert list(found) == list(scores.VALUE_BINS)
    assert sum(row["n_positions"] for row in found.values()) == sum(
        r["split"] == "test" for r in both
    )
    for name, (above, most) in scores.VALUE_BINS.items():
        own = [r for r in both if r["split"] == "test" and above < abs(r["target"]) <= most]
        assert found[name]["value"] == pytest.approx(np.mean([r["error"] for r in own]))
        assert (found[name]["split"], found[name]["metric"]) == ("test", "mae")


@pytest.mark.parametrize(
    ("target", "value_bin"),
    [
        (0.0, "[0,0.5]"),
        (-0.5, "[0,0.5]"),
        (0.51, "(0.5,1]"),
        (-2.0, "(1,2]"),
        (5.0, "(2,5]"),
        (-5.01, "(5,10]"),
        (20.0, "(10,20]"),
        (-20.01, "over 20"),
    ],
)
def test_a_target_falls_in_the_bin_that_holds_its_size(chapter, ridge, tmp_path, target, value_bin):
    table = parquet.read(ridge / "predictions.parquet")
    constant = pa.array(np.full(len(table), target), pa.float32())
    parquet.write(table.set_column(3, "target", constant), tmp_path / "predictions.parquet")
    rows = score(chapter / "dataset.parquet", tmp_path)
    assert {row["value_bin"] for row in rows if row["value_bin"]} == {value_bin}


def test_a_run_that_splits_by_position_is_scored_on_its_own_split(chapter, tmp_path):
    predict(chapter / "dataset.parquet", tmp_path, by_position=True)
    config = CONFIG | {"split_by": "position"}
    rows = score(chapter / "dataset.parquet", tmp_path, config, model="ridge_by_position")
    assert {(row["model"], row["split_by"]) for row in rows} == {("ridge", "position")}
    predicted = parquet.read(tmp_path / "predictions.parquet").to_pylist()
    own = [r for r in predicted if r["split"] == "test"]
    test = next(row for row in rows if row["split"] == "test")
    assert test["n_positions"] == len(own)
    assert test["n_games"] == len({r["game_id"] for r in own})
    assert test["value"] == pytest.approx(np.mean([abs(r["predicted"] - r["target"]) for r in own]))


def test_every_figure_has_its_interval_and_draws(chapter, ridge, rows):
    results.check(parquet.read(ridge / "scores.parquet"), "scores")
    for row in rows:
        assert row["interval"] == "95% percentile bootstrap by game, 200 draws"
        assert len(row["draws"]) == 200
        assert row["lo"] < row["value"] < row["hi"]


def test_models_on_the_same_positions_share_their_resamples(chapter, ridge, rows, tmp_path):
    """A model that errs twice as much errs twice as much in every draw."""
    table = parquet.read(ridge / "predictions.parquet")
    target, guess = (table[name].to_numpy().astype(np.float64) for name in ("target", "predicted"))
    worse = pa.array(target + 2 * (guess - target), pa.float32())
    parquet.write(table.set_column(4, "predicted", worse), tmp_path / "predictions.parquet")
    other = score(chapter / "dataset.parquet", tmp_path, model="lightgbm", seed="3")
    np.testing.assert_allclose(other[0]["draws"], 2 * np.array(rows[0]["draws"]), rtol=1e-5)


def test_the_same_spec_gives_the_same_bytes(chapter, ridge, rows):
    before = (ridge / "scores.parquet").read_bytes()
    score(chapter / "dataset.parquet", ridge)
    assert (ridge / "scores.parquet").read_bytes() == before


def test_a_constant_target_has_an_mae_and_no_r2(chapter, ridge, tmp_path, capsys):
    table = parquet.read(ridge / "predictions.parquet")
    constant = pa.array(np.full(len(table), 0.1), pa.float32())
    parquet.write(table.set_column(3, "target", constant), tmp_path / "predictions.parquet")
    rows = score(chapter / "dataset.parquet", tmp_path)
    assert {row["metric"] for row in rows} == {"mae"}
    error = capsys.readouterr().err
    assert "no r2 for test: r2 is undefined for these positions" in error
    assert "no sign_agreement for test" in error


def test_a_split_of_one_game_gives_no_row_and_a_reason(chapter, tmp_path, capsys):
    table = parquet.read(chapter / "dataset.parquet").to_pylist()
    game = next(row["game_id"] for row in table if row["split"] == "test" and row["keep_mate"])
    few = [row for row in table if row["split"] != "test" or row["game_id"] == game]
    parquet.write(pa.Table.from_pylist(few, DATASET), tmp_path / "dataset.parquet")
    predict(tmp_path / "dataset.parquet", tmp_path)
    rows = score(tmp_path / "dataset.parquet", tmp_path)
    assert {row["split"] for row in rows} == {"train", "validation"}
    assert "no mae for test: 1 game: a resample of games needs two" in capsys.readouterr().err


def test_predictions_of_another_dataset_are_refused(chapter, ridge):
    with pytest.raises(scores.ScoresError, match="same positions"):
        score(chapter / "dataset.parquet", ridge, filter="abs20")


@pytest.mark.parametrize("name", ["target", "predicted"])
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_predictions_that_are_no_numbers_are_refused(chapter, ridge, tmp_path, name, value):
    table = parquet.read(ridge / "predictions.parquet")
    column = table[name].to_pylist()
    column[3] = value
    number = table.schema.get_field_index(name)
    table = table.set_column(number, name, pa.array(column, pa.float32()))
    parquet.write(table, tmp_path / "predictions.parquet")
    place = table["position_id"][3].as_py().hex()
    with pytest.raises(scores.ScoresError, match=f"{name} is {value} at position_id {place}"):
        score(chapter / "dataset.parquet", tmp_path)
    assert not (tmp_path / "scores.parquet").exists()


def test_missing_and_foreign_predictions_are_told(chapter, tmp_path):
    with pytest.raises(scores.ScoresError, match="there are no such predictions"):
        score(chapter / "dataset.parquet", tmp_path)
    parquet.write(pa.table({"a": [1]}), tmp_path / "predictions.parquet")
    with pytest.raises(scores.ScoresError, match="no column position_id, these are no predictions"):
        score(chapter / "dataset.parquet", tmp_path)
