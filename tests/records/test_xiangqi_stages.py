"""Xiangqi through the stages of the room, alone and beside chess."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from tabia._native import xiangqi_positions
from tabia._native.xiangqi_board import Board
from tabia.records import reading, xiangqi_files
from tabia.records.xiangqi.write import write_pgn, write_position
from tabia.records.xiangqi_boards import phases
from tabia.tables import schemas
from tests.games.xiangqi_play import random_game
from tests.records.test_stages import SHARES, Workdir, figures, source
from tests.records.xiangqi_work import ENDGAME, GAMES, HEADERS, game, pgn, xiangqi


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


def test_ratings_that_are_none_are_null(tmp_path: Path) -> None:
    file = tmp_path / "x.pgn"
    file.write_bytes(pgn(*(game(n, first_elo=elo) for n, elo in enumerate((None, 5000, 2**40, 1)))))
    work = Workdir(tmp_path)
    work.games(xiangqi(), [file])
    assert [row["first_elo"] for row in work.rows("games")] == [None, None, None, 1]


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
