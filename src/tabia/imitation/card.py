"""What stands beside a model's weights: ``config.json`` for programs, ``README.md`` for people."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabia.imitation.folds import Parts
from tabia.imitation.names import ALL, FINAL
from tabia.imitation.policy import Policy
from tabia.imitation.positions import Positions
from tabia.learning.seal import sealed
from tabia.tables import parquet
from tabia.tables.spec import Spec

__all__ = ["CONFIG", "about", "write"]

CONFIG = "config.json"
"""File that tells how to load and feed a model."""

_DIGITS = 6


def about(
    spec: Spec,
    policy: Policy,
    positions: Positions,
    rows: Parts,
    structure: Mapping[str, Any] | None,
    validation: pa.Table,
    test: pa.Table | None,
) -> dict[str, Any]:
    """Return what a model's folder says of it, as plain values."""
    config = spec.config
    return {
        "kind": "imitation",
        "game": config["game"],
        "model": config["model"],
        "module": config["module"],
        "bin": spec.wildcards["bin"],
        "fold": spec.wildcards["fold"],
        "member": config["member"],
        "vocabulary": config["vocabulary"],
        "settings": dict(config["settings"]),
        "structure": None if structure is None else dict(structure),
        "parameters": policy.n_parameters,
        "chosen": dict(policy.facts),
        "seed": config["seed"],
        "played_by": positions.played_by,
        "train": _count(positions, rows.train),
        "validation": _count(positions, rows.validation) | _measures(validation),
        "test": None if test is None else _count(positions, rows.test) | _measures(test),
    }


def _count(positions: Positions, index: np.ndarray) -> dict[str, int]:
    return {"positions": len(index), "games": len(np.unique(positions.game_id[index]))}


def _measures(predicted: pa.Table) -> dict[str, float]:
    if not predicted.num_rows:
        return {}
    hit = pc.mean(pc.cast(pc.equal(predicted["rank"], 1), pa.float64())).as_py()
    p = predicted["p"].to_numpy().astype(np.float64)
    nll = -np.log(np.maximum(p, np.finfo(np.float32).tiny)).mean()
    return {"top_1": float(f"{hit:.{_DIGITS}g}"), "nll": float(f"{nll:.{_DIGITS}g}")}


def write(about: Mapping[str, Any], folder: Path) -> None:
    """Write ``config.json`` and ``README.md`` into a model's folder, where all else is written.

    Digests of every file and of ``config.json``'s own entries are among them, see
    :mod:`tabia.learning.seal`.
    """
    entries = sealed(about, folder)
    text = json.dumps(entries, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    parquet.write_text(folder / CONFIG, text)
    parquet.write_text(folder / "README.md", _card(about))


def _card(about: Mapping[str, Any]) -> str:
    elo = "any Elo" if about["bin"] == ALL else f"Elo above {about['bin'].replace('-', ' up to ')}"
    who = {"mover": "the mover's", "both": "both players'"}[about["member"]]
    held = (
        "no game was held back" if about["fold"] == FINAL else f"fold {about['fold']} was held back"
    )
    lines = [
        "---",
        "license: gpl-3.0-or-later",
        f"tags: [{about['game']}, imitation, tabia]",
        "---",
        f"# {about['model']}, {about['game']}, {about['bin']}",
        "",
        f"Predicts the moves that players of {elo} ({who}) choose in {about['game']}: a"
        " distribution over the legal moves.",
        "",
        f"- Learned from games of {about['played_by']}; {held}",
        f"- Parameters: {about['parameters']:,}",
        f"- Seed {about['seed']}; settings: {_pairs(about['settings'])}",
    ]
    if about["structure"]:
        lines.append(f"- Structure found by search: {_pairs(about['structure'])}")
    lines += [
        f"- Chosen in training: {_pairs(about['chosen'])}",
        "",
        "| part | positions | games | top-1 | negative log-likelihood, nats |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for name in ("train", "validation", "test"):
        own = about[name]
        if own is not None:
            measures = (f"{own[key]:.4f}" if key in own else "–" for key in ("top_1", "nll"))
            counts = f"{own['positions']:,} | {own['games']:,}"
            lines.append(f"| {name} | {counts} | {' | '.join(measures)} |")
    lines += [
        "",
        "Training rows are of the model's own bin, test rows of every Elo. Intervals by game stand"
        " in the result tables.",
        "",
        "Use it: `tabia predict --model FOLDER FILE`, or as a player: `imitation:FOLDER`.",
    ]
    return "\n".join(lines) + "\n"


def _pairs(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items()) or "nothing"
