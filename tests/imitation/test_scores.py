"""Scores of one model: what is measured together, paired draws, distances to the ceiling."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tabia.imitation import scores
from tabia.imitation.scores import KEYS, REPEATED, ImitationScoresError
from tabia.tables import parquet, results
from tabia.tables.spec import Spec
from tests.imitation.made import write_predictions

BINS = ["1000-1100", "1100-1200"]
LOW, HIGH = "(1000,1100]", "(1100,1200]"
GAMES = 40


def spec(model: str = "m", **config: Any) -> Spec:
    wildcards = {"game": "xiangqi", "model": model}
    own = {"seed": 1, "scores": {"bootstrap": 200}, "member": "mover", "bins": BINS}
    return Spec("imitation.scores", "mark", wildcards, own | config)


def rows(hit: float, fold: int, *, seed: int = 0) -> list[dict[str, Any]]:
    """Return the moves of every second game: of each bin and of an Elo in no bin, at three plies.

    `hit` is the share of the games, in order, whose moves have rank 1; the others have rank 2.
    """
    rng = np.random.default_rng(seed)
    found = []
    for game in range(fold, GAMES, 2):
        rank = 1 if game < hit * GAMES else 2
        for ply, elo in ((0, 1050), (1, 1150), (12, 1500)):
            p = float(rng.uniform(0.2, 0.4)) if rank == 2 else 0.6
            found.append(
                {
                    "game_id": game, "ply": ply, "mover_elo": elo, "rank": rank, "p": p,
                    "position_key": 1 + ply if ply else 100 + game, "move": game % 2,
                    "mass_before": 0.0 if rank == 1 else 0.55, "top_p": 0.6, "phase": 128 - 60 * ply
                    if ply < 2 else 0, "seen": game % 4 == 0,
                }
            )  # fmt: skip
    return found


def run(folder: Path, hits: dict[str, float], name: str = "m", **config: Any) -> list[dict]:
    """Score made-up predictions: of each bin that was learned from, the share of games hit."""
    files = [
        write_predictions(
            rows(hit, fold), folder / name / bin_ / f"{fold}.parquet", bin=bin_, fold=str(fold)
        )
        for bin_, hit in hits.items()
        for fold in (0, 1)
    ]
    out = folder / f"{name}.parquet"
    scores.run(spec(name, **config), predictions=files, scores=out)
    table = parquet.read(out)
    results.check(table.drop_columns("draws"), name)
    assert tuple(results.key_columns(table.drop_columns("draws"))) == KEYS
    return table.to_pylist()


def figure(found: list[dict], metric: str, trained: str, tested: str, *part: str) -> dict:
    group, name = part or (None, None)
    wanted = (trained, tested, group, name, metric)
    keys = ("trained_on", "tested_on", "group", "part", "metric")
    (row,) = [row for row in found if tuple(row[key] for key in keys) == wanted]
    return row


@pytest.fixture(scope="module")
def by_bin(tmp_path_factory: pytest.TempPathFactory) -> list[dict]:
    return run(tmp_path_factory.mktemp("scores"), {BINS[0]: 0.75, BINS[1]: 0.5})


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> list[dict]:
    return run(tmp_path_factory.mktemp("scores"), {"all": 0.25}, "one")


def test_every_model_is_tested_on_every_bin(by_bin: list[dict]) -> None:
    matrix = {
        (trained, tested): figure(by_bin, "top_1", trained, tested)["value"]
        for trained in (LOW, HIGH)
        for tested in (LOW, HIGH)
    }
    assert matrix == {(LOW, LOW): 0.75, (LOW, HIGH): 0.75, (HIGH, LOW): 0.5, (HIGH, HIGH): 0.5}


def test_only_own_bins_have_every_measure(by_bin: list[dict]) -> None:
    assert figure(by_bin, "top_5", LOW, LOW)["value"] == 1.0
    crossed = [
        row["metric"] for row in by_bin if (row["trained_on"], row["tested_on"]) == (LOW, HIGH)
    ]
    assert crossed == ["top_1", "nll"]


def test_own_bin_pools_every_move_as_the_model_of_its_bin_predicts_it(by_bin: list[dict]) -> None:
    pooled = figure(by_bin, "top_1", "own bin", "all bins")
    assert pooled["value"] == pytest.approx((0.75 + 0.5) / 2)
    assert (pooled["n_games"], pooled["n_positions"]) == (GAMES, 2 * GAMES)
    nll = figure(by_bin, "nll", "own bin", "all bins")["value"]
    own = [figure(by_bin, "nll", name, name)["value"] for name in (LOW, HIGH)]
    assert nll == pytest.approx(np.mean(own))


def test_a_model_of_all_elos_is_tested_on_each_bin_and_on_all(one: list[dict]) -> None:
    for tested in (LOW, HIGH, "all bins"):
        assert figure(one, "top_1", "all bins", tested)["value"] == pytest.approx(0.25)
        assert figure(one, "ece", "all bins", tested)["value"] == pytest.approx(0.35)
    assert figure(one, "top_1", "all bins", "all bins")["n_positions"] == 2 * GAMES


def test_the_interval_is_of_games_and_not_of_moves(one: list[dict]) -> None:
    row = figure(one, "top_1", "all bins", "all bins")
    by_game = 1.96 * np.sqrt(0.25 * 0.75 / GAMES)
    assert (row["hi"] - row["lo"]) / 2 == pytest.approx(by_game, rel=0.2)
    assert row["interval"] == "95% percentile bootstrap by game, 200 draws"


@pytest.mark.parametrize("tested", [LOW, HIGH, "all bins"])
def test_models_see_the_same_resamples(by_bin: list[dict], tmp_path: Path, tested: str) -> None:
    other = run(tmp_path, {BINS[0]: 0.75, BINS[1]: 0.5}, "other")
    own = "own bin" if tested == "all bins" else tested
    draws = [figure(found, "top_1", own, tested)["draws"] for found in (by_bin, other)]
    assert draws[0] == draws[1]
    assert len(draws[0]) == 200


def test_draws_of_different_kinds_of_models_are_paired(by_bin: list[dict], tmp_path: Path) -> None:
    same = run(tmp_path, {"all": 0.75}, "same")
    paired = figure(same, "top_1", "all bins", LOW)["draws"]
    assert paired == figure(by_bin, "top_1", LOW, LOW)["draws"]


def test_parts_by_ply_and_phase_hold_their_moves(by_bin: list[dict]) -> None:
    parts = {
        (row["group"], row["part"]): row["n_positions"]
        for row in by_bin
        if row["metric"] == "top_1" and row["group"] in ("ply", "phase")
    }
    # The moves at ply 12 are of an Elo in no bin.
    assert parts == {
        ("ply", "0-9"): 2 * GAMES, ("phase", "96-128"): GAMES, ("phase", "64-95"): GAMES,
    }  # fmt: skip


def test_seen_positions_are_told_from_new_ones(one: list[dict]) -> None:
    seen = figure(one, "top_1", "all bins", "all bins", "seen in training", "yes")
    new = figure(one, "top_1", "all bins", "all bins", "seen in training", "no")
    assert (seen["n_games"], new["n_games"]) == (GAMES / 4, 3 * GAMES / 4)
    assert seen["value"] == pytest.approx(3 / 10)  # games 0, 4 and 8 of 0, 4, … 36
    assert new["value"] == pytest.approx(7 / 30)


def test_positions_of_other_folds_are_the_same_moves_for_every_model(
    one: list[dict], by_bin: list[dict]
) -> None:
    """Those at ply 0 are each game's own, that of ply 1 came up in the games of both folds."""
    for found, trained in ((one, "all bins"), (by_bin, "own bin")):
        told = [
            figure(found, "top_1", trained, "all bins", "in games of other folds", part)
            for part in ("yes", "no")
        ]
        assert [row["n_positions"] for row in told] == [GAMES, GAMES]
    assert [row["value"] for row in told] == [0.5, 0.75]  # the models of the second, the first bin


def test_confidence_is_told_bin_by_bin(one: list[dict]) -> None:
    part = ("confidence", "(0.53,0.60]")
    assert figure(one, "top_1", "all bins", "all bins", *part)["value"] == pytest.approx(0.25)
    share = figure(one, "mean_confidence", "all bins", "all bins", *part)
    assert share["value"] == pytest.approx(0.6)
    assert len([row for row in one if row["group"] == "confidence"]) == 2


def test_only_positions_of_two_games_of_the_bin_have_a_ceiling(by_bin: list[dict]) -> None:
    # Those at ply 0 are each game's own; at ply 1 there is one of all games, in the second bin,
    # and half of them play either move.
    assert not [row for row in by_bin if row["group"] == REPEATED and row["tested_on"] == LOW]
    for trained, tested in ((HIGH, HIGH), ("own bin", "all bins")):
        again = figure(by_bin, "top_1", trained, tested, REPEATED, "yes")
        assert (again["value"], again["n_positions"]) == (0.5, GAMES)
        above = figure(by_bin, "to_ceiling_above", trained, tested, REPEATED, "yes")
        assert above["value"] == pytest.approx(0.5 - 0.5)
        below = figure(by_bin, "to_ceiling_below", trained, tested, REPEATED, "yes")
        assert below["value"] == pytest.approx(0.0 - 0.5)
        assert above["draws"] == []
        assert above["interval"] == "95% delete-half jackknife over 50 blocks of games"


def test_both_players_must_be_of_the_bin_where_the_configuration_says_so(tmp_path: Path) -> None:
    found = run(tmp_path, {"all": 0.5}, "both", member="both")  # every opponent has 1050
    assert {row["tested_on"] for row in found} == {LOW, "all bins"}
    assert figure(found, "top_1", "all bins", "all bins")["n_positions"] == GAMES


def test_a_bin_that_nobody_played_in_has_no_rows(tmp_path: Path) -> None:
    found = run(tmp_path, {"all": 0.5}, "sparse", bins=[*BINS, "1900-2000"])
    assert {row["tested_on"] for row in found} == {LOW, HIGH, "all bins"}


def test_a_fold_that_is_given_twice_is_refused(tmp_path: Path) -> None:
    file = write_predictions(rows(1, 0), tmp_path / "a.parquet", bin="all")
    with pytest.raises(ImitationScoresError, match="fold 0 of bin all is given twice"):
        scores.run(spec(), predictions=[file, file], scores=tmp_path / "s.parquet")


def test_missing_predictions_are_named(tmp_path: Path) -> None:
    with pytest.raises(ImitationScoresError, match="no predictions are given"):
        scores.run(spec(), predictions=[], scores=tmp_path / "s.parquet")
    with pytest.raises(ImitationScoresError, match=r"gone\.parquet: there are no such predictions"):
        scores.run(spec(), predictions=[tmp_path / "gone.parquet"], scores=tmp_path / "s.parquet")


def test_equal_predictions_give_equal_bytes(tmp_path: Path) -> None:
    run(tmp_path, {"all": 0.5}, "a")
    before = (tmp_path / "a.parquet").read_bytes()
    run(tmp_path, {"all": 0.5}, "a")
    assert (tmp_path / "a.parquet").read_bytes() == before
