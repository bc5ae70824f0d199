"""Configuration of the report. Standard library and pydantic only."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from tabia.tables.settings import Settings

__all__ = ["Report"]


class Report(Settings):
    """Tables, figures and pages."""

    title: str = "tabia"
    """Heading of the report page."""
    points: Annotated[int, Field(ge=100, le=20000)] = 2000
    """Positions drawn in a predicted-against-actual figure; chosen by hash when there are more."""
