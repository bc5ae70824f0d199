"""Arrays of positions against python-chess."""

from __future__ import annotations

import random

import chess
import numpy as np
import pytest

from tabia._native.chess_board import Board, FenError, IllegalMoveError
from tabia._native.chess_positions import (
    boards_from_fens,
    expand,
    fens_from_boards,
    keys,
    phases,
    piece_codes,
)
from tests.games.play import PIECE_CODES, code_of, positions, random_game

GAMES = [random_game(random.Random(seed), 160, chess960=seed % 2 == 1) for seed in range(16)]


def expanded():
    moves = np.array([code_of(m) for game in GAMES for m in game.move_stack], dtype=np.uint16)
    offsets = np.cumsum([0] + [len(game.move_stack) for game in GAMES])
    fens = [game.root().fen() if game.chess960 else None for game in GAMES]
    return expand(moves, offsets, fens, [game.chess960 for game in GAMES])


def test_expand_gives_every_position_of_python_chess() -> None:
    rows = expanded()
    row = 0
    for number, game in enumerate(GAMES):
        for ply, twin in enumerate(positions(game)):
            board = Board(twin.fen(), chess960=game.chess960)
            assert rows.board[row].tobytes() == board.packed()
            assert rows.key[row] == board.key
            assert rows.phase[row] == board.phase
            flags = twin.is_check() + 2 * (not any(twin.legal_moves))
            assert rows.flags[row] & 3 == flags
            assert rows.game[row] == number
            assert rows.ply[row] == ply
            last = ply == len(game.move_stack)
            assert rows.move[row] == (0xFFFF if last else code_of(game.move_stack[ply]))
            row += 1
    assert row == len(rows.board) == len(rows.move)


def test_flag_4_marks_castling_that_needs_chess960() -> None:
    rows = expanded()
    for fen, flags in zip(fens_from_boards(rows.board), rows.flags, strict=True):
        try:
            Board(fen)
        except FenError:
            assert flags & 4
        else:
            assert not flags & 4


def test_boards_and_fens_are_each_others_inverse() -> None:
    rows = expanded()
    fens = fens_from_boards(rows.board)
    twins = [twin.epd() for game in GAMES for twin in positions(game)]
    assert fens == twins
    assert np.array_equal(boards_from_fens(fens), rows.board)


def test_boards_are_equal_exactly_when_positions_are() -> None:
    rows = expanded()
    fens = fens_from_boards(rows.board)
    assert len(set(fens)) == len(np.unique(rows.board, axis=0)) == len(np.unique(rows.key))


@pytest.mark.parametrize(
    "pair",
    [
        # side to move; castling rights; en passant that is legal, or is not
        ("4k3/8/8/8/8/8/8/4K3 w - -", "4k3/8/8/8/8/8/8/4K3 b - -"),
        ("4k3/8/8/8/8/8/8/4K2R w K -", "4k3/8/8/8/8/8/8/4K2R w - -"),
        ("r3k3/8/8/8/8/8/8/4K3 w q -", "r3k3/8/8/8/8/8/8/4K3 w - -"),
        ("7k/8/8/3pP3/8/8/8/K7 w - d6", "7k/8/8/3pP3/8/8/8/K7 w - -"),
        ("7k/8/8/8/3pP3/8/8/K7 b - e3", "7k/8/8/8/3pP3/8/8/K7 b - -"),
    ],
)
def test_what_differs_packs_differently(pair: tuple[str, str]) -> None:
    boards = boards_from_fens(pair)
    assert not np.array_equal(boards[0], boards[1])
    assert len(set(keys(boards))) == 2
    assert fens_from_boards(boards) == list(pair)


def test_an_en_passant_square_without_a_legal_capture_is_no_difference() -> None:
    boards = boards_from_fens(
        ["8/8/8/K2pP2q/8/8/8/7k w - d6 0 9", "8/8/8/K2pP2q/8/8/8/7k w - - 3 4"]
    )
    assert np.array_equal(boards[0], boards[1])


def test_piece_codes_keys_and_phases_of_boards() -> None:
    rows = expanded()
    twins = [twin for game in GAMES for twin in positions(game)]
    expected = [[PIECE_CODES[twin.piece_at(square)] for square in chess.SQUARES] for twin in twins]
    assert np.array_equal(piece_codes(rows.board), np.array(expected, dtype=np.uint8))
    assert np.array_equal(keys(rows.board), rows.key)
    assert np.array_equal(phases(rows.board), rows.phase)
    assert rows.phase.dtype == phases(rows.board).dtype == np.int16


def test_an_illegal_move_names_game_and_ply() -> None:
    with pytest.raises(IllegalMoveError, match="game 1, ply 1: move e2e4"):
        expand([1804, 1804, 1804], [0, 1, 3], [None, None], [0, 0])


def test_empty_games_have_one_position() -> None:
    rows = expand([], [0, 0, 0], [None, "4k3/8/8/8/8/8/8/4K3 b - - 0 1"], [0, 0])
    assert rows.move.tolist() == [0xFFFF, 0xFFFF]
    assert rows.game.tolist() == [0, 1]
    assert len(expand([], [0], [], []).board) == 0


@pytest.mark.parametrize(
    ("moves", "offsets", "fens", "chess960"),
    [
        ([], [], [], []),
        ([], [0, 0], [], [0]),
        ([], [0, 0], [None], []),
        ([], [0, 5], [None], [0]),
        ([1, 2], [0, 2, 1], [None, None], [0, 0]),
    ],
)
def test_lengths_that_disagree_are_errors(moves, offsets, fens, chess960) -> None:
    with pytest.raises(ValueError, match=r"ply_offsets|start_fens"):
        expand(moves, offsets, fens, chess960)


def test_bad_rows_and_fens_are_named() -> None:
    with pytest.raises(FenError, match="unknown piece"):
        boards_from_fens(["k7/8/8/8/8/8/8/K7", "z"])
    with pytest.raises(ValueError, match="board 1 is no position: White has 0 kings"):
        fens_from_boards(np.vstack([boards_from_fens(["k7/8/8/8/8/8/8/K7"]), np.zeros((1, 32))]))
    with pytest.raises(ValueError, match=r"shape \[n, 32\]"):
        keys(np.zeros((2, 31)))


def test_every_32_bytes_are_a_position_with_one_packing_or_none() -> None:
    rng = np.random.default_rng(1)
    start = boards_from_fens([chess.STARTING_FEN])[0]
    kept = 0
    for _ in range(2000):
        board = start.copy()
        for _ in range(rng.integers(1, 4)):
            board[rng.integers(32)] = rng.integers(256)
        try:
            fen = fens_from_boards(board[None])[0]
        except ValueError:
            continue
        kept += 1
        assert np.array_equal(boards_from_fens([fen])[0], board), fen
    assert kept > 20
