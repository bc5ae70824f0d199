"""Model folders whose values one can work out: material, no training."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tabia.evaluation import card
from tabia.evaluation.inputs import columns
from tabia.learning.ridge import RidgeModel

PAWNS = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9, "k": 0}
STOCKFISH = {
    "engine.name": "Stockfish",
    "engine.version": "15.1",
    "engine.net": "nn-ad9b42354671.nnue",
    "engine.options": '{"Hash": 1, "MultiPV": 2, "Threads": 1}',
}


def about(scenario: int = 3, **changes: Any) -> dict[str, Any]:
    """``config.json`` of a ridge on placement."""
    inputs = columns(["placement"], scenario)
    return {
        "model": "ridge_placement",
        "run": "ridge_placement",
        "predicts": "engine value of a chess position, pawns, White's view",
        "groups": ["placement"],
        "inputs": list(inputs),
        "input_means": [0.0] * 768 + [0.25] * (len(inputs) - 768),
        "phases": [1, 127],
        "filter": "abs20",
        "scenario": scenario,
        "seed": 0,
        "split_by": "game",
        "labels": {"inputs": [2, 4, 8], "target": {"nodes": 1000}},
        "engine": STOCKFISH,
        "settings": {},
        "chosen": {"penalty": 1.0},
        "parameters": len(inputs) + 1,
        "explains": False,
        "splits": {
            "test": {
                "positions": 1200,
                "games": 800,
                "mae_pawns": 1.25,
                "r2": 0.5,
                "sign_agreement": 0.9,
            }
        },
        "played_by": "people",
        "licence": "GPL-3.0-or-later",
    } | changes


def material_model(folder: Path, scenario: int = 3, **changes: Any) -> Path:
    """Write a model: 0.25 + White's material - Black's + half of the engine's values."""
    config = about(scenario, **changes)
    weights = [
        0.5 if name.startswith("input_") else float(PAWNS[name[0].lower()])
        for name in columns(["placement"], scenario)
    ]
    folder.mkdir(parents=True, exist_ok=True)
    RidgeModel(np.array(weights), 0.25, 1.0).save(folder)
    card.write(config, folder)
    return folder
