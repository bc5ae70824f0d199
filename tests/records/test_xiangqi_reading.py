"""Files of xiangqi that are packed, large, or break off."""

from __future__ import annotations

import gzip
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import zstandard

from tabia._native.xiangqi_board import encode_move
from tabia.records import xiangqi_members
from tabia.records.xiangqi.record import Record, Reject
from tabia.records.xiangqi.write import write_pgn
from tests.records.test_stages import Workdir
from tests.records.xiangqi.program_files import Game, cbl
from tests.records.xiangqi_work import GAMES, TABLE, TWO, archive, pgn, xiangqi

MEMBERS = {
    **{f"{number}.pgn": pgn(GAMES[number]) for number in range(20)},
    "two.pgn": pgn(GAMES[20], GAMES[21]),
    "none.pgn": b"",
    "other.bin": b"\x89PNG\r\n\x1a\n" + bytes(50),
    "bad.pgn": pgn(GAMES[22]).replace(b"\n1. ", b"\n1. K9+9 ", 1) + pgn(GAMES[23]),
}


@pytest.mark.parametrize("shards", [2, 5, 40])
def test_an_archive_in_shards_holds_what_it_holds_in_one(shards: int, tmp_path: Path) -> None:
    file = tmp_path / "all.tar.zst"
    file.write_bytes(archive(MEMBERS))
    whole, cut = Workdir(tmp_path / "whole"), Workdir(tmp_path / "cut")
    whole.games(xiangqi(), [file])
    cut.blocks(xiangqi(shards=shards), file)

    def key(row: dict[str, Any]) -> tuple[str, int]:
        return row["file"], row["ordinal"]

    for table in ("games", "rejects"):
        assert sorted(cut.rows(table), key=key) == sorted(whole.rows(table), key=key)
    assert len(whole.rows("games")) == 23
    assert {(row["file"].split("::")[1], row["ordinal"]) for row in whole.rows("rejects")} == {
        ("bad.pgn", 0),
        ("other.bin", 0),
    }
    totals: Counter[tuple[str, str]] = Counter()
    for row in cut.rows("counts"):
        totals[row["file"], row["reason"]] += row["games"]
    assert totals == Counter(
        {(row["file"], row["reason"]): row["games"] for row in whole.rows("counts")}
    )
    assert len({row["file"] for row in whole.rows("counts")}) == len(MEMBERS)


def test_a_file_too_large_for_one_piece_is_one_reject(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(xiangqi_members, "LARGEST", 2000)
    large = pgn(*GAMES[:10])
    assert len(large) > 2000
    file = tmp_path / "all.tar.zst"
    file.write_bytes(archive({"a.pgn": large, "b.pgn": pgn(GAMES[0])}))
    work = Workdir(tmp_path)
    work.games(xiangqi(), [file])
    (reject,) = work.rows("rejects")
    assert reject["reason"] == "too_large"
    assert f"{len(large):,} bytes; at most 2,000" in reject["detail"]
    assert [row["moves"] for row in work.rows("games")] == [GAMES[0].moves]


@pytest.mark.parametrize("in_blocks", [False, True])
def test_a_file_that_breaks_off_keeps_the_games_before(in_blocks: bool, tmp_path: Path) -> None:
    file = tmp_path / "x.pgn.zst"
    frames = [zstandard.compress(pgn(record)) for record in GAMES]
    file.write_bytes(b"".join(frames)[:-200])
    work = Workdir(tmp_path)
    if in_blocks:
        work.blocks(xiangqi(shards=2), file)
    else:
        work.games(xiangqi(), [file])
    (reject,) = work.rows("rejects")
    kept = [row["moves"] for row in sorted(work.rows("games"), key=lambda row: row["ordinal"])]
    assert reject["reason"] == "corrupt_file"
    assert reject["ordinal"] == len(kept)
    assert kept == [record.moves for record in GAMES[: len(kept)]]
    assert 20 < len(kept) < 30
    text = pgn(*GAMES)
    assert text[reject["byte_offset"] :].startswith(b'[Game "Chinese Chess"]\n')
    assert text[: reject["byte_offset"]].count(b"\n") == reject["line"] - 1


@pytest.mark.parametrize("in_blocks", [False, True])
def test_a_table_of_moves_that_breaks_off_gives_no_shortened_game(
    in_blocks: bool, tmp_path: Path
) -> None:
    file = tmp_path / "moves.csv.gz"
    file.write_bytes(gzip.compress((TABLE + TWO).encode())[:-9])
    work = Workdir(tmp_path)
    if in_blocks:
        work.blocks(xiangqi(shards=2), file)
    else:
        work.games(xiangqi(), [file])
    assert work.rows("games") == []
    (reject,) = work.rows("rejects")
    assert (reject["reason"], reject["ordinal"]) == ("corrupt_file", 0)
    assert "rows of any game may be missing" in reject["detail"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "gb18030"])
def test_a_text_that_breaks_off_keeps_its_games_in_every_encoding(
    encoding: str, tmp_path: Path
) -> None:
    text = "".join(write_pgn(record, "chinese_simplified") for record in GAMES[:6]).encode(encoding)
    file = tmp_path / "x.pgn.gz"
    file.write_bytes(gzip.compress(text)[:-9])
    work = Workdir(tmp_path)
    work.games(xiangqi(), [file])
    assert [row["moves"] for row in work.rows("games")] == [one.moves for one in GAMES[:5]]
    (reject,) = work.rows("rejects")
    assert (reject["reason"], reject["ordinal"]) == ("corrupt_file", 5)
    assert text[reject["byte_offset"] :].decode(encoding.replace("16", "16-le")).startswith("[Game")


def test_a_library_that_breaks_off_is_not_read_by_its_index(tmp_path: Path) -> None:
    moves = [encode_move(text) for text in ("h2e2", "h9g7")]
    file = tmp_path / "x.cbl.gz"
    file.write_bytes(gzip.compress(cbl([Game(moves), Game(moves), Game(moves)]))[:-9])
    items = [
        item
        for content in xiangqi_members.Reader().contents(file)
        for item in xiangqi_members.Reader().records(content)
    ]
    assert {item.reason for item in items if isinstance(item, Reject)} == {"corrupt_file"}
    assert all(item.moves == moves for item in items if isinstance(item, Record))


def test_a_table_may_be_a_quarter_as_large_as_other_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(xiangqi_members, "LARGEST_TABLE", len(TABLE + TWO) - 1)
    (tmp_path / "moves.csv").write_text(TABLE + TWO)
    (tmp_path / "x.pgn").write_bytes(pgn(GAMES[0]))
    work = Workdir(tmp_path)
    work.games(xiangqi(), [tmp_path / "moves.csv", tmp_path / "x.pgn"])
    assert [row["reason"] for row in work.rows("rejects")] == ["too_large"]
    assert len(work.rows("games")) == 1


def test_the_same_input_gives_the_same_bytes(tmp_path: Path) -> None:
    file = tmp_path / "all.tar.zst"
    file.write_bytes(archive(MEMBERS))
    contents = []
    for name in ("one", "two"):
        work = Workdir(tmp_path / name)
        work.blocks(xiangqi(shards=2), file)
        work.rest([("x", 0), ("x", 1)])
        files = sorted(path for path in work.root.rglob("*") if path.is_file())
        contents.append({str(p.relative_to(work.root)): p.read_bytes() for p in files})
    assert contents[0] == contents[1]
