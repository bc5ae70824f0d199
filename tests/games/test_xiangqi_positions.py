"""Arrays of xiangqi positions against the board that plays one move at a time."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tabia._native.xiangqi_board import Board, FenError, IllegalMoveError, encode_move
from tabia._native.xiangqi_positions import (
    Expanded,
    boards_from_fens,
    expand,
    fens_from_boards,
    keys,
    legal_moves,
    piece_codes,
    replay,
)
from tests.games.xiangqi_play import random_game

BLACK_FIRST = "4k4/9/9/9/9/9/4p4/9/9/3K4R b - - 3 9"
GAMES = [random_game(random.Random(seed), 150).moves() for seed in range(12)]
GAMES.append([encode_move("e9e8"), encode_move("i0i1")])
STARTS = [None] * 12 + [BLACK_FIRST]
OFFSETS = np.cumsum([0] + [len(game) for game in GAMES])
MOVES = np.concatenate(GAMES).astype(np.uint16)


def rows() -> Expanded:
    return expand(MOVES, OFFSETS, STARTS)


def positions() -> list[Board]:
    boards = []
    for start, game in zip(STARTS, GAMES, strict=True):
        board = Board(start)
        boards.append(board.copy())
        for code in game:
            board.push(code)
            boards.append(board.copy())
    return boards


def test_expand_gives_every_position() -> None:
    expanded, twins = rows(), positions()
    assert len(twins) == len(MOVES) + len(GAMES)
    assert [b.packed() for b in twins] == [row.tobytes() for row in expanded.board]
    assert [b.key for b in twins] == expanded.key.tolist()
    flags = [b.is_check + 2 * (not b.has_legal_move) for b in twins]
    assert flags == expanded.flags.tolist()
    assert {0, 1} <= set(flags)
    following = [[*game, 0xFFFF] for game in GAMES]
    assert expanded.move.tolist() == [code for game in following for code in game]
    assert expanded.ply.tolist() == [ply for game in following for ply in range(len(game))]
    expected = [number for number, game in enumerate(following) for _ in game]
    assert expanded.game.tolist() == expected


def test_boards_and_fens_are_each_others_inverse() -> None:
    expanded, twins = rows(), positions()
    fens = fens_from_boards(expanded.board)
    assert fens == [b.epd() for b in twins]
    assert np.array_equal(boards_from_fens(fens), expanded.board)
    assert len(set(fens)) == len(np.unique(expanded.board, axis=0)) == len(np.unique(expanded.key))


def test_pieces_keys_and_legal_moves_of_boards() -> None:
    expanded, twins = rows(), positions()
    assert [b.piece_codes() for b in twins] == [r.tobytes() for r in piece_codes(expanded.board)]
    assert np.array_equal(keys(expanded.board), expanded.key)
    codes, offsets = legal_moves(expanded.board)
    assert codes.dtype == np.uint16
    assert offsets[-1] == len(codes)
    for i, twin in enumerate(twins):
        assert codes[offsets[i] : offsets[i + 1]].tolist() == twin.legal_moves()


def test_the_side_to_move_is_part_of_a_board() -> None:
    fen = "4k4/9/9/9/9/9/9/9/9/3K5"
    boards = boards_from_fens([f"{fen} w", f"{fen} b"])
    assert (boards[0] != boards[1]).sum() == 1
    assert np.array_equal(*piece_codes(boards))
    assert len(set(keys(boards).tolist())) == 2


def test_replay_tells_where_each_game_leaves_the_rules() -> None:
    lengths = np.diff(OFFSETS)
    assert np.array_equal(replay(MOVES, OFFSETS, STARTS), lengths)
    spoilt = MOVES.copy()
    spoilt[OFFSETS[3] + 40] = encode_move("a0i9")
    spoilt[OFFSETS[7]] = 0xFFFF
    expected = lengths.copy()
    expected[3], expected[7] = 40, 0
    assert np.array_equal(replay(spoilt, OFFSETS, STARTS), expected)
    assert replay([], [0]).tolist() == []


def test_games_start_as_usual_where_no_start_is_given() -> None:
    assert np.array_equal(
        expand(GAMES[0], [0, len(GAMES[0])]).board, rows().board[: OFFSETS[1] + 1]
    )


def test_an_illegal_move_names_game_and_ply() -> None:
    move = encode_move("h2e2")
    with pytest.raises(IllegalMoveError, match="game 1, ply 1: move h2e2 is not legal"):
        expand([move, move, move], [0, 1, 3])
    with pytest.raises(IllegalMoveError, match="game 0, ply 0: move 65535 is not legal"):
        expand([0xFFFF], [0, 1])


def test_empty_games_have_one_position() -> None:
    expanded = expand([], [0, 0, 0], [None, BLACK_FIRST])
    assert expanded.move.tolist() == [0xFFFF, 0xFFFF]
    assert expanded.game.tolist() == [0, 1]
    assert len(expand([], [0]).board) == 0


@pytest.mark.parametrize(
    ("moves", "offsets", "fens"),
    [
        ([], [], []),
        ([], [0, 0], []),
        ([], [0, 5], [None]),
        ([1, 2], [0, 2, 1], [None, None]),
        ([1, 2], [-1, 2], [None]),
    ],
)
def test_lengths_that_disagree_are_errors(
    moves: list[int], offsets: list[int], fens: list[str | None]
) -> None:
    for call in (expand, replay):
        with pytest.raises(ValueError, match=r"ply_offsets|start_fens"):
            call(moves, offsets, fens)


def test_bad_rows_and_fens_are_named() -> None:
    with pytest.raises(FenError, match="unknown piece 'z'"):
        expand([], [0, 0], ["z"])
    with pytest.raises(FenError, match="unknown piece 'z'"):
        boards_from_fens([BLACK_FIRST, "z"])
    boards = np.vstack([boards_from_fens([BLACK_FIRST]), np.zeros((1, 45), dtype=np.uint8)])
    for call in (fens_from_boards, keys, legal_moves):
        with pytest.raises(ValueError, match="board 1 is no position: Red has 0 kings"):
            call(boards)
        with pytest.raises(ValueError, match=r"shape \[n, 45\]"):
            call(np.zeros((2, 44)))
