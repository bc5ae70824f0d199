"""Which models there are, and where. Standard library only: the dry run reads this module.

A model's module is called as the model is, in the configuration, in paths and in tables. The
training stage finds it by that name and does not import this module, so that adding a model
changes no other model's code mark.
"""

from __future__ import annotations

from types import MappingProxyType

__all__ = ["MODULES", "SCENARIOS"]

MODULES = MappingProxyType(
    {
        name: f"tabia.evaluation.models.{name}"
        for name in ("mean", "engine_depth8", "ridge", "lightgbm")
    }
)
"""Module of each model."""

SCENARIOS = MappingProxyType({"engine_depth8": (1,)})
"""Scenarios of a model that has not all three: only scenario 1 shows the deepest engine value."""
