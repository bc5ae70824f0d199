"""Games between named players: who is joined with whom, and what their results can tell."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tabia.match.strength import FitError

__all__ = ["Games", "check_finite", "groups_of", "tally", "tells_advantage"]

_Places = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Games:
    """Games with a result, of different players each.

    Attributes
    ----------
    names
        Of the players.
    first, second
        ``[n]`` who moved first, and the other, by place in `names`.
    result
        ``[n]`` int8, first player's view: 1, 0, -1.
    unit
        ``[n]`` equal for games that depend on each other: both of a pair. None: no two do.
    """

    names: tuple[str, ...]
    first: _Places
    second: _Places
    result: NDArray[np.int8]
    unit: _Places | None = None


def groups_of(games: Games) -> _Places:
    """Return the group of each player, ``[n]``, the largest group being 0."""
    from scipy import sparse
    from scipy.sparse.csgraph import connected_components

    n = len(games.names)
    joined = sparse.coo_matrix((np.ones(len(games.first)), (games.first, games.second)), (n, n))
    _, label = connected_components(joined, directed=False)
    sizes = np.bincount(label)
    rank = np.empty(len(sizes), np.intp)
    rank[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes))
    place: _Places = rank[label]
    return place


def tells_advantage(games: Games) -> bool:
    """Whether some strengths could not stand for an advantage of the first move.

    They could if numbers can be given to all players such that in each game the first one's is one
    above the second's.
    """
    joined: dict[int, set[tuple[int, int]]] = defaultdict(set)
    for one, other in zip(games.first.tolist(), games.second.tolist(), strict=True):
        joined[one].add((other, -1))
        joined[other].add((one, 1))
    level: dict[int, int] = {}
    for root in joined:
        if root in level:
            continue
        level[root] = 0
        waiting = [root]
        while waiting:
            one = waiting.pop()
            for other, up in joined[one]:
                if other not in level:
                    level[other] = level[one] + up
                    waiting.append(other)
                elif level[other] != level[one] + up:
                    return True
    return False


def check_finite(games: Games, anchors: Collection[int]) -> None:
    """Refuse players, or groups of them, that won or lost every game against the rest.

    Parameters
    ----------
    games
        The games.
    anchors
        Players whose strength is given.

    Raises
    ------
    FitError
        If there are such, naming some of them.
    """
    from scipy import sparse
    from scipy.sparse.csgraph import connected_components

    n = len(games.names)
    took = np.concatenate([games.first[games.result >= 0], games.second[games.result <= 0]])
    gave = np.concatenate([games.second[games.result >= 0], games.first[games.result <= 0]])
    points = sparse.coo_matrix((np.ones(len(took)), (took, gave)), (n, n))
    _, parts = connected_components(points, directed=True, connection="strong")
    group = groups_of(games)
    largest: dict[int, int] = {}
    for part in np.argsort(np.bincount(parts), kind="stable"):
        largest[int(group[np.flatnonzero(parts == part)[0]])] = int(part)
    apart = [i for i in range(n) if parts[i] != largest[int(group[i])] and i not in anchors]
    if apart:
        names = ", ".join(games.names[i] for i in apart[:5])
        more = ", …" if len(apart) > 5 else ""
        raise FitError(
            f"without a prior {len(apart):,} players have no finite Elo ({names}{more}):"
            " they, or a group that they belong to, won or lost every game against the rest;"
            " --prior 1 makes it finite"
        )


def tally(games: Games) -> list[tuple[int, int, int]]:
    """Return games won, drawn and lost of each player."""
    n = len(games.names)
    counts = np.zeros((n, 3), np.int64)
    np.add.at(counts, (games.first, 1 - games.result.astype(np.intp)), 1)
    np.add.at(counts, (games.second, 1 + games.result.astype(np.intp)), 1)
    return [(won, drawn, lost) for won, drawn, lost in counts.tolist()]
