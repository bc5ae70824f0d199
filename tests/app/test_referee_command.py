"""``tabia referee`` as a person uses it."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tabia.app.choices import XiangqiRules
from tabia.app.commands.referee import NoGameError, RefereeError, referee
from tabia.app.same_files import SameFileError
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
    referee([] if file is None else [file], **(usual | options))
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
    assert [head.removeprefix(f"{games}:") for head in heads] == [
        "1: ordinal 0: 8 plies, Black wins: perpetual chase (ply 8); recorded unknown",
        "2: ordinal 1: 8 plies, Red wins: perpetual check (ply 8); recorded unknown",
        "3: ordinal 2: 3 plies, no end by the rules; recorded unknown",
    ]
    assert out[-1] == (
        "3 games, 2 ended by the rules: perpetual chase 1, perpetual check 1;"
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
    assert out[-1].startswith("1 game, 1 ended by the rules: perpetual chase 1; 1 of these")


MATE = "4k4/1R7/R8/9/9/9/9/9/9/3K5 w"


def test_an_end_on_the_board_is_no_recorded_result(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game"  # a name like any other
    for tag, recorded in (("", "unknown"), ('[Result "0-1"]\n', "0-1")):
        path.write_text(f'[Game "Chinese Chess"]\n[FEN "{MATE}"]\n{tag}\n1. A7-A9\n')
        out = run(capsys, path).splitlines()
        assert out[0].startswith(f"{path}:1: ordinal 0: 1 ply, Red wins: ")
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
        [moves],
        rules="asian",
        quiet_plies=2,
        max_plies=None,
        source_format="playok",
        headers=headers,
    )
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert lines[0].startswith(f"{moves}:2: ordinal 0, alice – bob, PlayOK game 7: 2 plies, ")
    assert lines[1].startswith(f"{moves}:4: ordinal 1, PlayOK game 8: 1 ply, ")
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
    assert [(move["round"], move["wxf"]) for move in first["cycle"]["moves"][:3]] == [
        (1, "R8=9"),
        (1, "C1=2"),
        (2, "R9=8"),
    ]
    assert second["cycle"]["black"]["kind"] == "check"
    assert last is None


def test_what_to_judge_must_be_said(games: Path) -> None:
    for files, moves in (([], None), ([games], "h2e2")):
        with pytest.raises(RefereeError, match="name files, or a game"):
            referee(files, rules="asian", quiet_plies=120, max_plies=None, moves=moves)


LONE = "4k4/9/9/9/9/9/9/9/9/3K1R3"


@pytest.mark.parametrize(
    "moves",
    [
        "h2e2 h9g7 h0g2",
        "h3e3 h10g8 h1g3",
        "H2-E2 H9-G7 H0-G2",
        "C2=5 H8+7 H2+3",
        "1. C2.5 h8+7 2. H2+3",
        "炮二平五 馬８進７ 马二进三",
        "1.炮二平五马8进72.马二进三",
    ],
)
def test_moves_are_typed_in_any_notation(moves: str, capsys: pytest.CaptureFixture[str]) -> None:
    expected = json.loads(run(capsys, moves="h2e2 h9g7 h0g2", as_json=True, max_plies=3))
    assert expected["games"][0]["plies"] == expected["games"][0]["verdict"]["ply"] == 3
    assert json.loads(run(capsys, moves=moves, as_json=True, max_plies=3)) == expected


def test_games_are_named_as_in_the_tables(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = '[Red "甲"]\n[Black "乙"]\n[Site "x"]\n\n1. C2=5 *\n\n'
    first, second = tmp_path / "a.pgn", tmp_path / "b.pgn"
    first.write_text(good + good.replace("C2=5", "C2=9") + good.replace("甲", "?"))
    second.write_text(good)
    referee([first, second], rules="asian", quiet_plies=None, max_plies=None)
    out, err = capsys.readouterr()
    end = "1 ply, no end by the rules; recorded unknown"
    assert out.splitlines() == [
        f"{first}:1: ordinal 0, 甲 – 乙: {end}",
        f"{first}:13: ordinal 2, ? – 乙: {end}",
        f"{second}:1: ordinal 0, 甲 – 乙: {end}",
        "3 games, 0 ended by the rules; 0 of these recorded with another result",
    ]
    assert err.startswith(f"rejected: {first}, line 7: illegal_move: ply 1: 'C2=9' names no legal")
    assert err.count(str(first)) == 1
    referee([first], rules="asian", quiet_plies=None, max_plies=None, as_json=True)
    games = json.loads(capsys.readouterr().out)["games"]
    keys = ("ordinal", "first_name", "second_name", "site", "line")
    assert [[game[key] for key in keys] for game in games] == [
        [0, "甲", "乙", "x", 1],
        [2, None, "乙", "x", 13],
    ]
    with pytest.raises(SameFileError, match="is named twice"):
        referee([first, first], rules="asian", quiet_plies=None, max_plies=None)


def test_the_words_of_the_summary_are_those_of_the_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game"
    stalemate = "3k5/4P4/9/9/9/9/9/9/9/4K4 w"
    path.write_text(
        f"position fen {stalemate} moves e0e1\nposition fen {MATE} moves a7a9\n"
        f"position fen {CHASE.start_fen} moves {CHASE.moves}\n"
    )
    *lines, last = run(capsys, path).splitlines()
    heads = [line for line in lines if line.startswith(str(path))]
    reasons = [line.split(" wins: ")[1].split(" (ply")[0] for line in heads]
    assert reasons == ["no legal move", "checkmate", "perpetual chase"]
    assert f"3 ended by the rules: {', '.join(f'{reason} 1' for reason in reasons)};" in last


def test_explanations_name_moves_in_wxf_with_their_round(
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = run(capsys, fen=CHASE.start_fen, moves="R8=9 C1=2 R9=8 C2=1 R8=9 C1=2 R9=8 C2=1")
    lines = out.splitlines()
    assert lines[0] == "game: 8 plies, Black wins: perpetual chase (ply 8)"
    assert lines[4].startswith("  1. R8=9 (ply 1, red rook b4a4): chases the cannon on a5")
    assert lines[-1] == "  4... C2=1 (ply 8, black cannon b5a5): no check, no new attack"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"moves": "h2e3"}, "move 1 of Red, ply 1: 'h2e3' names no legal move"),
        ({"moves": "check"}, "move 1 of Red, ply 1: 'check' is no move in any notation"),
        ({"moves": "1. C2=5 h8+7 2. H2+3 R9+9"}, r"move 2 of Black, ply 4: 'R9\+9' names no"),
        ({"fen": f"{LONE} b - - 0 41", "moves": "K5+1 R4+9 K5+9"}, "move 42 of Black, ply 3"),
        ({"moves": "C2=5 1-0 h8+7"}, "leave out the result"),
        ({"moves": "C2=5 {never closed"}, "is never closed"),
        ({"fen": "9/9 w", "moves": "h2e2"}, "board field"),
    ],
)
def test_a_wrong_position_or_move_is_the_users_fault(options: Any, message: str) -> None:
    with pytest.raises(RefereeError, match=message):
        referee([], rules="asian", quiet_plies=120, max_plies=None, **options)


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
        (["-"], 0),
        (["--moves", "h2e2 h2e2"], 2),
        (["--from", "ucci", "--moves", "h2e2"], 2),
        (["--rules", "chinese", "--moves", "h2e2"], 2),
        ([], 2),
        (["no-such-file.pgn"], 3),
    ],
)
def test_exit_codes_say_whose_fault_it_is(words: list[str], code: int) -> None:
    program = [sys.executable, "-c", "from tabia.app.cli import main; main()", "referee"]
    done = subprocess.run(
        [*program, *words], input=GAMES, capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
