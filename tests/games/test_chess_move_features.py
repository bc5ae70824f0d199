"""Features of chess moves on positions by hand, and against python-chess on random play."""

from __future__ import annotations

import random

import chess
import numpy as np
import pytest

from tabia._native.chess_positions import boards_from_fens
from tabia.games.chess_view import VIEW
from tests.games.play import code_of, positions, random_game
from tests.games.test_chess_tactics import exchange

Row = dict[str, float]
VALUE = {0: 0, 1: 1, 2: 3, 3: 3, 4: 5, 5: 9, 6: 0}


def rows(board: chess.Board, *last: str) -> dict[str, Row]:
    """Features by move; `last` are the opponent's last move and the mover's own."""
    packed = boards_from_fens([board.fen()])
    codes, offsets = VIEW.legal_moves(packed)
    previous = [code_of(chess.Move.from_uci(text)) if text else -1 for text in (*last, "", "")]
    values = VIEW.features(packed, codes, offsets, np.array([previous[:2]], np.int32))
    by_code = {code_of(move): move.uci() for move in board.legal_moves}
    names = VIEW.feature_names
    return {
        by_code[code]: dict(zip(names, row, strict=True))
        for code, row in zip(codes.tolist(), values.tolist(), strict=True)
    }


def features(fen: str, move: str, *last: str) -> Row:
    return rows(chess.Board(fen), *last)[move]


def test_there_is_a_column_for_every_name() -> None:
    boards = boards_from_fens([chess.STARTING_FEN] * 2)
    codes, offsets = VIEW.legal_moves(boards)
    values = VIEW.features(boards, codes, offsets, np.full((2, 2), -1, np.int32))
    assert (values.shape, values.dtype) == ((40, len(VIEW.feature_names)), np.float32)
    assert len(set(VIEW.feature_names)) == len(VIEW.feature_names) == 53


@pytest.mark.parametrize(
    ("fen", "move", "kind", "value", "gain"),
    [
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - -", "e4d5", 1, 1, 1),
        ("4k3/8/4p3/3p4/4P3/8/8/4K3 w - -", "e4d5", 1, 1, 0),
        ("4k3/8/4p3/3p4/8/8/8/3RK3 w - -", "d1d5", 1, 1, -4),
        ("4k3/8/8/3n4/8/8/8/3RK3 w - -", "d1d5", 2, 3, 3),
        # x-rays: the second rook joins in, on either side
        ("3rk3/8/8/3p4/8/8/3R4/3RK3 w - -", "d2d5", 1, 1, 1),
        ("3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - -", "d2d5", 1, 1, -4),
        # a pinned knight does not take back
        ("4k3/8/4n3/8/3p4/8/8/R2RK3 w - -", "d1d4", 1, 1, -4),
        ("4k3/8/4n3/8/3p4/8/4R3/R2RK3 w - -", "d1d4", 1, 1, 1),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6", "e5d6", 1, 1, 1),
        ("7k/P7/8/8/8/8/8/4K3 w - -", "a7a8q", 0, 0, 8),
        ("7k/P7/8/8/8/8/8/4K3 w - -", "a7a8n", 0, 0, 2),
        ("1n5k/P7/8/8/8/8/8/4K3 w - -", "a7b8q", 2, 3, 11),
        ("4k3/8/8/8/8/1p6/8/R3K2R w KQ -", "a1a2", 0, 0, -5),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ -", "e1g1", 0, 0, 0),
    ],
)
def test_captures_and_their_exchange_values(
    fen: str, move: str, kind: int, value: int, gain: int
) -> None:
    row = features(fen, move)
    assert (row["captured"], row["captured_value"], row["exchange"]) == (kind, value, gain)


def test_exchange_below_best_compares_moves() -> None:
    board = chess.Board("4k3/8/8/3n4/8/8/8/3RK3 w - -")
    found = rows(board)
    assert found["d1d5"]["exchange_below_best"] == 0
    assert found["d1d2"]["exchange_below_best"] == 3


def test_attackers_and_defenders_are_counted() -> None:
    # d4 is attacked by the pawn and the bishop, defended by queen, rook and pawn
    fen = "3qk3/8/1b6/4p3/3N4/2P5/8/3RK3 w - -"
    row = features(fen, "d4f5")
    assert (row["attackers_before"], row["defenders_before"]) == (3, 2)
    assert (row["attackers_after"], row["defenders_after"]) == (0, 0)
    row = features(fen, "d4c6")
    assert (row["attackers_after"], row["defenders_after"]) == (0, 0)
    row = features(fen, "d1d3")
    assert (row["attackers_before"], row["defenders_before"]) == (0, 1)
    assert (row["attackers_after"], row["defenders_after"]) == (0, 0)


def test_hanging_values_are_what_the_opponent_can_win() -> None:
    found = rows(chess.Board("4k3/8/8/8/3p4/2N5/8/R3K3 w - -"))
    assert {row["hanging_before"] for row in found.values()} == {3}
    away, stay, lost = found["c3e4"], found["a1a2"], found["c3d5"]
    assert (away["hanging_from"], away["hanging_after"], away["hanging_above_least"]) == (3, 0, 0)
    assert (stay["hanging_from"], stay["hanging_after"], stay["hanging_above_least"]) == (0, 3, 3)
    assert (lost["hanging_from"], lost["hanging_after"]) == (3, 0)
    assert away["threatened_change"] == -1
    assert stay["threatened_change"] == 0
    assert found["a1a7"]["hanging_after"] == 3
    # a defended knight attacked by a pawn hangs all the same, one attacked by a rook does not
    assert features("4k3/8/8/8/3p4/2N5/1P6/4K3 w - -", "e1e2")["hanging_after"] == 2
    assert features("2r1k3/8/8/8/8/2N5/1P6/4K3 w - -", "e1e2")["hanging_after"] == 0
    assert features("2r1k3/8/8/8/8/2N5/1P6/4K3 w - -", "b2b4")["hanging_after"] == 3


def test_checks_and_mates_are_seen() -> None:
    row = features("6k1/5ppp/8/8/8/8/8/4R1K1 w - -", "e1e8")
    assert (row["gives_check"], row["replies"], row["in_check"]) == (1, 0, 0)
    row = features("6k1/5pp1/8/8/8/8/8/4R1K1 w - -", "e1e8")
    assert (row["gives_check"], row["replies"]) == (1, 1)
    # uncovered by the knight
    row = features("4k3/8/8/8/8/4N3/8/4RK2 w - -", "e3c4")
    assert row["gives_check"] == 1
    found = rows(chess.Board("4k3/8/8/8/8/4r3/8/4K3 w - -"))
    assert {row["in_check"] for row in found.values()} == {1}
    assert {row["legal_moves"] for row in found.values()} == {len(found)} == {4}


def test_new_attacks_and_threats_are_seen() -> None:
    row = features("r3k3/8/8/1N6/8/8/8/4K3 w - -", "b5c7")
    assert (row["gives_check"], row["new_attacks"], row["new_threat"]) == (1, 1, 5)
    assert row["follow_up"] == 5
    # the pawn is defended, so a rook's attack on it threatens nothing; a knight's on a rook does
    row = features("4k3/8/2p5/3p4/8/8/8/R3K3 w - -", "a1d1")
    assert (row["new_attacks"], row["new_threat"], row["follow_up"]) == (1, 0, 0)
    row = features("4k3/8/2p5/3r4/8/8/4N3/4K3 w - -", "e2c3")
    assert (row["new_attacks"], row["new_threat"]) == (1, 5)
    # what was attacked before is not new
    row = features("4k3/8/8/3n4/8/8/8/R2RK3 w - -", "d1d2")
    assert (row["new_attacks"], row["new_threat"]) == (0, 0)


def test_the_last_moves_matter() -> None:
    fen = "4k3/8/8/3p4/4P3/5N2/8/4K3 w - -"
    row = features(fen, "e4d5", "e6d5", "e3e4")
    assert (row["takes_last_moved"], row["moves_last_moved"], row["takes_back"]) == (1, 1, 0)
    assert (row["attacked_by_last"], row["last_distance"]) == (1, 0)
    row = features(fen, "f3g1", "e6d5", "g1f3")
    assert (row["takes_last_moved"], row["moves_last_moved"], row["takes_back"]) == (0, 1, 1)
    assert (row["attacked_by_last"], row["last_distance"]) == (0, 4)
    assert row["own_last_distance"] == 2
    row = features(fen, "f3g1")
    assert (row["takes_last_moved"], row["moves_last_moved"], row["takes_back"]) == (0, 0, 0)
    assert (row["last_distance"], row["own_last_distance"]) == (-1, -1)
    row = features("4k3/8/8/3pP3/8/8/8/4K3 w - d6", "e5d6", "d7d5", "e4e5")
    assert (row["takes_last_moved"], row["moves_last_moved"]) == (1, 1)


def test_castling_rights_and_shelter() -> None:
    found = rows(chess.Board("4k3/8/8/8/8/8/5PPP/R3K2R w KQ -"))
    names = ("castling", "rights_lost", "shelter_change", "own_king_distance")
    assert [found["e1g1"][name] for name in names] == [1, 0, 2, 0]
    assert [found["e1c1"][name] for name in names] == [2, 0, -1, 0]
    assert [found["e1e2"][name] for name in names] == [0, 2, -1, 0]
    assert [found["h1g1"][name] for name in names] == [0, 1, 0, 2]
    assert [found["f2f4"][name] for name in names] == [0, 0, -1, 3]
    assert [found["h2h3"][name] for name in names] == [0, 0, 0, 3]


def test_pawns_that_pass_and_promote() -> None:
    fen = "7k/P3p3/8/2P1P3/8/8/8/4K3 w - -"
    found = rows(chess.Board(fen))
    assert [found[move]["passed_pawn"] for move in ("c5c6", "e5e6", "a7a8q", "e1e2")] == [
        1,
        0,
        0,
        0,
    ]
    promoted = [found[f"a7a8{piece}"]["promotion"] for piece in "nbrq"]
    assert promoted == [2, 3, 4, 5]
    assert features("7k/4p3/8/2PpP3/8/8/8/4K3 w - -", "c5c6")["passed_pawn"] == 1
    assert features("7k/3p4/8/2P5/8/8/8/4K3 w - -", "c5c6")["passed_pawn"] == 0


@pytest.mark.parametrize(
    ("fen", "move"),
    [(chess.STARTING_FEN, "g1f3"), (chess.STARTING_FEN.replace(" w ", " b "), "g8f6")],
)
def test_geometry_is_the_movers(fen: str, move: str) -> None:
    row = features(fen, move)
    expected = {
        "piece": 2,
        "from_row": 0,
        "from_column": 6,
        "to_row": 2,
        "to_column": 5,
        "advance": 2,
        "sideways": 1,
        "centre_distance": 1,
        "centre_gain": 2,
        "king_distance": 5,
        "king_approach": 2,
        "own_king_distance": 2,
        "from_home": 1,
        "legal_moves": 20,
        "replies": 20,
        "balance": 0,
        "material": 78,
        "mobility_moved": 5 - 2,
        "mobility_change": 5 - 2 + 1,  # the rook has g1
    }
    assert {name: row[name] for name in expected} == expected


def test_zones_of_kings_and_mobility_of_the_opponent() -> None:
    row = features("7k/8/8/8/8/8/4K3/R7 w - -", "a1g1")
    assert (row["king_zone_change"], row["own_zone_change"]) == (2, 0)
    row = features("4k3/8/8/8/8/r7/8/4K3 w - -", "e1e2")
    assert (row["king_zone_change"], row["own_zone_change"]) == (0, 3)
    row = features("4k3/8/8/8/r7/8/3P4/4K3 w - -", "d2d4")
    assert row["opponent_mobility_change"] == -4


GAMES = [random_game(random.Random(seed), 140) for seed in range(20, 26)]
TWINS = [twin for game in GAMES for twin in positions(game)][::3]


def test_features_are_those_of_python_chess() -> None:
    for twin in TWINS[::5]:
        board = twin if twin.turn == chess.WHITE else twin.mirror()
        found = rows(board)
        king = chess.BB_SQUARES[board.king(chess.BLACK)]
        for text, row in found.items():
            move = chess.Move.from_uci(text)
            start, end = move.from_square, move.to_square
            after = board.copy(stack=False)
            after.push(move)
            taken = 1 if board.is_en_passant(move) else board.piece_type_at(end) or 0
            expected = {
                "piece": board.piece_type_at(start),
                "captured": taken,
                "captured_value": VALUE[taken],
                "exchange": 0 if board.is_castling(move) else exchange(board, move),
                "attackers_before": len(board.attackers(chess.BLACK, start)),
                "defenders_before": len(board.attackers(chess.WHITE, start)),
                "attackers_after": len(after.attackers(chess.BLACK, end)),
                "defenders_after": len(after.attackers(chess.WHITE, end)),
                "gives_check": after.is_check(),
                "in_check": board.is_check(),
                "replies": after.legal_moves.count(),
                "new_attacks": (targets(after) & ~king & ~attacked(board)).bit_count(),
                "hanging_after": worst(after),
                "follow_up": row["follow_up"] if after.is_check() else worst(passed(after)),
                "mobility_change": mobility(after, chess.WHITE) - mobility(board, chess.WHITE),
                "castling": board.is_kingside_castling(move)
                + 2 * board.is_queenside_castling(move),
            }
            assert {name: row[name] for name in expected} == expected, (board.fen(), text)


def attacked(board: chess.Board) -> int:
    """Squares that White attacks."""
    return sum(
        chess.BB_SQUARES[square]
        for square in chess.SQUARES
        if board.is_attacked_by(chess.WHITE, square)
    )


def targets(board: chess.Board) -> int:
    """Black's pieces that White attacks."""
    return attacked(board) & board.occupied_co[chess.BLACK]


def worst(board: chess.Board) -> int:
    """The best that a capture of the side to move wins."""
    return max(0, *(exchange(board, m) for m in board.legal_moves if board.is_capture(m)), 0)


def passed(board: chess.Board) -> chess.Board:
    other = board.copy(stack=False)
    other.push(chess.Move.null())
    return other


def mobility(board: chess.Board, side: chess.Color) -> int:
    return sum(
        len(board.attacks(square) - chess.SquareSet(board.occupied_co[side]))
        for kind in (2, 3, 4, 5)
        for square in board.pieces(kind, side)
    )


def test_hanging_before_is_what_the_opponent_wins_after_a_null_move() -> None:
    seen = set()
    for twin in TWINS:
        if twin.is_check() or not any(twin.legal_moves):
            continue
        values = {row["hanging_before"] for row in rows(twin).values()}
        assert values == {worst(passed(twin))}
        seen |= values
    assert len(seen) > 3


def test_features_do_not_depend_on_colour() -> None:
    boards = boards_from_fens([twin.fen() for twin in TWINS])
    mirrored = boards_from_fens([twin.mirror().fen() for twin in TWINS])
    codes, offsets = VIEW.legal_moves(boards)
    others, same = VIEW.legal_moves(mirrored)
    assert np.array_equal(offsets, same)
    rng = np.random.default_rng(1)
    previous = rng.integers(0, 4096, (len(TWINS), 2)).astype(np.int32)
    previous[rng.random(previous.shape) < 0.2] = -1
    turn = 56 | 56 << 6
    turned = np.where(previous >= 0, previous ^ turn, -1).astype(np.int32)
    one = VIEW.features(boards, codes, offsets, previous)
    two = VIEW.features(mirrored, others, same, turned)
    owner = np.repeat(np.arange(len(TWINS)), np.diff(offsets))
    order, twin = np.lexsort((codes, owner)), np.lexsort((others ^ turn, owner))
    assert np.array_equal(one[order], two[twin])


def test_wrong_arguments_are_errors() -> None:
    boards = boards_from_fens([chess.STARTING_FEN] * 2)
    codes, offsets = VIEW.legal_moves(boards)
    none = np.full((2, 2), -1, np.int32)
    bad = codes.copy()
    bad[25] = code_of(chess.Move.from_uci("e2e5"))
    with pytest.raises(ValueError, match=f"row 1: move {bad[25]} is not legal"):
        VIEW.features(boards, bad, offsets, none)
    with pytest.raises(ValueError, match="row 0: previous move -2 is neither a code nor -1"):
        VIEW.features(boards, codes, offsets, none * 2)
    with pytest.raises(ValueError, match="row 0: the board is no position: White has 0 kings"):
        VIEW.features(boards * 0, codes, offsets, none)
    with pytest.raises(ValueError, match=r"2 boards, 2 offsets, previous of shape \[2, 2\]"):
        VIEW.features(boards, codes, offsets[:2], none)
    with pytest.raises(ValueError, match="offsets must ascend from 0 to the number of moves, 40"):
        VIEW.features(boards, codes, offsets + 1, none)
    with pytest.raises(ValueError, match=r"shape \[n, 32\]"):
        VIEW.features(boards[:, 1:], codes, offsets, none)
    assert VIEW.features(boards[:0], codes[:0], offsets[:1], none[:0]).shape == (0, 53)
