"""Configuration of the evaluation chapter. Standard library and pydantic only."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from tabia.engines.config import Engine, Limit
from tabia.evaluation.models.config import Models
from tabia.tables.settings import Settings

__all__ = ["Evaluation", "Labels", "Sample", "Scores", "ascending"]

Filter = Literal["mate", "abs20"]
Scenario = Literal[1, 2, 3]
ByPosition = Literal["ridge", "rbf", "best"]


def ascending(depths: tuple[int, ...]) -> tuple[int, ...]:
    """Return depths of the auxiliary inputs as they are.

    Raises
    ------
    ValueError
        If they are not three different ones, shallow to deep.
    """
    if len(depths) != 3 or list(depths) != sorted(set(depths)):
        raise ValueError("three different depths, shallow to deep")
    return depths


class Sample(Settings):
    """Positions chosen for labelling, by hash: the same games give the same choice."""

    phase: Literal["middlegame", "any"] = "middlegame"
    """`middlegame` = phase strictly between 0 and 128."""
    positions: Annotated[int, Field(ge=1)] | None = None
    """How many; null = all."""
    per_game: Annotated[int, Field(ge=1)] | None = None
    """At most so many from one owner game; null = no limit."""
    min_ply: Annotated[int, Field(ge=0)] = 0
    """Earliest ply in the owner game."""


class Labels(Settings):
    """Engine values of the sampled positions: inputs at low depth and the target."""

    engine: Engine = Engine()
    """The engine."""
    inputs: tuple[Annotated[int, Field(ge=1, le=100)], ...] = (2, 4, 8)
    """Depths of the three auxiliary inputs, shallow to deep."""
    target: Limit
    """Limit of the value to predict. The paper: 165 s."""
    shards: Annotated[int, Field(ge=1, le=256)] = 4
    """Parallel labelling jobs; positions are spread by id."""
    stores: tuple[str, ...] = ()
    """Further label stores to read (never written), e.g. one that is shared or published."""

    @field_validator("inputs")
    @classmethod
    def _three(cls, inputs: tuple[int, ...]) -> tuple[int, ...]:
        return ascending(inputs)

    @model_validator(mode="after")
    def _patient(self) -> Labels:
        movetime_ms = self.target.movetime_ms
        if movetime_ms is not None and movetime_ms / 1000 >= self.engine.timeout_s:
            raise ValueError(
                f"engine.timeout_s ({self.engine.timeout_s:g}) must be longer than "
                f"target.movetime_ms ({movetime_ms}): every search would be taken for hung"
            )
        return self

    @model_validator(mode="after")
    def _deeper(self) -> Labels:
        if self.target.depth is not None and self.target.depth <= self.inputs[-1]:
            raise ValueError(
                f"target.depth ({self.target.depth}) must be greater than the deepest of inputs"
                f" ({self.inputs[-1]}): models would be shown what they are to predict"
            )
        return self


class Scores(Settings):
    """How errors are measured."""

    bootstrap: Annotated[int, Field(ge=100, le=1_000_000)] = 1000
    """Bootstrap draws, by game."""
    confidence: Annotated[float, Field(gt=0, lt=1)] = 0.95
    """Level of the intervals."""
    elo_bin_by: Literal["mover", "both"] = "both"
    """A position's bin: its mover's, or the bin that both players share."""


class Evaluation(Settings):
    """Labelled middlegame positions in, models of their value and error tables out."""

    seed: Annotated[int, Field(ge=0, lt=2**32)] = 1
    """Seed of sampling, training and the bootstrap."""
    sample: Sample = Sample()
    """Positions to label."""
    labels: Labels
    """Engine labels."""
    filters: Annotated[tuple[Filter, ...], Field(min_length=1)] = ("mate", "abs20")
    """`mate` drops positions with a mate score; `abs20` drops |target| > 20 pawns too."""
    scenarios: Annotated[tuple[Scenario, ...], Field(min_length=1)] = (1, 2, 3)
    """Engine inputs: 1 = all three depths, 2 = the two shallower, 3 = none."""
    models: Models = Models.everything()
    """The models."""
    by_position: tuple[ByPosition, ...] = ("ridge", "rbf", "best")
    """Models trained once more with a split by position, as the paper did: it leaks, since a
    game's positions resemble each other, and its rows say so. Those left out above stay out."""
    scores: Scores = Scores()
    """Error measures."""

    @field_validator("filters", "scenarios", "by_position")
    @classmethod
    def _distinct(cls, values: tuple[object, ...]) -> tuple[object, ...]:
        # A run that is listed twice would count as two seeds.
        if len(set(values)) < len(values):
            raise ValueError("each at most once")
        return values

    @model_validator(mode="after")
    def _something_to_train(self) -> Evaluation:
        given = [name for name in Models.model_fields if getattr(self.models, name) is not None]
        if not given:
            raise ValueError("models: at least one; leave out the section evaluation to train none")
        if given == ["engine_depth8"] and 1 not in self.scenarios:
            raise ValueError("models: engine_depth8 alone needs scenario 1")
        return self
