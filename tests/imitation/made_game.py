"""A game made for tests: three by three squares, boards that say which moves are legal.

A packed board is eleven bytes: nine squares as the mover sees them, 1 for the second player to
move, and the number of legal moves k; these are the codes 0 … k-1.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from tabia.games.mover_view import Squares
from tabia.imitation import positions as positions_module
from tabia.imitation.positions import Positions
from tabia.imitation.samples import SAMPLES

CODES = 12


class Plain:
    """Every code is a label of its own."""

    name = "plain"
    labels = tuple(f"m{code}" for code in range(CODES))

    def indices(self, boards, codes):
        return codes.astype(np.int16)


class Shared:
    """Codes 2k and 2k + 1 have one label."""

    name = "shared"
    labels = tuple(f"s{code}" for code in range(CODES // 2))

    def indices(self, boards, codes):
        return (codes // 2).astype(np.int16)


class MadeView:
    name = "made"
    rows = 3
    columns = 3
    n_kinds = 2
    facts_names = ()
    vocabularies = {"plain": Plain(), "shared": Shared()}  # noqa: RUF012
    feature_names = ()

    def black_to_move(self, boards):
        return boards[:, 9] == 1

    def pieces(self, boards):
        return boards[:, :9].copy()

    def facts(self, boards):
        return np.empty((len(boards), 0), np.float32)

    def legal_moves(self, boards):
        count = boards[:, 10].astype(np.int64)
        offsets = np.concatenate([[0], np.cumsum(count)])
        return (np.arange(offsets[-1]) - np.repeat(offsets[:-1], count)).astype(np.uint16), offsets

    def squares(self, codes, black):
        return Squares(codes.astype(np.int16), codes.astype(np.int16))

    def features(self, boards, codes, offsets, previous):
        return np.empty((len(codes), 0), np.float32)


VIEW = MadeView()


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the game known."""
    monkeypatch.setattr(positions_module, "VIEWS", {"made": __name__})


def made_table(lengths: list[int], seed: int = 0, *, elo: int = 1250, legal: int = 0) -> pa.Table:
    """Samples of games of these lengths; moves, boards and numbers of legal moves are drawn.

    `legal` fixes how many moves are legal everywhere.
    """
    rng = np.random.default_rng(seed)
    count = sum(lengths)
    ply = np.concatenate([np.arange(length) for length in lengths])
    board = np.zeros((count, 11), np.uint8)
    board[:, :9] = rng.integers(0, 5, (count, 9))
    board[:, 9] = ply % 2
    board[:, 10] = legal or rng.integers(3, CODES + 1, count)
    move = (rng.random(count) * board[:, 10]).astype(np.uint16)
    game = np.repeat(rng.integers(0, 2**63, len(lengths), dtype=np.uint64), lengths)
    columns = {
        "game": pa.repeat(pa.scalar("made"), count),
        "game_id": game,
        "split_hash": game,
        "ply": ply.astype(np.int32),
        "board": pa.FixedSizeBinaryArray.from_buffers(
            pa.binary(11), count, [None, pa.py_buffer(board)]
        ),
        "position_key": rng.integers(0, 2**63, count, dtype=np.uint64),
        "phase": np.zeros(count, np.int16),
        "in_check": np.zeros(count, np.bool_),
        "move": move,
        "mover_elo": np.full(count, elo, np.int32),
        "other_elo": np.full(count, elo, np.int32),
        "result": np.zeros(count, np.int8),
        "played_by": pa.repeat(pa.scalar("engines"), count),
    }
    return pa.table({name: columns[name] for name in SAMPLES.names})


def made_positions(lengths: list[int], seed: int = 0, **more: int) -> Positions:
    return Positions.of(made_table(lengths, seed, **more), "made")
