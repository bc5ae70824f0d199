"""How much people agree in the same position, and so how well any predictor of one move could do.

The best that a predictor of one move can reach in a position is the probability of its likeliest
move. That is estimated where a position came up in two games of a bin or more. Two estimates hold
it between them:

- from above, the share of the most frequent move: too high, since the most frequent of a few is
  picked after the fact;
- from below, leaving one out: each game's move is predicted by the most frequent one of the other
  games (ties share the hit). That is a predictor of one move, and knows a game less.

A position counts once a game, at its first coming up. Errors are by the delete-half jackknife over
blocks of games (Shao and Wu, "A general theory for jackknife variance estimation", Annals of
Statistics 17, 1989): a bootstrap would repeat games, and games that are repeated agree with
themselves; and as the most frequent move jumps from one to another, leaving out one block at a time
gives errors that are several times too large.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from tabia.records.hashing import unit_of
from tabia.tables.results import Figure

__all__ = [
    "NoRepeatsError",
    "block_of",
    "ceilings",
    "figures",
    "first_in_game",
    "places",
    "repeated",
]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_BLOCKS = 50
_PAIRS = 50  # of halves that are each other's rest
_DEFINED_SHARE = 0.9  # of the halves that must give a value, else there is no interval
_SALT = 0x4345494C49000005


class NoRepeatsError(ValueError):
    """Too few positions that come up in two games."""


def places(of: Ints, key: NDArray[np.uint64]) -> Ints:
    """Return `[n]` numbers, equal for moves of one bin in one position.

    Parameters
    ----------
    of
        `[n]` number of the bin.
    key
        `[n]` hash of the position.
    """
    _, position = np.unique(key, return_inverse=True)
    return np.asarray(of * (position.max(initial=0) + 1) + position)


def first_in_game(place: Ints, game_id: NDArray[np.uint64]) -> Ints:
    """Return the rows, ascending, at which a place comes up for the first time in its game."""
    _, game = np.unique(game_id, return_inverse=True)
    pair = place * (game.max(initial=0) + 1) + game
    return np.sort(np.unique(pair, return_index=True)[1])


def repeated(place: Ints) -> NDArray[np.bool_]:
    """Return which rows, a place once a game, are of a place that came up in two games or more."""
    _, where, n = np.unique(place, return_inverse=True, return_counts=True)
    return np.asarray(n[where] > 1)


def block_of(game_id: NDArray[np.uint64]) -> Ints:
    """Return the block of the jackknife that each game is in, `[n]`."""
    return np.floor(unit_of(game_id, _SALT) * _BLOCKS).astype(np.int64)


def ceilings(place: Ints, move: Ints) -> tuple[float, float]:
    """Return the ceiling from below and from above, NaN where no place is repeated.

    Parameters
    ----------
    place, move
        `[n]` of moves, a place once a game.
    """
    found, where, n = np.unique(place, return_inverse=True, return_counts=True)
    width = int(move.max(initial=0)) + 1
    pairs, count = np.unique(where * width + move, return_counts=True)
    at = pairs // width
    most = np.zeros(len(found), np.int64)
    np.maximum.at(most, at, count)
    is_most = count == most[at]
    n_most = np.bincount(at[is_most], minlength=len(found))
    second = np.zeros(len(found), np.int64)
    np.maximum.at(second, at[~is_most], count[~is_most])
    n_second = np.bincount(at[~is_most & (count == second[at])], minlength=len(found))
    is_repeated = n > 1
    total = int(n[is_repeated].sum())
    if not total:
        return float("nan"), float("nan")
    # Without one of its own games a most frequent move keeps most - 1. If it was alone, it still
    # leads, ties with the second, or falls behind; if it was not, its equals lead.
    alone = n_most == 1
    hits = np.where(alone & (most - 1 > second), most, 0.0)
    hits = np.where(alone & (most - 1 == second), most / (n_second + 1.0), hits)
    return float(hits[is_repeated].sum() / total), float(most[is_repeated].sum() / total)


def figures(
    statistic: Callable[[NDArray[np.bool_]], dict[str, float]],
    game_id: NDArray[np.uint64],
    confidence: float,
    *,
    ends: tuple[float, float],
    played_by: str,
) -> list[Figure]:
    """Return what `statistic` gives of all rows, with intervals by delete-half jackknife.

    The variance over halves of the games is that of the statistic of all games, for a half left
    out of n games has the factor (n - n/2) / (n/2) = 1.

    Parameters
    ----------
    statistic
        From which rows are kept, `[n]` bool, to shares by name.
    game_id
        `[n]` of the rows.
    ends
        The least and the largest that a share can be.

    Raises
    ------
    NoRepeatsError
        If a share is undefined, or is so in more than a tenth of the halves.
    """
    block = block_of(game_id)
    value = statistic(np.ones(len(block), np.bool_))
    halves = [statistic(half[block]) for half in _halves()]
    width = NormalDist().inv_cdf((1 + confidence) / 2)
    method = f"{100 * confidence:.4g}% delete-half jackknife over {_BLOCKS} blocks of games"
    found = []
    for name, estimate in value.items():
        kept = np.array([one[name] for one in halves])
        kept = kept[np.isfinite(kept)]
        if not np.isfinite(estimate) or len(kept) < _DEFINED_SHARE * len(halves):
            raise NoRepeatsError(f"no {name}: too few positions come up in two games or more")
        spread = width * float(kept.std())
        found.append(
            Figure(
                metric=name,
                unit="share",
                value=estimate,
                lo=min(estimate, max(ends[0], estimate - spread)),
                hi=max(estimate, min(ends[1], estimate + spread)),
                interval=method,
                n_games=len(np.unique(game_id)),
                n_positions=len(game_id),
                played_by=played_by,
            )
        )
    return found


@cache
def _halves() -> NDArray[np.bool_]:
    """Return halves of the blocks, `[2 * _PAIRS, _BLOCKS]`: drawn once for all, and their rests."""
    blocks = np.tile(np.arange(_BLOCKS), (_PAIRS, 1))
    drawn = np.random.default_rng(_SALT).permuted(blocks, axis=1) < _BLOCKS // 2
    return np.concatenate([drawn, ~drawn])
