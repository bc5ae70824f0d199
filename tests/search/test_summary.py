"""The chapter's result tables, on hand-made games and matches whose figures are known."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from tabia.search import summary, summary_times
from tabia.search.ratings import rate, ratings
from tabia.search.selfplay_tables import DUELS, SELFPLAY_GAMES, SELFPLAY_POSITIONS
from tabia.search.summary_selfplay import wilson
from tabia.search.times import TIMES
from tabia.tables import parquet
from tabia.tables.spec import Spec

CONFIG = {
    "seed": 1,
    "bootstrap": 200,
    "confidence": 0.95,
    "simulations": 16,
    "rival_simulations": 32,
    "learners": {"a": {"generations": 1}},
}


def game(number: int, result: int, plies: int, **more: object) -> dict[str, object]:
    usual = {"termination": "rules", "margin": None, "owner": None, "played_on": False}
    return {
        "number": number,
        "moves": [0] * plies,
        "n_plies": plies,
        "result": result,
        **usual,
        "gave_up": None,
        "gave_up_at": None,
        **more,
    }


def position(number: int, ply: int, evaluation: float, policy: list[float]) -> dict[str, object]:
    moves = list(range(len(policy)))
    return {
        "number": number,
        "ply": ply,
        "is_full": ply == 0,
        "value": 0.0,
        "evaluation": evaluation,
        "simulations": 8,
        "moves": moves,
        "visits": [1] * len(moves),
        "priors": policy,
        "policy": policy,
    }


GAMES = [
    game(0, 1, 2),
    game(1, -1, 4, termination="resignation", gave_up=1, gave_up_at=4),
    game(2, 1, 6, played_on=True, gave_up=-1, gave_up_at=3),  # rightly
    game(3, 0, 8, played_on=True, gave_up=1, gave_up_at=3),  # wrongly: it drew
]
POSITIONS = [
    position(number, ply, evaluation, [0.5, 0.5] if number < 2 else [1.0, 0.0])
    for number in range(4)
    for ply, evaluation in ((0, 0.5), (1, -0.5))
]


def duels(first: str, second: str, points: list[float]) -> list[dict[str, object]]:
    return [
        {
            "first": first,
            "second": second,
            "pair": i // 2,
            "is_first": i % 2 == 0,
            "points": one,
            "opening": 0,
            "n_plies": 3,
            "moves": [1, 2, 3],
        }
        for i, one in enumerate(points)
    ]


def took(stage: str, shard: int | None, **more: object) -> dict[str, object]:
    return {
        "learner": "a",
        "generation": 1,
        "stage": stage,
        "shard": shard,
        "seconds": 20.0,
        "cpu_seconds": 12.0,
        "work_cpu_seconds": 10.0,
        "games": 2,
        "positions": 40,
        "evaluations": 300 if stage == "self-play" else None,
        "share": 1.0,
        **more,
    }


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[dict[str, Any]]]:
    root = tmp_path_factory.mktemp("results")
    own = root / "search/a"

    def write(name: str, rows: list[dict[str, object]], schema: pa.Schema) -> Path:
        parquet.write(pa.Table.from_pylist(rows, schema), own / name)
        return own / name

    games = [
        write(f"selfplay/1/{s}/games.parquet", GAMES[2 * s :][:2], SELFPLAY_GAMES) for s in (0, 1)
    ]
    positions = [
        write(f"selfplay/1/{s}/positions.parquet", POSITIONS[4 * s :][:4], SELFPLAY_POSITIONS)
        for s in (0, 1)
    ]
    nets = []
    learned = {"games": 3, "positions": 9, "held_games": 1, "held_positions": 2, "loss": 1.5}
    for generation, facts in ((0, {}), (1, learned)):
        folder = own / f"nets/{generation}"
        folder.mkdir(parents=True)
        about = {"parameters": 77, "provenance": facts}
        (folder / "net.json").write_text(json.dumps(about), encoding="utf-8")
        nets.append(folder)
    one, zero = "generation 1", "generation 0"
    # The second player's count calls the first game its own (White's by 2) and the second a draw.
    counted = duels(one, "gnugo-level-1", [1.0] * 8)
    for row, margin in zip(counted, (-2.0, 0.0, 4.0, -4.0, 4.0, -4.0, 4.0, -4.0), strict=True):
        row["margin"] = margin
    matches = [
        write("matches/1-0.parquet", duels(one, zero, [1, 1, 1, 0, 1, 0.5, 1, 0]), DUELS),
        write("matches/1-random.parquet", duels(one, "random", [1.0] * 8), DUELS),
        write("matches/1-gnugo-level-1.parquet", counted, DUELS),
    ]
    slower = {"work_cpu_seconds": 30.0, "cpu_seconds": 31.0}
    times = [
        write("times/1.parquet", [took("training", None, positions=900)], TIMES),
        write("selfplay/1/1/times.parquet", [took("self-play", 1, **slower)], TIMES),
        write("selfplay/1/0/times.parquet", [took("self-play", 0)], TIMES),
    ]
    found = {}
    for suffix, rival_simulations in (("", 32), (" at equal simulations", 16)):
        config = CONFIG | {"rival_simulations": rival_simulations}
        out = {name: root / f"tables{suffix}/search_{name}.parquet" for name in summary.KEYS}
        summary.run(
            Spec("search.summary", "m", {}, config),
            games=games,
            positions=positions,
            nets=nets,
            matches=matches,
            times=times,
            **{f"{name}_table": path for name, path in out.items()},
        )
        found |= {f"{name}{suffix}": parquet.read(path).to_pylist() for name, path in out.items()}
    return found


def by_metric(rows: list[dict[str, Any]], **wanted: object) -> dict[str, dict[str, Any]]:
    return {
        row["metric"]: row
        for row in rows
        if all(row[key] == value for key, value in wanted.items())
    }


def test_games_are_counted_and_measured(tables: dict[str, list[dict[str, Any]]]) -> None:
    found = by_metric(tables["selfplay"], learner="a", generation=1)
    values = {name: row["value"] for name, row in found.items()}
    assert values["games"] == 4
    assert values["positions"] == 8
    assert values["full_searches"] == 4
    assert values["mean_plies"] == 5
    assert values["draws"] == 0.25
    assert values["first_player_wins"] == 0.5
    assert values["resigned"] == 0.25
    assert values["policy_entropy"] == pytest.approx(math.log(2) / 2)
    # The first player moves at ply 0: 1/2 is 1/2 from a win, 3/2 from a loss, 1/2 from a draw.
    assert values["value_error"] == pytest.approx((0.25 + 2.25 + 0.25 + 0.25) / 4)
    assert values["search_value_error"] == 0.75


def test_time_is_added_up_over_shards(tables: dict[str, list[dict[str, Any]]]) -> None:
    rows = tables["times"]
    assert list(dict.fromkeys(row["stage"] for row in rows)) == ["self-play", "training"]
    games = by_metric(rows, learner="a", generation=1, stage="self-play")
    values = {name: row["value"] for name, row in games.items()}
    assert values == {
        "measured_share": 1.0,
        "games": 4,
        "positions": 80,
        "evaluations": 600,
        "cpu_seconds": 43.0,
        "seconds": 40.0,
        "games_per_cpu_minute": 6.0,
        "positions_per_cpu_second": 2.0,
        "evaluations_per_cpu_second": 15.0,
    }
    rate = games["evaluations_per_cpu_second"]
    assert (rate["lo"], rate["hi"], rate["n_games"]) == (10.0, 30.0, 4)
    training = by_metric(rows, stage="training")
    assert training["positions_per_cpu_second"]["value"] == 90.0
    assert training["cpu_seconds"]["value"] == 12.0
    assert "evaluations" not in training


def test_rates_are_of_what_was_measured(tmp_path: Path) -> None:
    nothing = {"games": 0, "positions": 0, "evaluations": 0, "work_cpu_seconds": 0.0, "share": 0.0}

    def found(*rows: dict[str, object]) -> dict[str, dict[str, Any]]:
        paths = [tmp_path / f"{place}.parquet" for place in range(len(rows))]
        for path, row in zip(paths, rows, strict=True):
            parquet.write(pa.Table.from_pylist([row], TIMES), path)
        keyed = summary_times.rows(["a"], paths)
        return {figure.metric: vars(figure) for _, figure in keyed}

    # The second shard had been killed when all its games were played.
    one = found(took("self-play", 0, share=0.5), took("self-play", 1, **nothing))
    assert one["measured_share"]["value"] == 0.25
    assert one["evaluations_per_cpu_second"]["value"] == 30.0
    assert one["evaluations_per_cpu_second"]["interval"].startswith("none")
    assert set(found(took("self-play", 0, **nothing))) == {
        "measured_share",
        "games",
        "positions",
        "evaluations",
    }


def test_resignations_are_judged_in_games_that_went_on(
    tables: dict[str, list[dict[str, Any]]],
) -> None:
    row = by_metric(tables["selfplay"])["false_resignations"]
    assert (row["value"], row["n_games"]) == (0.5, 2)
    assert (row["lo"], row["hi"]) == pytest.approx(wilson(1, 2, 0.95))


def test_wilsons_interval() -> None:
    # Newcombe (1998), table of examples: 81 of 263, and 0 of 20 and 1 of 29.
    assert wilson(81, 263, 0.95) == pytest.approx((0.2553, 0.3662), abs=1e-4)
    assert wilson(15, 148, 0.95) == pytest.approx((0.0624, 0.1605), abs=1e-4)
    assert wilson(0, 20, 0.95) == pytest.approx((0.0, 0.1611), abs=1e-4)
    assert wilson(1, 29, 0.95) == pytest.approx((0.0061, 0.1718), abs=1e-4)
    with pytest.raises(ValueError, match="0 of 0 is no share"):
        wilson(0, 0, 0.95)


def test_a_match_has_its_score_and_where_it_is_finite_its_elo(
    tables: dict[str, list[dict[str, Any]]],
) -> None:
    match = by_metric(tables["matches"], second="generation 0")
    assert match["score"]["value"] == 5.5 / 8
    assert match["score"]["n_games"] == match["games"]["value"] == 8
    assert match["simulations"]["value"] == 16
    sweep = by_metric(tables["matches"], second="random")
    assert (sweep["score"]["value"], sweep["score"]["hi"]) == (1.0, 1.0)
    assert sweep["score"]["lo"] < 0.7
    assert "elo_difference" not in sweep


def test_strength_is_told_from_generation_0(tables: dict[str, list[dict[str, Any]]]) -> None:
    rows = tables["generations at equal simulations"]
    elo = {row["player"]: row for row in rows if row["metric"] == "elo"}
    zero, one = (by_metric(rows, generation=g)["elo"] for g in (0, 1))
    assert (zero["value"], zero["lo"], zero["hi"]) == (0, 0, 0)
    # 5 1/2 points of 8 and one of two drawn games that are added.
    assert one["value"] == pytest.approx(400 * math.log10(6.5 / 3.5), abs=1e-5)
    assert one["lo"] < one["value"] < one["hi"]
    # Nine points of ten, the added ones among them.
    assert elo["random"]["value"] == pytest.approx(one["value"] - 400 * math.log10(9), abs=1e-5)
    assert elo["random"]["lo"] < elo["random"]["value"] < elo["random"]["hi"]
    assert elo["random"]["generation"] is None


def test_rivals_of_other_simulations_have_no_place_on_the_scale(
    tables: dict[str, list[dict[str, Any]]],
) -> None:
    rated = [row for row in tables["generations"] if row["metric"] == "elo"]
    assert {row["player"] for row in rated} == {"net"}
    assert rated[1]["value"] == pytest.approx(400 * math.log10(6.5 / 3.5), abs=1e-5)
    assert rated[1]["n_games"] == 8


def test_what_a_generation_learned_is_told(tables: dict[str, list[dict[str, Any]]]) -> None:
    found = by_metric(tables["generations"], generation=1)
    assert found["parameters"]["value"] == 77
    assert (found["learned_games"]["value"], found["learned_positions"]["value"]) == (3, 9)
    loss = found["validation_loss"]
    assert (loss["value"], loss["n_games"], loss["n_positions"]) == (1.5, 1, 2)
    assert "validation_loss" not in by_metric(tables["generations"], generation=0)


def test_ratings_of_a_cycle_of_equal_players_are_equal() -> None:
    who = np.array([[0, 1], [1, 2], [2, 0]])
    found = rate(3, who, np.full(3, 10.0), np.full(3, 7.0))
    assert found == pytest.approx([0, 0, 0], abs=1e-9)


def test_ratings_give_every_player_the_points_that_it_made() -> None:
    who = np.array([[1, 0], [2, 1], [2, 0], [3, 2]])
    size, points = np.array([10.0, 8, 6, 20]), np.array([7.0, 5, 5.5, 0.1])
    elo = rate(4, who, size, points)
    expected = size / (1 + 10 ** ((elo[who[:, 1]] - elo[who[:, 0]]) / 400))
    for player in range(4):
        sign = (who[:, 0] == player).astype(float) - (who[:, 1] == player)
        assert (sign * (points - expected)).sum() == pytest.approx(0, abs=1e-6)


def test_a_second_players_own_count_is_told_beside_the_score(
    tables: dict[str, list[dict[str, Any]]],
) -> None:
    found = by_metric(tables["matches"], second="gnugo-level-1")
    assert found["score"]["value"] == 1.0
    assert found["score_by_second"]["value"] == pytest.approx(6.5 / 8)
    assert found["simulations"]["value"] == 32
    assert "score_by_second" not in by_metric(tables["matches"], second="random")
    assert by_metric(tables["matches"], second="generation 0")["simulations"]["value"] == 16


def test_longer_matches_have_narrower_intervals() -> None:
    def width(times: int) -> float:
        pairs = [0, times, 2 * times, times, 3 * times]
        of = ratings({("b", "a"): pairs}, "a", np.random.default_rng(1), draws=400, confidence=0.9)
        return of["b"].hi - of["b"].lo

    assert width(2) > 1.5 * width(8)


def test_players_who_met_nobody_known_are_refused() -> None:
    matches = {("b", "a"): [0, 0, 1, 0, 0], ("d", "c"): [0, 0, 1, 0, 0]}
    with pytest.raises(ValueError, match="no match joins d, c with a"):
        ratings(matches, "a", np.random.default_rng(1), draws=100, confidence=0.9)


def test_without_a_match_there_is_the_anchor_alone() -> None:
    found = ratings({}, "generation 0", np.random.default_rng(1), draws=100, confidence=0.9)
    assert {name: (one.value, one.games) for name, one in found.items()} == {"generation 0": (0, 0)}
