"""The engine beside, and of models that need its values."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tabia.app.cli import main
from tabia.app.commands.evaluate import EvaluateFailedError, EvaluateUsageError
from tabia.engines.errors import (
    EngineCrashedError,
    EngineError,
    EngineNotFoundError,
    EngineTimeoutError,
)
from tabia.engines.uci import find_engine
from tests.app.evaluate_command.made import ENDGAME, MIDDLEGAME, Evaluate, codes, dying
from tests.evaluation.made_models import STOCKFISH, material_model


def test_the_engine_stands_beside(run: Evaluate, engine: Any, tmp_path: Path) -> None:
    (report,) = run(MIDDLEGAME, material_model(tmp_path), engine=engine())
    assert report["value"] == -0.75
    assert report["engine"] == {
        "name": "Stockfish",
        "version": "15.1",
        "limit": "nodes 1000",
        "pawns": 1.5,
        "mate": None,
        "move": "g1h1",
        "as_labelled": False,
    }
    (note,) = report["notes"]
    assert note["code"] == "engine_differs"
    assert "network is nn-ad9b42354671.nnue, this one's none" in note["text"]


def test_an_engine_like_the_labels_is_as_labelled(
    run: Evaluate, engine: Any, tmp_path: Path
) -> None:
    labels = {"engine.name": "Stockfish", "engine.version": "15.1", "engine.net": ""}
    labels["engine.options"] = '{"Hash": 2, "MultiPV": 1}'
    model = material_model(tmp_path, engine=labels)
    (report,) = run(MIDDLEGAME, model, engine=engine())
    assert (report["engine"]["as_labelled"], report["notes"]) == (True, [])
    (report,) = run(MIDDLEGAME, model, engine=engine(), nodes=20)
    assert (report["engine"]["as_labelled"], report["engine"]["limit"]) == (False, "nodes 20")


def test_another_engine_is_told(run: Evaluate, engine: Any, tmp_path: Path) -> None:
    (report,) = run(MIDDLEGAME, material_model(tmp_path), engine=engine(name="Other 3"))
    assert codes(report) == ["engine_differs"]
    assert "labels are by Stockfish 15.1, this is Other 3" in report["notes"][0]["text"]


def test_labels_without_a_name_are_told(run: Evaluate, engine: Any, tmp_path: Path) -> None:
    (report,) = run(MIDDLEGAME, material_model(tmp_path, engine={}), engine=engine())
    assert "the labels do not name their engine" in report["notes"][0]["text"]


def test_a_missing_engine_is_told_and_no_failure(run: Evaluate, tmp_path: Path) -> None:
    (report,) = run(MIDDLEGAME, material_model(tmp_path), engine="no-such-engine")
    assert (report["value"], report["engine"]) == (-0.75, None)
    assert codes(report) == ["engine_missing"]
    assert "apt-get install no-such-engine" in report["notes"][0]["text"]


def test_a_failing_engine_is_told_and_no_failure(
    run: Evaluate, engine: Any, tmp_path: Path
) -> None:
    (report,) = run(MIDDLEGAME, material_model(tmp_path), engine=engine(fails=True))
    assert (report["value"], report["engine"]) == (-0.75, None)
    assert codes(report) == ["engine_failed", "engine_differs"]


def test_engine_values_are_given_to_a_model_that_needs_them(
    run: Evaluate, engine: Any, tmp_path: Path
) -> None:
    (report,) = run(MIDDLEGAME, material_model(tmp_path, 2), engine=engine())
    assert report["value"] == -0.75 + 0.5 * 1.5 + 0.5 * 1.5
    assert report["engine_inputs"] == [
        {"limit": "depth 2", "pawns": 1.5, "mate": None},
        {"limit": "depth 4", "pawns": 1.5, "mate": None},
    ]
    effects = {effect["input"]: effect for effect in report["explanation"]["effects"]}
    assert report["explanation"]["base"] == 0.25 + 0.5 * 0.25 + 0.5 * 0.25
    assert "input_1" not in effects  # 0.625 pawns: weaker than eight pieces
    assert "not trained on such inputs" in report["notes"][0]["text"]


def test_a_mate_at_a_low_depth_leaves_no_value(run: Evaluate, engine: Any, tmp_path: Path) -> None:
    (report,) = run(MIDDLEGAME, material_model(tmp_path, 2), engine=engine("mate 3"))
    assert (report["value"], report["explanation"]) == (None, None)
    assert report["engine"]["mate"] == 3
    assert codes(report) == ["mate_input", "engine_differs"]
    assert "a mate at depth 2, depth 4" in report["notes"][0]["text"]


@pytest.mark.parametrize("name", [None, "no-such-engine"])
def test_a_needed_engine_that_is_not_there_is_wrong_usage(
    run: Evaluate, tmp_path: Path, name: str | None
) -> None:
    model = material_model(tmp_path, 2)
    with pytest.raises(EvaluateUsageError, match="scenario 2 needs the engine's values at depth 2"):
        run(MIDDLEGAME, model, engine=name)


def test_a_needed_engine_that_fails_is_told_after_the_report(
    run: Evaluate, engine: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(EvaluateFailedError) as error:
        run(MIDDLEGAME, material_model(tmp_path, 2), engine=engine(fails=True))
    assert error.value.exit_code == 2
    report = json.loads(capsys.readouterr().out)
    assert (report["value"], codes(report)[0]) == (None, "engine_failed")


def test_an_engine_that_dies_is_a_note_where_the_model_needs_none(
    run: Evaluate, stdin: Callable[[str], str], tmp_path: Path
) -> None:
    text = stdin(f"{MIDDLEGAME}\n" * 12)  # more than are asked at once
    model = material_model(tmp_path)
    found = run(text, model, engine=dying(tmp_path, 3), explain=False)
    assert [report["line"] for report in found] == list(range(1, 13))
    assert [report["value"] for report in found] == [-0.75] * 12
    assert [report["engine"] is not None for report in found] == [True] * 3 + [False] * 9
    assert ["engine_failed" in codes(report) for report in found] == [False] * 3 + [True] * 9
    assert "3 new processes in a row did not become ready" in found[-1]["notes"][0]["text"]


def test_an_engine_that_dies_leaves_rows_without_value_where_the_model_needs_it(
    run: Evaluate,
    stdin: Callable[[str], str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = stdin(f"{MIDDLEGAME}\n" * 12)
    model = material_model(tmp_path, 2)
    with pytest.raises(EvaluateFailedError, match="10 of 12 positions have no value") as error:
        run(text, model, engine=dying(tmp_path, 6), explain=False)  # three searches a position
    assert error.value.exit_code == 2
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [report["value"] for report in found] == [0.75] * 2 + [None] * 10
    assert codes(found[-1])[0] == "engine_failed"


@pytest.mark.parametrize("kind", [EngineError, EngineCrashedError, EngineTimeoutError])
def test_an_engine_that_fails_on_everything_is_a_message_and_no_traceback(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    kind: type[EngineError],
) -> None:
    def fail(*words: Any, **options: Any) -> None:
        raise kind("the engine failed on each of the first 50 positions")

    monkeypatch.setattr("tabia.app.commands.evaluate.evaluate", fail)
    monkeypatch.setattr(sys, "argv", ["tabia", "evaluate", "-", "--model", "m"])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 2
    assert capsys.readouterr().err == (
        "tabia: the engine failed on each of the first 50 positions\n"
    )


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("", "the name is empty; give a program's name or path"),
        ("/", "it is a folder; give the path of the program in it"),
        ("~nobody-of-that-name/x", "no such file"),
        ("/" + "x" * 3000, "no such file"),
        ("x" * 3000, "neither on PATH"),
    ],
)
def test_a_name_that_is_no_engine_is_told_with_what_to_give_instead(
    run: Evaluate, tmp_path: Path, name: str, words: str
) -> None:
    model = material_model(tmp_path, 2)
    with pytest.raises(EvaluateUsageError, match=words) as error:
        run(MIDDLEGAME, model, engine=name)
    assert "apt-get install )" not in str(error.value)
    assert len(str(error.value)) < 1000


def test_an_engine_in_the_folder_that_one_is_in_is_found(
    run: Evaluate, engine: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, path = material_model(tmp_path), Path(engine())
    monkeypatch.chdir(path.parent)
    (report,) = run(MIDDLEGAME, model, engine=f"./{path.name}")
    assert report["engine"]["pawns"] == 1.5


@pytest.mark.parametrize("nodes", [10**15 + 1, 99999999999999999999999, 0])
def test_nodes_that_are_no_limit_are_wrong_usage(
    run: Evaluate, engine: Any, tmp_path: Path, nodes: int
) -> None:
    with pytest.raises(EvaluateUsageError, match=f"--nodes {nodes}: Input should be"):
        run(MIDDLEGAME, material_model(tmp_path), engine=engine(), nodes=nodes)


@pytest.mark.engine
def test_stockfish_answers_as_for_the_labels(run: Evaluate, tmp_path: Path) -> None:
    try:
        find_engine("stockfish")
    except EngineNotFoundError as error:
        pytest.skip(str(error))
    (report,) = run(ENDGAME, material_model(tmp_path, engine=STOCKFISH), engine="stockfish")
    assert (report["engine"]["mate"], report["engine"]["move"]) == (1, "d1d8")
    assert report["engine"]["as_labelled"] or report["engine"]["version"] != "15.1"
