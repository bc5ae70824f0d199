"""Ratings of players from all their matches together.

The model is that of points in :mod:`tabia.match.strength`: a player of Elo a scores
1 / (1 + 10^((b - a) / 400)) points a game against one of Elo b.

The unit is the pair of games with one opening, as in :mod:`tabia.match.elo`. To what was played one
pair is added to every match, spread equally over the five scores of a pair: without it a match that
one side wins throughout has no finite answer. It draws ratings towards each other, the less the
longer matches are. Intervals are a Bayesian bootstrap (Rubin 1981): in each draw the shares of the
five scores of every match come from the Dirichlet distribution of these counts, so that a clean
sweep has an interval too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tabia.match.elo import PAIR_SCORES
from tabia.match.strength import NATURAL_ELO, Cells, fit_each

__all__ = ["Rating", "rate", "ratings"]

_ADDED = 1 / len(PAIR_SCORES)


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's Elo, the anchor's being 0.

    Attributes
    ----------
    value, lo, hi
        ``lo <= value <= hi``.
    games
        That the player played.
    """

    value: float
    lo: float
    hi: float
    games: int


def ratings(
    matches: Mapping[tuple[str, str], Sequence[int]],
    anchor: str,
    rng: np.random.Generator,
    *,
    draws: int,
    confidence: float,
) -> dict[str, Rating]:
    """Rate all players.

    Parameters
    ----------
    matches
        Numbers of pairs by the first player's points, in the order of `PAIR_SCORES`, of each match.
    anchor
        Whose Elo is 0.
    rng
        Of the intervals.
    draws, confidence
        Of the intervals.

    Raises
    ------
    ValueError
        If a player is not joined with the anchor by matches.
    """
    names = list(dict.fromkeys([anchor, *(name for pair in matches for name in pair)]))
    _check_joined(names, matches)
    if not matches:
        return {anchor: Rating(0.0, 0.0, 0.0, 0)}
    place = {name: i for i, name in enumerate(names)}
    who = np.array([[place[one], place[other]] for one, other in matches], np.intp).reshape(-1, 2)
    counts = np.array(list(matches.values()), np.float64).reshape(-1, len(PAIR_SCORES))
    counts = counts + _ADDED
    points = np.array(PAIR_SCORES) / 2
    size = counts.sum(axis=1)
    value = rate(len(names), who, size, counts @ points).round(6)  # ends of sums differ by CPU
    shares = np.array([[rng.dirichlet(row) for row in counts] for _ in range(draws)])
    found = rate(len(names), who, size, (shares.reshape(draws, *counts.shape) @ points) * size)
    tail = (1 - confidence) / 2
    lo, hi = np.quantile(found, [tail, 1 - tail], axis=0).round(6)
    games = dict.fromkeys(names, 0)
    for (one, other), pairs in matches.items():
        for name in (one, other):
            games[name] += 2 * sum(pairs)
    return {
        name: Rating(
            float(value[i]), float(min(lo[i], value[i])), float(max(hi[i], value[i])), games[name]
        )
        for name, i in place.items()
    }


def rate(
    players: int,
    who: NDArray[np.intp],
    size: NDArray[np.float64],
    points: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the likeliest Elo of each player, that of player 0 being 0.

    Parameters
    ----------
    players
        Their number.
    who
        ``[matches, 2]`` first and second player.
    size
        ``[matches]`` number of games.
    points
        ``[matches]`` of the first player, more than 0 and fewer than games; or ``[k, matches]``,
        and the answer is ``[k, players]``.
    """
    won = np.atleast_2d(points)
    cells = Cells(who[:, 0], who[:, 1], won, np.zeros_like(won), size - won)
    each = fit_each(players, cells, {0: 0.0}, advantage=False)
    found = np.stack([one.players for one in each]) * NATURAL_ELO
    return found.reshape(*points.shape[:-1], players)


def _check_joined(names: Sequence[str], matches: Mapping[tuple[str, str], Sequence[int]]) -> None:
    joined = {names[0]}
    while new := {
        name for pair in matches if joined & set(pair) for name in pair if name not in joined
    }:
        joined |= new
    if left := [name for name in names if name not in joined]:
        raise ValueError(f"no match joins {', '.join(left)} with {names[0]}")
