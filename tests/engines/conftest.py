"""Engines for tests: a scripted bad one, and the real one where it is installed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tabia.engines.config import Engine
from tabia.engines.errors import EngineNotFoundError
from tabia.engines.uci import find_engine

FENS = (
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -",
    "rnbqkb1r/pp2pppp/3p1n2/8/3NP3/8/PPP2PPP/RNBQKB1R w KQkq -",
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ -",
    "2rq1rk1/pb2bppp/1pn1pn2/8/2BP4/P1N2N2/1P2QPPP/R1BR2K1 b - -",
    "8/5pk1/6p1/1p1r4/p6P/P3R1P1/1P3PK1/8 b - -",
    "r2q1rk1/1b2bppp/p1n1pn2/1p6/8/1B2PN2/PP2QPPP/RNBR2K1 b - -",
    "rnb1kbnr/ppp2ppp/4p3/3q4/3P4/8/PPP2PPP/RNBQKBNR w KQkq -",
    "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - -",
    "3r2k1/5ppp/8/8/8/8/5PPP/6K1 b - -",
    "7k/8/6K1/8/8/8/8/5Q2 b - -",
    "7k/6Q1/6K1/8/8/8/8/8 b - -",
    "7k/5Q2/6K1/8/8/8/8/8 b - -",
)
"""Openings, middlegames, endings; mate in one for either side; one legal move; mate; stalemate."""


@pytest.fixture
def fens() -> tuple[str, ...]:
    return FENS


@pytest.fixture
def scripted(tmp_path: Path) -> Callable[..., Engine]:
    """Return a function that makes an engine from a plan and engine settings."""

    def make(plan: dict[str, object] | None = None, **settings: object) -> Engine:
        path = tmp_path / f"engine{len(list(tmp_path.glob('engine*')))}"
        body = (Path(__file__).parent / "bad_engine.py").read_text()
        head, imports = body.split("import os\n", 1)
        path.write_text(f"#!{sys.executable} -S\n{head}PLAN = {plan or {}!r}\nimport os\n{imports}")
        path.chmod(0o755)
        return Engine(
            command=str(path), **{"hash_mb": 1, "multipv": 1, "timeout_s": 20.0, **settings}
        )

    return make


@pytest.fixture(scope="session")
def stockfish() -> str:
    try:
        return str(find_engine("stockfish"))
    except EngineNotFoundError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def stockfish_15_1(stockfish: str) -> str:
    run = subprocess.run([stockfish, "quit"], capture_output=True, text=True, check=True)
    if not run.stdout.startswith("Stockfish 15.1 "):
        pytest.skip(f"golden labels are of Stockfish 15.1, here is {run.stdout.split(' by ')[0]}")
    return stockfish
