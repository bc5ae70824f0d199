"""The database stage: one DuckDB file for readers who need nothing but SQL.

What is small is copied in: result tables, counts, times. What is large stays in Parquet and
gets a view, so that the file stays small and is made in seconds. A view names its files from
the folder above the results (``results/records/games/…``), so it opens from there; from
elsewhere, say ``SET VARIABLE tabia_root = '/path/to/that/folder/'`` first, as ``tabia sql`` does.

The file's bytes are not reproducible; what it holds is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import duckdb
import pyarrow.parquet as pq

from tabia.report.glossary import ROOT_VARIABLE, VIEWS, explain
from tabia.tables import parquet as files
from tabia.tables.spec import Spec

__all__ = ["DatabaseError", "run"]


def _part(place: int) -> str:
    """Return SQL for a part of ``filename``: 1 is the file's stem, 2 its folder and so on."""
    return f"string_split(regexp_replace(filename, '[.]parquet$', ''), '/')[-{place}]"


_COPIED = frozenset({"counts", "times"})
"""Small tables: a few rows a file or a model."""

_IMITATION = {
    "samples": "imitation_moves",
    "unrated": "imitation_moves",
    "predictions": "imitation_predictions",
    "scores": "imitation_scores",
}
"""View of each table of the imitation chapter, whose files are ``imitation/{game}/{table}…``: the
chapter's name stands first, because evaluation has predictions and scores too, and the result
table ``imitation_samples`` counts what these moves are."""

_SEARCH = {"matches": "search_match_games", "gates": "search_gate_games"}
"""View of each table of the search chapter, whose files are ``search/{learner}/{table}…``; those of
``selfplay`` are ``search_selfplay_games`` and ``search_selfplay_positions``."""

_SELFPLAY = {
    "learner": _part(5),
    "generation": f"CAST({_part(3)} AS INTEGER)",
    "shard": f"CAST({_part(2)} AS INTEGER)",
}
"""The folders of a learner's games against itself."""

_RUN = {
    "filter": _part(4),
    "scenario": f"CAST({_part(3)} AS INTEGER)",
    "model": _part(2),
    "seed": f"CAST({_part(1)} AS INTEGER)",
}
"""The folders of a trained evaluation model's files, and the file's stem."""

_PLACED: Mapping[str, Mapping[str, str]] = {
    "predictions": _RUN,
    "scores": _RUN,
    "times": _RUN,
    "imitation_moves": {"rated": f"{_part(1)} = 'samples'"},
    "imitation_predictions": {
        "game": _part(5),
        "model": _part(3),
        "trained_on": f"CASE {_part(2)} WHEN 'all' THEN 'all bins'"
        f" ELSE '(' || replace({_part(2)}, '-', ',') || ']' END",
        "fold": f"CAST({_part(1)} AS INTEGER)",
    },
    "search_selfplay_games": _SELFPLAY,
    "search_selfplay_positions": _SELFPLAY,
    "search_match_games": {"learner": _part(3)},
    "search_gate_games": {"learner": _part(3), "generation": f"CAST({_part(1)} AS INTEGER)"},
}
"""What the path of a view's file says, as SQL; added where the file has no such column."""

_MACROS = (
    """CREATE MACRO _xiangqi_square(square) AS chr(97 + square % 9) || (square // 9)""",
    """CREATE MACRO _chess_square(square) AS chr(97 + square % 8) || (square // 8 + 1)""",
    """CREATE MACRO _go_point(code) AS chr(97 + code % 19) || chr(97 + code // 19)""",
    """CREATE MACRO move_text(game, code) AS CASE game
    WHEN 'xiangqi' THEN _xiangqi_square(code // 90) || _xiangqi_square(code % 90)
    WHEN 'chess' THEN _chess_square(code & 63) || _chess_square((code >> 6) & 63)
        || ['', 'n', 'b', 'r', 'q'][(code >> 12) + 1]
    WHEN 'go' THEN CASE code WHEN 361 THEN 'pass' ELSE _go_point(code) END
    END""",
)
"""``move_text(game, code)`` writes a move's code as UCI does, UCCI (ranks 0 to 9) or SGF."""


class DatabaseError(ValueError):
    """Files that cannot be put in one database."""

    exit_code = 3


def run(spec: Spec, *, tables: Sequence[Path], parquet: Sequence[Path], database: Path) -> None:
    """Write the database beside its name and rename it.

    Parameters
    ----------
    tables
        Result tables; each becomes a table of its file's name.
    parquet
        ``{results}/{chapter}/{view}/….parquet`` or ``{results}/{chapter}/{view}.parquet``, and
        ``{results}/imitation/{game}/{table}…``, ``{results}/search/{learner}/{table}…``; the files
        of one view are of all folders below.
    database
        Output, ``{results}/tabia.duckdb``.

    Raises
    ------
    DatabaseError
        If a file lies outside the results folder, or two chapters use one name.
    """
    groups = _groups(parquet, database.parent)
    with files.atomic_path(database) as unfinished:
        connection = duckdb.connect(str(unfinished))
        try:
            root = f"{database.parent.resolve().parent}/"
            connection.execute(f"SET VARIABLE {ROOT_VARIABLE} = {_text(root)}")
            for macro in _MACROS:
                connection.execute(macro)
            for path in sorted(tables):
                _copy(connection, path)
            for name in sorted(groups, key=lambda name: (name == "games", name)):
                _add(connection, name, groups[name], groups)
            connection.execute("CHECKPOINT")
        finally:
            connection.close()


def _groups(parquet: Sequence[Path], results: Path) -> dict[str, list[str]]:
    """Return the files of each view, as named from the folder above the results."""
    base = results.resolve()
    groups: dict[str, list[str]] = {}
    chapters: dict[str, str] = {}
    for path in parquet:
        try:
            inner = path.resolve().relative_to(base)
        except ValueError:
            raise DatabaseError(f"{path}: not inside {results}, where the database lies") from None
        if len(inner.parts) < 2:
            raise DatabaseError(f"{path}: expected {results}/chapter/table/….parquet")
        chapter, name = _place(inner)
        if chapters.setdefault(name, chapter) != chapter:
            raise DatabaseError(f"{path}: chapter {chapters[name]} has a table {name} too")
        groups.setdefault(name, []).append(f"{base.name}/{inner.as_posix()}")
    return groups


def _place(inner: Path) -> tuple[str, str]:
    """Return the chapter and the view of a file, by its path below the results."""
    chapter, *below = inner.with_suffix("").parts
    if chapter == "imitation" and len(below) > 1 and below[1] in _IMITATION:
        return chapter, _IMITATION[below[1]]
    if chapter == "search" and len(below) > 2:
        return chapter, _SEARCH.get(below[1], f"search_selfplay_{below[-1]}")
    return chapter, below[0]


def _copy(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    """Copy a result table in, with its title as comment."""
    title = (pq.read_schema(path).metadata or {}).get(b"tabia.title", path.stem.encode()).decode()
    connection.execute(
        f"CREATE TABLE {_name(path.stem)} AS SELECT * FROM read_parquet($file)",
        {"file": str(path)},
    )
    _comment(connection, "TABLE", path.stem, title)


def _add(
    connection: duckdb.DuckDBPyConnection,
    name: str,
    names: Sequence[str],
    groups: Mapping[str, Sequence[str]],
) -> None:
    listed = ", ".join(_text(file) for file in names)
    root = f"coalesce(getvariable('{ROOT_VARIABLE}'), '')"
    source = f"read_parquet([{root} || file FOR file IN [{listed}]]"
    select = f"SELECT * FROM {source})"
    if name in _PLACED:
        select = _with_place(connection, _PLACED[name], source)
    if name == "games" and "splits" in groups:
        select = (
            f"SELECT games.*, splits.* EXCLUDE (game_id) FROM {source}) AS games"
            " LEFT JOIN splits ON splits.game_id = games.game_id"
        )
    kind = "TABLE" if name in _COPIED else "VIEW"
    connection.execute(f"CREATE {kind} {_name(name)} AS {select}")
    _comment(connection, kind, name, VIEWS.get(name, ""))


def _with_place(
    connection: duckdb.DuckDBPyConnection, placed: Mapping[str, str], source: str
) -> str:
    """Add what the path says, where no column says it."""
    described = connection.execute(f"DESCRIBE SELECT * FROM {source})").fetchall()
    present = {row[0] for row in described}
    added = [f"{value} AS {key}" for key, value in placed.items() if key not in present]
    return f"SELECT {', '.join([*added, '* EXCLUDE (filename)'])} FROM {source}, filename = true)"


def _comment(connection: duckdb.DuckDBPyConnection, kind: str, name: str, comment: str) -> None:
    connection.execute(f"COMMENT ON {kind} {_name(name)} IS {_text(comment)}")
    columns = connection.execute(f"DESCRIBE {_name(name)}").fetchall()
    for column, *_ in columns:
        if text := explain(name, column):
            connection.execute(f"COMMENT ON COLUMN {_name(name)}.{_name(column)} IS {_text(text)}")


def _name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
