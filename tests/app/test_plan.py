"""Which models a configuration trains, and what each of their jobs reads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from tabia.app import plan as plan_module
from tabia.app.plan import Plan
from tabia.evaluation.inputs import GROUPS, columns
from tabia.evaluation.models.config import Models
from tabia.evaluation.models.modules import WIDTHS
from tabia.tables.spec import Spec

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _in_the_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def plan(**evaluation: Any) -> Plan:
    records = {"sources": [{"name": "a", "path": "resources/sample/*.zst"}]}
    labels = {"labels": {"target": {"depth": 9}}}
    return Plan.of({"records": records, "evaluation": labels | evaluation})


def of_two_games(**source: Any) -> Plan:
    chess = {"name": "c", "path": "resources/sample/chess.pgn.zst", "shards": 2}
    xiangqi = {"name": "x", "path": "resources/sample/tiny.pgn.zst", "game": "xiangqi"}
    sources = [chess, xiangqi | source]
    return Plan.of({"records": {"sources": sources, "positions": {"buckets": 2}}})


def test_positions_of_each_game_come_from_its_own_sources() -> None:
    found = of_two_games()
    assert found.games() == ["chess", "xiangqi"]
    assert found.shards("occurrences", "xiangqi") == ["results/records/occurrences/x/0.parquet"]
    assert len(found.shards("occurrences", "chess")) == 2
    assert len(found.shards("games")) == 3
    assert found.buckets("positions", "chess") == [
        f"results/records/positions/chess/{bucket}.parquet" for bucket in (0, 1)
    ]
    assert len(found.buckets("leaks")) == 4


def test_headers_are_an_input_of_their_source_alone() -> None:
    found = of_two_games(headers="README.md")
    assert found.headers("x") == ["README.md"]
    assert found.headers("c") == []
    assert found.headers_options("x") == ["--headers=README.md"]
    assert found.headers_options("c") == []


@pytest.mark.parametrize("stage", ["records.games", "records.occurrences", "records.blocks"])
def test_a_games_code_marks_its_own_jobs(stage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def marks() -> list[str]:
        found = of_two_games()
        specs = [Spec.parse(found.spec(stage, source=name, shard="0")) for name in ("c", "x")]
        return [spec.mark for spec in specs]

    before = marks()
    assert before[0] != before[1]
    real = plan_module.mark
    monkeypatch.setattr(
        plan_module, "mark", lambda name: "edited" if "xiangqi" in name else real(name)
    )
    after = marks()
    assert after[0] == before[0]
    assert "edited" in after[1]


def names(of: Plan) -> set[str]:
    return {run.split("/")[-2] for run in of.runs("scores")}


def test_models_that_are_left_out_are_not_trained() -> None:
    found = plan(models={"mean": {}, "rbf": {}})
    assert names(found) == {"mean", "rbf", "rbf_by_position"}
    assert len(found.runs("scores")) == 2 * 3 * 3  # filters, scenarios, names


def test_null_leaves_a_model_out_as_well() -> None:
    assert names(plan(models={"mean": {}, "rbf": None})) == {"mean"}


def test_without_a_section_every_model_is_trained() -> None:
    again = {f"{name}_by_position" for name in ("ridge", "rbf", "best")}
    assert names(plan()) == set(Models.model_fields) | again


def test_the_engines_own_value_is_a_model_of_scenario_1_only() -> None:
    runs = plan(models={"engine_depth8": {}, "mean": {}}, by_position=[]).runs("scores")
    assert sum("/1/engine_depth8/" in run for run in runs) == 2
    assert sum("engine_depth8" in run for run in runs) == 2


def test_seeds_of_a_model_with_several_sizes_share_one_choice() -> None:
    models = {"mlp_lm": {"sizes": [[2, 1], [3, 1]], "seeds": 4}, "mean": {}}
    found = plan(models=models, scenarios=[3])
    assert found.choices() == [
        f"results/evaluation/choices/{name}/3/mlp_lm.parquet" for name in ("mate", "abs20")
    ]
    assert len([run for run in found.runs("scores") if "mlp_lm" in run]) == 8
    assert found.choice("mate", "3", "mean") == []


def test_one_size_leaves_no_choice() -> None:
    assert plan(models={"mlp_lm": {"sizes": [[2, 1]]}}).choices() == []


@pytest.mark.parametrize(
    ("run", "groups"),
    [
        ("rbf", ["terms"]),
        ("rbf_by_position", ["terms"]),
        ("mlp_bitmap", []),
        ("mean", []),
        ("best", ["terms", "tactics"]),
    ],
)
def test_a_run_reads_the_tables_of_its_inputs_and_no_others(run: str, groups: list[str]) -> None:
    found = plan().features(run)
    assert found == {name: f"results/evaluation/{name}.parquet" for name in groups}


def test_a_run_by_position_has_its_own_shares_and_its_models_settings() -> None:
    specs = [
        Spec.parse(
            plan().spec("evaluation.train", filter="mate", scenario="3", model=run, seed="0")
        )
        for run in ("rbf", "rbf_by_position")
    ]
    assert [spec.config["model"] for spec in specs] == ["rbf", "rbf"]
    assert specs[0].config["settings"] == specs[1].config["settings"]
    assert specs[0].config["splits"] is None
    assert specs[1].config["splits"] == {"train": 0.5, "validation": 0.25, "test": 0.25}
    assert specs[0].mark == specs[1].mark


def test_how_many_seeds_there_are_concerns_no_run() -> None:
    specs = [
        plan(models={"lightgbm": {"seeds": seeds}}).spec(
            "evaluation.train", filter="mate", scenario="3", model="lightgbm", seed="0"
        )
        for seeds in (1, 9)
    ]
    assert specs[0] == specs[1]


@pytest.mark.parametrize(
    ("model", "same"),
    [("rbf", True), ("rbf_nonuniform", True), ("rbf_by_position", True), ("lightgbm", False)],
)
def test_threads_concern_only_a_model_that_depends_on_them(model: str, same: bool) -> None:
    name = model.removesuffix("_by_position")
    plans = [plan(models={name: {"threads": threads}}) for threads in (1, 4)]
    specs = [
        of.spec("evaluation.train", filter="mate", scenario="3", model=model, seed="0")
        for of in plans
    ]
    assert (specs[0] == specs[1]) is same
    assert [of.training_threads(model) for of in plans] == [1, 4]


def test_widths_of_groups_are_those_of_their_inputs() -> None:
    assert set(WIDTHS) == set(GROUPS)
    for group, width in WIDTHS.items():
        assert len(columns([group], 3)) == width


def test_training_memory_grows_with_positions_and_inputs() -> None:
    def memory(positions: int | None, model: str) -> int:
        return plan(sample={"positions": positions}).training_memory(model)

    assert memory(1, "mean") == 3000
    assert memory(1_000_000, "mean") == 3000 + 72
    assert memory(1_000_000, "ridge_by_position") == 3000 + 197 * 24
    assert memory(1_000_000, "mlp_bitmap") == 3000 + 771 * 24
    assert memory(None, "best") == 7000


@pytest.mark.parametrize(
    ("config", "most"), [("config", 4000), ("tiny", 4000), ("lichess", 3000 + 1029 * 24)]
)
def test_the_shipped_configurations_ask_for_memory_that_fits(config: str, most: int) -> None:
    raw = yaml.safe_load((ROOT / "config" / f"{config}.yaml").read_text(encoding="utf-8"))
    found = Plan.of(raw)
    memory = {
        run.split("/")[-2]: found.training_memory(run.split("/")[-2])
        for run in found.runs("scores")
    }
    assert 3000 <= min(memory.values()) <= max(memory.values()) <= most
    if config == "lichess":
        assert max(memory, key=memory.__getitem__).startswith("best")
        assert memory["best"] == most
