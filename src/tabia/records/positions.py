"""Stage ``records.positions``: the distinct positions of one bucket, over all sources of a game.

Two occurrences are the same position if their boards are equal, byte by byte: the 64-bit key
only brings candidates together. A position belongs to its first game, by split hash and then by
id, and through it to a split; other games that contain it may be in other splits. How often they
are is counted for the leakage audit, together with (position, move) pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from tabia.records.hashing import split_of
from tabia.tables import parquet
from tabia.tables.schemas import LEAKS, OCCURRENCES, POSITIONS, of_game
from tabia.tables.spec import Spec
from tabia.tables.splits import SPLITS

__all__ = ["run"]

Ints = NDArray[np.int64]

_PLAYED_BY = ("people", "engines")
_MERGED = ("", "people", "engines", "engines and people")  # by bits: 1 people, 2 engines


def run(spec: Spec, *, occurrences: Sequence[Path], positions: Path, leaks: Path) -> None:
    """De-duplicate one bucket.

    Parameters
    ----------
    spec
        ``spec.config["splits"]`` has the shares; the wildcard ``bucket`` is the row group read,
        ``game`` says whose boards they are.
    occurrences
        IN: tables of every shard of the game, under its schema OCCURRENCES.
    positions
        OUT: table under the game's schema POSITIONS, ordered by key and board.
    leaks
        OUT: table under the schema LEAKS; the buckets' rows add up.
    """
    game, bucket = spec.wildcards["game"], int(spec.wildcards["bucket"])
    table = _sorted(_read(occurrences, of_game(OCCURRENCES, game), bucket))
    starts = _group_starts(table)
    splits = split_of(table["split_hash"].to_numpy(), spec.config["splits"])
    schema = of_game(POSITIONS, game)
    parquet.write(_distinct(table, starts, splits, schema), positions, spec=spec)
    parquet.write(_leaks(table, starts, splits, game), leaks, spec=spec)


def _read(occurrences: Sequence[Path], schema: pa.Schema, bucket: int) -> pa.Table:
    tables = [schema.empty_table()]
    for path in occurrences:
        with pq.ParquetFile(path) as file:
            tables.append(file.read_row_group(bucket).cast(schema))
    return pa.concat_tables(tables).unify_dictionaries().combine_chunks()


def _words(table: pa.Table) -> NDArray[np.uint64]:
    """Return the boards as 64-bit words, uint64 [n, words a board], that sort like the bytes."""
    n, width = table.num_rows, table.schema.field("board").type.byte_width
    words = -(-width // 8)
    if not n:
        return np.empty((0, words), np.uint64)
    column = table["board"].combine_chunks()
    chunk = column.chunk(0) if isinstance(column, pa.ChunkedArray) else column
    raw = np.frombuffer(chunk.buffers()[1], np.uint8, width * n, width * chunk.offset)
    if width % 8:
        padded = np.zeros((n, 8 * words), np.uint8)
        padded[:, :width] = raw.reshape(n, width)
        raw = padded.reshape(-1)
    return raw.view(">u8").reshape(n, words).astype(np.uint64)


def _sorted(table: pa.Table) -> pa.Table:
    """Order by key, board, split hash, game and ply."""
    keys = [table[name].to_numpy() for name in ("ply", "game_id", "split_hash")]
    key = table["position_key"].to_numpy()
    order = np.lexsort([*keys, key])
    boards = _words(table)[order]
    ordered = key[order]
    same_key = ordered[1:] == ordered[:-1]
    if (same_key & (boards[1:] != boards[:-1]).any(axis=1)).any():
        # Different boards under one key: rare enough to sort all again.
        order = np.lexsort([*keys, *_words(table).T[::-1], key])
    return table.take(pa.array(order)).combine_chunks()


def _group_starts(table: pa.Table) -> Ints:
    """Return the first row of each distinct board, int64."""
    boards = _words(table)
    new = np.ones(len(boards), np.bool_)
    new[1:] = (boards[1:] != boards[:-1]).any(axis=1)
    return np.flatnonzero(new)


def _distinct(
    table: pa.Table, starts: Ints, splits: NDArray[np.uint8], schema: pa.Schema
) -> pa.Table:
    n = table.num_rows
    owners = table.take(pa.array(starts))
    game = table["game_id"].to_numpy()
    new_game = np.ones(n, np.int64)
    new_game[1:] = game[1:] != game[:-1]
    new_game[starts] = 1
    player = table["played_by"].combine_chunks().dictionary_encode()
    player = player.chunk(0) if isinstance(player, pa.ChunkedArray) else player
    bits = np.array([1 << _PLAYED_BY.index(name) for name in player.dictionary.to_pylist()], "u1")
    columns = {
        "split": _named(splits[starts], SPLITS),
        "n_games": _sums(new_game, starts),
        "n_occurrences": np.diff(starts, append=n),
        "played_by": _named(_bits_in_groups(bits[player.indices.to_numpy()], starts), _MERGED),
    }
    return pa.Table.from_arrays(
        [
            pa.array(columns[field.name], field.type)
            if field.name in columns
            else owners[field.name].cast(field.type)
            for field in schema
        ],
        schema=schema,
    )


def _leaks(table: pa.Table, starts: Ints, splits: NDArray[np.uint8], game: str) -> pa.Table:
    seen = np.left_shift(1, splits).astype(np.uint8)
    position = np.zeros(table.num_rows, np.int64)
    position[starts] = 1
    position = np.cumsum(position) - 1
    played = table["move"].is_valid().to_numpy()
    move = table["move"].fill_null(0).to_numpy().astype(np.int64)
    pair = (position << 16 | move)[played]
    order = np.argsort(pair, kind="stable")
    pair, seen_pair = pair[order], seen[played][order]
    new = np.ones(len(pair), np.bool_)
    new[1:] = pair[1:] != pair[:-1]
    sets = {
        "positions": _bits_in_groups(seen, starts),
        "moves": _bits_in_groups(seen_pair, np.flatnonzero(new)),
    }
    # A game has one occurrence at ply 0, so that games too add up over the buckets.
    sets["games"] = seen[table["ply"].to_numpy() == 0]
    sets["owned positions"] = seen[starts]
    rows = []
    for what, bits in sets.items():
        for a, b in combinations(range(len(SPLITS)), 2):
            in_a, in_b = (bits >> a & 1).astype(bool), (bits >> b & 1).astype(bool)
            counts = (int(in_a.sum()), int(in_b.sum()), int((in_a & in_b).sum()))
            row = (game, SPLITS[a], SPLITS[b], what, *counts)
            rows.append(dict(zip(LEAKS.names, row, strict=True)))
    return pa.Table.from_pylist(rows, schema=LEAKS)


def _bits_in_groups(bits: NDArray[np.uint8], starts: Ints) -> NDArray[np.uint8]:
    # reduceat refuses an empty array.
    return np.bitwise_or.reduceat(bits, starts) if len(starts) else bits[:0]


def _sums(values: Ints, starts: Ints) -> Ints:
    return np.add.reduceat(values, starts) if len(starts) else values[:0]


def _named(codes: NDArray[np.uint8], names: Sequence[str]) -> pa.Array:
    return pa.DictionaryArray.from_arrays(pa.array(codes), list(names)).dictionary_decode()
