"""Chess games played out."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from tabia._native import chess_positions
from tabia.records.occurrences import ply_offsets

__all__ = ["expand"]


def expand(games: pa.RecordBatch) -> chess_positions.Expanded:
    """Play out `games`; see :class:`tabia.records.occurrences.Boards`."""
    moves = games["moves"]
    return chess_positions.expand(
        moves.flatten().to_numpy(),
        ply_offsets(moves),
        games["start_fen"].to_pylist(),
        pc.equal(games["variant"].cast(pa.string()), "chess960").to_numpy(zero_copy_only=False),
    )
