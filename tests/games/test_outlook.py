"""What moves lead to, beside a slow search in Python and in positions that can be read off."""

from __future__ import annotations

import numpy as np
import pytest

from tabia._native import (
    chess_board,
    chess_outlook,
    chess_positions,
    xiangqi_board,
    xiangqi_outlook,
    xiangqi_positions,
)
from tests.imitation.random_games import random_moves

LOST = 2000  # half points
NATIVE = {
    "chess": (chess_board, chess_outlook, chess_positions),
    "xiangqi": (xiangqi_board, xiangqi_outlook, xiangqi_positions),
}


def worth(game: str, piece: str, rank: int) -> int:
    """Value in half points of a piece of a FEN on a rank counted from the first player's side."""
    if game == "chess":
        return {"p": 2, "n": 6, "b": 6, "r": 10, "q": 18, "k": 0}[piece.lower()]
    across = rank >= 5 if piece.isupper() else rank < 5
    return {"k": 0, "a": 4, "b": 4, "n": 8, "r": 18, "c": 9, "p": 4 if across else 2}[piece.lower()]


def balance(game: str, fen: str) -> int:
    """Material of the first player less that of the second."""
    found = 0
    rows = fen.split()[0].split("/")
    for place, row in enumerate(rows):
        for piece in row:
            if piece.isalpha():
                value = worth(game, piece, len(rows) - 1 - place)
                found += value if piece.isupper() else -value
    return found


def own_balance(game: str, board: object) -> int:
    fen = board.fen()  # type: ignore[attr-defined]
    return balance(game, fen) * (1 if fen.split()[1] == "w" else -1)


def settled(game: str, board, left: int, any_move: bool) -> int:
    """What the side to move can still win, by trying everything."""
    any_move = any_move or board.is_check
    if left == 0:
        return 0
    legal = board.legal_moves()
    if not legal:
        stalemate = game == "chess" and not board.is_check
        return 0 if not any_move or stalemate else -LOST
    before = own_balance(game, board)
    found = [] if any_move else [0]
    for code in legal:
        after = board.copy()
        after.push(code)
        gain = -own_balance(game, after) - before
        if any_move or gain > 0:
            found.append(gain - settled(game, after, left - 1, False))
    return max(found)


def slow(game: str, board, code: int) -> float:
    after = board.copy()
    after.push(code)
    gain = -own_balance(game, after) - own_balance(game, board)
    return (gain - settled(game, after, 4, True)) / 2


def fast(game: str, fen: str) -> dict[int, tuple[float, float]]:
    _, outlook, positions = NATIVE[game]
    boards = positions.boards_from_fens([fen])
    codes, offsets = positions.legal_moves(boards)
    rows = outlook.outlooks(boards, codes, offsets)
    return {int(code): (float(a), float(b)) for code, (a, b) in zip(codes, rows, strict=True)}


@pytest.mark.parametrize("game", ["chess", "xiangqi"])
@pytest.mark.parametrize("seed", range(2))
def test_outlooks_are_those_of_a_search_that_leaves_nothing_out(game, seed):
    board = NATIVE[game][0].Board(None)
    for code in random_moves(game, (24, 44)[seed], seed):
        board.push(code)
    found = fast(game, board.fen())
    legal = board.legal_moves()
    assert set(found) == set(legal)
    best = max(value for value, _ in found.values())
    for code in legal[:: max(1, len(legal) // 2)]:
        assert found[code][0] == slow(game, board, code), code
        assert found[code][1] == best - found[code][0]


def of(game: str, fen: str, text: str) -> float:
    encode = chess_board.encode_uci if game == "chess" else xiangqi_board.encode_move
    return fast(game, fen)[encode(text)][0]


def test_a_fork_wins_what_cannot_be_saved():
    # The knight attacks king and rook; the king must move.
    assert of("chess", "r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1", "d5c7") == 5
    assert of("chess", "r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1", "d5f4") == 0


def test_what_is_left_hanging_is_lost():
    # A rook that steps onto the cannon's file, with one piece between, is taken.
    fen = "4k4/9/9/4c4/9/9/4P4/9/R8/3K5 w"
    assert of("xiangqi", fen, "a1e1") == -9
    assert of("xiangqi", fen, "a1a5") == 0


def test_mate_outweighs_everything():
    mate = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"
    assert of("chess", mate, "a1a8") == 1000
    # In xiangqi a side without a move has lost, in check or not.
    assert of("xiangqi", "3k5/9/9/9/9/9/9/9/4R4/4K4 w", "e1d1") == 1000


def test_stalemate_loses_nothing_in_chess():
    assert of("chess", "k7/8/8/1Q6/8/8/8/6K1 w - - 0 1", "b5b6") == 0


def test_a_pawn_that_crosses_the_river_or_is_promoted_gains():
    assert of("xiangqi", "4k4/9/9/9/9/P8/9/9/9/3K5 w", "a4a5") == 1
    assert of("chess", "7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8q") == 8


@pytest.mark.parametrize("game", ["chess", "xiangqi"])
def test_what_is_no_legal_move_or_no_position_is_told_by_row(game):
    _, outlook, positions = NATIVE[game]
    start = chess_board.Board().fen() if game == "chess" else xiangqi_board.Board().fen()
    boards = positions.boards_from_fens([start, start])
    codes, offsets = positions.legal_moves(boards)
    wrong = codes.copy()
    wrong[-1] = 0
    with pytest.raises(ValueError, match="row 1: move 0 is not legal"):
        outlook.outlooks(boards, wrong, offsets)
    with pytest.raises(ValueError, match="row 0: the board is no position"):
        outlook.outlooks(np.zeros_like(boards), codes, offsets)
    with pytest.raises(ValueError, match="they are n and n \\+ 1"):
        outlook.outlooks(boards, codes, offsets[:-1])
    with pytest.raises(ValueError, match="must ascend"):
        outlook.outlooks(boards, codes[:-1], offsets)
