"""Games and positions behind the models, by Elo bin, for the summary."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabia.imitation.bins import bin_of, label
from tabia.tables import parquet
from tabia.tables.results import Figure, exact

__all__ = ["KEYS", "SummarySamplesError", "rows"]

KEYS = ("game", "rated", "elo_bin_by", "elo_bin")
"""`elo_bin` is null in rows about all games."""

_COLUMNS = ["game", "game_id", "mover_elo", "other_elo", "played_by"]
_MEMBERS = ("mover", "both")

_Keyed = tuple[tuple[object, ...], Figure]


class SummarySamplesError(ValueError):
    """A table of samples that does not say which games it holds."""

    exit_code = 3


def rows(paths: Sequence[Path], bins: Mapping[str, Sequence[str]]) -> list[_Keyed]:
    """Return exact counts of the samples of every game, rated ones first.

    Parameters
    ----------
    bins
        Of each game, in the order of the table: names in paths.

    Raises
    ------
    SummarySamplesError
        If a table does not say whether its games are rated.
    """
    found: dict[tuple[int, bool], list[_Keyed]] = {}
    for path in paths:
        table = parquet.read(path, _COLUMNS)
        game, is_rated = table["game"][0].as_py(), _is_rated(table, path)
        place = (list(bins).index(game), not is_rated)
        found[place] = list(_of(table, game, is_rated, bins[game] if is_rated else ()))
    return [row for place in sorted(found) for row in found[place]]


def _is_rated(table: pa.Table, path: Path) -> bool:
    text = (table.schema.metadata or {}).get(b"tabia.spec")
    if text is None:
        raise SummarySamplesError(f"{path}: does not say which job wrote it; run it again")
    return bool(json.loads(text)["config"]["rated"])


def _of(table: pa.Table, game: str, is_rated: bool, bins: Sequence[str]) -> Iterator[_Keyed]:
    for figure in _counts(table):
        yield (game, is_rated, None, None), figure
    for member in _MEMBERS if bins else ():
        of = bin_of(table, bins, member)
        for place, name in enumerate(bins):
            own = table.filter(pa.array(of == place))
            for figure in _counts(own) if own.num_rows else ():
                yield (game, is_rated, member, label(name)), figure


def _counts(table: pa.Table) -> Iterator[Figure]:
    n_games = int(pc.count_distinct(table["game_id"]).as_py())
    n_positions = table.num_rows
    played_by = " and ".join(sorted(np.unique(table["played_by"].unique().to_pylist())))
    for metric, value, behind in (
        ("games", n_games, None),
        ("positions", n_positions, n_positions),
    ):
        yield exact(
            metric,
            value,
            unit=metric,
            n_games=n_games,
            n_positions=behind,
            played_by=played_by,
        )
