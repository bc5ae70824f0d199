"""SGF written: valid, and read back as the same game."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabia.records.go.record import Record
from tabia.records.go.write import write_sgf
from tests.records.go.sgf import codes, one

FULL = Record(
    moves=codes("dd pp - qf"),
    start_fen="19/19/19/15X3/19/19/19/19/19/19/19/19/19/19/19/3X15/19/19/19 w - 0 0 0",
    event="Cup ] \\ [a:b]",
    site="KGS",
    round="3",
    date="2003-12-19,2003-12-23",
    first_name="Ann",
    second_name="柯洁",
    first_rank="9段",
    second_rank="P9段",
    first_elo=2600,
    second_elo=2970,
    result=1,
    termination="2.5 points",
    time_control="1800, 3x60 byo-yomi",
    komi=6.5,
    handicap=2,
    rules="Chinese",
    comments={0: "start", 2: "two\nlines ] \\", 4: "the end \\\\"},
)


def test_a_game_is_written_as_ff4() -> None:
    assert write_sgf(FULL) == (
        "(;GM[1]FF[4]CA[UTF-8]AP[tabia]SZ[19]RU[Chinese]KM[6.5]HA[2]PB[Ann]BR[9段]PW[柯洁]"
        "WR[P9段]RE[B+2.5]DT[2003-12-19,2003-12-23]EV[Cup \\] \\\\ [a:b\\]]RO[3]PC[KGS]TM[1800]"
        "OT[3x60 byo-yomi]AB[pd][dp]PL[W]C[start]\n"
        ";W[dd];B[pp]C[two\nlines \\] \\\\];W[];B[qf]C[the end \\\\\\\\])\n"
    )


@pytest.mark.parametrize(
    "record",
    [
        FULL,
        Record(moves=[]),
        Record(moves=codes("- -")),
        Record(moves=codes("cc"), board_size=9, start_fen="9/9/9/9/9/9/9/9/9 b - 0 0 0"),
        Record(moves=codes("cc"), start_fen="/".join(["19"] * 19) + " w - 0 0 0"),
        Record(moves=[], board_size=5, start_fen="X4/5/5/5/4O b - 0 0 0"),
        Record(moves=[], board_size=5, start_fen="X4/5/5/5/5 w - 0 0 0", handicap=1),
        Record(moves=codes("aa"), result=0, komi=0.0, time_control=", 5x30 byo-yomi"),
        Record(moves=codes("aa"), result=None, termination="void", komi=-100.0),
        Record(moves=codes("aa"), result=-1),
        Record(moves=codes("aa"), result=-1, termination="Illegal"),
    ],
)
def test_what_is_written_is_read_back_as_the_same_game(record: Record) -> None:
    assert one(write_sgf(record)) == record


@settings(max_examples=60, deadline=None)
@given(
    st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"]), min_size=1),
    st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"]), min_size=1),
)
def test_any_text_is_escaped(name: str, comment: str) -> None:
    record = Record(moves=codes("pd"), event=name + "x", comments={1: comment + "\n" + name})
    assert one(write_sgf(record)) == record


def test_controls_become_blanks() -> None:
    record = replace(FULL, first_name="a\tb\x00c\nd", comments={0: "a\tb\x0bc"})
    again = one(write_sgf(record))
    assert (again.first_name, again.comments) == ("a b c d", {0: "a b c"})
