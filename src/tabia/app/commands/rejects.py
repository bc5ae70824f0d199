"""Rejected records as commands for people tell them."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from tabia.app.commands.one_line import one_line
from tabia.records.arrow import Origin, fault_row
from tabia.records.reading import Batch, tables_of

__all__ = ["KEPT", "SHOWN", "Rejects", "told"]

KEPT = 100
"""Rejects that are kept for programs."""

SHOWN = 20
"""Rejects that are told one by one."""


def told(name: str, reason: str, detail: str, *, byte_offset: int, line: int) -> str:
    """Return one line that says which record was rejected and why.

    Parameters
    ----------
    name
        File, or archive::member.
    reason, detail
        Of the reject; the detail may name the file itself.
    byte_offset, line
        Where the record begins in the unpacked file; the line is 1-based. Files whose records have
        no lines say 1. The first record's place is left out.
    """
    where = detail if name in detail else f"{name}: {detail}"
    place = ""
    if byte_offset:
        place = f" at line {line}" if line > 1 else f" at byte {byte_offset:,}"
    return one_line(f"rejected{place}: {reason}: {where}")


class Rejects:
    """The first rejects of a run, as rows of the rejects table."""

    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []
        """At most :data:`KEPT`, in the order of the files."""

    def add(self, batch: Batch, origin: Origin) -> None:
        """Keep the rejects of a batch while there is room."""
        if len(self.rows) >= KEPT:
            return
        if batch.fault is not None:
            self._keep(fault_row(batch.fault, batch.ordinal, origin))
        if batch.parsed is not None and batch.parsed.reasons:
            self._keep(tables_of([(batch.parsed, origin)])[1])

    def _keep(self, table: pa.Table) -> None:
        kept = table.slice(0, KEPT - len(self.rows)).drop_columns(["source"])
        self.rows += kept.to_pylist()

    def lines(self) -> list[str]:
        """Return what is told of the first :data:`SHOWN`."""
        return [
            told(
                row["file"],
                row["reason"],
                row["detail"],
                byte_offset=row["byte_offset"],
                line=row["line"],
            )
            for row in self.rows[:SHOWN]
        ]
