"""Result tables and wide tables as HTML that reads well without any script."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import pyarrow as pa

from tabia.report.glossary import METRICS, explain
from tabia.report.wide_tables.layout import Cell, WideTable
from tabia.tables import results

__all__ = ["Table", "describe_columns", "table_html", "wide_html"]

_MOST_ROWS = 5000
"""Rows shown of one table; the files hold all. Keeps the page below 5 MB."""

_HEADS = {
    "lo": "from",
    "hi": "to",
    "n_games": "games",
    "n_positions": "positions",
    "played_by": "played by",
}
_WHOLE = ("n_games", "n_positions")
_ENDS = ("lo", "hi")


@dataclass(frozen=True)
class Table:
    """A result table and what is said about it."""

    name: str
    title: str
    about: str
    data: pa.Table


def describe_columns(table: Table) -> str:
    """Return a folded list of what each column and metric means."""
    items = [
        f"<dt>{escape(column)}</dt><dd>{escape(explain(table.name, column))}</dd>"
        for column in table.data.column_names
    ]
    metrics = [
        f"<dt>{escape(metric)}</dt><dd>{escape(METRICS.get(metric, ''))}</dd>"
        for metric in table.data["metric"].unique().to_pylist()
    ]
    more = f"<p>Metrics:</p><dl>{''.join(metrics)}</dl>" if metrics else ""
    return (
        "<details><summary>What the columns mean</summary>"
        f"<dl>{''.join(items)}</dl>{more}</details>"
    )


def table_html(table: Table) -> str:
    """Return the rows as an HTML table; what is equal in all rows is said once, above it.

    Numbers carry their full value in ``data-order``, so that sorting does not see the rounding.
    """
    rows = table.data.slice(0, _MOST_ROWS).to_pylist()
    if not rows:
        return '<p class="about">This table has no rows.</p>'
    exact = {row["interval"] for row in rows} == {results.EXACT}
    constant = _constant(rows)
    names = [
        name
        for name in table.data.column_names
        if name not in constant and not (exact and name in _ENDS)
    ]
    notes = []
    if constant:
        said = ", ".join(f"{_head(key)} {_text(key, value)}" for key, value in constant.items())
        notes.append(f"In every row: {said}.")
    if len(rows) < table.data.num_rows:
        notes.append(
            f"The first {len(rows):,} of {table.data.num_rows:,} rows; the files hold all."
        )
    note = f'<p class="about">{escape(" ".join(notes))}</p>\n' if notes else ""
    numbers = {name for name in names if _is_number(table.data.schema.field(name).type)}
    heads = "".join(
        f'<th scope="col"{_class(name in numbers)}>{escape(_head(name))}</th>' for name in names
    )
    body = "\n".join(
        f"<tr>{''.join(_cell(name, row[name], name in numbers) for name in names)}</tr>"
        for row in rows
    )
    return note + _element(table.name, table.title, heads, body)


def wide_html(table: WideTable, name: str) -> str:
    """Return a wide table and its notes; `name` tells it from others on the page."""
    numbers = [all(row[i].order is not None or not row[i].text for row in table.rows)
               for i in range(len(table.heads))]  # fmt: skip
    heads = "".join(
        f'<th scope="col"{_class(number)}>{escape(head)}</th>'
        for head, number in zip(table.heads, numbers, strict=True)
    )
    body = "\n".join(f"<tr>{''.join(map(_wide_cell, row, numbers))}</tr>" for row in table.rows)
    notes = "".join(f'<p class="about">{escape(note)}</p>\n' for note in table.notes)
    return f"{_element(name, table.title, heads, body)}\n{notes}"


def _wide_cell(cell: Cell, number: bool) -> str:
    order = "" if cell.order is None else f"{cell.order}"
    place = f' data-order="{order}"' if number else ""
    return f"<td{_class(number)}{place}>{escape(cell.text)}</td>"


def _element(name: str, title: str, heads: str, body: str) -> str:
    return f"""<div class="scroll"><table class="figures" id="rows-{name}">
<caption hidden>{escape(title)}</caption>
<thead><tr>{heads}</tr></thead>
<tbody>
{body}
</tbody></table></div>"""


def _constant(rows: list[dict[str, object]]) -> dict[str, object]:
    """Return the columns that say the same in every row, besides the figures themselves."""
    if len(rows) < 2:
        return {}
    return {
        name: value
        for name, value in rows[0].items()
        if name not in ("value", *_ENDS, *_WHOLE)
        and value is not None
        and all(row[name] == value for row in rows)
    }


def _cell(name: str, value: object, number: bool) -> str:
    if value is None:
        return f'<td{_class(number)} data-order="">–</td>' if number else "<td>–</td>"
    if number:
        return f'<td class="number" data-order="{value}">{escape(_text(name, value))}</td>'
    return f"<td>{escape(_text(name, value))}</td>"


def _text(name: str, value: object) -> str:
    if isinstance(value, float) or (isinstance(value, int) and name in _WHOLE):
        return results.number(value)
    return str(value)


def _head(name: str) -> str:
    return _HEADS.get(name, name.replace("_", " "))


def _class(number: bool) -> str:
    return ' class="number"' if number else ""


def _is_number(type_: pa.DataType) -> bool:
    return bool(pa.types.is_integer(type_) or pa.types.is_floating(type_))
