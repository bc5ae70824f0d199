"""The one table of agents."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

import pytest

from tabia.arena import registry
from tabia.arena.registry import HEADS, Head, build
from tabia.match.agent import AgentStartError
from tabia.match.spec import AgentSpecError


def test_each_head_has_a_builder() -> None:
    missing = [head.module for head in HEADS.values() if not importlib.util.find_spec(head.module)]
    assert missing == []
    assert set(HEADS) >= {"random", "stockfish", "fairy", "uci", "gnugo", "imitation"}


def test_a_match_without_models_loads_no_nets() -> None:
    code = (
        "import sys; from tabia.arena.registry import build; build('random', 'chess');"
        " import tabia.app.commands.match; print({'torch', 'scipy', 'chess'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_an_unknown_head_is_told_with_the_nearest() -> None:
    with pytest.raises(AgentSpecError, match="did you mean 'imitation'"):
        build("imitaton:x", "xiangqi")


def test_a_model_needs_its_folder() -> None:
    with pytest.raises(AgentSpecError, match="needs model folder"):
        build("imitation", "xiangqi")


def test_a_builder_that_is_not_installed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "HEADS", {"oracle": Head("tabia.match.oracle", "all-knowing")})
    with pytest.raises(AgentStartError, match=r"this installation has no tabia\.match\.oracle"):
        build("oracle", "chess")
