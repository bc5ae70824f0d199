"""Names of the splits, which every room writes and reads."""

from __future__ import annotations

__all__ = ["SPLITS"]

SPLITS = ("train", "validation", "test")
"""In the order of their codes."""
