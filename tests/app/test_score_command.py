"""``tabia score`` as a person uses it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tabia.app.choices import GoRules
from tabia.app.commands.score import NoGameError, ScoreError, score_files
from tabia.games.go_rules import RULE_SETS
from tabia.games.go_scoring import PLAYOUTS
from tabia.records.opening import GameFileError

WALLS = (
    "(;GM[1]FF[4]SZ[5]KM[5.5]RU[Japanese]RE[B+1.5]"
    ";B[ca];W[da];B[cb];W[db];B[cc];W[dc];B[cd];W[dd];B[ce];W[bc];B[bd];W[de];B[];W[])"
)


def run(capsys: pytest.CaptureFixture[str], *files: Path, **options: Any) -> str:
    score_files(list(files), **options)
    return capsys.readouterr().out


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "walls.sgf"
    path.write_text(WALLS)
    return path


def test_a_game_is_counted_by_the_rules_that_it_names(
    game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(capsys, game, dead="B3").splitlines() == [
        f"{game}: W+0.5 by japanese rules",
        "  Black 10 = 9 surrounded + 0 taken + 1 dead",
        "  White 10.5 = 5 surrounded + 0 taken + 0 dead + 5.5 komi",
        "  dead: B3 (named)",
        "  recorded: B+1.5",
    ]


def test_other_rules_count_the_same_game_in_other_ways(
    game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = run(capsys, game, rules="chinese", dead="B3", komi=7.5).splitlines()
    assert out[:3] == [
        f"{game}: W+2.5 by chinese rules",
        "  Black 15 = 9 surrounded + 6 stones",
        "  White 17.5 = 5 surrounded + 5 stones + 7.5 komi",
    ]
    out = run(capsys, game, rules="paper", dead="").splitlines()
    assert out[1] == "  Black 10 = 0 surrounded + 6 stones + 4 of 8 neutral"
    assert "  dead: none (all stones count)" in run(capsys, game, rules="tromp-taylor")


def test_dead_stones_are_found(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(run(capsys, game, as_json=True))["games"][0]
    assert (found["dead"], found["dead_by"], found["result"]) == (["B3"], "playouts", "W+0.5")
    assert (found["territory"], found["dead_stones"], found["plies"]) == ([9, 5], [0, 1], 14)
    assert (found["rules"], found["recorded"], found["komi"]) == ("japanese", "B+1.5", 5.5)


def test_handicap_stones_are_compensated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "handicap.sgf"
    file.write_text("(;SZ[9]HA[2]KM[0.5]AB[cg][gc];W[ee];B[eg];W[];B[])")
    for rules, komi in (("chinese", 2.5), ("aga", 1.5), ("japanese", 0.5)):
        found = json.loads(run(capsys, file, rules=rules, as_json=True))["games"][0]
        assert (found["komi"], found["handicap"]) == (komi, 2)


def test_several_games_are_counted_and_rejects_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "many.sgf"
    file.write_text(f"{WALLS}\n{WALLS}\n(;SZ[9];B[aa];W[aa])")
    score_files([file], playouts=50)
    out, err = capsys.readouterr()
    assert [line for line in out.splitlines() if not line.startswith(" ")] == [
        f"{file}: W+0.5 by japanese rules",
        f"{file}#2: W+0.5 by japanese rules",
    ]
    assert err.startswith(f"rejected: {file}, line 3: illegal_move: ")
    with pytest.raises(ScoreError, match="--dead names stones of one game, and there are 2"):
        score_files([file], dead="B3")


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"dead": "A1"}, "--dead A1: no stone at A1"),
        ({"dead": "Z9"}, "--dead Z9: 'Z9' is no vertex of a board of size 5"),
        ({"rules": "ing"}, "--rules ing: known are tromp-taylor, chinese"),
        ({"rules": "tromp-taylor", "dead": "B3"}, "count every stone on the board as living"),
    ],
)
def test_wrong_words_are_refused(game: Path, options: dict[str, Any], fault: str) -> None:
    with pytest.raises(ScoreError, match=fault) as error:
        score_files([game], **options)
    assert error.value.exit_code == 2


def test_records_without_known_rules_need_some(tmp_path: Path) -> None:
    file = tmp_path / "a.sgf"
    file.write_text("(;SZ[9]RU[GOE];B[ee])")
    with pytest.raises(ScoreError, match="names the rules 'GOE', which are unknown: give --rules"):
        score_files([file])
    file.write_text("(;SZ[9];B[ee])")
    with pytest.raises(ScoreError, match="names no rules: give --rules, tromp-taylor"):
        score_files([file])


def test_files_without_games_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.sgf"
    file.write_text("1. e4 e5")
    with pytest.raises(NoGameError, match="no game of Go in") as error:
        score_files([file])
    assert error.value.exit_code == 3
    with pytest.raises(GameFileError):
        score_files([tmp_path / "absent.sgf"])


def test_the_command_line_knows_all_sets_of_rules() -> None:
    assert [*GoRules] == [*RULE_SETS]
    assert PLAYOUTS == 1000
