"""Repetitions of xiangqi with the verdicts that rule books and pyffish give."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).resolve().parents[1] / "golden/xiangqi_repetition.json"


@dataclass(frozen=True)
class Case:
    """One start and its moves; `expected` and `pyffish` are by the name of the rule set.

    A verdict is None (the game goes on) or has `ply`, `result` (Red's view) and, in `expected`,
    `reason`. `pyffish` has what pyffish 0.0.90 answered when the corpus was made.
    """

    id: str
    situation: str
    source: str
    start_fen: str
    moves: str
    expected: dict[str, Any]
    citations: dict[str, list[str]]
    pyffish: dict[str, Any]

    def __str__(self) -> str:
        return self.id


@cache
def cases() -> list[Case]:
    return [Case(**row) for row in json.loads(FILE.read_text(encoding="utf-8"))]


def case(name: str) -> Case:
    return next(case for case in cases() if case.id == name)
