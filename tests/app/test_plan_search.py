"""Which jobs the search chapter has, what each reads, and what a change does not concern."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tabia.app.config import ConfigError
from tabia.app.plan import Plan
from tabia.app.specs import checked
from tabia.tables.spec import Spec, SpecError

ROOT = Path(__file__).parents[2]
GO = {"game": "go", "size": 5}
ALL = "results/search/a"


@pytest.fixture(autouse=True)
def _in_the_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def plan(*, ladder: dict[str, Any] | None = None, seed: int = 1, **learner: Any) -> Plan:
    usual = {"rules": GO, "selfplay": {"games": 8, "shards": 2}, "learning": {"window": 2}}
    return Plan.of(
        {
            "records": {"sources": [{"name": "x", "path": "resources/sample/tiny.pgn.zst"}]},
            "search": {
                "seed": seed,
                "learners": {"a": usual | learner, "b": {"rules": GO, "generations": 1}},
                "ladder": ladder or {},
            },
        }
    )


def spec(of: Plan, stage: str, **wildcards: str) -> Spec:
    return Spec.parse(of.spec(f"search.{stage}", run="a", **wildcards))


def specs(of: Plan, generations: int) -> list[Spec]:
    """Return the specs of all jobs of the first generations and of the matches among them."""
    found = [spec(of, "start")]
    for generation in map(str, range(1, generations + 1)):
        found += [spec(of, "selfplay", generation=generation, shard=s) for s in "01"]
        found += [spec(of, stage, generation=generation) for stage in ("train", "gate")]
        found.append(spec(of, "ladder", pair=f"{generation}-0"))
    return found


def test_generation_follows_generation() -> None:
    found = plan().search
    assert found.before("a", "1") == found.learned_from("a", "1") == f"{ALL}/nets/0"
    assert found.before("a", "3") == found.learned_from("a", "3") == f"{ALL}/nets/2"
    assert found.selfplay("a", "games")[:3] == [
        f"{ALL}/selfplay/1/0/games.parquet",
        f"{ALL}/selfplay/1/1/games.parquet",
        f"{ALL}/selfplay/2/0/games.parquet",
    ]
    assert found.nets("b") == ["results/search/b/nets/0", "results/search/b/nets/1"]


def test_every_shard_and_every_training_measures_its_time() -> None:
    of = plan(generations=2).search
    found = of.times("a")
    shards = [f"{ALL}/selfplay/{n}/{s}/times.parquet" for n in (1, 2) for s in (0, 1)]
    assert found == [*shards, f"{ALL}/times/1.parquet", f"{ALL}/times/2.parquet"]
    # Nothing that is learned or played depends on times, nor does the database show them.
    assert not set(found) & {*of.parquet(), *of.window("a", "2", "games"), *of.nets("a")}


def test_the_best_net_plays_where_there_is_a_gate() -> None:
    found = plan(gate={}).search
    assert found.before("a", "1") == f"{ALL}/nets/0"
    assert found.before("a", "3") == f"{ALL}/best/2"
    assert found.learned_from("a", "3") == f"{ALL}/nets/2"
    assert found.opponents("a", "2-0") == [f"{ALL}/best/2", f"{ALL}/nets/0"]
    assert found.gates("a") == [f"{ALL}/gates/{n}.parquet" for n in (1, 2, 3)]
    assert found.gates("b") == []


def test_a_training_reads_the_last_generations_of_its_window() -> None:
    def generations(generation: str) -> list[str]:
        files = plan(selfplay={"games": 8}).search.window("a", generation, "positions")
        return [file.split("/")[4] for file in files]

    assert generations("1") == ["1"]
    assert generations("2") == ["1", "2"]
    assert generations("3") == ["2", "3"]


def test_each_generation_plays_the_one_before_and_the_first_and_the_last_one_the_rivals() -> None:
    assert plan().search.pairs("a") == ["1-0", "2-1", "2-0", "3-2", "3-0", "3-random", "3-rollouts"]
    assert plan(generations=0, ladder={"rivals": ["random"]}).search.pairs("a") == ["0-random"]
    assert plan().search.match_options("a", "3-2") == [
        f"--first={ALL}/nets/3",
        f"--second={ALL}/nets/2",
    ]
    assert plan().search.match_options("a", "3-random") == [f"--first={ALL}/nets/3"]


def test_earlier_generations_and_rivals_are_played_as_the_ladder_says() -> None:
    ladder = {
        "games": 6,
        "simulations": 8,
        "before": [1, 3],
        "start": False,
        "rivals": ["gnugo-level-1"],
        "rival_games": 10,
        "rival_simulations": 16,
    }
    found = Plan.of(
        {
            "records": {"sources": [{"name": "x", "path": "resources/sample/tiny.pgn.zst"}]},
            "search": {"learners": {"a": {"rules": GO, "generations": 4}}, "ladder": ladder},
        }
    )
    pairs = found.search.pairs("a")
    assert pairs == ["1-0", "2-1", "3-2", "3-0", "4-3", "4-1", "4-gnugo-level-1"]
    assert found.search.opponents("a", pairs[-1]) == [f"{ALL}/nets/4"]
    among, rival = (spec(found, "ladder", pair=pair) for pair in ("4-1", pairs[-1]))
    assert (among.config["ladder"]["games"], among.config["ladder"]["simulations"]) == (6, 8)
    assert (rival.config["ladder"]["games"], rival.config["ladder"]["simulations"]) == (10, 16)


def test_learners_play_the_last_generation_of_those_that_the_ladder_names() -> None:
    found = plan(
        ladder={"learners": ["b"], "rivals": [], "rival_games": 10},
        selfplay={"games": 8, "shards": 2, "search": {"tree": {"backup": "minimax"}}},
    )
    assert found.search.pairs("a")[-1] == "3-last-of-b"
    assert found.search.pairs("b") == ["1-0"]
    assert found.search.opponents("a", "3-last-of-b") == [
        f"{ALL}/nets/3",
        "results/search/b/nets/1",
    ]
    match = checked("search.ladder", found.spec("search.ladder", run="a", pair="3-last-of-b"))
    assert match.config["search"]["tree"]["backup"] == "minimax"
    assert match.config["second_search"]["tree"]["backup"] == "mean"
    assert match.config["ladder"]["games"] == 10


def test_first_generations_may_have_fewer_games() -> None:
    few = plan(generations=4, selfplay={"games": 50, "shards": 2, "first_games": 8})
    games = [
        spec(few, "selfplay", generation=g, shard="0").config["selfplay"]["games"] for g in "1234"
    ]
    assert games == [8, 16, 32, 50]
    assert few.search.sizes("a")["games"] == 106
    full = plan(generations=4, selfplay={"games": 50, "shards": 2})
    assert spec(few, "selfplay", generation="4", shard="0") == spec(
        full, "selfplay", generation="4", shard="0"
    )


def test_one_generation_more_concerns_no_job_that_was_there() -> None:
    before, after = (plan(generations=n, gate={}) for n in (3, 4))
    assert specs(before, 3) == specs(after, 3)
    old, new = (set(p.search.matches("a")) for p in (before, after))
    assert {Path(file).stem for file in old - new} == {"3-random", "3-rollouts"}
    assert {Path(file).stem for file in new - old} == {"4-3", "4-0", "4-random", "4-rollouts"}


def changed(before: Plan, after: Plan) -> set[str]:
    pairs = zip(specs(before, 3), specs(after, 3), strict=True)
    return {one.stage.removeprefix("search.") for one, other in pairs if one != other}


@pytest.mark.parametrize(
    ("change", "stages"),
    [
        ({"learning": {"window": 2, "learning_rate": 0.1}}, {"train"}),
        ({"targets": "winner"}, {"train"}),
        ({"selfplay": {"games": 10, "shards": 2}}, {"selfplay"}),
        ({"selfplay": {"games": 8, "shards": 2, "threads": 2}}, {"selfplay", "gate"}),
        ({"gate": {"games": 8}}, {"gate"}),
        ({"net": {"architecture": "small", "blocks": 1}}, {"start"}),
        ({"history": 2}, {"start"}),
        ({"ladder": {"games": 8}}, {"ladder"}),
        ({"ladder": {"rivals": []}}, set()),
        ({"rules": GO | {"komi": 1}}, {"start", "selfplay", "train", "gate", "ladder"}),
        ({"seed": 2}, {"start", "selfplay", "train", "gate", "ladder"}),
    ],
)
def test_a_setting_concerns_the_stages_that_read_it(
    change: dict[str, Any], stages: set[str]
) -> None:
    assert changed(plan(gate={}), plan(**({"gate": {}} | change))) == stages


def test_a_wider_window_concerns_trainings_that_have_it() -> None:
    before, after = plan(), plan(learning={"window": 3})
    same = [
        spec(before, "train", generation=n) == spec(after, "train", generation=n) for n in "123"
    ]
    assert same == [True, True, False]


def test_games_and_trainings_are_marked_by_hand_and_the_rest_by_its_code() -> None:
    marks = {one.stage: one.mark for one in specs(plan(gate={}), 1)}
    marks["search.summary"] = Spec.parse(plan().spec("search.summary")).mark
    by_hand = {stage for stage, mark in marks.items() if mark.startswith("revision ")}
    assert by_hand == {f"search.{stage}" for stage in ("selfplay", "train", "gate", "ladder")}
    assert set(marks) - by_hand == {"search.start", "search.summary"}


def test_threads_are_those_of_each_job() -> None:
    selfplay, learning = {"games": 8, "threads": 3}, {"threads": 4}
    found = plan(ladder={"threads": 5}, selfplay=selfplay, learning=learning).search
    assert found.selfplay_threads("a") == 3
    assert found.training_threads("a") == 4
    assert found.ladder_threads() == 5


def test_the_sizes_of_a_learner_are_told_before_the_run() -> None:
    assert plan().search.sizes("a") == {"generations": 3, "games": 24, "matches": 7}


def test_without_the_section_there_is_no_file_of_the_chapter() -> None:
    found = Plan.of({"records": {"sources": [{"name": "x", "path": "resources/sample/tiny*"}]}})
    of = found.search
    assert (of.learners(), of.tables("games"), of.of_all(of.nets), of.of_all(of.matches)) == (
        ([],) * 4
    )
    assert found.chapters() == ["records"]
    with pytest.raises(ConfigError, match="search: missing"):
        of.of("a")


def test_a_learner_that_is_not_there_is_named() -> None:
    with pytest.raises(ConfigError, match=r"search\.learners\.c: missing; there are a, b"):
        plan().search.of("c")


def test_a_run_may_search_and_neither_evaluate_nor_imitate() -> None:
    assert plan().chapters() == ["records", "search"]
    assert [Path(file).stem for file in plan().tables("search")] == [
        "search_generations",
        "search_matches",
        "search_selfplay",
        "search_times",
    ]


def test_without_records_there_is_the_chapter_of_search_alone() -> None:
    found = Plan.of({"search": {"learners": {"a": {"rules": GO, "generations": 1}}}})
    assert found.chapters() == ["search"]
    assert {Path(file).stem.split("_")[0] for file in found.tables()} == {"search"}
    assert {Path(file).stem.split("_")[0] for file in found.figures()} == {"search"}
    assert all(file.startswith("results/search/") for file in found.parquet())
    assert (found.games(), found.shards("games"), found.buckets("leaks")) == ([], [], [])
    assert Spec.parse(found.spec("search.start", run="a")).config["seed"] == 1


@pytest.mark.parametrize(
    ("stage", "keys", "fault"),
    [
        ("records.summary", {}, "records: missing, so no games can be read; add records.sources"),
        ("records.games", {"source": "x", "shard": "0"}, "records: missing"),
        ("evaluation.summary", {}, "add the section, and a section records with sources"),
        ("imitation.summary", {}, "add the section, and a section records with sources"),
    ],
)
def test_a_chapter_that_reads_records_says_that_there_are_none(
    stage: str, keys: dict[str, str], fault: str
) -> None:
    found = Plan.of({"search": {"learners": {"a": {"rules": GO}}}})
    with pytest.raises(ConfigError, match=fault):
        found.spec(stage, **keys)


def test_a_source_that_is_not_there_is_named() -> None:
    with pytest.raises(ConfigError, match=r"records\.sources: none is called y; there are x"):
        plan().source("y")


GAMES_OF_GO = {"name": "club", "game": "go", "path": "resources/sample/tiny*", "shards": 2}


def begun(pretrain: dict[str, Any], **learner: Any) -> Plan:
    """Return the plan of a learner that begins with records beside one that does not."""
    own = {"rules": GO, "pretrain": {"source": "club"} | pretrain} | learner
    return Plan.of(
        {
            "records": {"sources": [GAMES_OF_GO]},
            "search": {"learners": {"a": own, "a.b": {"rules": GO}}},
        }
    )


def test_a_learner_that_begins_with_records_reads_the_games_of_its_source() -> None:
    found = begun({"threads": 2}).search
    assert found.records("a") == [f"results/records/games/club/{n}.parquet" for n in (0, 1)]
    assert (found.begun(pretrained=True), found.begun(pretrained=False)) == ("a", r"a\.b")
    assert found.pretraining_threads("a") == 2
    with pytest.raises(ConfigError, match=r"search\.learners\.a\.b\.pretrain: missing"):
        found.records("a.b")
    # No name at all is one of those of which there are none.
    assert not re.fullmatch(plan().search.begun(pretrained=True), "")


def test_learning_from_records_concerns_no_other_stage_and_knows_the_splits() -> None:
    found = begun({"games": 9}, selfplay={"games": 8, "shards": 2}, learning={"window": 2})
    assert specs(found, 3)[1:] == specs(plan(), 3)[1:]
    own = checked("search.pretrain", found.spec("search.pretrain", run="a"))
    assert own.mark.startswith("revision ")
    assert (own.config["pretrain"]["games"], own.config["splits"]["train"]) == (9, 0.5)
    longer = begun({"games": 9}, rules=GO | {"max_plies": 30}, generations=9)
    assert own == Spec.parse(longer.spec("search.pretrain", run="a"))


@pytest.mark.parametrize(
    ("pretrain", "learner", "fault"),
    [
        ({"source": "x"}, {}, r"learners\.a\.pretrain\.source: no source is called x; .*go: club"),
        ({}, {"rules": {"game": "chess"}}, "source club holds go, not chess"),
        ({}, {"net": {"architecture": "alphazero"}}, "the net alphazero plays on the board that"),
    ],
)
def test_records_that_a_learner_cannot_begin_with_are_told(
    pretrain: dict[str, Any], learner: dict[str, Any], fault: str
) -> None:
    with pytest.raises(ConfigError, match=fault):
        begun(pretrain, **learner)
    assert begun({"size": 5}, net={"architecture": "alphazero"}).search.learners() == ["a", "a.b"]


def test_a_learner_cannot_begin_with_records_where_there_are_none() -> None:
    learner = {"rules": GO, "pretrain": {"source": "club"}}
    with pytest.raises(ConfigError, match=r"no source is called club; add one of go to records"):
        Plan.of({"search": {"learners": {"a": learner}}})


def test_files_of_many_generations_are_short_on_a_command_line() -> None:
    found = plan(generations=100)
    short = found.short(found.search.nets("a"))
    assert short == f"{ALL}/nets/{{0..100}}"
    games = found.short(found.search.window("a", "2", "games"))
    assert games == " ".join(f"{ALL}/selfplay/{n}/{{0..1}}/games.parquet" for n in (1, 2))


@pytest.mark.parametrize(
    ("stage", "keys", "path", "value", "fault"),
    [
        ("start", {}, "wildcards.run", "A/b", "wildcards.run: String should match"),
        ("selfplay", {"generation": "1", "shard": "0"}, "wildcards.shard", "2", "2 is not below 2"),
        ("train", {"generation": "1"}, "wildcards.generation", "0", "should match"),
        ("train", {"generation": "1"}, "config.targets", "x", "'visits' or 'winner'"),
        ("ladder", {"pair": "2-1"}, "wildcards.pair", "2-2", "2 is not before generation 2"),
        ("ladder", {"pair": "2-1"}, "wildcards.pair", "2-gnugo", "wildcards.pair: String should"),
        ("ladder", {"pair": "2-1"}, "config.ladder", {}, "config.ladder.games: missing"),
    ],
)
def test_a_spec_that_contradicts_itself_is_wrong_usage(
    stage: str, keys: dict[str, str], path: str, value: object, fault: str
) -> None:
    text = plan().spec(f"search.{stage}", run="a", **keys)
    assert checked(f"search.{stage}", text) == Spec.parse(text)
    raw = json.loads(text)
    part, name = path.split(".")
    raw[part][name] = value
    with pytest.raises(SpecError) as error:
        checked(f"search.{stage}", json.dumps(raw))
    assert fault in str(error.value)
