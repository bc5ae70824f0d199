"""The native board against python-chess."""

from __future__ import annotations

import copy
import pickle
import random

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabia._native.chess_board import (
    Board,
    FenError,
    IllegalMoveError,
    decode_uci,
    encode_uci,
    parse_san,
    perft,
    san,
)
from tests.games.play import code_of, positions, random_game

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def assert_same(board: Board, twin: chess.Board) -> None:
    assert board.fen() == twin.fen(en_passant="legal")
    assert board.legal_moves() == sorted(code_of(move) for move in twin.legal_moves)
    assert board.is_check == twin.is_check()
    assert board.is_checkmate == twin.is_checkmate()
    assert board.is_stalemate == twin.is_stalemate()
    assert board.black_to_move == (twin.turn == chess.BLACK)
    assert board.halfmove_clock == twin.halfmove_clock


@pytest.mark.parametrize("chess960", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_random_games_agree_with_python_chess(seed: int, chess960: bool) -> None:
    game = random_game(random.Random(seed), 200, chess960=chess960)
    board = Board(game.root().fen(), chess960=chess960)
    for ply, twin in enumerate(positions(game)):
        assert_same(board, twin)
        read = Board(twin.fen(), chess960=chess960)
        assert_same(read, twin)
        assert (read.key, read.packed()) == (board.key, board.packed())
        assert Board(twin.shredder_fen(), chess960=chess960).packed() == board.packed()
        if ply < len(game.move_stack):
            board.push(code_of(game.move_stack[ply]))


@pytest.mark.parametrize("chess960", [False, True])
def test_san_of_every_legal_move_agrees_with_python_chess(chess960: bool) -> None:
    for seed in range(6):
        game = random_game(random.Random(seed), 120, chess960=chess960)
        for twin in positions(game):
            board = Board(twin.fen(), chess960=chess960)
            for move in twin.legal_moves:
                text = twin.san(move)
                assert san(board, code_of(move)) == text
                assert parse_san(board, text) == code_of(move)
                assert parse_san(board, twin.lan(move)) == code_of(move)
                assert parse_san(board, twin.uci(move)) == code_of(move)


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 120), st.booleans())
def test_any_random_position_agrees_with_python_chess(
    seed: int, plies: int, chess960: bool
) -> None:
    twin = random_game(random.Random(seed), plies, chess960=chess960)
    assert_same(Board(twin.fen(), chess960=chess960), twin)


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="NBRQKPabcdefgh12345678xO0-=+#:.()/qnrb", max_size=9), st.integers(0, 99))
def test_any_token_that_python_chess_reads_is_read_alike(token: str, seed: int) -> None:
    twin = random_game(random.Random(seed), 30)
    board = Board(twin.fen())
    try:
        expected = code_of(twin.parse_san(token))
    except ValueError:
        return
    # python-chess also reads null moves, and pawn moves without their file: 3h4, xh4.
    if expected and token[0] in "NBRQKPabcdefghO0":
        assert parse_san(board, token) == expected


@pytest.mark.parametrize(
    ("fen", "depth", "leaves", "chess960"),
    [
        (None, 5, 4865609, False),
        (KIWIPETE, 4, 4085603, False),
        ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 4, 326672, True),
    ],
)
def test_perft(fen: str | None, depth: int, leaves: int, chess960: bool) -> None:
    assert perft(fen, depth, chess960=chess960) == leaves


def test_keys_are_persistent() -> None:
    assert Board().key == 14093064960528342989
    assert Board(KIWIPETE).key == 2883019578685501313


@pytest.mark.parametrize(
    ("fen", "phase"),
    [
        (None, 128),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", 0),
        ("qqqk4/8/8/8/8/8/8/3KQQQ1 w - - 0 1", (15228 - 3915) * 128 // (15258 - 3915)),
        ("rrk5/8/8/8/8/8/8/5KRR w - - 0 1", (4 * 1276 - 3915) * 128 // (15258 - 3915)),
    ],
)
def test_phase_is_the_engines_formula(fen: str | None, phase: int) -> None:
    assert Board(fen).phase == phase


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("0-0", "e1g1"),
        ("O-O-O", "e1c1"),
        ("o-o!?", "e1g1"),
        ("e1g1", "e1g1"),
        ("e1h1", "e1g1"),
        ("Ke1-g1", "e1g1"),
        ("dxe6+", "d5e6"),
        ("d5-e6", "d5e6"),
        ("d5:e6", "d5e6"),
        ("d5e6", "d5e6"),
        ("Pd5xe6", "d5e6"),
        ("Ne5xf7!", "e5f7"),
        ("Nf7??", "e5f7"),
        ("Q:f6", "f3f6"),
        ("Bd2h6", "d2h6"),
    ],
)
def test_people_write_moves_in_many_ways(text: str, code: str) -> None:
    assert decode_uci(parse_san(Board(KIWIPETE), text)) == code


@pytest.mark.parametrize("text", ["b8=Q", "b8Q", "b8q", "b8(Q)", "b8/Q", "b7b8q", "b7-b8=Q+"])
def test_promotions_are_written_in_many_ways(text: str) -> None:
    assert decode_uci(parse_san(Board("7k/1P6/8/8/8/8/8/K7 w - - 0 1"), text)) == "b7b8q"


@pytest.mark.parametrize("text", ["exd6", "exd6e.p.", "exd6ep", "e5d6", "ed6"])
def test_en_passant_is_written_in_many_ways(text: str) -> None:
    assert decode_uci(parse_san(Board("7k/8/8/3pP3/8/8/8/K7 w - d6 0 1"), text)) == "e5d6"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Nd4", "no legal knight move to d4"),
        ("O-O-O-O", "not a move"),
        ("Sf3", "not a move"),
        ("--", "a null move"),
        ("d4", "no legal pawn move to d4"),
        ("Nb5", "legal"),
    ],
)
def test_a_refused_move_says_why(text: str, message: str) -> None:
    if message == "legal":
        assert decode_uci(parse_san(Board(KIWIPETE), text)) == "c3b5"
        return
    with pytest.raises(IllegalMoveError, match=message):
        parse_san(Board(KIWIPETE), text)


def test_an_ambiguous_move_names_its_candidates() -> None:
    board = Board("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1")
    with pytest.raises(IllegalMoveError, match="knights on b1 and f3 can both move to d2"):
        parse_san(board, "Nd2")
    # A pinned knight is no candidate.
    assert decode_uci(parse_san(Board("4k3/4r3/8/8/8/8/4N3/N3K3 w - - 0 1"), "Nc2")) == "a1c2"
    assert decode_uci(parse_san(Board("4k3/4r3/8/8/8/8/4N3/1N2K3 w - - 0 1"), "Nc3")) == "b1c3"


@pytest.mark.parametrize(
    ("fen", "message"),
    [
        ("", "FEN is empty"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "White has 0 kings"),
        ("kk6/8/8/8/8/8/8/K7 w - - 0 1", "Black has 2 kings"),
        ("k7/8/8/8/8/8/8/KP6 w - - 0 1", "pawn stands on rank 1 or 8"),
        ("k7/8/8/8/8/8/8 w - - 0 1", "7 ranks, not 8"),
        ("k7/9/8/8/8/8/8/K7 w - - 0 1", "unknown piece '9'"),
        ("k6/8/8/8/8/8/8/K7 w - - 0 1", "rank 8 has 7 squares"),
        ("k8/8/8/8/8/8/8/K7 w - - 0 1", "rank 8 has more than 8 squares"),
        ("k7/x7/8/8/8/8/8/K7 w - - 0 1", "board field .*unknown piece 'x'"),
        ("k7/8/8/8/8/8/8/K7 x - - 0 1", "side to move field 'x'"),
        ("k7/8/8/8/8/8/8/K7 w z - 0 1", "castling field 'z'"),
        ("k7/8/8/8/8/8/8/K7 w - e9 0 1", "en passant field 'e9'"),
        ("k7/8/8/8/8/8/8/K7 w - - x 1", "halfmove clock field 'x'"),
        ("k7/8/8/8/8/8/8/K7 w - - 0 y", "fullmove number field 'y'"),
        ("k7/8/8/8/8/8/8/K7 w - - 4294967295 1", "expected a number from 0 to 999999999"),
        ("k7/8/8/8/8/8/8/K7 w - - 0 1 2", "7 fields, not 6"),
        (
            "k7/8/8/8/8/8/8/K7 w - - 0 1 two three",
            r"8 fields, not 6 \(board, side to move, castling, en passant, halfmove clock, "
            r"fullmove number\); the first too many is 'two'",
        ),
        ("k6R/8/8/8/8/8/8/K7 w - - 0 1", "Black is in check but it is not its move"),
        ("1k6/8/8/8/8/8/8/1K1R4 w D - 0 1", "needs Chess960"),
    ],
)
def test_a_bad_fen_names_field_and_value(fen: str, message: str) -> None:
    with pytest.raises(FenError, match=message):
        Board(fen)


def test_a_right_without_its_rook_is_dropped() -> None:
    assert Board("4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1").epd() == "4k3/8/8/8/8/8/8/4K2R w K -"


def test_fields_missing_at_the_end_take_defaults() -> None:
    assert Board("4k3/8/8/8/8/8/8/4K2R").fen() == "4k3/8/8/8/8/8/8/4K2R w - - 0 1"


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=80) | st.text(alphabet="kqrbnpKQRBNP12345678/ w-", max_size=90))
def test_any_text_is_a_position_or_a_fen_error(text: str) -> None:
    try:
        board = Board(text, chess960=True)
    except FenError:
        return
    assert Board(board.fen(), chess960=True).packed() == board.packed()


def test_an_illegal_push_leaves_the_board_as_it_was() -> None:
    board = Board()
    for code in (encode_uci("e2e5"), encode_uci("e7e5"), 0, 0xFFFF, -1, 1 << 20):
        with pytest.raises(IllegalMoveError):
            board.push(code)
        assert not board.is_legal(code)
    assert board.packed() == Board().packed()


def test_copies_are_independent() -> None:
    board = Board(KIWIPETE)
    for other in (board.copy(), copy.copy(board), copy.deepcopy(board)):
        other.push(other.legal_moves()[0])
        assert board.fen() == KIWIPETE
    assert pickle.loads(pickle.dumps(board)).fen() == KIWIPETE


def test_packed_boards_come_back() -> None:
    assert Board.from_packed(Board(KIWIPETE).packed()).epd() == Board(KIWIPETE).epd()
    with pytest.raises(ValueError, match="32 bytes"):
        Board.from_packed(b"abc")
    with pytest.raises(ValueError, match="White has 0 kings"):
        Board.from_packed(bytes(32))


@given(st.integers(0, 63), st.integers(0, 63), st.integers(0, 4))
def test_uci_codec_round_trip(start: int, end: int, promotion: int) -> None:
    if start != end:
        code = start | end << 6 | promotion << 12
        assert encode_uci(decode_uci(code)) == code


@pytest.mark.parametrize("text", ["", "e2", "e2e9", "e2e4x", "e7e8k", "e7e8Q", "0000", "e2e2"])
def test_what_is_no_uci_move_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="no UCI move"):
        encode_uci(text)
