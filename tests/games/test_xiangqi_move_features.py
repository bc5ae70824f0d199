"""Features of xiangqi moves on positions by hand, and against a slow twin on random play."""

from __future__ import annotations

import random
from itertools import pairwise, product

import numpy as np
import pytest

from tabia._native.xiangqi_board import Board, decode_move, encode_move
from tabia._native.xiangqi_positions import boards_from_fens, expand
from tabia.games.xiangqi_view import VIEW
from tests.games.xiangqi_play import random_game

Row = dict[str, float]
START = Board().fen()
KINDS = "KAEHRCP"


def rows(fen: str, *last: str) -> dict[str, Row]:
    """Features by move; `last` are the opponent's last move and the mover's own."""
    packed = boards_from_fens([fen])
    codes, offsets = VIEW.legal_moves(packed)
    previous = [encode_move(text) if text else -1 for text in (*last, "", "")]
    values = VIEW.features(packed, codes, offsets, np.array([previous[:2]], np.int32))
    return {
        decode_move(code): dict(zip(VIEW.feature_names, row, strict=True))
        for code, row in zip(codes.tolist(), values.tolist(), strict=True)
    }


def test_there_is_a_column_for_every_name() -> None:
    boards = boards_from_fens([START] * 2)
    codes, offsets = VIEW.legal_moves(boards)
    values = VIEW.features(boards, codes, offsets, np.full((2, 2), -1, np.int32))
    assert (values.shape, values.dtype) == ((88, len(VIEW.feature_names)), np.float32)
    assert len(set(VIEW.feature_names)) == len(VIEW.feature_names) == 48


@pytest.mark.parametrize(
    ("fen", "move", "kind", "value", "gain"),
    [
        # a rook takes a pawn that stands free, or is defended by a horse, or one whose leg is held
        ("4k4/9/9/2p6/9/9/2R6/9/9/5K3 w", "c3c6", 7, 1, 1),
        ("4k4/1n7/9/2p6/9/9/2R6/9/9/5K3 w", "c3c6", 7, 1, -8),
        ("4k4/1n7/1a7/2p6/9/9/2R6/9/9/5K3 w", "c3c6", 7, 1, 1),
        # pawns gain value by crossing the river
        ("4k4/9/9/9/9/9/2p6/9/2R6/5K3 w", "c1c3", 7, 2, 2),
        # a cannon takes over a screen, and is taken by a rook that nothing stands before
        ("r3k4/9/9/p8/9/9/C8/9/9/5K3 w", "a3a4", 0, 0, 0),
        ("r3k4/9/9/p8/9/9/C8/9/9/5K3 w", "a3a9", 5, 9, 9),
        ("r1b1k4/9/9/p8/9/9/C8/9/9/5K3 w", "a3a9", 5, 9, 9),
        ("r2rk4/9/9/p8/9/9/C8/9/9/5K3 w", "a3a9", 5, 9, 4.5),
        # a rook takes a pawn; its cannon joins in over one screen, not over none or two
        ("3rk4/9/9/3p5/9/3R5/3P5/9/9/3C1K3 w", "d4d6", 7, 1, 1),
        ("3rk4/9/9/3p5/9/3R5/9/9/9/3C1K3 w", "d4d6", 7, 1, -8),
        ("3rk4/9/9/3p5/9/3R5/3P5/9/3N5/3C1K3 w", "d4d6", 7, 1, -8),
        # a horse between facing kings does not take back
        ("4k4/9/9/2p6/4n4/9/2R6/9/9/4K4 w", "c3c6", 7, 1, 1),
        ("5k3/9/9/2p6/4n4/9/2R6/9/9/4K4 w", "c3c6", 7, 1, -8),
        # a king takes what nothing defends
        ("3k5/R8/9/9/9/9/9/9/9/4K4 w", "a8d8", 0, 0, -9),
        ("3k5/R8/9/2N6/9/9/9/9/9/4K4 w", "a8d8", 0, 0, 0),
    ],
)
def test_captures_and_their_exchange_values(
    fen: str, move: str, kind: int, value: float, gain: float
) -> None:
    row = rows(fen)[move]
    assert (row["captured"], row["captured_value"], row["exchange"]) == (kind, value, gain)


def test_attackers_and_defenders_are_counted() -> None:
    # the horse on c4: a rook on its file and a cannon behind a pawn, a rook and an elephant
    row = rows("2r1k4/9/9/9/9/2N1p3c/9/4B4/9/2R2K3 w")["c4d6"]
    assert (row["attackers_before"], row["defenders_before"]) == (2, 2)
    assert (row["attackers_after"], row["defenders_after"]) == (0, 0)
    # screens and legs of the position after the move count
    row = rows("4k4/9/9/9/9/9/4C4/9/9/R4K3 w")["a0e0"]
    assert (row["attackers_after"], row["defenders_after"]) == (0, 1)
    row = rows("4k4/9/9/9/9/9/9/R8/9/1N3K3 w")["b0c2"]
    assert (row["attackers_before"], row["defenders_before"]) == (0, 0)
    assert (row["attackers_after"], row["defenders_after"]) == (0, 1)


def test_hanging_values_are_what_the_opponent_can_win() -> None:
    found = rows("r3k4/9/9/9/9/9/9/N8/9/R4K3 w")
    assert {row["hanging_before"] for row in found.values()} == {0}
    found = rows("r3k4/9/9/9/9/9/9/N8/R8/1R3K3 w")
    assert {row["hanging_before"] for row in found.values()} == {0}
    assert found["a1b1"]["hanging_after"] == 4
    assert found["a1b1"]["hanging_above_least"] == 4
    assert found["a1b1"]["threatened_change"] == 1
    assert found["a2c3"]["hanging_after"] == 9  # the rook behind it
    found = rows("r3k4/9/9/9/9/9/9/N8/9/1R3K3 w")
    assert {row["hanging_before"] for row in found.values()} == {4}
    assert (found["a2c3"]["hanging_from"], found["a2c3"]["hanging_after"]) == (4, 0)
    assert (found["b0a0"]["hanging_from"], found["b0a0"]["hanging_after"]) == (0, 0)
    assert (found["f0f1"]["hanging_from"], found["f0f1"]["hanging_after"]) == (0, 4)
    assert found["a2c3"]["threatened_change"] == -1


def test_checks_and_mates_are_seen() -> None:
    row = rows("4k4/9/9/9/9/9/9/9/R8/1R3K3 w")["b0b9"]
    assert (row["gives_check"], row["replies"], row["in_check"]) == (1, 1, 0)
    row = rows("4k4/R8/9/9/9/9/9/9/9/1R3K3 w")["b0b9"]
    assert (row["gives_check"], row["replies"]) == (1, 0)
    # a cannon checks over a screen that comes or is there; a horse uncovers a rook
    assert rows("4k4/4a4/9/9/9/9/9/7C1/9/5K3 w")["h2e2"]["gives_check"] == 1
    assert rows("4k4/9/9/9/9/9/9/7C1/9/5K3 w")["h2e2"]["gives_check"] == 0
    assert rows("4k4/9/9/9/9/4N4/9/9/4R4/5K3 w")["e4c5"]["gives_check"] == 1
    found = rows("3k5/9/9/9/9/9/9/5r3/9/5K3 w")
    assert {row["in_check"] for row in found.values()} == {1}
    assert {row["legal_moves"] for row in found.values()} == {len(found)} == {1}


def test_new_attacks_and_threats_are_seen() -> None:
    row = rows("4k4/9/r3c4/9/9/1N7/9/9/9/3K5 w")["b4c6"]
    assert (row["new_attacks"], row["new_threat"], row["follow_up"]) == (2, 9, 9)
    # a defended pawn is attacked, not threatened
    row = rows("4k4/4r4/9/9/4p4/1N7/9/9/9/3K5 w")["b4c6"]
    assert (row["new_attacks"], row["new_threat"], row["follow_up"]) == (1, 0, 0)
    row = rows("4k4/9/9/9/4p4/1N7/9/9/9/3K5 w")["b4c6"]
    assert (row["new_attacks"], row["new_threat"]) == (1, 1)
    # a cannon's screen comes, and what was attacked before is not new
    row = rows("4k4/9/r8/9/9/9/9/C8/9/1R3K3 w")["b0a0"]
    assert (row["new_attacks"], row["new_threat"]) == (0, 0)
    row = rows("4k4/9/r8/9/9/1R7/9/C8/9/5K3 w")["b4a4"]
    assert (row["new_attacks"], row["new_threat"]) == (1, 9)


def test_the_last_moves_matter() -> None:
    fen = "4k4/9/9/9/9/2n6/9/1N7/9/1R3K3 w"
    row = rows(fen, "b6c4", "d1b2")["b2c4"]
    assert (row["takes_last_moved"], row["moves_last_moved"], row["takes_back"]) == (1, 1, 0)
    assert (row["attacked_by_last"], row["last_distance"]) == (1, 0)
    row = rows(fen, "b6c4", "d1b2")["b2d1"]
    assert (row["takes_last_moved"], row["moves_last_moved"], row["takes_back"]) == (0, 1, 1)
    assert (row["attacked_by_last"], row["last_distance"]) == (1, 3)
    assert row["own_last_distance"] == 2
    row = rows(fen, "b6c4")["b0b1"]
    assert (row["takes_last_moved"], row["moves_last_moved"], row["takes_back"]) == (0, 0, 0)
    assert (row["attacked_by_last"], row["last_distance"]) == (0, 3)
    row = rows(fen)["b2c4"]
    assert (row["takes_last_moved"], row["moves_last_moved"], row["takes_back"]) == (0, 0, 0)
    assert (row["attacked_by_last"], row["last_distance"]) == (0, -1)
    assert row["own_last_distance"] == -1


@pytest.mark.parametrize(("fen", "move"), [(START, "h0g2"), (START.replace(" w", " b"), "b9c7")])
def test_geometry_is_the_movers(fen: str, move: str) -> None:
    row = rows(fen)[move]
    expected = {
        "piece": 4,
        "from_row": 0,
        "from_column": 7,
        "to_row": 2,
        "to_column": 6,
        "advance": 2,
        "sideways": 1,
        "centre_distance": 2,
        "centre_gain": 1,
        "king_distance": 7,
        "king_approach": 2,
        "own_king_distance": 2,
        "from_home": 1,
        "legal_moves": 44,
        "replies": 43,  # not h7h0
        "balance": 0,
        "material": 96,
        "mobility_moved": 2 - 2,
        # rook and cannon have h0, the cannons lose c2 to g2 and g2
        "mobility_change": 1 + 1 - 5 - 1,
        "king_zone_change": 0,
        "own_zone_change": 0,
    }
    assert {name: row[name] for name in expected} == expected


def test_pawns_gain_value_across_the_river() -> None:
    found = rows("4k4/9/9/9/2P6/4P4/9/9/9/5K3 w")
    assert {(row["balance"], row["material"]) for row in found.values()} == {(3, 3)}


GAMES = [random_game(random.Random(seed), 150).moves() for seed in range(30, 36)]
EXPANDED = expand(np.concatenate(GAMES), np.cumsum([0, *map(len, GAMES)]))
BOARDS = EXPANDED.board[::4]
TWINS = [Board.from_packed(row.tobytes()) for row in BOARDS]


def turned(board: Board) -> Board:
    """The position turned by half, colours exchanged."""
    return board.mirrored().flipped()


Pieces = dict[int, tuple[bool, str]]  # by square: is Red's, kind
WORTH = {"K": 0, "A": 2, "E": 2, "H": 4, "R": 9, "C": 4.5, "P": 1}
RANK = {"P": 0, "A": 1, "E": 1, "H": 2, "C": 3, "R": 4, "K": 5}


def pieces_of(board: Board) -> Pieces:
    codes = enumerate(board.piece_codes())
    return {square: (code <= 7, KINDS[(code - 1) % 7]) for square, code in codes if code}


def worth(pieces: Pieces, square: int) -> float:
    red, kind = pieces[square]
    return 2 if kind == "P" and (square >= 45) == red else WORTH[kind]


def takes(pieces: Pieces, start: int, end: int) -> bool:
    """Whether the piece on one square takes on another, were an enemy there."""
    red, kind = pieces[start]
    wide, high = end % 9 - start % 9, end // 9 - start // 9
    far = {abs(wide), abs(high)}
    palace = 3 <= end % 9 <= 5 and (end // 9 <= 2 or end // 9 >= 7)
    if kind == "K":
        return palace and far == {0, 1}
    if kind == "A":
        return palace and far == {1}
    if kind == "E":
        return far == {2} and (end < 45) == red and (start + end) // 2 not in pieces
    if kind == "H":
        if far != {1, 2}:
            return False
        leg = start + (wide // abs(wide) if abs(wide) == 2 else 9 * (high // abs(high)))
        return leg not in pieces
    if kind == "P":
        forward = 1 if red else -1
        over = (start >= 45) == red
        return (wide, high) == (0, forward) or (over and high == 0 and abs(wide) == 1)
    if start == end or (wide and high):
        return False
    step = (wide > 0) - (wide < 0) + 9 * ((high > 0) - (high < 0))
    between = sum(square in pieces for square in range(start + step, end, step))
    return between == (kind == "C")


def takers(pieces: Pieces, square: int, red: bool) -> list[int]:
    own = (start for start, (side, _) in pieces.items() if side == red)
    return [start for start in own if start != square and takes(pieces, start, square)]


def gain(board: Board, code: int) -> float:
    """Swap-off with real moves: a side goes on taking only when that wins something."""
    pieces = pieces_of(board)
    end = code % 90
    won = worth(pieces, end) if end in pieces else 0
    after = board.copy()
    after.push(code)
    pieces = pieces_of(after)
    order = "PAEHCRK"
    able = [move for move in after.legal_moves() if move % 90 == end]
    able.sort(key=lambda move: (order.index(pieces[move // 90][1]), move // 90))
    return won - max(0, gain(after, able[0])) if able else won


def best(board: Board) -> float:
    """The best that a capture of the side to move wins."""
    taken = board.piece_codes()
    captures = [move for move in board.legal_moves() if taken[move % 90]]
    return max([0, *(gain(board, move) for move in captures)])


def passed(fen: str) -> Board:
    """The position with the other side to move."""
    return Board(fen.replace(" w ", " b ") if " w " in fen else fen.replace(" b ", " w "))


def threatened(pieces: Pieces, red: bool) -> set[int]:
    """Pieces of a side that are attacked and undefended, or attacked by a lesser kind."""
    found = set()
    for square, (side, kind) in pieces.items():
        if side != red or kind == "K":
            continue
        against = takers(pieces, square, not red)
        lesser = any(RANK[pieces[start][1]] < RANK[kind] for start in against)
        if lesser or (against and not takers(pieces, square, red)):
            found.add(square)
    return found


def attacked(pieces: Pieces) -> set[int]:
    """Black's pieces, its king aside, that Red attacks."""
    black = [s for s, (red, kind) in pieces.items() if not red and kind != "K"]
    return {square for square in black if takers(pieces, square, True)}


def zone(pieces: Pieces, top: int) -> int:
    """Squares of a palace that the other side attacks."""
    squares = (9 * rank + file for rank, file in product(range(top, top + 3), (3, 4, 5)))
    return sum(bool(takers(pieces, square, top == 7)) for square in squares)


@pytest.mark.parametrize("part", range(4))
def test_features_are_those_of_the_slow_twin(part: int) -> None:
    for twin in TWINS[part::8]:
        board = turned(twin) if twin.black_to_move else twin
        before = pieces_of(board)
        for text, row in rows(board.fen()).items():
            code = encode_move(text)
            start, end = divmod(code, 90)
            after = board.copy()
            after.push(code)
            pieces = pieces_of(after)
            new = threatened(pieces, False) - threatened(before, False)
            follow_up = row["follow_up"] if after.is_check else best(passed(after.fen()))
            expected = {
                "piece": KINDS.index(before[start][1]) + 1,
                "captured": KINDS.index(before[end][1]) + 1 if end in before else 0,
                "captured_value": worth(before, end) if end in before else 0,
                "exchange": gain(board, code),
                "attackers_before": len(takers(before, start, False)),
                "defenders_before": len(takers(before, start, True)),
                "attackers_after": len(takers(pieces, end, False)),
                "defenders_after": len(takers(pieces, end, True)),
                "hanging_after": best(after),
                "follow_up": follow_up,
                "threatened_change": len(threatened(pieces, True)) - len(threatened(before, True)),
                "in_check": board.is_check,
                "gives_check": after.is_check,
                "replies": len(after.legal_moves()),
                "new_attacks": len(attacked(pieces) - attacked(before)),
                "new_threat": max([0, *(worth(pieces, square) for square in new)]),
                "king_zone_change": zone(pieces, 7) - zone(before, 7),
                "own_zone_change": zone(pieces, 0) - zone(before, 0),
            }
            assert {name: row[name] for name in expected} == expected, (board.fen(), text)


def test_hanging_before_is_what_the_opponent_wins_if_the_mover_passes() -> None:
    seen = set()
    for twin in TWINS:
        if twin.is_check:
            continue
        fen = twin.fen()
        values = {row["hanging_before"] for row in rows(fen).values()}
        assert values <= {best(passed(fen))}
        seen |= values
    assert {0, 1, 2, 4, 4.5, 9} <= seen


def test_features_do_not_depend_on_colour() -> None:
    others = np.array([np.frombuffer(turned(twin).packed(), np.uint8) for twin in TWINS])
    codes, offsets = VIEW.legal_moves(BOARDS)
    rng = np.random.default_rng(1)
    previous = rng.integers(0, 8100, (len(TWINS), 2)).astype(np.int32)
    previous[rng.random(previous.shape) < 0.2] = -1
    one = VIEW.features(BOARDS, codes, offsets, previous)
    two = VIEW.features(
        others,
        VIEW.legal_moves(others)[0],
        offsets,
        np.where(previous >= 0, 8099 - previous, -1).astype(np.int32),
    )
    backwards = [place for a, b in pairwise(offsets) for place in range(b - 1, a - 1, -1)]
    assert np.array_equal(one, two[backwards])


def test_wrong_arguments_are_errors() -> None:
    boards = boards_from_fens([START] * 2)
    codes, offsets = VIEW.legal_moves(boards)
    none = np.full((2, 2), -1, np.int32)
    for wrong in (encode_move("a0a3"), 0xFFFF):
        bad = codes.copy()
        bad[50] = wrong
        with pytest.raises(ValueError, match=f"row 1: move {wrong} is not legal"):
            VIEW.features(boards, bad, offsets, none)
    for wrong in (-2, 8100):
        with pytest.raises(ValueError, match=f"row 0: previous move {wrong} is neither a code"):
            VIEW.features(boards, codes, offsets, none - none + wrong)
    with pytest.raises(ValueError, match="row 0: the board is no position: Red has 0 kings"):
        VIEW.features(boards * 0, codes, offsets, none)
    with pytest.raises(ValueError, match=r"2 boards, 2 offsets, previous of shape \[2, 2\]"):
        VIEW.features(boards, codes, offsets[:2], none)
    with pytest.raises(ValueError, match="offsets must ascend from 0 to the number of moves, 88"):
        VIEW.features(boards, codes, offsets + 1, none)
    with pytest.raises(ValueError, match=r"shape \[n, 45\]"):
        VIEW.features(boards[:, 1:], codes, offsets, none)
    assert VIEW.features(boards[:0], codes[:0], offsets[:1], none[:0]).shape == (0, 48)
