"""Stage ``records.splits``: the split and the Elo bins of every accepted game.

A game's split follows from its content, so repeated games always fall together.
"""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from tabia.records.config import EloBins
from tabia.records.elo_bins import bin_column
from tabia.records.hashing import split_of
from tabia.tables import parquet
from tabia.tables.schemas import SPLITS
from tabia.tables.spec import Spec
from tabia.tables.splits import SPLITS as SPLIT_NAMES

__all__ = ["run"]


def run(spec: Spec, *, games: Path, splits: Path) -> None:
    """Write the split and bins of each game, in the order of the games table.

    Parameters
    ----------
    spec
        ``spec.config`` has ``elo_bins`` and ``splits``.
    games
        IN: table under the schema GAMES.
    splits
        OUT: table under the schema SPLITS.
    """
    bins = EloBins.model_validate(spec.config["elo_bins"])
    table = parquet.read(games, ["game_id", "first_elo", "second_elo", "split_hash"])
    codes = split_of(table["split_hash"].to_numpy(), spec.config["splits"])
    first = bin_column(table["first_elo"], bins)
    second = bin_column(table["second_elo"], bins)
    out = pa.Table.from_arrays(
        [
            table["game_id"],
            pa.DictionaryArray.from_arrays(pa.array(codes), list(SPLIT_NAMES)).dictionary_decode(),
            first,
            second,
            pc.if_else(pc.equal(first, second), first, None),  # null where either is
        ],
        schema=SPLITS,
    )
    parquet.write(out, splits, spec=spec)
