"""What the report knows of models: their family, and which are shown where room is short.

The report imports no chapter, so the names stand here once more; a test compares them with the
chapters'. A model that is not listed is shown too: last, and of no family. Standard library only:
the dry run reads this module.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

__all__ = [
    "FAMILIES",
    "FAMILY_OF",
    "IMITATORS",
    "TELLING",
    "TELLING_IMITATORS",
    "Imitator",
    "family",
    "imitator",
    "most_telling",
    "most_telling_imitators",
]

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
    return _some(models, most, TELLING[:-1], TELLING)


def _some(
    models: Iterable[str], most: int, wanted: Sequence[str], listed: Sequence[str]
) -> list[str]:
    given = list(dict.fromkeys(models))
    known = [name for name in wanted if name in given]
    others = [name for name in given if name not in listed]
    chosen = (known + others)[:most]
    return [name for name in given if name in chosen] or given[:most]


@dataclass(frozen=True)
class Imitator:
    """A model of people's moves.

    Attributes
    ----------
    family
        As legends name it.
    about
        What it is, in a few words.
    """

    family: str
    about: str


_PAPER, _WITHOUT, _RIVALS, _BEST = "the paper's net", "the paper's net, ablated", "rivals", "ours"

IMITATORS: Mapping[str, Imitator] = MappingProxyType(
    {
        "book": Imitator(_RIVALS, "most frequent move, with back-off"),
        "book_all": Imitator(_RIVALS, "book without Elo partition"),
        "xqsv": Imitator(_PAPER, "recurrent net, structure by search"),
        "xqsv_all": Imitator(_WITHOUT, "no Elo partition"),
        "xqsv_perfect": Imitator(_WITHOUT, "perfect memory"),
        "resnet": Imitator(_WITHOUT, "2D input: residual net"),
        "lightgbm": Imitator(_RIVALS, "trees that rank legal moves"),
        "one_net": Imitator(_BEST, "one net for all Elos"),
        "ensemble": Imitator(_BEST, "book, trees and one net together"),
    }
)
"""Models of the imitation chapter, in the order of its tables."""

TELLING_IMITATORS = (
    "xqsv",
    "ensemble",
    "one_net",
    "lightgbm",
    "resnet",
    "book",
    "xqsv_perfect",
    "xqsv_all",
    "book_all",
)
"""Models of the imitation chapter by how much a reader wants to see them."""


def imitator(model: str) -> Imitator:
    """Return what is known of a model of the imitation chapter."""
    return IMITATORS.get(model, Imitator("other", ""))


def most_telling_imitators(models: Iterable[str], most: int) -> list[str]:
    """Return at most `most` of the imitation chapter's models, in the order given."""
    return _some(models, most, TELLING_IMITATORS, TELLING_IMITATORS)
