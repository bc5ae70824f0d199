"""Rejected records as commands for people tell them."""

from __future__ import annotations

import re
from typing import Any

import pyarrow as pa

from tabia.app.commands.one_line import one_line
from tabia.records.arrow import Origin, fault_row
from tabia.records.reading import Batch, tables_of
from tabia.records.xiangqi.sniffing import is_binary

__all__ = ["KEPT", "SHOWN", "Rejects", "place_of", "told"]

KEPT = 100
"""Rejects that are kept for programs."""

SHOWN = 20
"""Rejects that are told one by one."""


def told(name: str, place: str, reason: str, detail: str) -> str:
    """Return one line that says which record was rejected and why.

    Parameters
    ----------
    name
        File, or archive::member.
    place
        Where in the file, of :func:`place_of`.
    reason, detail
        Of the reject; where the detail begins with the file's name, that is not said twice.
    """
    named = re.match(rf"{re.escape(name)}(?::\d+)?: ", detail)
    text = detail if named is None else detail[named.end() :]
    return one_line(f"rejected: {name}, {place}: {reason}: {text}")


def place_of(line: int, byte_offset: int, *, is_bytes: bool) -> str:
    """Return where a record begins: a line, or a byte in a binary file, which has no lines."""
    return f"byte {byte_offset:,}" if is_bytes else f"line {line}"


class Rejects:
    """The first rejects of a run, as rows of the rejects table."""

    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []
        """At most :data:`KEPT`, in the order of the files."""
        self.lines: list[str] = []
        """What is told of the first :data:`SHOWN`."""

    def add(self, batch: Batch, origin: Origin) -> None:
        """Keep the rejects of a batch while there is room."""
        if len(self.rows) >= KEPT:
            return
        if batch.fault is not None:
            self._keep(fault_row(batch.fault, batch.ordinal, origin), is_bytes=False)
        if batch.parsed is not None and batch.parsed.reasons:
            is_bytes = batch.block is not None and is_binary(batch.block.data)
            self._keep(tables_of([(batch.parsed, origin)])[1], is_bytes=is_bytes)

    def _keep(self, table: pa.Table, *, is_bytes: bool) -> None:
        rows = table.slice(0, KEPT - len(self.rows)).drop_columns(["source"]).to_pylist()
        self.rows += rows
        for row in rows[: max(SHOWN - len(self.lines), 0)]:
            place = place_of(row["line"], row["byte_offset"], is_bytes=is_bytes)
            self.lines.append(told(row["file"], place, row["reason"], row["detail"]))
