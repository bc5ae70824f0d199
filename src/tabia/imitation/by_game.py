"""Which module shows a game's positions to models. Standard library only: the dry run reads it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["SECOND", "VIEWS"]

VIEWS: Mapping[str, str] = MappingProxyType(
    {
        "chess": "tabia.games.chess_view",
        "xiangqi": "tabia.games.xiangqi_view",
        "go": "tabia.games.go_view",
    }
)
"""Module whose ``VIEW`` shows a game's positions (:class:`tabia.games.mover_view.MoverView`)."""

SECOND: Mapping[str, str] = MappingProxyType({"chess": "b", "xiangqi": "b", "go": "w"})
"""How a FEN says that the second player is to move."""
