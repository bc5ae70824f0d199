"""The from-to vocabulary of chess against geometry and python-chess."""

from __future__ import annotations

import random

import chess
import numpy as np
import pytest

from tabia.games.chess_moves import FROM_TO, LABELS, from_to_indices
from tests.games.play import code_of, positions, random_game


def test_there_are_1858_labels() -> None:
    steps = [code for code in FROM_TO if code < 1 << 12]
    assert len(FROM_TO) == len(set(FROM_TO)) == len(LABELS) == len(set(LABELS)) == 1858
    assert len(steps) == 1792
    assert len(FROM_TO) - len(steps) == 3 * 22


def test_the_steps_are_those_of_queens_and_knights_on_an_empty_board() -> None:
    expected = set()
    for square in chess.SQUARES:
        for kind in (chess.QUEEN, chess.KNIGHT):
            board = chess.Board(None)
            board.set_piece_at(square, chess.Piece(kind, chess.WHITE))
            expected |= {square | end << 6 for end in board.attacks(square)}
    assert {code for code in FROM_TO if code < 1 << 12} == expected


def test_promotions_are_a_pawns_steps_onto_the_last_rank() -> None:
    expected = {
        chess.square_name(start) + chess.square_name(end) + piece
        for start in chess.SquareSet(chess.BB_RANK_7)
        for end in chess.SquareSet(chess.BB_RANK_8)
        if chess.square_distance(start, end) == 1
        for piece in "nbr"
    }
    assert {label for label in LABELS if len(label) == 5} == expected


@pytest.mark.parametrize("seed", range(6))
def test_every_legal_move_has_a_label_and_no_two_share_one(seed: int) -> None:
    for board in positions(random_game(random.Random(seed), 200)):
        moves = list(board.legal_moves)
        black = [board.turn == chess.BLACK] * len(moves)
        indices = from_to_indices([code_of(move) for move in moves], black)
        assert len(set(indices.tolist())) == len(moves)
        for move, index in zip(moves, indices, strict=True):
            squares = (move.from_square, move.to_square)
            if board.turn == chess.BLACK:
                squares = tuple(chess.square_mirror(square) for square in squares)
            text = "".join(chess.square_name(square) for square in squares)
            if move.promotion not in (None, chess.QUEEN):
                text += chess.piece_symbol(move.promotion)
            assert LABELS[index] == text


def test_a_queens_promotion_is_the_plain_step() -> None:
    for black, texts in ((False, ("a7a8q", "a7a8n", "a7b8r")), (True, ("a2a1q", "a2a1n", "a2b1r"))):
        codes = [code_of(chess.Move.from_uci(text)) for text in texts]
        found = from_to_indices(codes, [black] * 3)
        assert [LABELS[i] for i in found] == ["a7a8", "a7a8n", "a7b8r"]


def test_codes_of_no_move_are_errors() -> None:
    for text in ("a1a1", "a1b4"):
        code = chess.parse_square(text[:2]) | chess.parse_square(text[2:]) << 6
        with pytest.raises(ValueError, match=f"{code} is the code of no piece's move"):
            from_to_indices([FROM_TO[0], code], [False, True])
    promotion = code_of(chess.Move.from_uci("a7a8q"))
    for code, black in ((promotion, True), (promotion + (1 << 12), False), (0xFFFF, True), (-1, 0)):
        with pytest.raises(ValueError, match="code of no piece's move"):
            from_to_indices(np.array([code]), [black])
