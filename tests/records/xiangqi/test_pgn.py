"""Xiangqi PGN: encodings, notations, and each defect of the wild, in files made here."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabia._native.xiangqi_board import encode_move
from tabia.games.xiangqi_notation import Style, write_moves
from tabia.records.xiangqi import pgn
from tabia.records.xiangqi.record import Record, Reject
from tests.games.xiangqi_play import random_game

CODES = [encode_move(text) for text in ("h2e2", "h9g7", "h0g2", "i9h9", "i0h0")]
TRADITIONAL = "1. 炮二平五 馬８進７ 2. 馬二進三 車９平８ 3. 車一平二"
SIMPLIFIED = "1. 炮二平五 马８进７ 2. 马二进三 车９平８ 3. 车一平二"
ROOK_ENDING = "3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1"
MATE_IN_ONE = "3k5/1R7/9/9/9/9/9/9/9/R3K4 w - - 0 1"


def results(text: str | bytes, encoding: str = "utf-8") -> list[Record | Reject]:
    return list(pgn.read(text if isinstance(text, bytes) else text.encode(encoding), "f.pgn"))


def records(text: str | bytes, encoding: str = "utf-8") -> list[Record]:
    found = results(text, encoding)
    games = [one for one in found if isinstance(one, Record)]
    assert len(games) == len(found), found
    return games


def game(text: str | bytes, encoding: str = "utf-8") -> Record:
    (found,) = results(text, encoding)
    assert isinstance(found, Record), found
    return found


def reject(text: str | bytes, encoding: str = "utf-8") -> Reject:
    (found,) = results(text, encoding)
    assert isinstance(found, Reject), found
    return found


# -- encodings -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("moves", "red", "encoding", "name"),
    [
        (TRADITIONAL, "胡榮華", "big5", "big5"),
        (TRADITIONAL, "胡榮華", "gb18030", "gb18030"),
        (SIMPLIFIED, "胡荣华", "gb18030", "gb18030"),
        (SIMPLIFIED, "胡荣华", "gb2312", "gb18030"),
        (SIMPLIFIED, "胡荣华", "utf-8", "utf-8"),
        (TRADITIONAL, "胡榮華", "utf-8-sig", "utf-8"),
        (SIMPLIFIED, "胡荣华", "utf-16", "utf-16"),
        (TRADITIONAL, "胡榮華", "utf-16-be", "utf-16"),
        (TRADITIONAL, "陳\u5803", "big5hkscs", "big5"),
    ],
)
def test_the_encoding_is_the_one_in_which_the_moves_are_moves(
    moves: str, red: str, encoding: str, name: str
) -> None:
    record = game(f'[Red "{red}"]\n\n{moves} *\n', encoding)
    assert (record.moves, record.first_name, record.encoding) == (CODES, red, name)
    assert record.notation == "chinese"


def test_a_big5_text_is_valid_gb18030_too_and_yet_read_as_big5() -> None:
    data = f'[Red "胡榮華"]\n\n{TRADITIONAL} *\n'.encode("big5")
    assert data.decode("gb18030") != data.decode("big5")
    assert game(data).encoding == "big5"


@pytest.mark.parametrize(
    ("red", "encoding"), [("柳大華", "big5"), ("许银川", "gb18030"), ("吕钦", "utf-8")]
)
def test_names_tell_the_encoding_where_the_moves_are_ascii(red: str, encoding: str) -> None:
    record = game(f'[Red "{red}"]\n\n1. C2=5 H8+7 *\n', encoding)
    assert (record.first_name, record.encoding) == (red, encoding)


def test_games_of_one_file_in_two_encodings_are_both_read() -> None:
    text = f'[Red "胡榮華"]\n\n{TRADITIONAL} *\n\n'
    found = records(text.encode("big5") * 2 + text.encode("gb18030"))
    read = [(one.encoding, one.first_name) for one in found]
    assert read == [("big5", "胡榮華"), ("big5", "胡榮華"), ("gb18030", "胡榮華")]


def test_bytes_that_are_no_characters_spoil_only_their_own_place() -> None:
    data = f'[Event "杯"]\n[Red "許銀川"]\n\n{TRADITIONAL} *\n'.encode("big5")
    record = game(data.replace("杯".encode("big5"), b"\xaa\xff"))
    assert (record.first_name, record.moves, record.encoding) == ("許銀川", CODES, "big5")


def test_utf_16_has_the_offsets_and_lines_of_the_file() -> None:
    text = f'[Red "胡榮華"]\n\n{TRADITIONAL} *\n\n[Red "許銀川"]\n\n1. 炮二平五 *\n'
    data = text.encode("utf-16")
    first, second = results(data)
    assert (first.byte_offset, first.line) == (2, 1)
    assert second.line == 5
    assert data[second.byte_offset :].decode("utf-16-le").startswith('[Red "許銀川"]')


# -- notations -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("style", "notation"),
    [
        ("wxf", "wxf"),
        ("playok", "playok"),
        ("iccs", "iccs"),
        ("ucci", "ucci"),
        ("chinese_simplified", "chinese"),
        ("chinese_traditional", "chinese"),
    ],
)
def test_whole_games_are_read_in_every_notation(style: Style, notation: str) -> None:
    rng = random.Random(5)
    for number in range(20):
        board = random_game(rng, 120)
        texts = write_moves(board.moves(), None, style)
        lines = " ".join(
            f"{ply // 2 + 1}. {text}" if ply % 2 == 0 else text for ply, text in enumerate(texts)
        )
        record = game(f'[Event "{number}"]\n[Format "WXF"]\n\n{lines} *\n')  # the hint may lie
        assert record.moves == board.moves()
        assert record.notation == notation


def test_small_letters_full_width_wxf_and_xboards_san_are_read() -> None:
    assert game("1. h2-e2 h9-g7 2. h0-g2 *").moves == CODES[:3]
    assert game("1. Ｃ２＝５ Ｈ８＋７ 2. Ｈ２＋３ Ｒ９＝８ 3. Ｒ１＝２ *").moves == CODES
    text = '[Variant "xiangqi"]\n\n1. Che2 {+0.08/5 1.6} Hg7 2. Hg2 Rh9 3. Rh0 *'
    assert game(text).moves == CODES


@pytest.mark.parametrize(
    "moves",
    [
        "1.炮二平五 馬８進７ 2.馬二進三 車９平８ 3.車一平二",
        "1、炮二平五 馬８進７ 2、馬二進三 車９平８ 3、車一平二",
        "１．炮二平五　馬８進７　２．馬二進三　車９平８　３．車一平二",
        "炮二平五 馬８進７ 馬二進三 車９平８ 車一平二",
        "1 炮二平五 馬８進７ 2 馬二進三 車９平８ 3 車一平二",
        "1.炮二平五馬８進７2.馬二進三車９平８3.車一平二",
        "7. 炮二平五 馬８進７ 7. 馬二進三 車９平８ 0. 車一平二",
        "1. 炮二平五! 1... 馬８進７?! 2. 馬二進三 $14 車９平８ 3. 車一平二!!",
        "1.\r\n炮二平五\r\n馬８進７\r\n2.\r\n馬二進三\r\n車９平８\r\n3.\r\n車一平二",
        " 1. 炮二平五\n    馬８進７\n 2. 馬二進三\n    車９平８\n 3. 車一平二",
    ],
)
def test_moves_may_be_numbered_and_broken_into_lines_anyhow(moves: str) -> None:
    record = game(f'[Red "a"]\n\n{moves} 1-0\n')
    assert (record.moves, record.result) == (CODES, 1)


@pytest.mark.parametrize("moves", ["1. h3e3 h10g8 2. h1g3", "1. h3e3 g7g6 2. h1g3"])
def test_coordinates_count_ranks_from_one_where_they_are_legal_only_so(moves: str) -> None:
    record = game(f'[Variant "xiangqi"]\n\n{moves} *')
    assert (record.notation, record.moves[0], record.moves[2]) == ("uci", CODES[0], CODES[2])


# -- defects ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "trailer",
    [
        "*\n======================\n欢迎访问象棋百科全书网\n推荐用象棋巫师观赏棋谱\nhttp://www.xqbase.com/\n",
        "\n  =========\n欢迎访问象棋百科全书网 炮二平五\n",
        "\n-----\nhttp://www.xqbase.com/\n",
        "\n欢迎访问象棋百科全书网\nhttp://www.xqbase.com/\n",
        "1/2-1/2\n1. advertisement\n",
    ],
)
def test_trailers_behind_the_moves_are_left_out(trailer: str) -> None:
    assert game(f'[Red "a"]\n\n{SIMPLIFIED} {trailer}', "gb18030").moves == CODES


def test_a_wrong_last_move_is_no_trailer() -> None:
    assert reject(f"{SIMPLIFIED}\n车１平九\n").reason in ("bad_move", "illegal_move")
    found = reject(f"{SIMPLIFIED} 車一二三 *\n")
    assert (found.reason, found.legal_plies) == ("bad_move", 5)
    found = reject(f"{SIMPLIFIED}\n謝謝\n马８进７\n")
    assert (found.reason, found.legal_plies) == ("bad_move", 5)


@pytest.mark.parametrize(
    "last",
    ["車一平\n1-0", "h0g\n1-0", "馬八進", "駒八進七", "\ufffd一平二", "h10-g", "C2=", "平", "和車"],
)
def test_an_unreadable_last_move_is_never_taken_for_a_trailer(last: str) -> None:
    lines = "炮二平五\n馬８進７\n馬二進三\n車９平８\n"
    found = reject(f'[Red "a"]\n\n{lines}{last}\n')
    assert (found.reason, found.legal_plies) == ("bad_move", 4)


def test_words_before_a_token_or_a_rule_are_no_trailer() -> None:
    for end in ("1-0", "====="):
        assert reject(f"{SIMPLIFIED}\n欢迎访问象棋百科全书网\n{end}\n").reason == "bad_move"


def test_comments_begin_no_game() -> None:
    tags = '[Red "a"]\n\n1. h2e2 {see\n[Note "book"]\n\nwins 1-0\n1. e4} h9g7 *\n\n'
    first, second = results(tags + '[Red "b {"]\n[Black "}"]\n\n1. h2e2 ; 1-0\n1... h9g7 *\n')
    assert isinstance(first, Record)
    assert isinstance(second, Record)
    assert first.comments == {1: 'see\n[Note "book"]\n\nwins 1-0\n1. e4'}
    assert (second.first_name, second.second_name, len(second.moves)) == ("b {", "}", 2)


@pytest.mark.parametrize("encoding", ["big5", "gb18030"])
def test_a_brace_that_is_half_a_character_opens_no_comment(encoding: str) -> None:
    half = {"big5": b"\xa4\x7b", "gb18030": b"\x81\x7b"}[encoding].decode(encoding)
    end = {"big5": b"\xa4\x7d", "gb18030": b"\x81\x7d"}[encoding].decode(encoding)
    text = f'[Red "a"]\n\n{TRADITIONAL} {{{half}}} *\n\n[Red "{end}"]\n\n{TRADITIONAL} *\n'
    first, second = results(f'{text}\n[Red "c"]\n\n1. {half} {end} *\n', encoding)[:2]
    assert isinstance(first, Record)
    assert isinstance(second, Record)
    assert (first.comments, second.first_name) == ({5: half}, end)


def test_a_comment_that_is_never_closed_spoils_only_its_game() -> None:
    found = results('[Red "a"]\n\n1. h2e2 {open\n\n[Red "b"]\n\n1. h2e2 {closed} *\n')
    assert [type(one) for one in found] == [Reject, Record]


def test_comments_are_kept_at_their_ply_and_side_lines_counted() -> None:
    record = game(
        "{五七炮} 1. 炮二平五 {中炮} 馬８進７ (1... 炮８平５ {順炮} (1... 炮２平５) 2. 馬二進三) "
        "; 屏風馬\n% 2. 車一進一\n2. 馬二進三（正著）{再來} 車９平８ 3. 車一平二 *\n"
    )
    assert record.moves == CODES
    assert record.variations == 1
    assert record.comments == {
        0: "五七炮",
        1: "中炮",
        2: "屏風馬 2. 車一進一",
        3: "正著 再來",
    }


@pytest.mark.parametrize("opened", ["{ never closed 1-0", "(1... 炮８平５ 1-0"])
def test_what_is_opened_and_never_closed_is_rejected(opened: str) -> None:
    found = reject(f"1. 炮二平五 {opened}\n")
    assert found.reason == "bad_record"
    assert "never closed" in found.detail


@pytest.mark.parametrize(
    ("written", "date"),
    [("1981年7月21日", "1981-07-21"), ("78-5-30", "1978-05-30"), ("", None), ("12月25日", None)],
)
def test_dates_are_iso(written: str, date: str | None) -> None:
    assert game(f'[Date "{written}"]\n\n{SIMPLIFIED} *').date == date


def test_empty_names_and_placeholders_are_none() -> None:
    record = game(
        '[Event ""]\n[Site "?"]\n[Round "-"]\n[Red ""]\n[RedTeam ""]\n[Black "?"]\n'
        f'[RedElo ""]\n[BlackElo "0"]\n\n{SIMPLIFIED} *'
    )
    assert record.event is record.site is record.round is None
    assert record.first_name is record.second_name is None
    assert record.first_elo is record.second_elo is None


def test_a_team_glued_to_a_name_is_left_out() -> None:
    record = game(f'[Red "上海胡榮華"]\n[Black "廣東 許銀川"]\n\n{TRADITIONAL} *', "big5")
    assert (record.first_name, record.second_name) == ("胡榮華", "許銀川")


def test_white_and_ratings_and_tags_with_quotes_are_read() -> None:
    record = game(
        '[Event "The "Silver" Cup"] [Site "a\\"b\\\\c"]\n[White "A"]\n[Black "B"]\n'
        '[WhiteElo "2100"]\n'
        f'[BlackElo "1999"]\n[TimeControl "600"]\n[ECCO "C45"]\n\n{SIMPLIFIED} *'
    )
    assert (record.event, record.site) == ('The "Silver" Cup', 'a"b\\c')
    assert (record.first_name, record.first_elo, record.second_elo) == ("A", 2100, 1999)
    assert (record.time_control, record.opening_code) == ("600", "C45")


@pytest.mark.parametrize(
    ("tag", "token", "result", "conflict"),
    [
        ('[Result "1-0"]', "1-0", 1, False),
        ('[Result "1-0"]', "", 1, False),
        ('[Result "1-0"]', "*", 1, False),
        ('[Result "*"]', "0-1", -1, False),
        ("", "1/2-1/2", 0, False),
        ("", "", None, False),
        ("", "*", None, False),
        ('[Result "紅勝"]', "", 1, False),
        ('[Result "1-0"]', "0-1", 1, True),
        ('[Result "1/2-1/2"]', "紅勝", 0, True),
    ],
)
def test_the_tag_is_kept_where_it_and_the_token_disagree(
    tag: str, token: str, result: int | None, conflict: bool
) -> None:
    record = game(f'[Red "a"]\n{tag}\n\n{SIMPLIFIED} {token}\n')
    assert (record.moves, record.result, record.result_conflict) == (CODES, result, conflict)


@pytest.mark.parametrize(
    ("tag", "result", "conflict"),
    [("1-0", 1, False), ("0-1", -1, True), ("1/2-1/2", 0, True), ("*", 1, True), ("", 1, False)],
)
def test_a_mate_against_the_tag_is_a_conflict(tag: str, result: int, conflict: bool) -> None:
    record = game(f'[Result "{tag}"]\n[FEN "{MATE_IN_ONE}"]\n\n1. a0a9 {tag}\n')
    assert (record.result, record.result_conflict) == (result, conflict)


@pytest.mark.parametrize(
    ("tag", "token", "source"),
    [("1-0", "1-0", "tag"), ("*", "1-0", "movetext"), ("", "", "board")],
)
def test_a_result_says_where_it_comes_from(tag: str, token: str, source: str) -> None:
    text = f'[Result "{tag}"]\n[FEN "{MATE_IN_ONE}"]\n\n1. a0a9 {token}\n'
    assert (game(text).result, game(text).result_from) == (1, source)
    assert game("1. h2e2 *").result_from is None


def test_a_fen_start_is_kept_and_the_standard_one_is_none() -> None:
    record = game(f'[FEN "{ROOK_ENDING}"]\n\n1. 車五進一 *')
    assert (record.start_fen, record.moves) == (ROOK_ENDING, [encode_move("e1e2")])
    start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"
    for fen in (f"{start} w - - 0 1", f"{start} w", start, f"{start} r - - 0 1", ""):
        assert game(f'[FEN "{fen}"]\n\n{SIMPLIFIED} *').start_fen is None


@pytest.mark.parametrize(
    "moves", ["1. 將４平５", "1... 將４平５", "1. …… 將４平５", "1. ... 將４平５"]
)
def test_black_may_begin_from_a_fen(moves: str) -> None:
    record = game(f'[FEN "3k5/9/9/9/9/9/9/9/3R5/5K3 b - - 0 1"]\n\n{moves} *')
    assert record.moves == [encode_move("d9e9")]


def test_a_fen_without_a_king_is_rejected() -> None:
    found = reject('[FEN "9/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1"]\n\n1. 車五進一 1-0\n')
    assert (found.reason, found.legal_plies) == ("bad_fen", 0)
    assert "0 kings" in found.detail


@pytest.mark.parametrize(
    "fen",
    [
        ROOK_ENDING.replace(" w ", " b "),
        "3k5/9/9/9/9/9/9/9/3R5/5K3 w - - 0 1",  # Black is in check, so Red cannot be to move
    ],
)
def test_a_fen_whose_side_contradicts_the_first_move_is_named_as_such(fen: str) -> None:
    moves = "1. 車五進一" if " b " in fen else "1. 將４平５"
    found = reject(f'[FEN "{fen}"]\n\n{moves} *')
    assert found.reason == "bad_record"
    assert "correct the FEN" in found.detail


def test_games_without_blank_lines_between_them_are_told_apart() -> None:
    text = (
        f'[Red "a"]\n[Black "b"]\n{SIMPLIFIED}\n[Red "c"]\n{SIMPLIFIED} *\n[Red "d"]\n[Red "e"]\n'
    )
    found = results(text.replace("\n", "\r\n"))
    assert [one.first_name for one in found if isinstance(one, Record)] == ["a", "c", "d", "e"]
    assert [len(one.moves) for one in found if isinstance(one, Record)] == [5, 5, 0, 0]
    assert [one.line for one in found] == [1, 4, 6, 7]


def test_games_without_tags_are_told_apart_by_their_results() -> None:
    found = results("1. h2e2 h9g7 1-0\n\n1. h2e2 0-1\n1. b2e2 *\n")
    assert [one.result for one in found if isinstance(one, Record)] == [1, -1, None]
    assert [one.line for one in found] == [1, 3, 4]


def test_words_before_the_first_tag_are_no_game() -> None:
    assert game(f'My games\n\n[Red "a"]\n\n{SIMPLIFIED} *').line == 3


def test_old_macintosh_line_ends_are_read() -> None:
    assert game(f'[Red "a"]\r\r{SIMPLIFIED} *\r').moves == CODES


def test_offsets_lead_to_the_first_tag() -> None:
    data = (
        f'\ufeff\n[Red "胡榮華"]\n\n{TRADITIONAL} *\n\n[Red "許銀川"]\n\n1. 炮二平九 *\n'.encode()
    )
    first, second = results(data)
    assert data[first.byte_offset :].startswith('[Red "胡'.encode())
    assert data[second.byte_offset :].startswith('[Red "許'.encode())
    assert (first.line, second.line, type(second)) == (2, 6, Reject)


def test_a_file_without_games_is_one_reject_and_an_empty_one_none() -> None:
    assert reject("Creative Commons\n\nAttribution 4.0\n").reason == "bad_file"
    assert results("") == results(" \n\n") == []


def test_faults_name_file_ply_and_text() -> None:
    found = reject(f'[Red "a"]\n\n{SIMPLIFIED} 马８进９ *')
    assert (found.reason, found.legal_plies) == ("illegal_move", 5)
    assert all(part in found.detail for part in ("f.pgn", "马８进９", "ply 6"))


def test_looks_like_knows_tags_and_numbered_moves() -> None:
    for text in ('[Game "Chinese Chess"]\n', SIMPLIFIED, "  1. h2e2 h9g7", '\ufeff[Red "a"]\n'):
        assert pgn.looks_like(text.encode())
        assert pgn.looks_like(text.encode("utf-16"))
    assert not pgn.looks_like(b"gameID,turn,side,move\n")


@pytest.mark.parametrize(
    "hostile",
    [
        b'[A "' * 250_000,
        b"\n" * 1_000_000,
        b"1. h2e2 " + b"( " * 100_000,
        b"1. h2e2 " + "（".encode() * 60_000,
        b"1. h2e2 {" * 100_000,
        b"1. h2e2 *\n" * 3_000,
        b'[A "x"]\n1. h2e2 *\n' * 3_000,
        b"1. " + "炮".encode("big5") * 300_000,
        b"1. h2e2 *\n" + b"{\x81" * 300_000,
        b"1. h2e2 *\n\xa4\xff" + b"{\x81{" * 200_000,
        '[Red "a"]\n1. h2e2 *\n'.encode("utf-16") * 3_000,
        b'[Red "a"]\n[RedElo "' + b"9" * 500_000 + b'"]\n1. h2e2 *\n',
    ],
)
def test_hostile_files_take_time_in_proportion_to_their_length(hostile: bytes) -> None:
    begin = time.process_time()
    for _ in pgn.read(hostile, "f"):
        pass
    assert time.process_time() - begin < 10


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_give_records_and_rejects(data: bytes) -> None:
    for head in (b"", b"1. ", b'[Red "a"]\n\n1. '):
        for found in results(head + data):
            assert isinstance(found, Record | Reject)
            assert found.line >= 1
            assert 0 <= found.byte_offset <= len(head + data)
