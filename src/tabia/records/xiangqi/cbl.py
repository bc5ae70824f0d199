"""CBL, the libraries of CCBridge (象棋桥): many CBR records behind an index.

Records lie in slots of 4,096 bytes, one or more each, and begin with a mark of their own; so they
are found without the index, which only tells whether some are missing. Records that the library
calls deleted are read as well if they are still there.
"""

from __future__ import annotations

from collections.abc import Iterator

from tabia.records.xiangqi import cbr
from tabia.records.xiangqi.record import Record, Reject
from tabia.records.xiangqi.sniffing import CBL_MAGIC, CBR_MAGIC

__all__ = ["read"]

_INDEX_AT, _ENTRY = 66624, 276
_SLOTS_AT = 60
_IN_USE_AT, _LENGTH_AT = 8, 12  # in an entry of the index


def read(data: bytes, name: str) -> Iterator[Record | Reject]:
    """Yield the games of a CBL file in its order, or what is wrong with it or with one of them."""
    if data[:16] != CBL_MAGIC:
        detail = f"{name}: a CBL file begins with {CBL_MAGIC!r}, not {data[:16]!r}"
        yield Reject(reason="bad_file", detail=detail)
        return
    starts = _starts(data)
    for number, (start, end) in enumerate(zip(starts, [*starts, len(data)][1:], strict=True), 1):
        yield from cbr.records(data[start:end], f"{name}: record {number}", start)
    listed = _listed(data)
    if len(starts) < max(listed, 1):
        yield Reject(
            reason="bad_file",
            detail=f"{name}: the index lists {listed} records, {len(starts)} are in the "
            f"{len(data)} bytes; the library is cut or damaged",
            byte_offset=len(data),
        )


def _starts(data: bytes) -> list[int]:
    """Offsets of the records; no text can hold the mark, because texts are UTF-16."""
    starts = []
    at = data.find(CBR_MAGIC, _INDEX_AT)
    while at >= 0:
        starts.append(at)
        at = data.find(CBR_MAGIC, at + len(CBR_MAGIC))
    return starts


def _listed(data: bytes) -> int:
    """Number of entries of the index that are in use and have a length."""
    slots = int.from_bytes(data[_SLOTS_AT : _SLOTS_AT + 4], "little")
    end = min(_INDEX_AT + slots * _ENTRY, len(data))
    return sum(
        data[at + _IN_USE_AT] == 1 and any(data[at + _LENGTH_AT : at + _LENGTH_AT + 4])
        for at in range(_INDEX_AT, end - _ENTRY + 1, _ENTRY)
    )
