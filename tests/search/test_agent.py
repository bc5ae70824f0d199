"""Agents that search: what they play, and that they play it again."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from tabia._native.go_board import encode_vertex
from tabia.arena.registry import build, game_of
from tabia.games.chess import ChessPosition
from tabia.games.chess import encode_uci as chess_move
from tabia.games.go import GoPosition
from tabia.games.xiangqi import XiangqiPosition
from tabia.match.agent import AgentStartError, Turn
from tabia.match.ground import Ground
from tabia.match.spec import AgentSpecError
from tabia.search.agent import SearchAgent, rules_of
from tabia.search.config import ChessRules, GoRules, XiangqiRules
from tabia.search.nets import folder
from tabia.search.nets.onnx_file import export
from tests.search.nets.made import CHESS, GO, made

MATE = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"


@pytest.fixture(scope="module")
def nets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folders: any (Go, every size), five (Go, 5x5 only), chess; five.onnx."""
    path = tmp_path_factory.mktemp("nets")
    torch.manual_seed(1)
    for name, net in (
        ("any", made("all_heads", GO)),
        ("five", made("alphazero", GO)),
        ("chess", made("small", CHESS)),
    ):
        folder.save(path / name, net, {})
    export(folder.load(path / "five").net, path / "five.onnx")
    return path


def agent_of(text: str, game: str) -> SearchAgent:
    agent = build(text, game)
    assert isinstance(agent, SearchAgent)
    return agent


def game_by(agent: SearchAgent, ground: Ground, seed: int, plies: int) -> list[int]:
    agent.new_game(seed)
    position, moves = ground.start(None), list[int]()
    while len(moves) < plies and position.outcome() is None:
        code = agent.choose(Turn(position.copy(), None, tuple(moves))).move
        position.push(code)
        moves.append(code)
    return moves


@pytest.mark.parametrize("head", ["search:{}/chess", "rollouts"])
def test_a_mate_is_played_and_told(nets: Path, head: str) -> None:
    agent = agent_of(f"{head.format(nets)}:leaves=1", "chess")
    choice = agent.choose(Turn(ChessPosition(MATE), MATE, ()))
    assert choice.move == chess_move("a1a8")
    assert choice.analysis is not None
    assert (choice.analysis.mate, choice.analysis.win_probability) == (1, 1.0)


@pytest.mark.parametrize("text", ["search:{}/any:simulations=8", "rollouts:simulations=8"])
def test_equal_seeds_play_equal_legal_games(nets: Path, text: str) -> None:
    ground = Ground("go", "chinese", 5)
    agent = agent_of(text.format(nets), "go")
    first = game_by(agent, ground, 1, 24)
    assert len(first) > 4
    assert game_by(agent, ground, 1, 24) == first
    assert game_by(agent_of(text.format(nets), "go"), ground, 1, 24) == first
    assert agent.repeatable


def test_random_games_draw_from_the_games_seed() -> None:
    agent = agent_of("rollouts:simulations=8", "go")
    ground = Ground("go", "chinese", 5)
    assert game_by(agent, ground, 1, 24) != game_by(agent, ground, 2, 24)


def test_one_net_plays_on_every_board_and_another_on_its_own(nets: Path) -> None:
    for size in (5, 9):
        position = GoPosition(size=size)
        choice = agent_of(f"search:{nets}/any:simulations=4", "go").choose(Turn(position, None, ()))
        assert choice.move in position.legal_moves()
    nine = Turn(GoPosition(size=9), None, ())
    for name in ("five", "five.onnx"):
        with pytest.raises(AgentStartError, match="9 × 9"):
            agent_of(f"search:{nets}/{name}", "go").choose(nine)


def test_a_folder_and_its_onnx_file_play_alike(nets: Path) -> None:
    ground = Ground("go", "tromp-taylor", 5)
    games = [
        game_by(agent_of(f"search:{nets}/{name}:simulations=16", "go"), ground, 1, 10)
        for name in ("five", "five.onnx")
    ]
    assert games[0] == games[1]


def test_settings_change_the_search(nets: Path) -> None:
    turn = Turn(GoPosition(size=5), None, ())
    visits = {}
    for text in ("simulations=20", "simulations=40,tree=gumbel", "simulations=30,route=torch"):
        agent = agent_of(f"search:{nets}/any:{text}", "go")
        analysis = agent.choose(turn).analysis
        assert analysis is not None
        visits[text.split(",")[0]] = analysis.nodes
        assert f"{text[12:14]} simulations" in agent.name
    assert visits == {"simulations=20": 21, "simulations=40": 41, "simulations=30": 31}


def test_the_fingerprint_is_of_the_files(nets: Path) -> None:
    names = ("any", "five", "five.onnx")
    prints = {name: agent_of(f"search:{nets}/{name}", "go").fingerprint for name in names}
    assert len(set(prints.values())) == 3
    assert {len(print_) for print_ in prints.values()} == {16}
    assert agent_of("rollouts", "go").fingerprint == ""


def test_the_position_says_the_rules() -> None:
    assert rules_of(ChessPosition()) == ChessRules()
    assert rules_of(XiangqiPosition(rules="asian")) == XiangqiRules(rules="simple")
    assert rules_of(XiangqiPosition(quiet_plies=None)) == XiangqiRules(
        rules="none", quiet_plies=None
    )
    go = GoPosition(size=7, rules="japanese", komi=3.5)
    assert rules_of(go) == GoRules(size=7, rules="japanese", komi=3.5)


def test_komi_reaches_the_tree() -> None:
    # White has passed on an empty board: by a pass Black ends the game, and komi decides it.
    for komi, won in ((-0.5, True), (0.5, False)):
        position = GoPosition(size=5, komi=komi)
        moves = tuple(encode_vertex("pass", 5) for _ in range(1))
        for code in moves:
            position.push(code)
        agent = agent_of("rollouts:simulations=400", "go")
        choice = agent.choose(Turn(position, None, moves))
        assert (choice.move == moves[0]) == (not won)  # White to move


def test_what_is_wrong_is_told(nets: Path) -> None:
    with pytest.raises(AgentSpecError, match="no folder of a search's net"):
        build(f"search:{nets}", "go")
    with pytest.raises(AgentSpecError, match="there is no such file"):
        build(f"search:{nets}/none.onnx", "go")
    with pytest.raises(AgentSpecError, match="did you mean 'leaves'"):
        build("rollouts:leavs=2", "go")
    with pytest.raises(AgentStartError, match="plays chess, not go"):
        build(f"search:{nets}/chess", "go")
    with pytest.raises(AgentSpecError, match="needs"):
        build("search", "go")
    with pytest.raises(AgentSpecError, match="search, rollouts have"):
        game_of("random")
    assert (game_of("rollouts"), game_of(f"search:{nets}/chess")) == (None, "chess")
