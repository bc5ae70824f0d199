"""What the report knows of models: their family, and which are shown where room is short.

The report imports no chapter, so the names stand here once more; a test compares them with the
chapter's. A model that is not listed is shown too: last, and of no family. Standard library only:
the dry run reads this module.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

__all__ = ["FAMILIES", "FAMILY_OF", "TELLING", "family", "most_telling"]

FAMILIES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "baseline": ("mean", "engine_depth8"),
        "linear, trees": ("ridge_placement", "lightgbm_placement", "ridge", "lightgbm"),
        "RBF network": ("rbf", "rbf_nonuniform"),
        "MLP, CNN": ("mlp_lm", "cnn_features", "cnn_planes", "mlp_bitmap"),
        "our best": ("best",),
    }
)
"""Models of each family, in the order of legends."""

FAMILY_OF: Mapping[str, str] = MappingProxyType(
    {model: family for family, models in FAMILIES.items() for model in models}
)

TELLING = (
    "rbf",
    "best",
    "mlp_lm",
    "mlp_bitmap",
    "lightgbm",
    "ridge",
    "cnn_features",
    "cnn_planes",
    "rbf_nonuniform",
    "lightgbm_placement",
    "ridge_placement",
    "engine_depth8",
    "mean",
)
"""Models by how much a reader wants to see them: the paper's, our best, then their rivals."""


def family(model: str) -> str:
    """Return the family of a model; ``other`` for one that is not listed."""
    return FAMILY_OF.get(model, "other")


def most_telling(models: Iterable[str], most: int) -> list[str]:
    """Return at most `most` of the models, in the order given; ``mean`` only where it is alone."""
    given = list(dict.fromkeys(models))
    known = [name for name in TELLING[:-1] if name in given]
    others = [name for name in given if name not in TELLING]
    chosen = (known + others)[:most]
    return [name for name in given if name in chosen] or given[:most]
