"""Parquet files that appear whole or not at all, with their origin in the metadata."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from tabia.tables.spec import Spec

__all__ = [
    "SCHEMA_VERSION",
    "DamagedTableError",
    "OutputError",
    "atomic_path",
    "metadata",
    "read",
    "write",
    "write_text",
    "writer",
]

SCHEMA_VERSION = "1"
"""Raised when a column of any table changes its meaning."""

_ROW_GROUP = 128 * 1024


class OutputError(ValueError):
    """A place that no file can be written to by renaming: a folder, a device, a pipe."""

    exit_code = 2


class DamagedTableError(ValueError):
    """A Parquet file that is cut short, damaged, or none."""

    exit_code = 3


@contextmanager
def atomic_path(path: Path) -> Iterator[Path]:
    """Yield a name beside `path` to write to; rename it to `path` when the block succeeds.

    The file is flushed to disk before the rename, so that a killed machine leaves either the
    old file or the new one. If the block raises, the unfinished file is removed. A link stays
    one: the file that it points to is replaced.

    Raises
    ------
    OutputError
        If `path` is there and is no regular file, or its folder cannot be one. Renaming would
        put a file in the place of a device, ``/dev/null`` for instance, if root asked for it.
    """
    if path.is_symlink():
        path = path.resolve()
    if path.exists() and not path.is_file():
        raise OutputError(f"{path}: is a folder, a device or a pipe; name a file to write")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        raise OutputError(f"{path}: cannot be written: {error.filename} is no folder") from error
    # Random, because jobs in containers that share a file system can share a process id too.
    unfinished = path.with_name(f".{path.name}.{secrets.token_hex(6)}.unfinished")
    try:
        yield unfinished
        with unfinished.open("rb+") as file:
            os.fsync(file.fileno())
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write `text` as UTF-8 to `path`, whole or not at all."""
    with atomic_path(path) as unfinished:
        unfinished.write_text(text, encoding="utf-8", newline="\n")


def metadata(spec: Spec | None, extra: Mapping[str, str] | None = None) -> dict[bytes, bytes]:
    """Schema metadata every tabia table carries: version, generator, spec, and `extra`.

    The package version is left out on purpose: the spec's mark names the code exactly.
    """
    entries = {"tabia.schema_version": SCHEMA_VERSION, "tabia.generator": "tabia"}
    if spec is not None:
        entries["tabia.stage"] = spec.stage
        entries["tabia.spec"] = spec.text
    entries.update(extra or {})
    return {key.encode(): value.encode() for key, value in sorted(entries.items())}


def write(
    table: pa.Table,
    path: Path,
    *,
    spec: Spec | None = None,
    extra: Mapping[str, str] | None = None,
    row_group_size: int = _ROW_GROUP,
) -> None:
    """Write `table` to `path` atomically; equal tables give equal bytes.

    Parameters
    ----------
    table
        Any Arrow table; its schema metadata is replaced.
    extra
        Further metadata, for instance ``{"engine.name": "Stockfish 15.1"}``.
    """
    table = table.replace_schema_metadata(metadata(spec, extra))
    with atomic_path(path) as unfinished:
        pq.write_table(table, unfinished, compression="zstd", row_group_size=row_group_size)


@contextmanager
def writer(
    schema: pa.Schema,
    path: Path,
    *,
    spec: Spec | None = None,
    extra: Mapping[str, str] | None = None,
) -> Iterator[pq.ParquetWriter]:
    """Yield a ParquetWriter for tables that do not fit in memory; atomic like :func:`write`."""
    schema = schema.with_metadata(metadata(spec, extra))
    with (
        atomic_path(path) as unfinished,
        pq.ParquetWriter(unfinished, schema, compression="zstd") as parquet,
    ):
        yield parquet


def read(
    path: Path, columns: list[str] | None = None, *, filters: pc.Expression | None = None
) -> pa.Table:
    """Read a whole Parquet file, or some `columns` of it, or the rows that pass `filters`.

    Raises
    ------
    DamagedTableError
        If it cannot be read although it is there.
    """
    try:
        return pq.read_table(path, columns=columns, filters=filters, partitioning=None)
    except (FileNotFoundError, PermissionError):
        raise
    except (pa.ArrowInvalid, OSError) as error:
        raise DamagedTableError(
            f"{path}: damaged, or no Parquet file ({error}); move it away and run again: "
            "what tabia made itself is made anew"
        ) from error
