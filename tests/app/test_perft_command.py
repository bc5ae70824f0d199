"""``tabia perft`` as a person uses it."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

from tabia.app.choices import PerftGame
from tabia.app.commands.perft import DEEPEST, GAMES, PerftError, perft


def run(capsys: pytest.CaptureFixture[str], game: str, depth: int, **options: object) -> str:
    usual = {"fen": None, "divide": False, "as_json": False}
    perft(game, depth, **(usual | options))  # type: ignore[arg-type]
    return capsys.readouterr().out


@pytest.mark.parametrize(
    ("game", "depth", "fen", "nodes"),
    [
        ("chess", 4, None, "197,281"),
        ("xiangqi", 3, None, "79,666"),
        ("xiangqi", 0, None, "1"),
        ("xiangqi", 2, "4kcP1N/8n/3rb4/9/9/9/9/3p1A3/4K4/5CB2 w", "272"),
        ("chess960", 2, "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", "528"),
    ],
)
def test_nodes_are_printed(
    game: str, depth: int, fen: str | None, nodes: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = run(capsys, game, depth, fen=fen)
    assert re.fullmatch(rf"{nodes} nodes in \d+\.\d{{3}} s, [\d,]+ nodes/s\n", out)


def test_divide_lists_each_move_and_sums_to_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    *moves, total = run(capsys, "xiangqi", 3, divide=True).splitlines()
    assert len(moves) == 44
    assert "h2e2: 1,564" in moves
    assert total.startswith("79,666 nodes in ")


def test_json_is_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    facts = json.loads(run(capsys, "chess", 2, divide=True, as_json=True))
    assert (facts["game"], facts["depth"], facts["nodes"]) == ("chess", 2, 400)
    assert facts["moves"] == dict.fromkeys(facts["moves"], 20)
    assert len(facts["moves"]) == 20
    assert facts["nodes_per_s"] > 0
    assert "moves" not in json.loads(run(capsys, "chess", 2, as_json=True))


def test_draws_end_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    fen = "3k5/9/9/9/9/9/9/9/9/4K4 w - - 500 300"
    assert run(capsys, "xiangqi", 1, fen=fen, divide=True).startswith("e0f0: 1\n")


def test_a_bad_fen_is_the_users_fault() -> None:
    with pytest.raises(PerftError, match="ranks, not 10") as raised:
        perft("xiangqi", 1, fen="9/9 w", divide=False, as_json=False)
    assert raised.value.exit_code == 2


def test_the_command_line_knows_the_same_games() -> None:
    assert [game.value for game in PerftGame] == list(GAMES)


def test_it_is_a_subcommand() -> None:
    words = ["perft", "xiangqi", "--depth", "2", "--json"]
    program = [sys.executable, "-c", "from tabia.app.cli import main; main()"]
    done = subprocess.run([*program, *words], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["nodes"] == 1920


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("depth", [-1, DEEPEST + 1, 2**31, 10**20])
def test_a_depth_out_of_range_is_told_with_the_range(game: str, depth: int) -> None:
    with pytest.raises(PerftError, match=f"--depth {depth}: give 0 to 100 plies") as raised:
        perft(game, depth, fen=None, divide=False, as_json=False)
    assert raised.value.exit_code == 2


def test_the_deepest_tree_can_be_walked(capsys: pytest.CaptureFixture[str]) -> None:
    stalemate = "7k/5Q2/6K1/8/8/8/8/8 b - -"
    assert run(capsys, "chess", DEEPEST, fen=stalemate).startswith("0 nodes in ")
