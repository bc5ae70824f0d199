"""Which models of moves there are, where, and what they learn from.

A model's module is called as the model is, in the configuration, in paths and in tables. Standard
library only: the dry run reads it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from tabia.imitation.names import ALL, FINAL

__all__ = [
    "ALL",
    "FINAL",
    "MODELS",
    "PHASES",
    "ModelEntry",
    "candidate_name",
    "kind_of",
    "module",
]


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
    section
        Section of the configuration that sets it up, if that is another model's; it is then
        trained only where it is part of a model.
    ablation
        True if it only shows what a design decision is worth: it is measured, and not published.
    """

    module: str
    by_bin: bool
    search: str | None = None
    pretrained: bool = False
    parts: tuple[str, ...] = ()
    section: str | None = None
    ablation: bool = False


def _entry(module: str, **about: object) -> ModelEntry:
    return ModelEntry(module=f"tabia.imitation.models.{module}", **about)  # type: ignore[arg-type]


MODELS = MappingProxyType(
    {
        "book": _entry("book", by_bin=True),
        "book_all": _entry("book", by_bin=False, section="book"),
        "xqsv": _entry("xqsv", by_bin=True, search="xqsv"),
        "xqsv_all": _entry("xqsv", by_bin=False, search="xqsv_all", ablation=True),
        "xqsv_perfect": _entry("xqsv", by_bin=True, search="xqsv_perfect", ablation=True),
        "resnet": _entry("resnet", by_bin=True, search="resnet", ablation=True),
        "lightgbm": _entry("lightgbm", by_bin=False),
        "one_net": _entry("one_net", by_bin=False, pretrained=True),
        "ensemble": _entry("ensemble", by_bin=False, parts=("book_all", "one_net", "lightgbm")),
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


def kind_of(net: str) -> str:
    """Return whose phases the search of a net has, a key of :data:`PHASES`."""
    return "resnet" if module(net).endswith(".resnet") else "rnn"


def candidate_name(values: Mapping[str, str | int | float | bool | None]) -> str:
    """Return how a candidate of a search is called in paths: ``memory-10_rnn-gru``.

    Whole numbers are written alike whether they are integers or not; None is ``all`` (of the
    game), True and False are ``yes`` and ``no``.
    """
    return "_".join(f"{name}-{_value(value)}" for name, value in values.items())


def _value(value: str | int | float | bool | None) -> str:
    if value is None:
        return "all"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)
