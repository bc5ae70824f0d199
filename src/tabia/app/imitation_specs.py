"""The wildcards and the configuration in the specs of the imitation stages, as models."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator

from tabia.imitation.config import ImitationScores
from tabia.imitation.models.config import VocabularyName
from tabia.imitation.models.modules import ALL, MODELS
from tabia.records.config import Game
from tabia.tables.settings import Settings
from tabia.tables.spec import Spec

__all__ = ["SPECS", "contradictions"]

Seed = Annotated[int, Field(ge=0, lt=2**32)]
Text = Annotated[str, Field(min_length=1)]
Share = Annotated[float, Field(gt=0, le=1)]
Bin = Annotated[str, Field(pattern=rf"^({ALL}|\d{{1,9}}-\d{{1,9}})$")]
Phase = Annotated[str, Field(pattern=r"^[1-9]$")]
Fold = Annotated[str, Field(pattern=r"^(\d{1,3}|final)$")]
Member = Literal["mover", "both"]
Value = str | int | float | bool | None


class _Nothing(Settings):
    """No field at all."""


class _OfGame(Settings):
    game: Game


class _Table(_OfGame):
    samples: Literal["samples", "unrated"]


class _Samples(Settings):
    game: Game
    rated: bool
    game_share: Share


class _Pretrain(Settings):
    seed: Seed
    settings: dict[str, Any]


class _Rows(Settings):
    vocabulary: VocabularyName
    member: Member
    folds: Annotated[int, Field(ge=2, le=100)]
    validation: Annotated[float, Field(gt=0, lt=0.5)]


def _known(model: str) -> str:
    if model not in MODELS:
        raise ValueError(f"no model is called so; there are {', '.join(MODELS)}")
    return model


class _OfPhase(_OfGame):
    net: Text
    bin: Bin
    phase: Phase

    @field_validator("net")
    @classmethod
    def _net(cls, net: str) -> str:
        if MODELS[_known(net)].search != net:
            raise ValueError("no net that is searched")
        return net


class _OfCandidate(_OfPhase):
    candidate: Text


class _Candidate(_Rows):
    seed: Seed
    game: Game
    net: str
    bin: Bin
    values: Annotated[dict[str, Value], Field(min_length=1)]
    search_fold: Annotated[int, Field(ge=0)]
    settings: dict[str, Any]


class _OfModel(_OfGame):
    model: str

    @field_validator("model")
    @classmethod
    def _model(cls, model: str) -> str:
        return _known(model)


class _Run(_OfModel):
    bin: Bin
    fold: Fold


class _Train(_Rows):
    seed: Seed
    game: Game
    model: str
    module: Text
    settings: dict[str, Any]


class _Scores(Settings):
    seed: Seed
    scores: ImitationScores
    member: Member
    bins: Annotated[tuple[Bin, ...], Field(min_length=1)]


class _Ceiling(Settings):
    scores: ImitationScores
    member: Member
    bins: Annotated[tuple[Bin, ...], Field(min_length=1)]


class _GameSummary(Settings):
    scores: ImitationScores
    bins: Annotated[tuple[Bin, ...], Field(min_length=1)]


class _Summary(Settings):
    seed: Seed
    games: Annotated[dict[Game, _GameSummary], Field(min_length=1)]


SPECS: Mapping[str, tuple[type[Settings], type[Settings]]] = {
    "imitation.samples": (_Table, _Samples),
    "imitation.pretrain": (_OfGame, _Pretrain),
    "imitation.candidate": (_OfCandidate, _Candidate),
    "imitation.phase": (_OfPhase, _Nothing),
    "imitation.train": (_Run, _Train),
    "imitation.scores": (_OfModel, _Scores),
    "imitation.ceiling": (_OfGame, _Ceiling),
    "imitation.summary": (_Nothing, _Summary),
}
"""Models of the wildcards and of the configuration of each stage."""


def contradictions(spec: Spec) -> list[str]:
    """Return fields that are good each by itself and not together."""
    return list(_contradictions(spec.wildcards, spec.config))


def _contradictions(wildcards: Mapping[str, str], config: Mapping[str, Any]) -> Iterator[str]:
    for name in ("game", "model", "net", "bin"):
        if name in wildcards and config.get(name, wildcards[name]) != wildcards[name]:
            yield f"config.{name}: {config[name]!r}, but wildcards.{name} is {wildcards[name]!r}"
    model = wildcards.get("model", wildcards.get("net"))
    if model is None:
        return
    entry = MODELS[model]
    if "module" in config and config["module"] != entry.module:
        yield f"config.module: {config['module']!r} is not that of {model}, {entry.module}"
    if "bin" in wildcards and entry.by_bin == (wildcards["bin"] == ALL):
        bins = "the bins one by one" if entry.by_bin else f"{ALL!r} of them"
        yield f"wildcards.bin: {wildcards['bin']!r}, but {model} learns from {bins}"
    fold = wildcards.get("fold", str(config.get("search_fold", "")))
    if fold.isdigit() and int(fold) >= config["folds"]:
        yield f"fold {fold} is not below {config['folds']}, the number of folds"
