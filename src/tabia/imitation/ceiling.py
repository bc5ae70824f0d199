"""Stage ``imitation.ceiling``: how well any predictor that names one move could do, by bin.

How that is estimated is said in :mod:`tabia.imitation.agreement`.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tabia.imitation.agreement import (
    NoRepeatsError,
    ceilings,
    figures,
    first_in_game,
    places,
    repeated,
)
from tabia.imitation.bins import ALL_BINS, label, ply_parts
from tabia.imitation.config import ImitationScores
from tabia.imitation.folds import in_bin
from tabia.imitation.positions import Positions
from tabia.tables import parquet, results
from tabia.tables.results import Figure
from tabia.tables.spec import Spec

__all__ = ["KEYS", "run"]

KEYS = ("game", "tested_on", "ply")
"""`ply` is a part by ply, ``10-19``, of the moves of all bins; null: all plies."""


def run(spec: Spec, *, samples: Path, ceiling: Path) -> None:
    """Write the ceiling of each bin, of all of them, and of all by ply.

    Parameters
    ----------
    spec
        ``config`` holds ``scores``, ``member`` and ``bins``; the wildcard is ``game``.
    samples
        IN: the game's rated samples.
    ceiling
        OUT: result table with the key columns :data:`KEYS`.
    """
    settings = ImitationScores.model_validate(spec.config["scores"])
    positions = Positions.read(samples)
    bins = list(spec.config["bins"])
    of = np.full(len(positions), -1, np.int64)
    for place, name in enumerate(bins):
        of[in_bin(positions, name, spec.config["member"])] = place
    rows: list[tuple[tuple[object, ...], Figure]] = []
    groups: list[tuple[str, str | None, NDArray[np.bool_]]] = [
        (label(name), None, of == place) for place, name in enumerate(bins)
    ]
    groups.append((ALL_BINS, None, of >= 0))
    groups += [(ALL_BINS, name, inside & (of >= 0)) for name, inside in ply_parts(positions.ply)]
    for tested_on, ply, inside in groups:
        found = _of(positions, of, np.flatnonzero(inside), settings.confidence, tested_on)
        rows += [((spec.wildcards["game"], tested_on, ply), figure) for figure in found]
    table = results.table(KEYS, rows)
    results.check(table, ceiling.stem)
    parquet.write(table, ceiling, spec=spec)


def _of(
    positions: Positions,
    of: NDArray[np.int64],
    index: NDArray[np.intp],
    confidence: float,
    name: str,
) -> list[Figure]:
    place = places(of[index], positions.key[index])
    first = first_in_game(place, positions.game_id[index])
    index, place = index[first], place[first]
    game_id = positions.game_id[index]
    again = repeated(place)
    again_in, again_move = place[again], positions.move[index][again].astype(np.int64)

    def of_repeated(kept: NDArray[np.bool_]) -> dict[str, float]:
        below, above = ceilings(again_in[kept], again_move[kept])
        return {"ceiling_below": below, "ceiling_above": above}

    def of_all(kept: NDArray[np.bool_]) -> dict[str, float]:
        share = repeated(place[kept]).mean() if kept.any() else float("nan")
        return {"repeated_share": float(share)}

    found: list[Figure] = []
    for statistic, games in ((of_repeated, game_id[again]), (of_all, game_id)):
        try:
            found += figures(
                statistic, games, confidence, ends=(0.0, 1.0), played_by=positions.played_by
            )
        except NoRepeatsError as error:
            print(f"{name}: {error}", file=sys.stderr)
    return found
