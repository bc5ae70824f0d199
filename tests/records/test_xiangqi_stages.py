"""Xiangqi through the stages of the room, alone and beside chess."""

from __future__ import annotations

import gzip
import io
import json
import random
import tarfile
import time
from collections import Counter, defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
import zstandard

from tabia._native import xiangqi_positions
from tabia._native.xiangqi_board import Board, encode_move
from tabia.app.commands.convert import convert
from tabia.app.commands.ingest import ingest
from tabia.records import reading, xiangqi_files, xiangqi_members
from tabia.records.opening import GameFileError
from tabia.records.which_game import game_of_file, game_of_text
from tabia.records.xiangqi.record import Record, Reject
from tabia.records.xiangqi.write import write_pgn, write_position
from tabia.records.xiangqi_boards import phases
from tabia.tables import schemas
from tests.games.xiangqi_play import random_game
from tests.records.test_stages import SHARES, Workdir, figures, source
from tests.records.xiangqi.program_files import Game, cbl

ENDGAME = "4k4/9/9/9/9/9/4P4/9/9/R3K4 w - - 0 1"


def game(number: int, **fields: Any) -> Record:
    rng = random.Random(number)
    default: dict[str, Any] = {
        "event": f"Round {number}",
        "date": "2020-01",
        "first_name": f"Player {number % 7}",
        "second_name": f"Player {number % 5}",
        "first_elo": 1000 + 20 * number,
        "second_elo": 1300,
        "result": (1, 0, -1)[number % 3],
    }
    return Record(
        moves=random_game(rng, 20 + number).moves(), notation="wxf", **{**default, **fields}
    )


GAMES = [game(number) for number in range(30)]


def pgn(*records: Record) -> bytes:
    return "".join(write_pgn(record) for record in records).encode()


def xiangqi(name: str = "x", shards: int = 1) -> dict[str, Any]:
    return source(name, shards, "engines", "xiangqi")


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory, corpus: bytes) -> Workdir:
    """A source of chess and two of xiangqi, the second of which repeats games of the first."""
    work = Workdir(tmp_path_factory.mktemp("both"))
    (work.root / "c.pgn").write_bytes(corpus)
    (work.root / "x.pgn").write_bytes(pgn(*GAMES))
    again = [replace(GAMES[0], result=None), *(replace(one, result=1) for one in GAMES[1:7])]
    (work.root / "y.pgn").write_bytes(pgn(*again))
    work.games(source("c"), [work.root / "c.pgn"])
    work.games(xiangqi("x"), [work.root / "x.pgn"])
    work.games(xiangqi("y"), [work.root / "y.pgn"])
    work.rest([("c", 0), ("x", 0), ("y", 0)])
    return work


def rows_of(work: Workdir, table: str, *sources: str) -> list[dict[str, Any]]:
    return [
        row
        for name in sources
        for row in pq.read_table(work.path(table, name, 0), partitioning=None).to_pylist()
    ]


def test_records_become_rows_of_the_games_table(both: Workdir) -> None:
    rows = rows_of(both, "games", "x")
    for number, (row, record) in enumerate(zip(rows, GAMES, strict=True)):
        assert (row["game"], row["variant"], row["start_fen"]) == ("xiangqi", "standard", None)
        assert row["moves"] == record.moves
        assert row["n_plies"] == len(record.moves)
        for name in ("event", "date", "first_name", "second_name", "first_elo", "result"):
            assert row[name] == getattr(record, name)
        assert (row["ordinal"], row["played_by"]) == (number, "engines")


def test_occurrences_are_those_of_a_board_in_python(both: Workdir) -> None:
    expected = set()
    for row in rows_of(both, "games", "x", "y"):
        board = Board()
        for ply, move in enumerate([*row["moves"], None]):
            flags = board.is_check + 2 * (not board.has_legal_move)
            place = (row["game_id"], ply, board.packed(), board.key)
            expected.add((*place, move, flags, "xiangqi"))
            if move is not None:
                board.push(move)
    names = ("game_id", "ply", "board", "position_key", "move", "flags", "game")
    rows = rows_of(both, "occurrences", "x", "y")
    assert {tuple(row[name] for name in names) for row in rows} == expected


def test_positions_of_each_game_are_apart_and_distinct(both: Workdir) -> None:
    owned = defaultdict(set)
    for row in rows_of(both, "games", "c", "x", "y"):
        owned[row["game"]].add(row["game_id"])
    for name in ("chess", "xiangqi"):
        schema = pq.read_schema(both.path("positions", name, 0)).remove_metadata()
        assert schema.equals(schemas.of_game(schemas.POSITIONS, name))
        rows = [
            row
            for bucket in range(3)
            for row in pq.read_table(
                both.path("positions", name, bucket), partitioning=None
            ).to_pylist()
        ]
        assert {row["game"] for row in rows} == {name}
        assert {row["game_id"] for row in rows} <= owned[name]
        boards = [row["board"] for row in rows]
        assert len(set(boards)) == len(boards)
        sources = ("c",) if name == "chess" else ("x", "y")
        assert set(boards) == {row["board"] for row in rows_of(both, "occurrences", *sources)}


def test_boards_of_45_bytes_that_share_a_key_stay_apart() -> None:
    from tabia.records.positions import _words  # the words that boards are compared by

    boards = [random_game(random.Random(n), n).packed() for n in range(40)]
    boards += [bytes(44) + bytes([last]) for last in (1, 2, 128)]
    table = schemas.of_game(schemas.OCCURRENCES, "xiangqi").empty_table().select(["board"])
    table = table.from_pylist([{"board": board} for board in boards], table.schema)
    words = [tuple(row) for row in _words(table).tolist()]
    assert sorted(range(len(boards)), key=words.__getitem__) == (
        sorted(range(len(boards)), key=boards.__getitem__)
    )
    assert len(set(words)) == len(set(boards))
    assert [tuple(row) for row in _words(table.slice(7)).tolist()] == words[7:]


def test_the_phase_counts_rooks_twice_and_horses_and_cannons_once() -> None:
    fens = [Board().fen(), ENDGAME, "3k5/9/9/9/9/9/9/9/9/4K4 w", "2cnk1r2/9/9/9/9/9/9/9/9/3K5 w"]
    boards = xiangqi_positions.boards_from_fens(fens)
    assert phases(boards).tolist() == [128, 16, 0, 32]
    pieces = xiangqi_positions.piece_codes(boards[:1])[0]
    assert sum(Counter(pieces.tolist())[code] for code in (5, 12)) == 4


# -- result tables -------------------------------------------------------------------------


def test_no_row_adds_up_two_games(both: Workdir) -> None:
    found = figures(both, "records_games", "game", "source", "reason")
    assert found["chess", "all sources", "found", "games"] == 126
    assert found["xiangqi", "all sources", "found", "games"] == 37
    assert found["xiangqi", "x", "accepted", "games"] == 30
    bins = figures(both, "records_elo_bins", "game", "elo_bin_by", "elo_bin", "split")
    for name, games in (("chess", 120), ("xiangqi", 37)):
        counts = [n for (of, who, *_, metric), n in bins.items()
                  if (of, who, metric) == (name, "first", "games")]  # fmt: skip
        assert sum(counts) == games
    leaks = figures(both, "records_leakage", "game", "split", "other_split", "what")
    names = {row["split"] for row in both.rows("splits")}
    assert names == set(SHARES)
    for name in ("chess", "xiangqi"):
        assert leaks[name, "train", "test", "positions", "shared"] > 0
        assert leaks[name, "train", "test", "owned positions", "shared"] == 0
    players = {
        row[f"{side}_name"]
        for row in rows_of(both, "games", "x", "y")
        for side in ("first", "second")
    }
    assert leaks["xiangqi", "train", "test", "players", "in split"] <= len(players)


def test_copies_that_say_another_result_are_counted(both: Workdir) -> None:
    found = figures(both, "records_games", "game", "source", "reason")
    # Of seven copies one says nothing; games 1 to 6 had the results 0, -1, 1, 0, -1, 1 and have 1.
    assert found["xiangqi", "y", "accepted", "repeated games"] == 7
    assert found["xiangqi", "y", "accepted", "repeated games with another result"] == 4
    assert found["xiangqi", "y", "accepted", "games with several results"] == 0
    assert found["xiangqi", "x", "accepted", "games with several results"] == 4
    assert found["xiangqi", "all sources", "accepted", "games with several results"] == 4
    assert found["chess", "all sources", "accepted", "games with several results"] == 0
    assert len(rows_of(both, "games", "y")) == 7  # kept all the same


def test_a_known_result_after_an_unknown_one_is_no_other_result(tmp_path: Path) -> None:
    (tmp_path / "x.pgn").write_bytes(
        pgn(*(replace(GAMES[3], result=result) for result in (None, 0, None, 0, 1, -1)))
    )
    work = Workdir(tmp_path)
    work.games(xiangqi(), [tmp_path / "x.pgn"])
    work.rest([("x", 0)])
    found = figures(work, "records_games", "source", "reason")
    assert found["x", "accepted", "repeated games"] == 5
    assert found["x", "accepted", "repeated games with another result"] == 2
    assert found["x", "accepted", "games with several results"] == 1


def test_a_repeated_game_has_its_hash_in_every_notation(tmp_path: Path) -> None:
    record = game(40)
    texts = {
        "a.pgn": write_pgn(record, "wxf"),
        "b.pgn": write_pgn(record, "chinese_traditional"),
        "c.ucci": write_position(record),
        "d.pgn": write_pgn(replace(record, start_fen=Board().fen())),
        "e.pgn": write_pgn(replace(record, start_fen=f"{Board().epd()} 3 7")),
    }
    hashes = set()
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
        for batch in reading.read_file(tmp_path / name, game="xiangqi"):
            assert batch.parsed is not None
            hashes |= set(batch.parsed.split_hash.tolist())
    assert len(hashes) == 1


@pytest.mark.parametrize("change", ["move", "start"])
def test_another_game_has_another_hash(change: str) -> None:
    record = game(41)
    if change == "move":
        other = replace(record, moves=record.moves[:-1])
    else:
        other = replace(record, start_fen=ENDGAME)
    one, two = (
        xiangqi_files.XiangqiGames([(0, item)], []).split_hash[0] for item in (record, other)
    )
    assert one != two


# -- games without moves -------------------------------------------------------------------

HEADERS = "gameID,game_datetime,blackID,blackELO,redID,redELO,winner\n" + "".join(
    f"{number},2017-02-10 13:11:10,b{number % 90},{1200 + number},r{number},1500,red\n"
    for number in range(400)
)


def bare(kind: str) -> bytes:
    if kind == "xiangqi":
        return HEADERS.encode()
    return "".join(
        f'[Event "e{n}"]\n[White "w{n}"]\n[Black "b"]\n[Result "1-0"]\n\n1-0\n\n'
        for n in range(400)
    ).encode()


@pytest.mark.parametrize("name", ["chess", "xiangqi"])
def test_games_without_moves_are_no_copies_and_leak_no_position(name: str, tmp_path: Path) -> None:
    file = tmp_path / "headers"
    file.write_bytes(bare(name))
    work = Workdir(tmp_path)
    work.games(source("s", game=name), [file])
    work.rest([("s", 0)])
    found = figures(work, "records_games", "reason")
    assert found["accepted", "games"] == 400
    assert found["accepted", "repeated games"] == 0
    assert work.rows("occurrences") == work.rows("positions") == []
    leaks = figures(work, "records_leakage", "split", "other_split", "what")
    assert leaks["train", "test", "positions", "in split"] == 0
    splits = Counter(row["split"] for row in work.rows("splits"))
    assert 150 < splits["train"] < 250  # they do not fall into one split together
    bins = figures(work, "records_elo_bins", "elo_bin_by", "elo_bin", "split")
    assert {value for (*_, metric), value in bins.items() if metric == "positions"} == {0}


@pytest.mark.parametrize("name", ["chess", "xiangqi"])
def test_the_same_header_in_two_files_falls_into_one_split(name: str, tmp_path: Path) -> None:
    files = [tmp_path / "one", tmp_path / "two"]
    for file in files:
        file.write_bytes(bare(name))
    work = Workdir(tmp_path)
    work.games(source("s", game=name), files)
    by_file = defaultdict(list)
    for row in work.rows("games"):
        by_file[row["file"]].append(row["split_hash"])
    one, two = by_file.values()
    assert one == two
    assert len(set(one)) == 400


# -- files ---------------------------------------------------------------------------------


def archive(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
    return zstandard.compress(out.getvalue())


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


TABLE = "gameID,turn,side,move\n"
TWO = "7,1,red,C2.5\n8,1,red,C2.5\n7,1,black,h8+7\n8,1,black,h8+7\n8,2,red,H2+3\n7,2,red,H2+3\n"


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


def test_ratings_that_are_none_are_null(tmp_path: Path) -> None:
    file = tmp_path / "x.pgn"
    file.write_bytes(pgn(*(game(n, first_elo=elo) for n, elo in enumerate((None, 5000, 2**40, 1)))))
    work = Workdir(tmp_path)
    work.games(xiangqi(), [file])
    assert [row["first_elo"] for row in work.rows("games")] == [None, None, None, 1]


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


def test_copies_in_arrays_are_those_of_the_result_table(both: Workdir) -> None:
    from tabia.records.hashing import copies

    rows = rows_of(both, "games", "x", "y")
    is_copy, differs = copies(
        np.array([row["split_hash"] for row in rows], np.uint64),
        np.array([row["n_plies"] for row in rows], np.int32),
        np.array([reading.NO_RESULT if row["result"] is None else row["result"] for row in rows],
                 np.int8),
        reading.NO_RESULT,
    )  # fmt: skip
    found = figures(both, "records_games", "game", "source", "reason")
    everywhere = ("xiangqi", "all sources", "accepted")
    assert is_copy.sum() == found[*everywhere, "repeated games"]
    assert differs.sum() == found[*everywhere, "repeated games with another result"]
