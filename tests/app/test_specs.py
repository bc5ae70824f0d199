"""What a stage says of specs and options that it cannot run with."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from tabia.app import cli, plan, spec_models, stage_inputs, stages
from tabia.app.config import load
from tabia.app.plan import Plan
from tabia.app.same_files import SameFileError
from tabia.app.specs import checked
from tabia.app.stage_inputs import InputsError
from tabia.tables.spec import Spec, SpecError

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _in_the_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def jobs(name: str) -> list[tuple[str, dict[str, str]]]:
    """Return the stage and wildcards of a job of every kind that a configuration runs."""
    run = Plan.of(load(ROOT / f"config/{name}.yaml").model_dump(mode="json"))
    found: list[tuple[str, dict[str, str]]] = []
    for source in run.config.sources:
        where = {"source": source.name, "shard": "0"}
        found += [(f"records.{s}", where) for s in ("games", "splits", "occurrences")]
        found.append(("records.blocks", {"source": source.name}))
        if source.archive is not None:
            found.append(("records.fetch", {"archive": source.archive}))
    found += [("records.positions", {"game": game, "bucket": "0"}) for game in run.games()]
    found += [("evaluation.labels", {"shard": "1"})]
    for file in run.runs("scores"):
        filter_, scenario, model, seed = file.removesuffix(".parquet").split("/")[-4:]
        keys = {"filter": filter_, "scenario": scenario, "model": model}
        found += [(f"evaluation.{s}", keys | {"seed": seed}) for s in ("train", "scores")]
    for file in run.choices():
        filter_, scenario, model = file.removesuffix(".parquet").split("/")[-3:]
        found.append(
            ("evaluation.choose", {"filter": filter_, "scenario": scenario, "model": model})
        )
    found += imitation_jobs(run)
    found += search_jobs(run)
    found += [("report.figure", {"figure": Path(file).stem}) for file in run.figures()]
    found += [("report.wide", {"wide": Path(file).stem}) for file in run.wide()]
    found += [("sample.chess", {"size": "tiny"}), ("sample.xiangqi", {"size": "xiangqi"})]
    without = {"records.summary", "report.pages", "report.database"}
    without |= {"imitation.summary"} if run.imitation.games() else set()
    without |= {f"evaluation.{s}" for s in ("sample", "dataset", "terms", "tactics", "summary")}
    return [*found, *((stage, {}) for stage in sorted(without))]


def imitation_jobs(run: Plan) -> list[tuple[str, dict[str, str]]]:
    found: list[tuple[str, dict[str, str]]] = []
    for game in run.imitation.games():
        where = {"game": game}
        found += [("imitation.samples", where | {"samples": "samples"})]
        found += [("imitation.ceiling", where)]
        if run.imitation.of(game).unrated:
            found += [("imitation.samples", where | {"samples": "unrated"})]
            found += [("imitation.pretrain", where)]
        for model in run.imitation.models(game):
            found.append(("imitation.scores", where | {"model": model}))
            for file in run.imitation.predictions(game, model):
                bin_, fold = file.removesuffix(".parquet").split("/")[-2:]
                run_ = where | {"model": model, "bin": bin_}
                found += [("imitation.train", run_ | {"fold": f}) for f in (fold, "final")]
        for file in run.imitation.phases():
            game_, _, net, bin_, phase = file.removesuffix(".parquet").split("/")[2:]
            phase_of = {"game": game_, "net": net, "bin": bin_, "phase": phase}
            found.append(("imitation.phase", phase_of))
            for tried in run.imitation.candidates(game_, net, bin_, phase):
                found.append(("imitation.candidate", phase_of | {"candidate": Path(tried).stem}))
    return found


def search_jobs(run: Plan) -> list[tuple[str, dict[str, str]]]:
    found: list[tuple[str, dict[str, str]]] = []
    for name in run.search.learners():
        found.append(("search.start", {"run": name}))
        for generation in range(1, run.search.of(name).generations + 1):
            where = {"run": name, "generation": str(generation)}
            found += [("search.selfplay", where | {"shard": "0"}), ("search.train", where)]
            found += [("search.gate", where)] * len(run.search.gates(name)[:1])
        found += [("search.ladder", {"run": name, "pair": p}) for p in run.search.pairs(name)]
    return found + [("search.summary", {})] * bool(found)


def spec(stage: str, **wildcards: str) -> dict[str, Any]:
    run = Plan.of(load(ROOT / "config/config.yaml").model_dump(mode="json"))
    return dict(json.loads(run.spec(stage, **wildcards)))


def told(stage: str, raw: dict[str, Any]) -> str:
    with pytest.raises(SpecError) as error:
        checked(stage, json.dumps(raw))
    assert error.value.exit_code == 2
    return str(error.value)


@pytest.mark.parametrize("name", ["config", "tiny", "lichess"])
def test_every_spec_of_the_shipped_configurations_is_good(name: str) -> None:
    run = Plan.of(load(ROOT / f"config/{name}.yaml").model_dump(mode="json"))
    for stage, wildcards in jobs(name):
        text = run.spec(stage, **wildcards)
        assert checked(stage, text) == Spec.parse(text)


def test_every_stage_is_known() -> None:
    commands = {
        f"{name}.{c.name}" for name, g in stages.GROUPS.items() for c in g.registered_commands
    }
    assert set(spec_models.SPECS) == commands == set(plan._SLICES)
    known = {stage for name in ("config", "tiny") for stage, _ in jobs(name)}
    # The last begins with records: tests/app/test_plan_search.py.
    assert known | {"records.fetch", "search.pretrain"} == commands


def test_every_field_that_is_missing_or_unknown_is_named() -> None:
    fields = 0
    for stage, wildcards in dict(jobs("config")).items():
        good = spec(stage, **wildcards)
        for part, model in zip(("wildcards", "config"), spec_models.SPECS[stage], strict=True):
            raw = copy.deepcopy(good)
            raw[part]["colour"] = "red"
            assert f"{part}.colour: unknown" in told(stage, raw)
            for name, field in model.model_fields.items():
                raw = copy.deepcopy(good)
                raw[part].pop(name, None)
                if field.is_required():
                    fields += 1
                    assert f"{part}.{name}: missing" in told(stage, raw)
                    raw[part][name] = None
                    if name != "splits":  # null where games are not split anew
                        assert f"{part}.{name}: " in told(stage, raw)
                else:
                    assert checked(stage, json.dumps(raw)).stage == stage
    assert fields > 50


@pytest.mark.parametrize(
    ("stage", "wildcards", "path", "value", "fault"),
    [
        ("records.games", {}, "config.source.game", "shogi", "Input should be 'chess', 'xiangqi'"),
        ("records.games", {}, "config.source.headers", "x", "unknown"),
        ("records.games", {}, "config.source.shards", "2", "valid integer (found '2')"),
        ("records.games", {}, "wildcards.shard", "-1", "match pattern"),
        ("records.games", {}, "wildcards.shard", 0, "valid string (found 0)"),
        ("records.splits", {}, "config.splits", {"train": 0.5}, "config.splits.test: missing"),
        ("records.splits", {}, "config.elo_bins.width", 0, "greater than 0"),
        ("records.occurrences", {}, "config.positions", {}, "config.positions.buckets: missing"),
        ("records.positions", {"game": "chess", "bucket": "0"}, "wildcards.bucket", "2", "below 2"),
        ("evaluation.labels", {"shard": "0"}, "wildcards.shard", "99", "is not below"),
        ("evaluation.labels", {"shard": "0"}, "config.labels.target", {}, "exactly one of depth"),
        ("evaluation.dataset", {}, "config.labels.inputs", [2, 4], "three different depths"),
        ("evaluation.sample", {}, "config.seed", -1, "greater than or equal to 0"),
        ("evaluation.summary", {}, "config.filters", [], "at least 1 item"),
        ("report.figure", {"figure": "records_games"}, "wildcards.figure", "x", "no figure is"),
        ("report.figure", {"figure": "records_games"}, "config.points", "many", "valid integer"),
        ("report.wide", {"wide": "evaluation_paper"}, "wildcards.wide", "x", "no wide table is"),
        ("report.pages", {}, "config.title", 7, "valid string"),
        ("sample.chess", {"size": "tiny"}, "config.elos", [], "at least 1 item"),
    ],
)
def test_a_wrong_field_is_named_with_its_fault(
    stage: str, wildcards: dict[str, str], path: str, value: object, fault: str
) -> None:
    if not wildcards and stage.startswith("records."):
        wildcards = {"source": "sample", "shard": "0"}
    raw = spec(stage, **wildcards)
    *parents, last = path.split(".")
    place = raw
    for part in parents:
        place = place[part]
    place[last] = value
    text = told(stage, raw)
    assert text.startswith(f"--spec: {path}")
    assert fault in text


@pytest.mark.parametrize(
    ("path", "value", "fault"),
    [
        ("config.model", "gpt", "config.model: no model is called so; there are mean, "),
        ("config.model", "ridge", "config.model: 'ridge', but wildcards.model is of 'rbf'"),
        ("config.inputs", ["colour"], "config.inputs: no inputs are called 'colour'; there are "),
        ("config.splits", {"train": 1}, "config.splits.train: Input should be less than 1"),
        ("config.any_threads", "no", "config.any_threads: Input should be a valid boolean"),
        ("wildcards.scenario", "4", "wildcards.scenario: Input should be '1', '2' or '3'"),
        ("wildcards.filter", "all", "wildcards.filter: Input should be 'mate' or 'abs20'"),
        ("wildcards.seed", "first", "wildcards.seed: String should match pattern"),
    ],
)
def test_a_wrong_field_of_a_training_is_named(path: str, value: object, fault: str) -> None:
    raw = spec("evaluation.train", filter="mate", scenario="3", model="rbf", seed="0")
    part, name = path.split(".")
    raw[part][name] = value
    assert told("evaluation.train", raw).startswith(f"--spec: {fault}")


def test_a_choice_needs_sizes() -> None:
    raw = spec("evaluation.choose", filter="mate", scenario="3", model="mlp_lm")
    del raw["config"]["settings"]["sizes"]
    assert "settings.sizes" in told("evaluation.choose", raw)


def test_the_spec_of_another_stage_and_what_is_none_are_refused() -> None:
    raw = spec("report.pages")
    assert told("report.wide", raw) == (
        "--spec: stage: 'report.pages' is not this one, which is report.wide"
    )
    assert "mark: 7 is no text" in told("report.pages", raw | {"mark": 7})
    assert "config: Input should be an object" in told("report.pages", raw | {"config": [1]})
    assert "wildcards: Input should be an object" in told("report.pages", raw | {"wildcards": "x"})
    assert "must be an object with stage" in told("report.pages", {"name": "s"})


def games(**source: Any) -> Spec:
    usual = {"name": "s", "game": "chess", "played_by": "people", "shards": 1}
    return Spec("records.games", "", {}, {"source": usual | source})


def test_headers_of_chess_are_wrong_usage() -> None:
    headers = Path("headers.csv")
    with pytest.raises(InputsError, match=r"--headers headers\.csv: only xiangqi .* 'chess'"):
        stage_inputs.check_games(games(), [], None, None, headers)
    stage_inputs.check_games(games(game="xiangqi"), [], None, None, headers)


def test_inputs_of_games_that_do_not_go_together_are_wrong_usage(tmp_path: Path) -> None:
    file = tmp_path / "x.pgn"
    file.touch()
    with pytest.raises(InputsError, match="--blocks and --index go together"):
        stage_inputs.check_games(games(), [], file, None, None)
    with pytest.raises(InputsError, match="give one of them"):
        stage_inputs.check_games(games(), [file], file, file, None)
    with pytest.raises(InputsError, match=r"wildcards\.shard: missing"):
        stage_inputs.check_games(games(), [], file, file, None)
    with pytest.raises(SameFileError, match="is named twice"):
        stage_inputs.check_games(games(), [file, file], None, None, None)


def test_tables_that_a_job_reads_and_is_not_given_are_named() -> None:
    train = Spec("evaluation.train", "", {}, {"inputs": ["terms", "placement", "tactics"]})
    with pytest.raises(InputsError, match="--tactics: missing"):
        stage_inputs.check_features(train, {"terms"})
    stage_inputs.check_features(train, {"terms", "tactics"})
    wide = Spec("report.wide", "", {"wide": "evaluation_paper"})
    with pytest.raises(InputsError, match="evaluation_paper reads evaluation_sizes, which"):
        stage_inputs.check_tables(wide, [Path("a/evaluation_models.parquet")])
    figure = Spec("report.figure", "", {"figure": "records_games"})
    stage_inputs.check_tables(figure, [Path("a/records_games.parquet")])


@pytest.mark.parametrize("raw", ['{"name":"s"}', '{"stage":"records.games"}', "[]", "x"])
def test_the_program_tells_a_wrong_spec_without_a_traceback(
    raw: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--games", "g", "--rejects", "r", "--counts", "c", "--spec", raw]
    monkeypatch.setattr("sys.argv", ["tabia", "records", "games", *options])
    with pytest.raises(SystemExit) as end:
        cli.main()
    assert end.value.code == 2
    assert capsys.readouterr().err.startswith("tabia: --spec")
