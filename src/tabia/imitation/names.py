"""Names of a bin and of a fold that are none of the numbered ones. Standard library only."""

from __future__ import annotations

__all__ = ["ALL", "FINAL"]

ALL = "all"
"""The bin of a model that learns from every rated game, whatever its Elo."""

FINAL = "final"
"""The fold of a model that no game is held back from: to publish, to play against."""
