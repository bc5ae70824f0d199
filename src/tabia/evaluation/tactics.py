"""Stage evaluation.tactics: static tactical inputs of the sampled positions.

What they are: :mod:`tabia._native.chess_tactics`. No move is searched; static exchange evaluation,
the swap-off list on one square, is among them.
"""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from tabia._native import chess_tactics
from tabia.evaluation.boards import packed
from tabia.tables import parquet
from tabia.tables.spec import Spec

__all__ = ["run"]


def run(spec: Spec, *, sample: Path, tactics: Path) -> None:
    """Write one row a sampled position: ``position_id`` and the inputs, in the sample's order."""
    table = parquet.read(sample, ["position_id", "board"])
    values = chess_tactics.tactics_from_boards(packed(table["board"]))
    columns = {"position_id": table["position_id"].combine_chunks()}
    for number, name in enumerate(chess_tactics.COLUMNS):
        columns[name] = pa.array(values[:, number])
    parquet.write(pa.table(columns), tactics, spec=spec)
