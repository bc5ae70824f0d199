"""Files that are read in one piece: their bytes, or what stands for those that cannot be had."""

from __future__ import annotations

from dataclasses import dataclass

from tabia.records.block import CORRUPT_FILE, TOO_LARGE, Fault
from tabia.records.opening import CorruptFileError, Member
from tabia.records.reject import Reject

__all__ = ["LARGEST", "Content", "fault_reject", "too_large", "whole"]

LARGEST = 256 << 20
"""Bytes that a file may have, unpacked."""


@dataclass(frozen=True)
class Content:
    """What of a file, or of a member of an archive, can be read.

    Attributes
    ----------
    name
        The file's, or ``archive::member``.
    data
        The bytes with whole records.
    fault
        What could not be read, one record that comes behind those of `data`.
    ordinal
        That record's ordinal.
    """

    name: str
    data: bytes
    fault: Fault | None = None
    ordinal: int = 0


def whole(member: Member, largest: int = LARGEST) -> tuple[bytes, Fault | None]:
    """Return the bytes of a file, or as many as there are with what is wrong."""
    pieces: list[bytes] = []
    size = 0
    try:
        for piece in member.chunks:
            size += len(piece)
            if size <= largest:
                pieces.append(piece)
            else:
                pieces.clear()  # go on to the end: the next member comes after it
    except CorruptFileError as error:
        return b"".join(pieces), Fault(CORRUPT_FILE, str(error), 0, 1)
    if size > largest:
        return b"", too_large(size, largest)
    return b"".join(pieces), None


def too_large(size: int, largest: int) -> Fault:
    """Return the fault of a file of `size` bytes, of which `largest` may be."""
    detail = f"{size:,} bytes; at most {largest:,} are read in one piece: split the file"
    return Fault(TOO_LARGE, detail, 0, 1)


def fault_reject(fault: Fault) -> Reject:
    """Return the reject that stands for what of a file could not be read."""
    return Reject(
        reason=fault.reason,
        detail=fault.detail,
        byte_offset=fault.byte_offset,
        line=fault.line,
    )
