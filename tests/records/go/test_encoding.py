"""Encodings of SGF files: declared, guessed, damaged and mixed."""

from __future__ import annotations

import pytest

from tabia.records.go.read import read
from tests.records.go.sgf import codes, one

TEXT = "(;GM[1]%sPB[%s]C[%s];B[pd];W[dp])"


@pytest.mark.parametrize(
    ("codec", "name", "comment"),
    [
        ("gb18030", "聂卫平", "黑棋先行，白棋应对"),
        ("big5", "聶衛平", "黑棋先行，白棋應對"),
        ("cp932", "武宮正樹", "これは良い手です"),
        ("euc_jp", "武宮正樹", "これは良い手です"),
        ("cp1252", "Jørgen", "Partie créée"),
        ("utf-8", "이창호", "흑이 이겼다"),
    ],
)
def test_encodings_are_found_without_being_named(codec: str, name: str, comment: str) -> None:
    record = one((TEXT % ("", name, comment)).encode(codec))
    assert (record.first_name, record.comments, record.encoding) == (name, {0: comment}, codec)


@pytest.mark.parametrize(
    ("named", "codec", "encoding"),
    [
        ("GB2312", "gb18030", "gb18030"),
        ("gbk", "gb18030", "gb18030"),
        ("Big5", "big5", "big5"),
        ("Shift_JIS", "cp932", "cp932"),
        ("EUC-KR", "cp949", "cp949"),
        ("ISO-8859-1", "cp1252", "cp1252"),
        ("ISO8859_1", "cp1252", "cp1252"),
        ("windows-1251", "cp1251", "cp1251"),
    ],
)
def test_a_named_encoding_is_believed_where_it_fits(named: str, codec: str, encoding: str) -> None:
    name = {"cp949": "이창호", "cp1252": "Zoë", "cp1251": "Шикшин"}.get(codec, "大平")
    record = one((TEXT % (f"CA[{named}]", name, "")).encode(codec))
    assert (record.first_name, record.encoding) == (name, encoding)


def test_a_wrongly_named_encoding_is_not_believed() -> None:
    assert one((TEXT % ("CA[UTF-8]", "聂卫平", "")).encode("gb18030")).first_name == "聂卫平"
    assert one((TEXT % ("CA[Shift_JIS]", "聂卫平", "")).encode()).first_name == "聂卫平"
    assert one((TEXT % ("CA[martian]", "Zoë", "")).encode("cp1252")).first_name == "Zoë"


@pytest.mark.parametrize(
    ("codec", "letter", "byte"),
    [
        ("gb18030", "乗", b"\\"),
        ("big5", "功", b"\\"),
        ("cp932", "表", b"\\"),
        ("gb18030", "甗", b"["),
        ("gb18030", "乚", b"]"),
    ],
)
def test_second_bytes_that_are_backslashes_and_brackets_end_nothing(
    codec: str, letter: str, byte: bytes
) -> None:
    assert letter.encode(codec)[1:] == byte
    record = one((TEXT % (f"CA[{codec}]", "中" + letter, letter)).encode(codec))
    assert (record.first_name, record.comments) == ("中" + letter, {0: letter})
    assert record.moves == codes("pd dp")


def test_damaged_utf8_keeps_what_can_be_read() -> None:
    data = (TEXT % ("", "柯洁", "中国围棋")).encode().replace("洁".encode(), b"\xe6\xb4?")
    record = one(data)
    assert record.first_name == "柯\N{REPLACEMENT CHARACTER}?"
    assert (record.comments, record.encoding) == ({0: "中国围棋"}, "utf-8")


def test_values_of_a_mixed_file_are_read_each_by_itself() -> None:
    head = "(;GM[1]PB[第二届应氏杯]PW[中国围棋协会];B[pd]C[".encode()
    record = one(head + "黑超时罚4点".encode("gb18030") + b"])")
    assert (record.first_name, record.comments) == ("第二届应氏杯", {1: "黑超时罚4点"})


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf16_is_read(codec: str) -> None:
    record = one(("\ufeff" + TEXT % ("", "柯洁", "x")).encode(codec))
    assert (record.first_name, record.moves, record.encoding) == ("柯洁", codes("pd dp"), codec)


def test_places_are_those_of_the_file_as_it_is() -> None:
    games = "(;GM[1]C[中国围棋协会]\n;B[pd])\n(;GM[1]PB[黑棋先行];B[dd])\n"
    for codec in ("gb18030", "utf-8"):
        _, second = read(games.encode(codec), "a")
        assert (second.byte_offset, second.line) == (games.encode(codec).index(b"(;GM[1]PB"), 3)
