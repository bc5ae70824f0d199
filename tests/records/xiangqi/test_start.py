"""The standard start has no FEN in any format, whatever its counters say."""

from __future__ import annotations

import pytest

from tabia._native.xiangqi_board import Board, FenError
from tabia.records.xiangqi import formats
from tabia.records.xiangqi.record import Record, Reject
from tabia.records.xiangqi.start import black_begins, start_fen
from tests.records.xiangqi.program_files import Game, cbf

BOARD = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"


@pytest.mark.parametrize("counters", ["- - 0 1", "- - 1 1", "- - 0 7", "- - 30 41"])
def test_counters_of_the_standard_start_do_not_count(counters: str) -> None:
    fen = f"{BOARD} w {counters}"
    assert start_fen(fen) is None
    assert start_fen(Board(fen)) is None
    files = {
        "pgn": f'[FEN "{fen}"]\n\n1. h2e2 *\n'.encode(),
        "playok": f"FORMAT WXF\nFEN {fen}\nSTART{{\n1. C2=5\n}}END\n".encode(),
        "ucci": f"position fen {fen} moves h2e2\n".encode(),
        "cbf": cbf(Game([2272], fen=fen)),
    }
    for name, data in files.items():
        (record,) = formats.read(data, "x", name)
        assert isinstance(record, Record), record
        assert record.start_fen is None, name


def test_a_wrong_board_is_told_once() -> None:
    board = BOARD.replace("k", "a")
    with pytest.raises(FenError) as caught:
        start_fen(f"{board} w")
    assert str(caught.value) == f"FEN '{board} w': board field: Black has 0 kings"
    for name, text in (("pgn", '[FEN "{} w"]\n\n1. h2e2 *\n'), ("ucci", "position fen {} w\n")):
        (reject,) = formats.read(text.format(board).encode(), "x", name)
        assert isinstance(reject, Reject)
        assert (reject.reason, reject.detail.count(board)) == ("bad_fen", 1)


def test_another_side_or_board_is_a_start_of_its_own() -> None:
    assert start_fen(None) is None
    assert start_fen(f"{BOARD} b - - 1 1") == f"{BOARD} b - - 1 1"
    assert start_fen("4k4/9/9/9/9/9/9/9/9/3K1R3") == "4k4/9/9/9/9/9/9/9/9/3K1R3 w - - 0 1"


def test_black_begins_only_where_the_start_says_so() -> None:
    ending = "4k4/9/9/9/9/9/9/9/9/3K1R3"
    for fen, expected in ((None, False), (f"{ending} w", False), (f"{ending} b", True)):
        assert black_begins(start_fen(fen)) is expected


def test_dashes_stand_for_reds_move_in_wxf_text_too() -> None:
    fen = "3k5/9/9/9/9/9/9/9/3R5/5K3"
    text = "FORMAT WXF\nFEN {} {}\nSTART{{\n1. -- K4=5\n}}END\n"
    (record,) = formats.read(text.format(fen, "b").encode(), "x")
    assert isinstance(record, Record), record
    assert len(record.moves) == 1
    (reject,) = formats.read(text.format(fen.replace("3R5", "4R4"), "w").encode(), "x")
    assert isinstance(reject, Reject)
    assert reject.reason == "bad_move"
