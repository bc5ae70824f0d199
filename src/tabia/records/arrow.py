"""Rows of the games and rejects tables: what all games' readers share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tabia.records.block import Fault
from tabia.records.hashing import text_hash
from tabia.tables.schemas import GAMES, REJECTS

__all__ = ["Origin", "elo", "fault_row", "hash_headers", "joined", "same", "table"]

_HIGHEST_ELO = 4000
_HEADER = (
    "game",
    "variant",
    "start_fen",
    "event",
    "site",
    "round",
    "date",
    "first_name",
    "second_name",
)


@dataclass(frozen=True)
class Origin:
    """Where games come from: the columns that all games of a file share.

    Attributes
    ----------
    source, file
        Names in the tables.
    game
        ``chess`` or ``xiangqi``.
    played_by
        ``people`` or ``engines``.
    """

    source: str
    file: str
    game: str
    played_by: str


def table(columns: Mapping[str, pa.Array], n: int) -> pa.Table:
    """Return `columns` as a table of `n` rows under the schema GAMES; what is missing is null."""
    return pa.Table.from_arrays(
        [
            columns[field.name] if field.name in columns else pa.nulls(n, field.type)
            for field in GAMES
        ],
        schema=GAMES,
    )


def hash_headers(games: pa.Table) -> pa.Table:
    """Give each game without moves a hash of its header.

    By start and moves all such games would be one, and fall into one split. By header, the same
    game recorded in two files still falls into one.
    """
    bare = np.flatnonzero(games["n_plies"].to_numpy() == 0)
    if not len(bare):
        return games
    hashes = games["split_hash"].to_numpy().copy()
    rows = games.select(_HEADER).take(pa.array(bare)).to_pylist()
    hashes[bare] = [text_hash(*row.values()) for row in rows]
    place = games.schema.get_field_index("split_hash")
    return games.set_column(place, games.schema.field(place), pa.array(hashes))


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


def same(value: str, n: int) -> pa.DictionaryArray:
    """Return `value` `n` times."""
    return pa.DictionaryArray.from_arrays(pa.array(np.zeros(n, dtype=np.int32)), [value])


def elo(values: NDArray[np.int32]) -> pa.Array:
    """Return ratings, null where they are not from 1 to 4000: anything else is no rating."""
    return pa.array(values, mask=(values <= 0) | (values > _HIGHEST_ELO))
