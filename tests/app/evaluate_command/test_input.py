"""Positions as arguments and on standard input, and what is none."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tabia.app.commands.evaluate import EvaluateInputError, EvaluateUsageError, evaluate
from tabia.evaluation.saved import NoModelError
from tests.app.evaluate_command.made import ENDGAME, MATED, MIDDLEGAME, START, Evaluate, codes
from tests.evaluation.made_models import material_model


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
        assert len(str(error.value)) < 2 * 200 + 100  # the FEN, and the field that is too many
        report = run(stdin(f"{MIDDLEGAME}\n{long}\n"), model)[1]
        assert report["text"] == long[:199] + "…"
        assert len(report["error"]) < 2 * 200 + 100


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
