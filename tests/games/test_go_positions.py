"""Arrays of Go positions."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tabia._native.go_board import PASS, Board, FenError, IllegalMoveError, encode_vertex
from tabia._native.go_positions import (
    boards_from_fens,
    expand,
    fens_from_boards,
    keys,
    legal_masks,
    replay,
    stones,
)

HANDICAP = "9/2X3X2/9/9/9/9/9/2X3X2/9 w"


def random_board(seed: int, fen: str | None, size: int, ko: str = "simple") -> Board:
    rng = random.Random(seed)
    board = Board(fen, size=size, ko=ko, allows_suicide=False)
    for _ in range(150):
        codes = board.legal_moves()[:-1]
        board.push(rng.choice(codes or [PASS]))
        if board.is_terminal:
            break
    return board


@pytest.mark.parametrize("ko", ["simple", "positional", "situational"])
def test_rows_are_the_positions_that_a_board_goes_through(ko: str) -> None:
    starts = [None, HANDICAP, "5/5/5/5/5 b", None]
    boards = [
        random_board(i, fen, size, ko)
        for i, (fen, size) in enumerate(zip(starts, (7, 9, 5, 7), strict=True))
    ]
    games = [board.moves() for board in boards]
    offsets = np.cumsum([0, *map(len, games)])
    moves = np.concatenate(games).astype(np.uint16)
    rows = expand(moves, offsets, starts, size=7, ko=ko, with_legal=True)
    assert rows.legal is not None
    row = 0
    for game, (codes, start) in enumerate(zip(games, starts, strict=True)):
        board = Board(start, size=7 if start is None else None, ko=ko, allows_suicide=False)
        for ply, code in enumerate([*codes, 0xFFFF]):
            assert rows.board[row].tobytes() == board.packed()
            assert (rows.key[row], rows.game[row], rows.ply[row]) == (board.key, game, ply)
            assert rows.move[row] == code
            assert np.flatnonzero(rows.legal[row]).tolist() == board.legal_moves()
            if code != 0xFFFF:
                board.push(code)
            row += 1
    assert row == len(rows.board)
    assert replay(moves, offsets, starts, size=7, ko=ko).tolist() == [len(g) for g in games]
    assert keys(rows.board).tolist() == rows.key.tolist()
    if ko == "simple":
        assert (legal_masks(rows.board) == rows.legal).all()


def test_texts_and_bytes_are_each_others_inverse() -> None:
    fens = [random_board(i, None, size).fen() for i, size in enumerate((5, 9, 13, 19))]
    boards = boards_from_fens(fens)
    bare = [fen.rsplit(" ", 2)[0] + " 0 0" for fen in fens]
    assert fens_from_boards(boards) == bare
    for fen, colors in zip(fens, stones(boards), strict=True):
        board = Board(fen)
        grid = colors.reshape(19, 19)
        size = board.size
        assert grid[:size, :size].tobytes() == board.stones()
        assert grid.sum() == grid[:size, :size].sum()


def test_games_go_on_after_two_passes() -> None:
    moves = [encode_vertex("C3", 5), PASS, PASS, PASS, encode_vertex("C4", 5)]
    rows = expand(moves, [0, 5], size=5)
    assert [Board(fen).passes for fen in fens_from_boards(rows.board)] == [0, 0, 1, 2, 1, 0]
    assert replay(moves, [0, 5], size=5).tolist() == [5]


def test_an_illegal_move_is_named_with_game_and_ply() -> None:
    d4 = encode_vertex("D4", 9)
    with pytest.raises(IllegalMoveError, match="game 1, ply 2: move D4 is not legal"):
        expand([0, d4, 0, d4], [0, 1, 4], size=9)
    assert replay([0, d4, 0, d4], [0, 1, 4], size=9).tolist() == [1, 2]
    with pytest.raises(IllegalMoveError, match="game 0, ply 0: move 9 is not legal"):
        expand([9], [0, 1], size=9)


def test_wrong_arrays_are_refused() -> None:
    with pytest.raises(ValueError, match="shape"):
        stones(np.zeros((2, 45)))
    with pytest.raises(ValueError, match="board 0 is no position: size 0"):
        keys(np.zeros((1, 96)))
    with pytest.raises(ValueError, match="must ascend"):
        replay([1, 2], [2, 0])
    with pytest.raises(ValueError, match="2 games by ply_offsets, 1 start_fens"):
        replay([1, 2], [0, 1, 2], [None])
    with pytest.raises(FenError, match="4 rows"):
        replay([1], [0, 1], ["4/4/4/4"])
    with pytest.raises(ValueError, match="ko 'super'"):
        replay([1], [0, 1], ko="super")


def test_no_games_have_no_rows() -> None:
    assert expand([], [0]).board.shape == (0, 96)
    assert replay([], [0]).shape == (0,)


@pytest.mark.parametrize(
    ("byte", "value", "fault"),
    [
        (0, 20, "size 20"),
        (1, 8, "no such passes"),
        (4, 3, "code 0 cannot hold 3"),
        (6, 4, "code 9 cannot hold 1"),
        (95, 1, "last bits"),
        (2, 9, "ko"),
    ],
)
def test_bytes_that_are_no_position_are_refused(byte: int, value: int, fault: str) -> None:
    packed = boards_from_fens(["9/9/9/9/9/9/9/9/9"])
    packed[0, byte] = value
    with pytest.raises(ValueError, match=f"board 0 is no position: .*{fault}"):
        keys(packed)
