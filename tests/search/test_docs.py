"""The snippet of docs/mcts.md runs as pasted, and its table of planes is the native shape."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tabia.games import chess
from tabia.search.analysis import Analyser
from tabia.search.analysis_report import PositionReport
from tabia.search.config import ChessRules, GoRules, Rules, SearchSettings, XiangqiRules
from tabia.search.trees import Trees

PAGE = (Path(__file__).parents[2] / "docs" / "mcts.md").read_text(encoding="utf-8")


def test_the_snippet_runs_as_pasted() -> None:
    (text,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.M | re.S)
    names: dict[str, object] = {}
    exec(compile(text, "mcts.md", "exec"), names)
    trees = names["trees"]
    assert isinstance(trees, Trees)
    assert trees.root(1).visits.sum() == 128
    assert trees.searcher.done(0) == 128
    # One move of the first game mates; nothing is proven, as AlphaZero proves nothing.
    root = trees.root(0)
    assert root.q[root.moves.tolist().index(chess.GAME.encode("a1a8"))] == 1


@pytest.mark.parametrize(
    ("rules", "name"), [(ChessRules(), "chess"), (XiangqiRules(), "xiangqi"), (GoRules(), "Go")]
)
@pytest.mark.parametrize("history", [1, 8])
def test_planes_are_as_many_as_the_page_says(rules: Rules, name: str, history: int) -> None:
    found = re.search(rf"^\| {name} \| (\d+)k \+ (\d+) \|", PAGE, re.M)
    assert found is not None
    trees = Trees(rules, SearchSettings(), history=history)
    assert trees.searcher.shape[0] == int(found[1]) * history + int(found[2])


def test_the_snippet_of_the_analysis_runs_as_pasted() -> None:
    page = Path(__file__).parents[2] / "docs" / "analyse.md"
    (text,) = re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)
    names: dict[str, object] = {}
    exec(compile(text, "analyse.md", "exec"), names)
    report, analyser = names["report"], names["analyser"]
    assert isinstance(report, PositionReport)
    assert isinstance(analyser, Analyser)
    assert (report.visits, report.is_final) == (400, True)
    assert analyser.moves == (report.moves[0].code,)
    assert analyser.visits == report.moves[0].visits
