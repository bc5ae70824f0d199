"""Legal moves against pyffish (Fairy-Stockfish) and OpenSpiel.

`TABIA_XIANGQI_POSITIONS` sets how many positions pyffish sees of random play, and as many of real
games where the machine has some; OpenSpiel sees eight times as many. docs/xiangqi.md tells of a
run with 100,000.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator

import numpy as np
import pytest

from tabia._native.xiangqi_board import Board, decode_move
from tabia._native.xiangqi_positions import expand, fens_from_boards, legal_moves
from tests.games.xiangqi_play import XIANGQI, master_games, random_game

pyffish = pytest.importorskip("pyffish")
pyspiel = pytest.importorskip("pyspiel")

POSITIONS = int(os.environ.get("TABIA_XIANGQI_POSITIONS", "1500"))
OPEN_SPIEL_FACTOR = 8


def random_games() -> Iterator[list[int]]:
    for seed in range(1_000_000):
        yield random_game(random.Random(seed), 200).moves()


def real_games() -> Iterator[list[int]]:
    games = master_games()
    order = np.random.default_rng(1).permutation(len(games))
    yield from (games[i] for i in order)


SOURCES = pytest.mark.parametrize(
    "games",
    [
        pytest.param(random_games, id="random play"),
        pytest.param(
            real_games,
            id="real games",
            marks=[
                pytest.mark.shared,
                pytest.mark.skipif(not XIANGQI.is_dir(), reason=f"no real games in {XIANGQI}"),
            ],
        ),
    ],
)


@SOURCES
def test_legal_moves_equal_pyffish(games) -> None:
    seen = 0
    for game in games():
        rows = expand(game, [0, len(game)])
        codes, offsets = legal_moves(rows.board)
        for i, fen in enumerate(fens_from_boards(rows.board)):
            ours = [decode_move(c, first_rank=1) for c in codes[offsets[i] : offsets[i + 1]]]
            assert sorted(ours) == sorted(pyffish.legal_moves("xiangqi", fen, [])), fen
            is_check = bool(rows.flags[i] & 1)
            if is_check or seen % 8 == 0:  # each call takes a millisecond
                assert is_check == pyffish.gives_check("xiangqi", fen, []), fen
            seen += 1
            if seen == POSITIONS:
                return
    assert seen > 100_000, "every real game was seen"


@SOURCES
def test_fens_after_moves_equal_pyffish(games) -> None:
    for _, game in zip(range(8), games(), strict=False):
        board, texts = Board(), []
        for code in game:
            texts.append(decode_move(code, first_rank=1))
            board.push(code)
        assert board.fen() == pyffish.get_fen("xiangqi", Board().fen(), texts)


def open_spiel_square(square: int) -> int:
    """Square numbers there start at a9 and go down the board."""
    return 9 * (9 - square // 9) + square % 9


@SOURCES
def test_legal_moves_equal_open_spiel(games) -> None:
    xiangqi = pyspiel.load_game("xiangqi")
    squares = np.array([open_spiel_square(square) for square in range(90)])
    seen = 0
    for game in games():
        state = xiangqi.new_initial_state()
        rows = expand(game, [0, len(game)])
        codes, offsets = legal_moves(rows.board)
        actions = 90 * squares[codes // 90] + squares[codes % 90]
        for i, code in enumerate([*game, None]):
            ours = np.sort(actions[offsets[i] : offsets[i + 1]]).tolist()
            if ours or not state.is_terminal():
                assert ours == state.legal_actions(), rows.board[i].tobytes()
            assert state.is_terminal() == (not ours)
            seen += 1
            if code is not None:
                state.apply_action(int(90 * squares[code // 90] + squares[code % 90]))
        if seen >= OPEN_SPIEL_FACTOR * POSITIONS:
            return
    assert seen > 100_000, "every real game was seen"
