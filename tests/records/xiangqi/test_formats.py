"""Which format a file has, and what becomes of files that have none or are damaged."""

from __future__ import annotations

import random
import time

import pytest

from tabia._native.xiangqi_board import encode_move
from tabia.records.xiangqi import formats
from tabia.records.xiangqi.record import REASONS, Record, Reject
from tests.games.xiangqi_play import random_game
from tests.records.xiangqi.program_files import Game, cbf, cbl, cbr, dhtmlxq, xqf

GAME = Game(
    random_game(random.Random(1), 60).moves(),
    comments={0: "开局", 5: "好棋"},
    texts={"red": "柳大华", "event": "杯"},
)
PLAYOK = b"gameID,turn,side,move\n1,1,red,C2.5\n1,1,black,h8+7\n"
PGN = '[Game "Chinese Chess"]\n[Red "柳大华"]\n\n1. 炮二平五 馬８進７ {好} 2. 馬二進三 *\n'
FILES = {
    "pgn": PGN.encode("big5", "ignore"),
    "playok": PLAYOK,
    "dhtmlxq": dhtmlxq(GAME).encode("gb18030"),
    "ucci": b"ucci\nposition startpos moves h2e2 h9g7\nposition startpos moves h3e3 h10g8\n",
    "xqf": xqf(GAME),
    "xqf 1.0": xqf(GAME, 10),
    "cbf": cbf(GAME),
    "cbr": cbr(GAME),
    "cbl": cbl([GAME, GAME], slots=4),
}


@pytest.mark.parametrize("name", FILES)
def test_the_content_tells_the_format_whatever_the_name(name: str) -> None:
    for file in ("", "games.pgn", "a.xqf", "b.html", "c.tar.gz::d.cbl"):
        assert formats.detect(FILES[name], file) == name.split()[0]


@pytest.mark.parametrize(
    ("name", "found"),
    [("a.XQF", "xqf"), ("b/c.htm", "dhtmlxq"), ("d.uci", "uci"), ("e.txt", None), ("", None)],
)
def test_the_ending_is_believed_where_the_content_says_nothing(
    name: str, found: str | None
) -> None:
    assert formats.detect(b"\x01\x02\x03 nothing", name) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('[Red "a"]\n\n1. h2e2 {\nstartpos is good} *\n', "pgn"),
        ('[Red "a"]\n\n1. h2e2 {as [DhtmlXQ] and [DhtmlXQ_movelist] have it} *\n', "pgn"),
        ('\ufeff\n[Red "a"]\n\n1. h2e2 {<ChineseChessRecord>} *\n', "pgn"),
        ("1. h2e2 {\nstartpos is good; [DhtmlXQ] too} *\n", "pgn"),
        ('My games\n\n[Red "a"]\n\n1. h2e2 {\nfen 9/9/9 is none} *\n', "pgn"),
        ("FORMAT WXF\nfen 3k5/9/9/9/9/9/9/9/4R4/4K4 w\nSTART{\n1. R5+1\n}END\n", "playok"),
        ("uci\nid name x\nposition startpos moves h2e2\n", "ucci"),
    ],
)
def test_how_a_file_begins_counts_more_than_what_it_mentions(text: str, found: str) -> None:
    assert formats.detect(text.encode()) == found
    assert formats.detect(text.encode("utf-16")) in (found, "pgn" if found == "ucci" else found)
    records = list(formats.read(text.encode(), "x"))
    assert [len(one.moves) for one in records if isinstance(one, Record)] == [1]


def test_a_game_of_wxf_text_behind_one_of_pgn_is_read() -> None:
    pgn = b'[Red "a"]\n\n1. h2e2 {\nFORMAT WXF is another format\n} *\n'
    assert formats.detect(pgn) == "pgn"
    text = b'[Red "a"]\n\n1. h2e2 *\nFORMAT WXF\nRED b\nSTART{\nH2+3 }END\n'
    assert formats.detect(text) == "playok"
    both = list(formats.read(text, "x.pgn"))
    assert [one.first_name for one in both if isinstance(one, Record)] == ["a", "b"]


def test_pages_and_records_in_utf_16_are_told() -> None:
    assert formats.detect(dhtmlxq(GAME).encode("utf-16")) == "dhtmlxq"
    assert formats.detect(cbf(GAME, "utf-16")) == "cbf"
    assert formats.detect(PGN.encode("utf-16")) == "pgn"


def test_a_file_of_no_known_format_is_one_reject_and_an_empty_one_nothing() -> None:
    (reject,) = formats.read(b"GIF89a....", "a.gif")
    assert isinstance(reject, Reject)
    assert reject.reason == "bad_file"
    assert "a.gif" in reject.detail
    assert "GIF89a" in reject.detail
    assert list(formats.read(b" \r\n", "empty.pgn")) == []


def told(data: bytes, name: str = "x", format_: str | None = None) -> str:
    (reject,) = formats.read(data, name, format_)
    assert isinstance(reject, Reject)
    assert reject.reason == "bad_file"
    return reject.detail


@pytest.mark.parametrize(
    ("text", "encoding"),
    [("h2e2 h9g7 h0g2\n", "ascii"), ("C2=5 h8+7", "ascii"), ("炮二平五 马8进7\n", "utf-8")]
    + [("炮二平五 馬８進７ 馬二進三\n", encoding) for encoding in ("big5", "gb18030")],
)
def test_a_list_of_bare_moves_is_told_what_makes_it_readable(text: str, encoding: str) -> None:
    data = text.encode(encoding)
    assert "these look like moves: write 1. before the first, or name the format pgn" in told(data)
    for readable, name in ((data, "pgn"), (b"1. " + data, None)):
        (game,) = formats.read(readable, "x", name)
        assert isinstance(game, Record), game
        assert len(game.moves) == len(text.split())


def test_how_a_file_begins_is_shown_as_text_or_called_binary() -> None:
    assert "begins with '我的象棋 games'; known" in told("\ufeff我的象棋 games\n".encode())
    assert "begins with b'\\xe9\\xff no'; known" in told(b"\xe9\xff no")
    assert "begins with '" + "象" * 20 + "'; known" in told(("象" * 300).encode())
    for format_ in (None, "pgn"):
        detail = told(b"\0\1" * 4000, "x", format_)
        assert "begins with binary data (8,000 bytes)" in detail
        assert "\\x" not in detail
    assert "these look like moves" not in told(b"to be or not to be")


def test_a_named_format_is_taken_and_an_unknown_one_refused() -> None:
    (reject,) = formats.read(PLAYOK, "x.csv", "xqf")
    assert isinstance(reject, Reject)
    assert "begins with XQ" in reject.detail
    with pytest.raises(ValueError, match="'xqv' is not known; known are pgn, playok"):
        list(formats.read(PLAYOK, "x.csv", "xqv"))


def damaged(data: bytes, rng: random.Random) -> bytes:
    """The bytes cut, flipped, overwritten, doubled in parts, or shortened."""
    changed = bytearray(data)
    kind = rng.randrange(5)
    at = rng.randrange(len(data))
    if kind == 0:
        return data[:at]
    if kind == 1:
        for _ in range(rng.choice([1, 2, 20])):
            changed[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    elif kind == 2:
        for _ in range(rng.choice([1, 4, 30])):
            changed[rng.randrange(len(data))] = rng.choice([0, 255, 127, 91, 60])
    elif kind == 3:
        changed[at:at] = data[at : at + rng.randrange(300)] * rng.choice([1, 3])
    else:
        del changed[at : at + rng.randrange(1, 200)]
    return bytes(changed)


@pytest.mark.parametrize("name", FILES)
def test_damaged_files_give_games_and_rejects_with_reasons(name: str) -> None:
    rng = random.Random(name)
    rejects = 0
    for _ in range(60):
        data = damaged(FILES[name], rng)
        for format_ in (None, name.split()[0]):
            for result in formats.read(data, "damaged", format_):
                assert isinstance(result, Record | Reject)
                if isinstance(result, Reject):
                    rejects += 1
                    assert result.reason in REASONS
                    assert result.detail
                    assert 0 <= result.byte_offset <= len(data)
    assert rejects


SIZE = 200_000


@pytest.mark.parametrize(
    ("format_", "data"),
    [
        (None, b"\n" * SIZE + b"x"),
        (None, b"x" + b" " * SIZE + b"x"),
        (None, b"[a " * (SIZE // 3)),
        (None, b"fen " * (SIZE // 4)),
        ("dhtmlxq", b"[DhtmlXQ_a]" * (SIZE // 11)),
        ("dhtmlxq", b"[DhtmlXQ_movelist]" + b"<" * SIZE),
        ("dhtmlxq", b"[DhtmlXQ_red]" + b"<a" * (SIZE // 2)),
        ("ucci", b"position fen a" + b" " * SIZE + b"b"),
        ("ucci", b"position startpos" + b" moves" * (SIZE // 6)),
        ("ucci", b"startpos is good"),
        ("playok", b"FORMAT WXF\n" * (SIZE // 11)),
        ("playok", b"FORMAT WXF\nSTART{" + b"}" + b" " * SIZE),
        ("playok", b"FORMAT WXF\n" + b"START{" * (SIZE // 6)),
        ("playok", b"gameID,turn,side,move\n1," + b"9" * SIZE + b",red,C2.5\n"),
        ("playok", b'gameID,turn,side,move\n1,1,red,"' + b"C" * SIZE + b'"\n'),
        ("pgn", b"{" * SIZE),
        ("pgn", b'[Red "a"]\n1. x {' * (SIZE // 16)),
        ("pgn", b"1. xx *\n" * (SIZE // 50)),
        ("cbf", b'<?xml version="1.0" encoding="punycode"?><ChineseChessRecord/>'),
        ("cbf", b'<?xml version="1.0" encoding="undefined"?><ChineseChessRecord/>'),
        ("cbf", b"<ChineseChessRecord>" + b"<a>" * (SIZE // 3)),
        ("xqf", FILES["xqf 1.0"][:0x400] + b"\x18\x20\xff\xff\0\0\0\0" * (SIZE // 8)),
        ("cbr", FILES["cbr"][:2214] + b"\x02\0\1\1" * (SIZE // 4)),
        ("cbl", FILES["cbl"][:70000] + b"CCBridge Record\0" * (SIZE // 16)),
    ],
    ids=lambda value: repr(value[:12]) if isinstance(value, bytes) else value,
)
def test_hostile_files_are_read_in_linear_time(format_: str | None, data: bytes) -> None:
    start = time.process_time()
    results = list(formats.read(data, "hostile", format_))
    assert time.process_time() - start < 5  # quadratic ones take minutes
    assert results
    assert all(isinstance(result, Reject) for result in results)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize(
    ("format_", "game"),
    [
        ("playok", "FORMAT WXF\nRED a;9;;\nSTART{\n1. C2=5\n}END\n"),
        ("pgn", '[Red "a"]\n\n1. C2=5 {b} *\n'),
        ("dhtmlxq", "[DhtmlXQ]\n[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]\n[/DhtmlXQ]\n"),
    ],
)
def test_many_games_are_read_in_linear_time_and_with_their_places(
    format_: str, game: str, encoding: str
) -> None:
    n = 10_000
    data = (game * n).encode(encoding)
    start = time.process_time()
    results = list(formats.read(data, "many", format_))
    assert time.process_time() - start < 12  # quadratic ones take minutes
    mark, width = (2, 2) if encoding == "utf-16" else (0, 1)
    assert [one.byte_offset for one in results] == [
        mark + width * len(game) * number for number in range(n)
    ]
    assert [one.line for one in results] == [1 + game.count("\n") * number for number in range(n)]
    assert all(isinstance(one, Record) for one in results)


# -- position commands ---------------------------------------------------------------------


def test_a_line_is_a_game_and_other_commands_are_passed_over() -> None:
    text = (
        "ucci\nposition startpos moves h2e2 h9g7\n\ngo depth 4\nstartpos\n"
        "fen 4k4/9/9/9/9/9/9/9/9/3K1R3 w\n"
    )
    records = [record for record in formats.read(text.encode(), "x") if isinstance(record, Record)]
    assert [len(record.moves) for record in records] == [2, 0, 0]
    assert [record.line for record in records] == [2, 5, 6]
    assert records[2].start_fen == "4k4/9/9/9/9/9/9/9/9/3K1R3 w - - 0 1"
    assert text.encode()[records[1].byte_offset :].startswith(b"startpos")


@pytest.mark.parametrize(
    "line",
    [
        "position",
        "position start moves h2e2",
        "position rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w moves h2e2",
        "positionstartpos moves h2e2",
        "posiiton startpos moves h2e2",
        '"position startpos moves h2e2"',
        "> position startpos",
        "h2e2 h9g7",
        '[Red "a"]',
        "1. C2=5 H8+7",
        "FORMAT WXF",
    ],
)
def test_a_line_that_should_be_a_position_command_is_a_reject(line: str) -> None:
    good = "position startpos moves h2e2\n"
    first, reject, last = formats.read(f"{good}{line}\n{good}".encode(), "x", "ucci")
    assert isinstance(first, Record)
    assert isinstance(last, Record)
    assert isinstance(reject, Reject)
    assert (reject.reason, reject.line, reject.byte_offset) == ("bad_record", 2, len(good))
    assert "x:2: " in reject.detail
    assert repr(line[:60]) in reject.detail


def test_words_of_position_commands_are_taken_in_capitals_too() -> None:
    (game,) = formats.read(b"POSITION STARTPOS MOVES H2E2 h9g7\n", "x")
    assert isinstance(game, Record)
    assert game.moves == [encode_move("h2e2"), encode_move("h9g7")]


def test_position_commands_behind_other_words_are_told() -> None:
    first, second = formats.read(b"12:00 position startpos\nposition startpos\n", "x")
    assert isinstance(first, Reject)
    assert isinstance(second, Record)


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_position_commands_and_tables_of_playok_in_utf_16_are_read(codec: str) -> None:
    header = "gameID,game_datetime,blackID,blackELO,redID,redELO,winner\n"
    for text, line, names in (
        ("ucci\nposition startpos moves h2e2\n", 2, [None]),
        (PLAYOK.decode(), 2, [None]),
        (f"{header}1,2017-02-10 13:11:10,乙,1382,甲,1495,red\n", 2, ["甲"]),
    ):
        data = f"\ufeff{text}".encode(codec)
        (game,) = formats.read(data, "x")
        assert isinstance(game, Record)
        assert (game.encoding, game.line, [game.first_name]) == ("utf-16", line, names)
        assert data[game.byte_offset :].decode(codec) == text.split("\n", 1)[1]
        (reject,) = formats.read(data[2:], "x")
        assert isinstance(reject, Reject)
        assert "looks like UTF-16 without its byte order mark: save it as UTF-8" in reject.detail


def test_ranks_are_guessed_by_what_is_legal_and_told_by_the_format() -> None:
    guessed = list(formats.read(b"position startpos moves h3e3 h10g8\n", "x"))
    assert [record.notation for record in guessed if isinstance(record, Record)] == ["uci"]
    both = b"position fen 3k5/9/9/9/9/9/9/9/4R4/4K4 w moves e1e3\n"
    for format_, code in (("ucci", encode_move("e1e3")), ("uci", None)):
        (result,) = formats.read(both, "x", format_)
        assert (result.moves if isinstance(result, Record) else None) == (code and [code])


def test_faults_of_a_line_are_told_with_line_and_ply() -> None:
    text = (
        b"position startpos moves h2e2 h9h8\nposition startpos moves h2e2 xx\nposition fen 9/9 w\n"
    )
    rejects = [reject for reject in formats.read(text, "x") if isinstance(reject, Reject)]
    assert [reject.reason for reject in rejects] == ["illegal_move", "bad_move", "bad_fen"]
    assert [reject.legal_plies for reject in rejects] == [1, 1, 0]
    assert "x:2: ply 2, 'xx'" in rejects[1].detail
