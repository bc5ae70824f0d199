"""What stands beside a model's weights: ``config.json`` for programs, ``README.md`` for people.

``config.json`` holds all that is needed to use the model again: its module, its inputs in order,
the scenario and the labels' limits. ``README.md`` is the model card.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from tabia.learning.examples import Examples
from tabia.learning.metrics import MAE, R2, SIGN, SIGN_PAWNS, point
from tabia.learning.model import Model
from tabia.tables.spec import Spec
from tabia.tables.splits import SPLITS

__all__ = ["CARD", "CONFIG", "about", "write"]

CONFIG = "config.json"
CARD = "README.md"


def about(
    spec: Spec,
    model: Model,
    splits: Mapping[str, Examples],
    predictions: pa.Table,
    players: str,
    settings: Mapping[str, Any],
    engine: Mapping[str, str],
) -> dict[str, Any]:
    """Describe a model: what it is, what it was trained on, how well it does.

    Parameters
    ----------
    predictions
        Columns ``split``, ``target`` and ``predicted``, pawns, White's view.
    players
        Who played the games.
    settings
        As they were used.
    engine
        Who labelled, from the dataset's metadata.
    """
    split_of = predictions["split"].to_numpy()
    target, predicted = predictions["target"].to_numpy(), predictions["predicted"].to_numpy()
    found: dict[str, object] = {}
    for name in SPLITS:
        if name in splits:
            own = split_of == name
            found[name] = {
                "positions": len(splits[name]),
                "games": len(np.unique(splits[name].game_id)),
                "mae_pawns": point(MAE, target[own], predicted[own]),
                "r2": point(R2, target[own], predicted[own]),
                "sign_agreement": point(SIGN, target[own], predicted[own]),
            }
    return {
        "model": spec.config["model"],
        "run": spec.wildcards["model"],
        "predicts": "engine value of a chess position, pawns, White's view",
        "groups": list(spec.config["inputs"]),
        "inputs": list(splits["train"].inputs.columns),
        "filter": spec.wildcards["filter"],
        "scenario": int(spec.wildcards["scenario"]),
        "seed": int(spec.wildcards["seed"]),
        "split_by": "position" if spec.config["splits"] else "game",
        "labels": dict(spec.config["labels"]),
        "engine": dict(engine),
        "settings": dict(settings),
        "chosen": dict(model.facts),
        "parameters": model.n_parameters,
        "splits": found,
        "played_by": players,
        "licence": "GPL-3.0-or-later",
    }


def write(about: Mapping[str, Any], folder: Path) -> None:
    """Write ``config.json`` and the card into the model's folder."""
    text = json.dumps(about, indent=2, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n"
    (folder / CONFIG).write_text(text, encoding="utf-8", newline="\n")
    (folder / CARD).write_text(_card(about), encoding="utf-8", newline="\n")


def _card(about: Mapping[str, Any]) -> str:
    engine = about["engine"]
    named = " ".join(filter(None, (engine.get("engine.name"), engine.get("engine.version"))))
    labeller = named or "an engine that its labels do not name"
    lines = [
        "---",
        "license: gpl-3.0-or-later",
        "tags: [chess, tabia]",
        "---",
        f"# {about['run']}, scenario {about['scenario']}, filter {about['filter']}",
        "",
        f"Predicts the {about['predicts']}, as {labeller} gives it at the limit of the labels"
        f" ({engine.get('labels.limits', 'not named')}; the last is the target).",
        "",
        f"- Inputs: {len(about['inputs'])} ({', '.join(about['groups']) or 'none'}"
        f" and {sum(name.startswith('input_') for name in about['inputs'])} engine values at low"
        " depth)",
        f"- Parameters: {about['parameters']:,}",
        f"- Games played by {about['played_by']}; seed {about['seed']}",
        f"- Chosen in training: {_pairs(about['chosen'])}",
        f"- Settings: {_pairs(about['settings'])}",
        "",
        f"| split (by {about['split_by']}) | positions | games | MAE, pawns | R² |"
        f" same sign where the value is beyond {SIGN_PAWNS:g} |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for name, own in about["splits"].items():
        figures = (_figure(own[key]) for key in ("mae_pawns", "r2", "sign_agreement"))
        counts = f"{own['positions']:,} | {own['games']:,}"
        lines.append(f"| {name} | {counts} | {' | '.join(figures)} |")
    if about["split_by"] == "position":
        lines += ["", "**This split leaks**: positions of one game stand on both sides of it."]
    lines += [
        "",
        "Intervals by game stand in the result tables. Trained on middlegame positions of the"
        " configured games; other positions are outside what it has seen.",
        "",
        "Use it: `tabia evaluate FEN --model FOLDER`.",
    ]
    return "\n".join(lines) + "\n"


def _pairs(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items()) or "nothing"


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"
