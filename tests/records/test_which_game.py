"""Which game a file is of, by its content."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tabia.app.commands.ingest import ingest
from tabia.records.which_game import game_of_file, game_of_text
from tests.records.xiangqi_work import ENDGAME, GAMES, HEADERS, archive, pgn

WHITE = '[White "A"]\n[Black "B"]\n\n'


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (pgn(GAMES[0]), "xiangqi"),
        (b'[Event "x"]\n[Red "A"]\n[Black "B"]\n\n1. h2e2 h9g7\n', "xiangqi"),
        (f'[FEN "{ENDGAME}"]\n\n1. K5=4 *\n'.encode(), "xiangqi"),
        (HEADERS.encode(), "xiangqi"),
        (b"position startpos moves h2e2 h9g7\n", "xiangqi"),
        (f"{WHITE}1. 炮二平五 馬８進７ 2. 馬二進三 1-0\n".encode(), "xiangqi"),
        (f"{WHITE}1. 炮二平五 马8进7 1-0\n".encode("gb18030"), "xiangqi"),
        (f"{WHITE}1. 炮二平五 馬８進７ 1-0\n".encode("big5"), "xiangqi"),
        (f"{WHITE}1. 炮二平五 馬８進７ 1-0\n".encode("utf-16"), "xiangqi"),
        ("1. 炮二平五 馬８進７ 2. 馬二進三 1-0\n".encode(), "xiangqi"),
        (f"{WHITE}1. C2=5 H8+7 2. H2+3 1-0\n".encode(), "xiangqi"),
        (f"{WHITE}1. Ｃ２＝５ Ｈ８＋７ 1-0\n".encode(), "xiangqi"),
        (b"1.C2.5 h8+7 2.H2+3 1-0\n", "xiangqi"),
        (f"{WHITE}1. H2-E2 H9-G7 2. H0-G2 *\n".encode(), "xiangqi"),
        (f"{WHITE}1. e4 {{like 炮二平五 馬８進７}} e5 *\n".encode(), "chess"),
        (b"1. e4 e5 2. Nf3 Nc6 3. O-O *\n", "chess"),
        (b"position startpos moves e2e4 e7e5\n", None),
        (b'[Event "x"]\n[White "A"]\n[Black "B"]\n\n1. e4 e5 *\n', "chess"),
        (b'[FEN "4k3/8/8/8/8/8/8/4K3 w - - 0 1"]\n\n1. Kd1 *\n', "chess"),
        (b"<html></html>", None),
        (b"", None),
    ],
)
def test_the_game_of_a_file_is_told_where_its_content_is_sure(
    content: bytes, expected: str | None, tmp_path: Path
) -> None:
    (tmp_path / "f").write_bytes(content)
    assert game_of_file(tmp_path / "f") == expected
    (tmp_path / "g").write_bytes(archive({"empty": b"", "f": content}))
    assert game_of_file(tmp_path / "g") == expected


CHESS = b"1. e4 e5 2. Nf3 Nc6 *\n"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"README": b"All games are a gift.", "a.pgn": pgn(GAMES[0])}, "xiangqi"),
        ({"README": b"All games are a gift.", "a.pgn": CHESS}, "chess"),
        ({"LICENSE": b"words " * 20_000, "a.pgn": pgn(GAMES[0])}, "xiangqi"),
        ({"a.pgn": CHESS, "b.pgn": pgn(GAMES[0]), "c.pgn": pgn(GAMES[1])}, "xiangqi"),
        ({"a.pgn": pgn(GAMES[0]), "b.pgn": CHESS, "c.pgn": CHESS}, "chess"),
    ],
)
def test_the_game_of_an_archive_is_that_of_most_of_its_members(
    files: dict[str, bytes], expected: str, tmp_path: Path
) -> None:
    (tmp_path / "f").write_bytes(archive(files))
    assert game_of_file(tmp_path / "f") == expected


@pytest.mark.parametrize(
    "rubbish", [b"\n", b"[ ", b'[a "', b"{", b"fen ", b"1", b"\n%", b"[red", b"/a"]
)
def test_no_head_of_a_file_takes_long(rubbish: bytes) -> None:
    start = time.perf_counter()
    game_of_text(b"1. e4\n" + rubbish * (65536 // len(rubbish)))
    assert time.perf_counter() - start < 2  # a hundredth of a second; quadratic time is minutes


@pytest.mark.parametrize(
    "movetext", ["1. 炮二平五 馬８進７ 2. 馬二進三 1-0\n", "1. C2=5 H8+7 2. H2+3 1-0\n"]
)
@pytest.mark.parametrize("tags", [WHITE, ""])
def test_ingest_reads_xiangqi_without_its_tags_as_xiangqi(
    movetext: str, tags: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.pgn").write_text(tags + movetext)
    ingest([tmp_path / "a.pgn"], tmp_path, True, 1)
    total = json.loads(capsys.readouterr().out)["total"]
    assert (total["game"], total["accepted"], total["rejected"]) == ("xiangqi", 1, 0)
    assert pq.read_table(tmp_path / "games.parquet")["n_plies"].to_pylist() == [3]
