"""``tabia analyse`` as a person uses it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
import torch

from tabia._native.go_board import Board, encode_vertex
from tabia.app.commands.analyse import AnalysePositionError, AnalyseUsageError, analyse
from tabia.match.agent import AgentError
from tabia.records.go.record import Record
from tabia.records.go.write import write_sgf
from tabia.records.opening import GameFileError
from tabia.search.nets import folder
from tabia.search.sources import SourceError
from tests.search.nets.made import CHESS, GO, made

MATE = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"
HEAD = '[Event "?"]\n[Result "*"]\n\n'
PGN = f"{HEAD}1. e4 e5 2. Nf3 *\n\n{HEAD}1. f3 e5 2. g4 *\n"
FIELDS = {
    "format", "agent", "name", "game", "rules", "start", "played", "fen", "side_to_move", "final",
    "seconds", "visits", "value", "win_rate", "score_lead", "proven", "result", "moves",
    "ownership_black",
}  # fmt: skip
MOVE_FIELDS = {
    "move", "notation", "visits", "win_rate", "q", "prior", "score_lead", "proven", "pv",
}  # fmt: skip


@pytest.fixture(scope="module")
def nets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("nets")
    torch.manual_seed(1)
    folder.save(path / "go", made("all_heads", GO), {})
    folder.save(path / "five", made("alphazero", GO), {})
    folder.save(path / "chess", made("small", CHESS), {})
    return path


def told(capsys: pytest.CaptureFixture[str], agent: str, **options: Any) -> dict[str, Any]:
    analyse(agent, as_json_lines=True, **options)
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def vertices(*texts: str, size: int = 5) -> list[int]:
    return [encode_vertex(text, size) for text in texts]


def test_a_net_is_asked_by_the_rules_that_it_learned_by(
    nets: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder.save(tmp_path / "net", made("all_heads", GO), {"rules": "tromp-taylor", "komi": 2.5})
    taught, plain = f"search:{tmp_path / 'net'}", f"search:{nets / 'go'}"
    found = [told(capsys, agent, visits=10) for agent in (taught, plain)]
    assert [(one["rules"], one["komi"]) for one in found] == [
        ("tromp-taylor", 2.5),
        ("chinese", 7.5),
    ]
    asked = told(capsys, taught, visits=10, komi=0.5)
    assert (asked["rules"], asked["komi"]) == ("tromp-taylor", 0.5)
    asked = told(capsys, taught, visits=10, rules="japanese")
    assert (asked["rules"], asked["komi"]) == ("japanese", 6.5)


@pytest.fixture
def sgf(tmp_path: Path) -> Path:
    """Two games: four moves on 5x5 with komi 2.5, and Japanese rules on 7x7 with White to move."""
    file = tmp_path / "games.sgf"
    first = Record(moves=vertices("C3", "D3", "C2", "D2"), board_size=5, komi=2.5, result=1)
    start = Board(size=7).with_stones(black=[60], white_to_move=True).fen()
    second = Record(
        moves=vertices("B6", size=7), board_size=7, start_fen=start, rules="Japanese", result=1
    )
    file.write_text(write_sgf(first) + "\n" + write_sgf(second))
    return file


def test_the_json_has_the_documented_fields(nets: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, f"search:{nets}/go", played="C3 D3", visits=60, moves=3)
    assert set(found) == FIELDS | {"size", "komi"}
    assert (found["format"], found["game"], found["rules"]) == (1, "go", "chinese")
    assert (found["size"], found["komi"]) == (5, 7.5)
    assert found["start"] == "5/5/5/5/5 b - 0 0 0"
    assert (found["played"], found["side_to_move"]) == (["C3", "D3"], "black")
    assert found["fen"].startswith("5/5/2XO1/5/5 b")
    assert (found["visits"], found["final"], found["proven"]) == (60, True, None)
    assert found["win_rate"] == (found["value"] + 1) / 2
    assert len(found["moves"]) == 3
    for move in found["moves"]:
        assert set(move) == MOVE_FIELDS
        assert move["pv"][0] == move["move"] == move["notation"]
        assert move["visits"] > 0
        assert isinstance(move["score_lead"], float)
    assert [len(row) for row in found["ownership_black"]] == [5] * 5


def test_chess_has_no_score_and_a_proven_mate(
    nets: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = told(capsys, f"search:{nets}/chess", fen=MATE, visits=400)
    assert set(found) == FIELDS
    assert found["proven"] == {"result": "win", "plies": 1}
    best = found["moves"][0]
    assert (best["move"], best["notation"]) == ("a1a8", "Ra8#")
    assert (best["proven"], best["win_rate"]) == ({"result": "win", "plies": 1}, 1.0)
    assert (found["score_lead"], best["score_lead"], found["ownership_black"]) == (None,) * 3


def test_xiangqi_is_written_in_both_notations(capsys: pytest.CaptureFixture[str]) -> None:
    fen = "4k4/8R/7R1/9/9/9/9/9/4P4/4K4 w - - 0 1"
    found = told(capsys, "rollouts", game="xiangqi", fen=fen, visits=20, moves=99)
    assert (found["rules"], found["side_to_move"]) == ("asian", "red")
    notation = {move["move"]: move["notation"] for move in found["moves"]}
    assert (notation["h7h9"], notation["h7e7"], notation["i8i9"]) == ("R2+2", "R2=5", "R1+1")


def test_the_table_says_whose_turn_it_is(nets: Path, capsys: pytest.CaptureFixture[str]) -> None:
    analyse(f"search:{nets}/go", played="C3", visits=60, moves=2)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "search with small net: go 5×5, chinese rules, komi 7.5"
    assert lines[1].startswith("after 1 move, White to move: 60 visits in ")
    assert lines[2].startswith("win rate ")
    assert "score lead " in lines[2]
    assert lines[4].split() == ["move", "visits", "win", "rate", "Q", "prior", "score", "proven",
                                "variation"]  # fmt: skip
    assert len(lines[5:7]) == 2
    assert lines[8].startswith("ownership")
    assert [len(line.split()) for line in lines[9:]] == [5] * 5
    analyse(f"search:{nets}/chess", fen=MATE, visits=400, moves=1)
    out = capsys.readouterr().out
    assert "win rate 100.0 %, proven win in 1 ply\n" in out
    assert "score" not in out


def test_a_finished_game_is_told_and_not_searched(
    nets: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    analyse(f"search:{nets}/go", played="C3 pass pass", visits=60)
    assert capsys.readouterr().out.endswith("the game is over: Black has won\n")
    found = told(capsys, f"search:{nets}/go", played="C3 pass pass")
    assert (found["result"], found["moves"], found["visits"]) == (1, [], 0)
    assert found["score_lead"] == -17.5  # White to move: 25 points against komi 7.5


def test_a_game_file_has_its_board_komi_and_rules(
    nets: Path, sgf: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    agent = f"search:{nets}/go"
    whole = told(capsys, agent, file=sgf, visits=10)
    assert whole["played"] == ["C3", "D3", "C2", "D2"]
    assert (whole["rules"], whole["size"], whole["komi"]) == ("chinese", 5, 2.5)
    assert told(capsys, agent, file=sgf, move=3, visits=10)["side_to_move"] == "white"
    assert told(capsys, agent, file=sgf, move=0, visits=10)["played"] == []
    assert told(capsys, agent, file=sgf, komi=0.5, visits=10)["komi"] == 0.5
    second = told(capsys, agent, file=sgf, ordinal=2, move=0, visits=10)
    assert (second["rules"], second["size"], second["komi"]) == ("japanese", 7, 6.5)
    assert second["side_to_move"] == "white"
    assert second["fen"].startswith("7/7/7/3X3/7/7/7 w")


def test_a_file_of_chess_is_known_by_its_content(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.pgn"
    file.write_text(PGN)
    found = told(capsys, "rollouts", file=file, visits=20)
    assert (found["game"], found["played"]) == ("chess", ["e2e4", "e7e5", "g1f3"])
    found = told(capsys, "rollouts:leaves=1", file=file, ordinal=2, visits=3000, moves=1)
    assert found["side_to_move"] == "black"
    assert found["proven"]["result"] == "win"  # the fool's mate
    assert found["moves"][0]["notation"] == "Qh4#"


def test_lines_come_while_it_thinks(capsys: pytest.CaptureFixture[str]) -> None:
    options: dict[str, Any] = {"game": "go", "size": 9, "seconds": 0.3, "every_s": 0.05}
    analyse("rollouts", as_json_lines=True, **options)
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(lines) > 1
    assert [line["final"] for line in lines] == [False] * (len(lines) - 1) + [True]
    visits = [line["visits"] for line in lines]
    assert visits == sorted(visits)
    analyse("rollouts", **options)
    out, err = capsys.readouterr()
    assert out.startswith("search with random games: go 9×9")
    assert " visits " in err.splitlines()[0]


def test_equal_calls_say_the_same_on_any_number_of_threads(
    nets: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for agent in (f"search:{nets}/go", "rollouts"):
        found = [
            told(capsys, agent, game="go", size=5, visits=100, threads=threads)
            for threads in (1, 1, 2)
        ]
        for one in found:
            del one["seconds"]
        assert found[0] == found[1] == found[2]


def test_without_a_limit_the_agents_simulations_are_the_visits(
    nets: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert told(capsys, f"search:{nets}/go:simulations=33")["visits"] == 33


@pytest.mark.parametrize(
    ("agent", "options", "error", "said"),
    [
        ("serch:x", {}, AgentError, "did you mean 'search'"),
        ("stockfish", {}, AgentError, "stockfish has no search of this program"),
        ("imitation:x", {}, AgentError, "search, rollouts have"),
        ("rollouts", {}, AnalyseUsageError, "say --game chess, xiangqi or go"),
        ("search:{}/none", {}, AgentError, "no folder of a search's net"),
        ("search:{}/go", {"game": "chess"}, AgentError, "plays go, not chess"),
        ("search:{}/five", {"size": 9}, SourceError, "9 × 9"),
        ("search:{}/chess", {"size": 9}, AnalyseUsageError, "chess has neither sizes"),
        ("search:{}/go", {"rules": "ing"}, AnalyseUsageError, "--rules ing"),
        ("search:{}/chess", {"fen": "x"}, AnalysePositionError, "--fen 'x'"),
        ("search:{}/chess", {"played": "e4 e4"}, AnalysePositionError, "ply 2: 'e4'"),
        ("search:{}/go", {"move": 3}, AnalyseUsageError, "--move counts the moves of a --file"),
        ("search:{}/go", {"ordinal": 2}, AnalyseUsageError, "--ordinal counts the games"),
        ("search:{}/go", {"visits": 1}, AnalyseUsageError, "--visits 1"),
        ("search:{}/go", {"seconds": 0.0}, AnalyseUsageError, "--time 0"),
        ("search:{}/go", {"every_s": -1.0}, AnalyseUsageError, "--every -1"),
        ("search:{}/go", {"moves": 0}, AnalyseUsageError, "--moves 0"),
        ("search:{}/go:tree=gumbel", {"seconds": 1.0}, AnalyseUsageError, "give --visits"),
        ("search:{}/go", {"file": Path("/none.sgf")}, GameFileError, "/none.sgf"),
    ],
)
def test_what_is_wrong_is_told(
    nets: Path, agent: str, options: dict[str, Any], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said) as caught:
        analyse(agent.format(nets), **options)
    assert getattr(caught.value, "exit_code", None) in (2, 3)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"move": 5}, "has 4 moves; --move 5 must be from 0 to 4"),
        ({"move": -1}, "--move -1"),
        ({"ordinal": 3}, "has 2 games of go, and --ordinal 3"),
        ({"size": 9}, "--size 9: .* is on 5"),
        ({"fen": "5/5/5/5/5 b"}, "give one of them"),
        ({"ordinal": 2}, "7 × 7"),
    ],
)
def test_what_is_wrong_with_a_game_of_a_file_is_told(
    nets: Path, sgf: Path, options: dict[str, Any], said: str
) -> None:
    with pytest.raises((AnalysePositionError, AnalyseUsageError, SourceError), match=said):
        analyse(f"search:{nets}/five", file=sgf, **options)


def test_a_pipe_needs_the_game(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(AnalyseUsageError, match="say --game"):
        analyse("rollouts", file=pipe)


def test_a_file_without_a_game_says_why(nets: Path, tmp_path: Path) -> None:
    file = tmp_path / "bad.sgf"
    file.write_text("(;GM[1]SZ[5];B[cc];W[cc])")
    with pytest.raises(AnalysePositionError, match=r"has 0 games of go.*illegal_move"):
        analyse(f"search:{nets}/go", file=file)
