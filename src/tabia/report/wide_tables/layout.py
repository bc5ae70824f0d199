"""A wide table: cells with text, and how it becomes Markdown and JSON.

Result tables are long, one figure a row, with everything that stands behind it. A wide table
shows many of them at once, ``value [lo, hi]`` in a cell, and says below it once what all of them
have in common. It holds nothing that a result table does not.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

__all__ = ["Cell", "WideTable", "from_json", "markdown", "to_json"]


@dataclass(frozen=True)
class Cell:
    """One cell.

    Attributes
    ----------
    text
        What is read; empty for nothing.
    order
        Number to sort by; None for text.
    is_code
        True for a name, such as a model's.
    """

    text: str
    order: float | None = None
    is_code: bool = False


@dataclass(frozen=True)
class WideTable:
    """Rows of cells under one row of heads, and notes that hold for all of them."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...]


def markdown(title: str, tables: Sequence[WideTable]) -> str:
    """Return tables as Markdown, one section a table, to be read or pasted elsewhere."""
    lines = [f"# {title}"]
    for table in tables:
        lines += ["", f"## {table.title}", ""]
        lines.append("| " + " | ".join(table.heads) + " |")
        lines.append("|" + "|".join(" --- " for _ in table.heads) + "|")
        lines += ["| " + " | ".join(map(_cell, row)) + " |" for row in table.rows]
        for note in table.notes:
            lines += ["", note]
    return "\n".join(lines) + "\n"


def _cell(cell: Cell) -> str:
    text = cell.text.replace("|", "\\|")
    if not cell.is_code:
        return text
    # What follows a comma tells a row of the same model from another, and is no name.
    name, comma, rest = text.partition(", ")
    return f"`{name}`{comma}{rest}"


def to_json(tables: Sequence[WideTable]) -> str:
    """Return tables as JSON, for :func:`from_json`."""
    rows = [asdict(table) for table in tables]
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":")) + "\n"


def from_json(text: str) -> list[WideTable]:
    """Read tables back."""
    return [
        WideTable(
            title=table["title"],
            heads=tuple(table["heads"]),
            rows=tuple(tuple(Cell(**cell) for cell in row) for row in table["rows"]),
            notes=tuple(table["notes"]),
        )
        for table in json.loads(text)
    ]
