"""``tabia speed`` as a person uses it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch

from tabia.app.commands.analyse_position import AnalyseUsageError
from tabia.app.commands.speed import speed
from tabia.match.agent import AgentError
from tabia.search.nets import folder
from tests.search.nets.made import GO, made


@pytest.fixture(scope="module")
def net(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.manual_seed(1)
    path = tmp_path_factory.mktemp("nets") / "go"
    folder.save(path, made("small", GO), {})
    return path


def test_a_net_is_measured_on_its_board(net: Path, capsys: pytest.CaptureFixture[str]) -> None:
    speed(f"search:{net}:leaves=2", simulations=10, moves=2, as_json=True)
    facts = json.loads(capsys.readouterr().out)
    assert (facts["format"], facts["game"], facts["size"]) == (1, "go", 5)
    assert (facts["moves"], facts["simulations"], facts["leaves"]) == (2, 20, 2)
    assert list(facts["shares"]) == ["select", "evaluate", "expand", "choose"]
    assert sum(facts["shares"].values()) == pytest.approx(1, abs=0.001)
    assert facts["simulations_per_s"] == pytest.approx(10 / facts["seconds_per_move"], rel=0.01)
    assert facts["load"] == pytest.approx(
        facts["cpu_seconds_per_move"] / facts["seconds_per_move"], abs=0.01
    )
    assert 1 <= facts["leaves_per_batch"] <= 2


def test_random_games_are_measured_at_any_game(capsys: pytest.CaptureFixture[str]) -> None:
    speed("rollouts:simulations=9", game="chess", moves=1)
    text = capsys.readouterr().out
    assert "chess, 1 moves, 9 simulations" in text
    assert "random games and tree" in text
    assert "leaves of a call" not in text


def test_what_cannot_be_measured_is_refused(net: Path) -> None:
    with pytest.raises(AnalyseUsageError, match="say --game"):
        speed("rollouts")
    with pytest.raises(AgentError, match="random has no search"):
        speed("random", game=None)
    with pytest.raises(AnalyseUsageError, match="has no search"):
        speed("random", game="go")
    with pytest.raises(AgentError, match="plays go, not chess"):
        speed(f"search:{net}", game="chess")
    with pytest.raises(AnalyseUsageError, match="size 99"):
        speed("rollouts", game="go", size=99)
