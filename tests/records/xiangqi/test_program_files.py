"""Files of programs: each format written by the tests' own writers and read back."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import pytest

from tabia._native.xiangqi_board import Board, encode_move
from tabia.records.xiangqi import formats
from tabia.records.xiangqi.record import Record, Reject
from tests.games.xiangqi_play import random_game
from tests.records.xiangqi.program_files import Game, cbf, cbl, cbr, dhtmlxq, xqf

OPENING = [encode_move(text) for text in ("h2e2", "h9g7", "h0g2", "i9h9", "i0h0")]
ENDGAME = "4kcP1N/8n/3rb4/9/9/9/9/3p1A3/4K4/5CB2 w - - 0 1"
TEXTS = {
    "title": "五七炮对屏风马",
    "event": "全国赛",
    "date": "1997年11月16日",
    "site": "北京",
    "red": "柳大华",
    "black": "吕钦",
}
CBF_TEXTS = {
    "Contest": "全国赛",
    "Date": "1997年11月16日",
    "Site": "北京",
    "Red": "柳大华",
    "Black": "吕钦",
}
WRITERS: dict[str, Callable[[Game], bytes]] = {
    "xqf 1.0": lambda game: xqf(game, 10),
    "xqf 1.1": lambda game: xqf(game, 11),
    "xqf 1.8": lambda game: xqf(game, 18),
    "cbr": cbr,
    "cbl": lambda game: cbl([game]),
    "cbf": cbf,
    "dhtmlxq": lambda game: dhtmlxq(game).encode(),
}


def only(data: bytes, name: str = "game") -> Record | Reject:
    (result,) = formats.read(data, name)
    return result


def game_of(data: bytes) -> Record:
    result = only(data)
    assert isinstance(result, Record), result
    return result


def reject_of(data: bytes) -> Reject:
    result = only(data)
    assert isinstance(result, Reject), result
    return result


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)
def test_moves_start_comments_and_side_lines_survive(write: Callable[[Game], bytes]) -> None:
    rng = random.Random(7)
    for plies in (0, 1, 30, 300):
        codes = random_game(rng, plies).moves()
        comments = {0: "开局", len(codes): "终局 end"}
        forks = dict.fromkeys(range(1, min(len(codes), 4)), OPENING)
        record = game_of(write(Game(codes, comments=comments, side_lines=forks)))
        assert record.moves == codes
        assert record.start_fen is None
        assert record.comments == comments
        assert record.variations == len(forks)
        assert record.notation == "squares"


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)
def test_set_up_positions_survive_with_their_side(write: Callable[[Game], bytes]) -> None:
    red = game_of(write(Game([encode_move("f0f9")], fen=ENDGAME)))
    assert (red.start_fen, red.moves) == (ENDGAME, [encode_move("f0f9")])
    fen = ENDGAME.replace(" w ", " b ")
    black = game_of(write(Game([encode_move("d2d1")], fen=fen)))
    assert (black.start_fen, black.moves) == (fen, [encode_move("d2d1")])


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)
def test_an_illegal_move_rejects_the_game_with_its_ply(write: Callable[[Game], bytes]) -> None:
    codes = [*OPENING, encode_move("a9a5")]
    reject = reject_of(write(Game(codes)))
    assert (reject.reason, reject.legal_plies) == ("illegal_move", 5)
    assert "ply 6, a9a5" in reject.detail


@pytest.mark.parametrize(
    "data",
    [
        xqf(Game(OPENING, texts=TEXTS), 10),
        xqf(Game(OPENING, texts=TEXTS)),
        cbr(Game([], texts=TEXTS)),
    ],
    ids=["xqf 1.0", "xqf 1.8", "cbr"],
)
def test_names_places_and_dates_are_kept(data: bytes) -> None:
    record = game_of(data)
    assert (record.event, record.date, record.site) == ("全国赛", "1997-11-16", "北京")
    assert (record.first_name, record.second_name) == ("柳大华", "吕钦")


def test_a_title_stands_in_for_a_missing_event() -> None:
    for data in (xqf(Game([], texts={"title": "杯"})), cbr(Game([], texts={"title": "杯"}))):
        assert game_of(data).event == "杯"


@pytest.mark.parametrize(("number", "result"), [(0, None), (1, 1), (2, -1), (3, 0), (9, None)])
def test_results_are_reds(number: int, result: int | None) -> None:
    game = Game(OPENING, result=number)
    assert game_of(xqf(game)).result == result
    assert game_of(cbr(game)).result == result
    assert game_of(cbf(game)).result == result


# -- XQF -----------------------------------------------------------------------------------


def test_xqf_reads_any_keys() -> None:
    rng = random.Random(11)
    game = Game(random_game(rng, 60).moves(), comments={3: "好棋"}, fen=None)
    for _ in range(200):
        a, b, c = (rng.randrange(256) for _ in range(3))
        keys = (a, b, c, -(a + b + c) % 256)
        ors = (rng.randrange(256), rng.randrange(256), a ^ 0x5A, b ^ 0xA5)
        data = xqf(game, rng.randint(11, 18), keys=keys, mask=rng.randrange(256), ors=ors)
        record = game_of(data)
        assert record.moves == game.codes
        assert record.comments == {3: "好棋"}


def test_xqf_takes_missing_pieces_from_the_board_under_any_key() -> None:
    rng = random.Random(12)
    for key in range(256):
        keys = (-key % 256, key, 0, 0)
        record = game_of(xqf(Game([], fen=ENDGAME), keys=keys, version=rng.choice([11, 18])))
        assert record.start_fen == ENDGAME


def test_xqf_texts_in_big5_are_known_from_those_in_gb18030() -> None:
    texts = {"event": "全國象棋個人賽", "red": "胡榮華", "black": "楊官璘"}
    big5 = game_of(xqf(Game(OPENING, texts=texts), encoding="big5"))
    assert (big5.encoding, big5.first_name, big5.event) == ("big5", "胡榮華", "全國象棋個人賽")
    simplified = game_of(xqf(Game(OPENING, texts=TEXTS)))
    assert (simplified.encoding, simplified.second_name) == ("gb18030", "吕钦")


def test_xqf_refuses_what_it_does_not_know_or_cannot_trust() -> None:
    good = xqf(Game(OPENING))
    assert "version 19" in reject_of(good[:2] + b"\x13" + good[3:]).detail
    assert "key bytes" in reject_of(good[:12] + b"\x00" + good[13:]).detail
    assert "it is cut" in reject_of(good[:500]).detail
    assert "break off" in reject_of(good[:-2]).detail
    twice = bytearray(xqf(Game(OPENING), 10))
    twice[17] = twice[16]
    assert "two pieces" in reject_of(bytes(twice)).detail


@pytest.mark.parametrize("write", [xqf, cbr])
def test_side_lines_that_are_cut_are_told_and_do_not_harm_the_main_line(
    write: Callable[[Game], bytes],
) -> None:
    data = write(Game(OPENING, side_lines={2: OPENING}))
    assert game_of(data).variations == 1
    record, cut = formats.read(data[:-3], "game")
    assert isinstance(record, Record)
    assert isinstance(cut, Reject)
    assert (record.moves, record.variations) == (OPENING, 1)
    assert cut.reason == "bad_file"
    assert "a side line is lost: the moves break off at byte" in cut.detail


def test_xqf_an_absurd_comment_length_is_no_memory() -> None:
    data = bytearray(xqf(Game(OPENING), 10))
    data[0x404:0x408] = b"\xff\xff\xff\x7f"
    assert reject_of(bytes(data)).reason == "bad_file"


# -- CCBridge ------------------------------------------------------------------------------


def test_cbl_gives_each_game_with_its_place() -> None:
    rng = random.Random(13)
    games = [
        Game(random_game(rng, plies).moves(), comments={1: "长" * plies})
        for plies in (10, 1000, 20)
    ]
    results = list(formats.read(cbl(games, slots=140), "库.cbl"))
    assert [result.moves for result in results if isinstance(result, Record)] == [
        game.codes for game in games
    ]
    # the long comment takes the second game into a second slot
    assert [result.byte_offset for result in results] == [105264, 109360, 117552]


def test_cbl_a_damaged_record_is_rejected_and_the_next_is_read() -> None:
    bad = Game([encode_move("a0a8")])
    results = list(formats.read(cbl([Game(OPENING), bad, Game(OPENING)]), "库.cbl"))
    assert [isinstance(result, Record) for result in results] == [True, False, True]
    assert "record 2: ply 1" in results[1].detail  # type: ignore[union-attr]


def test_cbl_records_that_the_index_lists_and_the_file_lacks_are_told() -> None:
    data = cbl([Game(OPENING), Game(OPENING)])
    results = list(formats.read(data[: 101952 + 4096], "库.cbl"))
    assert isinstance(results[0], Record)
    assert "lists 2 records, 1 are" in results[1].detail  # type: ignore[union-attr]
    empty = reject_of(cbl([]))
    assert empty.reason == "bad_file"


def test_cbr_refuses_other_versions_unknown_pieces_and_cut_files() -> None:
    good = cbr(Game(OPENING))
    assert "version 1" in reject_of(good[:19] + b"\x01" + good[20:]).detail
    assert "0x18" in reject_of(good[:2120] + b"\x18" + good[2121:]).detail
    assert "break off" in reject_of(good[:-4]).detail
    assert "it is cut" in reject_of(good[:2000]).detail


def test_cbr_moves_may_end_with_zeros_instead_of_a_mark() -> None:
    data = bytearray(cbr(Game(OPENING)))
    data[-4] = 0  # the mark of the last move
    assert game_of(bytes(data) + bytes(40)).moves == OPENING


def test_cbf_fields_and_encodings() -> None:
    game = Game(OPENING, texts={**CBF_TEXTS, "ECCO": "C03", "RedRating": "2563"})
    for encoding in ("utf-8", "gb2312", "utf-16"):
        record = game_of(cbf(game, encoding))
        assert (record.event, record.first_name, record.site) == ("全国赛", "柳大华", "北京")
        assert (record.opening_code, record.first_elo, record.second_elo) == ("C03", 2563, None)


def test_cbf_refuses_entities_other_documents_and_broken_xml() -> None:
    good = cbf(Game(OPENING)).decode()
    bomb = good.replace("?>\n", '?>\n<!DOCTYPE x [<!ENTITY a "aaaa">]>\n', 1)
    assert "document type" in reject_of(bomb.encode()).detail
    assert "no XML" in reject_of(good[:-30].encode()).detail
    deep = good.replace("<Head>", "<Head>" + "<a>" * 50)
    assert "deep" in reject_of(deep.encode()).detail
    other = next(formats.read(b"<html></html>", "a.cbf", "cbf"))
    assert isinstance(other, Reject)
    assert "not a <html>" in other.detail
    fen = reject_of(good.replace("RNBAKABNR", "RNBA1ABNR").encode())
    assert fen.reason == "bad_fen"
    move = reject_of(good.replace("77-47", "77-4x").encode())
    assert (move.reason, move.legal_plies) == ("bad_move", 0)


def test_cbf_moves_are_told_as_they_are_written() -> None:
    good = cbf(Game(OPENING)).decode()
    off = reject_of(good.replace("77-47", "97-47").encode())
    assert "ply 1, '97-47' is no pair of squares of the board: bad move" in off.detail
    start = reject_of(good.replace("70-62", "00-00").encode())
    assert (start.reason, start.legal_plies) == ("illegal_move", 1)
    assert "ply 2, a9a9 ('00-00')" in start.detail


def test_cbf_names_count_in_any_case_and_no_move_is_passed_over() -> None:
    good = cbf(Game([encode_move("f0f9")], fen=ENDGAME)).decode()
    for old, new in (
        ("FEN>", "Fen>"),
        ("Head>", "HEAD>"),
        ("<Move ", "<move "),
        ("value", "Value"),
    ):
        text = good.replace(old, new)
        assert text != good
        text = text.replace("</Move>", "</move>") if "<move " in text else text
        assert game_of(text.encode()).start_fen == ENDGAME
        assert game_of(text.encode()).moves == [encode_move("f0f9")]
    nested = good.replace("</MoveList>", '<Move value="1"><Move value="2"/></Move></MoveList>')
    assert "a <Move> stands inside another" in reject_of(nested.encode()).detail
    lists = good.replace("</MoveList>", "</MoveList><MoveList/>")
    assert "a second <MoveList>" in reject_of(lists.encode()).detail


# -- DhtmlXQ -------------------------------------------------------------------------------


def test_dhtmlxq_pages_have_as_many_games_as_boards() -> None:
    boards = [
        dhtmlxq(Game(OPENING, texts={"red": f"红{i}", "title": "标题"}), "红胜") for i in range(3)
    ]
    page = "<html><body>\n" + "</div>\n<div>".join(boards) + "</body></html>"
    for encoding in ("utf-8", "gb18030", "utf-16"):
        records = list(formats.read(page.encode(encoding), "page.html"))
        assert [record.first_name for record in records] == ["红0", "红1", "红2"]  # type: ignore[union-attr]
        assert {record.result for record in records} == {1}  # type: ignore[union-attr]
    lines = page.split("\n")
    for record in formats.read(page.encode(), "page.html"):
        assert "[DhtmlXQ]" in lines[record.line - 1]
        assert page.encode()[record.byte_offset :].startswith(b"[DhtmlXQ]")


def test_dhtmlxq_bare_tags_are_games_too() -> None:
    one = "[DhtmlXQ_red]甲[/DhtmlXQ_red][DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]"
    two = one.replace("甲", "乙").replace("77477062", "7747")
    records = list(formats.read((one + two).encode(), "tags.txt"))
    assert [(record.first_name, len(record.moves)) for record in records] == [("甲", 2), ("乙", 1)]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "script",
    [
        "<script>var DhtmlXQ_movelist = '[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]';</script>",
        "<script>var DhtmlXQ_movelist = '[0_1_0]7747[/0_1_0][0_1_1]7062[/0_1_1]';</script>",
    ],
)
def test_dhtmlxq_moves_may_stand_in_a_script(script: str) -> None:
    page = (
        f"[DhtmlXQ][DhtmlXQ_red]甲[/DhtmlXQ_red][DhtmlXQ_binit][/DhtmlXQ_binit][/DhtmlXQ]{script}"
    )
    assert game_of(page.encode()).moves == [encode_move("h2e2")]


def tags(**values: str) -> str:
    return "".join(f"[DhtmlXQ_{tag}]{text}[/DhtmlXQ_{tag}]" for tag, text in values.items())


def found(text: str) -> list[tuple[str | None, int]]:
    """Red and plies of each game, and what is said of each reject with its length as -1."""
    return [
        (one.first_name, len(one.moves)) if isinstance(one, Record) else (one.detail, -1)
        for one in formats.read(text.encode(), "page")
    ]


def test_dhtmlxq_bare_boards_beside_whole_ones_are_games() -> None:
    whole = f"[DhtmlXQ]{tags(red='甲', movelist='77477062')}[/DhtmlXQ]"
    bare = tags(red="乙", movelist="7747")
    games = [("甲", 2), ("乙", 1)]
    assert found(whole + bare) == games
    assert found(bare + whole) == games[::-1]
    assert found(bare + whole + bare + bare + whole) == [games[i] for i in (1, 0, 1, 1, 0)]
    page = whole + bare
    second = list(formats.read(page.encode(), "page"))[1]
    assert page.encode()[second.byte_offset :].decode() == bare


def test_dhtmlxq_bare_boards_with_equal_tags_keep_them() -> None:
    one = tags(red="甲", result="红胜", movelist="77477062")
    two = tags(red="甲", result="红胜", comment1="好", movelist="7747")
    assert found(one + two + two) == [("甲", 2), ("甲", 1), ("甲", 1)]
    for game in formats.read((one + two).encode(), "page"):
        assert isinstance(game, Record)
        assert game.result == 1


def test_dhtmlxq_moves_again_in_a_script_behind_the_board_are_no_second_game() -> None:
    board = f"[DhtmlXQ]{tags(red='甲', movelist='7747')}[/DhtmlXQ]"
    assert found(board + tags(movelist="7747")) == [("甲", 1)]


def test_dhtmlxq_boards_that_cannot_be_told_are_rejects() -> None:
    twice = tags(red="甲", movelist="7747") + tags(red="乙", movelist="77477062")
    ((detail, _),) = found(f"[DhtmlXQ]{twice}[/DhtmlXQ]")
    assert "two of [DhtmlXQ_movelist] between [DhtmlXQ] and [/DhtmlXQ], '7747' and" in str(detail)
    whole = f"[DhtmlXQ]{tags(red='甲', movelist='7747')}[/DhtmlXQ]"
    for empty in (f"[DhtmlXQ]{tags(red='乙')}[/DhtmlXQ]", tags(red="乙")):
        game, (detail, plies) = found(whole + empty)
        assert (game, plies) == (("甲", 1), -1)
        assert "neither [DhtmlXQ_movelist] nor [DhtmlXQ_binit], only red '乙'" in str(detail)
    assert found(whole + "[DhtmlXQ][DhtmlXQ_width]500[/DhtmlXQ_width][/DhtmlXQ]") == [("甲", 1)]


SETUP = "8979695949392919097717866646260600102030405060708012720323436383"


@pytest.mark.parametrize(
    ("at", "digits", "said"),
    [
        (0, "96", "piece 1, R, on '96': no square"),
        (0, "79", "piece 2, N, on '79': h0, where R stands"),
        (4, "46", "piece 5, K, on '46': e3, where it can never come"),
        (3, "48", None),
        (3, "47", "piece 4, A, on '47': e2, where it can never come"),
        (2, "64", "piece 3, B, on '64': g5, where it can never come"),
        (11, "87", "piece 12, P, on '87': i2, where it can never come"),
        (11, "75", "piece 12, P, on '75': h4, where it can never come"),
        (11, "74", None),
        (20, "42", None),
        (20, "43", "piece 21, k, on '43': e6, where it can never come"),
        (27, "13", "piece 28, p, on '13': b6, where it can never come"),
        (18, "41", "piece 19, b, on '41': e8, where it can never come"),
        (18, "42", None),
    ],
)
def test_dhtmlxq_pieces_where_they_cannot_stand_are_rejects(
    at: int, digits: str, said: str | None
) -> None:
    setup = SETUP[: 2 * at] + digits + SETUP[2 * at + 2 :]
    (one,) = formats.read(f"[DhtmlXQ]{tags(binit=setup)}[/DhtmlXQ]".encode(), "page")
    if said is None:
        assert isinstance(one, Record)
    else:
        assert isinstance(one, Reject)
        assert one.reason == "bad_fen"
        assert re.search(f"board 1: binit '{setup}': {said}$", one.detail)


def test_dhtmlxq_moves_are_told_as_they_are_written() -> None:
    (one,) = formats.read(b"[DhtmlXQ][DhtmlXQ_movelist]77479747[/DhtmlXQ]", "page")
    assert isinstance(one, Reject)
    assert (one.reason, one.legal_plies) == ("bad_move", 1)
    assert "ply 2, '9747' is no pair of squares of the board: bad move in" in one.detail


def test_dhtmlxq_texts_lose_markup_and_escapes() -> None:
    texts = {"red": "A &amp; <b>B</b>", "black": "\\u5415\\u94a6", "event": "杯<br>赛"}
    record = game_of(dhtmlxq(Game(OPENING, texts=texts, comments={1: "一\n二"})).encode())
    assert (record.first_name, record.second_name) == ("A & B", "吕钦")
    assert record.event == "杯\n赛"
    assert record.comments == {1: "一\n二"}


def test_dhtmlxq_names_without_a_team_are_preferred() -> None:
    texts = {"red": "湖北 洪智", "redname": "洪智", "black": "某地某某某", "blackteam": "某地"}
    record = game_of(dhtmlxq(Game(OPENING, texts=texts)).encode())
    assert (record.first_name, record.second_name) == ("洪智", "某地某某某")


@pytest.mark.parametrize(
    ("word", "result"),
    [("红胜", 1), ("黑勝", -1), ("和棋", 0), ("未知", None), ("W", 1), ("0-1", -1), ("", None)],
)
def test_dhtmlxq_results_are_words(word: str, result: int | None) -> None:
    assert game_of(dhtmlxq(Game(OPENING), word).encode()).result == result


def test_dhtmlxq_refuses_odd_digits_and_short_set_ups() -> None:
    good = dhtmlxq(Game(OPENING))
    assert reject_of(good.replace("7747", "774").encode()).reason == "bad_record"
    assert reject_of(good.replace("7747", "9747").encode()).reason == "bad_move"
    assert reject_of(good.replace("0919293949", "09192939").encode()).reason == "bad_fen"
    page = next(formats.read(b"<html>no board</html>", "page.html"))
    assert isinstance(page, Reject)
    assert page.reason == "bad_file"


def test_a_position_without_kings_is_a_bad_fen_in_every_format() -> None:
    king = Board().piece_codes().index(1)
    data = bytearray(cbr(Game([])))
    data[2120 + 9 * 9 + king] = 0
    assert reject_of(bytes(data)).reason == "bad_fen"
    xqf_data = bytearray(xqf(Game([]), 10))
    xqf_data[16 + 4] = 0xFF
    assert reject_of(bytes(xqf_data)).reason == "bad_fen"
