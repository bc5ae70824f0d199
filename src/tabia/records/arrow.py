"""Parsed blocks as rows of the games and rejects tables, column by column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tabia._native.chess_pgn import REJECT_REASONS, ParsedPgn, Text
from tabia.records.cutting import Fault
from tabia.records.dates import iso_column
from tabia.records.hashing import game_ids
from tabia.tables.schemas import GAMES, REJECTS

__all__ = ["Origin", "fault_row", "games_table", "joined", "rejects_table"]

_HIGHEST_ELO = 4000
_NO_RESULT = -128


@dataclass(frozen=True)
class Origin:
    """Where games come from: the columns that all games of a file share.

    Attributes
    ----------
    source, file
        Names in the tables.
    game
        ``chess``.
    played_by
        ``people`` or ``engines``.
    """

    source: str
    file: str
    game: str
    played_by: str


def games_table(parsed: ParsedPgn, origin: Origin) -> pa.Table:
    """Return the accepted games of a block under the schema GAMES."""
    n = len(parsed.ordinal)
    date, utc_date = iso_column(_text(parsed.date)), iso_column(_text(parsed.utc_date))
    if date.null_count:
        date = pc.coalesce(date, utc_date)
    offsets = parsed.ply_offsets
    columns = {
        "game_id": pa.array(game_ids(origin.source, origin.file, parsed.ordinal)),
        "game": _same(origin.game, n),
        "source": _same(origin.source, n),
        "file": _same(origin.file, n),
        "ordinal": pa.array(parsed.ordinal),
        "byte_offset": pa.array(parsed.byte_offset),
        "played_by": _same(origin.played_by, n),
        "event": _text(parsed.event),
        "site": _text(parsed.site),
        "round": _text(parsed.round),
        "date": date,
        "first_name": _text(parsed.white),
        "second_name": _text(parsed.black),
        "first_elo": _elo(parsed.white_elo),
        "second_elo": _elo(parsed.black_elo),
        "result": pa.array(parsed.result, mask=parsed.result == _NO_RESULT),
        "result_conflict": pa.array(parsed.result_conflict.astype(np.bool_)),
        "termination": _text(parsed.termination),
        "time_control": _text(parsed.time_control),
        "opening_code": _text(parsed.eco),
        "variant": _text(parsed.variant).dictionary_encode(),
        "start_fen": _text(parsed.start_fen),
        "has_evals": pa.array(parsed.has_evals.astype(np.bool_)),
        "has_clocks": pa.array(parsed.has_clocks.astype(np.bool_)),
        "n_plies": pa.array(np.diff(offsets).astype(np.int32)),
        "moves": pa.ListArray.from_arrays(
            pa.array(offsets.astype(np.int32)), pa.array(parsed.moves)
        ),
        "split_hash": pa.array(parsed.split_hash),
    }
    return pa.Table.from_arrays(
        [
            columns[field.name] if field.name in columns else pa.nulls(n, field.type)
            for field in GAMES
        ],
        schema=GAMES,
    )


def rejects_table(parsed: ParsedPgn, origin: Origin) -> pa.Table:
    """Return the rejected games of a block under the schema REJECTS."""
    rejects = parsed.rejects
    n = len(rejects.ordinal)
    reasons = pa.DictionaryArray.from_arrays(pa.array(rejects.reason), list(REJECT_REASONS))
    return pa.Table.from_arrays(
        [
            _same(origin.source, n),
            _same(origin.file, n),
            pa.array(rejects.ordinal),
            pa.array(rejects.byte_offset),
            pa.array(rejects.line),
            reasons.dictionary_decode(),
            _text(rejects.detail),
            pa.array(rejects.legal_plies),
        ],
        schema=REJECTS,
    )


def fault_row(fault: Fault, ordinal: int, origin: Origin) -> pa.Table:
    """Return the one row of REJECTS that stands for what could not be read."""
    row = {
        "source": origin.source,
        "file": origin.file,
        "ordinal": ordinal,
        "byte_offset": fault.byte_offset,
        "line": fault.line,
        "reason": fault.reason,
        "detail": fault.detail,
        "legal_plies": 0,
    }
    return pa.Table.from_pylist([row], schema=REJECTS)


def joined(tables: Sequence[pa.Table], schema: pa.Schema) -> pa.Table:
    """Return one table in one piece, whose bytes in Parquet do not depend on the pieces."""
    if not tables:
        return schema.empty_table()
    return pa.concat_tables(tables).unify_dictionaries().combine_chunks()


def _same(value: str, n: int) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.array(np.zeros(n, dtype=np.int32)), [value])


def _text(text: Text) -> pa.Array:
    n = len(text.validity)
    valid = None
    if not text.validity.all():
        valid = pa.py_buffer(np.packbits(text.validity, bitorder="little"))
    return pa.StringArray.from_buffers(
        n, pa.py_buffer(text.offsets), pa.py_buffer(text.data), valid
    )


def _elo(elo: NDArray[np.int32]) -> pa.Array:
    """Elo 1 to 4000; anything else is no rating."""
    return pa.array(elo, mask=(elo <= 0) | (elo > _HIGHEST_ELO))
