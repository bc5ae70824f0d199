"""Where games of a xiangqi PGN begin and end, and starts that cannot be read: nothing is lost."""

from __future__ import annotations

import random
import time
from itertools import pairwise

import pytest

from tabia._native.xiangqi_board import encode_move
from tabia.games.xiangqi_notation import Style, write_moves
from tabia.records.xiangqi import pgn
from tabia.records.xiangqi.record import Record, Reject
from tests.games.xiangqi_play import random_game
from tests.records.xiangqi.test_pgn import game, records, reject, results

CANNON, HORSE = encode_move("h2e2"), encode_move("h9g7")
BARE = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABN1 w"
FULL = f"{BARE} - - 0 1"


def told(text: str) -> list[tuple[int, int | None] | str]:
    """Plies and result of each game, reason of each reject."""
    return [
        (len(one.moves), one.result) if isinstance(one, Record) else one.reason
        for one in results(text)
    ]


# -- starts ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "tag",
    [
        f'[FEN "{BARE}"]',
        f'[Fen "{BARE}"]',
        f'[fen "{BARE}"]',
        f'[FEN"{BARE}"]',
        f'[ FEN "{BARE}" ]',
        f'[FEN "{BARE}"\n]',
        f'[SetUp "1"]\n[FEN "{BARE}"]',
        f'[FEN "{BARE}"]\n[fen "{BARE}"]',
    ],
)
def test_a_start_is_read_however_its_tag_is_written(tag: str) -> None:
    assert game(f'[Event "x"]\n{tag}\n[Red "A"]\n\n1. C2=5 *\n').start_fen == FULL


@pytest.mark.parametrize(
    "tag",
    [
        f'[FEN "{BARE}',
        f'[FEN "{BARE}]',
        f"[FEN '{BARE}']",
        f"[FEN “{BARE}”]",
        f"[fen {BARE}]",
        f"[FEN: {BARE}]",
    ],
)
@pytest.mark.parametrize("before", ['[Event "x"]\n', "", "1. C2=5 1-0\n\n"])
def test_a_start_whose_tag_is_not_closed_is_rejected_with_its_value(tag: str, before: str) -> None:
    *_, found = results(f'{before}{tag}\n[Red "A"]\n\n1. C2=5 *\n')
    assert isinstance(found, Reject)
    assert (found.reason, found.legal_plies) == ("bad_fen", 0)
    assert "tag FEN" in found.detail
    assert BARE in found.detail
    assert len(results(f'{before}{tag}\n[Red "A"]\n\n1. C2=5 *\n')) == 1 + before.startswith("1.")


def test_a_start_broken_over_two_lines_is_rejected() -> None:
    broken = BARE.replace("/9/RNB", "/9/\nRNB")
    found = reject(f'[Event "x"]\n[FEN "{broken}"]\n[Red "A"]\n\n1. C2=5 *\n')
    assert found.reason == "bad_fen"


@pytest.mark.parametrize("fen", ["", '[FEN ""]\n', f'[Position "{BARE}"]\n'])
@pytest.mark.parametrize("setup", ["SetUp", "Setup", "SETUP"])
def test_a_start_that_is_said_and_not_given_is_rejected(fen: str, setup: str) -> None:
    found = reject(f'[Event "x"]\n{fen}[{setup} "1"]\n\n1. C2=5 *\n')
    assert found.reason == "bad_fen"
    assert "SetUp '1'" in found.detail
    assert game(f'[Event "x"]\n{fen}[{setup} "0"]\n\n1. C2=5 *\n').start_fen is None


def test_two_different_starts_are_rejected() -> None:
    other = "4k4/9/9/9/9/9/9/9/4P4/3K5 w - - 0 1"
    found = reject(f'[Event "x"]\n[FEN "{BARE}"]\n[FEN "{other}"]\n\n1. C2=5 *\n')
    assert found.reason == "bad_fen"
    assert "comes twice" in found.detail
    assert other in found.detail


def test_names_of_tags_are_read_in_any_case() -> None:
    record = game(
        '[event "E"]\n[RED "A"]\n[black "B"]\n[redelo "2000"]\n[BlackELO "1900"]\n'
        '[result "1-0"]\n[DATE "1990.01.02"]\n[timecontrol "60"]\n[ecco "C03"]\n\n1. C2=5\n'
    )
    assert (record.event, record.first_name, record.second_name) == ("E", "A", "B")
    assert (record.first_elo, record.second_elo, record.result) == (2000, 1900, 1)
    assert (record.date, record.time_control, record.opening_code) == ("1990-01-02", "60", "C03")


# -- where games begin and end ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # A result ends a game, whatever follows on it.
        ("C2=5 H8+7 1-0\n\nH2+3 0-1\n", [(2, 1), (1, -1)]),
        ("1. C2=5 H8+7 1-0\nC8=5 H2+3 0-1\n", [(2, 1), (2, -1)]),
        ("1. C2=5 H8+7 1-0 1. H2+3 0-1", [(2, 1), (1, -1)]),
        ("1. 炮二平五 马8进7 1-0 1. 马二进三 0-1\n\n炮八平五 *", [(2, 1), (1, -1), (1, None)]),
        ('[Event "x"]\n\n1. C2=5 1-0 [Event "y"]\n\n1. H2+3 H8+7 0-1\n', [(1, 1), (2, -1)]),
        ('[Event "x"] 1. C2=5 1-0 [Event "y"] 1. H2+3 H8+7 0-1', [(1, 1), (2, -1)]),
        (
            '[Event "x"]\n\n1. C2=5 1-0\n\n1. H2+3 0-1\n\n[Event "z"]\n\n*',
            [(1, 1), (1, -1), (0, None)],
        ),
        ("1. C2=5 H8+7 1 - 0\n\n1. H2+3 1/2 - 1/2", [(2, 1), (1, 0)]),
        # So does a line with a move numbered 1.
        ("1. C2=5 H8+7\n\n1. H2+3 H2+3 0-1", [(2, None), (2, -1)]),
        ("1. C2=5 H8+7\n1. H2+3 H2+3 2. C8=5 0-1", [(2, None), (3, -1)]),
        ("1、炮二平五 马8进7\n\n1、马二进三 0-1", [(2, None), (1, -1)]),
        ('[Event "x"]\n\n1. C2=5 H8+7\n\n1. H2+3 H2+3 0-1', [(2, None), (2, -1)]),
        ("My games\n\n1. C2=5 H8+7 1-0", [(2, 1)]),
        ("My games\n1. C2=5 H8+7 1-0\nSecond:\n1. H2+3 0-1", [(2, 1), (1, -1)]),
        ('[Red "x"]\n\n炮二平五 马8进7\n\n1. 马二进三 0-1', [(2, None), (1, -1)]),
        # Words before it, behind tags, are the fault of their game.
        ('[Red "x"]\n\nAnnotated\n\n1. C2=5 H8+7 0-1', ["bad_move"]),
        # A move numbered 1 by mistake, or Black's, begins none.
        ("1. C2=5 H8+7 2. H2+3 R9=8\n1. R1=2 H2+3 4. P7+1 *", [(7, None)]),
        ("1. C2=5\n\n1... H8+7 2. H2+3 *", [(3, None)]),
        ("1. C2=5 (1. H2+3\n\n1. C8=5 1-0) H8+7 *", [(2, None)]),
        # A tag that is there already begins one behind an empty line.
        ('[Event "x"]\n[Red "a"]\n\n[Red "b"]\n[Event "y"]\n\n1. C2=5 *', [(0, None), (1, None)]),
        # What cannot be read is a reject.
        ("1. C2=5 1-0\n\n1. Zz9 C2=5 H8+7 0-1\n\n1. H2+3 0-1", [(1, 1), "bad_move", (1, -1)]),
        ("1. Zz9 C2=5 H8+7 0-1\n\n1. H2+3 1/2-1/2", ["bad_move", (1, 0)]),
        ('hello\n\n1. Zz9 C2=5 H8+7 0-1\n\n[Red "a"]\n\n1. H2+3 *', ["bad_move", (1, None)]),
        ("1. C2=5 1-0\n\n1. 炮二平 炮8平5 0-1", [(1, 1), "bad_move"]),
        ("1. C2=5 1-0\n\n一、 炮八平五 *", [(1, 1), "bad_move"]),
        ("1. C2=5 1-0\n\n1. C2=9 H8+7 0-1", [(1, 1), "illegal_move"]),
        ("1. C2=5 1-0\n\n1. C8=5 {open", [(1, 1), "bad_record"]),
        # Moves behind an end are another game only if they are numbered so.
        ("1. C2=5 H8+7 * 2. H2+3 *", [(2, None), "bad_record"]),
        ('[Red "a"]\n\n1. C2=5 H8+7\n------\n2. H2+3 1-0', [(2, None), "bad_record"]),
        ("1. C2=5 H8+7\n------\n1. H2+3 1-0", [(2, None), (1, 1)]),
        ("1. 炮二平五 马8进7 红胜 2. 马二进三", [(2, 1), "bad_record"]),
        # Words are no game.
        ("1. C2=5 1-0\nwww.xqbase.com\n1. Visit us\n2. Write\n", [(1, 1)]),
        ("1. C2=5 1-0 {a comment} (1. H2+3 *) ; another *\n", [(1, 1)]),
        ("1. C2=5 1-0\n* * *\n", [(1, 1)]),
    ],
)
def test_games_are_found_and_none_is_lost(
    text: str, expected: list[tuple[int, int | None] | str]
) -> None:
    assert told(text) == expected
    assert told(text.replace("\n", "\r\n")) == expected
    if "、" not in text:
        assert told("\ufeff" + text) == expected


def test_games_behind_words_and_results_begin_where_they_are_said_to() -> None:
    text = 'Mine:\n1. C2=5 1-0 {x}\n\n 1. H2+3 0-1 [Event "y"]\n\n*\n'
    found = records(text)
    assert [text[one.byte_offset :][:9] for one in found] == ["1. C2=5 1", "1. H2+3 0", '[Event "y']
    assert [one.line for one in found] == [2, 4, 4]


def test_values_with_quotes_and_brackets_end_where_their_tag_does() -> None:
    text = '[Event "a \\"b\\"] [c"] [Site "the "best" one"] 1. C2=5 1-0 [Event "C:\\"] 1. H2+3 *'
    first, second = records(text)
    assert (first.event, first.site) == ('a "b"] [c', 'the "best" one')
    assert (second.event, second.moves) == ("C:\\", [encode_move("h0g2")])


@pytest.mark.parametrize("style", ["wxf", "iccs", "ucci", "chinese_simplified"])
@pytest.mark.parametrize("encoding", ["utf-8", "gb18030", "utf-16"])
def test_games_written_in_any_manner_are_all_found(style: Style, encoding: str) -> None:
    rng = random.Random(7)
    for _ in range(20):
        parts, expected = [], []
        for number in range(8):
            codes = random_game(rng, rng.randint(1, 30)).moves()
            texts = write_moves(codes, None, style)
            is_numbered, has_tags = rng.random() < 0.7, rng.random() < 0.5
            if is_numbered:
                texts = [
                    f"{n // 2 + 1}. {one}" if n % 2 == 0 else one for n, one in enumerate(texts)
                ]
            end = rng.choice(["1-0", "0-1", "1/2-1/2", "*"])
            if has_tags or is_numbered:  # else nothing but a result tells two games apart
                end = rng.choice([end, ""])
            head = f'[Event "赛 {number}"]\n[Result "{end or "*"}"]\n\n' if has_tags else ""
            parts.append(f"{head}{rng.choice([' ', chr(10)]).join(texts)} {end}")
            expected.append(codes)
        gaps = ["\n\n" if part.endswith(" ") else rng.choice([" ", "\n", "\n\n"]) for part in parts]
        text = "".join(part + gap for part, gap in zip(parts, gaps, strict=True))
        # Unnumbered moves without a tag would go on with a game that has no result.
        follows = pairwise(parts)
        if any(one.endswith(" ") and not two.startswith(("[", "1.")) for one, two in follows):
            continue
        assert [one.moves for one in records(text, encoding)] == expected


# -- moves that are none ---------------------------------------------------------------------


@pytest.mark.parametrize("null", ["--", "---", "——", "Z0", "0000"])
def test_a_null_move_is_rejected(null: str) -> None:
    found = reject(f'[Red "A"]\n\n1. h2e2 {null} 2. h0g2 *')
    assert (found.reason, found.legal_plies) == ("null_move", 1)
    assert repr(null) in found.detail
    assert reject(f"1. C2=5 {null} 2. C5=2 {null} *").legal_plies == 1


def test_dashes_may_stand_for_the_move_that_red_has_not() -> None:
    black = "3k5/9/9/9/9/9/9/9/3R5/5K3 b - - 0 1"
    assert game(f'[FEN "{black}"]\n\n1. -- 將４平５ {{x}} *').comments == {1: "x"}
    assert reject(f'[FEN "{black}"]\n\n1. -- -- 將４平５ *').reason == "null_move"
    red = black.replace(" b ", " w ").replace("3R5", "4R4")
    assert reject(f'[FEN "{red}"]\n\n1. -- 將４平５ *').reason == "null_move"


# -- long files ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "hostile",
    [
        "1. C2=5 " + "{a}" * 300_000,
        "1. C2=5\n" + ";a\n" * 300_000,
        "1. C2=5\n" + "%a\n" * 300_000,
        "1. C2=5 " + "（a）" * 200_000,
        "博\n1. C2=5 " + "（a）" * 200_000,
        "博\n1. C2=5 " + "{车}" * 200_000,
        "博\n" + "".join(f'[A{number} "\\"] ' for number in range(40_000)),
        "".join(f'[A{number} "\\"] ' for number in range(40_000)),
        ' [A "' * 200_000,
        "".join(f'[A{number} "x\n' for number in range(40_000)),
        "".join(f'[A{number} "\nx\n' for number in range(10_000)),
        "1. " * 150_000,
        "\n\n1. x" * 10_000,
        " " * 300_000 + "x" + " 1. " * 50_000,
        "1-0 " * 50_000,
        "x " * 100_000 + "1-0 " * 1_000,
        "1. 炮二平五 红胜 " * 20_000,
        "=" * 300_000 + "\n===" * 10_000,
        "-- " * 100_000,
    ],
)
def test_comments_tags_and_ends_take_time_in_proportion_to_their_number(hostile: str) -> None:
    begin = time.process_time()
    for _ in pgn.read(hostile.encode("utf-8" if hostile[0] != "博" else "gb18030"), "f"):
        pass
    assert time.process_time() - begin < 20  # one or two seconds; quadratic time is minutes
