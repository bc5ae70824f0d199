"""Stage ``imitation.ceiling``: how well any predictor that names one move could do.

People in the same position play different moves. The best that a predictor of one move can reach in
a position is the probability of its likeliest move, and that is estimated where a position came up
in two games of a bin or more. Two estimates hold it between them:

- from above, the share of the most frequent move: too high, since the most frequent of a few is
  picked after the fact;
- from below, leaving one out: each game's move is predicted by the most frequent one of the other
  games (ties share the hit). That is a predictor of one move, and knows a game less.

A position counts once a game, at its first coming up. Intervals are by jackknife over blocks of
games (Efron, "The jackknife, the bootstrap and other resampling plans", 1982): a bootstrap would
repeat games, and games that are repeated agree with themselves.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from tabia.imitation.config import ImitationScores
from tabia.imitation.folds import in_bin
from tabia.imitation.positions import Positions
from tabia.imitation.scores import ALL_BINS, label
from tabia.records.hashing import unit_of
from tabia.tables import parquet, results
from tabia.tables.results import Figure
from tabia.tables.spec import Spec

__all__ = ["KEYS", "Moves", "run", "shares"]

KEYS = ("game", "tested_on")

_BLOCKS = 50
_SALT = 0x4345494C49000005
_NAMES = ("ceiling_below", "ceiling_above", "repeated_share")


@dataclass(frozen=True)
class Moves:
    """Moves of some bins, a position once a game.

    Attributes
    ----------
    bin, position, move, block
        `[n]` int64 numbers; equal for equal ones.
    """

    bin: NDArray[np.int64]
    position: NDArray[np.int64]
    move: NDArray[np.int64]
    block: NDArray[np.int64]

    def take(self, chosen: NDArray[np.bool_]) -> Moves:
        """Return some of them."""
        return Moves(*(part[chosen] for part in (self.bin, self.position, self.move, self.block)))


def run(spec: Spec, *, samples: Path, ceiling: Path) -> None:
    """Write the ceiling of each bin and of all of them.

    Parameters
    ----------
    spec
        ``config`` holds ``scores``, ``member`` and ``bins``; the wildcard is ``game``.
    """
    settings = ImitationScores.model_validate(spec.config["scores"])
    positions = Positions.read(samples)
    bins, member = list(spec.config["bins"]), spec.config["member"]
    of = np.full(len(positions), -1, np.int64)
    for place, own_bin in enumerate(bins):
        of[in_bin(positions, own_bin, member)] = place
    moves, game = _once_a_game(positions, of)
    rows: list[tuple[tuple[object, ...], Figure]] = []
    groups = [(label(name), moves.bin == place) for place, name in enumerate(bins)]
    for name, chosen in [*groups, (ALL_BINS, moves.bin >= 0)]:
        own = moves.take(chosen)
        figures = _figures(own, game[chosen], settings.confidence, positions.played_by)
        rows += [((spec.wildcards["game"], name), figure) for figure in figures]
    table = results.table(KEYS, rows)
    results.check(table, ceiling.stem)
    parquet.write(table, ceiling, spec=spec)


def _once_a_game(positions: Positions, of: NDArray[np.int64]) -> tuple[Moves, NDArray[np.uint64]]:
    inside = np.flatnonzero(of >= 0)
    key = np.stack([positions.game_id[inside], positions.key[inside]], axis=1)
    _, first = np.unique(key, axis=0, return_index=True)
    index = inside[np.sort(first)]
    _, position = np.unique(positions.key[index], return_inverse=True)
    block = np.floor(unit_of(positions.split_hash[index], _SALT) * _BLOCKS).astype(np.int64)
    moves = Moves(of[index], position, positions.move[index].astype(np.int64), block)
    return moves, positions.game_id[index]


def shares(moves: Moves) -> tuple[float, float, float]:
    """Return the ceiling from below and from above, and the share of moves in repeated positions.

    The ceilings are NaN where no position is repeated.
    """
    if not len(moves.move):
        return float("nan"), float("nan"), 0.0
    place = np.stack([moves.bin, moves.position], axis=1)
    _, where, n = np.unique(place, axis=0, return_inverse=True, return_counts=True)
    pair = np.stack([where, moves.move], axis=1)
    pairs, count = np.unique(pair, axis=0, return_counts=True)
    at = pairs[:, 0]
    most = np.zeros(len(n), np.int64)
    np.maximum.at(most, at, count)
    is_most = count == most[at]
    n_most = np.bincount(at[is_most], minlength=len(n))
    second = np.zeros(len(n), np.int64)
    np.maximum.at(second, at[~is_most], count[~is_most])
    repeated = n > 1
    total = n[repeated].sum()
    if not total:
        return float("nan"), float("nan"), 0.0
    # Without one of its own games a most frequent move keeps most - 1. If it was alone, it still
    # leads, ties with the second, or falls behind; if it was not, its equals lead.
    alone = n_most == 1
    lead = most - 1 > second
    tied = (most - 1 == second) & (most > 1)
    n_second = np.bincount(at[~is_most & (count == second[at])], minlength=len(n))
    hits = np.where(alone & lead, most, 0.0)
    hits = np.where(alone & tied, most / (n_second + 1.0), hits)
    below = float(hits[repeated].sum() / total)
    return below, float(most[repeated].sum() / total), float(total / n.sum())


def _figures(
    moves: Moves, game: NDArray[np.uint64], confidence: float, players: str
) -> list[Figure]:
    value = shares(moves)
    without = np.array([shares(moves.take(moves.block != block)) for block in range(_BLOCKS)])
    width = NormalDist().inv_cdf((1 + confidence) / 2)
    found = []
    for name, estimate, left in zip(_NAMES, value, without.T, strict=True):
        if not np.isfinite(estimate) or not np.isfinite(left).all():
            continue
        spread = np.sqrt((_BLOCKS - 1) / _BLOCKS * np.square(left - left.mean()).sum())
        found.append(
            Figure(
                metric=name,
                unit="share",
                value=estimate,
                lo=max(0.0, estimate - width * spread),
                hi=min(1.0, estimate + width * spread),
                interval=f"{100 * confidence:.4g}% jackknife over {_BLOCKS} blocks of games",
                n_games=len(np.unique(game)),
                n_positions=len(game),
                played_by=players,
            )
        )
    return found
