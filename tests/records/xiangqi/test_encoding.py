"""What looks like a move in Chinese is what the notation reads as one."""

from __future__ import annotations

import random
import unicodedata

import pytest

from tabia._native.xiangqi_board import Board
from tabia.games.xiangqi_notation import NotationError, Style, parse_move, write_moves
from tabia.records.xiangqi.encoding import MOVE
from tests.games.xiangqi_play import random_game

PAWNS = "3k5/2P1P4/2P1P4/2P6/9/9/9/9/9/5K3 w - - 0 1"
FIVE_PAWNS = "3k5/4P4/4P4/4P4/4P4/4P4/9/9/9/5K3 w - - 0 1"


@pytest.mark.parametrize(
    "template", ["{}二平五", "炮{}平五", "炮二{}五", "炮二平{}", "{}三平四", "三{}平四"]
)
def test_every_character_that_a_move_may_have_looks_like_one(template: str) -> None:
    board = Board()
    taken = 0
    for code in range(0x3400, 0x10000):
        character = chr(code)
        if unicodedata.category(character) != "Lo":
            continue
        text = template.format(character)
        try:
            parse_move(board, text)
        except NotationError as error:
            if error.reason == "bad_move":
                continue
        taken += 1
        assert MOVE.fullmatch(text), f"{text} U+{code:04X}"
    assert taken >= 4


@pytest.mark.parametrize("style", ["chinese_simplified", "chinese_traditional"])
def test_every_move_written_looks_like_one(style: Style) -> None:
    for seed in range(10):
        for text in write_moves(random_game(random.Random(seed), 200).moves(), None, style):
            assert MOVE.fullmatch(text), text
    for fen in (PAWNS, FIVE_PAWNS):
        for code in Board(fen).legal_moves():
            (text,) = write_moves([code], fen, style)
            assert MOVE.fullmatch(text), text


@pytest.mark.parametrize(
    "text", ["㐷八进七", "伡一平二", "\uf902一平二", "前三平四", "6兵平四", "六兵平五", "后兵进１"]
)
def test_rarer_spellings_look_like_moves(text: str) -> None:
    assert MOVE.fullmatch(text)
