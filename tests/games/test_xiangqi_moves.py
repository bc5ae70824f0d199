"""The two vocabularies of moves, their counts derived anew from the pieces' geometry."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

from tabia._native.xiangqi_board import Board, encode_move
from tabia._native.xiangqi_positions import expand, legal_moves
from tabia.games.xiangqi_moves import (
    FROM_TO,
    RELATIVE,
    from_to_codes,
    from_to_indices,
    moves_of_label,
    relative_indices,
    relative_label,
)
from tests.games.xiangqi_play import random_game

Square = tuple[int, int]  # file and rank, both from 0, from the mover's right and home


def stands(piece: str) -> list[Square]:
    """Squares on which a piece can stand."""
    board = [(file, rank) for file in range(9) for rank in range(10)]
    match piece:
        case "K":
            return [(f, r) for f, r in board if 3 <= f <= 5 and r <= 2]
        case "A":
            return [(3, 0), (5, 0), (4, 1), (3, 2), (5, 2)]
        case "E":
            return [(2, 0), (6, 0), (0, 2), (4, 2), (8, 2), (2, 4), (6, 4)]
        case "P":
            return [(f, r) for f, r in board if r >= 5 or (r >= 3 and f % 2 == 0)]
    return board


def steps(piece: str, square: Square) -> Iterator[Square]:
    """Where a piece gets to in one move on an empty board."""
    f, r = square
    for file, rank in stands(piece):
        wide, high = abs(file - f), abs(rank - r)
        match piece:
            case "K":
                good = wide + high == 1
            case "A":
                good = wide == high == 1
            case "E":
                good = wide == high == 2
            case "H":
                good = {wide, high} == {1, 2}
            case "P":
                good = (wide, rank - r) == (0, 1) or (high == 0 and wide == 1 and r >= 5)
            case _:
                good = (wide == 0) != (high == 0)
        if good:
            yield file, rank


def label(piece: str, origin: str, start: Square, end: Square) -> str:
    advance = end[1] - start[1]
    sign = "=" if advance == 0 else "+" if advance > 0 else "-"
    number = abs(advance) if start[0] == end[0] else end[0] + 1
    return f"{piece}{origin}{sign}{number}"


def labels(piece: str) -> tuple[set[str], set[str]]:
    """Labels with a file, and labels of a piece in front of or behind another on its file."""
    alone, tandem = set(), set()
    for start in stands(piece):
        fellows = [square for square in stands(piece) if square[0] == start[0]]
        for end in steps(piece, start):
            alone.add(label(piece, str(start[0] + 1), start, end))
            if piece != "K" and any(rank < start[1] for _, rank in fellows):
                tandem.add(label(piece, "+", start, end))
            if piece != "K" and any(rank > start[1] for _, rank in fellows):
                tandem.add(label(piece, "-", start, end))
    return alone, tandem


@pytest.mark.parametrize(
    ("piece", "alone", "tandem"),
    [
        ("R", 234, 52),
        ("C", 234, 52),
        ("H", 60, 36),
        ("P", 25, 20),
        ("E", 16, 6),
        ("K", 10, 0),
        ("A", 8, 2),
    ],
)
def test_the_relative_vocabulary_is_what_geometry_gives(
    piece: str, alone: int, tandem: int
) -> None:
    expected = labels(piece)
    assert tuple(map(len, expected)) == (alone, tandem)
    mine = [name for name in RELATIVE if name[0] == piece]
    assert len(mine) == len(set(mine))
    assert {name for name in mine if name[1].isdigit()} == expected[0]
    assert {name for name in mine if not name[1].isdigit()} == expected[1]


def test_there_are_755_relative_labels_587_with_a_file() -> None:
    assert len(RELATIVE) == len(set(RELATIVE)) == 755
    assert sum(name[1].isdigit() for name in RELATIVE) == 587


def test_the_from_to_vocabulary_is_what_geometry_gives() -> None:
    expected = set()
    for piece in "KAEHRCP":
        for start in stands(piece):
            for end in steps(piece, start):
                for red in (True, False):
                    a, b = ((8 - f) + 9 * r if red else f + 9 * (9 - r) for f, r in (start, end))
                    expected.add(90 * a + b)
    assert sorted(expected) == list(FROM_TO)
    assert len(FROM_TO) == 2086


def test_from_to_indices_and_codes_are_each_others_inverse() -> None:
    indices = np.arange(2086).reshape(2, -1)
    assert np.array_equal(from_to_indices(from_to_codes(indices)), indices)
    assert from_to_codes(0) == FROM_TO[0]
    for code in (0, encode_move("a0b3"), encode_move("a0b1"), 8100, 0xFFFF, -1):
        with pytest.raises(ValueError, match="code of no piece's move"):
            from_to_indices([FROM_TO[5], code])
    for index in (-1, 2086):
        with pytest.raises(IndexError, match="0 to 2085"):
            from_to_codes(index)


def slow_label(board: Board, code: int) -> str:
    """Name a move by hand, from the FEN."""
    grid: dict[Square, str] = {}
    for row, text in enumerate(board.fen().split()[0].split("/")):
        column = 0
        for letter in text:
            if letter.isdigit():
                column += int(letter)
                continue
            grid[column, 9 - row] = letter
            column += 1

    def view(square: int) -> Square:
        column, row = square % 9, square // 9
        return (column, 9 - row) if board.black_to_move else (8 - column, row)

    start, end = view(code // 90), view(code % 90)
    letter = grid[code // 90 % 9, code // 90 // 9]
    fellows = [view(9 * r + c) for (c, r), other in grid.items() if other == letter]
    ranks = sorted(r for f, r in fellows if f == start[0])
    origin = str(start[0] + 1)
    if len(ranks) > 1 and start[1] == ranks[-1]:
        origin = "+"
    elif len(ranks) > 1 and start[1] == ranks[0]:
        origin = "-"
    piece = {"B": "E", "N": "H"}.get(letter.upper(), letter.upper())
    return label(piece, origin, start, end)


@pytest.mark.parametrize("seed", range(8))
def test_labels_of_random_play_are_those_of_the_slow_twin(seed: int) -> None:
    game = random_game(random.Random(seed), 300).moves()
    rows = expand(game, [0, len(game)])
    codes, offsets = legal_moves(rows.board)
    owner = np.repeat(np.arange(len(rows.board)), np.diff(offsets))
    names = [RELATIVE[i] for i in relative_indices(rows.board[owner], codes)]
    board = Board()
    for i in range(len(rows.board)):
        here = slice(offsets[i], offsets[i + 1])
        assert names[here] == [slow_label(board, code) for code in codes[here].tolist()]
        if i < len(game):
            board.push(game[i])


def test_labels_are_the_same_for_both_sides() -> None:
    board = random_game(random.Random(4), 40)
    flipped = board.mirrored().flipped()  # turned by half a circle
    turned = [
        relative_label(flipped, 90 * (89 - code // 90) + (89 - code % 90))
        for code in board.legal_moves()
    ]
    assert turned == [relative_label(board, code) for code in board.legal_moves()]


@pytest.mark.parametrize(
    ("fen", "text", "name"),
    [
        (None, "h2e2", "C2=5"),
        (None, "b0c2", "H8+7"),
        ("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b", "h9g7", "H8+7"),
        ("4k4/9/9/R8/9/R8/9/9/9/3K5 w", "a6b6", "R+=8"),
        ("4k4/9/9/R8/9/R8/9/9/9/3K5 w", "a4a2", "R--2"),
        ("3k5/9/9/9/4r4/9/4r4/9/9/5K3 b", "e3e2", "R++1"),
        ("4k4/9/9/9/9/9/9/5A3/9/3K1A3 w", "f2e1", "A+-5"),
        ("4k4/9/9/9/9/9/9/5A3/9/3K1A3 w", "f0e1", "A-+5"),
        # three pawns on a file: the middle one keeps the file's number
        ("3k5/9/4P4/4P4/4P4/9/9/9/9/4K4 w", "e6d6", "P5=6"),
        ("3k5/9/4P4/4P4/4P4/9/9/9/9/4K4 w", "e5d5", "P-=6"),
    ],
)
def test_moves_have_their_wxf_names(fen: str | None, text: str, name: str) -> None:
    board = Board(fen)
    assert relative_label(board, encode_move(text)) == name
    assert moves_of_label(board, name) == [encode_move(text)]


def test_every_legal_move_is_found_by_its_label() -> None:
    board = random_game(random.Random(2), 60)
    names = {code: relative_label(board, code) for code in board.legal_moves()}
    assert len(set(names.values())) == len(names)
    assert {code: moves_of_label(board, name) for code, name in names.items()} == {
        code: [code] for code in names
    }


def test_two_files_of_pawns_can_share_a_label() -> None:
    board = Board("4k4/9/9/2P1P4/2P1P4/9/9/9/9/3K5 w")
    shared = Counter(relative_label(board, code) for code in board.legal_moves())
    assert shared["P+=6"] == 2
    assert moves_of_label(board, "P+=6") == [encode_move("c6d6"), encode_move("e6d6")]


def test_what_cannot_be_named_is_an_error() -> None:
    board = Board()
    packed = np.frombuffer(board.packed(), dtype=np.uint8)[None]
    assert moves_of_label(board, "R1+9") == []
    for name in ("R+9", "C2.5", "K5+2", "r1+1", "R++9", ""):
        with pytest.raises(ValueError, match="none of the 755 labels"):
            moves_of_label(board, name)
    for text in ("a1a2", "b0b3", "c0c1"):
        with pytest.raises(ValueError, match=r"row 1: move \d+ is no move of the piece"):
            relative_indices(packed.repeat(2, axis=0), [encode_move("a0a1"), encode_move(text)])
    with pytest.raises(ValueError, match="row 0: move 0 "):
        relative_indices(packed, [0])
    with pytest.raises(ValueError, match="within 0 to 8099"):
        relative_indices(packed, [0xFFFF])
    with pytest.raises(ValueError, match="1 boards, moves of shape"):
        relative_indices(packed, [1, 2])
