"""The result tables of a small run: two games, models of both kinds, one search."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from tabia.imitation import ceiling, scores, summary
from tabia.imitation.samples import schema
from tabia.imitation.search import CANDIDATES
from tabia.imitation.summary_samples import SummarySamplesError
from tabia.imitation.summary_scores import SummaryScoresError, model_place
from tabia.imitation.summary_search import VARIABLES
from tabia.tables import parquet, results
from tabia.tables.spec import Spec
from tests.imitation.made import write_predictions

BINS = ["1000-1100", "1100-1200"]
LOW, HIGH = "(1000,1100]", "(1100,1200]"
GAMES = 60
OWN = {"scores": {"bootstrap": 200}, "member": "mover", "bins": BINS}
CONFIG: dict[str, Any] = {"seed": 1, "games": {"xiangqi": OWN, "chess": OWN}}
HITS = {"book": 0.3, "xqsv": 0.4, "ensemble": 0.5}
SIGNS = {name: sign for sign, name in enumerate(HITS)}


def moves(game_of: str, hit: float, *, sign: int = 0) -> list[dict[str, Any]]:
    """Two moves a game, one of each bin; each model hits in games of its own."""
    rng = np.random.default_rng([sign, len(game_of)])
    chosen = rng.permutation(GAMES) < hit * GAMES
    return [
        {
            "game_id": game, "ply": ply, "mover_elo": elo, "position_key": 7 + ply,
            "move": game % 3 // 2, "rank": 1 if chosen[game] else 2,
            "p": 0.6 if chosen[game] else 0.3, "top_p": 0.6,
            "mass_before": 0.0 if chosen[game] else 0.6, "played_by": "people",
        }
        for game in range(GAMES)
        for ply, elo in ((0, 1050), (1, 1150))
    ]  # fmt: skip


def write_scores(folder: Path, game: str, model: str) -> Path:
    bins = ["all"] if model == "ensemble" else BINS
    files = [
        write_predictions(
            moves(game, HITS[model], sign=SIGNS[model]),
            folder / game / model / f"{name}.parquet", bin=name,
        )
        for name in bins
    ]  # fmt: skip
    out = folder / game / f"{model}.parquet"
    wildcards = {"game": game, "model": model}
    scores.run(
        Spec("imitation.scores", "mark", wildcards, {"seed": 1, **OWN}),
        predictions=files,
        scores=out,
    )
    return out


def write_samples(folder: Path, game: str, *, rated: bool) -> Path:
    own = moves(game, 0.5)
    n = len(own)
    columns = {
        "game": [game] * n,
        "split_hash": [row["game_id"] for row in own],
        "board": [bytes(schema(game).field("board").type.byte_width)] * n,
        "phase": [128] * n,
        "in_check": [False] * n,
        "other_elo": [1050 if rated else None] * n,
        "result": [None] * n,
        **{
            name: [row[name] for row in own]
            for name in ("game_id", "ply", "position_key", "move", "played_by")
        },
        "mover_elo": [row["mover_elo"] if rated else None for row in own],
    }
    path = folder / game / f"{'samples' if rated else 'unrated'}.parquet"
    table = pa.table(columns).select(schema(game).names).cast(schema(game))
    spec = Spec("imitation.samples", "mark", {"game": game}, {"game": game, "rated": rated})
    parquet.write(table, path, spec=spec)
    return path


def write_ceiling(folder: Path, game: str, samples: Path) -> Path:
    out = folder / game / "ceiling.parquet"
    ceiling.run(
        Spec("imitation.ceiling", "mark", {"game": game}, OWN), samples=samples, ceiling=out
    )
    return out


def candidate(name: str, phase: int, hits: list[int], *, chosen: bool) -> dict[str, Any]:
    return dict.fromkeys(CANDIDATES.names) | {
        "game": "xiangqi", "net": "xqsv", "bin": BINS[0], "phase": phase, "candidate": name,
        "memory": None if phase == 2 else 10, "rnn": "gru", "rnn_dropout": 0.05,
        "rnn_hidden": 512, "rnn_activation": "relu", "batch_norm": True, "dropout": 0.1,
        "fc_layers": 1, "fc_l2": 0.001, "fc_activation": "relu", "structure": "{}",
        "n_train_games": 40, "n_train_positions": 400, "n_games": 4, "n_positions": 40,
        "validation_top1": sum(hits) / 40, "validation_nll": 2.0,
        "validation_unfiltered_top1": 0.1, "validation_illegal": 0.2,
        "game_positions": [10] * 4, "game_hits": hits, "game_nll": [20.0, 22.0, 18.0, 20.0],
        "parameters": 1000 + phase, "epochs": 3, "chosen": chosen, "played_by": "people",
    }  # fmt: skip


def write_phases(folder: Path) -> list[Path]:
    paths = []
    for phase in (1, 2):
        rows = [
            candidate("b", phase, [1, 2, 3, 2], chosen=False),
            candidate("a", phase, [2, 4, 6, 4], chosen=True),
        ]
        paths.append(folder / f"phase-{phase}.parquet")
        parquet.write(pa.Table.from_pylist(rows, CANDIDATES), paths[-1])
    return paths


def summarise(out: Path, config: dict[str, Any] = CONFIG, **inputs: list[Path]) -> dict[str, list]:  # type: ignore[type-arg]
    given = {"scores": [], "ceilings": [], "phases": [], "samples": []} | inputs
    summary.run(
        Spec("imitation.summary", "mark", {}, config),
        **given,
        **{f"{name}_table": out / f"imitation_{name}.parquet" for name in summary.KEYS},  # type: ignore[arg-type]
    )
    return {
        name: parquet.read(out / f"imitation_{name}.parquet").to_pylist() for name in summary.KEYS
    }


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Path]]:
    folder = tmp_path_factory.mktemp("imitation")
    scored = [write_scores(folder, game, model) for game in ("chess", "xiangqi") for model in HITS]
    rated = {game: write_samples(folder, game, rated=True) for game in ("chess", "xiangqi")}
    return {
        "scores": scored,
        "ceilings": [write_ceiling(folder, game, path) for game, path in rated.items()],
        "phases": write_phases(folder),
        "samples": [*rated.values(), write_samples(folder, "xiangqi", rated=False)],
    }


@pytest.fixture(scope="module")
def out(inputs: dict[str, list[Path]], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tables")
    summarise(folder, **inputs)
    return folder


@pytest.fixture(scope="module")
def made(out: Path) -> dict[str, list]:  # type: ignore[type-arg]
    return {
        name: parquet.read(out / f"imitation_{name}.parquet").to_pylist() for name in summary.KEYS
    }


def one(rows: list[dict], **wanted: object) -> dict:
    (row,) = [row for row in rows if all(row[key] == value for key, value in wanted.items())]
    return row


@pytest.mark.parametrize("name", summary.KEYS)
def test_every_table_has_its_keys_n_and_intervals_in_three_formats(out: Path, name: str) -> None:
    path = out / f"imitation_{name}.parquet"
    table = parquet.read(path)
    results.check(table, name)
    assert len(table) > 0
    assert tuple(results.key_columns(table)) == summary.KEYS[name]
    assert path.with_suffix(".csv").is_file()
    assert path.with_suffix(".md").is_file()
    keyed = table.select([*summary.KEYS[name], "metric"]).to_pylist()
    assert len({tuple(row.values()) for row in keyed}) == len(keyed)


def test_games_stand_by_name_and_models_in_the_order_of_the_chapter(made: dict[str, list]) -> None:  # type: ignore[type-arg]
    found = list(dict.fromkeys((row["game"], row["model"]) for row in made["models"]))
    assert found == [(game, model) for game in ("chess", "xiangqi") for model in HITS]
    assert model_place("book") < model_place("xqsv") < model_place("ensemble") < model_place("a")


def test_the_tables_do_not_depend_on_the_order_of_the_files(
    inputs: dict[str, list[Path]], out: Path, tmp_path: Path
) -> None:
    summarise(tmp_path, **{name: paths[::-1] for name, paths in inputs.items()})
    for name in summary.KEYS:
        file = f"imitation_{name}.parquet"
        assert (tmp_path / file).read_bytes() == (out / file).read_bytes(), name


def test_scores_stand_in_the_tables_as_they_are(
    inputs: dict[str, list[Path]],
    made: dict[str, list],  # type: ignore[type-arg]
) -> None:
    keys = {"game": "xiangqi", "model": "book"}
    book = [path for path in inputs["scores"] if path.parts[-2:] == ("xiangqi", "book.parquet")]
    source = parquet.read(book[0]).to_pylist()
    pooled = {"trained_on": "own bin", "tested_on": "all bins", "metric": "nll"}
    row = one(made["models"], **keys, **pooled)
    scored = one(source, **pooled, group=None)
    assert {name: scored[name] for name in results.FIGURE.names} == {
        name: row[name] for name in results.FIGURE.names
    }
    early = one(made["parts"], **keys, group="ply", part="0-9", metric="top_1")
    assert early["value"] == pytest.approx(HITS["book"])
    assert early["n_positions"] == 2 * GAMES
    groups = {row["group"] for row in made["parts"]}
    assert groups == {"ply", "phase", "seen in training", "in games of other folds"}


def test_confidence_has_hits_and_a_mean(made: dict[str, list]) -> None:  # type: ignore[type-arg]
    keys = {"game": "chess", "model": "ensemble", "confidence": "(0.53,0.60]"}
    assert one(made["calibration"], **keys, metric="top_1")["value"] == pytest.approx(0.5)
    assert one(made["calibration"], **keys, metric="mean_confidence")["value"] == pytest.approx(0.6)


def test_distances_from_the_ceiling_are_differences_of_the_same_moves(
    made: dict[str, list],  # type: ignore[type-arg]
) -> None:
    place = {"game": "xiangqi", "tested_on": LOW, "ply": None}
    # Two of three games play the same first move.
    for end, value in (("below", 2 / 3), ("above", 2 / 3)):
        limit = one(made["ceiling"], **place, model=None, metric=f"ceiling_{end}")
        assert limit["value"] == pytest.approx(value)
        reached = one(made["ceiling"], **place, model="book", metric="top_1")
        assert reached["n_positions"] == limit["n_positions"] == GAMES
        left = one(made["ceiling"], **place, model="book", metric=f"to_ceiling_{end}")
        assert left["value"] == pytest.approx(limit["value"] - reached["value"])


def test_differences_are_paired_by_game(
    inputs: dict[str, list[Path]],
    made: dict[str, list],  # type: ignore[type-arg]
) -> None:
    keys = {"game": "xiangqi", "model": "ensemble", "against": "xqsv", "tested_on": "all bins"}
    row = one(made["differences"], **keys, metric="top_1_difference")
    assert row["value"] == pytest.approx(HITS["ensemble"] - HITS["xqsv"])
    assert row["interval"] == "95% percentile bootstrap by game, 200 draws, paired"
    draws = {}
    for model, trained in (("ensemble", "all bins"), ("xqsv", "own bin")):
        (path,) = [p for p in inputs["scores"] if p.parts[-2:] == ("xiangqi", f"{model}.parquet")]
        wanted = {"trained_on": trained, "tested_on": "all bins", "group": None, "metric": "top_1"}
        draws[model] = np.array(one(parquet.read(path).to_pylist(), **wanted)["draws"])
    difference = draws["ensemble"] - draws["xqsv"]
    assert (row["lo"], row["hi"]) == pytest.approx(tuple(np.quantile(difference, [0.025, 0.975])))


def test_every_model_is_compared_with_the_papers_net_in_every_bin(made: dict[str, list]) -> None:  # type: ignore[type-arg]
    found = {
        (row["model"], row["tested_on"], row["metric"])
        for row in made["differences"]
        if row["game"] == "chess"
    }
    assert found == {
        (model, tested, f"{metric}_difference")
        for model in ("book", "ensemble")
        for tested in (LOW, HIGH, "all bins")
        for metric in ("top_1", "nll")
    }


def test_without_the_papers_net_models_are_compared_with_the_first(
    inputs: dict[str, list[Path]], tmp_path: Path
) -> None:
    some = [path for path in inputs["scores"] if "xqsv" not in path.name]
    found = summarise(tmp_path, scores=some)
    assert {(row["model"], row["against"]) for row in found["differences"]} == {
        ("ensemble", "book")
    }
    assert found["structures"] == found["candidates"] == found["samples"] == []


def test_one_model_of_one_game_gives_its_tables(
    inputs: dict[str, list[Path]], tmp_path: Path
) -> None:
    config = {**CONFIG, "games": {"chess": OWN}}
    found = summarise(tmp_path, config, scores=inputs["scores"][:1])
    assert {(row["game"], row["model"]) for row in found["models"]} == {("chess", "book")}
    assert found["differences"] == []


def test_the_last_phases_winner_is_the_structure(made: dict[str, list]) -> None:  # type: ignore[type-arg]
    keys = {"game": "xiangqi", "model": "xqsv", "trained_on": LOW}
    row = one(made["structures"], **keys, metric="validation_top_1")
    shown = ("memory", "rnn", "rnn_dropout", "rnn_hidden", "batch_norm", "blocks")
    assert [row[name] for name in shown] == ["all", "gru", "0.05", "512", "yes", None]
    assert row["value"] == pytest.approx(16 / 40)
    assert row["lo"] < row["value"] < row["hi"]
    assert (row["n_games"], row["n_positions"]) == (4, 40)
    assert one(made["structures"], **keys, metric="parameters")["value"] == 1002


def test_the_summary_knows_every_structure_variable() -> None:
    between = CANDIDATES.names[CANDIDATES.names.index("candidate") + 1 :]
    assert set(VARIABLES) == set(between[: between.index("structure")])


def test_everything_tried_is_told_in_the_order_of_the_grid(made: dict[str, list]) -> None:  # type: ignore[type-arg]
    tried = [row for row in made["candidates"] if row["metric"] == "validation_nll"]
    assert [(row["search_phase"], row["candidate"], row["chosen"]) for row in tried] == [
        (1, "b", False), (1, "a", True), (2, "b", False), (2, "a", True),
    ]  # fmt: skip
    assert {row["value"] for row in tried} == {2.0}


def test_a_candidate_that_diverged_is_told_with_its_reason(tmp_path: Path) -> None:
    lost = candidate("c", 1, [0] * 4, chosen=False) | {"fault": "diverged", "epochs": 0}
    lost |= {name: None for name in CANDIDATES.names if name.startswith(("validation_", "game_"))}
    rows = [lost | {"parameters": None}, candidate("a", 1, [2, 4, 6, 4], chosen=True)]
    phase = tmp_path / "phase.parquet"
    parquet.write(pa.Table.from_pylist(rows, CANDIDATES), phase)
    found = summarise(tmp_path, phases=[phase])["candidates"]
    told = [(row["metric"], row["value"], row["fault"]) for row in found if row["candidate"] == "c"]
    assert told == [("epochs", 0, "diverged")]
    assert {row["fault"] for row in found if row["candidate"] == "a"} == {None}


def test_samples_are_counted_by_bin_and_by_whose_elo(made: dict[str, list]) -> None:  # type: ignore[type-arg]
    keys = {"game": "xiangqi", "rated": True}
    low = {"elo_bin": LOW, "metric": "positions"}
    assert one(made["samples"], **keys, **low, elo_bin_by="mover")["value"] == GAMES
    assert one(made["samples"], **keys, **low, elo_bin_by="both")["value"] == GAMES
    high = [row for row in made["samples"] if row["elo_bin"] == HIGH and row["game"] == "xiangqi"]
    assert {row["elo_bin_by"] for row in high} == {"mover"}  # every opponent has 1050
    everyone = one(made["samples"], game="xiangqi", rated=False, metric="positions")
    assert (everyone["value"], everyone["elo_bin"]) == (2 * GAMES, None)
    games = one(made["samples"], **keys, elo_bin=None, metric="games")
    assert (games["value"], games["n_positions"]) == (GAMES, None)


def test_models_of_other_moves_are_not_compared(
    inputs: dict[str, list[Path]], tmp_path: Path
) -> None:
    file = write_predictions(moves("chess", 0.5)[:-8], tmp_path / "p.parquet", bin="all")
    out = tmp_path / "one_net.parquet"
    scores.run(
        Spec("imitation.scores", "mark", {"game": "chess", "model": "one_net"}, {"seed": 1, **OWN}),
        predictions=[file], scores=out,
    )  # fmt: skip
    with pytest.raises(SummaryScoresError, match="one_net was tested on 112 moves of all bins"):
        summarise(tmp_path, scores=[*inputs["scores"], out])


def test_scores_that_are_given_twice_or_of_no_game_of_the_run_are_refused(
    inputs: dict[str, list[Path]], tmp_path: Path
) -> None:
    with pytest.raises(SummaryScoresError, match="scores of book, chess, are given twice"):
        summarise(tmp_path, scores=inputs["scores"][:1] * 2)
    with pytest.raises(SummaryScoresError, match="of chess, and the run has xiangqi"):
        summarise(tmp_path, {**CONFIG, "games": {"xiangqi": OWN}}, scores=inputs["scores"][:1])


def test_samples_of_nobody_knows_which_job_are_refused(
    inputs: dict[str, list[Path]], tmp_path: Path
) -> None:
    path = tmp_path / "samples.parquet"
    parquet.write(parquet.read(inputs["samples"][0]).replace_schema_metadata(None), path)
    with pytest.raises(SummarySamplesError, match="does not say which job wrote it"):
        summarise(tmp_path, samples=[path])
