"""The native xiangqi board: rules by example, FEN, codecs, and what must hold everywhere."""

from __future__ import annotations

import copy
import pickle
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabia._native.xiangqi_board import (
    Board,
    FenError,
    IllegalMoveError,
    decode_move,
    encode_move,
    flip_move,
    mirror_move,
    perft,
)
from tests.games.xiangqi_play import random_game

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
MIDDLE = "1rbaka2R/5r3/6n2/2p1p1p2/4P1bP1/PpC3Bc1/1nPR2P2/2N2AN2/1c2K1p2/2BAC4 w - - 0 1"
ENDING = "4kcP1N/8n/3rb4/9/9/9/9/3p1A3/4K4/5CB2 w - - 0 1"


def moves_from(fen: str, square: str) -> str:
    """Where the piece on a square may go, sorted and joined."""
    texts = (decode_move(code) for code in Board(fen).legal_moves())
    return " ".join(sorted(text[2:] for text in texts if text.startswith(square)))


@pytest.mark.parametrize(
    ("fen", "depth", "leaves"),
    [
        (None, 0, 1),
        (None, 1, 44),
        (None, 2, 1920),
        (None, 3, 79666),
        (None, 4, 3290240),
        (MIDDLE, 4, 4485547),
        (ENDING, 4, 92741),
    ],
)
def test_perft(fen: str | None, depth: int, leaves: int) -> None:
    assert perft(fen, depth) == leaves


def test_keys_are_persistent() -> None:
    assert Board().key == 1716023066612890459
    assert Board(MIDDLE).key == 17980368472888949898


# --- rules, by example: kings on d0 and f9 where they are out of the way --------------------


@pytest.mark.parametrize(
    ("board", "square", "targets"),
    [
        # a horse's leg: the neighbour in the direction of its longer step
        ("5k3/9/9/9/9/4N4/9/9/9/3K5", "e4", "c3 c5 d2 d6 f2 f6 g3 g5"),
        ("5k3/9/9/9/4p4/4N4/9/9/9/3K5", "e4", "c3 c5 d2 f2 g3 g5"),
        ("5k3/9/9/9/9/3PNp3/9/9/9/3K5", "e4", "d2 d6 f2 f6"),
        # an elephant's eye, and the river
        ("5k3/9/9/9/9/9/9/4B4/9/3K5", "e2", "c0 c4 g0 g4"),
        ("5k3/9/9/9/9/9/3p1P3/4B4/9/3K5", "e2", "c0 g0"),
        ("5k3/9/9/9/9/2B6/9/9/9/3K5", "c4", "a2 e2"),
        # an advisor keeps to its five points
        ("5k3/9/9/9/9/9/9/9/4A4/3K5", "e1", "d2 f0 f2"),
        # a king keeps to its palace
        ("5k3/9/9/9/9/9/9/3K5/9/9", "d2", "d1 e2"),
        # a pawn goes forward, beyond the river sideways too, never back
        ("5k3/9/9/9/9/4P4/9/9/9/3K5", "e4", "e5"),
        ("5k3/9/9/9/4P4/9/9/9/9/3K5", "e5", "d5 e6 f5"),
        ("5k2P/9/9/9/9/9/9/9/9/3K5", "i9", "h9"),
        # a rook takes the first piece, a cannon the second
        ("5k3/9/4p4/4p4/9/4R4/9/9/4P4/3K5", "e4", "a4 b4 c4 d4 e2 e3 e5 e6 f4 g4 h4 i4"),
        ("5k3/9/4p4/4p4/9/4C4/9/9/4P4/3K5", "e4", "a4 b4 c4 d4 e2 e3 e5 e7 f4 g4 h4 i4"),
        # kings may not face: the pawn between them stays, the king may not come
        ("3k5/9/9/9/3P5/9/9/9/9/3K5", "d5", "d6"),
        ("5k3/9/9/9/9/9/9/9/9/4K4", "e0", "d0 e1"),
        # a rook between a cannon and its king's shield: leaving makes a check, also by landing
        ("3ck4/9/9/3R5/9/3P5/9/9/9/3K5", "d6", "d5 d7 d8 d9"),
        ("3ck4/9/9/9/R8/9/9/9/9/3K5", "a5", "a0 a1 a2 a3 a4 a6 a7 a8 a9 b5 c5 e5 f5 g5 h5 i5"),
        # a piece on the leg of a horse that would check stays, or takes the horse
        ("5k3/9/9/9/9/9/9/2nR5/4K4/9", "d2", "c2"),
    ],
)
def test_a_piece_moves_by_its_rules(board: str, square: str, targets: str) -> None:
    assert moves_from(f"{board} w - - 0 1", square) == targets


@pytest.mark.parametrize(
    ("board", "checkers"),
    [
        ("3rk4/9/9/9/9/9/9/9/9/3K5", "d9"),
        ("3ck4/9/9/3p5/9/9/9/9/9/3K5", "d9"),
        ("3ck4/9/9/9/9/9/9/9/9/3K5", ""),
        ("4k4/9/9/9/9/9/9/4n4/9/3K5", "e2"),
        ("4k4/9/9/9/9/9/9/2n6/9/3K5", "c2"),
        ("4k4/9/9/9/9/9/9/9/2p6/2pK5", "c0"),
        ("4k4/9/9/9/9/9/9/9/3p5/3K5", "d1"),
        # two and three at once: the front cannon is the rear one's screen
        ("3ck4/9/9/3c5/9/9/9/9/9/3K5", "d9"),
        ("3rk4/3c5/9/9/9/9/9/4n4/9/3K5", "e2"),
        ("4k4/3c5/9/3r5/9/9/9/4n4/9/2pK5", "c0 e2 d6 d8"),
    ],
)
def test_checks_name_the_pieces_that_give_them(board: str, checkers: str) -> None:
    position = Board(f"{board} w - - 0 1")
    squares = [f"{'abcdefghi'[square % 9]}{square // 9}" for square in position.checkers()]
    assert " ".join(squares) == checkers
    assert position.is_check == bool(checkers)


def test_a_side_without_a_legal_move_has_none_in_check_or_not() -> None:
    mated = Board("3k5/9/9/9/3R5/9/9/9/9/4K4 b - - 0 1")
    stuck = Board("3k5/1R7/9/9/9/9/9/9/9/4K4 b - - 0 1")
    assert (mated.is_check, mated.has_legal_move) == (True, False)
    assert (stuck.is_check, stuck.has_legal_move) == (False, False)


# --- what must hold everywhere --------------------------------------------------------------


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 250))
def test_what_holds_in_any_position_of_random_play(seed: int, plies: int) -> None:
    board = random_game(random.Random(seed), plies)
    codes = board.legal_moves()
    assert codes == sorted(codes)
    assert all(board.is_legal(code) for code in codes)

    same = Board(board.fen())
    assert (same.fen(), same.key, same.packed()) == (board.fen(), board.key, board.packed())
    unpacked = Board.from_packed(board.packed())
    assert (unpacked.epd(), unpacked.key) == (board.epd(), board.key)

    mirrored, flipped = board.mirrored(), board.flipped()
    assert mirrored.legal_moves() == sorted(map(mirror_move, codes))
    assert flipped.legal_moves() == sorted(map(flip_move, codes))
    assert mirrored.mirrored().fen() == flipped.flipped().fen() == board.fen()
    assert len(mirrored.checkers()) == len(flipped.checkers()) == len(board.checkers())

    for code in codes:
        before = (board.fen(), board.key, board.moves())
        board.push(code)
        assert board.key == Board(board.fen()).key
        assert mirrored.copy().is_legal(mirror_move(code))
        assert board.pop() == code
        assert (board.fen(), board.key, board.moves()) == before


@pytest.mark.parametrize("seed", range(5))
def test_a_game_can_be_taken_back_to_its_start(seed: int) -> None:
    board = random_game(random.Random(seed), 300)
    codes = board.moves()
    again = Board()
    fens = []
    for code in codes:
        fens.append(again.fen())
        again.push(code)
    assert again.fen() == board.fen()
    for code, fen in zip(reversed(codes), reversed(fens), strict=True):
        assert board.pop() == code
        assert board.fen() == fen
    with pytest.raises(IndexError, match="no move has been played"):
        board.pop()


def test_counters_count_captures_and_moves_of_black() -> None:
    board = Board()
    for text, halfmove, fullmove in [("a3a4", 1, 1), ("b7b0", 0, 2), ("a0b0", 0, 2)]:
        board.push(encode_move(text))
        assert (board.halfmove_clock, board.fullmove_number) == (halfmove, fullmove)


def test_copies_are_independent() -> None:
    board = Board(MIDDLE)
    first = board.legal_moves()[0]
    board.push(first)
    fen = board.fen()
    for other in (board.copy(), copy.copy(board), copy.deepcopy(board)):
        other.push(other.legal_moves()[0])
        assert other.moves()[0] == first
        assert board.fen() == fen
        other.pop()
        other.pop()
        assert other.fen() == MIDDLE
    back = pickle.loads(pickle.dumps(board))
    assert (back.fen(), back.moves()) == (fen, [first])


def test_an_illegal_push_leaves_the_board_as_it_was() -> None:
    board = Board()
    for code in (encode_move("a0a4"), encode_move("a9a8"), 0, 8100, 0xFFFF, -1, 1 << 20):
        with pytest.raises(IllegalMoveError, match="not legal"):
            board.push(code)
        assert not board.is_legal(code)
    assert (board.fen(), board.moves()) == (START, [])


# --- FEN ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fen",
    [
        "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w - - 0 1",
        START.replace(" w ", " r "),
        START.removesuffix(" 0 1"),
        START.removesuffix(" - - 0 1"),
        START.removesuffix(" w - - 0 1"),
        START.replace(" 0 1", " - -"),
        START.replace(" 0 1", " 0 0"),
        f"  {START.replace(' ', '   ')}\n",
    ],
)
def test_the_start_is_written_in_many_ways(fen: str) -> None:
    assert Board(fen).fen() == START


@pytest.mark.parametrize(
    ("fen", "message"),
    [
        ("", "FEN is empty"),
        ("9/9/9/9/9/9/9/9/9/9 w - - 0 1", "Red has 0 kings"),
        ("3k5/9/9/9/9/9/9/9/9/4KK3 w", "Red has 2 kings"),
        ("3kk4/9/9/9/9/9/9/9/9/4K4 w", "Black has 2 kings"),
        ("3k5/9/9/9/9/9/RRR6/9/9/4K4 w", "Red has 3 rooks"),
        ("3k5/9/9/pppppp3/9/9/9/9/9/4K4 w", "Black has 6 pawns"),
        ("3k5/9/9/9/9/9/9/9/9/2K6 w", "Red's king stands on c0, outside its palace"),
        ("9/9/9/3k5/9/9/9/9/9/4K4 w", "Black's king stands on d6, outside its palace"),
        ("4K4/9/9/9/9/9/9/9/9/3k5 w", "Red's king stands on e9, outside its palace"),
        ("4k4/9/9/9/9/9/9/9/9/4K4 w", "the kings face each other"),
        ("3k5/9/9/9/9/9/9/9/9/3RK4 w", "Black is in check but it is not its move"),
        ("3rk4/9/9/9/9/9/9/9/9/3K5 b", "Red is in check but it is not its move"),
        ("3k5/9/9/9/9/9/9/9/4K4 w", "9 ranks, not 10"),
        ("3k5/9/9/9/9/9/9/9/9/9/4K4 w", "more than 10 ranks"),
        ("3k5/8/9/9/9/9/9/9/9/4K4 w", "rank 8 has 8 squares, not 9"),
        ("3k5/9/9/9/9/9/9/9/9/4K3 w", "rank 0 has 8 squares, not 9"),
        ("3k6/9/9/9/9/9/9/9/9/4K4 w", "rank 9 has more than 9 squares"),
        ("3k5/45/9/9/9/9/9/9/9/4K4 w", "two digits in a row"),
        ("3k5/4x4/9/9/9/9/9/9/9/4K4 w", "unknown piece 'x'"),
        ("3k5/9/9/9/9/9/9/9/9/4K4 x", "side to move field 'x'"),
        ("3k5/9/9/9/9/9/9/9/9/4K4 w KQ - 0 1", "third field 'KQ': expected -"),
        ("3k5/9/9/9/9/9/9/9/9/4K4 w - e3 0 1", "fourth field 'e3': expected -"),
        ("3k5/9/9/9/9/9/9/9/9/4K4 w - - x 1", "halfmove clock field 'x'"),
        ("3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 -1", "fullmove number field '-1'"),
        (
            "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 4294967295",
            "fullmove number field '4294967295': expected a number from 0 to 999999999",
        ),
        ("3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1 2", "7 fields, not 6"),
        (
            "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1 two three",
            r"8 fields, not 6 \(board, side to move, -, -, halfmove clock, fullmove number\); "
            "the first too many is 'two'",
        ),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "unknown piece 'q'"),
    ],
)
def test_a_bad_fen_names_field_and_value(fen: str, message: str) -> None:
    with pytest.raises(FenError, match=message):
        Board(fen)


def test_pieces_where_moves_never_bring_them_keep_their_rules() -> None:
    fen = "5k3/4A4/9/9/9/9/9/9/4P4/3K2B1a w - - 0 1"
    assert moves_from(fen, "e1") == "e2"
    assert moves_from(fen, "e8") == ""
    assert moves_from(fen, "g0") == "e2 i2"


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=80) | st.text(alphabet="kabnrcpKABNRCPhe123456789/ w-", max_size=99))
def test_any_text_is_a_position_or_a_fen_error(text: str) -> None:
    try:
        board = Board(text)
    except FenError:
        return
    assert Board(board.fen()).packed() == board.packed()


def test_packed_boards_come_back() -> None:
    for fen in (MIDDLE, START, START.replace(" w ", " b ")):
        assert Board.from_packed(Board(fen).packed()).epd() == Board(fen).epd()
    with pytest.raises(ValueError, match="45 bytes"):
        Board.from_packed(b"abc")
    with pytest.raises(ValueError, match="Red has 0 kings"):
        Board.from_packed(bytes(45))


def test_piece_codes_start_at_a0() -> None:
    codes = Board().piece_codes()
    assert codes[:9] == bytes([5, 4, 3, 2, 1, 2, 3, 4, 5])
    assert codes[81:] == bytes([12, 11, 10, 9, 8, 9, 10, 11, 12])
    assert (codes[19], codes[27], codes[70], codes[62]) == (6, 7, 13, 14)


# --- moves as text --------------------------------------------------------------------------


@given(st.integers(0, 89), st.integers(0, 89), st.sampled_from([0, 1]))
def test_moves_round_trip_in_both_numberings(start: int, end: int, first_rank: int) -> None:
    if start != end:
        code = 90 * start + end
        assert encode_move(decode_move(code, first_rank=first_rank), first_rank=first_rank) == code


def test_ranks_from_0_and_from_1_are_two_texts_of_one_move() -> None:
    code = encode_move("h9g7")
    assert code == 90 * 88 + 69
    assert encode_move("H9-G7") == encode_move("H9G7") == encode_move("h10g8", first_rank=1) == code
    assert decode_move(code, first_rank=1) == "h10g8"
    # The trap: the same text is another move in the other numbering.
    assert encode_move("h3e3", first_rank=1) == encode_move("h2e2") != encode_move("h3e3")


@pytest.mark.parametrize(
    "text", ["", "h2", "h2h2", "j2e2", "h2e22", "h10g8", "h2--e2", "h2e2 ", "é"]
)
def test_what_is_no_move_from_0_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="no move with ranks 0 to 9"):
        encode_move(text)


@pytest.mark.parametrize("text", ["h0e3", "h11e3", "h3e3e", "h3"])
def test_what_is_no_move_from_1_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="no move with ranks 1 to 10"):
        encode_move(text, first_rank=1)


def test_codes_and_numberings_beyond_their_range_are_errors() -> None:
    for call in (decode_move, mirror_move, flip_move):
        for code in (-1, 8100):
            with pytest.raises(ValueError, match="no move code"):
                call(code)
    with pytest.raises(ValueError, match="first_rank is 0"):
        decode_move(1, first_rank=2)
