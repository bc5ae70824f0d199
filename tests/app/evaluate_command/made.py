"""Positions and engines that the tests of ``tabia evaluate`` share."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

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


def codes(report: dict[str, Any]) -> list[str]:
    return [note["code"] for note in report["notes"]]


def dying(folder: Path, answers: int) -> str:
    path = folder / "dying"
    path.write_text(DYING.format(python=sys.executable, answers=answers))
    path.chmod(0o755)
    return str(path)
