"""Game ids, and the one way a game falls into a split.

All of it is arithmetic on unsigned 64-bit columns: no loop over games.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from tabia.tables.splits import SPLITS

__all__ = ["copies", "fold_of", "game_ids", "in_share", "mix", "split_of", "text_hash", "unit_of"]

U64 = NDArray[np.uint64]

# One constant a purpose, so that a game's split says nothing about its place in a sample.
_SPLIT = np.uint64(0x53504C4954000001)
_SHARE = np.uint64(0x5348415245000002)
_FOLD = np.uint64(0x464F4C4400000003)


def mix(values: U64) -> U64:
    """Return the splitmix64 finaliser of `values` (uint64 [n]): a bijection that mixes all bits.

    Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
    """
    z = values + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def game_ids(source: str, file: str, ordinals: NDArray[np.int64]) -> U64:
    """Return the ids of the games at `ordinals` (int64 [n]) of one file, uint64 [n].

    The 64-bit BLAKE2b of source and file is mixed with the ordinal. Two games of one file never
    share an id, because mixing is a bijection; games of different files share one with the
    probability of any 64-bit hash.
    """
    key = f"{source}\0{file}".encode("utf-8", "surrogateescape")
    seed = np.frombuffer(hashlib.blake2b(key, digest_size=8).digest(), "<u8")
    return mix(seed ^ mix(ordinals.astype(np.uint64)))


def text_hash(*texts: str | None) -> int:
    """Return the 64-bit BLAKE2b of `texts`; an absent text differs from an empty one."""
    marked = "".join("\0" if text is None else f"\1{text}" for text in texts)
    key = marked.encode("utf-8", "surrogateescape")
    return int.from_bytes(hashlib.blake2b(key, digest_size=8).digest(), "little")


def copies(
    split_hash: U64, n_plies: NDArray[np.int32], result: NDArray[np.int8], unknown: int
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which games an earlier one equals, and which of them say another result, bool [n].

    Parameters
    ----------
    split_hash, n_plies, result
        `[n]` of the games, first first. A game without moves is nobody's copy.
    unknown
        The result that means none. A copy says another result if its own is known and is not
        the first one known among the games equal to it.
    """
    played = np.flatnonzero(n_plies > 0)
    is_copy = np.zeros(len(split_hash), np.bool_)
    is_copy[played] = True
    is_copy[played[np.unique(split_hash[played], return_index=True)[1]]] = False
    known = played[result[played] != unknown]
    _, first, group = np.unique(split_hash[known], return_index=True, return_inverse=True)
    differs = np.zeros(len(split_hash), np.bool_)
    differs[known] = result[known] != result[known[first]][group]
    return is_copy, differs


def split_of(split_hash: U64, shares: Mapping[str, float]) -> NDArray[np.uint8]:
    """Return the split of each game as an index into :data:`tabia.tables.splits.SPLITS`, uint8 [n].

    Parameters
    ----------
    split_hash
        uint64 [n] content hashes of the games. They are hashed again: a position belongs to the
        game with the smallest `split_hash`, and would drift to the first split if the splits
        were ranges of the same number.
    shares
        Share of games by split name; they add up to 1.
    """
    ends = np.cumsum([shares[name] for name in SPLITS])[:-1]
    return np.searchsorted(ends, _unit(split_hash ^ _SPLIT), side="right").astype(np.uint8)


def in_share(split_hash: U64, share: float) -> NDArray[np.bool_]:
    """Return which games are in a sample of `share` of the games, bool [n], by content.

    A larger share holds every game of a smaller one.
    """
    if share >= 1:
        return np.ones(len(split_hash), dtype=np.bool_)
    return _unit(split_hash ^ _SHARE) < share


def fold_of(split_hash: U64, folds: int) -> NDArray[np.int64]:
    """Return the fold of each game, int64 [n], 0 to `folds` - 1, by content."""
    return np.floor(_unit(split_hash ^ _FOLD) * folds).astype(np.int64)


def unit_of(split_hash: U64, salt: int) -> NDArray[np.float64]:
    """Return a number in [0, 1) for each game, by content; another `salt` gives other numbers."""
    return _unit(split_hash ^ mix(np.array([salt], np.uint64)))


def _unit(values: U64) -> NDArray[np.float64]:
    """Map hashes to [0, 1) with the 53 bits that a double holds exactly."""
    return (mix(values) >> np.uint64(11)).astype(np.float64) * 2.0**-53
