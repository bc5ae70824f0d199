"""PGN of chess and of other variants is refused by name where xiangqi is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabia.app.commands.convert import NoGameError, convert
from tabia.records.which_game import game_of_text
from tests.records.xiangqi.test_pgn import game, reject, results

WHITE = '[White "a"]\n[Black "b"]\n'


@pytest.mark.parametrize(
    "variant", ["Jieqi", "janggi", "Atomic", "揭棋", "minixiangqi", "chess960"]
)
def test_a_variant_that_is_not_xiangqi_is_rejected(variant: str) -> None:
    found = reject(f'[Red "a"]\n[Variant "{variant}"]\n[FEN "9/9"]\n\n1. C2=5 *')
    assert found.reason == "unknown_variant"
    assert f'[Variant "{variant}"]' in found.detail
    assert reject(f'[variant "{variant}"]\n\n1. C2=5 *').reason == "unknown_variant"


@pytest.mark.parametrize(
    "variant", ["xiangqi", "Xiangqi", "Chinese Chess", "中国象棋", "象棋", "", "?", "Standard"]
)
def test_the_names_of_xiangqi_are_known(variant: str) -> None:
    assert len(game(f'[Variant "{variant}"]\n\n1. C2=5 *').moves) == 1
    assert len(game(f'[Game "{variant}"]\n\n1. C2=5 *').moves) == 1


def test_a_game_that_is_not_xiangqi_is_rejected() -> None:
    for name in ("Chess", "Janggi", "揭棋"):
        found = reject(f'[Game "{name}"]\n\n1. C2=5 *')
        assert found.reason == "unknown_variant"
        assert f'[Game "{name}"]' in found.detail


@pytest.mark.parametrize(
    "text",
    [
        f"{WHITE}\n1. e4 e5 1/2-1/2",
        f"{WHITE}\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O *",
        "1. e4 e5 *",
        '[Event "x"]\n[Variant "Standard"]\n\n1. c4 e5 *',
        '[Event "x"]\n\n1. d4 Nf6 2. c4 1-0',
        f"{WHITE}\n1. e2e4 e7e5 2. g1f3 *",
        f'{WHITE}[FEN "4k3/8/8/8/8/8/8/4K3 w - - 0 1"]\n\n1. Kd1 *',
    ],
)
def test_chess_is_refused_by_name(text: str) -> None:
    found = reject(text)
    assert (found.reason, found.legal_plies) == ("unknown_variant", 0)
    assert "chess" in found.detail


@pytest.mark.parametrize(
    "tags",
    [
        '[Variant "xiangqi"]',
        '[Game "Chinese Chess"]',
        '[Red "a"]',
        '[Format "ICCS"]',
        '[ECCO "C01"]',
    ],
)
def test_the_same_moves_are_xiangqi_where_a_tag_says_so(tags: str) -> None:
    record = game(f"{tags}\n{WHITE}\n1. e4 e5 *")
    assert (len(record.moves), record.notation) == (2, "san")


@pytest.mark.parametrize(
    "moves", ["1. h2e2 h9g7", "1. h2h4 h7h5", "1. Che2 Hg7", "1. C2=5 H8+7", "1. 炮二平五 马8进7"]
)
def test_moves_that_are_not_written_as_chess_need_no_tag(moves: str) -> None:
    assert len(game(f"{WHITE}\n{moves} *").moves) == 2


def test_a_wrong_move_of_xiangqi_is_not_taken_for_chess() -> None:
    for moves in ("1. h2e2 e2e4 *", "1. C2=9 H8+7 *", "1. Che2 Nf6 *"):
        assert reject(f"{WHITE}\n{moves}").reason == "illegal_move"


def test_games_of_both_in_one_file_are_told_apart() -> None:
    found = results(f'{WHITE}\n1. e4 e5 1-0\n\n[Red "c"]\n\n1. C2=5 *\n')
    assert [type(one).__name__ for one in found] == ["Reject", "Record"]


def test_convert_says_that_a_file_is_chess(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "c.pgn"
    path.write_text(f"{WHITE}\n1. e4 e5 1/2-1/2\n")
    assert game_of_text(path.read_bytes()) == "chess"
    with pytest.raises(NoGameError, match="it looks like chess"):
        convert([path], to="ucci")
    assert "c.pgn, line 1: unknown_variant: " in capsys.readouterr().err
