"""One look for every figure: font, sizes, colours that colour-blind people tell apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

__all__ = [
    "ACCENT",
    "CONFIG",
    "DARK",
    "MUTED",
    "RAMP",
    "REJECTED",
    "SPLITS",
    "colours",
    "families",
]

FONT = "Liberation Sans, Arial, Helvetica, sans-serif"

# Okabe and Ito's palette: distinct for all common kinds of colour blindness. Black and yellow
# are left out, since figures are shown on white and on near-black.
_PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
ACCENT, REJECTED = _PALETTE[0], _PALETTE[1]
SPLITS = {"train": _PALETTE[0], "validation": _PALETTE[4], "test": _PALETTE[5]}
"""Colour of each split, in their order."""
MUTED = "#8a8a8a"
"""Baselines and guide lines: readable on white and on near-black."""
RAMP = (0.2, 0.8)
"""Part of plasma for what has an order, such as Elo bins: its ends are lost on near-black and on
white."""

_INK, _SOFT, _GRID = "#1f2328", "#59636e", "#e4e7eb"
_DARK_INK, _DARK_SOFT, _DARK_GRID = "#e6edf3", "#a3adb8", "#30363d"


def _axis(ink: str, soft: str, grid: str) -> dict[str, Any]:
    return {
        "titleColor": soft,
        "labelColor": ink,
        "gridColor": grid,
        "domainColor": soft,
        "tickColor": soft,
    }


def _inks(ink: str, soft: str, grid: str) -> dict[str, Any]:
    """Everything that depends on the paper's colour."""
    return {
        "axis": _axis(ink, soft, grid),
        "header": {"labelColor": ink, "titleColor": soft},
        "legend": {"labelColor": ink, "titleColor": soft},
        "title": {"color": ink, "subtitleColor": soft},
        "text": {"color": ink},
    }


def _merge(base: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in over.items():
        old = merged.get(key)
        merged[key] = _merge(old, value) if isinstance(old, dict) else value
    return merged


CONFIG: dict[str, Any] = _merge(
    {
        "background": "#ffffff",
        "font": FONT,
        # Wide at the sides: who opens an SVG may have a wider font than it was laid out with.
        "padding": {"left": 36, "top": 8, "right": 24, "bottom": 8},
        "view": {"stroke": None},
        "axis": {
            "labelFontSize": 12,
            "titleFontSize": 12,
            "titleFontWeight": "normal",
            "titlePadding": 8,
            "labelLimit": 260,
            "labelFlush": False,  # a flush last label runs into the one before it
            "gridDash": [2, 3],
        },
        "header": {"labelFontSize": 12, "labelFontWeight": "bold", "titleFontSize": 12},
        "legend": {
            "labelFontSize": 12,
            "titleFontSize": 12,
            "orient": "top",
            "symbolSize": 90,
            "columnPadding": 26,  # a wider font than it was laid out with, again
        },
        "title": {
            "anchor": "start",
            "fontSize": 16,
            "fontWeight": "bold",
            "subtitleFontSize": 12,
            "subtitlePadding": 6,
            "offset": 14,
        },
        "text": {"fontSize": 11},
        "range": {"category": list(_PALETTE)},
    },
    _inks(_INK, _SOFT, _GRID),
)
"""Vega-Lite configuration of every figure, on white paper."""

DARK: dict[str, Any] = {"background": None, **_inks(_DARK_INK, _DARK_SOFT, _DARK_GRID)}
"""What the report page lays over :data:`CONFIG` where the reader prefers dark pages."""


_FAMILIES = {
    "baseline": MUTED,
    "linear, trees": _PALETTE[4],
    "RBF network": _PALETTE[1],
    "MLP, CNN": _PALETTE[0],
    "our best": _PALETTE[2],
    "the paper's net": _PALETTE[1],
    "the paper's net, ablated": _PALETTE[3],
    "rivals": _PALETTE[4],
    "ours": _PALETTE[2],
    "other": _PALETTE[5],
}


def families(names: Iterable[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Return a colour for each family of models, in the order of legends: (names, colours)."""
    found = set(names)
    ordered = [name for name in _FAMILIES if name in found]
    return ordered, [_FAMILIES[name] for name in ordered]


_MODELS = {
    "rbf": _FAMILIES["RBF network"],
    "best": _FAMILIES["our best"],
    "mlp_lm": _FAMILIES["MLP, CNN"],
    "lightgbm": _FAMILIES["linear, trees"],
    "ridge": _PALETTE[5],
    "mlp_bitmap": _PALETTE[3],
    "mean": MUTED,
    "xqsv": _PALETTE[1],
    "ensemble": _PALETTE[2],
    "one_net": _PALETTE[0],
    "resnet": _PALETTE[3],
    "book": MUTED,
}


def colours(names: Iterable[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Return a colour for each model, in the order given: (names, colours).

    Models that are often shown have a colour of their own, the same in every figure. The others
    take what is left of the palette; where there are too many it starts again.
    """
    ordered = list(dict.fromkeys(names))
    used = [_MODELS[name] for name in ordered if name in _MODELS]
    free = [colour for colour in _PALETTE if colour not in used] or list(_PALETTE)
    others = [name for name in ordered if name not in _MODELS]
    range_ = _MODELS | {name: free[i % len(free)] for i, name in enumerate(others)}
    return ordered, [range_[name] for name in ordered]
