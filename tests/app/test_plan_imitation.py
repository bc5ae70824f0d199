"""Which jobs the imitation chapter has, what each reads, and what a change does not concern."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tabia.app import imitation_plan
from tabia.app.config import ConfigError
from tabia.app.marks import mark
from tabia.app.plan import Plan
from tabia.app.specs import checked
from tabia.app.stage_inputs import InputsError, parts_of_a_model
from tabia.imitation.models.modules import MODELS
from tabia.tables.spec import Spec, SpecError

ROOT = Path(__file__).parents[2]
BINS = {"low": 1000, "high": 1200, "width": 100}
RATED = {
    "name": "rated",
    "game": "xiangqi",
    "path": "resources/sample/xiangqi.pgn.zst",
    "shards": 2,
}
MASTERS = {"name": "masters", "game": "xiangqi", "path": "resources/sample/xiangqi-tiny.pgn.zst"}
CHESS = {"name": "chess", "path": "resources/sample/chess.pgn.zst"}
ALL = {
    "book": {},
    "xqsv": {},
    "xqsv_all": {},
    "xqsv_perfect": {"default": {"memory": None}, "grid": {"memory": [None]}},
    "resnet": {},
    "lightgbm": {},
    "one_net": {},
    "ensemble": {},
}
TRAIN = {"model": "xqsv", "bin": "1000-1100", "fold": "0"}
PHASE = {"net": "xqsv", "bin": "1000-1100", "phase": "1"}
CANDIDATE = PHASE | {"candidate": "memory-5_rnn-gru"}


@pytest.fixture(autouse=True)
def _in_the_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def plan(seed: int = 1, **game: Any) -> Plan:
    usual = {"rated": ["rated"], "unrated": ["masters"], "elo_bins": BINS, "folds": 2}
    return Plan.of(
        {
            "records": {"sources": [RATED, MASTERS, CHESS]},
            "imitation": {"seed": seed, "xiangqi": usual | {"models": ALL} | game},
        }
    )


def spec(of: Plan, stage: str, **wildcards: str) -> Spec:
    return Spec.parse(of.spec(f"imitation.{stage}", game="xiangqi", **wildcards))


def train(of: Plan, model: str, bin_: str = "1000-1100", fold: str = "0") -> Spec:
    return spec(of, "train", model=model, bin=bin_, fold=fold)


def first_candidate(of: Plan, net: str, phase: str, bin_: str = "1000-1100") -> Spec:
    file = of.imitation.candidates("xiangqi", net, bin_, phase)[0]
    return spec(of, "candidate", net=net, bin=bin_, phase=phase, candidate=Path(file).stem)


def test_samples_come_from_the_shards_of_their_own_sources() -> None:
    found = plan().imitation
    assert found.shards("xiangqi", "samples") == [
        f"results/records/games/rated/{shard}.parquet" for shard in (0, 1)
    ]
    assert found.shards("xiangqi", "unrated") == ["results/records/games/masters/0.parquet"]
    assert found.samples() == [
        f"results/imitation/xiangqi/{name}.parquet" for name in ("samples", "unrated")
    ]
    assert spec(plan(), "samples", samples="samples").config["rated"] is True
    assert spec(plan(), "samples", samples="unrated").config["rated"] is False
    assert plan(unrated=[]).imitation.samples() == ["results/imitation/xiangqi/samples.parquet"]


def test_the_database_shows_moves_predictions_and_scores() -> None:
    files = plan().parquet()
    folder = "results/imitation/xiangqi"
    assert {f"{folder}/samples.parquet", f"{folder}/unrated.parquet"} <= set(files)
    assert f"{folder}/predictions/book/1100-1200/1.parquet" in files
    assert f"{folder}/predictions/ensemble/all/0.parquet" in files
    assert f"{folder}/scores/lightgbm.parquet" in files


def test_a_model_by_bin_is_trained_once_a_bin_and_fold_and_others_once_a_fold() -> None:
    found = plan().imitation
    files = found.predictions("xiangqi", "book")
    assert files == [
        f"results/imitation/xiangqi/predictions/book/{bin_}/{fold}.parquet"
        for bin_ in ("1000-1100", "1100-1200")
        for fold in (0, 1)
    ]
    for model in ("xqsv_all", "lightgbm", "one_net", "ensemble"):
        folder = f"results/imitation/xiangqi/predictions/{model}/all"
        assert found.predictions("xiangqi", model) == [f"{folder}/{f}.parquet" for f in (0, 1)]


def test_the_book_of_all_elos_is_there_for_the_ensemble_alone() -> None:
    assert plan().imitation.models("xiangqi") == list(MODELS)
    without = plan(models={"book": {}, "lightgbm": {}, "one_net": {}}).imitation
    assert without.models("xiangqi") == ["book", "lightgbm", "one_net"]


def test_the_book_of_all_elos_has_the_books_settings() -> None:
    found = plan(models=ALL | {"book": {"strength_spread": 0.3}})
    assert train(found, "book_all", "all").config["settings"] == {"strength_spread": 0.3}


def test_the_ensemble_reads_its_parts_of_its_own_fold() -> None:
    options = plan().imitation.training_options("xiangqi", "ensemble", "all", "final")
    folder = "results/imitation/xiangqi/models"
    assert options == [
        f"--part={name}={folder}/{name}/all/final" for name in ("book_all", "one_net", "lightgbm")
    ]


def test_phases_follow_each_other_and_training_reads_the_last() -> None:
    found = plan().imitation
    search = "results/imitation/xiangqi/search"
    assert found.before("xiangqi", "xqsv", "1000-1100", "1") == []
    assert found.before("xiangqi", "xqsv", "1000-1100", "3") == [
        f"{search}/xqsv/1000-1100/2.parquet"
    ]
    for model, bin_, last in (("xqsv", "1100-1200", 5), ("resnet", "1000-1100", 4)):
        assert found.training_options("xiangqi", model, bin_, "0") == [
            f"--phase={search}/{model}/{bin_}/{last}.parquet"
        ]
    assert found.searched("xiangqi", "book", "1000-1100") == []
    # Three nets by bin, of five, five and four phases, and one for all Elos.
    assert len(found.phases()) == 2 * (5 + 5 + 4) + 5


def test_a_phase_tries_every_pair_of_its_two_variables() -> None:
    grid = {"memory": [5, 10], "rnn": ["gru", "lstm"]}
    found = plan(models={"xqsv": {"grid": grid}}, unrated=[]).imitation
    folder = "results/imitation/xiangqi/search/xqsv/1000-1100/1"
    assert found.candidates("xiangqi", "xqsv", "1000-1100", "1") == [
        f"{folder}/memory-{memory}_rnn-{rnn}.parquet"
        for memory in (5, 10)
        for rnn in ("gru", "lstm")
    ]
    values = found.values("xiangqi", "xqsv", "1", "memory-10_rnn-gru")
    assert values == {"memory": 10, "rnn": "gru"}
    with pytest.raises(ConfigError, match="grid has no memory-7_rnn-gru"):
        found.values("xiangqi", "xqsv", "1", "memory-7_rnn-gru")


def test_only_the_one_net_starts_from_unrated_games() -> None:
    found = plan().imitation
    folder = "results/imitation/xiangqi/pretrained"
    assert found.pretrained("xiangqi", "one_net") == [folder]
    assert not any(found.pretrained("xiangqi", model) for model in MODELS if model != "one_net")
    assert plan(unrated=[]).imitation.pretrained("xiangqi", "one_net") == []


def test_final_models_are_trained_where_they_are_wanted() -> None:
    found = plan(models={"book": {}}, unrated=[]).imitation.final_models()
    folder = "results/imitation/xiangqi/models/book"
    assert found == [f"{folder}/{bin_}/final" for bin_ in ("1000-1100", "1100-1200")]
    assert plan(final=False).imitation.final_models() == []
    assert not any(MODELS[file.split("/")[4]].ablation for file in plan().imitation.final_models())


def test_another_bin_concerns_no_job_of_a_bin_that_was_there() -> None:
    before, after = plan(), plan(elo_bins=BINS | {"high": 1300})
    for model in ("book", "xqsv", "resnet"):
        assert train(before, model) == train(after, model)
        assert after.imitation.bins_of("xiangqi", model)[:2] == before.imitation.bins("xiangqi")
    assert first_candidate(before, "xqsv", "2") == first_candidate(after, "xqsv", "2")
    for stage, keys in (("scores", {"model": "book"}), ("ceiling", {})):
        old, new = (spec(found, stage, **keys).config["bins"] for found in (before, after))
        assert new == [*old, "1200-1300"]


def test_another_value_of_the_grid_concerns_no_candidate_that_was_there() -> None:
    grid = {"memory": [5], "rnn": ["gru"]}
    before = plan(models={"xqsv": {"grid": grid}}, unrated=[])
    after = plan(models={"xqsv": {"grid": grid | {"rnn": ["gru", "lstm"]}}}, unrated=[])
    for phase in "12345":
        assert first_candidate(before, "xqsv", phase) == first_candidate(after, "xqsv", phase)
    assert train(before, "xqsv") == train(after, "xqsv")
    tried = [len(p.imitation.candidates("xiangqi", "xqsv", "all", "1")) for p in (before, after)]
    assert tried == [1, 2]


def test_defaults_concern_the_first_phase_and_only_what_it_does_not_decide() -> None:
    def candidates(**default: Any) -> list[Spec]:
        found = plan(models={"xqsv": {"default": default}}, unrated=[])
        return [first_candidate(found, "xqsv", phase) for phase in "12"]

    usual = candidates()
    assert candidates(rnn="lstm", memory=5) == usual
    first, second = candidates(rnn_hidden=64)
    assert first != usual[0]
    assert second == usual[1]


def test_how_a_net_is_pretrained_concerns_the_pretraining_alone() -> None:
    def specs(one_net: dict[str, Any]) -> tuple[Spec, Spec]:
        found = plan(models={"one_net": one_net})
        return spec(found, "pretrain"), train(found, "one_net", "all")

    pretrain, fine = specs({})
    other = specs({"pretraining": {"epochs": 3}, "pretraining_positions": 10})
    assert other[0] != pretrain
    assert other[1] == fine
    other = specs({"fine_tuning": {"epochs": 3}})
    assert other[0] == pretrain
    assert other[1] != fine


def test_measures_concern_no_training() -> None:
    before, after = plan(), plan(scores={"bootstrap": 200})
    assert train(before, "book") == train(after, "book")
    assert spec(before, "ceiling") == spec(after, "ceiling")
    assert spec(before, "scores", model="book") != spec(after, "scores", model="book")


def test_threads_are_those_of_each_models_training() -> None:
    models = {
        "book": {},
        "xqsv": {"training": {"threads": 3}},
        "lightgbm": {"threads": 4},
        "one_net": {"pretraining": {"threads": 5}, "fine_tuning": {"threads": 6}},
        "ensemble": {},
    }
    found = plan(models=models).imitation
    threads = {name: found.threads("xiangqi", name) for name in found.models("xiangqi")}
    assert threads == {
        "book": 1, "book_all": 1, "xqsv": 3, "lightgbm": 4, "one_net": 6, "ensemble": 1,
    }  # fmt: skip
    assert found.pretraining_threads("xiangqi") == 5


def test_a_models_code_marks_its_own_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    def marks() -> dict[str, str]:
        found = plan()
        of = {model: train(found, model, "1000-1100") for model in MODELS}
        of |= {f"search {net}": first_candidate(found, net, "1") for net in ("xqsv", "resnet")}
        return {name: one.mark for name, one in of.items()}

    before = marks()
    monkeypatch.setattr(
        imitation_plan, "mark", lambda name: "edited" if name.endswith("xqsv") else mark(name)
    )
    after = marks()
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {"xqsv", "xqsv_all", "xqsv_perfect", "search xqsv"}


def test_how_a_game_shows_its_positions_marks_its_own_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imitation_plan, "mark", lambda name: name.removeprefix("tabia."))
    found = train(plan(), "book").mark
    assert found == "imitation.train games.xiangqi_view imitation.models.book"
    assert spec(plan(), "samples", samples="samples").mark.startswith("imitation.samples ")


def test_go_has_a_size_of_board_in_its_samples_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imitation_plan, "mark", lambda name: name.removeprefix("tabia."))
    kgs = {"name": "kgs", "game": "go", "path": "resources/sample/xiangqi.pgn.zst"}
    go = {"rated": ["kgs"], "elo_bins": BINS, "board_size": 9, "models": {"book": {}}}
    found = Plan.of({"records": {"sources": [kgs]}, "imitation": {"go": go}})
    assert found.imitation.games() == ["go"]
    samples = Spec.parse(found.spec("imitation.samples", game="go", samples="samples"))
    assert samples.config["board_size"] == 9
    assert samples.mark == "imitation.samples records.go_boards games.go_view"
    assert "board_size" not in spec(plan(), "samples", samples="samples").config
    wildcards = {"game": "go", "model": "book", "bin": "1000-1100", "fold": "0"}
    job = Spec.parse(found.spec("imitation.train", **wildcards))
    assert job.mark == "imitation.train games.go_view imitation.models.book"
    assert "board_size" not in job.config


def test_all_faults_are_told_at_once() -> None:
    raw = {
        "records": {"sources": [RATED, {"name": "gone", "path": "nowhere/*"}, CHESS]},
        "imitation": {
            "xiangqi": {
                "rated": ["rated", "rated", "chess"],
                "unrated": ["masters"],
                "elo_bins": {"low": -100, "high": 0, "width": 100},
                "models": {"book": {}},
            },
            "chess": {"rated": ["rated"], "elo_bins": BINS, "models": {"book": {}}},
        },
    }
    with pytest.raises(ConfigError) as error:
        Plan.of(raw)
    assert str(error.value).splitlines() == [
        "config: sources that cannot be read",
        "  source gone: no file matches nowhere/*",
        "config: a chapter that cannot run",
        "  imitation.chess.rated: source rated holds xiangqi, not chess",
        "  imitation.xiangqi.rated: source rated is named twice",
        "  imitation.xiangqi.rated: source chess holds chess, not xiangqi",
        "  imitation.xiangqi.unrated: no source is called masters; sources of xiangqi: rated",
        "  imitation.xiangqi.elo_bins.low: -100 is below 0, and 0 stands for players without an"
        " Elo",
        "  imitation.xiangqi.unrated: only models.one_net learns from unrated games, and it is left"
        " out; add it or leave unrated out",
    ]  # fmt: skip


def test_the_sizes_of_a_game_are_told_before_the_run() -> None:
    models = {"book": {}, "resnet": {}, "one_net": {}}
    assert plan(models=models).imitation.sizes("xiangqi") == {
        "bins": 2,
        "folds": 2,
        "models": 3,
        "candidates": 2 * (9 + 6 + 20 + 16),
        "trainings": 2 * (2 + 2 + 1) + 2 + 1,  # no final model of an ablation
    }


def test_without_the_section_there_is_no_file_of_the_chapter() -> None:
    found = Plan.of({"records": {"sources": [CHESS]}})
    of = found.imitation
    lists = (of.games(), of.samples(), of.scores(), of.ceilings(), of.phases(), of.final_models())
    assert lists == ([],) * 6
    assert found.chapters() == ["records"]
    assert not any("imitation" in file for file in [*found.tables(), *found.parquet()])
    with pytest.raises(ConfigError, match="imitation: missing"):
        of.of("chess")


def test_a_run_may_imitate_and_not_evaluate() -> None:
    found = plan()
    assert found.chapters() == ["records", "imitation"]
    assert not any("evaluation" in file for file in [*found.tables(), *found.figures()])


@pytest.mark.parametrize(
    ("stage", "keys", "path", "value", "fault"),
    [
        ("train", TRAIN, "wildcards.model", "gpt", "wildcards.model: no model is called so"),
        ("train", TRAIN, "wildcards.bin", "1000", "wildcards.bin: String should match"),
        ("train", TRAIN, "wildcards.bin", "all", "but xqsv learns from the bins one by one"),
        ("train", TRAIN, "wildcards.fold", "2", "fold 2 is not below 2"),
        ("train", TRAIN, "wildcards.game", "chess", "config.game: 'xiangqi', but wildcards.game"),
        ("train", TRAIN, "config.module", "os", "is not that of xqsv, tabia.imitation.models.xqsv"),
        ("phase", PHASE, "wildcards.net", "book", "wildcards.net: no net that is searched"),
        ("candidate", CANDIDATE, "config.bin", "1100-1200", "config.bin: '1100-1200', but"),
        ("candidate", CANDIDATE, "config.search_fold", 2, "fold 2 is not below 2"),
        ("scores", {"model": "book"}, "config.bins", [], "at least 1 item"),
        ("samples", {"samples": "unrated"}, "config.game_share", 0, "greater than 0"),
        ("summary", {}, "config.games", {}, "at least 1 item"),
    ],
)
def test_a_spec_that_contradicts_itself_is_wrong_usage(
    stage: str, keys: dict[str, str], path: str, value: object, fault: str
) -> None:
    game = {} if stage == "summary" else {"game": "xiangqi"}
    text = plan().spec(f"imitation.{stage}", **game, **keys)
    assert checked(f"imitation.{stage}", text) == Spec.parse(text)
    raw = json.loads(text)
    part, name = path.split(".")
    raw[part][name] = value
    with pytest.raises(SpecError) as error:
        checked(f"imitation.{stage}", json.dumps(raw))
    assert fault in str(error.value)


def job(model: str, fold: str = "0") -> Spec:
    return Spec("imitation.train", "", {"model": model, "fold": fold}, {})


@pytest.mark.parametrize(
    ("spec_", "given", "phase", "predictions", "fault"),
    [
        (job("ensemble"), ["book_all"], None, "p", r"--part book_all: must be NAME=FOLDER"),
        (job("ensemble"), ["a=b", "a=c"], None, "p", r"--part a: given twice"),
        (job("ensemble"), ["a=b"], None, "p", r"from book_all, one_net, lightgbm; given: a"),
        (job("book"), ["a=b"], None, "p", r"book is put together from none; given: a"),
        (job("xqsv"), [], None, "p", r"--phase: xqsv needs the last phase"),
        (job("book"), [], "f", "p", r"--phase: book has no search, given: f"),
        (job("book"), [], None, None, r"--predictions: fold 0, given: none"),
        (job("book", "final"), [], None, "p", r"--predictions: fold final, given: p"),
    ],
)
def test_what_a_training_reads_must_go_with_its_model(
    spec_: Spec, given: list[str], phase: str | None, predictions: str | None, fault: str
) -> None:
    with pytest.raises(InputsError, match=fault):
        parts_of_a_model(
            spec_, given, Path(phase) if phase else None, Path(predictions) if predictions else None
        )


def test_the_folders_of_parts_are_told_by_name() -> None:
    given = ["book_all=a", "one_net=b=c", "lightgbm=d"]
    parts = parts_of_a_model(job("ensemble"), given, None, Path("p"))
    assert parts == {"book_all": Path("a"), "one_net": Path("b=c"), "lightgbm": Path("d")}


@pytest.mark.parametrize("width", [1, 10**12 - 1000])
def test_bins_of_elos_that_nobody_has_are_refused(width: int) -> None:
    bins = {"low": 1000, "high": 10**12, "width": width}
    with pytest.raises(ConfigError, match=r"xiangqi\.elo_bins: high \(1000000000000\) must not be"):
        plan(elo_bins=bins)
