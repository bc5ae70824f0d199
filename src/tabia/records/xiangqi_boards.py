"""Xiangqi games played out, with the phase of each position."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tabia._native import xiangqi_positions
from tabia.records.occurrences import ply_offsets

__all__ = ["expand", "phases"]

_ROOK, _OTHER = 16, 8


def _weights() -> NDArray[np.uint8]:
    """Return what the two pieces in a byte of a packed board add to the phase, `[256]`."""
    nibble = np.zeros(16, np.uint8)
    for first in (0, 7):  # red KABNRCP are 1 to 7, black ones 8 to 14
        nibble[first + 4] = nibble[first + 6] = _OTHER
        nibble[first + 5] = _ROOK
    byte = np.arange(256)
    return np.asarray(nibble[byte & 15] + nibble[byte >> 4])


_WEIGHTS = _weights()


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
    """Return the phase of packed boards `[n, 45]`, `[n]`: 0 … 128.

    Each rook counts 16, each horse and cannon 8, of both sides together: 128 at the start, 0 where
    nothing is left that can attack from afar. Literature has no phase of xiangqi to follow.
    """
    return np.asarray(_WEIGHTS[boards].sum(axis=1, dtype=np.int16))


def expand(games: pa.RecordBatch) -> _Positions:
    """Play out `games`; see :class:`tabia.records.occurrences.Boards`."""
    moves = games["moves"]
    rows = xiangqi_positions.expand(
        moves.flatten().to_numpy(), ply_offsets(moves), games["start_fen"].to_pylist()
    )
    return _Positions(
        board=rows.board,
        key=rows.key,
        phase=phases(rows.board),
        flags=rows.flags,
        game=rows.game,
        ply=rows.ply,
        move=rows.move,
    )
