"""Texts of xiangqi moves: known ones in each dialect, round trips, faults, and other programs'."""

from __future__ import annotations

import ast
import random
from collections import Counter
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabia._native.xiangqi_board import Board, FenError, IllegalMoveError, decode_move, encode_move
from tabia._native.xiangqi_notation import FAULTS
from tabia.games.xiangqi_moves import RELATIVE, relative_label
from tabia.games.xiangqi_notation import (
    NOTATIONS,
    STYLES,
    Fault,
    Notation,
    NotationError,
    Style,
    parse_move,
    read_moves,
    write_moves,
)
from tests.games.xiangqi_play import random_game

# The first five moves of a common opening: the same game in every dialect.
OPENING = {
    "ucci": ["h2e2", "h9g7", "h0g2", "i9h9", "g3g4"],
    "uci": ["h3e3", "h10g8", "h1g3", "i10h10", "g4g5"],
    "iccs": ["H2-E2", "H9-G7", "H0-G2", "I9-H9", "G3-G4"],
    "wxf": ["C2=5", "H8+7", "H2+3", "R9=8", "P3+1"],
    "playok": ["C2.5", "h8+7", "H2+3", "r9.8", "P3+1"],
    "chinese_simplified": ["炮二平五", "马８进７", "马二进三", "车９平８", "兵三进一"],
    "chinese_traditional": ["炮二平五", "馬８進７", "馬二進三", "車９平８", "兵三進一"],
}
SAN = ["Che2", "Hg7", "Hg2", "Rh9", "Pg4"]
CODES = [encode_move(text) for text in OPENING["ucci"]]

# Red to move: two of each kind that can share a file do.
TANDEMS = "3k5/9/9/2C1R4/1H2R4/1HB6/2C6/3A5/9/2BAK4 w"
THREE_PAWNS = "3k5/9/4P4/4P4/4P4/9/9/9/9/4K4 w"
FOUR_PAWNS = "3k5/9/4P4/4P4/4P4/4P4/9/9/9/4K4 w"
TWO_FILES = "3k5/9/4P4/4P4/4P4/2P6/2P6/9/9/4K4 w"


def reason_of(board: Board, text: str) -> str:
    with pytest.raises(NotationError) as caught:
        parse_move(board, text)
    assert repr(text) in str(caught.value)
    return caught.value.reason


def squares_of(fen: str, text: str) -> str:
    return decode_move(parse_move(Board(fen), text))


@pytest.mark.parametrize("style", STYLES)
def test_an_opening_is_written_in_each_style(style: Style) -> None:
    assert write_moves(CODES, None, style) == OPENING[style]


@pytest.mark.parametrize("style", STYLES)
def test_an_opening_is_read_in_each_style(style: Style) -> None:
    result = read_moves(OPENING[style])
    assert result.codes == CODES
    assert result.fault is None
    assert result.notation == style.partition("_")[0]


def test_san_is_read() -> None:
    result = read_moves(SAN)
    assert (result.codes, result.fault, result.notation) == (CODES, None, "san")


@pytest.mark.parametrize(
    "text",
    [
        "C2=5",
        "c2=5",
        "C2.5",
        "C2:5",
        "C25",
        "Ｃ２＝５",
        "Ｃ２．５",
        "炮二平五",
        "砲二平五",
        "包二平五",
        "炮2平5",
        "炮２平５",
        "h2e2",
        "H2E2",
        "H2-E2",
        "H2–E2",
        "h2-e2",
        "Che2",
        "Ch2e2",
        "C2=5!",
        "炮二平五！",
    ],
)
def test_many_texts_are_the_central_cannon(text: str) -> None:
    board = Board()
    assert decode_move(parse_move(board, text)) == "h2e2"
    assert not board.moves()


@pytest.mark.parametrize(
    ("text", "squares"),
    [
        ("H2+3", "h0g2"),
        ("N2+3", "h0g2"),
        ("马二进三", "h0g2"),
        ("傌二進三", "h0g2"),
        ("㐷二進三", "h0g2"),
        ("E3+5", "g0e2"),
        ("B3+5", "g0e2"),
        ("象三进五", "g0e2"),
        ("A4+5", "f0e1"),
        ("士四进五", "f0e1"),
        ("K5+1", "e0e1"),
        ("G5+1", "e0e1"),
        ("将五进一", "e0e1"),
        ("S7+1", "c3c4"),
        ("卒七进一", "c3c4"),
        ("俥九進一", "a0a1"),
        ("Pc4", "c3c4"),
        ("c4", "c3c4"),
        ("Cxh9", "h2h9"),
        ("C2+7", "h2h9"),
    ],
)
def test_letters_and_characters_of_pieces(text: str, squares: str) -> None:
    assert decode_move(parse_move(Board(), text)) == squares


@pytest.mark.parametrize(
    ("text", "squares"),
    [
        ("R+=4", "e6f6"),
        ("+R=4", "e6f6"),
        ("r+.4", "e6f6"),
        ("R-=4", "e5f5"),
        ("前车平四", "e6f6"),
        ("车前平四", "e6f6"),
        ("後車平四", "e5f5"),
        ("Rf6", "e6f6"),
        ("R+-1", None),  # the other rook stands there
        ("C++2", "c6c8"),
        ("C-=8", "c3b3"),
        ("前炮进二", "c6c8"),
        ("H++7", "b5c7"),
        ("H--9", "b4a2"),
        ("后马退九", "b4a2"),
        ("A--5", None),
        ("A+-5", "d2e1"),
        ("A-+5", "d0e1"),
        ("A6-5", "d2e1"),
        ("A6+5", "d0e1"),
        ("仕六退五", "d2e1"),
        ("前仕退五", "d2e1"),
        ("后士进五", "d0e1"),
        ("E-+5", "c0e2"),
        ("E7+5", "c0e2"),
        ("相七进五", "c0e2"),
        ("相七退九", "c4a2"),
        ("E+-9", "c4a2"),
    ],
)
def test_of_two_on_a_file_the_mark_tells(text: str, squares: str | None) -> None:
    if squares is None:
        assert reason_of(Board(TANDEMS), text) == "illegal_move"
    else:
        assert squares_of(TANDEMS, text) == squares


@pytest.mark.parametrize(
    ("fen", "texts", "squares"),
    [
        (THREE_PAWNS, "P+=4 +P.4 15=4 前兵平四 一兵平四", "e7f7"),
        (THREE_PAWNS, "P5=4 25=4 中兵平四 二兵平四 兵五平四", "e6f6"),
        (THREE_PAWNS, "P-=4 35=4 后兵平四 後兵平四 三兵平四", "e5f5"),
        (FOUR_PAWNS.replace("9/4P4", "4P4/9", 1), "++=6 15=6 前兵平六 一兵平六", "e8d8"),
        (FOUR_PAWNS, "P++1", "e7e8"),
        (TWO_FILES, "15=4 前五平四 5+.4 一兵平四 Pa=4", "e7f7"),
        (TWO_FILES, "25=4 中五平四 二兵平四 Pb=4", "e6f6"),
        (TWO_FILES, "35=4 后五平四 5-.4 三兵平四 Pc=4 P5-=4", "e5f5"),
        (TWO_FILES, "17+1 7++1 前七进一 四兵进一 Pd+1", "c4c5"),
    ],
)
def test_pawns_that_share_files(fen: str, texts: str, squares: str) -> None:
    for text in texts.split():
        assert squares_of(fen, text) == squares, text


@pytest.mark.parametrize(
    ("fen", "move", "written"),
    [
        (TANDEMS, "e6f6", "R+=4 R+.4 前车平四 前車平四"),
        (TANDEMS, "c3c5", None),
        (TANDEMS, "d2e1", "A+-5 A+-5 仕六退五 仕六退五"),
        (TANDEMS, "c0e2", "E-+5 E-+5 相七进五 相七進五"),
        (THREE_PAWNS, "e7e8", "P++1 P++1 前兵进一 前兵進一"),
        (THREE_PAWNS, "e6f6", "P5=4 P5.4 中兵平四 中兵平四"),
        (THREE_PAWNS, "e5f5", "P-=4 P-.4 后兵平四 後兵平四"),
        (FOUR_PAWNS, "e6f6", "25=4 25.4 二兵平四 二兵平四"),
        (TWO_FILES, "e5f5", "35=4 35.4 三兵平四 三兵平四"),
        (TWO_FILES, "c4c5", "17+1 17+1 四兵进一 四兵進一"),
        (
            "3k5/9/9/4p4/4p4/9/9/9/9/3K5 b".replace("3K5", "5K3"),
            "e5e4",
            "P++1 p++1 前卒进１ 前卒進１",
        ),
    ],
)
def test_what_is_written_where_pieces_share_files(fen: str, move: str, written: str | None) -> None:
    code = encode_move(move)
    if written is None:
        with pytest.raises(IllegalMoveError, match="ply 1"):
            write_moves([code], fen)
        return
    styles: tuple[Style, ...] = ("wxf", "playok", "chinese_simplified", "chinese_traditional")
    assert [write_moves([code], fen, style)[0] for style in styles] == written.split()


@pytest.mark.parametrize(
    "text", ["", " ", "C", "C2", "炮二平", "炮零平五", "?", "C2==5", "1-0", "*"]
)
@pytest.mark.parametrize("more", ["", "x"])
def test_what_is_no_move_is_bad(text: str, more: str) -> None:
    assert reason_of(Board(), text + more) == "bad_move"


@pytest.mark.parametrize(
    "text",
    [
        "1/2-1/2",
        "=====",
        "h2h2",
        "j2e2",
        "炮二平五炮二平五",
        "C2=5" * 20,
        "炮二东五",
        "\ud800",
    ],
)
def test_other_texts_that_are_bad(text: str) -> None:
    assert reason_of(Board(), text) == "bad_move"


@pytest.mark.parametrize(
    "text",
    [
        "h2e3",
        "a9a8",
        "R1=2",
        "C2=2",
        "车一平二",
        "马二平三",
        "前炮退一",
        "P+=1",
        "K5-1",
        "Ce9",
    ],
)
def test_what_no_piece_may_do_is_illegal(text: str) -> None:
    assert reason_of(Board(), text) == "illegal_move"


def test_a_pinned_piece_is_told_from_a_free_one() -> None:
    fen = "3k5/9/9/4R4/9/9/9/4r4/4R4/4K4 w"
    assert squares_of(fen, "R5=4") == "e6f6"
    assert reason_of(Board(fen), "R-=4") == "illegal_move"
    assert reason_of(Board(fen), "R5+1") == "ambiguous_move"


@pytest.mark.parametrize(
    ("fen", "text"),
    [
        (TANDEMS, "R5=4"),
        (TANDEMS, "车五平四"),
        (FOUR_PAWNS, "P5=4"),
        (TWO_FILES.replace("2P6/9/9/", "9/9/9/").replace("2P6/9", "2P6/2P6"), "+P+1"),
        ("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w", "Ce2"),
    ],
)
def test_several_legal_moves_are_ambiguous(fen: str, text: str) -> None:
    assert reason_of(Board(fen), text) == "ambiguous_move"


def test_a_file_alone_is_enough_where_one_piece_can_go() -> None:
    assert squares_of(TANDEMS, "R5+3") == "e6e9"
    assert squares_of(TANDEMS, "兵五进一".replace("兵", "车")) == "e6e7"


def test_ranks_from_one_are_read_only_if_said_or_shown() -> None:
    assert reason_of(Board(), "h3e3") == "illegal_move"
    assert parse_move(Board(), "h3e3", "uci") == parse_move(Board(), "h2e2")
    result = read_moves(["h3e3", "h8e8"])
    assert (result.codes, result.notation) == ([], "ucci")
    assert read_moves(["h3e3", "h8e8"], notation="uci").codes == [
        encode_move("h2e2"),
        encode_move("h7e7"),
    ]
    assert reason_of(Board(), "h2e11") == "bad_move"


@pytest.mark.parametrize("notation", [None, *NOTATIONS])
@pytest.mark.parametrize("text", ["h10g8", "h9g7", "H9-G7"])
def test_one_move_counts_ranks_as_a_game_does(text: str, notation: Notation | None) -> None:
    start = Board("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b - - 0 1")
    result = read_moves([text], start.fen(), notation)
    from_one = notation == "uci" or (notation is None and "10" in text)
    if ("10" in text) != from_one:
        assert result.fault is not None
        with pytest.raises(NotationError) as error:
            parse_move(start, text, notation)
        assert error.value.reason == result.fault.reason
    else:
        assert parse_move(start, text, notation) == result.codes[0] == encode_move("h9g7")


def test_reading_stops_at_the_first_fault() -> None:
    texts = [*OPENING["wxf"][:3], "R9=7", "C2=5"]
    result = read_moves(texts)
    assert result.codes == CODES[:3]
    assert result.fault is not None
    assert result.fault.reason == "illegal_move"
    board = Board()
    for code in CODES[:3]:
        board.push(code)
    assert str(result.fault) == f"ply 4: 'R9=7' names no legal move: {board.fen()}"


def test_dialects_may_be_mixed_and_the_usual_one_is_named() -> None:
    result = read_moves(["炮二平五", "馬８進７", "h0g2", "R9=8"])
    assert result.codes == CODES[:4]
    assert result.notation == "chinese"


def test_without_texts_there_is_no_move() -> None:
    assert read_moves([]).codes == []
    assert (read_moves([]).notation, read_moves([], notation="iccs").notation) == ("wxf", "iccs")
    assert write_moves([]) == []


def test_an_unknown_name_is_an_error() -> None:
    with pytest.raises(ValueError, match="no notation 'squares'; there are wxf, playok"):
        read_moves([], notation="squares")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no style 'san'; there are wxf, playok"):
        write_moves([], style="san")  # type: ignore[arg-type]
    assert set(NOTATIONS) == {style.partition("_")[0] for style in STYLES} | {"san"}


def test_a_start_that_is_none_is_an_error() -> None:
    with pytest.raises(FenError):
        read_moves([], "9/9 w")
    with pytest.raises(FenError):
        write_moves([], "9/9 w")


def test_an_illegal_move_is_not_written() -> None:
    for code in (encode_move("a0a9"), -1, 8100, 10**6):
        with pytest.raises(IllegalMoveError, match=f"ply 2: move {code} "):
            write_moves([CODES[0], code])


def positions(seed: int) -> list[str]:
    """FENs with several like pieces on files, which random play hardly reaches, and others."""
    rng = random.Random(seed)
    fens = [TANDEMS, THREE_PAWNS, FOUR_PAWNS, TWO_FILES]
    fens += [Board(fen).flipped().fen() for fen in fens]
    boards = [random_game(rng, 60)] + [Board(fen) for fen in fens]
    for board in boards:
        for _ in range(6):
            codes = board.legal_moves()
            if not codes:
                break
            fens.append(board.fen())
            board.push(rng.choice(codes))
    return fens


@pytest.mark.parametrize("style", STYLES)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=8, deadline=None)
def test_each_legal_move_comes_back_from_its_text(style: Style, seed: int) -> None:
    for fen in positions(seed):
        board = Board(fen)
        codes = board.legal_moves()
        texts = [write_moves([code], fen, style)[0] for code in codes]
        assert len(set(texts)) == len(codes)
        notation = "uci" if style == "uci" else None
        assert [parse_move(board, text, notation) for text in texts] == codes


@pytest.mark.parametrize("style", STYLES)
def test_whole_games_come_back(style: Style) -> None:
    for seed in range(20):
        codes = random_game(random.Random(seed), 200).moves()
        result = read_moves(write_moves(codes, None, style))
        assert result.codes == codes
        assert result.fault is None
        assert result.notation == style.partition("_")[0]


def test_wxf_is_the_vocabulary_of_relative_moves() -> None:
    seen = Counter()
    for seed in range(12):
        board = random_game(random.Random(seed), 40 + 10 * seed)
        for code in board.legal_moves():
            text = write_moves([code], board.fen())[0]
            assert text in RELATIVE
            assert text == relative_label(board, code)
            seen[text[1] in "+-"] += 1
    assert seen[False] > 100


def test_any_text_is_a_legal_move_or_a_fault() -> None:
    board, rng = Board(), random.Random(3)
    alphabet = "RHCPhce0259+-=.x#前后一二五九进平车炮兵 ５"
    reasons = Counter()
    for _ in range(8_000):
        text = "".join(rng.choices(alphabet, k=rng.randrange(6)))
        result = read_moves([text])
        if result.fault is None:
            assert board.is_legal(result.codes[0])
            reasons["none"] += 1
        else:
            assert result.codes == []
            assert reason_of(board, text) == result.fault.reason
            reasons[result.fault.reason] += 1
    assert set(reasons) >= {"none", "bad_move", "illegal_move"}


def test_the_native_stub_names_the_same_notations_and_faults() -> None:
    stub = Path(__file__).resolve().parents[2] / "src/tabia/_native/xiangqi_notation.pyi"
    names = {
        node.targets[0].id: ast.literal_eval(node.value.slice)
        for node in ast.parse(stub.read_text()).body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and isinstance(node.value, ast.Subscript)
    }
    assert names == {"Fault": get_args(Fault), "Notation": NOTATIONS}
    assert (None, *get_args(Fault)) == FAULTS
