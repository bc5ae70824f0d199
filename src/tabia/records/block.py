"""A piece of a file that can be read apart, and what stands for a piece that cannot be read."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

__all__ = ["BLOCKS", "BLOCK_BYTES", "CORRUPT_FILE", "TOO_LARGE", "Block", "Fault"]

BLOCK_BYTES = 8 << 20
"""Usual size of a block. Some thousands of games; small enough to stay near the caches."""

CORRUPT_FILE = "corrupt_file"
"""Reject reason: the rest of a file cannot be decompressed or unpacked."""
TOO_LARGE = "too_large"
"""Reject reason: a file that must be read in one piece and is too large for it."""

BLOCKS = pa.schema(
    [
        pa.field("file", pa.string(), nullable=False),  # file, or archive::member
        pa.field("block", pa.int32(), nullable=False),  # 0-based, in order of the records
        pa.field("shard", pa.int32(), nullable=False),  # the job that reads it
        pa.field("frame_offset", pa.int64(), nullable=False),  # in the file of blocks
        pa.field("frame_bytes", pa.int64(), nullable=False),  # 0 = nothing to read
        pa.field("byte_offset", pa.int64(), nullable=False),  # in the decompressed file
        pa.field("line", pa.int64(), nullable=False),
        pa.field("ordinal", pa.int64(), nullable=False),  # of the first record
        pa.field("fault", pa.string()),  # a record that could not be read: the reject reason
        pa.field("detail", pa.string()),
    ]
)
"""Index of the blocks of one big file, which the stage ``records.blocks`` writes."""


@dataclass(frozen=True)
class Block:
    """Whole games.

    Attributes
    ----------
    data
        The bytes.
    byte_offset
        Where they begin in the decompressed file.
    line
        The line they begin on, 1-based.
    """

    data: bytes
    byte_offset: int
    line: int


@dataclass(frozen=True)
class Fault:
    """One record that stands for what could not be read; see :class:`Block` for the place."""

    reason: str
    detail: str
    byte_offset: int
    line: int
