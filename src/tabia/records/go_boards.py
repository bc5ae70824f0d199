"""Go games played out, with the phase of each position."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tabia._native import go_positions
from tabia.records.occurrences import ply_offsets

__all__ = ["expand", "phases"]

_ALL = 128
_POINTS = slice(4, 95)  # of a packed board: two bits a point, 0 where none stands
_STONES = np.array([sum((byte >> at & 3) > 0 for at in (0, 2, 4, 6)) for byte in range(256)], "u1")


@dataclass(frozen=True)
class _Positions:
    """What :class:`tabia.records.occurrences.Played` asks for."""

    board: NDArray[np.uint8]
    key: NDArray[np.uint64]
    phase: NDArray[np.int16]
    flags: NDArray[np.uint8]
    game: NDArray[np.int32]
    ply: NDArray[np.int32]
    move: NDArray[np.uint16]


def phases(boards: NDArray[np.uint8]) -> NDArray[np.int16]:
    """Return the phase of packed boards `[n, 96]`, `[n]`: 0 … 128.

    The share of empty points in 128ths, rounded down: 128 on the empty board, 0 where none is left.
    """
    points = boards[:, 0].astype(np.int64) ** 2
    stones = _STONES[boards[:, _POINTS]].sum(axis=1, dtype=np.int64)
    phase: NDArray[np.int16] = ((points - stones) * _ALL // points).astype(np.int16)
    return phase


def expand(games: pa.RecordBatch) -> _Positions:
    """Play out `games`; see :class:`tabia.records.occurrences.Boards`."""
    moves = games["moves"]
    rows = go_positions.expand(
        moves.flatten().to_numpy(),
        ply_offsets(moves),
        games["start_fen"].to_pylist(),
        ko="simple",
        allows_suicide=True,  # each game's own rules were applied when it was read
    )
    return _Positions(
        board=rows.board,
        key=rows.key,
        phase=phases(rows.board),
        flags=np.zeros(len(rows.key), np.uint8),
        game=rows.game,
        ply=rows.ply,
        move=rows.move,
    )
