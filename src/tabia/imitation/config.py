"""Configuration of the imitation chapter. Standard library and pydantic only."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from tabia.imitation.models.config import Models, VocabularyName
from tabia.records.config import EloBins
from tabia.tables.settings import Settings

__all__ = ["MOST_ELO", "GameImitation", "GoImitation", "Imitation", "ImitationScores"]

MOST_ELO = 5000
"""The highest Elo of bins, and that a model can be asked about; nobody comes near it."""


class ImitationScores(Settings):
    """How predictions are measured."""

    bootstrap: Annotated[int, Field(ge=100, le=1_000_000)] = 1000
    """Bootstrap draws, by game."""
    confidence: Annotated[float, Field(gt=0, lt=1)] = 0.95
    """Level of the intervals."""
    calibration_bins: Annotated[int, Field(ge=2, le=100)] = 15
    """Bins of the reliability diagram and of the expected calibration error."""


class GameImitation(Settings):
    """One game's data, bins and models."""

    rated: Annotated[tuple[str, ...], Field(min_length=1)]
    """Sources whose games have Elos: models learn from them and are tested on them."""
    unrated: tuple[str, ...] = ()
    """Sources that the one net is pre-trained on, without their Elos."""
    game_share: Annotated[float, Field(gt=0, le=1)] = 1.0
    """Share of the games that are used, chosen by content hash (big archives)."""
    elo_bins: EloBins
    """Elo bins; the models `by bin` are trained once for each."""
    member: Literal["mover", "both"] = "mover"
    """Which positions belong to a bin: the mover's Elo is in it, or both players' are."""
    vocabulary: VocabularyName = "from_to"
    """Move labels of the paper's nets: `relative` (xiangqi, 755 labels) or `from_to`."""
    folds: Annotated[int, Field(ge=2, le=100)] = 5
    """Parts of the games, by content; each is the test set of models trained on the others."""
    validation: Annotated[float, Field(gt=0, lt=0.5)] = 0.1
    """Share of the training games that settings and early stopping are decided on."""
    search_fold: Annotated[int, Field(ge=0)] = 0
    """The fold held back while structures are searched; what is found there holds for all folds."""
    final: bool = True
    """Train every model but ablations once more on all folds, to publish and to play against."""
    models: Models = Models()
    """The models."""
    scores: ImitationScores = ImitationScores()
    """Measures."""

    @field_validator("elo_bins")
    @classmethod
    def _bins_of_people(cls, bins: EloBins) -> EloBins:
        if bins.high > MOST_ELO:  # the plan lists every bin: one of too many would never be ready
            raise ValueError(f"high ({bins.high}) must not be above {MOST_ELO}")
        return bins

    @model_validator(mode="after")
    def _fold_there(self) -> GameImitation:
        if self.search_fold >= self.folds:
            raise ValueError(f"search_fold ({self.search_fold}) must be below folds ({self.folds})")
        return self

    @model_validator(mode="after")
    def _pretrained(self) -> GameImitation:
        if both := sorted(set(self.rated) & set(self.unrated)):
            raise ValueError(f"{', '.join(both)}: a source is rated or unrated, not both")
        given = [name for name in Models.model_fields if getattr(self.models, name) is not None]
        if not given:
            raise ValueError("models: at least one; leave the game out to train none")
        return self


class GoImitation(GameImitation):
    """Go's data, bins and models."""

    board_size: Annotated[int, Field(ge=5, le=19)] = 19
    """Lines of the board; games on other boards are left out."""


class Imitation(Settings):
    """Games of rated people in, models of their moves and accuracy tables out."""

    seed: Annotated[int, Field(ge=0, lt=2**32)] = 1
    """Seed of training and the bootstrap; folds come from the games' contents."""
    chess: GameImitation | None = None
    """Chess."""
    xiangqi: GameImitation | None = None
    """Xiangqi."""
    go: GoImitation | None = None
    """Go; ranks stand for Elos (docs/go_records.md)."""

    @model_validator(mode="after")
    def _a_game(self) -> Imitation:
        if self.chess is None and self.xiangqi is None and self.go is None:
            raise ValueError(
                "chess, xiangqi or go: at least one; leave the section out to imitate none"
            )
        for name, game in (("chess", self.chess), ("go", self.go)):
            if game is not None and game.vocabulary == "relative":
                raise ValueError(f"{name}: vocabulary relative is xiangqi's; take from_to")
        return self
