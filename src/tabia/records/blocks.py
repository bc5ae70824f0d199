"""Stage ``records.blocks``: one big file as blocks that many jobs can read apart.

A 30 GB archive is one compressed stream: without this, each of hundreds of shards would have to
decompress it from the start. Here it is decompressed once and written again as independent
zstandard frames, with an index of where each frame lies and which records it holds. A frame of
chess holds whole games, and as only reading them tells how many, they are parsed here once as well;
a frame of xiangqi holds a member of the archive, and a file that is no archive is one frame.
Shards get neighbouring blocks, so that the tables of shard 0, 1, 2 … are the file in
order.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import zstandard

from tabia.records.block import BLOCK_BYTES, BLOCKS
from tabia.records.reading import files_of
from tabia.tables import parquet
from tabia.tables.progress import Progress
from tabia.tables.spec import Spec

__all__ = ["run"]

_LEVEL = 3
_PER_SHARD = 4  # blocks a shard should get at least, so that shards are equally large
_TEXT_RATIO = 4  # decompressed bytes a compressed byte, a low guess
_SMALLEST = 64 << 10


def run(
    spec: Spec, *, file: Path, blocks: Path, index: Path, block_bytes: int | None = None
) -> None:
    """Cut `file` into blocks.

    Parameters
    ----------
    spec
        ``spec.config["source"]`` has ``name``, ``game`` and ``shards``, the number of jobs that
        share the blocks.
    file
        IN: any file that :mod:`tabia.records.opening` opens.
    blocks
        OUT: zstandard frames, one a block; all together they are a valid .zst file.
    index
        OUT: table under the schema BLOCKS.
    block_bytes
        Size of a block of chess; by default 8 MiB, less for a file that would give too few.

    Raises
    ------
    GameFileError
        If the file is missing or unreadable.
    """
    source = spec.config["source"]
    shards = int(source["shards"])
    size = file.stat().st_size if file.exists() else 0
    if block_bytes is None:
        share = size * _TEXT_RATIO // (_PER_SHARD * shards)
        block_bytes = max(_SMALLEST, min(BLOCK_BYTES, share))
    rows: list[dict[str, Any]] = []
    packer = zstandard.ZstdCompressor(level=_LEVEL)
    with (
        parquet.atomic_path(blocks) as unfinished,
        unfinished.open("wb") as out,
        Progress(f"cut {source['name']}", size / 1e6, "MB") as progress,
    ):
        for batch in files_of(source["game"]).cut(
            file, block_bytes=block_bytes, advance=lambda size: progress.advance(size / 1e6)
        ):
            place = batch.block or batch.fault
            row: dict[str, Any] = {
                "file": batch.file,
                "block": len(rows),
                "shard": 0,
                "frame_offset": out.tell(),
                "frame_bytes": 0,
                "byte_offset": 0 if place is None else place.byte_offset,
                "line": 1 if place is None else place.line,
                "ordinal": batch.ordinal,
                "fault": None if batch.fault is None else batch.fault.reason,
                "detail": None if batch.fault is None else batch.fault.detail,
            }
            if batch.block is not None:
                row["frame_bytes"] = out.write(packer.compress(batch.block.data))
            rows.append(row)
    for row in rows:
        row["shard"] = row["block"] * shards // len(rows)
    parquet.write(pa.Table.from_pylist(rows, schema=BLOCKS), index, spec=spec)
