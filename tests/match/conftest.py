"""Agents for tests: a fake engine that is told how to misbehave, and the real ones."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tabia.engines.errors import EngineNotFoundError
from tabia.engines.uci import find_engine

Fake = Callable[..., str]


@pytest.fixture
def fake(tmp_path: Path) -> Fake:
    """Return a function that makes a fake engine from a plan and gives its spec string."""

    def make(settings: str = "", **plan: object) -> str:
        path = tmp_path / f"fake{len(list(tmp_path.glob('fake*')))}"
        body = (Path(__file__).parent / "fake_engine.py").read_text()
        head, imports = body.split("import os\n", 1)
        path.write_text(f"#!{sys.executable} -S\n{head}PLAN = {plan!r}\nimport os\n{imports}")
        path.chmod(0o755)
        return f"uci:path={path}{settings and ','}{settings}"

    return make


def _real(name: str) -> str:
    try:
        return str(find_engine(name))
    except EngineNotFoundError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def stockfish() -> str:
    return _real("stockfish")


@pytest.fixture(scope="session")
def fairy() -> str:
    return _real("fairy-stockfish")
