"""Encodings of xiangqi PGN are found game by game, and none turns a bad game into a good one."""

from __future__ import annotations

import pytest

from tabia._native.xiangqi_board import encode_move
from tabia.records.xiangqi.encoding import encodings_of_part, likely_encodings
from tabia.records.xiangqi.record import Record
from tabia.records.xiangqi.write import write_pgn
from tests.records.xiangqi.test_pgn import game, records, reject

TRADITIONAL = ("全國", "胡榮華", "柳大華", "好棋")
SIMPLIFIED = ("全国", "胡荣华", "柳大华", "好棋")


def ascii_game(names: tuple[str, ...], encoding: str, moves: str = "1. C2=5 {%s} H8+7") -> bytes:
    event, red, black, comment = names
    text = f'[Event "{event}"]\n[Red "{red}"]\n[Black "{black}"]\n\n{moves % comment} 1-0\n\n'
    return text.encode(encoding)


@pytest.mark.parametrize("moves", ["1. C2=5 {%s} H8+7", "1. h2e2 {%s} h9g7", "1. H2-E2 {%s} H9-G7"])
@pytest.mark.parametrize("most", ["utf-8", "big5", "gb18030"])
def test_names_of_each_game_are_read_in_its_own_encoding(most: str, moves: str) -> None:
    names = {"utf-8": TRADITIONAL, "big5": TRADITIONAL, "gb18030": SIMPLIFIED}
    order = [most, most, most, *names]
    found = records(b"".join(ascii_game(names[one], one, moves) for one in order))
    assert [one.encoding for one in found] == order
    assert [(one.event, one.first_name, one.second_name, one.comments[1]) for one in found] == [
        names[one] for one in order
    ]


def test_a_short_name_has_the_encoding_of_the_other_games() -> None:
    text = '[Red "呂"]\n\n1. C2=5 *\n\n'.encode("big5")
    others = ascii_game(TRADITIONAL, "big5") * 3
    assert records(others + text)[-1].first_name == "呂"
    plain = b'[Red "A"]\n\n1. C2=5 *\n'
    assert records(others + plain)[-1].encoding == "utf-8"  # pure ASCII


def test_two_bytes_that_are_also_utf_8_are_read_as_the_other_games_are() -> None:
    name = "毛强"
    assert name.encode("gb18030").decode() == "\u00eb\u01ff"
    part = f'[Red "{name}"]\n\n1. C2=5 *\n\n'.encode("gb18030")
    found = records(ascii_game(SIMPLIFIED, "gb18030") * 2 + part)
    assert found[-1].first_name == name
    assert encodings_of_part(part, ("gb18030", "utf-8", "big5"))[0] == "gb18030"
    assert encodings_of_part(part, ("utf-8", "gb18030", "big5")) == ("utf-8",)


def test_a_character_cut_in_two_does_not_change_the_encoding() -> None:
    data = ascii_game(TRADITIONAL, "utf-8").replace("華".encode(), "華".encode()[:2], 1)
    record = game(data)
    assert (record.event, record.second_name, record.encoding) == ("全國", "柳大華", "utf-8")
    assert record.first_name == "胡榮\ufffd"


def test_what_is_utf_8_without_an_error_is_nothing_else() -> None:
    for text in ("胡榮華", "\ufffd\ufffd", "é", "陶 \ufffd 炮二平五"):
        assert likely_encodings(text.encode()) == ("utf-8",)
    assert likely_encodings("胡榮華".encode("big5"))[0] == "big5"
    assert len(likely_encodings("胡榮華".encode("big5"))) == 3


@pytest.mark.parametrize(
    "name", ["胡\ufffd華", "\ufffd", "陶 \ufffd", "Á\ufffd", "\ufffd\ufffd\ufffd"]
)
def test_characters_that_were_lost_before_are_read_back(name: str) -> None:
    record = Record(
        moves=[encode_move("h2e2")], notation="squares", first_name=name, comments={1: name}
    )
    back = game(write_pgn(record))
    assert (back.first_name, back.comments, back.encoding) == (name, {1: name}, "utf-8")


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030", "big5"])
@pytest.mark.parametrize(
    "line",
    ["Fortsetzung: 車一平二xx 3. P7+1 P7+1", "（黑方）車一平二 車8進6", "【着法】車一平二 車8進6"],
)
def test_no_encoding_makes_a_trailer_of_moves(line: str, encoding: str) -> None:
    if encoding == "big5":
        line = line.replace("着", "著")
    text = f'[Event "全國賽"]\n[Red "胡榮華"]\n[Result "*"]\n\n1. C2=5 H8+7 2. H2+3 R9=8\n{line}\n'
    found = reject(text, encoding)
    assert found.reason in ("bad_move", "illegal_move")
    assert found.legal_plies >= 4


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030", "big5"])
def test_an_illegal_move_is_one_in_every_encoding(encoding: str) -> None:
    moves = "1. C2=5 H8+7 2. C2=9\n車一平二三四五六七八九 %s"
    found = reject(ascii_game(TRADITIONAL, encoding, moves))
    assert (found.reason, found.legal_plies) == ("illegal_move", 2)
