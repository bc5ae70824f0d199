"""Which module shows a game's positions to models. Standard library only: the dry run reads it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["VIEWS"]

VIEWS: Mapping[str, str] = MappingProxyType(
    {"chess": "tabia.games.chess_view", "xiangqi": "tabia.games.xiangqi_view"}
)
"""Module whose ``VIEW`` shows a game's positions (:class:`tabia.games.mover_view.MoverView`)."""
