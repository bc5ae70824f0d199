"""Fixtures of the tests of ``tabia evaluate``."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tabia.app.commands.evaluate import evaluate
from tests.app.evaluate_command.made import ENGINE, Evaluate


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
