"""``tabia evaluate`` as a person uses it."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tabia.app.cli import main
from tabia.app.commands import evaluate_text
from tabia.app.commands.evaluate import (
    EvaluateFailedError,
    EvaluateInputError,
    EvaluateUsageError,
    evaluate,
)
from tabia.engines.errors import (
    EngineCrashedError,
    EngineError,
    EngineNotFoundError,
    EngineTimeoutError,
)
from tabia.engines.uci import find_engine
from tabia.evaluation import card
from tabia.evaluation.models.mean import MeanModel
from tabia.evaluation.predictor import Predictor
from tabia.evaluation.saved import NoModelError
from tabia.learning.rbf import RBFNetwork
from tabia.learning.rbf_explanation import Explanation, FiredCentre, MovingInput
from tests.evaluation.made_models import STOCKFISH, about, material_model

MIDDLEGAME = "r2r2k1/pbp1qp2/1p1ppb1p/8/3RP3/2N1BP2/PP2QP1P/5RK1 w - - 3 21"  # White: -1 + 0.25
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
ENDGAME = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"  # White mates in one
CHECK = "r2r2k1/pbp1qp2/1p1ppb1p/8/3RP1Q1/2N1BP2/PP3P1P/5RK1 b - - 0 1"
MATED, STALEMATE = "7k/6Q1/6K1/8/8/8/8/8 b - -", "7k/5Q2/6K1/8/8/8/8/8 b - -"

KEYS = [
    "line",
    "fen",
    "value",
    "result",
    "side_to_move",
    "phase",
    "in_check",
    "model",
    "engine_inputs",
    "engine",
    "explanation",
    "notes",
]

ENGINE = """\
#!{python}
import sys
fails = {fails}
print("id name {name}")
for option in ("Hash", "MultiPV"):
    print(f"option name {{option}} type spin default 1 min 1 max 64")
for line in sys.stdin:
    word = line.split()[0]
    if word == "go":
        if fails:
            sys.exit(3)
        print("info depth 2 multipv 1 score {score} nodes 20 pv g1h1\\nbestmove g1h1", flush=True)
    print({{"uci": "uciok", "isready": "readyok"}}.get(word, ""), flush=True)
"""

# Its first process answers `answers` searches and ends; those after it end at once.
DYING = """\
#!{python}
import os, sys
if os.path.exists(__file__ + ".started"):
    sys.exit(4)
open(__file__ + ".started", "w").close()
print("id name Stockfish 15.1")
for option in ("Hash", "MultiPV"):
    print(f"option name {{option}} type spin default 1 min 1 max 64")
answers = {answers}
for line in sys.stdin:
    word = line.split()[0]
    if word == "go":
        if not answers:
            sys.exit(3)
        answers -= 1
        print("info depth 2 multipv 1 score cp 150 nodes 20 pv g1h1\\nbestmove g1h1", flush=True)
    print({{"uci": "uciok", "isready": "readyok"}}.get(word, ""), flush=True)
"""

Evaluate = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def engine(tmp_path: Path) -> Callable[..., str]:
    """Return a function that makes an engine which always says the same, for White to move."""

    def make(score: str = "cp 150", name: str = "Stockfish 15.1", fails: bool = False) -> str:
        path = tmp_path / f"engine{len(list(tmp_path.glob('engine*')))}"
        text = ENGINE.format(python=sys.executable, score=score, name=name, fails=fails)
        path.write_text(text)
        path.chmod(0o755)
        return str(path)

    return make


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Evaluate:
    """Return a function that gives the JSON of positions; no engine unless one is named."""

    def call(fen: str, model: Path, **changes: Any) -> list[dict[str, Any]]:
        usual: dict[str, Any] = {"as_json": True, "engine": None, "nodes": None}
        words = [fen] if "\n" not in fen else ["-"]
        evaluate(words, model, **usual | changes)
        out = capsys.readouterr().out
        return [json.loads(text) for text in ([out] if words != ["-"] else out.splitlines())]

    return call


@pytest.fixture
def stdin(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    def put(text: str) -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO(text))
        return text

    return put


def codes(report: dict[str, Any]) -> list[str]:
    return [note["code"] for note in report["notes"]]


def test_the_report_of_a_position(run: Evaluate, tmp_path: Path) -> None:
    (report,) = run(MIDDLEGAME, material_model(tmp_path))
    assert list(report) == KEYS
    assert report["fen"] == MIDDLEGAME.removesuffix(" 3 21")
    assert report["value"] == -0.75
    assert (report["result"], report["side_to_move"]) == (None, "white")
    assert (report["phase"], report["in_check"]) == (107, False)
    assert (report["engine"], report["engine_inputs"], report["notes"]) == (None, [], [])
    assert report["model"] == {
        "folder": str(tmp_path),
        "name": "ridge_placement",
        "filter": "abs20",
        "scenario": 3,
        "seed": 0,
        "split_by": "game",
        "test_mae": 1.25,
        "test_positions": 1200,
        "test_games": 800,
    }


def test_effects_are_told_strongest_first_and_the_others_summed(
    run: Evaluate, tmp_path: Path
) -> None:
    explanation = run(MIDDLEGAME, material_model(tmp_path))[0]["explanation"]
    assert list(explanation) == [
        "base",
        "effects",
        "other_effects",
        "remainder",
        "spheres",
        "neighbours",
    ]
    assert explanation["base"] == 0.25
    first, second = explanation["effects"][:2]
    assert first == {"input": "Q@e2", "value": 1.0, "mean": 0.0, "pawns": 9.0}
    assert second == {"input": "q@e7", "value": -1.0, "mean": 0.0, "pawns": -9.0}
    assert len(explanation["effects"]) == 8
    told = sum(effect["pawns"] for effect in explanation["effects"])
    assert explanation["base"] + told + explanation["other_effects"]["pawns"] == -0.75
    pieces = sum(letter.isalpha() for letter in MIDDLEGAME.split()[0])
    assert explanation["other_effects"]["inputs"] == pieces - 2 - 8  # kings weigh nothing


def test_values_without_explanations_are_the_same_and_inputs_are_made_once(
    run: Evaluate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = material_model(tmp_path)
    (whole,) = run(MIDDLEGAME, model)
    monkeypatch.delattr(Predictor, "model_inputs")
    (short,) = run(MIDDLEGAME, model, explain=False)
    assert short == whole | {"explanation": None}


def test_a_model_that_gives_no_explanation_says_so(run: Evaluate, tmp_path: Path) -> None:
    MeanModel(0.5).save(tmp_path)
    card.write(about(model="mean", run="mean", groups=[], inputs=[], input_means=[]), tmp_path)
    (report,) = run(MIDDLEGAME, tmp_path)
    assert (report["value"], report["explanation"]) == (0.5, None)
    assert report["notes"] == [{"code": "no_explanation", "text": "mean gives no explanation"}]


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


def dying(folder: Path, answers: int) -> str:
    path = folder / "dying"
    path.write_text(DYING.format(python=sys.executable, answers=answers))
    path.chmod(0o755)
    return str(path)


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


@pytest.mark.parametrize(
    ("fen", "value", "result", "words"),
    [
        (MATED, None, "1-0", "checkmate, White has won"),
        (STALEMATE, 0.0, "1/2-1/2", "stalemate"),
        ("8/8/4k3/8/8/4K3/8/8 w - - 0 1", 0.0, "1/2-1/2", "pieces to mate"),
        (MIDDLEGAME.replace("3 21", "100 121"), 0.0, "1/2-1/2", "fifty-move rule"),
    ],
)
def test_the_rules_decide_where_the_game_is_over(
    run: Evaluate, tmp_path: Path, fen: str, value: float | None, result: str, words: str
) -> None:
    (report,) = run(fen, material_model(tmp_path))
    assert (report["value"], report["result"]) == (value, result)
    assert (report["explanation"], report["engine"]) == (None, None)
    assert codes(report) == ["over"]
    assert words in report["notes"][0]["text"]


@pytest.mark.parametrize(
    ("fen", "changes", "code"),
    [
        (START, {}, "phase"),
        (ENDGAME, {}, "phase"),
        (MIDDLEGAME, {"phases": [108, 127]}, "phase"),
        (CHECK, {}, "check"),
        (MIDDLEGAME, {"split_by": "position"}, "leaking_split"),
    ],
)
def test_what_makes_a_value_doubtful_is_told(
    run: Evaluate, tmp_path: Path, fen: str, changes: dict[str, Any], code: str
) -> None:
    (report,) = run(fen, material_model(tmp_path, **changes))
    assert report["value"] is not None
    assert codes(report) == [code]


def test_a_position_outside_every_sphere_is_told(
    run: Evaluate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tabia.evaluation import explain

    found = Explanation(
        value=-0.75,
        fired=(FiredCentre(3, 0.75, 0.25, 0.5),),
        rest=-1.25,
        neighbours=(),
        base=0.25,
        moving=(MovingInput("white_mobility", 3.0, 2.5, -1.0), MovingInput("x", 0.0, 0.0, 0.0)),
        remainder=0.0,
        outside=True,
        distance=1.5,
        unseen=(),
    )

    monkeypatch.setattr(explain, "explain", lambda network, x: found)
    plain = explain.Explainer.__init__

    def init(self: Any, predictor: Any) -> None:
        plain(self, predictor)
        self._model = RBFNetwork.__new__(RBFNetwork)  # what it would say is put in its mouth

    monkeypatch.setattr(explain.Explainer, "__init__", init)
    (report,) = run(MIDDLEGAME, material_model(tmp_path))
    assert codes(report) == ["outside"]
    assert "outside every sphere (relative distance 1.50" in report["notes"][0]["text"]
    assert report["explanation"] == {
        "base": 0.25,
        "effects": [{"input": "white_mobility", "value": 3.0, "mean": 2.5, "pawns": -1.0}],
        "other_effects": {"inputs": 0, "pawns": 0.0},
        "remainder": 0.0,
        "spheres": {
            "outside": True,
            "distance": 1.5,
            "unseen": [],
            "fired": 1,
            "fired_pawns": 0.5,
            "other_pawns": -1.25,
            "centres": [{"centre": 3, "distance": 0.75, "membership": 0.25, "pawns": 0.5}],
        },
        "neighbours": [],
    }


# --- input -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "words"),
    [
        ("8/8/8/8/8/8/8/8 w - -", "White has 0 kings"),
        ("4k3/8/8/8/8/8/4r3/4K3 b - -", "check"),
        ("short w", "at least 4 fields, this has 2"),
        ("1r2k1r1/8/8/8/8/8/8/R4K1R b Hg - 0 1", "Chess960"),
        ("", "at least 4 fields"),
    ],
)
def test_a_bad_fen_is_wrong_usage(run: Evaluate, tmp_path: Path, fen: str, words: str) -> None:
    with pytest.raises(EvaluateUsageError, match=words):
        run(fen, material_model(tmp_path))


def test_a_fen_need_not_be_quoted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evaluate(MIDDLEGAME.split(), material_model(tmp_path), as_json=True, engine=None, nodes=None)
    assert json.loads(capsys.readouterr().out)["value"] == -0.75


def test_operations_of_an_epd_are_passed_over(run: Evaluate, tmp_path: Path) -> None:
    fen = MIDDLEGAME.replace("3 21", 'bm Rd1; id "one";')
    assert run(fen, material_model(tmp_path))[0]["value"] == -0.75


def test_operations_after_counters_leave_the_counters(run: Evaluate, tmp_path: Path) -> None:
    fen = MIDDLEGAME.replace("3 21", "100 121 bm Rd1;")
    assert run(fen, material_model(tmp_path))[0]["result"] == "1/2-1/2"


@pytest.mark.parametrize("counters", ["100", "100 121"])
def test_counters_count(run: Evaluate, tmp_path: Path, counters: str) -> None:
    fen = MIDDLEGAME.replace("3 21", counters)
    assert run(fen, material_model(tmp_path))[0]["result"] == "1/2-1/2"


@pytest.mark.parametrize(
    ("rest", "words"),
    [
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "FEN has 10 fields, not 6"),
        ("0 1 moves e2e3", "FEN has 8 fields, not 6"),
        ("0 1 0", "FEN has 7 fields, not 6"),
        ("-5 0", "halfmove clock field '-5'"),
        ("junk", "halfmove clock field 'junk'"),
        ("0 junk", "fullmove number field 'junk'"),
        ("bm Rd1", "halfmove clock field 'bm'"),
        ("-5 0;", "halfmove clock field '-5'"),
        ("0 \u00b2", "fullmove number field"),
    ],
)
def test_what_follows_a_fen_and_is_neither_counter_nor_operation_is_refused(
    run: Evaluate, tmp_path: Path, rest: str, words: str
) -> None:
    with pytest.raises(EvaluateUsageError, match=words):
        run(MIDDLEGAME.replace("3 21", rest), material_model(tmp_path))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\u2028", "\x85"])
def test_lines_end_however_they_are_ended(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    end: str,
) -> None:
    text = end.join(["# a comment", MIDDLEGAME, "", MATED]).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text), newline="\n"))
    evaluate(["-"], material_model(tmp_path), as_json=True, engine=None, nodes=None)
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(report["line"], report["result"]) for report in found] == [(2, None), (4, "1-0")]


def test_messages_repeat_no_more_than_200_characters(
    run: Evaluate, stdin: Callable[[str], str], tmp_path: Path
) -> None:
    model = material_model(tmp_path)
    for long in ("x" * 5000, f"{MIDDLEGAME} {'x' * 5000}"):
        with pytest.raises(EvaluateUsageError) as error:
            run(long, model)
        assert len(str(error.value)) < 400
        report = run(stdin(f"{MIDDLEGAME}\n{long}\n"), model)[1]
        assert report["text"] == long[:199] + "…"
        assert len(report["error"]) < 400


def test_the_fault_of_chess960_is_told_to_people_not_to_programmers(
    run: Evaluate, tmp_path: Path
) -> None:
    with pytest.raises(EvaluateUsageError) as error:
        run("1r2k1r1/8/8/8/8/8/8/R4K1R b Hg - 0 1", material_model(tmp_path))
    assert str(error.value).endswith("castling rights of Chess960, which no model has seen")


@pytest.mark.parametrize(
    ("fen", "ignored"),
    [
        ("4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1", "Qkq"),
        ("4k3/8/8/8/8/8/8/4K2R b q - 0 1", "q"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", ""),
        ("4k3/8/8/8/8/8/8/4K2R w H - 0 1", ""),
        ("4k3/8/8/8/8/8/8/4K2R w KK - 0 1", ""),
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", ""),
    ],
)
def test_castling_rights_that_cannot_be_are_told(
    run: Evaluate, tmp_path: Path, fen: str, ignored: str
) -> None:
    (report,) = run(fen, material_model(tmp_path, phases=[0, 128]))
    assert codes(report) == (["castling_ignored"] if ignored else [])
    if ignored:
        assert report["notes"][0]["text"].startswith(f"castling rights {ignored} ignored")


def test_a_file_of_the_model_that_may_not_be_read_is_told_with_what_to_do(
    run: Evaluate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    model = material_model(tmp_path)
    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(EvaluateInputError, match=r"config\.json: cannot be read: Perm.*ls -l"):
        run(MIDDLEGAME, model)


@pytest.mark.parametrize(
    ("words", "closed", "code", "told"),
    [
        ([MIDDLEGAME], ">&-", 2, "tabia: standard output is closed; "),
        (["-"], "<&-", 3, "tabia: standard input is closed; "),
        ([MIDDLEGAME], "<&-", 0, ""),
        ([MIDDLEGAME], "2>&-", 0, ""),
    ],
)
def test_closed_streams_end_with_a_message(
    tmp_path: Path, words: list[str], closed: str, code: int, told: str
) -> None:
    program = [sys.executable, "-c", "from tabia.app.cli import main; main()", "evaluate"]
    options = ["--no-engine", "--model", str(material_model(tmp_path))]
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {closed}', "sh", *program, *words, *options],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr[: len(told)]) == (code, told)
    assert done.stderr.count("\n") == bool(told)
    assert ("-0.75 pawns" in done.stdout) == (code == 0)


def test_a_closed_standard_error_puts_no_message_among_the_values(
    tmp_path: Path,
) -> None:
    program = [sys.executable, "-c", "from tabia.app.cli import main; main()", "evaluate"]
    options = ["--no-engine", "--model", str(material_model(tmp_path))]
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" 2>&-', "sh", *program, "-", *options],
        input="bad\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (3, "")


def test_standard_input_gives_one_object_a_line(
    run: Evaluate, stdin: Callable[[str], str], tmp_path: Path
) -> None:
    text = stdin(f"# two and a bad one\n{MIDDLEGAME}\n\nnothing here at all\n{MATED}\n")
    first, bad, last = run(text, material_model(tmp_path))
    assert (first["line"], first["value"]) == (2, -0.75)
    assert (bad["line"], bad["text"]) == (4, "nothing here at all")
    assert bad["error"].startswith("FEN 'nothing here at all': ")
    assert (last["line"], last["result"]) == (5, "1-0")
    assert list(bad) == ["line", "text", "error"]


def test_many_lines_come_in_order(
    run: Evaluate, stdin: Callable[[str], str], engine: Any, tmp_path: Path
) -> None:
    fens = [MIDDLEGAME, START, ENDGAME, MATED, "bad"] * 5
    found = run(stdin("\n".join(fens) + "\n"), material_model(tmp_path), engine=engine())
    assert [report["line"] for report in found] == list(range(1, 26))
    values = [report.get("value", "bad") for report in found]
    assert values == [-0.75, 0.25, 5.25, None, "bad"] * 5
    assert [bool(report.get("engine")) for report in found] == [True, True, True, False, False] * 5


def test_no_good_line_is_wrong_input(
    run: Evaluate, stdin: Callable[[str], str], tmp_path: Path
) -> None:
    with pytest.raises(EvaluateInputError, match="no line is a chess position"):
        run(stdin("bad\n"), material_model(tmp_path))


def test_bytes_that_are_no_text_are_a_bad_line(
    run: Evaluate, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    text = b"\xef\xbb\xbf" + MIDDLEGAME.encode() + b"\n\xff\xfe bad\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text), "ascii"))
    good, bad = run("\n", material_model(tmp_path))
    assert good["value"] == -0.75
    assert "at least 4 fields" in bad["error"]


def test_nodes_without_an_engine_are_wrong_usage(run: Evaluate, tmp_path: Path) -> None:
    with pytest.raises(EvaluateUsageError, match="--no-engine"):
        run(MIDDLEGAME, material_model(tmp_path), nodes=5)


def test_a_missing_model_is_wrong_usage(run: Evaluate, tmp_path: Path) -> None:
    with pytest.raises(NoModelError, match="no such folder"):
        run(MIDDLEGAME, tmp_path / "gone")


# --- text --------------------------------------------------------------------------------


def test_the_text_fits_in_80_columns(
    engine: Any, stdin: Callable[[str], str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stdin(f"{MIDDLEGAME}\n{START}\n{ENDGAME}\n{MATED}\nbad\n")
    model = material_model(tmp_path, 2)
    evaluate(["-"], model, as_json=False, engine=engine("mate -2"), nodes=None)
    evaluate([MIDDLEGAME], model, as_json=False, engine=engine(), nodes=None)
    out, err = capsys.readouterr()
    assert max(map(len, out.splitlines())) <= 80
    assert not any(line != line.rstrip() for line in out.splitlines())
    out = " ".join(out.split())
    for words in (
        "value +0.75 pawns, White's view",
        "off by 1.25 pawns on average (test MAE, 1,200 positions of 800 games)",
        "given the engine's +1.50 pawns at depth 4",
        "mate in 2 for Black, Stockfish 15.1 at nodes 1000",
        "1-0, the game is over",
        "Q@e2",
    ):
        assert words in out
    assert err == "line 5: FEN 'bad': a FEN has at least 4 fields, this has 1\n"


def test_the_text_tells_what_fired_and_what_is_near(
    run: Evaluate, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (report,) = run(MIDDLEGAME, material_model(tmp_path))
    report["explanation"]["spheres"] = {
        "outside": False,
        "distance": 0.75,
        "unseen": [],
        "fired": 2,
        "fired_pawns": 1.5,
        "other_pawns": -3.25,
        "centres": [{"centre": 12, "distance": 0.75, "membership": 0.25, "pawns": 2.5}],
    }
    report["explanation"]["neighbours"] = [{"fen": CHECK, "target": -0.5, "distance": 0.125}]
    evaluate_text.show(report)
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert "centre 12 0.75 0.25 +2.50" in lines
    assert "all 2 that fired +1.50" in lines
    assert "all others -3.25" in lines
    assert f"0.12 -0.50 {CHECK}" in lines


@pytest.mark.parametrize(
    ("words", "code", "text"),
    [
        (["8/8/8/8/8/8/8/8 w - -"], 2, "tabia: FEN '8/8/8/8/8/8/8/8 w - -': board field"),
        ([*MIDDLEGAME.split(), "--no-engine"], 0, ""),
        ([MIDDLEGAME, "--no-engine", "--model", "gone"], 2, "tabia: gone: no such folder"),
    ],
)
def test_the_program_ends_with_the_code_of_the_fault(
    tmp_path: Path, words: list[str], code: int, text: str
) -> None:
    program = [sys.executable, "-c", "from tabia.app.cli import main; main()", "evaluate"]
    model = ["--model", str(material_model(tmp_path / "model"))]
    done = subprocess.run(
        [*program, *model, *words], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr[: len(text)]) == (code, text)
    assert ("-0.75 pawns, White's view" in done.stdout) == (code == 0)


def test_a_reader_that_leaves_early_ends_it_quietly(tmp_path: Path) -> None:
    program = [sys.executable, "-c", "from tabia.app.cli import main; main()", "evaluate"]
    options = ["--no-engine", "--model", str(material_model(tmp_path))]
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [*program, MIDDLEGAME, *options], stdout=writer, stderr=subprocess.PIPE, check=False
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.engine
def test_stockfish_answers_as_for_the_labels(run: Evaluate, tmp_path: Path) -> None:
    try:
        find_engine("stockfish")
    except EngineNotFoundError as error:
        pytest.skip(str(error))
    (report,) = run(ENDGAME, material_model(tmp_path, engine=STOCKFISH), engine="stockfish")
    assert (report["engine"]["mate"], report["engine"]["move"]) == (1, "d1d8")
    assert report["engine"]["as_labelled"] or report["engine"]["version"] != "15.1"
