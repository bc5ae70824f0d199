"""All real xiangqi text records, counted; skipped where they are absent.

The whole of the CCPD archive is read with ``TABIA_XIANGQI_FILES=all``; otherwise every 25th of its
files and those that are no games.
"""

from __future__ import annotations

import os
import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache

import pytest
import zstandard

from tabia._native.xiangqi_board import decode_move
from tabia.records.opening import members
from tabia.records.xiangqi import formats, pgn, playok
from tabia.records.xiangqi.record import Record, Reject
from tests.games.xiangqi_play import XIANGQI, master_games

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not XIANGQI.is_dir(), reason=f"no real games in {XIANGQI}"),
]

FULL = os.environ.get("TABIA_XIANGQI_FILES") == "all"
STEP = 1 if FULL else 25

TEXTS = {
    "ccpd_chinese_big5.pgn": (1, "chinese", "big5"),
    "ccpd_endgame_fen_big5.pgn": (1, "chinese", "big5"),
    "chinese_simplified_utf8.pgn": (15, "chinese", "utf-8"),
    "endgame_test.pgn": (1, "chinese", "gb18030"),
    "fullwidth_wxf_international.pgn": (15, "wxf", "utf-8"),
    "test.pgn": (1, "chinese", "gb18030"),
    "test2.pgn": (1, "chinese", "gb18030"),
    "ucci_lower_noresult.pgn": (15, "ucci", "utf-8"),
    "中炮对列炮黑先平士角炮.pgn": (1, "chinese", "gb18030"),
}
REJECTED = {
    "中局/00002096.pgn": ("bad_fen", "Black has 0 kings"),
    "中局/00002173.pgn": ("illegal_move", "ply 18: '士４進５'"),
    "中局/00002680.pgn": ("illegal_move", "ply 19: '馬６退７'"),
    "對局/大師對局/以賽事分類/其他/00000753.pgn": ("illegal_move", "ply 70: '士６進５'"),
    "對局/電腦對局/電腦對局競賽/00000011.pgn": ("illegal_move", "ply 115: '帥五進一'"),
    "對局/電腦對局/電腦對局競賽/00000019.pgn": ("illegal_move", "ply 72: '將５進１'"),
    "對局/電腦對局/電腦對局競賽/00000048.pgn": ("illegal_move", "ply 72: '將５平４'"),
    "開局/00000068.pgn": ("bad_fen", "Red has 0 kings"),
    "開局/00000100.pgn": ("bad_fen", "Red has 0 kings"),
    "開局/00000207.pgn": ("bad_fen", "Red has 0 kings"),
    "開局/00000226.pgn": ("bad_fen", "Red has 0 kings"),
    "開局/00000240.pgn": ("bad_fen", "Red has 0 kings"),
    "LICENSE": ("bad_file", "no game"),
    "README.md": ("bad_file", "no game"),
}
"""Files of the CCPD archive that are no games: reason, and part of the detail."""


def plain(name: str) -> bytes:
    return zstandard.ZstdDecompressor().stream_reader((XIANGQI / name).read_bytes()).read()


def only_records(found: list[Record | Reject]) -> list[Record]:
    records = [one for one in found if isinstance(one, Record)]
    assert len(records) == len(found)
    return records


@cache
def ccpd() -> dict[str, Record | Reject]:
    """Records of the archive's files by name without ``./Dataset/``."""
    found: dict[str, Record | Reject] = {}
    for number, member in enumerate(members(XIANGQI / "ccpd_raw_big5_pgn.tar.zst", "c")):
        name = member.name.removeprefix("c::./").removeprefix("Dataset/")
        if number % STEP == 0 or name in REJECTED:
            (found[name],) = pgn.read(b"".join(member.chunks), name)
    return found


def ccpd_games() -> Iterator[tuple[str, Record]]:
    for name, one in ccpd().items():
        if isinstance(one, Record):
            yield name, one


@pytest.mark.parametrize("name", TEXTS)
def test_each_example_of_a_text_format_is_read_whole(name: str) -> None:
    games, notation, encoding = TEXTS[name]
    data = (XIANGQI / "formats" / name).read_bytes()
    assert formats.detect(data, name) == "pgn"
    records = only_records(list(formats.read(data, name)))
    assert len(records) == games
    assert {(one.notation, one.encoding) for one in records} == {(notation, encoding)}
    assert all(one.moves for one in records)


def test_the_same_fifteen_games_in_three_notations_differ_in_one_move() -> None:
    names = ("chinese_simplified_utf8", "fullwidth_wxf_international", "ucci_lower_noresult")
    chinese, wxf, ucci = (
        [
            decode_move(code)
            for one in only_records(
                list(pgn.read((XIANGQI / "formats" / f"{name}.pgn").read_bytes(), name))
            )
            for code in one.moves
        ]
        for name in names
    )
    assert chinese == wxf
    differ = [pair for pair in zip(wxf, ucci, strict=True) if pair[0] != pair[1]]
    # 36. of the second game, 后兵进一 and -P+1: its coordinates move the front pawn.
    assert differ == [("e3e4", "e5e6")]


def test_the_example_of_an_illegal_start_has_no_black_king() -> None:
    name = "ccpd_illegal_black_first.pgn"
    (found,) = pgn.read((XIANGQI / "formats" / name).read_bytes(), name)
    assert isinstance(found, Reject)
    assert found.reason == "bad_fen"
    assert "Black has 0 kings" in found.detail


@pytest.mark.parametrize("name", ["kaggle_moves_crlf.csv", "kaggle_moves_padded_header.csv"])
def test_the_examples_of_playoks_tables_are_cut_off_inside_a_game(name: str) -> None:
    data = (XIANGQI / "formats" / name).read_bytes()
    assert formats.detect(data, name) == "playok"
    (found,) = formats.read(data, name)
    assert isinstance(found, Reject)
    assert "the move of black in turn 23 is missing" in found.detail
    assert found.legal_plies == 45


def test_all_of_playoks_games_are_read_and_joined_with_their_headers() -> None:
    headers = playok.headers(plain("playok_gameinfo.csv.zst"))
    games = only_records(list(playok.read(plain("playok_moves.csv.zst"), "moves", headers)))
    assert len(games) == 852
    assert sum(len(game.moves) for game in games) == 56_218
    assert sorted(len(game.moves) for game in games)[426] == 62
    for game in games:
        assert game.date == "2017-02-10"
        assert game.first_elo
        assert game.second_elo
        assert game.result is not None
        assert not game.result_conflict


def test_all_of_playoks_headers_are_games_without_moves() -> None:
    games = only_records(list(playok.read(plain("playok_gameinfo.csv.zst"), "headers")))
    assert Counter(game.result for game in games) == {1: 5155, -1: 4630, 0: 215}
    assert len({name for game in games for name in (game.first_name, game.second_name)}) == 4531
    assert all(game.first_elo and game.second_elo and not game.moves for game in games)


def test_all_master_games_are_read_from_their_zip_archive() -> None:
    found: list[Record | Reject] = []
    for member in members(XIANGQI / "Hu_Ronghua_1391_UCI_games.zip", "hu.zip"):
        assert member.name == "hu.zip::Hu_Ronghua_1391_UCI_games.pgn"
        found += formats.read(b"".join(member.chunks), member.name)
    games = only_records(found)
    assert [game.moves for game in games] == master_games()
    assert len(games) == 1391
    assert {game.notation for game in games} == {"ucci"}


def test_every_file_of_ccpd_is_a_game_or_one_of_fourteen_rejects() -> None:
    rejects = {name: one for name, one in ccpd().items() if isinstance(one, Reject)}
    assert {name: one.reason for name, one in rejects.items()} == {
        name: reason for name, (reason, _) in REJECTED.items()
    }
    assert all(REJECTED[name][1] in one.detail for name, one in rejects.items())
    assert {one.encoding for _, one in ccpd_games()} == {"big5"}
    if FULL:
        assert len(ccpd()) == 58_468 + 2
        assert len(list(ccpd_games())) == 58_456
        assert sum(len(one.moves) for _, one in ccpd_games()) == 4_856_514
        assert Counter(one.result for _, one in ccpd_games()) == {
            1: 23_057,
            0: 18_397,
            -1: 15_997,
            None: 1_005,
        }
    else:
        assert len(ccpd()) > 2_300


def test_dates_of_ccpd_are_read_or_have_no_year() -> None:
    dates = [one.date for _, one in ccpd_games()]
    assert sum(date is None for date in dates) / len(dates) < 0.25
    assert all(date is None or 1882 <= int(date[:4]) <= 2014 for date in dates)
    if FULL:
        assert Counter(len(date or "") for date in dates) == {
            len("1985-05-26"): 42_265,
            len("1985-05"): 1_275,
            len("1985"): 2_318,
            0: 12_598,  # 323 that say something without a year, the others empty
        }


def test_a_few_of_ccpds_games_end_on_the_board_against_their_tag() -> None:
    # 28 are tagged *, one as a draw, two with the loser as winner.
    conflicts = [one.result for _, one in ccpd_games() if one.result_conflict]
    assert len(conflicts) == 31 if FULL else 0 < len(conflicts) < 10


def test_starts_of_ccpds_games() -> None:
    # Of the files with a start of their own, 3,049 and 1,122, eight and one are rejected.
    starts = [one.start_fen for _, one in ccpd_games() if one.start_fen is not None]
    black = sum(fen.split()[1] == "b" for fen in starts)
    assert black > 0
    if FULL:
        assert (len(starts), black) == (3_049 - 8, 1_122 - 1)


@pytest.mark.skipif(not FULL, reason="a sample has few duplicates; set TABIA_XIANGQI_FILES=all")
def test_duplicates_of_ccpd_are_found_and_some_disagree_on_the_result() -> None:
    tags: dict[bytes, set[str]] = defaultdict(set)
    full = 0
    for member in members(XIANGQI / "ccpd_raw_big5_pgn.tar.zst", "c"):
        data = b"".join(member.chunks)
        name = member.name.removeprefix("c::./").removeprefix("Dataset/")
        one = ccpd()[name]
        if isinstance(one, Record) and name.startswith("對局"):
            full += 1
            assert one.start_fen is None
            match = re.search(rb'\[Result "(.*?)"\]', data)
            assert match is not None
            tags[array("H", one.moves).tobytes()].add(match[1].decode())
    # 81 full games have no moves: with them as one game the groups are 27,946, without 27,945.
    assert (full, len(tags)) == (53_893 - 4, 27_946)
    assert b"" in tags
    assert sum(len(results) > 1 for results in tags.values()) == 169
