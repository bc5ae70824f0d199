"""The evaluation terms against the guide's own values, and what must hold of them anywhere."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import chess
import numpy as np
import numpy.typing as npt
import pytest

from tabia._native.chess_board import FenError, IllegalMoveError
from tabia._native.chess_positions import boards_from_fens, expand, fens_from_boards
from tabia._native.chess_terms import (
    COLUMNS,
    TERMS,
    terms_from_boards,
    terms_from_fens,
    terms_from_games,
)
from tabia.games.chess_terms import FRACTIONAL, by_group
from tests.games.play import code_of, random_game

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests" / "golden"
Values = npt.NDArray[np.float32]

# What a mirror of the files changes: the pawns' square values, the names of diagonals, rooks on
# the king's own file; and what is a sum of these.
NOT_MIRRORED = {
    "psqt_bonus",
    "psqt_mg",
    "psqt_eg",
    "pinned_direction",
    "trapped_rook",
    "pieces_mg",
    "pieces_eg",
    "scale_factor",
}


def golden(name: str) -> tuple[list[str], npt.NDArray[np.float64]]:
    found = json.loads((GOLDEN / name).read_text())
    assert found["terms"] == list(TERMS)
    rows = [position["white"] + position["black"] for position in found["positions"]]
    return [position["fen"] for position in found["positions"]], np.array(rows)


def scattered(rng: random.Random) -> chess.Board:
    """A board of up to 32 pieces anywhere, promoted ones too, nobody in check out of turn."""
    while True:
        board = chess.Board(None)
        squares = rng.sample(chess.SQUARES, rng.randrange(2, 33))
        for i, square in enumerate(squares):
            kind = chess.KING if i < 2 else rng.randrange(chess.PAWN, chess.KING)
            if kind == chess.PAWN and chess.square_rank(square) in (0, 7):
                kind = chess.QUEEN
            board.set_piece_at(square, chess.Piece(kind, i % 2 == 0))
        board.turn = rng.random() < 0.5
        pawns = [len(board.pieces(chess.PAWN, colour)) for colour in chess.COLORS]
        if max(pawns) <= 8 and not board.was_into_check():
            return board


def boards(seed: int) -> Iterator[chess.Board]:
    rng = random.Random(seed)
    for _ in range(120):
        yield random_game(rng, rng.randrange(160), chess960=rng.random() < 0.2)
        yield scattered(rng)


def terms(positions: list[chess.Board]) -> Values:
    return terms_from_fens([board.fen(en_passant="legal") for board in positions])


@pytest.mark.parametrize(("name", "n"), [("chess_terms.json", 420), ("chess_terms_rare.json", 119)])
def test_all_194_values_are_those_of_the_guide(name: str, n: int) -> None:
    fens, expected = golden(name)
    assert len(fens) == n
    values = terms_from_fens(fens)
    wrong = {(fens[row], COLUMNS[column]) for row, column in np.argwhere(values != expected)}
    assert not wrong
    assert np.array_equal(terms_from_boards(boards_from_fens(fens)), expected)


def test_names_and_layout_of_the_values() -> None:
    assert len(TERMS) == len(set(TERMS)) == 97
    assert COLUMNS[:97] == tuple(f"white_{term}" for term in TERMS)
    assert COLUMNS[97:] == tuple(f"black_{term}" for term in TERMS)
    values = terms_from_fens([chess.STARTING_FEN])
    assert values.dtype == np.float32
    assert values.shape == (1, 194)
    assert values.flags.c_contiguous
    assert terms_from_fens([]).shape == terms_from_boards(np.empty((0, 32))).shape == (0, 194)


def test_a_colour_flip_swaps_the_sides() -> None:
    positions = list(boards(1))
    values = terms(positions)
    flipped = terms([board.mirror() for board in positions])
    assert np.array_equal(values[:, :97], flipped[:, 97:])
    assert np.array_equal(values[:, 97:], flipped[:, :97])


def test_a_file_mirror_keeps_all_but_a_few_terms() -> None:
    positions = [board.copy(stack=False) for board in boards(2)]
    for board in positions:
        board.set_castling_fen("-")
    values = terms(positions)
    mirrored = terms([board.transform(chess.flip_horizontal) for board in positions])
    changed = (values != mirrored).any(axis=0)
    names = {COLUMNS[i].partition("_")[2] for i in np.flatnonzero(changed)}
    # Only a position balanced to a hair has another scale factor.
    assert names | {"scale_factor"} == NOT_MIRRORED


def test_neither_the_side_to_move_nor_clocks_nor_en_passant_matter() -> None:
    positions = [board for board in boards(3) if not board.is_check()]
    values = terms(positions)
    for board in positions:
        board.ep_square = None
        board.turn = not board.turn
        board.halfmove_clock = 33
    assert np.array_equal(values, terms(positions))


def test_only_outpost_total_counts_halves() -> None:
    fractional = (terms(list(boards(4))) % 1 != 0).any(axis=0)
    assert {COLUMNS[i].partition("_")[2] for i in np.flatnonzero(fractional)} == FRACTIONAL


def test_castling_rights_count_by_the_side_of_the_king() -> None:
    # The black king behind its pawns on e8 is judged where it may castle to.
    values = terms_from_fens(
        [f"r3k2r/5ppp/8/8/8/8/8/4K3 w {rights} - 0 1" for rights in ("-", "k", "q", "kq", "h")]
    )
    shelter = values[:, COLUMNS.index("white_shelter_strength")].tolist()
    assert shelter[0] == shelter[2] < shelter[1] == shelter[3] == shelter[4]


def games(seed: int) -> list[chess.Board]:
    rng = random.Random(seed)
    return [random_game(rng, rng.randrange(80), chess960=i % 3 == 0) for i in range(12)]


def test_games_give_the_terms_of_all_their_positions() -> None:
    played = games(5)
    codes = [[code_of(move) for move in game.move_stack] for game in played]
    offsets = np.cumsum([0, *map(len, codes)])
    starts = [game.root().fen() if game.chess960 else None for game in played]
    arguments = (np.concatenate(codes), offsets, starts, [game.chess960 for game in played])
    rows = expand(*arguments)
    values = terms_from_games(*arguments)
    assert np.array_equal(values, terms_from_fens(fens_from_boards(rows.board)))
    part = terms_from_games(arguments[0], offsets[3:6], starts[3:5], [True, False])
    first = offsets[3] + 3
    assert np.array_equal(part, values[first : first + len(part)])


def test_games_without_moves_have_the_terms_of_their_start() -> None:
    assert np.array_equal(
        terms_from_games([], [0, 0], [None], [0]), terms_from_fens([chess.STARTING_FEN])
    )
    assert terms_from_games([], [0], [], []).shape == (0, 194)


def test_what_is_no_position_is_named() -> None:
    good = chess.STARTING_FEN
    with pytest.raises(FenError, match=r"FEN 1: 'z w - -'.*unknown piece 'z'"):
        terms_from_fens([good, "z w - -"])
    with pytest.raises(FenError, match=r"FEN 0: .*surrogates not allowed"):
        terms_from_fens(["\udc80"])
    with pytest.raises(ValueError, match="board 1 is no position: White has 0 kings"):
        terms_from_boards(np.vstack([boards_from_fens([good]), np.zeros((1, 32))]))
    with pytest.raises(ValueError, match=r"shape \[n, 32\]"):
        terms_from_boards(np.zeros((2, 31)))
    with pytest.raises(IllegalMoveError, match="game 1, ply 1: move e2e4"):
        terms_from_games([1804, 1804, 1804], [0, 1, 3], [None, None], [0, 0])
    with pytest.raises(FenError, match=r"game 0: FEN 'z'"):
        terms_from_games([], [0, 0], ["z"], [0])
    with pytest.raises(ValueError, match="ply_offsets must ascend"):
        terms_from_games([1804], [0, 2], [None], [0])
    with pytest.raises(ValueError, match="0 start_fens"):
        terms_from_games([1804], [0, 1], [], [0])


def test_every_term_is_explained_under_its_group_and_on_its_page() -> None:
    groups = by_group()
    page = (ROOT / "docs" / "terms.md").read_text(encoding="utf-8")
    assert sorted(term.name for members in groups.values() for term in members) == sorted(TERMS)
    group_of = json.loads((GOLDEN / "chess_terms.json").read_text())["groups"]
    for group, members in groups.items():
        for term in members:
            assert (group_of[term.name] or "Scale") == group
            assert f"| `{term.name}` | {term.text} |\n" in page
