"""Standard output and error that are closed, full or of another encoding, for every command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tabia.app.cli import app
from tabia.app.streams import ClosedOutputError, OutputError, Prints, PrintsOrWrites

PROGRAM = [sys.executable, "-c", "from tabia.app.cli import main; main()"]
XIANGQI = '[Game "Chinese Chess"]\n[Red "胡榮華"]\n\n1. C2=5 H8+7 2. H2+3 1-0\n'
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"

PRINTING = [
    "ingest x.pgn",
    "convert x.pgn --to pgn-wxf",
    "referee x.pgn --json",
    "perft chess --depth 2",
    "records games --help",
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "x.pgn").write_text(XIANGQI, encoding="utf-8")
    (tmp_path / "fens").write_text(f"{START}\n")
    return tmp_path


def shell(
    folder: Path, command: str, redirections: str, **environment: str
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        ["sh", "-c", f'exec "$@" {redirections}', "sh", *PROGRAM, *command.split()],
        cwd=folder,
        input=f"{START}\n".encode(),
        capture_output=True,
        check=False,
        env=os.environ | environment,
    )


@pytest.mark.parametrize("command", PRINTING)
def test_a_closed_output_is_wrong_usage(folder: Path, command: str) -> None:
    done = shell(folder, command, ">&-")
    assert done.returncode == ClosedOutputError.exit_code == 2
    text = done.stderr.decode()
    assert text.startswith("tabia: standard output is closed; leave it open")
    assert text.count("\n") == 1  # nothing was done before


def test_every_command_but_config_docs_says_where_its_result_goes() -> None:
    classes = {command.name: command.cls for command in app.registered_commands}
    assert classes.pop("config-docs") not in (Prints, PrintsOrWrites)  # it writes its two files
    to_a_file = {name for name, of in classes.items() if of is PrintsOrWrites}
    assert to_a_file == {"convert", "label", "terms"}
    assert {of for name, of in classes.items() if name not in to_a_file} == {Prints}


@pytest.mark.parametrize(
    ("command", "unbuffered"), [*((command, "") for command in PRINTING), (PRINTING[-2], "1")]
)
def test_a_full_output_is_an_error_with_its_reason(
    folder: Path, command: str, unbuffered: str
) -> None:
    done = shell(folder, command, "> /dev/full", PYTHONUNBUFFERED=unbuffered)
    assert done.returncode == OutputError.exit_code == 3
    text = done.stderr.decode()
    assert text.endswith("tabia: standard output cannot be written: No space left on device\n")
    assert "Traceback" not in text


def test_more_than_a_buffer_for_a_full_output_is_the_same_error(folder: Path) -> None:
    (folder / "x.pgn").write_text(XIANGQI * 1000, encoding="utf-8")
    done = shell(folder, "convert x.pgn --to pgn-wxf", "> /dev/full")
    assert done.returncode == 3
    assert done.stderr.decode().endswith("cannot be written: No space left on device\n")
    assert done.stderr.count(b"tabia: ") == 1


@pytest.mark.parametrize(
    "command",
    [
        "convert x.pgn --to pgn-wxf --out out >&-",
        "terms fens --csv --output out > /dev/full",
    ],
)
def test_a_file_as_output_needs_no_standard_output(folder: Path, command: str) -> None:
    words, _, redirection = command.partition(" >")
    assert shell(folder, words, f">{redirection}").returncode == 0
    assert (folder / "out").stat().st_size


def test_a_stage_needs_no_standard_output(folder: Path) -> None:
    source = {"name": "x", "game": "xiangqi", "played_by": "people", "shards": 1}
    spec = {"stage": "records.games", "mark": "", "wildcards": {}, "config": {"source": source}}
    (folder / "spec").write_text(json.dumps(spec, separators=(",", ":")))
    command = "records games --games g --rejects r --counts c x.pgn --spec"
    assert shell(folder, command, '"$(cat spec)" >&-').returncode == 0
    assert (folder / "g").exists()


@pytest.mark.parametrize("redirection", ["2>&-", "2> /dev/full"])
@pytest.mark.parametrize(
    ("command", "code"), [("ingest x.pgn --json", 0), ("convert none.pgn --to pgn-wxf", 3)]
)
def test_messages_that_cannot_be_told_are_left_out_and_change_nothing(
    folder: Path, command: str, code: int, redirection: str
) -> None:
    done = shell(folder, command, redirection)
    assert done.returncode == code
    if code:
        assert not done.stdout
    else:
        assert json.loads(done.stdout)["total"]["accepted"] == 1


@pytest.mark.parametrize("encoding", ["ascii", "gb18030"])
def test_what_is_printed_is_utf_8_whatever_the_locale(folder: Path, encoding: str) -> None:
    (folder / "x.pgn").rename(folder / "棋.pgn")
    here = {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    for command, text in (
        ("convert 棋.pgn --to pgn-chinese", '[Red "胡榮華"]'),
        ("referee 棋.pgn --json", '"name": "棋.pgn"'),
    ):
        done = shell(folder, command, "", **here)
        assert done.returncode == 0
        assert text in done.stdout.decode("utf-8")
    shell(folder, "convert 棋.pgn --to pgn-chinese --out out", "", **here)
    printed = shell(folder, "convert 棋.pgn --to pgn-chinese", "", **here)
    assert (folder / "out").read_bytes() == printed.stdout


def test_no_file_gets_the_number_of_a_closed_stream(folder: Path) -> None:
    code = "from tabia.app.streams import prepare; prepare(); print(open('fens').fileno())"
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" <&- 2>&-', "sh", sys.executable, "-c", code],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert int(done.stdout) > 2


def test_a_dash_is_standard_output(folder: Path) -> None:
    done = shell(folder, "terms fens --csv --out -", "")
    assert done.stdout.decode().splitlines()[1].startswith(f"{START},")
    assert not (folder / "-").exists()
