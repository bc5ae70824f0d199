"""Go through the stages of the room: games, splits, occurrences, positions; archives, blocks."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
import zstandard

from tabia._native.go_board import Board
from tabia.records import reading
from tabia.records.go.record import Record
from tabia.records.go.start import start_text
from tabia.records.go.write import write_sgf
from tabia.records.go_boards import phases
from tabia.records.go_files import Files, GoGames
from tests.records.go.sgf import codes
from tests.records.test_stages import Workdir, figures, source
from tests.records.xiangqi_work import archive

SIZES = (5, 9, 13, 19)


def random_game(number: int, **fields: Any) -> Record:
    """A legal game of 30 moves; every third has two stones of handicap and White moves first."""
    rng, size = random.Random(number), SIZES[number % 4]
    stones = {20: 1, 19 * 3 + 1: 1} if number % 3 == 0 else {}
    start = start_text(size, stones, white_to_move=bool(stones))
    board = Board(start, size=size, ko="simple", allows_suicide=False)
    for _ in range(30):
        board.push(rng.choice(board.legal_moves()[:-1] or [361]))
    default: dict[str, Any] = {
        "first_name": f"Player {number % 7}",
        "second_name": f"Player {number % 5}",
        "first_rank": f"{1 + number % 9}k",
        "second_rank": "9段",
        "first_elo": 2000 - 100 * (number % 9),
        "second_elo": 2600,
        "result": (1, 0, -1)[number % 3],
        "date": "2003-05-12,13",
        "komi": 6.5,
        "handicap": len(stones),
        "rules": "Japanese",
    }
    return Record(moves=board.moves(), board_size=size, start_fen=start, **{**default, **fields})


GAMES = [random_game(number) for number in range(24)]


def go(name: str = "g", shards: int = 1) -> dict[str, Any]:
    return source(name, shards, "people", "go")


def sgf(*records: Record) -> bytes:
    return "".join(map(write_sgf, records)).encode()


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Workdir:
    """Two sources, the second of which repeats games of the first with other results."""
    work = Workdir(tmp_path_factory.mktemp("go"))
    (work.root / "g.sgf").write_bytes(sgf(*GAMES))
    (work.root / "h.sgf").write_bytes(
        sgf(*(replace(one, result=1, komi=0.5) for one in GAMES[:6])) + b"(;SZ[3])"
    )
    work.games(go("g"), [work.root / "g.sgf"])
    work.games(go("h"), [work.root / "h.sgf"])
    work.rest([("g", 0), ("h", 0)])
    return work


def rows_of(work: Workdir, table: str, *sources: str) -> list[dict[str, Any]]:
    return [
        row
        for name in sources
        for row in pq.read_table(work.path(table, name, 0), partitioning=None).to_pylist()
    ]


def test_records_become_rows_of_the_games_table(done: Workdir) -> None:
    rows = rows_of(done, "games", "g")
    same = ("moves", "board_size", "start_fen", "komi", "handicap", "rules", "result")
    players = ("first_name", "second_name", "first_rank", "second_rank", "first_elo", "second_elo")
    for number, (row, record) in enumerate(zip(rows, GAMES, strict=True)):
        for name in (*same, *players):
            assert row[name] == getattr(record, name)
        assert (row["game"], row["variant"], row["ordinal"]) == ("go", "standard", number)
        assert (row["n_plies"], row["date"]) == (30, "2003-05-12")
        assert (row["result_conflict"], row["has_evals"], row["has_clocks"]) == (
            False,
            False,
            False,
        )


def test_the_elo_bins_are_those_of_the_ranks(done: Workdir) -> None:
    rows = rows_of(done, "splits", "g")
    # Bins of 200 from 1000 to 2000; 9 dan of Fox lies outside.
    assert [row["first_elo_bin"] for row in rows[:9]] == [
        *("(1800,2000]", "(1800,2000]", "(1600,1800]", "(1600,1800]"),
        *("(1400,1600]", "(1400,1600]", "(1200,1400]", "(1200,1400]", "(1000,1200]"),
    ]
    assert {row["second_elo_bin"] for row in rows} == {None}


def test_occurrences_are_those_of_a_board_in_python(done: Workdir) -> None:
    expected = set()
    for row in rows_of(done, "games", "g", "h"):
        board = Board(row["start_fen"], ko="simple")
        for ply, move in enumerate([*row["moves"], None]):
            place = (row["game_id"], ply, board.packed(), board.key)
            stones = sum(map(bool, board.stones()))
            phase = (board.size**2 - stones) * 128 // board.size**2
            expected.add((*place, move, phase, 0, "go"))
            if move is not None:
                board.push(move)
    names = ("game_id", "ply", "board", "position_key", "move", "phase", "flags", "game")
    rows = rows_of(done, "occurrences", "g", "h")
    assert {tuple(row[name] for name in names) for row in rows} == expected


def test_positions_are_distinct_and_of_the_split_of_their_game(done: Workdir) -> None:
    positions = [row for bucket in range(3) for row in rows_at(done, bucket)]
    boards = [row["board"] for row in positions]
    assert len(set(boards)) == len(boards)
    assert set(boards) == {row["board"] for row in rows_of(done, "occurrences", "g", "h")}
    split_of = {row["game_id"]: row["split"] for row in rows_of(done, "splits", "g", "h")}
    assert all(row["split"] == split_of[row["game_id"]] for row in positions)


def rows_at(work: Workdir, bucket: int) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pq.read_table(
        work.path("positions", "go", bucket), partitioning=None
    ).to_pylist()
    return rows


def test_repeated_games_are_counted_whatever_their_komi(done: Workdir) -> None:
    found = figures(done, "records_games", "game", "source", "reason")
    assert found["go", "g", "accepted", "games"] == 24
    assert found["go", "h", "accepted", "games"] == 6
    assert found["go", "h", "accepted", "repeated games"] == 6
    assert found["go", "h", "accepted", "repeated games with another result"] == 4
    assert found["go", "h", "bad_size", "games"] == 1
    assert found["go", "all sources", "found", "games"] == 31


def test_the_phase_is_the_share_of_empty_points() -> None:
    texts = ("5/5/5/5/5", "XXXXX/XX1XX/5/5/5", "19/" * 18 + "18X", "1XXXX/XXXXX/XX1XX/XXXXX/XXXXX")
    packed = np.array([list(Board(text).packed()) for text in texts], np.uint8)
    assert phases(packed).tolist() == [128, 128 * 16 // 25, 127, 128 * 2 // 25]


def test_content_does_not_hang_on_where_and_how_a_game_is_written() -> None:
    game = Record(moves=codes("pd dp"))
    same = replace(game, komi=0.5, first_name="x", comments={0: "x"})
    white = Record(moves=codes("pd dp"), start_fen="/".join(["19"] * 19) + " w - 0 0 0")
    nine = Record(moves=codes("ed de"), board_size=9, start_fen="/".join("9" * 9) + " b - 0 0 0")
    assert nine.start_fen is not None
    hashes = GoGames([(0, one) for one in (game, same, white, nine)], []).split_hash
    assert hashes[0] == hashes[1]
    assert len(set(hashes.tolist())) == 3


# -- files ---------------------------------------------------------------------------------


MEMBERS = {
    **{f"{number}.sgf": sgf(GAMES[number]) for number in range(12)},
    "two.sgf": sgf(GAMES[12], GAMES[13]),
    "none.sgf": b"",
    "README": b"no game",
    "bad.sgf": b"(;SZ[9];B[cc];W[cc])" + sgf(GAMES[14]),
}


@pytest.mark.parametrize("shards", [2, 40])
def test_an_archive_in_shards_holds_what_it_holds_in_one(shards: int, tmp_path: Path) -> None:
    file = tmp_path / "all.tar.zst"
    file.write_bytes(archive(MEMBERS))
    whole, cut = Workdir(tmp_path / "whole"), Workdir(tmp_path / "cut")
    whole.games(go(), [file])
    cut.blocks(go(shards=shards), file)

    def key(row: dict[str, Any]) -> tuple[str, int]:
        return row["file"], row["ordinal"]

    for table in ("games", "rejects"):
        assert sorted(cut.rows(table), key=key) == sorted(whole.rows(table), key=key)
    assert len(whole.rows("games")) == 15
    assert {(row["file"].split("::")[1], row["reason"]) for row in whole.rows("rejects")} == {
        ("bad.sgf", "illegal_move"),
        ("README", "bad_file"),
    }
    assert sum(row["games"] for row in whole.rows("counts")) == 17


def test_a_file_that_breaks_off_keeps_the_games_before(tmp_path: Path) -> None:
    file = tmp_path / "g.sgf.zst"
    packed = zstandard.ZstdCompressor().compressobj()
    begun = packed.compress(sgf(GAMES[1], GAMES[2])) + packed.flush(
        zstandard.COMPRESSOBJ_FLUSH_BLOCK
    )
    rest = packed.compress(sgf(GAMES[3])) + packed.flush()
    file.write_bytes(begun + rest[: len(rest) // 2])
    fates = Counter[str]()
    games: list[list[int]] = []
    for batch in reading.read_file(file, game="go"):
        if batch.fault is not None:
            fates[batch.fault.reason] += 1
            assert batch.ordinal == len(games)
        if batch.parsed is not None:
            assert isinstance(batch.parsed, GoGames)
            games += [game.moves for _, game in batch.parsed.games]
    # The second may lack its end, so that it is part of the fault.
    assert fates == {"corrupt_file": 1}
    assert games == [GAMES[1].moves]


def test_go_has_no_headers_in_a_file_of_their_own(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no headers"):
        Files(tmp_path / "headers.csv")
