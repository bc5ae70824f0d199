"""Cycles of xiangqi moves for tests: pieces attack, others step aside, back and forth."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from tabia._native.xiangqi_board import Board, IllegalMoveError
from tabia.games.xiangqi_chases import attackers
from tests.games.xiangqi_play import random_game


def back(code: int) -> int:
    return 90 * (code % 90) + code // 90


def playable(board: Board, codes: Sequence[int]) -> bool:
    """Whether the moves are legal one after the other; the board is left as it was."""
    played = 0
    try:
        for code in codes:
            board.push(code)
            played += 1
    except IllegalMoveError:
        return False
    finally:
        for _ in range(played):
            board.pop()
    return True


def cycles(board: Board, rng: random.Random) -> Iterator[list[int]]:
    """Four-ply cycles: a move, an attacked piece's move, and both taken back under attack."""
    side, pieces = board.black_to_move, board.piece_codes()
    moves = [code for code in board.legal_moves() if not pieces[code % 90]]
    for attack in rng.sample(moves, k=min(12, len(moves))):
        board.push(attack)
        after = board.piece_codes()
        answers = [
            code
            for code in board.legal_moves()
            if not after[code % 90] and attackers(after, code // 90, side)
        ]
        board.pop()
        for answer in rng.sample(answers, k=min(6, len(answers))):
            cycle = [attack, answer, back(attack), back(answer)]
            if not playable(board, cycle * 2):
                continue
            for code in cycle[:3]:
                board.push(code)
            is_attacked = bool(attackers(board.piece_codes(), answer % 90, side))
            for _ in range(3):
                board.pop()
            if is_attacked:
                yield cycle


def windows(games: Sequence[Sequence[int]] | None, seed: int) -> Iterator[tuple[str, list[int]]]:
    """Start FENs and cycles played twice, endlessly; of random play if there are no games."""
    rng = random.Random(seed)
    while True:
        if games is None:
            board = random_game(rng, rng.randrange(20, 150))
        else:
            game = rng.choice(games)
            board = Board()
            for code in game[: rng.randrange(10, len(game))]:
                board.push(code)
        start = f"{board.epd()} 0 1"
        for cycle in cycles(Board(start), rng):
            yield start, cycle * 2
