from __future__ import annotations

import gzip
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tabia.app import config_docs
from tabia.app.commands.check_config import check_config
from tabia.app.config import ConfigError, load, parse, read
from tabia.app.plan import Plan

ROOT = Path(__file__).parents[2]
GOOD = {"records": {"sources": [{"name": "a", "path": "resources/sample/*.zst"}]}}
IMITATION = {
    "rated": ["a"],
    "elo_bins": {"low": 1000, "high": 1200, "width": 200},
    "models": {"book": {}},
}
LEARNER = {"learners": {"go": {"rules": {"game": "go", "size": 5}}}}


def errors(raw: dict[str, object]) -> str:
    with pytest.raises(ConfigError) as caught:
        parse(raw)
    return str(caught.value)


@pytest.mark.parametrize("name", ["config", "tiny", "lichess"])
def test_every_shipped_configuration_is_good(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    plan = Plan.of(load(ROOT / "config" / f"{name}.yaml").model_dump(mode="json"))
    assert plan.runs("scores")


def test_all_errors_are_reported_at_once_with_their_paths() -> None:
    text = errors(
        {
            "records": {
                "sources": [{"name": "A b", "path": "x"}, {"name": "b"}],
                "elo_bins": {"low": 100, "high": 50},
            },
            "evaluation": {"labels": {"inputs": [2, 4], "target": {"depth": 1, "nodes": 2}}},
            "reprot": {},
        }
    )
    for part in (
        "records.sources[0].name",
        "records.sources[1]: source b: give either path or archive",
        "records.elo_bins: high - low",
        "evaluation.labels.inputs: three different depths",
        "evaluation.labels.target: give exactly one",
        "reprot: unknown key; did you mean report?",
    ):
        assert part in text
    assert "6 errors" in text


def test_a_clock_limit_beyond_the_patience_is_refused() -> None:
    labels = {"engine": {"timeout_s": 60}, "target": {"movetime_ms": 60_000}}
    assert "timeout_s (60) must be longer than target.movetime_ms (60000)" in errors(
        GOOD | {"evaluation": {"labels": labels}}
    )


@pytest.mark.parametrize(
    ("section", "message"),
    [
        ({"filters": ["mate", "mate"]}, "evaluation.filters: each at most once"),
        ({"scenarios": [1, 3, 1]}, "evaluation.scenarios: each at most once"),
        (
            {"models": {}},
            "models: at least one",
        ),
        (
            {"models": {"engine_depth8": {}}, "scenarios": [2]},
            "engine_depth8 alone needs scenario 1",
        ),
        ({"models": {"ridge": {"penalties": []}}}, "penalties"),
        ({"models": {"rbf": {"fuzzy_sets": [9, 4]}}}, "fewest first"),
        ({"by_position": ["rbf", "rbf"]}, "evaluation.by_position: each at most once"),
        ({"by_position": ["mean"]}, "by_position"),
        ({"models": {"lightgbm": {"learning_rate": float("inf")}}}, "finite number"),
        ({"labels": {"target": {"nodes": 10**16}}}, "less than or equal to"),
        ({"labels": {"target": {"depth": 8}}}, "target.depth (8) must be greater than the deepest"),
        (
            {"labels": {"target": {"depth": 9}, "engine": {"options": {"A": "1\nquit"}}}},
            "leave out line breaks",
        ),
        (
            {"models": {"ridge": {"penalties": [1e-320, 1]}}},
            "greater than or equal to 0.000000000001",
        ),
        ({"models": {"lightgbm": {"learning_rate": 1e300}}}, "less than or equal to 1"),
        ({"models": {"lightgbm": {"trees": 100_001}}}, "less than or equal to 100000"),
        ({"models": {"lightgbm_placement": {"leaves": 131_073}}}, "less than or equal to 131072"),
        ({"models": {"lightgbm": {"min_leaf": 2**31}}}, "less than or equal to 1000000000"),
        ({"models": {"lightgbm": {"stop_after": 2**31}}}, "less than or equal to 1000000000"),
        ({"models": {"lightgbm": {"threads": 1025}}}, "less than or equal to 1024"),
        ({"models": {"rbf": {"threads": 1025}}}, "less than or equal to 1024"),
        ({"models": {"cnn_planes": {"threads": 1025}}}, "less than or equal to 1024"),
        ({"models": {"cnn_planes": {"learning_rate": 2}}}, "less than or equal to 1"),
        ({"models": {"mlp_bitmap": {"hidden": [10_001, 4]}}}, "less than or equal to 10000"),
        ({"models": {"mlp_lm": {"sizes": [[201, 4]]}}}, "less than or equal to 200"),
        ({"models": {"best": {"threads": 1025}}}, "less than or equal to 1024"),
        ({"models": {"best": {"tree_learning_rate": 1.5}}}, "less than or equal to 1"),
        ({"models": {"best": {"hidden": [10_001]}}}, "less than or equal to 10000"),
    ],
)
def test_an_evaluation_that_cannot_run_is_refused(section: dict[str, object], message: str) -> None:
    whole = {"labels": {"target": {"depth": 9}}} | section
    assert message in errors(GOOD | {"evaluation": whole})


def test_a_misspelt_key_deep_inside_is_explained() -> None:
    text = errors(GOOD | {"evaluation": {"labels": {"target": {"nods": 5}}}})
    assert "evaluation.labels.target.nods: unknown key; did you mean nodes?" in text


def test_two_sources_of_one_name_are_refused() -> None:
    assert "two sources are named a" in errors(
        {"records": {"sources": GOOD["records"]["sources"] * 2}}
    )


def test_an_evaluation_without_chess_is_refused() -> None:
    sources = [{"name": "x", "path": "resources/sample/*.zst", "game": "xiangqi"}]
    text = errors(
        {"records": {"sources": sources}, "evaluation": {"labels": {"target": {"depth": 9}}}}
    )
    assert "evaluation is about chess positions and no source has game: chess" in text
    parse({"records": {"sources": sources}})


@pytest.mark.parametrize(
    ("sections", "fault"),
    [
        ({"evaluation": {"labels": {"target": {"depth": 9}}}}, "evaluation: there are no records"),
        (
            {"imitation": {"xiangqi": IMITATION}, "search": LEARNER},
            "imitation: there are no records",
        ),
        ({"report": {"title": "x"}}, "nothing to do; add a section records"),
        ({"record": GOOD["records"]}, "record: unknown key; did you mean records?"),
    ],
)
def test_what_reads_games_is_refused_where_there_are_none(
    sections: dict[str, object], fault: str
) -> None:
    text = errors(sections)
    assert fault in text
    assert "1 error in" in text


def test_players_that_teach_themselves_need_no_records() -> None:
    config = parse({"search": LEARNER})
    assert config.records is None
    assert config.sources == ()


def test_only_xiangqi_has_headers_in_a_file_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    source = {"name": "a", "path": "resources/sample/*.zst", "headers": "nowhere.csv"}
    assert "source a: only xiangqi records have headers" in errors(
        {"records": {"sources": [source]}}
    )
    with pytest.raises(ConfigError, match=r"source a: no file of headers nowhere\.csv"):
        Plan.of({"records": {"sources": [source | {"game": "xiangqi"}]}})


def test_a_source_that_matches_no_file_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    with pytest.raises(ConfigError, match=r"no file matches nowhere/\*\.pgn"):
        Plan.of({"records": {"sources": [{"name": "a", "path": "nowhere/*.pgn"}]}})


def test_an_unknown_archive_is_refused_with_the_known_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(ROOT)
    with pytest.raises(ConfigError, match=r"no archive nothing in .*lichess-2017-04"):
        Plan.of({"records": {"sources": [{"name": "a", "archive": "nothing"}]}})


def test_yaml_that_is_no_mapping_is_refused(tmp_path: Path) -> None:
    bad = tmp_path / "c.yaml"
    bad.write_text("- 1\n")
    with pytest.raises(ConfigError, match="expected sections"):
        load(bad)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("records: {sources: [{name: a, path: nowhere}]}", "sources that cannot be read"),
        ("records: {sources: [{name: a}]}", "1 error in the configuration"),
        ("records: [", "not YAML"),
    ],
)
def test_faults_of_a_checked_file_name_it(text: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "c.yaml"
    file.write_text(text)
    with pytest.raises(ConfigError) as caught:
        check_config(file, as_json=False)
    assert str(caught.value).startswith(f"{file}: {message}")


def test_a_checked_file_is_read_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pipe = tmp_path / "c.yaml"  # what was read from a pipe is gone
    os.mkfifo(pipe)
    game = tmp_path / "x.pgn"
    game.touch()
    text = f"records: {{sources: [{{name: a, path: {game}}}]}}"
    writer = threading.Thread(target=pipe.write_text, args=(text,), daemon=True)
    writer.start()
    check_config(pipe, as_json=False)
    writer.join()
    assert capsys.readouterr().out.startswith(f"{pipe}: good\n  source a: chess, 1 files")


HEADERS = "gameID,game_datetime,blackID,blackELO,redID,redELO,winner\n"
MOVES = "gameID,turn,side,move\n7,1,red,C2.5\n"


def with_headers(folder: Path, content: bytes) -> Path:
    (folder / "moves.csv").write_text(MOVES)
    (folder / "headers").write_bytes(content)
    source = f"name: x, game: xiangqi, path: {folder}/moves.csv, headers: {folder}/headers"
    (folder / "c.yaml").write_text(f"records: {{sources: [{{{source}}}]}}")
    return folder / "c.yaml"


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (MOVES.encode(), "PlayOK's table of moves; its first line must name the columns gameid, "),
        (gzip.compress(MOVES.encode()), "PlayOK's table of moves; its first line"),
        (b"[Event]\n", r"begins with b'\[Event\]\\n'; its first line must name"),
        (b"\n", "an empty file; name one table of headers"),
        (gzip.compress(HEADERS.encode())[:12], "gzip data end too early"),
    ],
)
def test_headers_that_are_none_are_told_where_the_file_is(
    content: bytes, fault: str, tmp_path: Path
) -> None:
    file = with_headers(tmp_path, content)
    with pytest.raises(ConfigError, match=rf"source x: headers {tmp_path}/headers: {fault}"):
        check_config(file, as_json=False)


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_headers_are_good_packed_or_not(pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    check_config(with_headers(tmp_path, pack(HEADERS.encode())), as_json=False)


def of_sources(*sources: Mapping[str, object]) -> Plan:
    return Plan.of({"records": {"sources": list(sources)}})


def test_two_sources_of_one_file_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.pgn", "b.pgn"):
        (tmp_path / name).touch()
    (tmp_path / "link").symlink_to("a.pgn")
    all_, one = {"name": "all", "path": "*.pgn"}, {"name": "one", "path": "a.pgn"}
    with pytest.raises(ConfigError, match=r"sources all and one read a\.pgn; name it once"):
        of_sources(all_, one)
    with pytest.raises(ConfigError, match=r"sources all and one read a\.pgn, which is link too"):
        of_sources(all_, one | {"path": "link"})
    with pytest.raises(ConfigError, match=r"source x reads a\.pgn, which is link too"):
        of_sources({"name": "x", "path": "*"})
    of_sources({"name": "b", "path": "b.pgn"}, one)


def test_two_sources_of_one_archive_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "resources").mkdir()
    (tmp_path / "resources/archives.csv").write_text("name,url\nx,file\ny,file\n")
    with pytest.raises(ConfigError, match="sources a and b read results/records/archives/x; name"):
        of_sources({"name": "a", "archive": "x"}, {"name": "b", "archive": "x"})
    of_sources({"name": "a", "archive": "x"}, {"name": "b", "archive": "y"})


def test_the_generated_reference_and_schema_are_fresh() -> None:
    assert (ROOT / "config/README.md").read_text() == config_docs.reference()
    assert (ROOT / "workflow/schemas/config.schema.json").read_text() == config_docs.schema()


def test_the_dry_run_imports_nothing_heavy() -> None:
    code = (
        "import sys; import tabia.app.plan, tabia.app.native;"
        "print([m for m in ('numpy','pyarrow','duckdb','pandas','torch','lightgbm','altair')"
        " if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_files_are_spread_over_shards_by_name_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for number in range(40):
        (tmp_path / f"{number}.pgn").write_text("")
    raw = {"records": {"sources": [{"name": "a", "path": "*.pgn", "shards": 4}]}}
    plan = Plan.of(raw)
    before = [plan.shard_files("a", str(shard)) for shard in range(4)]
    assert sorted(name for shard in before for name in shard) == sorted(
        f"{n}.pgn" for n in range(40)
    )
    (tmp_path / "new.pgn").write_text("")
    after = [Plan.of(raw).shard_files("a", str(shard)) for shard in range(4)]
    assert sum(old != new for old, new in zip(before, after, strict=True)) == 1


def test_a_mapping_may_take_in_another_and_say_some_keys_again(tmp_path: Path) -> None:
    file = tmp_path / "c.yaml"
    file.write_text(
        "a: &a {games: 1, tree: {alpha: 1}}\nb: &b {<<: *a, games: 2}\nc: {<<: *b, tree: 3}\n"
        "d: {<<: *b, other: *a}\n"
    )
    tree = {"alpha": 1}
    assert read(file) == {
        "a": {"games": 1, "tree": tree},
        "b": {"games": 2, "tree": tree},
        "c": {"games": 2, "tree": 3},
        "d": {"games": 2, "tree": tree, "other": {"games": 1, "tree": tree}},
    }
    file.write_text("a: &a {games: 1}\nb: {<<: *a, games: 2, games: 3}\n")
    with pytest.raises(ConfigError, match=r"'games' is given twice\n.*line 2"):
        read(file)


def test_configurations_of_published_results_are_good(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    plan = Plan.of(read(ROOT / "docs/results/go_comparisons.yaml"))
    assert plan.chapters() == ["search"]
    assert plan.search.of("go-player").selfplay.search.tree.rule == "go_player"


def test_a_key_given_twice_is_refused_with_its_place(tmp_path: Path) -> None:
    bad = tmp_path / "c.yaml"
    bad.write_text("records:\n  sources: []\n  sources: []\n")
    with pytest.raises(ConfigError, match=r"'sources' is given twice\n.*line 3"):
        load(bad)


def test_file_names_that_rules_cannot_carry_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a{b}.pgn").write_text("")
    with pytest.raises(ConfigError, match="braces"):
        Plan.of({"records": {"sources": [{"name": "a", "path": "*.pgn"}]}})


def test_a_file_whose_name_holds_glob_signs_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games [2013].pgn").write_text("")
    plan = Plan.of({"records": {"sources": [{"name": "a", "path": "games [2013].pgn"}]}})
    assert plan.shard_files("a", "0") == ["games [2013].pgn"]


def test_faults_of_a_learner_are_told_by_their_place_in_the_file() -> None:
    text = errors(
        GOOD
        | {
            "search": {
                "learners": {
                    "a": {
                        "rules": {"game": "go", "size": 3, "komii": 1},
                        "gate": {"gams": 2},
                        "selfplay": {"games": 2, "shards": 3},
                    },
                    "A/b": {"rules": {"game": "go"}},
                    "c": {
                        "rules": {"game": "chess"},
                        "net": {"architecture": "small", "score": True},
                    },
                },
                "ladder": {"rivals": ["random", "random"]},
            }
        }
    )
    for part in (
        "search.learners.a.rules.size: Input should be greater than or equal to 5 (found 3)",
        "search.learners.a.rules.komii: unknown key; did you mean komi?",
        "search.learners.a.gate.gams: unknown key; did you mean games?",
        "search.learners.a.selfplay: 3 shards of 2 games; some would have none",
        "search.learners.A/b.[key]: String should match pattern",
        "search.learners.c: net: score and ownership are for go, not for chess",
        "search.ladder: rivals: random, random: name each once",
    ):
        assert part in text
    assert "7 errors" in text
