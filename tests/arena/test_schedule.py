"""Pairings, numbers and shards."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from tabia.arena.schedule import Block, gauntlet, numbered, round_robin, shard_of


@pytest.mark.parametrize("n", range(2, 12))
def test_a_round_robin_has_every_two_agents_once(n: int) -> None:
    names = [f"p{i}" for i in range(n)]
    pairings = round_robin(names)
    assert len(pairings) == n * (n - 1) // 2
    assert {frozenset(two) for two in pairings} == {
        frozenset(two) for two in combinations(names, 2)
    }


@pytest.mark.parametrize("n", [4, 6, 10])
def test_each_plays_once_a_round(n: int) -> None:
    names = [f"p{i}" for i in range(n)]
    pairings = round_robin(names)
    for start in range(0, len(pairings), n // 2):
        among = [name for pairing in pairings[start : start + n // 2] for name in pairing]
        assert sorted(among) == sorted(names)


@pytest.mark.parametrize("n", [4, 5, 6, 9, 10])
def test_each_is_named_first_about_as_often_as_second(n: int) -> None:
    names = [f"p{i}" for i in range(n)]
    firsts = Counter(first for first, _ in round_robin(names))
    assert all(abs(2 * firsts[name] - (n - 1)) <= 2 for name in names)


def test_a_gauntlet_is_one_against_all_others() -> None:
    assert gauntlet("new", ["a", "b"]) == [("new", "a"), ("new", "b")]


def test_numbers_go_on_where_a_pairing_ended() -> None:
    blocks = numbered([(("a", "b"), 3), (("a", "c"), 0), (("b", "c"), 2)], played={("a", "b"): 10})
    assert blocks == [Block(("a", "b"), 10, 3), Block(("b", "c"), 0, 2)]
    assert numbered([]) == []


@pytest.mark.parametrize("shards", [1, 2, 3, 7, 20])
def test_shards_play_everything_once_in_even_parts(shards: int) -> None:
    blocks = numbered([(("a", "b"), 5), (("a", "c"), 1), (("b", "c"), 7)], {("a", "b"): 2})
    parts = [shard_of(blocks, shard, shards) for shard in range(shards)]
    played = [
        (block.pairing, block.first + i)
        for part in parts for block in part for i in range(block.pairs)
    ]  # fmt: skip
    assert played == [
        (block.pairing, block.first + i) for block in blocks for i in range(block.pairs)
    ]
    sizes = [sum(block.pairs for block in part) for part in parts]
    assert max(sizes) - min(sizes) <= 1


def test_an_empty_round_leaves_every_shard_empty() -> None:
    assert [shard_of([], shard, 4) for shard in range(4)] == [[], [], [], []]


def test_what_is_no_tournament_is_refused() -> None:
    with pytest.raises(ValueError, match="needs two at least"):
        round_robin(["a"])
    with pytest.raises(ValueError, match="a: named twice"):
        gauntlet("a", ["b", "a"])
    with pytest.raises(ValueError, match="paired twice"):
        numbered([(("a", "b"), 1), (("b", "a"), 1)])
    with pytest.raises(ValueError, match="-1 pairs"):
        numbered([(("a", "b"), -1)])
    with pytest.raises(ValueError, match="none of 0 to 1"):
        shard_of([], 2, 2)
