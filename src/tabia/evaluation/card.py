"""What stands beside a model's weights: ``config.json`` for programs, ``README.md`` for people.

``config.json`` holds all that is needed to use the model again: its module, its inputs in order
with their means, the scenario, the labels' limits, the digests of the other files and one of
itself. ``README.md`` is the model card.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from tabia.engines.config import Limit
from tabia.evaluation.dataset import ABS_PAWNS
from tabia.learning.examples import Examples, Inputs, means
from tabia.learning.metrics import MAE, R2, SIGN, SIGN_PAWNS, point
from tabia.learning.model import KeepsRows, Model
from tabia.learning.seal import sealed
from tabia.tables.spec import Spec
from tabia.tables.splits import SPLITS

__all__ = ["CARD", "CONFIG", "about", "write"]

CONFIG = "config.json"
CARD = "README.md"

_DIGITS = 6  # of a mean: enough for people, and the same on every machine


def about(
    spec: Spec,
    model: Model,
    splits: Mapping[str, Examples],
    predictions: pa.Table,
    phase: npt.NDArray[np.integer],
    players: str,
    settings: Mapping[str, Any],
    engine: Mapping[str, str],
) -> dict[str, Any]:
    """Describe a model: what it is, what it was trained on, how well it does.

    Parameters
    ----------
    predictions
        Columns ``split``, ``target`` and ``predicted``, pawns, White's view.
    phase
        ``[n]`` game phase, 0 to 128, of the rows of `predictions`.
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
    inputs = splits["train"].inputs
    trained_on = phase[split_of == "train"]
    return {
        "model": spec.config["model"],
        "run": spec.wildcards["model"],
        "predicts": "engine value of a chess position, pawns, White's view",
        "groups": list(spec.config["inputs"]),
        "inputs": list(inputs.columns),
        "input_means": _means(inputs),
        "phases": [int(trained_on.min()), int(trained_on.max())],
        "filter": spec.wildcards["filter"],
        "scenario": int(spec.wildcards["scenario"]),
        "seed": int(spec.wildcards["seed"]),
        "split_by": "position" if spec.config["splits"] else "game",
        "labels": dict(spec.config["labels"]),
        "engine": dict(engine),
        "settings": dict(settings),
        "chosen": dict(model.facts),
        "parameters": model.n_parameters,
        "explains": isinstance(model, KeepsRows),
        "splits": found,
        "played_by": players,
        "licence": "GPL-3.0-or-later",
    }


def write(about: Mapping[str, Any], folder: Path) -> None:
    """Write ``config.json`` and the card into the model's folder, where all else is written.

    Digests of every file and of ``config.json``'s own entries are among them, see
    :mod:`tabia.learning.seal`.
    """
    text = json.dumps(
        sealed(about, folder),
        indent=2,
        sort_keys=True,
        ensure_ascii=False,
        allow_nan=False,
    )
    text += "\n"
    (folder / CONFIG).write_text(text, encoding="utf-8", newline="\n")
    (folder / CARD).write_text(_card(about), encoding="utf-8", newline="\n")


def _means(inputs: Inputs) -> list[float]:
    return [float(f"{mean:.{_DIGITS}g}") for mean in means(inputs)]


def _card(about: Mapping[str, Any]) -> str:
    low, high = about["phases"]
    lines = [
        "---",
        "license: gpl-3.0-or-later",
        "tags: [chess, tabia]",
        "---",
        f"# {about['run']}, scenario {about['scenario']}, filter {about['filter']}",
        "",
        "Predicts the value of a chess position, in pawns from White's point of view, that"
        f" {_labeller(about)} gives it {_searched(about)}.",
        "",
        f"- Inputs: {_inputs(about)}",
        f"- Parameters: {about['parameters']:,}",
        f"- Trained on positions of games played by {about['played_by']}, of phase {low} to {high}"
        " (128 opening, 0 endgame)",
        f"- Left out of training and test: {_left_out(about)}",
        f"- Seed {about['seed']}; settings: {_pairs(about['settings'])}",
        f"- Chosen in training: {_pairs(about['chosen'])}",
        "",
        f"| split (by {about['split_by']}) | positions | games | MAE, pawns | R² |"
        f" same sign where the value is beyond {SIGN_PAWNS:g} |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for name, own in about["splits"].items():
        figures = (_figure(own[key]) for key in ("mae_pawns", "r2", "sign_agreement"))
        counts = f"{own['positions']:,} | {own['games']:,}"
        lines.append(f"| {name} | {counts} | {' | '.join(figures)} |")
    if about["split_by"] == "position":
        lines += ["", "**This split leaks**: positions of one game stand on both sides of it."]
    lines += [
        "",
        "These are figures of this one model; intervals by game stand in the result tables. What"
        " was chosen in training was chosen on the validation split. Positions unlike those above"
        " (other phases, mates, Chess960) are outside what the model has seen.",
        "",
        "Use it: `tabia evaluate FEN --model FOLDER`."
        + (" It explains its values." if about["explains"] else ""),
    ]
    return "\n".join(lines) + "\n"


def _labeller(about: Mapping[str, Any]) -> str:
    engine = about["engine"]
    named = " ".join(filter(None, (engine.get("engine.name"), engine.get("engine.version"))))
    return named or "an engine that the labels do not name"


def _searched(about: Mapping[str, Any]) -> str:
    limit = Limit.model_validate(about["labels"]["target"])
    if limit.nodes is not None:
        return f"after {limit.nodes:,} nodes of search"
    if limit.movetime_ms is not None:
        return f"after {limit.movetime_ms / 1000:g} s of search, which does not repeat"
    return f"at depth {limit.depth}"


def _inputs(about: Mapping[str, Any]) -> str:
    values = sum(name.startswith("input_") for name in about["inputs"])
    parts = list(about["groups"])
    if values:
        depths = ", ".join(map(str, about["labels"]["inputs"][:values]))
        parts.append(f"the engine's values at depth {depths}")
    return f"{len(about['inputs']):,} ({'; '.join(parts) or 'none'})"


def _left_out(about: Mapping[str, Any]) -> str:
    mates = "positions that the engine sees a mate in at any limit of the labels"
    if about["filter"] == "mate":
        return mates
    return f"{mates}, and those whose value is beyond {ABS_PAWNS:g} pawns"


def _pairs(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items()) or "nothing"


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"
