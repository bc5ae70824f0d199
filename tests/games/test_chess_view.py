"""Chess as the mover sees it, against python-chess."""

from __future__ import annotations

import random

import chess
import numpy as np
import pytest

from tabia._native.chess_positions import boards_from_fens
from tabia.games.chess_view import VIEW
from tabia.games.mover_view import MoverView
from tests.games.play import code_of, positions, random_game

GAMES = [random_game(random.Random(seed), 160) for seed in range(10)]
TWINS = [twin for game in GAMES for twin in positions(game)]
BOARDS = boards_from_fens([twin.fen() for twin in TWINS])


def seen(twin: chess.Board) -> chess.Board:
    """The position with the mover as White."""
    return twin if twin.turn == chess.WHITE else twin.mirror()


def test_the_view_meets_the_contract() -> None:
    view: MoverView = VIEW
    assert (view.name, view.rows, view.columns, view.n_kinds) == ("chess", 8, 8, 6)
    assert {name: len(v.labels) for name, v in view.vocabularies.items()} == {"from_to": 1858}
    assert all(name == v.name for name, v in view.vocabularies.items())


def test_pieces_are_those_of_the_mirrored_board() -> None:
    found = VIEW.pieces(BOARDS)
    assert (found.shape, found.dtype) == ((len(TWINS), 64), np.uint8)
    for row, twin in zip(found, TWINS, strict=True):
        expected = [0] * 64
        for square, piece in seen(twin).piece_map().items():
            expected[square] = piece.piece_type + 6 * (piece.color == chess.BLACK)
        assert row.tolist() == expected


def test_the_mover_is_known() -> None:
    found = VIEW.black_to_move(BOARDS)
    assert found.dtype == np.bool_
    assert found.tolist() == [twin.turn == chess.BLACK for twin in TWINS]


def test_facts_are_castling_rights_and_the_en_passant_file() -> None:
    found = VIEW.facts(BOARDS)
    assert (found.shape, found.dtype) == ((len(TWINS), len(VIEW.facts_names)), np.float32)
    total = np.zeros(len(VIEW.facts_names))
    for row, twin in zip(found, TWINS, strict=True):
        board = seen(twin)
        expected = [
            board.has_kingside_castling_rights(chess.WHITE),
            board.has_queenside_castling_rights(chess.WHITE),
            board.has_kingside_castling_rights(chess.BLACK),
            board.has_queenside_castling_rights(chess.BLACK),
        ]
        passing = board.ep_square if board.has_legal_en_passant() else None
        expected += [passing is not None and chess.square_file(passing) == f for f in range(8)]
        assert row.tolist() == expected
        total += expected
    assert (total[:4] > 0).all()
    assert total[4:].sum() > 5


def test_facts_are_named_by_side() -> None:
    fens = ["r3k3/8/8/8/8/8/8/4K2R w Kq -", "r3k3/8/8/8/8/8/8/4K2R b Kq -"]
    fens.append("4k3/8/8/3pP3/8/8/8/4K3 w - d6")
    named = [
        dict(zip(VIEW.facts_names, row, strict=True)) for row in VIEW.facts(boards_from_fens(fens))
    ]
    on = [sorted(name for name, value in row.items() if value) for row in named]
    assert on == [
        ["opponent_castles_long", "own_castles_short"],
        ["opponent_castles_short", "own_castles_long"],
        ["en_passant_d"],
    ]


def test_legal_moves_are_those_of_python_chess() -> None:
    codes, offsets = VIEW.legal_moves(BOARDS)
    assert (codes.dtype, offsets.dtype) == (np.uint16, np.int64)
    kinds = set()
    for i, twin in enumerate(TWINS):
        moves = list(twin.legal_moves)
        assert codes[offsets[i] : offsets[i + 1]].tolist() == sorted(map(code_of, moves))
        kinds |= {"castling" for move in moves if twin.is_castling(move)}
        kinds |= {"en passant" for move in moves if twin.is_en_passant(move)}
        kinds |= {f"promotion {move.promotion}" for move in moves if move.promotion}
    assert len(kinds) == 6
    assert offsets[-1] == len(codes)


def test_labels_and_squares_do_not_depend_on_the_side() -> None:
    codes, offsets = VIEW.legal_moves(BOARDS)
    twins = boards_from_fens([twin.mirror().fen() for twin in TWINS])
    owner = np.repeat(np.arange(len(TWINS)), np.diff(offsets))
    other = codes ^ np.uint16(56 | 56 << 6)
    vocabulary = VIEW.vocabularies["from_to"]
    found = vocabulary.indices(BOARDS[owner], codes)
    assert found.dtype == np.int16
    assert np.array_equal(found, vocabulary.indices(twins[owner], other))
    black = VIEW.black_to_move(BOARDS)[owner]
    squares, mirrored = VIEW.squares(codes, black), VIEW.squares(other, ~black)
    assert squares.start.dtype == squares.end.dtype == np.int16
    assert np.array_equal(squares.start, mirrored.start)
    assert np.array_equal(squares.end, mirrored.end)
    assert np.array_equal(VIEW.pieces(BOARDS), VIEW.pieces(twins))
    assert np.array_equal(VIEW.facts(BOARDS), VIEW.facts(twins))
    own = VIEW.pieces(BOARDS)[owner, squares.start]
    assert ((own >= 1) & (own <= 6)).all()


def test_squares_of_a_move() -> None:
    codes = np.array([code_of(chess.Move.from_uci(text)) for text in ("e2e4", "g8f6", "a2b1q")])
    squares = VIEW.squares(codes.astype(np.uint16), np.array([False, True, True]))
    assert squares.start.tolist() == [chess.E2, chess.G1, chess.A7]
    assert squares.end.tolist() == [chess.E4, chess.F3, chess.B8]


def test_rows_that_are_no_standard_position_are_named() -> None:
    with pytest.raises(ValueError, match="board 1 is no position: White has 0 kings"):
        VIEW.legal_moves(np.vstack([BOARDS[:1], np.zeros((1, 32), np.uint8)]))
    other = boards_from_fens(["4k3/8/8/8/8/8/8/4K1R1 w G - 0 1"])
    with pytest.raises(ValueError, match="board 1 is no position: castling rights need Chess960"):
        VIEW.legal_moves(np.vstack([BOARDS[:1], other]))
    with pytest.raises(ValueError, match=r"shape \[n, 32\]"):
        VIEW.legal_moves(np.zeros((2, 31), np.uint8))


def test_no_boards_give_no_rows() -> None:
    none = BOARDS[:0]
    codes, offsets = VIEW.legal_moves(none)
    assert (codes.tolist(), offsets.tolist()) == ([], [0])
    assert VIEW.pieces(none).shape == (0, 64)
    assert VIEW.facts(none).shape == (0, 12)
    assert VIEW.black_to_move(none).shape == (0,)
