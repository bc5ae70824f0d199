"""The wildcards and the configuration in the specs of the search stages, as models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from tabia.records.config import Splits
from tabia.search.config import Rules, TreeSettings
from tabia.search.learning_config import Gate, Learning, Name, Pretrain, SelfPlay
from tabia.search.nets.config import Architecture
from tabia.tables.settings import Settings
from tabia.tables.spec import Spec

__all__ = ["SPECS", "contradictions"]

Seed = Annotated[int, Field(ge=0, lt=2**32)]
Number = Annotated[str, Field(pattern=r"^(0|[1-9]\d{0,5})$")]
Generation = Annotated[str, Field(pattern=r"^[1-9]\d{0,5}$")]
_OTHER = r"(0|[1-9]\d{0,5}|random|rollouts|gnugo-level-\d{1,2}|last-of-[a-z0-9][a-z0-9_.-]*)"
Pair = Annotated[str, Field(pattern=rf"^(0|[1-9]\d{{0,5}})-{_OTHER}$")]
Threads = Annotated[int, Field(ge=1, le=1024)]


class _Nothing(Settings):
    """No field at all."""


class _OfRun(Settings):
    run: Name


class _OfGeneration(_OfRun):
    generation: Generation


class _OfShard(_OfGeneration):
    shard: Number


class _OfPair(_OfRun):
    pair: Pair


class _Learner(Settings):
    seed: Seed
    rules: Rules


class _Shares(Splits):
    train: Annotated[float, Field(gt=0, lt=1)]
    validation: Annotated[float, Field(gt=0, lt=1)]
    test: Annotated[float, Field(gt=0, lt=1)]


class _Start(_Learner):
    net: Architecture
    history: Annotated[int, Field(ge=1, le=16)]
    liberties: bool


class _Pretrain(_Start):
    pretrain: Pretrain
    splits: _Shares


class _SelfPlay(_Learner):
    selfplay: SelfPlay


class _Train(_Learner):
    targets: Literal["visits", "winner"]
    learning: Learning


class _Match(Settings):
    games: Annotated[int, Field(ge=4, le=100_000, multiple_of=2)]
    simulations: Annotated[int, Field(ge=1)]
    opening: Annotated[int, Field(ge=0, le=1000)]
    threads: Threads


class _Rule(Settings):
    rule: str


class _OwnSearch(Settings):
    tree: TreeSettings
    move: _Rule


class _Gate(_Learner):
    search: _OwnSearch
    gate: Gate
    threads: Threads


class _Ladder(_Learner):
    search: _OwnSearch
    second_search: _OwnSearch
    ladder: _Match


class _Generations(Settings):
    generations: Annotated[int, Field(ge=0)]


class _Summary(Settings):
    seed: Seed
    bootstrap: Annotated[int, Field(ge=100, le=1_000_000)]
    confidence: Annotated[float, Field(gt=0.5, lt=1)]
    simulations: Annotated[int, Field(ge=1)]
    rival_simulations: Annotated[int, Field(ge=1)]
    learners: Annotated[dict[Name, _Generations], Field(min_length=1)]


SPECS: Mapping[str, tuple[type[Settings], type[Settings]]] = {
    "search.start": (_OfRun, _Start),
    "search.pretrain": (_OfRun, _Pretrain),
    "search.selfplay": (_OfShard, _SelfPlay),
    "search.train": (_OfGeneration, _Train),
    "search.gate": (_OfGeneration, _Gate),
    "search.ladder": (_OfPair, _Ladder),
    "search.summary": (_Nothing, _Summary),
}
"""Models of the wildcards and of the configuration of each stage."""


def contradictions(spec: Spec) -> list[str]:
    """Return fields that are good each by itself and not together."""
    if spec.stage == "search.selfplay":
        shard, shards = int(spec.wildcards["shard"]), spec.config["selfplay"].get("shards", 1)
        if shard >= shards:
            return [f"wildcards.shard: {shard} is not below {shards}, the number of shards"]
    if spec.stage == "search.ladder":
        first, _, second = spec.wildcards["pair"].partition("-")
        if second.isdecimal() and int(second) >= int(first):
            return [f"wildcards.pair: generation {second} is not before generation {first}"]
    return []
