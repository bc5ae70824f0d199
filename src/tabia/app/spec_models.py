"""The wildcards and the configuration in the spec of each stage, as models.

Each field that a stage reads by its name is required, so that none is left to a default.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from tabia.app import imitation_specs, search_specs
from tabia.engines.config import Limit
from tabia.evaluation.config import Filter, Labels, Sample, Scores, ascending
from tabia.evaluation.models.config import Models
from tabia.evaluation.models.modules import WIDTHS, split_by
from tabia.records.config import EloBins, Game, Positions, Splits
from tabia.report.catalog import FIGURES, WIDE
from tabia.tables.settings import Settings

__all__ = ["SPECS"]

Number = Annotated[str, Field(pattern=r"^\d{1,9}$")]  # as a wildcard
Text = Annotated[str, Field(min_length=1)]
Positive = Annotated[int, Field(ge=1)]
Seed = Annotated[int, Field(ge=0, lt=2**32)]
Variant = Literal["standard", "chess960"]


class _Nothing(Settings):
    """No field at all."""


# --- records -----------------------------------------------------------------------------


class _Shard(Settings):
    source: Text | None = None
    shard: Number | None = None


class _ArchiveName(Settings):
    archive: Text | None = None


class _Archive(Settings):
    name: Text
    url: Text
    sha256: str = ""
    sha256_url: str = ""
    bytes: str = ""
    licence: str = ""
    notes: str = ""


class _Fetch(Settings):
    archive: _Archive


class _CutSource(Settings):
    name: Text
    game: Game
    shards: Annotated[int, Field(ge=1, le=1024)]


class _Blocks(Settings):
    source: _CutSource


class _ReadSource(_CutSource):
    played_by: Literal["people", "engines"]


class _Games(Settings):
    source: _ReadSource


class _Shares(Splits):
    train: Annotated[float, Field(gt=0, lt=1)]
    validation: Annotated[float, Field(gt=0, lt=1)]
    test: Annotated[float, Field(gt=0, lt=1)]


class _Splits(Settings):
    elo_bins: EloBins
    splits: _Shares


class _AllPositions(Positions):
    buckets: Annotated[int, Field(ge=1, le=1024)]
    game_share: Annotated[float, Field(gt=0, le=1)]
    variants: tuple[Variant, ...]


class _Occurrences(Settings):
    game: Game
    positions: _AllPositions


class _Bucket(Settings):
    game: Game
    bucket: Number


class _Positions(Settings):
    positions: _AllPositions
    splits: _Shares


# --- evaluation --------------------------------------------------------------------------


class _Sample(Settings):
    seed: Seed
    sample: Sample


class _LabelShard(Settings):
    shard: Number


class _Labels(Settings):
    labels: Labels


class _Limits(Settings):
    inputs: tuple[Annotated[int, Field(ge=1, le=100)], ...]
    target: Limit

    @field_validator("inputs")
    @classmethod
    def _three(cls, inputs: tuple[int, ...]) -> tuple[int, ...]:
        return ascending(inputs)


class _Dataset(Settings):
    labels: _Limits


def _model(name: str) -> str:
    if name not in Models.model_fields:
        raise ValueError(f"no model is called so; there are {', '.join(Models.model_fields)}")
    return name


class _Choice(Settings):
    filter: Filter
    scenario: Literal["1", "2", "3"]
    model: Text

    @field_validator("model")
    @classmethod
    def _known(cls, run: str) -> str:
        _model(split_by(run)[0])
        return run


class _Run(_Choice):
    seed: Number


class _Train(Settings):
    seed: Seed
    model: str
    inputs: tuple[str, ...]
    settings: dict[str, Any]
    any_threads: bool
    splits: _Shares | None
    labels: _Limits

    @field_validator("model")
    @classmethod
    def _known(cls, model: str) -> str:
        return _model(model)

    @field_validator("inputs")
    @classmethod
    def _groups(cls, inputs: tuple[str, ...]) -> tuple[str, ...]:
        if unknown := [name for name in inputs if name not in WIDTHS]:
            raise ValueError(f"no inputs are called {unknown[0]!r}; there are {', '.join(WIDTHS)}")
        return inputs


class _Choose(_Train):
    @model_validator(mode="after")
    def _to_choose_from(self) -> _Choose:
        if not isinstance(self.settings.get("sizes"), list):
            raise ValueError("settings.sizes: a list of sizes to choose from is missing")
        return self


class _Scores(Settings):
    seed: Seed
    model: str
    split_by: Literal["game", "position"]
    elo_bins: EloBins
    scores: Scores


class _EvaluationSummary(Settings):
    seed: Seed
    filters: Annotated[tuple[Filter, ...], Field(min_length=1)]
    scores: Scores


# --- report and sample -------------------------------------------------------------------


class _FigureName(Settings):
    figure: str

    @field_validator("figure")
    @classmethod
    def _known(cls, figure: str) -> str:
        if figure not in FIGURES:
            raise ValueError(f"no figure is called so; there are {', '.join(FIGURES)}")
        return figure


class _Figure(Settings):
    points: Positive


class _WideName(Settings):
    wide: str

    @field_validator("wide")
    @classmethod
    def _known(cls, wide: str) -> str:
        if wide not in WIDE:
            raise ValueError(f"no wide table is called so; there are {', '.join(WIDE)}")
        return wide


class _Pages(Settings):
    title: str


class _Size(Settings):
    size: Text | None = None


class _SampleGames(Settings):
    seed: Seed
    games: Positive
    elos: Annotated[tuple[int, ...], Field(min_length=1)]
    nodes: Positive
    max_plies: Positive
    event: Text
    date: Text


SPECS: Mapping[str, tuple[type[Settings], type[Settings]]] = {
    "records.fetch": (_ArchiveName, _Fetch),
    "records.blocks": (_Shard, _Blocks),
    "records.games": (_Shard, _Games),
    "records.splits": (_Shard, _Splits),
    "records.occurrences": (_Shard, _Occurrences),
    "records.positions": (_Bucket, _Positions),
    "records.summary": (_Nothing, _Splits),
    "evaluation.sample": (_Nothing, _Sample),
    "evaluation.labels": (_LabelShard, _Labels),
    "evaluation.dataset": (_Nothing, _Dataset),
    "evaluation.terms": (_Nothing, _Nothing),
    "evaluation.tactics": (_Nothing, _Nothing),
    "evaluation.choose": (_Choice, _Choose),
    "evaluation.train": (_Run, _Train),
    "evaluation.scores": (_Run, _Scores),
    "evaluation.summary": (_Nothing, _EvaluationSummary),
    **imitation_specs.SPECS,
    **search_specs.SPECS,
    "report.figure": (_FigureName, _Figure),
    "report.wide": (_WideName, _Nothing),
    "report.pages": (_Nothing, _Pages),
    "report.database": (_Nothing, _Nothing),
    "sample.chess": (_Size, _SampleGames),
    "sample.xiangqi": (_Size, _SampleGames),
}
"""Models of the wildcards and of the configuration of each stage."""
