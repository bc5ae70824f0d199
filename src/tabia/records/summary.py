"""Stage ``records.summary``: the chapter's result tables, all of them exact counts.

What was found and what became of it; how many games and positions stand behind each Elo bin;
what the splits share. A share is counted over the whole data set, so it is exact too. Numbers of
two games are never added up: every row is about one of them.
"""

from __future__ import annotations

import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, product
from pathlib import Path
from types import MappingProxyType
from typing import Any

import duckdb
import pyarrow as pa

from tabia.records.config import EloBins
from tabia.records.elo_bins import bin_names
from tabia.records.opening import GameFileError
from tabia.tables import parquet, results
from tabia.tables.results import Figure, exact
from tabia.tables.spec import Spec
from tabia.tables.splits import SPLITS

__all__ = ["ALL", "KEYS", "run"]

ALL = "all sources"
"""Source of the rows that add up all sources of a game."""

_MANY_FILES = 200
_MEMORY = "2GB"  # for DuckDB; what needs more is spilled to disk
_ACCEPTED = "accepted"
_UNITS = {
    "players": "players",
    "positions": "positions",
    "moves": "(position, move) pairs",
    "owned positions": "positions",
}
_COPIES = ("repeated games", "repeated games with another result", "games with several results")
KEYS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "records_games": ("game", "source", "file", "reason"),
        "records_elo_bins": ("game", "elo_bin_by", "elo_bin", "split"),
        "records_leakage": ("game", "split", "other_split", "what"),
    }
)
"""Key columns of each table."""
Rows = list[tuple[Sequence[object], Figure]]
_Copies = dict[tuple[str, str], tuple[int, ...]]


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

    Raises
    ------
    GameFileError
        If a source has a file of headers and none is of its games.
    """
    fates = pa.concat_tables([parquet.read(path) for path in counts])
    _check_headers(fates)
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
        tables = (
            ("records_games", games_table, "Games found, accepted and rejected"),
            ("records_elo_bins", elo_bins_table, "Games and positions in each Elo bin"),
            (
                "records_leakage",
                leakage_table,
                "Players, positions and moves that the games of two splits share",
            ),
        )
        bins = EloBins.model_validate(spec.config["elo_bins"])
        shared = pa.concat_tables([parquet.read(path) for path in leaks])
        rows: dict[str, Rows] = {
            "records_games": _games(fates, sources, _copies(db, sources)),
            "records_elo_bins": _elo_bins(db, bins),
            "records_leakage": _leakage(db, shared),
        }
        for name, path, title in tables:
            results.write(results.table(KEYS[name], rows[name]), path, spec=spec, title=title)


def _list(paths: Sequence[Path]) -> str:
    """Return an SQL list of file names."""
    return "[" + ", ".join(_text(path) for path in paths) + "]"


def _text(value: object) -> str:
    """Return an SQL string."""
    return "'" + str(value).replace("'", "''") + "'"


def _played_by(values: set[str]) -> str:
    return " and ".join(sorted(values)) or "people"


def _check_headers(fates: pa.Table) -> None:
    """Refuse headers of other games, which one of several shards cannot know."""
    sums = fates.group_by("source").aggregate([("joined", "sum"), ("unjoined", "sum")])
    for row in sums.sort_by("source").to_pylist():
        if row["unjoined_sum"] and not row["joined_sum"]:
            raise GameFileError(
                f"source {row['source']}: its file of headers has none of the "
                f"{row['unjoined_sum']:,} games of its tables of moves; name under `headers` the "
                "file that belongs to them, or none"
            )


# -- games ---------------------------------------------------------------------------------


def _copies(db: duckdb.DuckDBPyConnection, sources: list[str]) -> _Copies:
    """Count by file what the metrics _COPIES say.

    A copy has the start and moves of an earlier game. Games without moves are nobody's copies. A
    copy has another result if its own is known and is not the first that is known of its group;
    the group itself is counted where its first game stands, so that files add up.
    """
    rows = db.execute(
        """
        SELECT source, file,
            count(*) FILTER (copy > 1),
            count(*) FILTER (differs),
            count(*) FILTER (copy = 1 AND group_differs)
        FROM (
            SELECT *, bool_or(differs) OVER (PARTITION BY game, split_hash) AS group_differs
            FROM (
                SELECT game, source, file, split_hash,
                    row_number() OVER content AS copy,
                    coalesce(result <> first_value(result IGNORE NULLS) OVER (
                        content ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
                    ), false) AS differs
                FROM games WHERE n_plies > 0
                WINDOW content AS (
                    PARTITION BY game, split_hash
                    ORDER BY list_position($sources, source), file, ordinal
                )
            )
        )
        GROUP BY ALL ORDER BY ALL
        """,
        {"sources": sources},
    ).fetchall()
    return {(source, file): tuple(counts) for source, file, *counts in rows}


def _games(fates: pa.Table, sources: list[str], copies: _Copies) -> Rows:
    by_source: dict[str, dict[str, Counter[str]]] = {source: {} for source in sources}
    game_of: dict[str, str] = {}
    played_by: dict[str, str] = {}
    unjoined: dict[str, dict[str, int]] = {source: {} for source in sources}
    for row in fates.to_pylist():
        reasons = by_source[row["source"]].setdefault(row["file"], Counter())
        reasons[row["reason"]] += row["games"]
        game_of[row["source"]] = row["game"]
        played_by[row["source"]] = row["played_by"]
        if row["unjoined"] is not None:
            without = unjoined[row["source"]]
            without[row["file"]] = without.get(row["file"], 0) + row["unjoined"]
    rows: Rows = []
    for game in dict.fromkeys(game_of.values()):
        of_game = {source: files for source, files in by_source.items() if game_of[source] == game}
        for source, files in of_game.items():
            counts = {file: copies.get((source, file), (0,) * len(_COPIES)) for file in files}
            if len(files) > _MANY_FILES:
                label = f"{len(files):,} files"
                files, counts = {label: _sum(files.values())}, {label: _sums(counts.values())}
                if unjoined[source]:
                    unjoined[source] = {label: sum(unjoined[source].values())}
            for file in sorted(files):
                keys = (game, source, file)
                rows += _fates(keys, files[file], counts[file], played_by[source])
                if file in unjoined[source]:
                    rows.append(
                        _without_header(
                            keys, files[file], unjoined[source][file], played_by[source]
                        )
                    )
        everything = _sum(reasons for files in of_game.values() for reasons in files.values())
        everyone = _played_by({played_by[source] for source in of_game})
        all_copies = _sums(counts for (source, _), counts in copies.items() if source in of_game)
        rows += _fates((game, ALL, ALL), everything, all_copies, everyone)
        if any(unjoined[source] for source in of_game):
            total = sum(sum(unjoined[source].values()) for source in of_game)
            rows.append(_without_header((game, ALL, ALL), everything, total, everyone))
    return rows


def _sum(counts: Iterable[Counter[str]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for one in counts:
        total.update(one)
    return total


def _sums(counts: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(map(sum, zip(*counts, strict=True))) or (0,) * len(_COPIES)


def _fates(
    keys: tuple[str, ...], reasons: Counter[str], copies: tuple[int, ...], played_by: str
) -> Rows:
    found = reasons.total()

    def row(reason: str, metric: str, value: int) -> tuple[Sequence[object], Figure]:
        figure = exact(
            metric, value, unit="games", n_games=found, n_positions=None, played_by=played_by
        )
        return (*keys, reason), figure

    accepted = reasons[_ACCEPTED]
    return [
        row("found", "games", found),
        row(_ACCEPTED, "games", accepted),
        *(
            row(reason, "games", games)
            for reason, games in sorted(reasons.items())
            if reason != _ACCEPTED
        ),
        row("rejected", "rejected games", found - accepted),
        *(row(_ACCEPTED, *copy) for copy in zip(_COPIES, copies, strict=True)),
    ]


def _without_header(
    keys: tuple[str, ...], reasons: Counter[str], games: int, played_by: str
) -> tuple[Sequence[object], Figure]:
    """Return the row of games that the file of headers of their source lacks."""
    figure = exact(
        "games without a header",
        games,
        unit="games",
        n_games=reasons.total(),
        n_positions=None,
        played_by=played_by,
    )
    return (*keys, "found"), figure


# -- Elo bins ------------------------------------------------------------------------------


def _elo_bins(db: duckdb.DuckDBPyConnection, bins: EloBins) -> Rows:
    order = [*bin_names(bins), "none"]
    rows: Rows = []
    for who in ("first", "second", "both"):
        found = db.execute(
            f"""
            SELECT game, elo_bin, split, played_by, count(*), sum(positions) FROM (
                SELECT game, coalesce({who}_elo_bin, 'none') AS elo_bin, split, played_by,
                    CASE n_plies WHEN 0 THEN 0 ELSE n_plies + 1 END AS positions
                FROM splits JOIN games USING (game_id)
            )
            GROUP BY game, elo_bin, split, played_by
            ORDER BY game, list_position($bins, elo_bin), list_position($splits, split), played_by
            """,
            {"bins": order, "splits": list(SPLITS)},
        ).fetchall()
        for game, elo_bin, split, played_by, games, positions in found:
            common: dict[str, Any] = {
                "n_games": games,
                "n_positions": int(positions),
                "played_by": played_by,
            }
            keys = (game, who, elo_bin, split)
            rows.append((keys, exact("games", games, unit="games", **common)))
            rows.append((keys, exact("positions", int(positions), unit="positions", **common)))
    return rows


# -- leakage -------------------------------------------------------------------------------


def _leakage(db: duckdb.DuckDBPyConnection, leaks: pa.Table) -> Rows:
    db.execute(
        """
        CREATE TEMP TABLE players AS
        SELECT DISTINCT game, split, name FROM (
            SELECT game, split, first_name AS name FROM games JOIN splits USING (game_id)
            UNION ALL
            SELECT game, split, second_name FROM games JOIN splits USING (game_id)
        ) WHERE name IS NOT NULL
        """
    )
    players = _by_keys(db, "SELECT game, split, count(*) FROM players GROUP BY ALL")
    shared = _by_keys(
        db,
        """
        SELECT game, p.split, q.split, count(*) FROM players p JOIN players q USING (game, name)
        WHERE p.split <> q.split GROUP BY ALL
        """,
    )
    all_games = _by_keys(
        db, "SELECT game, split, count(*) FROM splits JOIN games USING (game_id) GROUP BY ALL"
    )
    who: dict[str, set[str]] = defaultdict(set)
    for game, name in db.execute("SELECT DISTINCT game, played_by FROM games").fetchall():
        who[game].add(name)
    sums: dict[tuple[str, ...], list[int]] = defaultdict(lambda: [0, 0, 0])
    for row in leaks.to_pylist():
        total = sums[row["game"], row["split"], row["other_split"], row["what"]]
        for i, name in enumerate(("in_split", "in_other_split", "in_both")):
            total[i] += row[name]
    rows: Rows = []
    for game, (a, b) in product(dict.fromkeys(keys[0] for keys in sums), combinations(SPLITS, 2)):
        counts = {"players": [players[game, a], players[game, b], shared[game, a, b]]}
        counts |= {what: sums[game, a, b, what] for what in _UNITS if what != "players"}
        n_games = sum(sums[game, a, b, "games"][:2])
        n_positions = sum(counts["positions"][:2])
        for what, (in_a, in_b, in_both) in counts.items():
            common: dict[str, Any] = {
                "n_games": all_games[game, a] + all_games[game, b]
                if what == "players"
                else n_games,
                "n_positions": None if what == "players" else n_positions,
                "played_by": _played_by(who[game]),
            }
            keys = (game, a, b, what)
            rows.append((keys, exact("in split", in_a, unit=_UNITS[what], **common)))
            rows.append((keys, exact("in other split", in_b, unit=_UNITS[what], **common)))
            rows.append((keys, exact("shared", in_both, unit=_UNITS[what], **common)))
            share = in_both / in_b if in_b else 0.0
            rows.append((keys, exact("shared share of other split", share, unit="share", **common)))
    return rows


def _by_keys(db: duckdb.DuckDBPyConnection, query: str) -> Counter[tuple[str, ...]]:
    """Return the last column of a query by the others; 0 for keys that it does not have."""
    return Counter({tuple(keys): count for *keys, count in db.execute(query).fetchall()})
