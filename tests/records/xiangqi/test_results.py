"""Words for results, and which of a record's places is believed."""

from __future__ import annotations

import pytest

from tabia.records.xiangqi.results import result_of, result_of_word, settled

RED = "1-0 1–0 1−0 １－０ 红胜 紅勝 红先胜 紅先勝 红方胜 紅方勝 先胜 先勝 黑负 黑方負 后负 Red"
BLACK = "0-1 0—1 黑胜 黑勝 黑方胜 黑先胜 红负 紅先負 红方负 先负 先負 後勝 black"
DRAW = "1/2-1/2 1/2–1/2 1/2 ½-½ ½ 0.5-0.5 和 和棋 和局 平 平局 先和 红先和 紅先和 黑先和 Draw"
NONE = "* ? 胜 负 方胜 红 1-1 2-0 white 红胜黑 炮"


@pytest.mark.parametrize(
    ("word", "result"),
    [
        *((word, 1) for word in RED.split()),
        *((word, -1) for word in BLACK.split()),
        *((word, 0) for word in DRAW.split()),
        *((word, None) for word in NONE.split()),
        ("", None),
        (None, None),
        ("Red wins ", 1),
        ("0-1" * 100_000, None),
    ],
)
def test_words_for_results_are_read_in_either_script(word: str | None, result: int | None) -> None:
    assert result_of(word) == result


def test_a_lone_sideways_among_moves_is_no_draw() -> None:
    assert (result_of("平"), result_of_word("平"), result_of_word("和")) == (0, None, 0)


@pytest.mark.parametrize(
    ("tag", "movetext", "expected"),
    [
        (None, None, (1, "board", False)),
        (1, -1, (1, "tag", True)),
        (None, -1, (-1, "movetext", True)),
        (1, 1, (1, "tag", False)),
    ],
)
def test_the_tag_comes_before_the_movetext_and_that_before_the_board(
    tag: int | None, movetext: int | None, expected: tuple[int, str, bool]
) -> None:
    mated = "R2k5/1R7/9/9/9/9/9/9/9/4K4 b - - 0 1"
    assert settled(tag, [], mated, movetext=movetext) == expected  # type: ignore[arg-type]


def test_nothing_said_and_no_end_is_no_result() -> None:
    assert settled(None, [], None, unfinished=True) == (None, None, False)
