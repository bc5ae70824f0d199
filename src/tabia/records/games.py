"""Stage ``records.games``: game files in; games, rejects and counts out.

A shard reads either whole files or its share of the blocks of one big file. Nothing is dropped:
every record found is a row of the games table or of the rejects table, and the counts add up.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import zstandard

from tabia.records.arrow import Origin, fault_row, joined
from tabia.records.block import BLOCKS, Block, Fault
from tabia.records.reading import Batch, Files, Parsed, files_of, tables_of
from tabia.tables import parquet
from tabia.tables.progress import Progress
from tabia.tables.schemas import COUNTS, GAMES, REJECTS
from tabia.tables.spec import Spec

__all__ = ["CountError", "Tables", "run"]

_ROW_GROUP = 128 * 1024
_HELD = 4096  # records: archives of one game a file would make a table a file
_ACCEPTED = "accepted"


def run(
    spec: Spec,
    *,
    files: Sequence[Path],
    games: Path,
    rejects: Path,
    counts: Path,
    blocks: Path | None = None,
    index: Path | None = None,
    headers: Path | None = None,
) -> None:
    """Read one shard of a source.

    Parameters
    ----------
    spec
        ``spec.config["source"]`` has ``name``, ``game``, ``played_by`` and ``shards``; the wildcard
        ``shard`` selects the rows of `index`.
    files
        IN: files or archives, read whole; their names in the tables are the paths as given.
    blocks, index
        IN: the outputs of ``records.blocks``, instead of `files`.
    headers
        IN: game headers that the files' games are joined with, or None.
    games, rejects, counts
        OUT: tables under the schemas GAMES, REJECTS and COUNTS.

    Raises
    ------
    GameFileError
        If a file is missing or unreadable, or this is the only shard and `headers` join none of
        the games; of several shards, ``records.summary`` knows that.
    """
    source = spec.config["source"]
    reader = files_of(source["game"], headers)
    total = sum(file.stat().st_size for file in files if file.exists()) / 1e6
    with ExitStack() as stack:
        progress = stack.enter_context(Progress(f"read {source['name']}", total or None, "MB"))
        batches: Iterable[Batch]
        if blocks is not None and index is not None:
            batches = _from_blocks(reader, blocks, index, int(spec.wildcards["shard"]), progress)
        else:
            batches = _from_files(reader, files, progress)
        out = stack.enter_context(Tables(games, rejects, spec))
        fates: dict[str, Counter[str]] = {}
        joins: dict[str, tuple[int, int]] = {}
        before = (0, 0)
        for batch in batches:
            origin = Origin(source["name"], batch.file, source["game"], source["played_by"])
            fate = fates.setdefault(batch.file, Counter({_ACCEPTED: 0}))
            fate.update(out.add(batch, origin))
            if (now := reader.joins) is not None:
                old = joins.get(batch.file, (0, 0))
                joins[batch.file] = old[0] + now[0] - before[0], old[1] + now[1] - before[1]
                before = now
        for note in reader.finish(is_whole=source["shards"] == 1):
            print(note, file=sys.stderr)
    parquet.write(_counts(fates, joins, source), counts, spec=spec)


class CountError(RuntimeError):
    """Records that were found and are in neither table; always our fault."""


class Tables:
    """The two tables while they are written; use as a context manager."""

    def __init__(self, games: Path, rejects: Path, spec: Spec | None) -> None:
        self._stack = ExitStack()
        self._held: list[tuple[Parsed, Origin]] = []
        self._records = 0
        self._outputs = (
            _Output(self._stack.enter_context(parquet.writer(GAMES, games, spec=spec)), GAMES),
            _Output(
                self._stack.enter_context(parquet.writer(REJECTS, rejects, spec=spec)), REJECTS
            ),
        )

    def __enter__(self) -> Tables:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None:
            self._write()
            for output in self._outputs:
                output.flush()
        self._stack.__exit__(kind, error, trace)

    def add(self, batch: Batch, origin: Origin) -> Counter[str]:
        """Write the rows of a batch; return how many records met which fate.

        Raises
        ------
        CountError
            If that is not how many records the parser says it found.
        """
        fates: Counter[str] = Counter()
        if batch.fault is not None:
            self._write()
            self._outputs[1].add(fault_row(batch.fault, batch.ordinal, origin))
            fates[batch.fault.reason] += 1
        if batch.parsed is not None:
            if self._held and self._held[0][1].game != origin.game:
                self._write()
            self._held.append((batch.parsed, origin))
            fates[_ACCEPTED] += len(batch.parsed.n_plies)
            fates.update(batch.parsed.reasons)
            self._records += fates.total()
            if self._records >= _HELD:
                self._write()
        if fates.total() != batch.found:
            place = 0 if batch.block is None else batch.block.byte_offset
            raise CountError(
                f"{batch.file}: in the block at byte {place:,}, record {batch.ordinal:,}, "
                f"{batch.found:,} records were found, but {fates[_ACCEPTED]:,} accepted and "
                f"{fates.total() - fates[_ACCEPTED]:,} rejected; this is a fault of tabia and not "
                "of the file, please report it with the file"
            )
        return fates

    def _write(self) -> None:
        if self._held:
            for output, table in zip(self._outputs, tables_of(self._held), strict=True):
                output.add(table)
        self._held, self._records = [], 0


class _Output:
    """Gathers rows to row groups of one size, so that blocks leave no trace in the file."""

    def __init__(self, writer: pq.ParquetWriter, schema: pa.Schema) -> None:
        self._writer, self._schema = writer, schema
        self._held: list[pa.Table] = []
        self._rows = 0

    def add(self, table: pa.Table) -> None:
        if not table.num_rows:
            return
        self._held.append(table)
        self._rows += table.num_rows
        while self._rows >= _ROW_GROUP:
            whole = pa.concat_tables(self._held)
            self._write(whole.slice(0, _ROW_GROUP))
            self._held, self._rows = [whole.slice(_ROW_GROUP)], self._rows - _ROW_GROUP

    def flush(self) -> None:
        if self._rows:
            self._write(pa.concat_tables(self._held))

    def _write(self, table: pa.Table) -> None:
        self._writer.write_table(joined([table], self._schema), row_group_size=_ROW_GROUP)


def _from_files(reader: Files, files: Sequence[Path], progress: Progress) -> Iterator[Batch]:
    for file in files:
        yield from reader.read(file, advance=lambda size: progress.advance(size / 1e6))


def _from_blocks(
    reader: Files, blocks: Path, index: Path, shard: int, progress: Progress
) -> Iterator[Batch]:
    rows = pq.read_table(index, schema=BLOCKS, filters=[("shard", "=", shard)]).to_pylist()
    unpack = zstandard.ZstdDecompressor()
    with blocks.open("rb") as file:
        for row in rows:
            if row["fault"] is not None:
                fault = Fault(row["fault"], row["detail"], row["byte_offset"], row["line"])
                yield Batch(row["file"], row["ordinal"], fault=fault)
            elif not row["frame_bytes"]:
                yield Batch(row["file"], row["ordinal"])
            else:
                file.seek(row["frame_offset"])
                packed = file.read(row["frame_bytes"])
                progress.advance(len(packed) / 1e6)
                block = Block(unpack.decompress(packed), row["byte_offset"], row["line"])
                yield from reader.parse(row["file"], block, row["ordinal"])


def _counts(
    fates: Mapping[str, Counter[str]],
    joins: Mapping[str, tuple[int, int]],
    source: Mapping[str, Any],
) -> pa.Table:
    rows = [
        (
            *(source["game"], source["name"], file, reason, games, source["played_by"]),
            *(joins.get(file, (None, None)) if reason == _ACCEPTED else (None, None)),
        )
        for file, reasons in fates.items()
        for reason, games in sorted(reasons.items())
    ]
    columns = zip(*rows, strict=True) if rows else [[]] * len(COUNTS)
    return pa.Table.from_arrays(
        [pa.array(column, field.type) for column, field in zip(columns, COUNTS, strict=True)],
        schema=COUNTS,
    )
