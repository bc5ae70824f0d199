"""Names and messages of commands stand on one line."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest

from tabia.app.commands.convert import NoGameError, convert
from tabia.app.commands.ingest import ingest
from tabia.app.commands.one_line import columns, one_line, padded


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a::中文 b\u3000c’.pgn", "a::中文 b\u3000c’.pgn"),
        ("a\nb\r\tc", r"a\nb\r\tc"),
        ("\x1b[31m\x00\u2028\u202e", r"\x1b[31m\x00\u2028\u202e"),
        ("", ""),
    ],
)
def test_what_would_break_a_line_is_escaped(text: str, shown: str) -> None:
    assert one_line(text) == shown


@pytest.mark.parametrize(
    ("text", "taken"),
    [("", 0), ("abc", 3), ("中局a", 5), ("Ｃ２＝５", 8), ("e\u0301t", 2), ("é", 1)],
)
def test_a_chinese_character_takes_two_columns(text: str, taken: int) -> None:
    assert columns(text) == taken
    assert columns(padded(text, 9)) == 9


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "odd.tar"
    with tarfile.open(path, "w") as file:
        for name, data in (("a\nb\x1b[0m.pgn", b"1. C2=5 H8+7 *\n"), ("c\nd.pgn", b"1. C2=4x *\n")):
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            file.addfile(entry, io.BytesIO(data))
    return path


def test_a_table_has_a_line_for_each_file_whatever_its_name(
    archive: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ingest([archive], None, False, 1, game="xiangqi")
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 6  # heads, two files, a reason, the sum and its reason
    assert lines[1].startswith(rf"{archive}::a\nb\x1b[0m.pgn  xiangqi ")
    assert lines[2].startswith(rf"{archive}::c\nd.pgn ")


def test_what_is_told_of_a_reject_is_one_line(
    archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    convert([archive], to="uci", out=tmp_path / "out")
    told = capsys.readouterr().err
    assert r"c\nd.pgn, line 1: bad_move: " in told
    assert sum(line.startswith("rejected") for line in told.splitlines()) == 1
    bad = tmp_path / "no\ngame.pgn"
    bad.write_bytes(b"nothing")
    with pytest.raises(NoGameError, match=r"no game in [^\n]*no\\ngame.pgn[^\n]*$"):
        convert([bad], to="uci")
