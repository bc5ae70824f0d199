"""``tabia sql``: ask the results anything, from wherever one stands."""

from __future__ import annotations

import csv
import datetime
import decimal
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import duckdb

from tabia.report.glossary import ROOT_VARIABLE

__all__ = ["DEFAULT", "SqlError", "sql"]

DEFAULT = Path("results/tabia.duckdb")
"""Where a run leaves its database."""

_LIST = """
SELECT name, rows, comment FROM (
    SELECT table_name AS name, estimated_size AS rows, comment FROM duckdb_tables()
    WHERE NOT internal
    UNION ALL
    SELECT view_name, NULL, comment FROM duckdb_views() WHERE NOT internal
) ORDER BY name
"""


class SqlError(ValueError):
    """A query or a database that cannot be used; the message says what to do."""

    exit_code = 2


def sql(
    query: str | None = None,
    *,
    database: Path = DEFAULT,
    as_json: bool = False,
    as_csv: bool = False,
) -> None:
    """Print what `query` selects: a table, a JSON list of objects, or CSV with a head.

    Parameters
    ----------
    query
        One SQL statement; without it the tables are listed with their rows and comments.
    database
        The DuckDB file; it is opened for reading only. Where the default one is not there, a query
        that names files itself (``select … from 'x.parquet'``) runs without one.
    as_json, as_csv
        Print for programs. Binary values are hexadecimal; dates are ISO.

    Raises
    ------
    SqlError
        If there is no such database and one is needed, or the query fails.
    """
    if as_json and as_csv:
        raise SqlError("choose one of --json and --csv")
    without = query is not None and database == DEFAULT and not database.exists()
    with _connect(":memory:") if without else _open(database) as connection:
        try:
            columns, rows = _list(connection) if query is None else _ask(connection, query)
        except duckdb.Error as error:
            if without and isinstance(error, duckdb.CatalogException):
                raise SqlError(f"{str(error).strip()}\n{_missing(database)}") from error
            raise SqlError(_explain(error, query)) from error
    if as_json:
        objects = [dict(zip(columns, map(_plain, row), strict=True)) for row in rows]
        json.dump(objects, sys.stdout, ensure_ascii=False, indent=2)
        sys.stdout.write("\n")
    elif as_csv:
        out = csv.writer(sys.stdout, lineterminator="\n")
        out.writerow(columns)
        out.writerows(["" if cell is None else _plain(cell) for cell in row] for row in rows)
    else:
        _print(columns, rows)


_Rows = tuple[list[str], list[tuple[object, ...]]]


def _connect(database: str, *, read_only: bool = False) -> duckdb.DuckDBPyConnection:
    return duckdb.connect(
        database, read_only=read_only, config={"autoinstall_known_extensions": "false"}
    )


def _missing(database: Path) -> str:
    return (
        f"{database}: no such database; `./run` or `snakemake {DEFAULT}` makes it,"
        " --database names another"
    )


def _open(database: Path) -> duckdb.DuckDBPyConnection:
    if not database.is_file():
        raise SqlError(_missing(database))
    try:
        connection = _connect(str(database), read_only=True)
    except duckdb.Error as error:
        raise SqlError(f"{database}: not a DuckDB database that can be read: {error}") from error
    # Views name their files from the folder above the results, wherever the user stands.
    root = str(database.resolve().parent.parent).rstrip("/") + "/"
    connection.execute(f"SET VARIABLE {ROOT_VARIABLE} = $root", {"root": root})
    return connection


def _ask(connection: duckdb.DuckDBPyConnection, query: str) -> _Rows:
    if not connection.extract_statements(query):
        raise SqlError("the query is empty; without a query the tables are listed")
    cursor = connection.execute(query)
    columns = _distinct([column[0] for column in cursor.description or ()])
    return columns, cursor.fetchall() if columns else []


def _list(connection: duckdb.DuckDBPyConnection) -> _Rows:
    columns, found = _ask(connection, _LIST)
    rows: list[tuple[object, ...]] = []
    for name, _, comment in found:
        quoted = '"' + str(name).replace('"', '""') + '"'
        try:
            count = connection.execute(f"SELECT count(*) FROM {quoted}").fetchall()[0][0]
        except duckdb.IOException:
            count = None  # its Parquet files were deleted or moved away
        rows.append((name, count, comment))
    return columns, rows


def _distinct(names: Sequence[str]) -> list[str]:
    """Number repeated column names, so that a JSON object keeps them all."""
    seen: dict[str, int] = {}
    distinct = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        distinct.append(name if seen[name] == 1 else f"{name}_{seen[name]}")
    return distinct


def _explain(error: duckdb.Error, query: str | None) -> str:
    text = str(error).strip()
    named = re.search(r'pattern "(.+?)"', text)
    if named and named[1] in (query or ""):
        return text  # a file that the query names itself
    if isinstance(error, duckdb.IOException):
        return f"{text}\nA view's Parquet files are missing; `snakemake {DEFAULT}` makes them."
    hint = "" if query is None else "\n`tabia sql` without a query lists the tables."
    return text + hint if isinstance(error, duckdb.CatalogException) else text


def _plain(value: object) -> object:
    """Return a value as JSON knows it; numbers that JSON has not are null."""
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value).hex()
    if isinstance(value, float):
        return value if value - value == 0 else None
    if isinstance(value, decimal.Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if value is None or isinstance(value, bool | int | str):
        return value
    return str(value)


def _print(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a table: framed on a terminal, tab-separated where the output is piped."""
    if not columns:
        return
    if not sys.stdout.isatty():
        for line in (columns, *([_shown(cell) for cell in row] for row in rows)):
            print("\t".join(line))
        return
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(
        box=box.SIMPLE_HEAD,
        caption=f"{len(rows):,} row{'' if len(rows) == 1 else 's'}",
        caption_justify="left",
    )
    for i, column in enumerate(columns):
        is_number = any(isinstance(row[i], int | float) for row in rows)
        table.add_column(Text(column), justify="right" if is_number else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(_shown(cell)) for cell in row))
    Console().print(table)


def _shown(value: object) -> str:
    plain = _plain(value)
    return "" if plain is None else str(plain).replace("\t", " ").replace("\n", " ")
