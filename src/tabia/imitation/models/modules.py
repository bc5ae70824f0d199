"""Which models of moves there are, where, and what they learn from.

A model's module is called as the model is, in the configuration, in paths and in tables. Standard
library only: the dry run reads it.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

__all__ = ["ALL", "FINAL", "MODELS", "PHASES", "ModelEntry", "module"]

ALL = "all"
"""The bin of a model that learns from every rated game, whatever its Elo."""

FINAL = "final"
"""The fold of a model that no game is held back from: to publish, to play against."""


@dataclass(frozen=True)
class ModelEntry:
    """What the plan must know of a model.

    Attributes
    ----------
    module
        Module with ``fit`` and ``load`` (:class:`tabia.imitation.policy.PolicyModule`).
    by_bin
        True if there is one model an Elo bin; False if one for all Elos.
    search
        The net whose structure search decides this model's structure, if any.
    pretrained
        True if it starts from the net that was trained on unrated games.
    parts
        Models, of the same fold, that it is put together from.
    """

    module: str
    by_bin: bool
    search: str | None = None
    pretrained: bool = False
    parts: tuple[str, ...] = ()


def _entry(module: str, **about: object) -> ModelEntry:
    return ModelEntry(module=f"tabia.imitation.models.{module}", **about)  # type: ignore[arg-type]


MODELS = MappingProxyType(
    {
        "book": _entry("book", by_bin=True),
        "xqsv": _entry("xqsv", by_bin=True, search="xqsv"),
        "xqsv_all": _entry("xqsv", by_bin=False, search="xqsv_all"),
        "xqsv_perfect": _entry("xqsv", by_bin=True, search="xqsv_perfect"),
        "resnet": _entry("resnet", by_bin=True, search="resnet"),
        "lightgbm": _entry("lightgbm", by_bin=False),
        "one_net": _entry("one_net", by_bin=False, pretrained=True),
        "ensemble": _entry(
            "ensemble", by_bin=False, pretrained=True, parts=("book", "one_net", "lightgbm")
        ),
    }
)
"""In the order of tables. ``xqsv_all`` is the paper's net without Elo partition, ``xqsv_perfect``
the one with perfect memory."""

PHASES = MappingProxyType(
    {
        "rnn": (
            ("memory", "rnn"),
            ("rnn_dropout", "rnn_hidden"),
            ("rnn_activation", "batch_norm"),
            ("dropout", "fc_layers"),
            ("fc_l2", "fc_activation"),
        ),
        "resnet": (
            ("memory", "blocks"),
            ("channels", "batch_norm"),
            ("dropout", "fc_layers"),
            ("fc_l2", "fc_activation"),
        ),
    }
)
"""Structure variables that each phase of a search decides, in the order of the paper's Table I;
the residual net keeps those that are not the recurrent layer's and has two of its own."""


def module(model: str) -> str:
    """Return the module of a model."""
    return MODELS[model].module
