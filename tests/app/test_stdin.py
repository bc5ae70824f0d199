"""Games are read from standard input where ``-`` is named."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

GAME = '[Red "甲"]\n[Black "乙"]\n\n1. C2=5 h8+7 *\n\n'


def tabia(*words: str, stdin: str) -> subprocess.CompletedProcess[str]:
    program = [sys.executable, "-c", "from tabia.app.cli import main; main()"]
    return subprocess.run(
        [*program, *words], input=stdin, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("words", [[], ["--game", "xiangqi"]])
def test_ingest_reads_standard_input(words: list[str]) -> None:
    done = tabia("ingest", "-", "--json", *words, stdin=GAME * 3)
    assert done.returncode == 0, done.stderr
    (file,) = json.loads(done.stdout)["files"]
    assert (file["file"], file["accepted"], file["repeated"]) == ("/dev/stdin", 3, 2)


def test_standard_input_is_a_file_beside_others_and_named_once(tmp_path: Path) -> None:
    path = tmp_path / "a.pgn"
    path.write_text(GAME)
    done = tabia("convert", "-", str(path), "--to", "ucci", stdin=GAME)
    assert done.stdout == "position startpos moves h2e2 h9g7\n" * 2
    done = tabia("convert", "-", "-", "--to", "ucci", stdin=GAME)
    assert (done.returncode, done.stdout) == (2, "")
    assert "/dev/stdin is named twice" in done.stderr
