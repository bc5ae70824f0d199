"""Configuration of the records chapter. Imports the standard library and pydantic only."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from tabia.tables.settings import Settings

__all__ = ["EloBins", "Game", "Positions", "Records", "Source", "Splits"]

Game = Literal["chess", "xiangqi", "go"]
Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_.-]*$", max_length=60)]


class Source(Settings):
    """Where game records come from: files on disk or one downloadable archive."""

    name: Name
    """Names the source in tables and result paths."""
    game: Game = "chess"
    """Game that the records hold; a source has one."""
    path: str | None = None
    """File or glob, relative to the working directory; `**` descends into folders."""
    archive: Name | None = None
    """Name of a row of resources/archives.csv, downloaded at first use."""
    shards: Annotated[int, Field(ge=1, le=1024)] = 1
    """Parallel jobs. Many files are spread by name; one file is cut into blocks of games (chess) or
    of archive members (xiangqi, Go)."""
    played_by: Literal["people", "engines"] = "people"
    """Who played; every table says so."""
    headers: str | None = None
    """File with players and results of the games whose moves the source's files hold (PlayOK)."""

    @model_validator(mode="after")
    def _one_place(self) -> Source:
        if (self.path is None) == (self.archive is None):
            raise ValueError(f"source {self.name}: give either path or archive")
        return self

    @model_validator(mode="after")
    def _headers_apart(self) -> Source:
        if self.headers is not None and self.game != "xiangqi":
            raise ValueError(
                f"source {self.name}: only xiangqi records have headers in a file of their own; "
                "leave headers out or set game: xiangqi"
            )
        return self


class EloBins(Settings):
    """Half-open Elo bins `(low, low+width]` … `(high-width, high]`."""

    low: int = 1000
    """Lower end of the first bin (excluded)."""
    high: int = 3000
    """Upper end of the last bin (included)."""
    width: Annotated[int, Field(gt=0)] = 200
    """Width of a bin in Elo points."""

    @model_validator(mode="after")
    def _whole_bins(self) -> EloBins:
        if self.high <= self.low or (self.high - self.low) % self.width:
            raise ValueError("high - low must be a positive multiple of width")
        return self


class Splits(Settings):
    """Shares of the games in each split; every game falls in one by its content."""

    train: Annotated[float, Field(gt=0, lt=1)] = 0.5
    """Share of games to learn from."""
    validation: Annotated[float, Field(gt=0, lt=1)] = 0.25
    """Share of games to choose settings on."""
    test: Annotated[float, Field(gt=0, lt=1)] = 0.25
    """Share of games for the final figures."""

    @model_validator(mode="after")
    def _whole(self) -> Splits:
        if abs(self.train + self.validation + self.test - 1) > 1e-9:
            raise ValueError("train + validation + test must be 1")
        return self


class Positions(Settings):
    """Which positions of the accepted games are kept, de-duplicated over all sources of a game."""

    buckets: Annotated[int, Field(ge=1, le=1024)] = 4
    """Parallel de-duplication jobs a game; positions are spread over them by hash."""
    game_share: Annotated[float, Field(gt=0, le=1)] = 1.0
    """Share of the games whose positions are used, chosen by content hash (big archives)."""
    variants: tuple[Literal["standard", "chess960"], ...] = ("standard",)
    """Variants whose positions are used; all games of xiangqi and Go are standard."""


class Records(Settings):
    """Game files in; games, rejects, splits, Elo bins and distinct positions out."""

    sources: Annotated[tuple[Source, ...], Field(min_length=1)]
    """The game files."""
    elo_bins: EloBins = EloBins()
    """Elo bins of the tables."""
    splits: Splits = Splits()
    """Train, validation and test shares, by game."""
    positions: Positions = Positions()
    """Positions of the games."""

    @model_validator(mode="after")
    def _distinct(self) -> Records:
        names = [source.name for source in self.sources]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"two sources are named {name}")
        return self
