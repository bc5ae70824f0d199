"""``tabia evaluate`` for people, and how the program ends."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tabia.app.commands import evaluate_text
from tabia.app.commands.evaluate import evaluate
from tests.app.evaluate_command.made import CHECK, ENDGAME, MATED, MIDDLEGAME, START, Evaluate
from tests.evaluation.made_models import material_model


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
