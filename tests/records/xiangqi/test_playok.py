"""PlayOK's tables and WXF text: padded, out of order, broken, in files made here."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabia._native.xiangqi_board import encode_move
from tabia.games.xiangqi_notation import write_moves
from tabia.records.xiangqi import formats, playok, wxf
from tabia.records.xiangqi.record import Record, Reject
from tabia.records.xiangqi.write import write_pgn
from tests.games.xiangqi_play import random_game

CODES = [encode_move(text) for text in ("h2e2", "h9g7", "h0g2", "i9h9")]
MOVES = """gameID,turn,side,move
7,1,red,C2.5
7,2,red,H2+3
7,1,black,h8+7
7,2,black,r9.8
""".replace("\n", "\r\n")
HEADERS = """gameID,game_datetime,blackID,blackELO,redID,redELO,winner
7,2017-02-10 13:11:10,levin,1382,bao,1495,red
8,2017-02-10 13:21:43,phuc,1269,quan,1282,draw
""".replace("\n", "\r\n")


def read(text: str, headers: str | None = None) -> list[Record | Reject]:
    known = None if headers is None else playok.headers(headers.encode())
    return list(playok.read(text.encode(), "f.csv", known))


def reject(text: str) -> Reject:
    (found,) = read(text)
    assert isinstance(found, Reject), found
    return found


def test_moves_of_both_sides_are_put_in_turn() -> None:
    (found,) = read(MOVES)
    assert isinstance(found, Record)
    assert (found.moves, found.notation, found.result) == (CODES, "playok", None)
    assert (found.byte_offset, found.line, found.encoding) == (23, 2, "utf-8")


@pytest.mark.parametrize(
    "text",
    [
        MOVES.replace("\r\n", "\n"),
        MOVES.replace(",", "  , "),
        MOVES.replace("gameID,turn,side,move", "gameID  ,turn,side ,move").replace(
            ",red,", ",red  ,"
        ),
        "\ufeff" + MOVES,
        MOVES + "\r\n\r\n",
        MOVES.replace("7,", '"7",'),
        MOVES.replace("red", "Red").replace("gameID", "gameid"),
    ],
    ids=["lf", "padded", "padded header", "bom", "blank lines", "quoted", "capitals"],
)
def test_padding_and_line_ends_do_not_matter(text: str) -> None:
    (found,) = read(text)
    assert isinstance(found, Record)
    assert found.moves == CODES


def test_columns_may_stand_in_another_order() -> None:
    rows = [line.split(",") for line in MOVES.split()]
    text = "\n".join(",".join(row[place] for place in (3, 0, 2, 1)) for row in rows)
    (found,) = read(text)
    assert isinstance(found, Record)
    assert found.moves == CODES


def test_rows_out_of_order_and_games_interleaved_are_sorted() -> None:
    rng = random.Random(3)
    games = {number: random_game(rng, 40).moves() for number in range(20, 30)}
    rows = [
        f"{number},{ply // 2 + 1},{('red', 'black')[ply % 2]},{text}"
        for number, codes in games.items()
        for ply, text in enumerate(write_moves(codes, None, "playok"))
    ]
    rng.shuffle(rows)
    order = list(dict.fromkeys(int(row[:2]) for row in rows))
    found = read("\n".join(["gameID,turn,side,move", *rows]))
    assert [one.moves for one in found if isinstance(one, Record)] == [games[i] for i in order]


@pytest.mark.parametrize(
    ("change", "detail", "plies"),
    [
        (("7,1,black,h8+7\r\n", ""), "the move of black in turn 1 is missing", 1),
        (("7,1,red,C2.5\r\n", ""), "the move of red in turn 1 is missing", 0),
        (("2,black", "1,black"), "line 5: a second move of black in turn 1", 3),
        (("2,black", "two,black"), "line 5: turn 'two' is no number", 3),
        (("2,black", "0,black"), "line 5: turn '0' is no number", 3),
        (("2,black", "9" * 5000 + ",black"), "line 5: turn '99999999999999999999' is no", 3),
        (("r9.8", '"' + "r" * 200_000 + '"'), "line 5: field larger than field limit", 3),
        (("2,black", "2,blue"), "line 5: side 'blue' is neither red nor black", 3),
        (("2,black,r9.8", "2,black"), "line 5: 3 columns in place of 4", 3),
        (("r9.8", "r9.8,x"), "line 5: 5 columns in place of 4", 3),
    ],
)
def test_a_game_with_gaps_or_broken_rows_is_rejected(
    change: tuple[str, str], detail: str, plies: int
) -> None:
    found = reject(MOVES.replace(*change))
    assert (found.reason, found.line, found.legal_plies) == ("bad_record", 2, plies)
    assert detail in found.detail
    assert "f.csv: game 7" in found.detail


def test_an_illegal_move_is_rejected_with_its_ply() -> None:
    found = reject(MOVES.replace("r9.8", "r9.1"))
    assert (found.reason, found.legal_plies) == ("illegal_move", 3)
    assert reject(MOVES.replace("r9.8", "oops")).reason == "bad_move"
    assert reject(MOVES.replace("r9.8", "")).reason == "bad_move"


def test_a_row_without_a_game_is_a_reject_of_its_own() -> None:
    first, second, third = read(MOVES + ",1,red,C2.5\r\n9,1,red,C2.5\r\n")
    assert isinstance(first, Record)
    assert isinstance(second, Reject)
    assert (second.reason, second.line) == ("bad_record", 6)
    assert "no gameID" in second.detail
    assert isinstance(third, Record)


def test_headers_read_alone_are_games_without_moves() -> None:
    first, second = read(HEADERS)
    assert isinstance(first, Record)
    assert isinstance(second, Record)
    assert first.moves == second.moves == []
    assert (first.first_name, first.first_elo) == ("bao", 1495)
    assert (first.second_name, first.second_elo) == ("levin", 1382)
    assert (first.date, first.result, second.result) == ("2017-02-10", 1, 0)
    assert (first.line, second.line) == (2, 3)


def test_the_id_of_a_game_is_its_site_and_survives_conversion() -> None:
    for text in (MOVES, HEADERS.replace("8,2017", "007a b,2017")):
        for one, game_id in zip(read(text), ("7", "007a b"), strict=False):
            assert isinstance(one, Record)
            assert one.site == f"PlayOK game {game_id}"
            pgn = write_pgn(one)
            assert f'[Site "PlayOK game {game_id}"]\n' in pgn
            (again,) = formats.read(pgn.encode(), "x.pgn")
            assert isinstance(again, Record)
            assert (again.site, again.moves) == (one.site, one.moves)


def test_headers_fill_in_the_games_of_a_table_of_moves() -> None:
    extra = MOVES + "9,1,red,C2.5\r\n"
    found, other = read(extra, HEADERS)
    assert isinstance(found, Record)
    assert found.moves == CODES
    assert (found.first_name, found.second_elo, found.result) == ("bao", 1382, 1)
    assert (found.date, found.result_conflict) == ("2017-02-10", False)
    assert isinstance(other, Record)
    assert (other.first_name, other.result) == (None, None)


@pytest.mark.parametrize(
    ("change", "detail"),
    [
        (("draw", "drawn"), "winner 'drawn' is none of red, black, draw"),
        (("1269", "12x9"), "blackELO '12x9' is no number"),
        (("8,2017", ",2017"), "no gameID"),
        (("8,2017", "7,2017"), "game 7 stands in line 2 too"),
        ((",draw", ""), "6 columns in place of 7"),
    ],
)
def test_a_broken_header_is_rejected(change: tuple[str, str], detail: str) -> None:
    text = HEADERS.replace(*change)
    first, second = read(text)
    assert isinstance(first, Record)
    assert isinstance(second, Reject)
    assert (second.reason, second.line) == ("bad_record", 3)
    assert detail in second.detail
    assert list(playok.headers(text.encode())) == ["7"]


def test_a_rating_of_thousands_of_digits_is_a_broken_header() -> None:
    columns = HEADERS.splitlines()[0]
    found = reject(f"{columns}\n7,2017-02-10,a,{'9' * 5000},b,1,red\n")
    assert "is no number of at most nine digits" in found.detail


def test_empty_ratings_are_none() -> None:
    first, second = read(HEADERS.replace("1382", "").replace("1282", "0"))
    assert isinstance(first, Record)
    assert isinstance(second, Record)
    assert (first.second_elo, second.first_elo) == (None, None)


def test_a_file_that_is_no_table_of_headers_is_named() -> None:
    with pytest.raises(
        ValueError, match="not PlayOK's table of headers: it begins with 'gameID,turn"
    ):
        playok.headers(MOVES.encode())


def test_a_mate_against_the_winner_is_a_conflict() -> None:
    line = "i0i1 e9e8 h2h4 e8e7 h4e4 e7d7 b2a2 h7h4 i1d1"
    codes = [encode_move(text) for text in line.split()]
    texts = write_moves(codes, None, "playok")
    rows = [
        f"7,{ply // 2 + 1},{('red', 'black')[ply % 2]},{text}" for ply, text in enumerate(texts)
    ]
    text = "\n".join(["gameID,turn,side,move", *rows])
    for winner, expected in (("red", (1, False)), ("black", (-1, True)), ("draw", (0, True))):
        (found,) = read(text, HEADERS.replace("red\r", f"{winner}\r"))
        assert isinstance(found, Record)
        assert (found.result, found.result_conflict) == expected
    (found,) = read(text)
    assert isinstance(found, Record)
    assert (found.result, found.result_conflict) == (1, False)


WXF = """FORMAT  WXF
RED     bao ; 1495 ;;
BLACK   levin ; 1382 ;;
RESULT  1-0
DATE    2017-02-10 13:11:10
EVENT   PlayOK Game ; 10m+0s
START{
 1. C2.5 h8+7   2. H2+3 r9.8 }END
"""


def test_wxf_text_of_playok_is_read() -> None:
    (found,) = read(WXF)
    assert isinstance(found, Record)
    assert (found.moves, found.notation) == (CODES, "playok")
    assert (found.first_name, found.first_elo, found.second_name) == ("bao", 1495, "levin")
    assert (found.date, found.result, found.event) == ("2017-02-10", 1, "PlayOK Game ; 10m+0s")
    assert playok.looks_like(WXF.encode())
    assert wxf.looks_like(WXF.encode())


def test_wxf_text_with_a_position_a_remark_and_several_games_is_read() -> None:
    text = (
        "FORMAT\tWXF\nGAME\nRED\t胡榮華;;;\nBLACK\t;;;\nDATE\t16-7-2014\n"
        "FEN\t3k5/9/9/9/9/9/9/9/4R4/4K4 w\n\nSTART{\n1. R5+1\n}END\nCOMMENT{ 殘局 }END\n"
    )
    first, second = read(text + WXF)
    assert isinstance(first, Record)
    assert first.start_fen == "3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1"
    assert (first.moves, first.comments) == ([encode_move("e1e2")], {0: "殘局"})
    assert (first.first_name, first.second_name, first.date) == ("胡榮華", None, "2014-07-16")
    assert isinstance(second, Record)
    assert second.line == 12


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ((" }END", ""), "bad_record"),
        (("r9.8", "r9.1"), "illegal_move"),
        (("START{", "FEN nothing\nSTART{"), "bad_fen"),
        (("r9.8", "(r9.8"), "bad_record"),
    ],
)
def test_faults_of_wxf_text_are_rejects(change: tuple[str, str], reason: str) -> None:
    assert reject(WXF.replace(*change)).reason == reason


OTHER = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABN1 w - - 0 1"
BLOCK = "START{\n1. C2.5 h8+7\n}END\n"


@pytest.mark.parametrize(
    "before",
    [
        "EVENT Cup {final}\n",
        "{ a remark\nRED nobody }\n",
        "COMMENT{ x }END\n",
        "COMMENT{ x }\n",
        "COMMENT{\nRED nobody\n}END\n",
    ],
)
def test_fields_of_wxf_text_behind_braces_are_kept(before: str) -> None:
    (found,) = read(f"FORMAT WXF\n{before}RED A ; 1500\nFEN {OTHER}\nRESULT 1-0\n{BLOCK}")
    assert isinstance(found, Record)
    assert (found.start_fen, found.first_name, found.first_elo) == (OTHER, "A", 1500)
    assert found.result == 1


@pytest.mark.parametrize("separator", [" ", "\t", "=", " = ", ":", ": "])
def test_a_fen_of_wxf_text_is_read_behind_any_separator(separator: str) -> None:
    (found,) = read(f"FORMAT WXF\nfen{separator}{OTHER}\n{BLOCK}")
    assert isinstance(found, Record)
    assert found.start_fen == OTHER


def test_fields_of_wxf_text_behind_the_only_moves_are_theirs() -> None:
    (found,) = read(f"FORMAT WXF\nRED A\n{BLOCK}FEN {OTHER}\nBLACK B\nCOMMENT{{ x }}END\n")
    assert isinstance(found, Record)
    assert (found.start_fen, found.first_name, found.second_name) == (OTHER, "A", "B")
    assert found.comments == {0: "x"}


def test_a_second_block_of_moves_with_fields_of_its_own_is_a_game() -> None:
    text = f"FORMAT WXF\nRED A\nRESULT 1-0\n{BLOCK}COMMENT{{ x }}END\nRED C\nSTART{{\nH2+3 }}END\n"
    first, second = read(text)
    assert isinstance(first, Record)
    assert isinstance(second, Record)
    assert (first.first_name, first.result, first.comments) == ("A", 1, {0: "x"})
    assert (second.first_name, second.result, second.comments) == ("C", None, {})
    assert (len(first.moves), len(second.moves)) == (2, 1)
    assert text[second.byte_offset :].startswith("RED C")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"FORMAT WXF\nRED A\n{BLOCK}{BLOCK}", [None, "without FORMAT WXF or any field"]),
        (f"FORMAT WXF\nRED A\n{BLOCK}RED B\n", [None, "no moves between"]),
        (f"FORMAT WXF\nRED A\n{BLOCK}H2+3 R9=8\n", [None, "'H2+3 R9=8'"]),
        (f"FORMAT WXF\nRED A\nSTART{{\nH2+3\n{BLOCK}", ["START{ is never", "without FORMAT"]),
        (f"FORMAT WXF\nCOMMENT{{ x\nRED A\n{BLOCK}", ["COMMENT{ is never closed"]),
        (f"FORMAT WXF\nRED A\nRED B\n{BLOCK}", ["field RED says both 'A' and 'B'"]),
        (f"FORMAT WXF\n{OTHER}\n{BLOCK}", ["is in no field FEN"]),
        (f"FORMAT WXF\nRED A\n{BLOCK}Thanks to all!\n", [None]),
        (f"Games\n\nFORMAT WXF\nRED A\n{BLOCK}", [None]),
    ],
)
def test_nothing_of_wxf_text_is_lost_without_a_word(text: str, said: list[str | None]) -> None:
    found = read(text)
    assert [isinstance(one, Record) for one in found] == [one is None for one in said]
    for one, words in zip(found, said, strict=True):
        if isinstance(one, Reject):
            assert words is not None
            assert words in one.detail


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "gb18030"])
def test_games_of_pgn_beside_wxf_text_are_read(encoding: str) -> None:
    pgn = '[Event "杯"]\n[Red "D"]\n\n1. C2=5 *\n'
    head = "FORMAT WXF\nEVENT 杯\nRED A\n"
    for text, names in (
        (f"{head}{BLOCK}{pgn}", ["A", "D"]),
        (f"{head}{BLOCK}1. C2=5 1-0\n", ["A", None]),
        (f"words\n{pgn}{head}{BLOCK}", ["D", "A"]),
        (f"{head}{BLOCK}{pgn}{head}{BLOCK}{pgn}{pgn}", ["A", "D", "A", "D", "D"]),
        (f"{head}START{{\n1. C2=5\n{pgn}", ["no game", "D"]),
    ):
        data = text.encode(encoding)
        found = list(playok.read(data, "f"))
        assert [one.first_name if isinstance(one, Record) else "no game" for one in found] == names
        for one in found:
            rest = data[one.byte_offset :]
            plain = rest.decode("utf-16-le") if encoding == "utf-16" else rest.decode(encoding)
            assert plain.startswith(("FORMAT WXF", "[Event", "1. "))
            assert one.line == 1 + text[: len(text) - len(plain)].count("\n")


def test_wxf_text_with_a_byte_order_mark_or_old_line_ends_is_read() -> None:
    for text in ("\ufeff" + WXF, WXF.replace("\n", "\r")):
        (found,) = read(text)
        assert isinstance(found, Record)
        assert (found.first_name, found.moves) == ("bao", CODES)


def test_wxf_text_in_another_encoding_than_the_files_likeliest_is_read() -> None:
    def game(red: str) -> str:
        return f"FORMAT WXF\nRED {red};;;\nSTART{{\n1. 炮二平五 馬８進７\n}}END\n"

    data = (game("胡榮華") * 2).encode("big5") + game("許銀川").encode("gb18030")
    games = [one for one in playok.read(data, "f") if isinstance(one, Record)]
    assert [(one.encoding, one.first_name) for one in games] == [
        ("big5", "胡榮華"),
        ("big5", "胡榮華"),
        ("gb18030", "許銀川"),
    ]


def test_coordinates_of_wxf_text_count_ranks_from_one_where_they_are_legal_only_so() -> None:
    (found,) = read("FORMAT WXF\nSTART{\n1. h3e3 g7g6\n}END\n")
    assert isinstance(found, Record)
    assert (found.notation, len(found.moves)) == ("uci", 2)


@pytest.mark.parametrize("has_mark", [True, False])
def test_wxf_text_in_utf_16_has_the_offsets_and_lines_of_the_file(has_mark: bool) -> None:
    text = "FORMAT WXF\nSTART{\n1. 炮二平五\n}END\n" * 2
    text = text if has_mark else "[\n" + text  # a bracket tells it without a mark
    data = (b"\xff\xfe" if has_mark else b"") + text.encode("utf-16-le")
    found = list(playok.read(data, "f"))
    assert len(found) == 2
    for one in found:
        assert data[one.byte_offset :].decode("utf-16-le").startswith("FORMAT WXF")
    assert found[1].line - found[0].line == 4


@pytest.mark.parametrize("rating", ["9" * 5000, "９" * 10, "-3", "x"])
def test_ratings_that_are_none_are_left_out(rating: str) -> None:
    (found,) = read(f"FORMAT WXF\nRED a;{rating};;\nSTART{{\n1. C2=5\n}}END\n")
    assert isinstance(found, Record)
    assert (found.first_name, found.first_elo) == ("a", None)


def test_a_file_that_is_none_of_these_is_a_reject() -> None:
    assert reject("a,b,c\n1,2,3\n").reason == "bad_file"
    assert not playok.looks_like(b"a,b,c\n1,2,3\n")
    assert playok.looks_like(MOVES.encode())
    assert playok.looks_like(HEADERS.encode())


@given(st.binary(max_size=200))
def test_any_bytes_give_records_and_rejects(data: bytes) -> None:
    for head in (b"", MOVES.encode(), HEADERS.encode(), b"FORMAT WXF\nSTART{"):
        for found in playok.read(head + data, "f"):
            assert isinstance(found, Record | Reject)
            assert found.line >= 1
