"""Which models there are, where, and what they see. Standard library only: the dry run reads this.

A model's module is called as the model is, in the configuration, in paths and in tables. The
training stage finds it by that name and does not import this module, so that adding a model
changes no other model's code mark.
"""

from __future__ import annotations

from types import MappingProxyType

__all__ = ["BY_POSITION", "INPUTS", "MODULES", "SCENARIOS", "TABLES", "WIDTHS", "place", "split_by"]

_TERMS = ("terms",)
_PLACEMENT = ("placement",)

INPUTS = MappingProxyType(
    {
        "mean": (),
        "engine_depth8": (),
        "ridge_placement": _PLACEMENT,
        "lightgbm_placement": _PLACEMENT,
        "ridge": _TERMS,
        "lightgbm": _TERMS,
        "rbf": _TERMS,
        "rbf_nonuniform": _TERMS,
        "mlp_lm": _TERMS,
        "cnn_features": _TERMS,
        "cnn_planes": _PLACEMENT,
        "mlp_bitmap": _PLACEMENT,
        "best": ("terms", "placement", "state", "tactics"),
    }
)
"""Groups of inputs that each model sees, before the engine's values; in the order of tables."""

TABLES = ("terms", "tactics")
"""Groups of inputs that a stage of their own computes, as a table; others come from the board."""

WIDTHS = MappingProxyType({"terms": 194, "placement": 768, "state": 5, "tactics": 59})
"""Inputs of each group, for the plan, which loads no native code."""

MODULES = MappingProxyType({name: f"tabia.evaluation.models.{name}" for name in INPUTS})
"""Module of each model."""

SCENARIOS = MappingProxyType({"engine_depth8": (1,)})
"""Scenarios of a model that has not all three: only scenario 1 shows the deepest engine value."""

BY_POSITION = "_by_position"
"""Ends the name of a run that splits by position, not by game, as the paper did."""


def split_by(run: str) -> tuple[str, str]:
    """Return the model behind a run's name, and what its split goes by.

    ``rbf`` → ``("rbf", "game")``, ``rbf_by_position`` → ``("rbf", "position")``.
    """
    if run.endswith(BY_POSITION):
        return run.removesuffix(BY_POSITION), "position"
    return run, "game"


def place(model: str) -> int:
    """Return the place of a model in tables and figures."""
    return list(INPUTS).index(model)
