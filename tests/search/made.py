"""What several tests of the search share: evaluators whose answers depend on the planes alone."""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import NDArray

from tabia.search.config import (
    ChessRules,
    GoRules,
    Rules,
    SearchSettings,
    TreeSettings,
    XiangqiRules,
)
from tabia.search.evaluator import Evaluation
from tabia.search.run import run
from tabia.search.trees import Trees

GAMES: dict[str, Rules] = {
    "chess": ChessRules(),
    "xiangqi": XiangqiRules(),
    "go": GoRules(size=5),
}


class HashEvaluator:
    """Any opinion, the same for the same planes: logits within ±2, values within ±0.8."""

    def __init__(self, labels: int) -> None:
        self.labels = labels
        self.batches: list[int] = []

    def evaluate(self, planes: NDArray[np.float32]) -> Evaluation:
        self.batches.append(len(planes))
        logits = np.empty((len(planes), self.labels), np.float32)
        values = np.empty(len(planes), np.float32)
        for i, plane in enumerate(planes):
            digest = hashlib.sha256(plane.tobytes()).digest()
            rng = np.random.default_rng(int.from_bytes(digest[:8], "little"))
            logits[i] = rng.uniform(-2, 2, self.labels)
            values[i] = rng.uniform(-0.8, 0.8)
        return Evaluation(logits, values)


def settings(**tree: object) -> SearchSettings:
    """Return settings whose tree has these fields."""
    return SearchSettings(tree=TreeSettings.model_validate(tree))


def grown(game: str, tree: dict[str, object], simulations: int, *, fen: str | None = None) -> Trees:
    """Return one game, searched with an opinion of its own."""
    trees = Trees(GAMES[game], settings(**tree))
    trees.reset(0, fen)
    trees.searcher.begin(0, simulations, 1)
    run(trees, HashEvaluator(trees.searcher.labels))
    return trees
