"""Static tactical features against a slow twin on python-chess, and on positions by hand."""

from __future__ import annotations

import random

import chess
import numpy as np
import pytest

from tabia._native.chess_positions import boards_from_fens
from tabia._native.chess_tactics import COLUMNS, tactics_from_boards
from tests.games.play import positions, random_game

VALUE = {1: 1, 2: 3, 3: 3, 4: 5, 5: 9, 6: 10}
KIND = {1: "pawn", 2: "knight", 3: "bishop", 4: "rook", 5: "queen"}


def held(board: chess.Board, side: chess.Color, square: int) -> chess.SquareSet:
    """Pinned pieces that may not move to the square."""
    return chess.SquareSet(
        s
        for s in chess.SquareSet(board.occupied_co[side])
        if board.is_pinned(side, s) and square not in board.pin(side, s)
    )


def exchange(board: chess.Board, move: chess.Move) -> int:
    """Swap-off by recursion: a side takes only when that wins something."""
    side = board.turn
    taken = board.piece_type_at(move.to_square)
    left = chess.SquareSet(board.occupied) - {move.from_square, move.to_square}
    if board.is_en_passant(move):
        taken = chess.PAWN
        left.discard(move.to_square ^ 8)
    standing = board.piece_type_at(move.from_square)
    gain = VALUE[taken] if taken else 0
    if move.promotion:
        standing = move.promotion
        gain += VALUE[move.promotion] - 1

    def takers(us: chess.Color, among: chess.SquareSet) -> chess.SquareSet:
        found = board.attackers(us, move.to_square, among)
        return (found & among) - held(board, us, move.to_square)

    def reply(us: chess.Color, standing: int, among: chess.SquareSet) -> int:
        able = sorted(takers(us, among), key=lambda s: (board.piece_type_at(s), s))
        if not able:
            return 0
        kind = board.piece_type_at(able[0])
        rest = among - {able[0]}
        if kind == chess.KING and takers(not us, rest):
            return 0
        return max(0, VALUE[standing] - reply(not us, kind, rest))

    return gain - reply(not side, standing, left)


def options(board: chess.Board) -> tuple[list[tuple[chess.Move, int]], int]:
    """Moves with exchange values, and the number of all legal moves."""
    found, legal = [], 0
    for move in board.pseudo_legal_moves:
        if board.piece_type_at(move.to_square) == chess.KING or not board.is_legal(move):
            continue
        legal += 1
        if board.is_castling(move) or move.promotion not in (None, chess.QUEEN):
            continue
        found.append((move, exchange(board, move)))
    return found, legal


def apart(a: chess.Move, b: chess.Move) -> bool:
    return a.from_square != b.to_square and a.to_square != b.from_square


def side_features(
    board: chess.Board, side: chess.Color, own: list, other: list, legal: int
) -> dict[str, int]:
    them = not side
    out = dict.fromkeys((c.removeprefix("mover_") for c in COLUMNS[: len(COLUMNS) // 2]), 0)
    turned = board if board.turn == side else turn(board)

    def gain_on(options: list) -> dict[int, int]:
        best: dict[int, int] = {}
        for move, gain in options:
            if gain > 0:
                best[move.to_square] = max(best.get(move.to_square, 0), gain)
        return best

    ranked = [*sorted(gain_on(own).values(), reverse=True), 0, 0, 0]
    out["gain_1"], out["gain_2"], out["gain_3"] = ranked[:3]
    threats = gain_on(other)
    most = max(threats.values(), default=0)

    def keep(name: str, value: int) -> None:
        out[name] = max(out[name], value)

    out["gain_left"] = min(
        (
            max((g for m, g in own if g > 0 and apart(m, best)), default=0)
            for best, gain in other
            if gain == most > 0
        ),
        default=out["gain_1"],
    )
    for move, gain in own:
        takes = turned.is_capture(move)
        out["even_captures"] += takes and gain == 0
        if gain > 0:
            if takes:
                keep(f"gain_{KIND[board.piece_type_at(move.to_square) or 1]}", gain)
            if move.promotion:
                keep("gain_promotion", gain)
            if move.from_square not in threats:
                keep("gain_steady", gain)
        after = turned.copy(stack=False)
        kind = move.promotion or board.piece_type_at(move.from_square)
        after.remove_piece_at(move.from_square)
        after.set_piece_at(move.to_square, chess.Piece(kind, side))
        hit = [
            s
            for s in after.attacks(move.to_square) & after.occupied_co[them]
            if after.piece_type_at(s) != chess.PAWN
        ]
        check = any(after.piece_type_at(s) == chess.KING for s in hit)
        out["checks"] += check
        out["flights"] += kind == chess.KING
        if gain < 0:
            continue
        out["safe_moves"] += 1
        keep("check_gain", gain if check else 0)
        out["safe_checks"] += check
        values = sorted(
            VALUE[after.piece_type_at(s)]
            for s in hit
            if VALUE[after.piece_type_at(s)] > VALUE[kind] or not after.attackers(them, s)
        )
        most = max((v for v in values if v < 10), default=0)
        keep("threat", most)
        keep("fork_check", most if check else 0)
        keep("fork", values[-2] if len(values) > 1 else 0)

    duties: dict[int, list[int]] = {}
    for square in chess.SquareSet(board.occupied_co[side]):
        defenders = board.attackers(side, square)
        if board.attackers(them, square) and len(defenders) == 1 and square != board.king(side):
            value = VALUE[board.piece_type_at(square)]
            duties.setdefault(defenders.pop(), []).append(value)
    out["overloaded"] = sum(sum(values) for values in duties.values() if len(values) > 1)

    pinned = set()
    for square in chess.SquareSet(board.occupied_co[side]):
        kind = board.piece_type_at(square)
        if kind not in (chess.PAWN, chess.KING):
            attackers = board.attackers(them, square)
            if attackers and not board.attackers(side, square):
                out["loose"] += VALUE[kind]
            if any(VALUE[board.piece_type_at(a)] < VALUE[kind] for a in attackers):
                out["outgunned"] += VALUE[kind]
            if not any(m.from_square == square and g >= 0 for m, g in own):
                keep("trapped", threats.get(square, 0))
        if kind in (chess.BISHOP, chess.ROOK, chess.QUEEN):
            empty = chess.Board(None)
            empty.set_piece_at(square, chess.Piece(kind, side))
            for aim in empty.attacks(square) & board.occupied_co[them]:
                if board.piece_type_at(aim) < chess.ROOK:
                    continue
                shield = chess.SquareSet.between(square, aim) & board.occupied
                if len(shield) != 1:
                    continue
                value = VALUE[board.piece_type_at(aim)]
                if board.color_at(shield.pop()) == side:
                    keep("discovery", value)
                elif value > VALUE[kind]:
                    pinned |= set(chess.SquareSet.between(square, aim) & board.occupied)
        if kind == chess.PAWN:
            forward = range(1, 8) if side else range(-1, -8, -1)
            file, rank = chess.square_file(square), chess.square_rank(square)
            ahead = [rank + step for step in forward if 0 <= rank + step < 8]
            guards = (
                chess.square(f, r) for f in (file - 1, file, file + 1) if 0 <= f < 8 for r in ahead
            )
            if any(board.piece_at(s) == chess.Piece(chess.PAWN, them) for s in guards):
                continue
            advanced = rank - 1 if side else 6 - rank
            keep("passer", advanced)
            way = [chess.square(file, r) for r in ahead]
            if not any(board.piece_at(s) or board.attackers(them, s) for s in way):
                keep("runner", advanced)
    out["pins"] = sum(VALUE[board.piece_type_at(s)] for s in pinned)
    out["moves"] = legal
    return out


def turn(board: chess.Board) -> chess.Board:
    turned = board.copy(stack=False)
    turned.turn = not board.turn
    turned.ep_square = None
    return turned


def twin(board: chess.Board) -> list[int]:
    mover, legal = options(board)
    opponent, replies = options(turn(board))
    own = side_features(board, board.turn, mover, opponent, legal)
    other = side_features(board, not board.turn, opponent, mover, replies)
    return [*own.values(), *other.values(), int(board.is_check())]


def features(fen: str) -> dict[str, int]:
    values = tactics_from_boards(boards_from_fens([fen]))[0].tolist()
    return dict(zip(COLUMNS, values, strict=True))


def test_features_are_those_of_the_twin_in_random_games() -> None:
    boards = [
        board
        for seed in range(8)
        for number, board in enumerate(positions(random_game(random.Random(seed), 160)))
        if number % 4 == seed % 4
    ]
    got = tactics_from_boards(boards_from_fens([board.fen() for board in boards]))
    assert got.shape == (len(boards), len(COLUMNS))
    assert got.dtype == np.int32
    for board, row in zip(boards, got.tolist(), strict=True):
        assert dict(zip(COLUMNS, row, strict=True)) == dict(
            zip(COLUMNS, twin(board), strict=True)
        ), board.fen()


def test_features_do_not_depend_on_colour_or_wing() -> None:
    boards = [b for b in positions(random_game(random.Random(5), 120)) if not b.castling_rights]
    assert boards
    plain = tactics_from_boards(boards_from_fens([b.fen() for b in boards]))
    for change in (chess.Board.mirror, lambda b: b.transform(chess.flip_horizontal)):
        changed = tactics_from_boards(boards_from_fens([change(b).fen() for b in boards]))
        np.testing.assert_array_equal(changed, plain)


def test_a_defended_pawn_is_not_won_by_a_rook_but_by_two_attackers_and_a_pawn() -> None:
    # The pawn on d5 is defended once.
    alone = features("4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1")
    assert alone["mover_gain_1"] == 0
    with_pawn = features("4k3/8/4p3/3p4/4P3/8/8/3RK3 w - - 0 1")
    assert with_pawn["mover_gain_1"] == with_pawn["mover_gain_pawn"] == 1


def test_a_rook_behind_a_rook_joins_in() -> None:
    # Rxd5 Rxd5 Rxd5: rook and pawn for a rook.
    doubled = features("3r2k1/8/8/3p4/8/8/3R4/3R2K1 w - - 0 1")
    assert doubled["mover_gain_pawn"] == 1
    single = features("3r2k1/8/8/3p4/8/8/3R4/6K1 w - - 0 1")
    assert single["mover_gain_pawn"] == 0


def test_a_pinned_defender_does_not_defend() -> None:
    pinned = features("4k3/4n3/8/3p4/8/8/8/R2RR1K1 w - - 0 1")
    assert pinned["mover_gain_pawn"] == 1
    assert pinned["mover_pins"] == 3


def test_a_knight_that_forks_king_and_queen_is_seen() -> None:
    fork = features("q3k3/8/8/1N6/8/8/8/4K3 w - - 0 1")
    assert (fork["mover_fork"], fork["mover_safe_checks"]) == (9, 2)


def test_promotion_en_passant_and_check_are_seen() -> None:
    assert features("8/P6k/8/8/8/8/8/K7 w - - 0 1")["mover_gain_promotion"] == 8
    assert features("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1")["mover_gain_pawn"] == 1
    assert features("4k3/8/8/8/8/8/8/K3R3 b - - 0 1")["mover_in_check"] == 1


def test_a_trapped_bishop_is_seen() -> None:
    trapped = features("8/B4ppp/1pp5/1k6/8/8/8/4K3 b - - 0 1")
    assert trapped["opponent_trapped"] == 0
    shut = features("3r2k1/Br3ppp/1pp5/8/8/8/8/4K3 b - - 0 1")
    assert shut["mover_gain_bishop"] == shut["opponent_trapped"] == 3


def test_a_board_that_is_no_position_is_named() -> None:
    boards = np.concatenate([boards_from_fens([chess.STARTING_FEN]), np.zeros((1, 32), np.uint8)])
    with pytest.raises(ValueError, match="board 1 is no position"):
        tactics_from_boards(boards)
    with pytest.raises(ValueError, match="shape"):
        tactics_from_boards(np.zeros((2, 31), np.uint8))
