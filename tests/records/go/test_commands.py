"""``tabia ingest`` and ``tabia convert`` on Go files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tabia.app.commands.convert import SGF, NoGameError, convert
from tabia.app.commands.ingest import ingest
from tabia.records.go.read import read
from tabia.records.opening import GameFileError
from tabia.records.which_game import game_of_file, game_of_text
from tests.records.go.sgf import codes, one
from tests.records.go.test_stages import GAMES, sgf
from tests.records.xiangqi_work import archive

TEXT = "(;GM[1]SZ[9]PB[聂卫平]KM[650];B[cc]BL[9](;W[dd];W[])(;W[ee]))"


@pytest.mark.parametrize(
    "content",
    [
        b"(;GM[1];B[pd])",
        b"\xef\xbb\xbf ( ; PB[x];B[pd])",
        b";GM[1]FF[4];B[pd])",
        b"On April 4 they played.\n\n(;\nGM[1])\n(;\nSZ[9])",
        "(;SZ[9])".encode("utf-16"),
    ],
)
def test_sgf_is_known_by_its_content(content: bytes, tmp_path: Path) -> None:
    assert game_of_text(content) == "go"
    (tmp_path / "all.tar.zst").write_bytes(archive({"README": b"games", "x": content}))
    assert game_of_file(tmp_path / "all.tar.zst") == "go"


def test_comments_of_chess_are_no_sgf() -> None:
    assert game_of_text(b'[White "A"]\n\n1. e4 (;B[pd] is Go) e5 2. Nf3 *\n') == "chess"


def test_ingest_counts_go_and_writes_its_tables(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "g.sgf").write_bytes(sgf(*GAMES[:3]) + b"(;SZ[9];B[cc];W[cc])")
    assert ingest([tmp_path / "g.sgf"], None, True, 1) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["total"]["game"] == "go"
    assert (told["total"]["found"], told["total"]["accepted"]) == (4, 3)
    assert told["rejects"][0]["detail"] == "ply 2: W[cc] (C7) on a stone"
    with pytest.raises(GameFileError, match=r"these are go; leave --headers out"):
        ingest([tmp_path / "g.sgf"], None, False, 1, headers=tmp_path / "g.sgf")


def test_convert_writes_the_main_line_as_sgf(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.sgf").write_bytes(TEXT.encode("gb18030") + b"(;SZ[3])")
    convert([tmp_path / "a.sgf"], to=SGF)
    out, err = capsys.readouterr()
    assert out == (
        "(;GM[1]FF[4]CA[UTF-8]AP[tabia]SZ[9]KM[6.5]PB[聂卫平]RE[?]PL[B]\n;B[cc];W[dd];B[];W[])\n"
    )
    assert one(out).moves == codes("cc dd - -")
    assert "1 game written, 1 rejected (bad_size 1); 1 side line left out" in err


def test_what_convert_writes_it_reads_again_to_the_byte(tmp_path: Path) -> None:
    (tmp_path / "all.tar.zst").write_bytes(archive({"a": sgf(*GAMES[:9]), "b": sgf(*GAMES[9:])}))
    convert([tmp_path / "all.tar.zst"], to=SGF, out=tmp_path / "one.sgf")
    convert([tmp_path / "one.sgf"], to=SGF, out=tmp_path / "two.sgf")
    assert (tmp_path / "one.sgf").read_bytes() == (tmp_path / "two.sgf").read_bytes()
    assert list(read((tmp_path / "two.sgf").read_bytes())) == GAMES


def test_convert_tells_what_does_not_go_together(tmp_path: Path) -> None:
    (tmp_path / "a.sgf").write_text(TEXT)
    (tmp_path / "a.pgn").write_text('[White "A"]\n\n1. e4 e5 *\n')
    with pytest.raises(GameFileError, match="--from is about files of xiangqi"):
        convert([tmp_path / "a.sgf"], to=SGF, source_format="pgn")
    with pytest.raises(NoGameError, match=r"looks like chess.*bad_file 1"):
        convert([tmp_path / "a.pgn"], to=SGF)
    with pytest.raises(NoGameError, match="bad_file 1"):
        convert([tmp_path / "a.sgf"], to="pgn-wxf")
