"""Real files of programs; skipped where they are absent."""

from __future__ import annotations

import pytest

from tabia.games.xiangqi_notation import write_moves
from tabia.records.xiangqi import formats
from tabia.records.xiangqi.record import Record
from tests.games.xiangqi_play import XIANGQI

FOLDER = XIANGQI / "formats"
LIBRARY = "1956年全国象棋锦标赛93局.CBL"

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not FOLDER.is_dir(), reason=f"no real files in {FOLDER}"),
]


def records(name: str) -> list[Record]:
    results = list(formats.read((FOLDER / name).read_bytes(), name))
    games = [result for result in results if isinstance(result, Record)]
    assert len(games) == len(results), results
    return games


@pytest.mark.parametrize(
    ("name", "plies", "side_lines", "result"),
    [
        ("BadMoveTest1.xqf", 43, 0, 1),
        ("FiveGoatsTest.xqf", 77, 348, None),
        ("test.xqf", 110, 0, -1),
        ("test.cbf", 50, 0, None),
        ("test.cbr", 28, 11, None),
        ("dhtmlxq_116.html", 85, 0, 1),
    ],
)
def test_files_of_one_game(name: str, plies: int, side_lines: int, result: int | None) -> None:
    (record,) = records(name)
    assert (len(record.moves), record.variations, record.result) == (plies, side_lines, result)
    assert record.start_fen is None


def test_the_author_of_xqf_lists_the_first_moves_of_his_example() -> None:
    (record,) = records("test.xqf")
    assert (record.first_name, record.second_name, record.date) == ("柳大华", "吕钦", "1997-11-16")
    assert (record.event, record.site) == ('"中立杯"象棋电视快棋赛', "北京")
    moves = (
        "兵七进一 马８进７ 兵三进一 炮２平３ 相七进五 马２进１ 马八进七 车１平２ "
        "车九平八 车２进４ 炮八平九 车２平８ 炮二进五 炮３平８ 马二进三 车９平８"
    )
    assert write_moves(record.moves[:16], None, "chinese_simplified") == moves.split()


def test_a_library_of_93_games() -> None:
    games = records(LIBRARY)
    assert len(games) == 93
    assert sum(len(game.moves) for game in games) == 7313
    assert [sum(game.result == result for game in games) for result in (1, 0, -1)] == [44, 27, 22]
    # of the dates one is missing, one has the year only, and one has another month
    assert sum((game.date or "").startswith("1956-12-") for game in games) == 90
    assert not any(game.result_conflict for game in games)


def test_results_of_the_library_are_those_in_its_titles_but_for_one() -> None:
    data = (FOLDER / LIBRARY).read_bytes()
    others = []
    for game in records(LIBRARY):
        at = game.byte_offset + 180
        title = data[at : at + 128].decode("utf-16-le", "replace").split("\0")[0]
        word = title.split("(红先")[1][0]
        if {"胜": 1, "和": 0, "负": -1}[word] != game.result:
            others.append((title, game.result))
    assert others == [("初赛 天津薛占金(红先负)武汉李义庭", 0)]
