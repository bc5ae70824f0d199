"""How the program ends, seen from a shell."""

from __future__ import annotations

import importlib
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import get_args

import duckdb
import pytest

from tabia.app.choices import RecordsGame
from tabia.app.cli import main
from tabia.records import by_game
from tabia.records.config import Game

PROGRAM = [sys.executable, "-c", "from tabia.app.cli import main; main()"]


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "results/tabia.duckdb"
    path.parent.mkdir()
    duckdb.connect(str(path)).close()
    return path


def without_reader(*arguments: str | Path) -> tuple[int, str]:
    """Run with a standard output that nobody reads; return the exit code and standard error."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [*PROGRAM, *arguments], stdout=writer, stderr=subprocess.PIPE, text=True, check=False
        )
    finally:
        os.close(writer)
    return done.returncode, done.stderr


@pytest.mark.parametrize("rows", [1, 100_000])  # less and more than the buffer of the output
@pytest.mark.parametrize("form", [[], ["--csv"], ["--json"]], ids=str)
def test_a_reader_that_leaves_early_ends_it_quietly(
    rows: int, form: list[str], database: Path
) -> None:
    query = f"SELECT range FROM range({rows})"
    assert without_reader("sql", query, "--database", database, *form) == (141, "")


@pytest.mark.parametrize("arguments", [["--help"], ["sql", "--help"]], ids=" ".join)
def test_help_that_nobody_reads_ends_quietly(arguments: list[str]) -> None:
    assert without_reader(*arguments) == (141, "")


def test_an_error_is_told_although_nobody_reads_the_output(database: Path) -> None:
    code, text = without_reader("sql", "nonsense", "--database", database)
    assert code == 2
    assert text.startswith("tabia: Parser Error")


def test_ctrl_c_ends_with_130_and_no_traceback(tmp_path: Path) -> None:
    pipe = tmp_path / "games.pgn"
    os.mkfifo(pipe)
    with (
        subprocess.Popen(
            [*PROGRAM, "ingest", pipe],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            # Tests that run in the background inherit that Ctrl-C is ignored.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        ) as process,
        pipe.open("wb"),  # opens when the other side reads
    ):
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == ""
    assert "Traceback" not in err


def test_the_games_that_can_be_asked_for_are_those_with_readers() -> None:
    assert tuple(RecordsGame) == get_args(Game)
    assert set(by_game.FILES) == set(get_args(Game))


def test_a_package_that_is_not_installed_is_told_with_the_remedy(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["tabia", "config-docs"])
    monkeypatch.setattr("tabia.app.cli.app", lambda: importlib.import_module("nowhere.part"))
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 2
    told = capsys.readouterr().err
    assert "needs the package nowhere," in told
    assert "`./setup run` installs everything" in told


def test_a_module_of_its_own_that_is_missing_is_a_bug_and_keeps_its_traceback(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tabia.app.cli.app", lambda: importlib.import_module("tabia.nowhere"))
    with pytest.raises(ModuleNotFoundError, match=r"tabia\.nowhere"):
        main()
