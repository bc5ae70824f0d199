"""Which module does what for which game. Standard library only: the dry run reads it.

The stages of the room are the same for every game; what differs is imported by name here, so that
an edit of one game's code reruns that game's jobs alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["BOARDS", "FILES"]

FILES: Mapping[str, str] = MappingProxyType(
    {
        "chess": "tabia.records.chess_files",
        "xiangqi": "tabia.records.xiangqi_files",
        "go": "tabia.records.go_files",
    }
)
"""Reads a game's files; the contract is :class:`tabia.records.reading.Files`."""

BOARDS: Mapping[str, str] = MappingProxyType(
    {
        "chess": "tabia.records.chess_boards",
        "xiangqi": "tabia.records.xiangqi_boards",
        "go": "tabia.records.go_boards",
    }
)
"""Plays games out; the contract is :class:`tabia.records.occurrences.Boards`."""
