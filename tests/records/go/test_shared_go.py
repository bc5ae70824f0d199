"""All real Go records, counted; skipped where they are absent.

Every file is read with ``TABIA_GO_FILES=all``; otherwise every 25th of each archive, and those that
are named here.
"""

from __future__ import annotations

import os
from collections import Counter
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from tabia._native.go_board import Board
from tabia.records.go.read import read
from tabia.records.go.record import Record, Reject
from tabia.records.go.write import write_sgf
from tabia.records.opening import members
from tests.records.go.sgf import codes

GO = (
    Path(os.environ.get("TABIA_SHARED", Path(__file__).resolve().parents[4] / "shared")) / "data/go"
)

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not GO.is_dir(), reason=f"no real games in {GO}"),
]

FULL = os.environ.get("TABIA_GO_FILES") == "all"
STEP = 1 if FULL else 25

FOX = "fox_pro_10349.sgf.tar.zst"
GNUGO = "gnugo38_regression_1619.sgf.tar.zst"
KGS_2002 = "kgs_2001_2002_2017h1_10589.sgf.tar.zst"
KGS_2003 = "kgs_2003_7582.sgf.tar.zst"

REJECTED = {
    "9p/1507468590010001941.sgf": ("bad_record", "byte 1,116: 'W['", 154),
    "9p/1511855947010001660.sgf": ("bad_record", "byte 1,114: 'B[sd'", 152),
    "/1513793745010002646.sgf": ("illegal_move", "ply 127: W[ii] (J11) on a stone", 126),
    "/1550647483080010073.sgf": ("illegal_move", "ply 282: W[rs] (S1) retakes a ko at once", 281),
    "_semeai_C9_018.sgf": ("bad_setup", "behind ply 61, and moves follow", 61),
    "tiny/2x2.sgf": ("bad_size", "SZ[2]", 0),
    "tiny/3x3a.sgf": ("bad_size", "SZ[3]", 0),
    "tiny/3x3b.sgf": ("bad_size", "SZ[3]", 0),
    "tiny/4x4a.sgf": ("bad_size", "SZ[4]", 0),
}
"""Ends of the names of files that are no games: reason, part of the detail, legal plies."""

NAMED = (
    *REJECTED,
    "/1501775164019999283.sgf",  # without its closing parenthesis
    "/1550471903080010073.sgf",  # without its opening parenthesis
    "/1550647590080010073.sgf",  # a comment in GB18030 among UTF-8
    "/1465657249019999187.sgf",
    "/1500550457019999707.sgf",
    "games/9handicap.sgf",
    "games/ego2.sgf",
    "games/incident42.sgf",
    "games/reading10.sgf",
    "games/tg-gg.sgf",
    "pending/nightmare.sgf",
)


class Found(NamedTuple):
    """What an archive holds."""

    files: int
    records: dict[str, list[Record | Reject]]  # by file, of those that were read

    def games(self) -> list[Record]:
        return [one for found in self.records.values() for one in found if isinstance(one, Record)]

    def named(self, end: str) -> list[Record | Reject]:
        (found,) = (found for name, found in self.records.items() if name.endswith(end))
        return found


@cache
def found(archive: str) -> Found:
    records: dict[str, list[Record | Reject]] = {}
    files = 0
    for member in members(GO / archive, archive):
        if files % STEP == 0 or member.name.endswith(NAMED):
            records[member.name] = list(read(b"".join(member.chunks), member.name))
        files += 1
    return Found(files, records)


def game(archive: str, end: str) -> Record:
    (one,) = found(archive).named(end)
    assert isinstance(one, Record)
    return one


@pytest.mark.parametrize(
    ("archive", "files", "records", "plies", "reasons"),
    [
        (FOX, 10_349, 10_349, 2_058_389, {"bad_record": 2, "illegal_move": 2}),
        (GNUGO, 1_619, 1_619, 204_213, {"bad_setup": 1, "bad_size": 4}),
        (KGS_2002, 10_589, 10_589, 2_114_924, {}),
        (KGS_2003, 7_582, 7_582, 1_502_476, {}),
    ],
)
def test_every_record_is_a_game_or_has_a_reason(
    archive: str, files: int, records: int, plies: int, reasons: dict[str, int]
) -> None:
    all_found = found(archive)
    assert all_found.files == files
    rejects = [
        (name, one)
        for name, items in all_found.records.items()
        for one in items
        if isinstance(one, Reject)
    ]
    assert Counter(one.reason for _, one in rejects) == reasons
    for name, one in rejects:
        ((reason, detail, legal),) = (told for end, told in REJECTED.items() if name.endswith(end))
        assert (one.reason, one.legal_plies) == (reason, legal)
        assert detail in one.detail
    if FULL:
        games = all_found.games()
        assert len(games) + len(rejects) == records
        assert sum(len(one.moves) for one in games) == plies


def test_most_games_are_rated_and_all_of_fox_are() -> None:
    for archive, rated in ((FOX, 10_345), (KGS_2002, 9_959), (KGS_2003, 7_360)):
        games = found(archive).games()
        both = sum(one.first_elo is not None and one.second_elo is not None for one in games)
        assert both == rated if FULL else both > 0.9 * len(games)
        assert {one.board_size for one in games} == {19}
        elos = {one.second_elo for one in games if one.second_elo is not None}
        assert 100 <= min(elos) <= max(elos) <= 2970


def test_komi_is_one_that_is_played_with() -> None:
    komi = Counter(one.komi for one in found(FOX).games())
    assert set(komi) == {None, 0.0, 4.5, 5.5, 6.5, 7.5}
    if FULL:
        expected = {0.0: 5292, None: 2815, 6.5: 959, 7.5: 821, 5.5: 258, 4.5: 200}
        assert komi == expected


def test_handicap_is_a_start_with_white_to_move() -> None:
    for archive in (FOX, KGS_2002, KGS_2003):
        for one in found(archive).games():
            if (one.handicap or 0) < 2 or not one.moves or one.passes_added:
                continue
            board = Board(one.start_fen)
            stones = board.stones()
            if stones.count(2) or not stones.count(1):
                continue  # White's stones of the old Chinese opening, or no stones in the file
            assert board.white_to_move
            assert stones.count(1) == one.handicap


def test_every_game_is_written_and_read_back() -> None:
    for archive in (FOX, GNUGO, KGS_2002, KGS_2003):
        for one in found(archive).games()[:: 4 if FULL else 1]:
            assert list(read(write_sgf(one).encode())) == [one]


def test_files_without_a_parenthesis_are_read() -> None:
    assert len(game(FOX, "/1501775164019999283.sgf").moves) == 154
    opening = game(FOX, "/1550471903080010073.sgf")
    assert opening.event is not None
    assert opening.event.startswith("第一届应")
    assert opening.date == "1988-11-22"


def test_a_comment_of_another_encoding_is_read() -> None:
    record = game(FOX, "/1550647590080010073.sgf")
    assert record.comments[len(record.moves)] == "黑超时罚4点"


def test_stones_placed_by_moves_are_the_start() -> None:
    chinese = game(FOX, "/1465657249019999187.sgf")
    placed = Board(chinese.start_fen)
    assert [placed.color(code) for code in codes("dp pd")] == [1, 1]
    assert placed.white_to_move
    assert chinese.moves[:2] == codes("pp dd")
    three = Board(game(FOX, "/1500550457019999707.sgf").start_fen)
    assert [three.color(code) for code in codes("pd dp dd pp cf fc")] == [1, 1, 1, 2, 2, 2]
    assert not three.white_to_move


def test_passes_left_out_are_put_in() -> None:
    record = game(GNUGO, "games/incident42.sgf")
    assert record.passes_added == 7
    assert len(record.moves) == 306 + 7


def test_text_before_a_game_and_two_games_in_a_file_are_read() -> None:
    ego = game(GNUGO, "games/ego2.sgf")
    assert (ego.line, ego.termination) == (4, "131.5 points")
    assert len(found(GNUGO).named("games/reading10.sgf")) == 2
    assert found(GNUGO).named("pending/nightmare.sgf") == []


def test_western_and_chinese_encodings_are_told_apart() -> None:
    assert game(GNUGO, "games/9handicap.sgf").second_name == "白"
    (turbo,) = (game(GNUGO, name) for name in ["games/tg-gg.sgf"])
    assert turbo.comments[0].startswith("Fichier SGF créé par TurboGo")
