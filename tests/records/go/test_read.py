"""Go games from SGF: each defect that real files have, with the exact record or reason."""

from __future__ import annotations

import pytest

from tabia._native.go_board import Board
from tabia.records.go.read import read
from tabia.records.go.record import REASONS, Record, Reject
from tests.records.go.sgf import PASS, code, codes, fault, one

EMPTY = "/".join(["19"] * 19)
HANDICAP_2 = "19/19/19/15X3/19/19/19/19/19/19/19/19/19/19/19/3X15/19/19/19 w - 0 0 0"
NINE = "9/9/9/9/9/9/9/9/9"


def test_a_game_of_kgs_is_read_whole() -> None:
    record = one(
        "(;GM[1]\nFF[4]\nSZ[19]\nPW[uwe]\nWR[7d]\nPB[Hula]\nBR[3k]\nDT[2002-02-25]\n"
        "PC[The Kiseido Go Server (KGS) at http://kgs.kiseido.com/]\nKM[0.50]\nRE[W+22.50]\n"
        "RU[Japanese]CA[UTF-8]TM[1200]OT[5x30 byo-yomi]\n;B[dd]\n;W[pq]\n;B[pd]\n)\n"
    )
    assert record == Record(
        moves=codes("dd pq pd"),
        site="The Kiseido Go Server (KGS) at http://kgs.kiseido.com/",
        date="2002-02-25",
        first_name="Hula",
        second_name="uwe",
        first_rank="3k",
        second_rank="7d",
        first_elo=1800,
        second_elo=2700,
        result=-1,
        termination="22.5 points",
        time_control="1200, 5x30 byo-yomi",
        komi=0.5,
        rules="Japanese",
    )
    assert (record.byte_offset, record.line, record.encoding) == (0, 1, "utf-8")


def test_a_game_of_fox_is_read_whole() -> None:
    record = one(
        "(;GM[1]FF[4]  SZ[19]  GN[第1届应氏杯]  DT[2018-01-08]  PB[天下]  PW[艺指]  BR[9段]  "
        "WR[P9段]  KM[650]HA[2]RU[Japanese]AP[GNU Go:3.8]RE[W+R]TM[1800]TC[3]TT[60]AP[foxwq]"
        "RL[0]  ;AB[pd][dp];W[pp];B[qf])"
    )
    assert record == Record(
        moves=codes("pp qf"),
        start_fen=HANDICAP_2,
        event="第1届应氏杯",
        date="2018-01-08",
        first_name="天下",
        second_name="艺指",
        first_rank="9段",
        second_rank="P9段",
        first_elo=2600,
        second_elo=2970,
        result=-1,
        termination="resignation",
        time_control="1800, 3x60 byo-yomi",
        komi=6.5,
        handicap=2,
        rules="Japanese",
    )


# -- the text ------------------------------------------------------------------------------


def test_old_names_have_small_letters_that_do_not_count() -> None:
    record = one("(;GaMe[1]SiZe[9]PlayerBlack[Ann]CoPyright[ x ]\n;Black[cc];White[dd]BL[3])")
    assert record.moves == codes("cc dd")
    assert (record.first_name, record.board_size, record.has_clocks) == ("Ann", 9, True)


def test_text_around_games_is_no_game() -> None:
    first, second = read(
        b"On April 4 :-) they played.\n\n(;SZ[9];B[cc])\n---\n(;SZ[9];B[dd])\n", "a"
    )
    assert isinstance(first, Record)
    assert isinstance(second, Record)
    assert (first.moves, first.byte_offset, first.line) == (codes("cc"), 29, 3)
    assert (second.moves, second.byte_offset, second.line) == (codes("dd"), 48, 5)


def test_a_missing_opening_parenthesis_is_put_up_with() -> None:
    assert one(";GM[1]FF[4];B[pd];W[dp])").moves == codes("pd dp")
    record = one(";GM[1]FF[4];B[pd]  (;W[dp])  (;W[dd];B[dp]))")
    assert (record.moves, record.variations) == (codes("pd dp"), 1)


def test_a_missing_closing_parenthesis_is_put_up_with() -> None:
    assert one("(;GM[1];B[pd];W[dp]").moves == codes("pd dp")
    assert one("(;GM[1];B[pd];W[dp];\n").moves == codes("pd dp")
    assert one("(;GM[1];B[pd](;W[dp](;B[dd]").moves == codes("pd dp dd")


@pytest.mark.parametrize("end", ["W[", "W[d", "W", "C[good \\] ga", "C[x\\"])
def test_a_file_that_ends_within_a_property_is_no_game(end: str) -> None:
    reject = fault(f"(;GM[1];B[pd];W[dp];{end}")
    assert (reject.reason, reject.legal_plies) == ("bad_record", 2)
    assert "the file ends within a property: byte 20: " in reject.detail


def test_what_is_no_sgf_is_told_with_its_place() -> None:
    reject = fault("(;GM[1];B[pd]!;W[dp])")
    assert (reject.reason, reject.legal_plies) == ("bad_record", 1)
    assert "byte 13: '!;W[dp])' where a property should stand" in reject.detail
    bad, good = read(b"(;GM[1];B[pd] x (;W[dp]))(;GM[1];B[dd])", "a")
    assert isinstance(bad, Reject)
    assert isinstance(good, Record)
    assert (bad.reason, good.moves) == ("bad_record", codes("dd"))


def test_a_file_without_a_tree_is_one_reject() -> None:
    reject = fault("dear all,\nno game here")
    assert reject.reason == "bad_file"
    assert reject.detail.startswith("a.sgf: no game tree")
    assert "'dear all, no game here'" in (reject.detail)


def test_blank_files_hold_nothing() -> None:
    assert list(read(b"")) == list(read(b" \n\t")) == list(read(b"\xef\xbb\xbf\n")) == []


def test_only_the_main_line_counts_and_side_lines_are_counted() -> None:
    record = one(
        "(;SZ[9];B[cc](;W[dd](;B[ee];W[ff])(;B[fe](;W[gg])(;W[hh])))(;W[aa]C[a \\] ( b])(;W[bb]))"
    )
    assert record.moves == codes("cc dd ee ff")
    assert record.variations == 4


def test_comments_stand_behind_the_moves_that_they_are_of() -> None:
    record = one(
        "(;SZ[9]C[start\\\n ed];B[cc]C[one\r\ntwo\\\\ \\] \\:];W[dd]  ;C[between];B[ee];\n"
        ";C[ e\x08nd ])"
    )
    assert record.comments == {0: "start ed", 1: "one\ntwo\\ ] :", 2: "between", 3: "e nd"}


def test_a_byte_order_mark_is_passed_over() -> None:
    record = one("\ufeff(;SZ[9]PB[Zoë];B[cc])")
    assert (record.first_name, record.moves) == ("Zoë", codes("cc"))


# -- the board -----------------------------------------------------------------------------


def test_the_size_is_19_unless_told() -> None:
    assert (one("(;GM[1];B[pd])").board_size, one("(;GM[1];B[pd])").start_fen) == (19, None)
    record = one("(;SZ[9:9];B[cc])")
    assert (record.board_size, record.start_fen) == (9, f"{NINE} b - 0 0 0")


@pytest.mark.parametrize("size", range(5, 20))
def test_sizes_from_5_to_19_are_read(size: int) -> None:
    last = chr(96 + size)
    record = one(f"(;SZ[{size}];B[{last}{last}];W[];B[tt])")
    assert record.moves == [code(last + last), PASS, PASS]
    assert Board(record.start_fen, size=record.board_size).size == size


@pytest.mark.parametrize(
    ("size", "told"),
    [
        ("2", "SZ[2]: sizes are from 5 to 19"),
        ("4", "from 5 to 19"),
        ("20", "from 5 to 19"),
        ("9:13", "SZ[9:13]: rectangles are not read"),
        ("", "SZ[]"),
        ("nine", "SZ[nine]"),
    ],
)
def test_other_sizes_and_rectangles_are_refused(size: str, told: str) -> None:
    reject = fault(f"(;SZ[{size}];B[aa])")
    assert reject.reason == "bad_size"
    assert told in reject.detail


def test_another_game_is_refused() -> None:
    reject = fault("(;GM[2]SZ[8];B[cc])")
    assert (reject.reason, reject.detail) == (
        "unknown_variant",
        "GM[2] is another game; Go is GM[1]",
    )


# -- the start -----------------------------------------------------------------------------


def test_handicap_stones_stand_in_any_node_before_the_first_move() -> None:
    for setup in ("HA[2]AB[pd][dp]", "HA[2]AB[pd]AB[dp]", "HA[2];AB[pd][dp]", ";AB[pd];AB[dp]"):
        record = one(f"(;GM[1]{setup};W[dd];B[pp])")
        assert (record.start_fen, record.moves) == (HANDICAP_2, codes("dd pp"))


def test_stones_of_several_nodes_are_set_one_after_the_other() -> None:
    record = one("(;SZ[5]AB[aa:cb][];AW[bb]AE[ca:cb];PL[W]AB[ee];B[dd])")
    assert record.start_fen == "XX3/XO3/5/5/4X b - 0 0 0"


def test_a_problem_is_a_game_without_moves() -> None:
    record = one("(;GM[1]FF[3]SZ[5];AW[ba][bb]AB[ca][cb]PL[2])")
    assert (record.start_fen, record.moves) == ("1OX2/1OX2/5/5/5 w - 0 0 0", [])
    assert one("(;SZ[5]AB[ca]AW[cb])").start_fen == "2X2/2O2/5/5/5 b - 0 0 0"
    assert one("(;SZ[5]AB[ca])").start_fen == "2X2/5/5/5/5 w - 0 0 0"
    assert one("(;SZ[5]AB[ca]PL[black])").start_fen == "2X2/5/5/5/5 b - 0 0 0"


def test_the_first_move_tells_who_begins_whatever_pl_says() -> None:
    assert one("(;SZ[5]PL[B]AW[ba];W[dd])").start_fen == "1O3/5/5/5/5 w - 0 0 0"
    assert one("(;GM[1];W[dd])").start_fen == f"{EMPTY} w - 0 0 0"


def test_missing_handicap_stones_stand_on_star_points() -> None:
    assert one("(;GM[1]HA[2];W[dd];B[pp])").start_fen == HANDICAP_2
    six = Board(one("(;GM[1]HA[6];W[qn])").start_fen)
    assert [at for at in range(361) if six.color(at)] == sorted(codes("pd dp dd pp jd jp"))
    assert six.white_to_move


@pytest.mark.parametrize("text", ["HA[2];B[dd]", "HA[2]", "HA[1];W[dd]", "HA[2]SZ[9];W[dd]"])
def test_stones_are_not_put_where_nothing_says_that_they_stood(text: str) -> None:
    record = one(f"(;GM[1]{text})")
    assert "X" not in (record.start_fen or "")


def test_stones_without_liberties_are_refused() -> None:
    reject = fault("(;SZ[5]AB[aa]AW[ba][ab];B[cc])")
    assert (reject.reason, reject.legal_plies) == ("bad_setup", 0)


def test_stones_off_the_board_are_refused() -> None:
    reject = fault("(;SZ[9]AB[jj];W[cc])")
    assert (reject.reason, reject.detail) == (
        "bad_setup",
        "[jj] is no point of a board of 9 lines",
    )


def test_stones_placed_within_a_game_are_refused_and_behind_it_passed_over() -> None:
    reject = fault("(;SZ[9];B[cc];W[dd];AB[ee];B[ff])")
    assert (reject.reason, reject.legal_plies) == ("bad_setup", 2)
    assert "behind ply 2, and moves follow" in reject.detail
    assert one("(;SZ[9];B[cc];W[tt]AE[cc])").moves == codes("cc -")
    assert one("(;SZ[9];B[cc];W[dd];AE[cc]TB[aa])").moves == codes("cc dd")


# -- moves ---------------------------------------------------------------------------------


def test_passes_are_empty_or_tt() -> None:
    assert one("(;GM[1];B[];W[tt];B[pd];W[]C[x];B[tt])").moves == codes("- - pd - -")


def test_a_game_may_go_on_after_two_passes() -> None:
    assert one("(;SZ[9];B[cc];W[];B[];W[dd])").moves == codes("cc - - dd")


def test_handicap_written_as_moves_is_placed() -> None:
    record = one("(;GM[1]HA[2];B[pd];B[dp]C[now];W[dd];B[pp]C[then])")
    assert (record.start_fen, record.moves) == (HANDICAP_2, codes("dd pp"))
    assert record.comments == {0: "now", 2: "then"}
    record = one("(;SZ[5]AB[aa];W[ee];W[dd];B[cc])")
    assert (record.start_fen, record.moves) == ("X4/5/5/3O1/4O b - 0 0 0", codes("cc"))
    assert fault("(;SZ[5]AB[aa];W[aa];W[dd];B[cc])").reason == "illegal_move"


def test_a_side_that_moves_twice_was_let_by_a_pass() -> None:
    record = one("(;SZ[9];B[cc];W[dd]C[two];W[ee]C[three];W[ff]C[four];B[gg]C[five])")
    assert record.moves == codes("cc dd - ee - ff gg")
    assert record.passes_added == 2
    assert record.comments == {2: "two", 4: "three", 6: "four", 7: "five"}


@pytest.mark.parametrize("move", ["jj", "ta", "zz", "d", "dddd", "dd][ee", "D4"])
def test_a_text_that_is_no_point_is_told_with_its_ply(move: str) -> None:
    reject = fault(f"(;SZ[9];B[cc];W[{move}];B[ee])")
    assert (reject.reason, reject.legal_plies) == ("bad_move", 1)
    assert reject.detail == f"ply 2: [{move}] is no point of a board of 9 lines"


def test_a_play_on_a_stone_is_illegal() -> None:
    reject = fault("(;SZ[9];B[cc];W[dd];B[dd];W[ee])")
    assert (reject.reason, reject.legal_plies) == ("illegal_move", 2)
    assert reject.detail == "ply 3: B[dd] (D6) on a stone"


def test_a_ko_may_not_be_retaken_at_once() -> None:
    ko = "(;SZ[5]AB[ba][ab][bc]AW[ca][db][cc][bb];B[cb];W[bb];B[ee])"
    reject = fault(ko)
    assert (reject.reason, reject.legal_plies) == ("illegal_move", 1)
    assert reject.detail == "ply 2: W[bb] (B4) retakes a ko at once"
    assert (
        len(one(ko.replace(";W[bb]", ";W[ee];B[];W[bb]", 1).replace("B[ee]", "B[ae]")).moves) == 5
    )


def test_suicide_is_legal_where_the_rules_of_the_record_say_so() -> None:
    text = "(;SZ[5]RU[%s]AB[ba][ab];W[aa];B[dd])"
    for rules in ("NZ", "New Zealand", "Tromp/Taylor", "Ing"):
        assert one(text % rules).moves == codes("aa dd")
    reject = fault(text % "Japanese")
    assert (reject.reason, reject.legal_plies) == ("illegal_move", 0)
    assert reject.detail == "ply 1: W[aa] (A5) is suicide, which Japanese rules forbid"
    assert "no rules allow here" in fault(text % "").detail


def test_the_first_fault_of_a_record_is_told() -> None:
    reject = fault("(;SZ[9];B[cc];W[cc];B[zz])")
    assert (reject.reason, reject.legal_plies) == ("illegal_move", 1)
    reject = fault("(;SZ[9];B[cc];W[dd];W[ee];B[zz];W[cc])")
    assert (reject.reason, reject.legal_plies) == ("bad_move", 4)


def test_every_reason_given_is_one_of_the_list() -> None:
    texts = ["x", "(;B[", "(;SZ[3])", "(;GM[2])", "(;B[ta])", "(;B[aa];W[aa])", "(;AB[ta])"]
    assert {fault(text).reason for text in texts} == set(REASONS)
