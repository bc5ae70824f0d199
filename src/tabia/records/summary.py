"""Stage ``records.summary``: the chapter's result tables, all of them exact counts.

What was found and what became of it; how many games and positions stand behind each Elo bin;
what the splits share. A share is counted over the whole data set, so it is exact too.
"""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from tabia.records.config import EloBins
from tabia.records.elo_bins import bin_names
from tabia.tables import parquet, results
from tabia.tables.results import Figure, exact
from tabia.tables.spec import Spec
from tabia.tables.splits import SPLITS

__all__ = ["ALL", "run"]

ALL = "all sources"
"""Source of the rows that add up everything."""

_MANY_FILES = 200
_MEMORY = "2GB"  # for DuckDB; what needs more is spilled to disk
_ACCEPTED = "accepted"
_UNITS = {
    "players": "players",
    "positions": "positions",
    "moves": "(position, move) pairs",
    "owned positions": "positions",
}
Rows = list[tuple[Sequence[object], Figure]]


def run(
    spec: Spec,
    *,
    counts: Sequence[Path],
    games: Sequence[Path],
    splits: Sequence[Path],
    leaks: Sequence[Path],
    games_table: Path,
    elo_bins_table: Path,
    leakage_table: Path,
) -> None:
    """Write the result tables ``records_games``, ``records_elo_bins`` and ``records_leakage``.

    Parameters
    ----------
    spec
        ``spec.config["elo_bins"]`` names the bins.
    counts, games, splits, leaks
        IN: tables of every shard and bucket; `games` and `splits` in the same order.
    """
    fates = pa.concat_tables([parquet.read(path) for path in counts])
    # Order of first appearance: the configuration's.
    sources = list(dict.fromkeys(fates["source"].to_pylist()))
    with (
        # Not beside the tables: a kill leaves it behind, and people read that folder.
        tempfile.TemporaryDirectory(prefix="tabia-") as spill,
        duckdb.connect() as db,
    ):
        db.execute("SET threads = 1")
        db.execute(f"SET memory_limit = '{_MEMORY}'")
        db.execute(f"SET temp_directory = {_text(spill)}")
        db.execute(
            "CREATE VIEW games AS SELECT * FROM read_parquet("
            f"{_list(games)}, hive_partitioning = false)"
        )
        db.execute(
            "CREATE VIEW splits AS SELECT * FROM read_parquet("
            f"{_list(splits)}, hive_partitioning = false)"
        )
        repeated = _repeated(db, sources)
        results.write(
            results.table(["source", "file", "reason"], _games(fates, sources, repeated)),
            games_table,
            spec=spec,
            title="Games found, accepted and rejected",
        )
        bins = EloBins.model_validate(spec.config["elo_bins"])
        results.write(
            results.table(["elo_bin_by", "elo_bin", "split"], _elo_bins(db, bins)),
            elo_bins_table,
            spec=spec,
            title="Games and positions in each Elo bin",
        )
        results.write(
            results.table(["split", "other_split", "what"], _leakage(db, leaks)),
            leakage_table,
            spec=spec,
            title="Players, positions and moves that the games of two splits share",
        )


def _list(paths: Sequence[Path]) -> str:
    """Return an SQL list of file names."""
    return "[" + ", ".join(_text(path) for path in paths) + "]"


def _text(value: object) -> str:
    """Return an SQL string."""
    return "'" + str(value).replace("'", "''") + "'"


def _played_by(values: set[str]) -> str:
    return " and ".join(sorted(values)) or "people"


# -- games ---------------------------------------------------------------------------------


def _repeated(db: duckdb.DuckDBPyConnection, sources: list[str]) -> dict[tuple[str, str], int]:
    """Count, by file, the games whose start and moves an earlier game had already."""
    rows = db.execute(
        """
        SELECT source, file, count(*) FROM (
            SELECT source, file, row_number() OVER (
                PARTITION BY split_hash
                ORDER BY list_position($sources, source), file, ordinal
            ) AS copy
            FROM games
        )
        WHERE copy > 1 GROUP BY ALL ORDER BY ALL
        """,
        {"sources": sources},
    ).fetchall()
    return {(source, file): count for source, file, count in rows}


def _games(fates: pa.Table, sources: list[str], repeated: Mapping[tuple[str, str], int]) -> Rows:
    by_source: dict[str, dict[str, dict[str, int]]] = {source: {} for source in sources}
    played_by: dict[str, str] = {}
    for row in fates.to_pylist():
        reasons = by_source[row["source"]].setdefault(row["file"], defaultdict(int))
        reasons[row["reason"]] += row["games"]
        played_by[row["source"]] = row["played_by"]
    rows: Rows = []
    all_reasons: dict[str, int] = defaultdict(int)
    for source, files in by_source.items():
        copies = {file: repeated.get((source, file), 0) for file in files}
        for reasons in files.values():
            for reason, games in reasons.items():
                all_reasons[reason] += games
        if len(files) > _MANY_FILES:
            label = f"{len(files):,} files"
            total: dict[str, int] = defaultdict(int)
            for reasons in files.values():
                for reason, games in reasons.items():
                    total[reason] += games
            files, copies = {label: total}, {label: sum(copies.values())}
        for file in sorted(files):
            rows += _fates((source, file), files[file], copies[file], played_by[source])
    everyone = _played_by(set(played_by.values()))
    return rows + _fates((ALL, ALL), all_reasons, sum(repeated.values()), everyone)


def _fates(
    keys: tuple[str, str], reasons: Mapping[str, int], repeated: int, played_by: str
) -> Rows:
    found = sum(reasons.values())

    def row(reason: str, metric: str, value: int) -> tuple[Sequence[object], Figure]:
        figure = exact(
            metric, value, unit="games", n_games=found, n_positions=None, played_by=played_by
        )
        return (*keys, reason), figure

    accepted = reasons.get(_ACCEPTED, 0)
    return [
        row("found", "games", found),
        row(_ACCEPTED, "games", accepted),
        *(
            row(reason, "games", games)
            for reason, games in sorted(reasons.items())
            if reason != _ACCEPTED
        ),
        row("rejected", "rejected games", found - accepted),
        row(_ACCEPTED, "repeated games", repeated),
    ]


# -- Elo bins ------------------------------------------------------------------------------


def _elo_bins(db: duckdb.DuckDBPyConnection, bins: EloBins) -> Rows:
    order = [*bin_names(bins), "none"]
    rows: Rows = []
    for who in ("first", "second", "both"):
        found = db.execute(
            f"""
            SELECT elo_bin, split, played_by, count(*), sum(positions) FROM (
                SELECT coalesce({who}_elo_bin, 'none') AS elo_bin, split, played_by,
                    n_plies + 1 AS positions
                FROM splits JOIN games USING (game_id)
            )
            GROUP BY elo_bin, split, played_by
            ORDER BY list_position($bins, elo_bin), list_position($splits, split), played_by
            """,
            {"bins": order, "splits": list(SPLITS)},
        ).fetchall()
        for elo_bin, split, played_by, games, positions in found:
            common: dict[str, Any] = {
                "n_games": games,
                "n_positions": int(positions),
                "played_by": played_by,
            }
            keys = (who, elo_bin, split)
            rows.append((keys, exact("games", games, unit="games", **common)))
            rows.append((keys, exact("positions", int(positions), unit="positions", **common)))
    return rows


# -- leakage -------------------------------------------------------------------------------


def _leakage(db: duckdb.DuckDBPyConnection, leaks: Sequence[Path]) -> Rows:
    db.execute(
        """
        CREATE TEMP TABLE players AS
        SELECT DISTINCT split, name FROM (
            SELECT split, first_name AS name FROM games JOIN splits USING (game_id)
            UNION ALL SELECT split, second_name FROM games JOIN splits USING (game_id)
        ) WHERE name IS NOT NULL
        """
    )
    players: dict[str, int] = dict(
        db.execute("SELECT split, count(*) FROM players GROUP BY ALL").fetchall()
    )
    shared: dict[tuple[str, str], int] = {
        (a, b): count
        for a, b, count in db.execute(
            """
            SELECT p.split, q.split, count(*) FROM players p JOIN players q USING (name)
            WHERE p.split <> q.split GROUP BY ALL
            """
        ).fetchall()
    }
    all_games: dict[str, int] = defaultdict(int)
    all_games.update(db.execute("SELECT split, count(*) FROM splits GROUP BY ALL").fetchall())
    played_by = _played_by(
        {row[0] for row in db.execute("SELECT DISTINCT played_by FROM games").fetchall()}
    )
    sums: dict[tuple[str, str, str], list[int]] = defaultdict(lambda: [0, 0, 0])
    for row in pa.concat_tables([parquet.read(path) for path in leaks]).to_pylist():
        total = sums[row["split"], row["other_split"], row["what"]]
        for i, name in enumerate(("in_split", "in_other_split", "in_both")):
            total[i] += row[name]
    rows: Rows = []
    for a, b in combinations(SPLITS, 2):
        counts = {"players": [players.get(a, 0), players.get(b, 0), shared.get((a, b), 0)]}
        counts |= {what: sums[a, b, what] for what in ("positions", "moves", "owned positions")}
        n_games = sum(sums[a, b, "games"][:2])
        n_positions = sum(counts["positions"][:2])
        for what, (in_a, in_b, in_both) in counts.items():
            common: dict[str, Any] = {
                "n_games": all_games[a] + all_games[b] if what == "players" else n_games,
                "n_positions": None if what == "players" else n_positions,
                "played_by": played_by,
            }
            keys = (a, b, what)
            rows.append((keys, exact("in split", in_a, unit=_UNITS[what], **common)))
            rows.append((keys, exact("in other split", in_b, unit=_UNITS[what], **common)))
            rows.append((keys, exact("shared", in_both, unit=_UNITS[what], **common)))
            share = in_both / in_b if in_b else 0.0
            rows.append((keys, exact("shared share of other split", share, unit="share", **common)))
    return rows
