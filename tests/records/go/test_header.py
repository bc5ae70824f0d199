"""Ranks, results, komi and other fields of Go records."""

from __future__ import annotations

from typing import Any

import pytest

from tabia.records.go.ranks import read_rank
from tabia.records.go.results import read_result, write_result
from tabia.records.xiangqi.dates import iso_date
from tests.records.go.sgf import one


@pytest.mark.parametrize(
    ("text", "rating"),
    [
        ("1d", 2100),
        ("9d", 2900),
        ("1k", 2000),
        ("20k", 100),
        ("30k", 100),
        ("13k*", 800),
        ("13k?", 800),
        ("9k ", 1200),
        ("3 dan", 2300),
        ("10kyu", 1100),
        ("1p", 2730),
        ("9p", 2970),
        ("9d pro", 2970),
        ("9段", 2600),
        ("1段", 1800),
        ("初段", 1800),
        ("1级", 1700),
        ("18级", 100),
        ("P9段", 2970),
        ("P1段", 2730),
        ("職業九段", 2970),
    ],
)
def test_ranks_are_on_one_scale(text: str, rating: int) -> None:
    assert read_rank(text).rating == rating


@pytest.mark.parametrize(
    "text", ["", "NR", "UR", "1500*", "10d", "0k", "36k", "P10段", "P3级", "d"]
)
def test_what_is_no_rank_has_no_rating(text: str) -> None:
    assert read_rank(text).rating is None


def test_ranks_stay_as_they_are_written() -> None:
    record = one("(;BR[13k*]WR[NR ];B[pd])")
    assert (record.first_rank, record.second_rank) == ("13k*", "NR")
    assert (record.first_elo, record.second_elo) == (800, None)


@pytest.mark.parametrize(
    ("text", "result", "termination"),
    [
        ("B+R", 1, "resignation"),
        ("W+Resign", -1, "resignation"),
        ("w + resign", -1, "resignation"),
        ("B+0.5", 1, "0.5 points"),
        ("W+0.50", -1, "0.5 points"),
        ("W+12", -1, "12 points"),
        ("B+0,75", 1, "0.75 points"),
        ("W+0.0", -1, None),
        ("B+", 1, None),
        ("W+T", -1, "time"),
        ("W+Time Over", -1, "time"),
        ("B+F", 1, "forfeit"),
        ("W+Forfeit", -1, "forfeit"),
        ("B+Illegal", 1, "Illegal"),
        ("B+, human judge", 1, "human judge"),
        ("Jigo", 0, None),
        ("Draw", 0, None),
        ("0", 0, None),
        ("Void", None, "void"),
        ("?", None, None),
        ("", None, None),
        ("has adjourned.", None, "has adjourned."),
        ("B+22.5 ? W+timeout", None, "B+22.5 ? W+timeout"),
        ("White resigns", 1, "resignation"),
        ("Black resigns. W 133.5 B 81.0", -1, "resignation"),
        ("黑中盘胜", 1, "resignation"),
        ("白中盤勝", -1, "resignation"),
        ("黑胜", 1, None),
        ("白3.5目胜", -1, "3.5 points"),
        ("黑胜1目半", 1, "1目半"),
        ("白超时负", 1, "time"),
        ("黑负", -1, None),
        ("和棋", 0, None),
        ("持碁", 0, None),
        ("无胜负", None, "void"),
    ],
)
def test_results_are_blacks(text: str, result: int | None, termination: str | None) -> None:
    found = read_result(text)
    assert (found.result, found.termination) == (result, termination)
    again = read_result(write_result(found.result, found.termination))
    assert (again.result, again.termination) == (result, termination)


@pytest.mark.parametrize(
    ("properties", "komi"),
    [
        ("KM[6.5]", 6.5),
        ("KM[6,5]", 6.5),
        ("KM[5.5 points]", 5.5),
        ("KM[-4.50]", -4.5),
        ("KM[650]", 6.5),
        ("KM[750]", 7.5),
        ("KM[375]RU[Chinese]", 7.5),
        ("KM[325]RU[Chinese]HA[2]", 6.5),
        ("KM[0]", 0.0),
        ("KM[0]BR[9段]", None),
        ("KM[0]BR[9段]HA[0]", None),
        ("KM[0]BR[9段]HA[1]", 0.0),
        ("KM[0]WR[P9段]HA[3]", 0.0),
        ("KM[-100.00]", -100.0),
        ("KM[999]", None),
        ("KM[]", None),
        ("KM[none]", None),
        ("", None),
    ],
)
def test_komi_is_in_points(properties: str, komi: float | None) -> None:
    assert one(f"(;GM[1]{properties};B[pd])").komi == komi


@pytest.mark.parametrize(
    ("properties", "field", "value"),
    [
        ("EV[Cup \\[a\\]]GN[x]", "event", "Cup [a]"),
        ("GN[ Final ]", "event", "Final"),
        ("EV[None]", "event", None),
        ("PB[?]", "first_name", None),
        ("PB[A\n  B]", "first_name", "A B"),
        ("RO[3 (final)]", "round", "3 (final)"),
        ("TM[600]", "time_control", "600"),
        ("OT[25/300 Canadian]", "time_control", ", 25/300 Canadian"),
        ("TM[-]", "time_control", None),
        ("HA[9]", "handicap", 9),
        ("HA[x]", "handicap", None),
        ("HA[99999]", "handicap", None),
        ("RU[AGA]", "rules", "AGA"),
    ],
)
def test_fields_are_taken_from_the_header(properties: str, field: str, value: Any) -> None:
    assert getattr(one(f"(;GM[1]{properties};B[pd])"), field) == value


def test_the_header_may_stand_in_any_node_before_the_first_move_and_the_first_counts() -> None:
    record = one("(;GM[1]AP[a]PB[Ann];PB[Eve]PW[Bob];B[pd]PW[Zoe]KM[6.5];W[dp]EV[x])")
    assert (record.first_name, record.second_name, record.event) == ("Ann", "Bob", None)
    assert record.komi == 6.5  # in the node of the first move


@pytest.mark.parametrize(
    ("date", "iso"),
    [
        ("2003-12-19,2003-12-23", "2003-12-19"),
        ("2002-10-23,24", "2002-10-23"),
        ("2000-9-4", "2000-09-04"),
        ("2001/10/11 21:22:51 UT", "2001-10-11"),
        ("2004-10-27 16:01:54", "2004-10-27"),
        ("August 1, 2001", "2001"),
        ("1988-08", "1988-08"),
    ],
)
def test_dates_of_sgf_are_read(date: str, iso: str) -> None:
    assert iso_date(date) == iso
