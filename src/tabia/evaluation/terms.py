"""Stage ``evaluation.terms``: the 194 evaluation terms of the sampled positions.

The terms and their meaning: :mod:`tabia.games.chess_terms`. They depend on the board and the
castling rights alone; neither the side to move nor the clocks change them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from tabia._native import chess_terms
from tabia._native.chess_terms import COLUMNS, FRACTIONAL
from tabia.evaluation.boards import packed
from tabia.tables import parquet
from tabia.tables.spec import Spec

__all__ = ["TERMS_TABLE", "of_games", "run"]

_ROWS = 128 * 1024  # at a time: 100 MB of terms


def _type(column: str) -> pa.DataType:
    return pa.float32() if column.partition("_")[2] in FRACTIONAL else pa.int32()


TERMS_TABLE = pa.schema(
    [
        pa.field("position_id", pa.binary(16), nullable=False),
        *(pa.field(name, _type(name), nullable=False) for name in COLUMNS),
    ]
)
"""One row a position; ``white_<term>`` 97 times, then ``black_<term>``. Halves are exact."""


def run(spec: Spec, *, sample: Path, terms: Path) -> None:
    """Write the terms of the sampled positions to `terms`, in the sample's order (position_id).

    Parameters
    ----------
    spec
        Nothing of its configuration is read.
    sample
        IN: table under the schema SAMPLE, or any with ``position_id`` and ``board``.
    terms
        OUT: table under the schema :data:`TERMS_TABLE`.
    """
    table = parquet.read(sample, ["position_id", "board"])
    with parquet.writer(TERMS_TABLE, terms, spec=spec) as out:
        for start in range(0, len(table), _ROWS):
            rows = table.slice(start, _ROWS).combine_chunks()
            values = chess_terms.terms_from_boards(packed(rows["board"]))
            columns = [rows["position_id"], *_columns(values)]
            out.write_table(pa.Table.from_arrays(columns, schema=out.schema))


def _columns(values: npt.NDArray[np.float32]) -> Iterator[pa.Array]:
    """Yield the columns of ``[n, 194]`` terms in the types of the table."""
    for number, name in enumerate(COLUMNS):
        # safe: a fraction where the type has none is an error, not cut off
        yield pa.array(np.ascontiguousarray(values[:, number])).cast(_type(name))


def of_games(games: pa.RecordBatch | pa.Table) -> npt.NDArray[np.float32]:
    """Return the terms of every position of games without a detour over FEN.

    Parameters
    ----------
    games
        Rows of the games table, chess only; read are ``moves``, ``start_fen`` and ``variant``.
        A position takes 776 bytes, a game some 60 kB: give a batch at a time.

    Returns
    -------
    ndarray
        ``[N, 194]`` float32 under :data:`COLUMNS`: ``n_plies + 1`` rows a game, before its first
        move to after its last, games in order.

    Raises
    ------
    IllegalMoveError, FenError
        If a game cannot be played out; the text names it.
    """
    if isinstance(games, pa.RecordBatch):
        games = pa.Table.from_batches([games])
    moves = games["moves"].combine_chunks()
    lengths = pc.list_value_length(moves).to_numpy()
    return chess_terms.terms_from_games(
        # A filtered list column may still hold the moves of other games.
        moves.flatten().to_numpy(),
        np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        games["start_fen"].to_pylist(),
        pc.equal(games["variant"].cast(pa.string()), "chess960")
        .combine_chunks()
        .to_numpy(zero_copy_only=False),
    )
