"""Random games and their python-chess twins, for tests of the chess core."""

from __future__ import annotations

import random
from collections.abc import Iterator

import chess

PIECE_CODES = {None: 0} | {
    chess.Piece(kind, colour): kind + (0 if colour else 6)
    for kind in chess.PIECE_TYPES
    for colour in chess.COLORS
}


def code_of(move: chess.Move) -> int:
    """Code of a python-chess move, written apart from the native codec."""
    promotion = 0 if move.promotion is None else move.promotion - 1
    return move.from_square | move.to_square << 6 | promotion << 12


def random_board(rng: random.Random, *, chess960: bool) -> chess.Board:
    if chess960:
        return chess.Board.from_chess960_pos(rng.randrange(960))
    return chess.Board()


def random_game(rng: random.Random, plies: int, *, chess960: bool = False) -> chess.Board:
    """Play up to `plies` random moves that like pawns, castling and captures."""
    board = random_board(rng, chess960=chess960)
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            break
        eager = [m for m in moves if board.is_castling(m) or board.is_en_passant(m) or m.promotion]
        board.push(rng.choice(eager if eager and rng.random() < 0.5 else moves))
    return board


def positions(game: chess.Board) -> Iterator[chess.Board]:
    """Every position of a game, from its start."""
    board = game.root()
    yield board.copy(stack=False)
    for move in game.move_stack:
        board.push(move)
        yield board.copy(stack=False)
