"""Who meets whom, how often, and which job plays it: pure functions, the same for the same input.

A pairing is two agents; it is played in pairs of games with one opening and colours reversed
(:class:`tabia.match.plan.Plan`), numbered from 0 over the whole tournament's rounds. Which opening
and which seeds a pair has depends on its number alone, so jobs may share a pairing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

__all__ = ["Block", "Pairing", "gauntlet", "numbered", "round_robin", "shard_of"]

Pairing = tuple[str, str]
"""Names of two agents; the first has the first move in the first game of each pair."""


@dataclass(frozen=True, slots=True)
class Block:
    """Pairs of games of one pairing.

    Attributes
    ----------
    pairing
        Who plays.
    first
        Number of the first pair.
    pairs
        How many, the numbers following each other.
    """

    pairing: Pairing
    first: int
    pairs: int


def round_robin(agents: Sequence[str]) -> list[Pairing]:
    """Return every two agents once, by rounds in which each plays once where that can be.

    The circle method: one agent stays and the others turn round it. Of n agents there are
    n (n - 1) / 2 pairings. Who is named first alternates, so that each is so about as often as not.

    Raises
    ------
    ValueError
        If there are fewer than two agents, or one is named twice.
    """
    _check(agents)
    seats: list[str | None] = [*agents, *([None] if len(agents) % 2 else [])]
    pairings: list[Pairing] = []
    for turn in range(len(seats) - 1):
        for i in range(len(seats) // 2):
            one, other = seats[i], seats[-1 - i]
            if one is None or other is None:
                continue
            # The one who stays would be first always, and whoever sits across never.
            pairings.append((other, one) if (turn if i == 0 else i) % 2 else (one, other))
        seats.insert(1, seats.pop())
    return pairings


def gauntlet(hero: str, others: Sequence[str]) -> list[Pairing]:
    """Return the pairings of one agent with each of the others, who do not meet.

    Raises
    ------
    ValueError
        If there is no other, or one is named twice.
    """
    _check([hero, *others])
    return [(hero, other) for other in others]


def numbered(
    wanted: Iterable[tuple[Pairing, int]], played: Mapping[Pairing, int] | None = None
) -> list[Block]:
    """Return what shall be played, with numbers that go on where each pairing's ended.

    Parameters
    ----------
    wanted
        Pairings and how many pairs of games each shall play now; those with none are left out.
    played
        Pairs that each has played before, in earlier rounds.

    Raises
    ------
    ValueError
        If a number is negative, or two pairings are of the same agents.
    """
    before = dict(played or {})
    seen: set[frozenset[str]] = set()
    blocks = []
    for pairing, pairs in wanted:
        if pairs < 0:
            raise ValueError(f"{' and '.join(pairing)}: {pairs} pairs of games")
        if frozenset(pairing) in seen:
            raise ValueError(f"{' and '.join(pairing)} are paired twice; add their pairs up")
        seen.add(frozenset(pairing))
        if pairs:
            blocks.append(Block(pairing, before.get(pairing, 0), pairs))
    return blocks


def shard_of(blocks: Sequence[Block], shard: int, shards: int) -> list[Block]:
    """Return what one of several jobs plays, in the order of `blocks`.

    All pairs, laid end to end, are cut into runs of lengths that differ by one at most: a job
    plays few pairings, so that it starts few engines.

    Raises
    ------
    ValueError
        If there is no such shard.
    """
    if not 0 <= shard < shards:
        raise ValueError(f"shard {shard} is none of 0 to {shards - 1}")
    total = sum(block.pairs for block in blocks)
    begin, end = (total * i // shards for i in (shard, shard + 1))
    mine = []
    place = 0
    for block in blocks:
        low, high = max(begin, place), min(end, place + block.pairs)
        if low < high:
            mine.append(Block(block.pairing, block.first + low - place, high - low))
        place += block.pairs
    return mine


def _check(agents: Sequence[str]) -> None:
    if len(agents) < 2:
        raise ValueError(f"{len(agents)} agents: a tournament needs two at least")
    if twice := [name for name, count in Counter(agents).items() if count > 1]:
        raise ValueError(f"{', '.join(twice)}: named twice; give each agent a name of its own")
