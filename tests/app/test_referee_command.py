"""``tabia referee`` as a person uses it."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tabia.app.cli import XiangqiRules
from tabia.app.commands.referee import NoGameError, RefereeError, referee
from tabia.games.xiangqi_referee import RULE_SETS
from tabia.records.opening import GameFileError
from tests.games.xiangqi_referee_corpus import case

CHASE = case("rook-chases-cannon")
CHECK = case("check-rook-by-black")
GAMES = f"""position fen {CHASE.start_fen} moves {CHASE.moves}
position fen {CHECK.start_fen} moves {CHECK.moves}
position startpos moves h2e2 h9g7 h0g2
"""


def run(capsys: pytest.CaptureFixture[str], file: Path | None = None, **options: Any) -> str:
    usual: dict[str, Any] = {"rules": "asian", "quiet_plies": 120, "max_plies": None}
    referee(file, **(usual | options))
    return capsys.readouterr().out


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.ucci"
    path.write_text(GAMES)
    return path


def test_a_typed_game_is_judged_and_explained(capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, fen=CHASE.start_fen, moves=CHASE.moves).splitlines()
    assert out[0] == "game: 8 plies, Black wins: perpetual chase (ply 8)"
    assert out[2] == "  Red chases the cannon on a5 and b5 with every move"
    assert len(out) == 4 + 8


def test_rules_and_limits_are_chosen(capsys: pytest.CaptureFixture[str]) -> None:
    game: dict[str, Any] = {"fen": CHASE.start_fen, "moves": CHASE.moves}
    assert "draw: repetition (ply 8)" in run(capsys, rules="simple", **game)
    assert run(capsys, rules="none", **game) == "game: 8 plies, no end by the rules\n"
    assert "without a capture (ply 4)" in run(capsys, quiet_plies=4, **game)
    assert "longest game allowed (ply 3)" in run(capsys, max_plies=3, **game)
    assert [*XiangqiRules] == [*RULE_SETS]


def test_games_of_a_file_are_judged_one_by_one(
    games: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = run(capsys, games).splitlines()
    heads = [line for line in out if line.startswith(str(games))]
    assert [head.partition(": ")[2] for head in heads] == [
        "8 plies, Black wins: perpetual chase (ply 8); recorded unknown",
        "8 plies, Red wins: perpetual check (ply 8); recorded unknown",
        "3 plies, no end by the rules; recorded unknown",
    ]
    assert out[-1] == (
        "3 games, 2 ended by the rules: perpetual_chase 1, perpetual_check 1;"
        " 0 of these recorded with another result"
    )


def test_a_recorded_result_stands_beside_the_verdict(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.pgn"
    path.write_text(
        f'[Game "Chinese Chess"]\n[FEN "{CHASE.start_fen}"]\n[Result "1-0"]\n'
        '[Format "ICCS"]\n\n1. B4-A4 A5-B5 2. A4-B4 B5-A5 3. B4-A4 A5-B5 4. A4-B4 B5-A5 1-0\n'
    )
    out = run(capsys, path).splitlines()
    assert out[0].endswith("Black wins: perpetual chase (ply 8); recorded 1-0")
    assert out[-1].startswith("1 game, 1 ended by the rules: perpetual_chase 1; 1 of these")


MATE = "4k4/1R7/R8/9/9/9/9/9/9/3K5 w"


def test_an_end_on_the_board_is_no_recorded_result(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game"  # a name like any other
    for tag, recorded in (("", "unknown"), ('[Result "0-1"]\n', "0-1")):
        path.write_text(f'[Game "Chinese Chess"]\n[FEN "{MATE}"]\n{tag}\n1. A7-A9\n')
        out = run(capsys, path).splitlines()
        assert out[0].startswith(f"{path}:1: 1 plies, Red wins: ")
        assert out[0].endswith(f"; recorded {recorded}")
        assert f"; {int(bool(tag))} of these recorded with another result" in out[-1]


def test_tables_of_moves_are_judged_beside_their_headers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    moves, headers = tmp_path / "moves", tmp_path / "headers"
    moves.write_text("gameID,turn,side,move\n7,1,red,C2.5\n7,1,black,h8+7\n8,1,red,C2.5\n")
    headers.write_text(
        "gameID,game_datetime,blackID,blackELO,redID,redELO,winner\n"
        "7,2017-02-10 10:00:00,bob,1500,alice,1600,red\n"
    )
    referee(
        moves,
        rules="asian",
        quiet_plies=2,
        max_plies=None,
        source_format="playok",
        headers=headers,
    )
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert lines[0].endswith("(ply 2); recorded 1-0")
    assert "no end by the rules; recorded unknown" in out
    assert lines[-1].endswith("; 1 of these recorded with another result")
    assert "1 of 2 games joined" in err


def test_a_file_that_breaks_off_is_judged_up_to_its_last_whole_game(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cut = tmp_path / "cut.ucci.gz"
    cut.write_bytes(gzip.compress(games.read_bytes())[:-9])
    facts = json.loads(run(capsys, cut, as_json=True))
    assert [game["plies"] for game in facts["games"]] == [8, 8]
    assert [reject["reason"] for reject in facts["rejects"]] == ["corrupt_file"]


def test_json_has_every_move_of_the_cycle(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    facts = json.loads(run(capsys, games, as_json=True))
    assert (facts["rules"], facts["quiet_plies"], facts["max_plies"]) == ("asian", 120, None)
    assert [game["plies"] for game in facts["games"]] == [8, 8, 3]
    first, second, last = (game["verdict"] for game in facts["games"])
    assert (first["ply"], first["result"], first["reason"]) == (8, -1, "perpetual_chase")
    assert first["cycle"]["plies"] == [0, 4, 8]
    assert first["cycle"]["red"] == {"side": "red", "kind": "chase", "victims": ["c a5 b5"]}
    assert first["cycle"]["moves"][0]["attacks"] == [
        {
            "attacker": "R",
            "attacker_square": "a4",
            "victim": "c",
            "victim_square": "a5",
            "roots": [],
            "status": "unprotected",
            "is_new": True,
        }
    ]
    assert second["cycle"]["black"]["kind"] == "check"
    assert last is None


def test_what_to_judge_must_be_said(games: Path) -> None:
    for file, moves in ((None, None), (games, "h2e2")):
        with pytest.raises(RefereeError, match="name a file, or a game"):
            referee(file, rules="asian", quiet_plies=120, max_plies=None, moves=moves)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"moves": "h2e3"}, "h2e3 is not legal"),
        ({"moves": "check"}, "check"),
        ({"fen": "9/9 w", "moves": "h2e2"}, "board field"),
    ],
)
def test_a_wrong_position_or_move_is_the_users_fault(options: Any, message: str) -> None:
    with pytest.raises(RefereeError, match=message):
        referee(None, rules="asian", quiet_plies=120, max_plies=None, **options)


def test_files_without_games_are_wrong_data(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = tmp_path / "empty.txt"
    empty.write_text("nothing here")
    with pytest.raises(NoGameError, match="no xiangqi game in"):
        run(capsys, empty)
    assert "1 record rejected" in capsys.readouterr().err
    with pytest.raises(GameFileError):
        run(capsys, tmp_path / "absent.pgn")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--moves", "h2e2 h9g7"], 0),
        (["--moves", "h2e2 h2e2"], 2),
        (["--from", "ucci", "--moves", "h2e2"], 2),
        (["--rules", "chinese", "--moves", "h2e2"], 2),
        ([], 2),
        (["no-such-file.pgn"], 3),
    ],
)
def test_exit_codes_say_whose_fault_it_is(words: list[str], code: int) -> None:
    program = [sys.executable, "-c", "from tabia.app.cli import main; main()", "referee"]
    done = subprocess.run([*program, *words], capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
