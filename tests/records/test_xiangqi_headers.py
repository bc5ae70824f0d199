"""Headers of xiangqi games that stand in a file of their own."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest
import zstandard

from tabia.app.commands.convert import convert
from tabia.app.commands.ingest import ingest
from tabia.records.opening import GameFileError
from tests.records.test_stages import Workdir
from tests.records.xiangqi_work import HEADERS, TABLE, TWO, archive, xiangqi


def test_headers_are_joined_with_the_moves_of_their_games(tmp_path: Path) -> None:
    (tmp_path / "headers.csv.zst").write_bytes(zstandard.compress(HEADERS.encode()))
    moves = tmp_path / "moves.csv"
    moves.write_text("gameID,turn,side,move\n7,1,red,C2.5\n7,1,black,h8+7\n9999,1,red,C2.5\n")
    work = Workdir(tmp_path)
    work.games(xiangqi(), [moves], headers=tmp_path / "headers.csv.zst")
    one, other = work.rows("games")
    assert (one["first_name"], one["second_name"]) == ("r7", "b7")
    assert (one["first_elo"], one["second_elo"], one["result"]) == (1500, 1207, 1)
    assert one["date"] == "2017-02-10"
    assert (other["first_name"], other["result"], other["n_plies"]) == (None, None, 1)


def test_what_became_of_headers_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    headers, moves = tmp_path / "headers.csv", tmp_path / "moves.csv"
    headers.write_text(HEADERS + "7,,x,1,y,1,red\n401,,x,1,y,1,nobody\n")
    moves.write_text(f"{TABLE}{TWO}9999,1,red,C2.5\n")
    work = Workdir(tmp_path)
    work.games(xiangqi(), [moves], headers=headers)
    assert f"{headers}: 2 of 3 games joined with one of 400 headers" in (
        told := capsys.readouterr().err
    )
    assert "1 without, the first is game 9999" in told
    assert "2 rows are no headers and left out; the first: " in told
    assert ingest([moves], None, False, 1, headers=headers) == 0
    assert "2 of 3 games joined" in capsys.readouterr().err
    convert([moves], to="pgn-wxf", headers=headers)
    assert "2 of 3 games joined" in capsys.readouterr().err


def test_headers_of_other_games_are_the_users_error(tmp_path: Path) -> None:
    headers, moves = tmp_path / "headers.csv", tmp_path / "moves.csv"
    headers.write_text(HEADERS)
    moves.write_text(f"{TABLE}9999,1,red,C2.5\n")
    other = "none of 400 headers is of a game .* for instance of game 9999"
    with pytest.raises(GameFileError, match=other):
        Workdir(tmp_path).games(xiangqi(), [moves], headers=headers)
    with pytest.raises(GameFileError, match=other):
        ingest([moves], tmp_path / "out", False, 1, headers=headers)
    with pytest.raises(GameFileError, match=other):
        convert([moves], to="ucci", out=tmp_path / "out.ucci", headers=headers)
    assert not (tmp_path / "out/games.parquet").exists()
    assert not (tmp_path / "out.ucci").exists()


def test_a_shard_without_a_header_is_no_error_and_the_summary_counts_such_games(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    headers = tmp_path / "headers.csv"
    headers.write_text(HEADERS)
    texts = {"a.csv": TABLE + TWO, "b.csv": f"{TABLE}9998,1,red,C2.5\n9999,1,red,C2.5\n"}
    work = Workdir(tmp_path)
    for shard, (name, text) in enumerate(texts.items()):
        (tmp_path / name).write_text(text)
        work.games(xiangqi(shards=2), [tmp_path / name], shard, headers=headers)
    assert "0 of 2 games joined with one of 400 headers" in capsys.readouterr().err
    counts = [row for row in work.rows("counts") if row["reason"] == "accepted"]
    assert [(row["joined"], row["unjoined"]) for row in counts] == [(2, 0), (0, 2)]
    work.rest([("x", 0), ("x", 1)])
    rows = pq.read_table(work.path("tables", "records_games"), partitioning=None).to_pylist()
    told = {
        row["source"]: row["value"]
        for row in rows
        if row["metric"] == "games without a header" and row["file"].endswith(("b.csv", "sources"))
    }
    assert told == {"x": 2, "all sources": 2}


def test_headers_of_no_game_of_any_shard_are_the_users_error(tmp_path: Path) -> None:
    headers = tmp_path / "headers.csv"
    headers.write_text(HEADERS)
    work = Workdir(tmp_path)
    for shard in range(2):
        path = tmp_path / f"{shard}.csv"
        path.write_text(f"{TABLE}999{shard},1,red,C2.5\n")
        work.games(xiangqi(shards=2), [path], shard, headers=headers)
    with pytest.raises(GameFileError, match=r"source x: .* none of the 2 games of its tables"):
        work.rest([("x", 0), ("x", 1)])


def test_one_table_of_headers_is_taken_from_an_archive(tmp_path: Path) -> None:
    moves = tmp_path / "moves.csv"
    moves.write_text(TABLE + TWO)
    one, two = tmp_path / "one.tar.zst", tmp_path / "two.tar.zst"
    one.write_bytes(archive({"empty": b"", "headers.csv": HEADERS.encode()}))
    two.write_bytes(archive({"a.csv": HEADERS.encode(), "b.csv": HEADERS.encode()}))
    work = Workdir(tmp_path)
    work.games(xiangqi(), [moves], headers=one)
    assert [row["first_name"] for row in work.rows("games")] == ["r7", "r8"]
    with pytest.raises(GameFileError, match="an archive of 2 files; name one table"):
        work.games(xiangqi(), [moves], headers=two)


def test_headers_that_are_none_are_the_users_error(tmp_path: Path) -> None:
    moves = tmp_path / "moves.csv"
    moves.write_text("gameID,turn,side,move\n7,1,red,C2.5\n")
    with pytest.raises(GameFileError, match="not PlayOK's table of headers") as error:
        Workdir(tmp_path).games(xiangqi(), [moves], headers=moves)
    assert error.value.exit_code == 3
    with pytest.raises(GameFileError, match=r"none\.csv: cannot be read"):
        Workdir(tmp_path).games(xiangqi(), [moves], headers=tmp_path / "none.csv")
