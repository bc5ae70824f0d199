"""Stage ``records.occurrences``: every position of the accepted games of one shard.

Positions are spread over buckets by their key, so that the de-duplication over all shards can
run bucket by bucket. The output has one row group a bucket, sorted by key, then game and ply.
Memory is bounded by one batch of games and one bucket: what is between lies in a spill file.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from tabia.records.arrow import same
from tabia.records.by_game import BOARDS
from tabia.records.hashing import in_share
from tabia.tables import parquet
from tabia.tables.progress import Progress
from tabia.tables.schemas import OCCURRENCES, of_game
from tabia.tables.spec import Spec

__all__ = ["Boards", "OccurrencesError", "Played", "ply_offsets", "run"]

_GAMES = 8192  # a batch; some 700,000 positions
_END = 0xFFFF
# Parquet's writer cuts longer row groups in two without a word, and the buckets would slip.
_LONGEST = 64 << 20
_COLUMNS = (
    "game_id",
    "played_by",
    "variant",
    "start_fen",
    "first_elo",
    "second_elo",
    "moves",
    "split_hash",
)


class Played(Protocol):
    """Positions of games, one row each, games one after the other.

    Attributes
    ----------
    board
        uint8 `[N, bytes of a board]`, equal exactly for equal positions.
    key, phase, flags, ply, move
        `[N]` columns of the schema OCCURRENCES; `move` is 0xFFFF at a game's end.
    game
        int32 `[N]` index of the game.
    """

    board: NDArray[np.uint8]
    key: NDArray[np.uint64]
    phase: NDArray[np.int16]
    flags: NDArray[np.uint8]
    game: NDArray[np.int32]
    ply: NDArray[np.int32]
    move: NDArray[np.uint16]


class Boards(Protocol):
    """How the games of one game are played out: what its module has."""

    def expand(self, games: pa.RecordBatch) -> Played:
        """Play out games (columns ``moves``, ``start_fen``, ``variant``): n_plies + 1 rows each."""


class OccurrencesError(ValueError):
    """More positions in one bucket of one shard than a row group can hold."""

    exit_code = 2


def run(spec: Spec, *, games: Path, occurrences: Path) -> None:
    """Play out the games of one shard.

    Parameters
    ----------
    spec
        ``spec.config`` has ``game`` and ``positions`` with ``buckets``, ``game_share`` and
        ``variants``.
    games
        IN: table under the schema GAMES.
    occurrences
        OUT: table under the schema OCCURRENCES of the game; row group *b* holds bucket *b*, maybe
        empty. A game without moves gives no positions: its start was not played from.

    Raises
    ------
    OccurrencesError
        If a bucket has too many positions for a row group.
    """
    settings = spec.config["positions"]
    game = str(spec.config["game"])
    schema = of_game(OCCURRENCES, game)
    buckets = int(settings["buckets"])
    occurrences.parent.mkdir(parents=True, exist_ok=True)
    with (
        # Nameless, so that a killed job leaves nothing behind.
        tempfile.TemporaryFile(dir=occurrences.parent) as spill,
        parquet.writer(schema, occurrences, spec=spec) as out,
    ):
        parts: list[list[int]] = [[] for _ in range(buckets)]
        written = 0
        with pa.ipc.new_file(pa.PythonFile(spill, "w"), schema) as writer:
            for positions in _positions(games, game, settings):
                for bucket, rows in _by_bucket(positions, buckets):
                    for batch in rows.to_batches():
                        writer.write_batch(batch)
                        parts[bucket].append(written)
                        written += 1
        with pa.ipc.open_file(pa.PythonFile(spill, "r")) as reader:
            for bucket, numbers in enumerate(parts):
                batches = [reader.get_batch(number) for number in numbers]
                table = pa.Table.from_batches(batches, schema)
                if table.num_rows > _LONGEST:
                    raise OccurrencesError(
                        f"{games}: {table.num_rows:,} positions in bucket {bucket}, at most "
                        f"{_LONGEST:,} fit; raise records.positions.buckets or the source's shards"
                    )
                # Stable: equal keys stay in the order of games and plies.
                order = np.argsort(table["position_key"].to_numpy(), kind="stable")
                table = table.take(pa.array(order)).combine_chunks()
                out.write_table(table, row_group_size=max(len(order), 1))


def _positions(games: Path, game: str, settings: Mapping[str, Any]) -> Iterator[pa.Table]:
    """Yield the positions of one batch of games after another, under the schema OCCURRENCES."""
    boards: Boards = import_module(BOARDS[game])
    variants = pa.array(settings["variants"], pa.string())
    with (
        pq.ParquetFile(games) as file,
        Progress("play out games", file.metadata.num_rows, "games") as progress,
    ):
        for batch in file.iter_batches(_GAMES, columns=list(_COLUMNS)):
            wanted = pc.is_in(batch["variant"].cast(pa.string()), variants)
            chosen = in_share(batch["split_hash"].to_numpy(), settings["game_share"])
            played = pc.greater(pc.list_value_length(batch["moves"]), 0)
            kept = pc.and_(pc.and_(wanted, played), pa.array(chosen))
            yield _expand(batch.filter(kept), game, boards)
            progress.advance(len(batch))


def _expand(games: pa.RecordBatch, game: str, boards: Boards) -> pa.Table:
    schema = of_game(OCCURRENCES, game)
    rows = boards.expand(games)
    of_row = pa.array(rows.game)
    columns = {
        "position_key": pa.array(rows.key),
        "board": pa.FixedSizeBinaryArray.from_buffers(
            schema.field("board").type, len(rows.key), [None, pa.py_buffer(rows.board)]
        ),
        "phase": pa.array(rows.phase),
        "flags": pa.array(rows.flags),
        "game": same(game, len(rows.key)),
        "ply": pa.array(rows.ply),
        "move": pa.array(rows.move, mask=rows.move == _END),
        **{
            name: games[name].take(of_row)
            for name in ("game_id", "split_hash", "first_elo", "second_elo", "played_by")
        },
    }
    return pa.Table.from_arrays([columns[name] for name in schema.names], schema=schema)


def ply_offsets(moves: pa.ListArray) -> NDArray[np.int64]:
    """Return where each game's moves begin in ``moves.flatten()``, and the end, `[n + 1]`.

    A filtered list column may still hold the moves of other games, so its own offsets do not say.
    """
    return np.concatenate([[0], np.cumsum(pc.list_value_length(moves).to_numpy())]).astype(np.int64)


def _by_bucket(positions: pa.Table, buckets: int) -> Iterator[tuple[int, pa.Table]]:
    """Split the rows by bucket = key modulo the number of buckets, keeping their order."""
    if buckets == 1:
        yield 0, positions
        return
    bucket = (positions["position_key"].to_numpy() % np.uint64(buckets)).astype(np.uint16)
    order = np.argsort(bucket, kind="stable")  # 16 bits: a radix sort
    ends = np.cumsum(np.bincount(bucket, minlength=buckets))
    ordered = positions.take(pa.array(order)).combine_chunks()
    for number, (start, end) in enumerate(zip([0, *ends[:-1]], ends, strict=True)):
        if end > start:
            yield number, ordered.slice(start, end - start)
