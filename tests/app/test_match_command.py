"""``tabia match`` as a person uses it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tabia.app.commands.match import MatchUsageError, match
from tabia.match.agent import AgentStartError
from tabia.match.state import MatchStateError
from tests.match.conftest import Fake, fake

__all__ = ["fake"]  # the fixture


def run(capsys: pytest.CaptureFixture[str], *agents: str, **changes: Any) -> tuple[int, str, str]:
    usual: dict[str, Any] = {
        "game": "chess",
        "games": 4,
        "openings": "4",
        "seed": 1,
        "max_plies": 30,
        "rules": None,
        "size": None,
        "komi": None,
        "threads": 1,
        "out": None,
        "json": False,
    }
    code = match((agents[0], agents[1]), **{**usual, **changes})
    out, err = capsys.readouterr()
    return code, out, err


def test_the_table_adds_up(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "random", "random", max_plies=None, games=10)
    assert code == 0
    lines = out.splitlines()
    assert lines[0] == "chess: 10 games from 4 random plies, seed 1"
    table = {line[:12].strip(): line[12:].split() for line in lines[4:8]}
    assert table[""] == ["games", "won", "drawn", "lost", "score"]
    whole, first, second = (
        [int(word) for word in table[name][:4]] for name in ("A", "A as White", "A as Black")
    )
    assert whole == [a + b for a, b in zip(first, second, strict=True)]
    assert whole[0] == sum(whole[1:]) == 10
    assert "play: 10 of 10 games" in err


def test_json_is_one_object_whose_parts_agree(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code, out, _ = run(
        capsys, "random", "random", game="xiangqi", rules="simple", json=True, out=tmp_path / "x"
    )
    facts = json.loads(out)
    assert code == 0
    assert (facts["game"], facts["rules"], facts["complete"]) == ("xiangqi", "simple", True)
    assert [agent["repeatable"] for agent in facts["agents"]] == [True, True]
    assert len(facts["results"]) == facts["games"] == facts["games_planned"] == 4
    assert sum(facts["endings"].values()) == 4
    assert sum(facts["elo"]["pairs"].values()) == 2
    assert facts["a"]["points"] == 4 * facts["elo"]["score"]
    assert facts["results"][1]["first"] == "B"
    assert (tmp_path / "x").read_text().count('[Rules "simple"]') == 4
    assert [path.name for path in tmp_path.iterdir()] == ["x"]


def test_a_forfeit_is_shown_with_its_transcript(
    capsys: pytest.CaptureFixture[str], fake: Fake, tmp_path: Path
) -> None:
    bad = fake(at=0, does="garbage")
    out_file = tmp_path / "games.pgn"
    code, out, _ = run(capsys, "random", bad, games=2, out=out_file)
    assert code == 0
    assert "endings: forfeit 2" in out
    assert "forfeit: pair 1, game 1, ply 6: B (black) garbage: `bestmove tower" in out
    assert "    > go nodes 10000\n    < bestmove tower" in out
    assert "Elo of A against B: +∞ [-" in out
    pgn = out_file.read_text()
    assert '[Termination "forfeit by black: garbage"]' in pgn
    assert '[Termination "forfeit by white: garbage"]' in pgn
    facts = json.loads(run(capsys, "random", bad, games=2, json=True)[1])
    assert facts["elo"]["difference"] is facts["elo"]["high"] is None
    assert facts["forfeits"][0]["kind"] == "garbage"
    assert facts["forfeits"][0]["transcript"][-1].startswith("< bestmove tower")


def test_everything_wrong_is_told_at_once(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "book").write_text("e4\nke9\n")
    with pytest.raises(MatchUsageError) as caught:
        run(
            capsys,
            "randm",
            "uci:path=/nowhere,dept=3",
            games=3,
            rules="asian",
            seed=-1,
            openings=str(tmp_path / "book"),
        )
    faults = str(caught.value).splitlines()
    assert [any(word in fault for fault in faults) for word in ("randm", "dept", "3 games")] == [
        True
    ] * 3
    assert any("--rules" in fault for fault in faults)
    assert any("--seed" in fault for fault in faults)
    assert any("book, line 2" in fault for fault in faults)
    assert len(faults) == 6
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"openings": "40"}, "at most 30 plies a game, of which an opening takes 40"),
        ({"openings": "101"}, "--openings: 101 random plies are more than 100"),
        ({"openings": "-3"}, "-3: cannot be read"),
        ({"games": 0}, "0 games: give an even number"),
        ({"games": 10**12}, "1000000000000 games: at most 1,000,000 can be played in one match"),
        ({"out": Path("-")}, "--out -: standard output shows the result; name a file to write"),
    ],
)
def test_single_faults_are_told(
    capsys: pytest.CaptureFixture[str], changes: dict[str, Any], fault: str
) -> None:
    with pytest.raises(MatchUsageError, match=fault):
        run(capsys, "random", "random", **changes)


def test_a_place_that_cannot_be_written_to_is_told_before_the_games(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with pytest.raises(MatchUsageError, match="is a folder"):
        run(capsys, "random", "random", out=tmp_path)
    assert capsys.readouterr().err == ""


def test_the_unfinished_games_of_another_match_are_not_overwritten(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    state = tmp_path / "g.pgn.unfinished.jsonl"
    state.write_text("{}\n")
    with pytest.raises(MatchStateError, match="another match"):
        run(capsys, "random", "random", out=tmp_path / "g.pgn")
    assert state.read_text() == "{}\n"
    assert not (tmp_path / "g.pgn").exists()


def test_an_engine_that_cannot_start_again_ends_the_match_with_what_was_finished(
    capsys: pytest.CaptureFixture[str], fake: Fake, tmp_path: Path
) -> None:
    bad = fake(at=5, does="crash", starts=str(tmp_path / "starts"), most_starts=1)
    code, out, err = run(capsys, fake(), bad, games=6, openings="0", out=tmp_path / "g.pgn")
    assert code == AgentStartError.exit_code
    assert out.startswith("chess: 2 games of 6 from the start")
    assert "ended with exit status 1" in err
    assert "2 of 6 games are finished and kept beside" in err
    assert (tmp_path / "g.pgn").read_text().count("[Event ") == 2


@pytest.mark.parametrize("threads", ["1", "2"])
def test_ctrl_c_writes_what_was_finished_and_the_same_command_goes_on(
    fake: Fake, tmp_path: Path, threads: str
) -> None:
    out = tmp_path / "games.pgn"
    state = tmp_path / "games.pgn.unfinished.jsonl"
    slow, starts = tmp_path / "slow", tmp_path / "starts"
    engine = fake(starts=str(starts), waits_for=str(slow), games_before=4 // int(threads))
    command = [sys.executable, "-c", "from tabia.app.cli import main; main()"]
    command += ["match", engine, engine, "--game", "chess", "--games", "8", "--openings", "0"]
    command += ["--threads", threads, "--out", str(out)]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        process_group=0,
        # Shells start background jobs, and so perhaps these tests, with SIGINT ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    deadline = time.monotonic() + 60
    while not (state.exists() and state.read_bytes().count(b"\n") >= 3):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    printed, told = process.communicate(timeout=60)
    assert process.returncode == 130, told
    assert "interrupted; " in told
    assert "the same command plays the rest" in told
    assert " of 8 from the start" in printed
    assert out.read_text().count("[Event ") == 2 * (state.read_bytes().count(b"\n") - 1)
    assert "forfeit" not in out.read_text()  # Ctrl-C is no fault of the engines
    slow.touch()
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "games had been played before" in done.stderr
    assert out.read_text().count("[Event ") == 8
    assert not state.exists()


def test_go_is_played_under_rules_on_a_board(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out = tmp_path / "games.sgf"
    changes: dict[str, Any] = {"game": "go", "rules": "japanese", "size": 5, "out": out}
    code, text, _ = run(capsys, "random", "random", **changes)
    assert code == 0
    head = "go on 5x5, japanese rules, komi 6.5: 4 games from 4 random plies, at most 30 plies"
    assert text.startswith(head)
    assert "A as Black" in text.split("A as White")[0]
    assert out.read_text().count("(;GM[1]FF[4]") == 4
    code, text, _ = run(capsys, "random", "random", **changes, komi=-3.0, json=True)
    told = json.loads(text)
    assert (told["game"], told["rules"], told["size"], told["komi"]) == ("go", "japanese", 5, -3.0)
    assert [game["plies"] <= 30 for game in told["results"]] == [True] * 4


def test_rules_and_boards_of_other_games_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(MatchUsageError) as caught:
        run(capsys, "random", "random", rules="chinese", size=9, komi=0.5)
    assert str(caught.value).splitlines() == [
        "--rules chinese: chess has none such; it has one set of rules",
        "--size: chess has neither sizes of board nor komi; Go has",
        "--komi: chess has neither sizes of board nor komi; Go has",
    ]


def test_wrong_usage_has_exit_code_2() -> None:
    command = [sys.executable, "-c", "from tabia.app.cli import main; main()", "match"]
    words = ["random", "gnugo:level=10", "--game", "chess", "--games", "5"]
    done = subprocess.run([*command, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    told = done.stderr.splitlines()
    assert told[0].startswith("tabia: 5 games: give an even number")
    assert told[1] == "agent 'gnugo:level=10': plays go, not chess"
    assert len(told) == 2
