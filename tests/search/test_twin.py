"""The native tree grows as the slow twin's does, visit for visit."""

from __future__ import annotations

import numpy as np
import pytest

from tabia.games import chess
from tabia.games.chess_moves import from_to_indices
from tabia.games.contract import Position
from tabia.games.xiangqi import XiangqiGame
from tabia.games.xiangqi_moves import from_to_indices as xiangqi_indices
from tabia.search.config import ChessRules, XiangqiRules
from tabia.search.run import run
from tabia.search.trees import Trees
from tests.search.made import HashEvaluator, settings
from tests.search.twin import Twin

CHESS = "4k3/8/8/8/8/8/4P3/4K2R w K - 0 1"
XIANGQI = "3k5/4P4/9/9/9/9/9/9/4p4/4K4 w - - 0 1"
VARIANTS = {
    "puct": {"fpu_value": 0.25},
    "puct, fixed fpu": {"fpu": "fixed", "fpu_value": -1.0, "c_init": 2.0, "c_base": 50.0},
    "minimax": {"backup": "minimax"},
    "go player": {
        "rule": "go_player",
        "backup": "minimax",
        "fpu_value": 0.0,
        "c": 0.7,
        "temperature_by_depth": (1.5, 1.0, 0.4),
        "visit_floor": 0.5,
    },
    "go player's rule, means": {"rule": "go_player", "fpu_value": 0.0},
}


SIMULATIONS = 150


def labels(game: str, moves: list[int], black: bool) -> np.ndarray:
    """Return the places of moves in the policy."""
    if game == "chess":
        return from_to_indices(moves, np.full(len(moves), black))
    codes = np.array(moves)
    turned = 90 * (89 - codes // 90) + 89 - codes % 90
    return xiangqi_indices(turned if black else codes)


class Followed:
    """A position that knows the moves that led to it."""

    def __init__(self, inner: Position, line: tuple[int, ...] = ()) -> None:
        self.inner, self.line = inner, line
        self.legal_moves, self.outcome = inner.legal_moves, inner.outcome

    @property
    def first_to_move(self) -> bool:
        return self.inner.first_to_move

    def copy(self) -> Followed:
        return Followed(self.inner.copy(), self.line)

    def push(self, code: int) -> None:
        self.inner.push(code)
        self.line = (*self.line, code)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("game", ["chess", "xiangqi"])
def test_visits_are_the_twins(game: str, variant: str) -> None:
    chosen = settings(solve=False, **VARIANTS[variant])
    rules = ChessRules() if game == "chess" else XiangqiRules()
    fen = CHESS if game == "chess" else XIANGQI
    trees = Trees(rules, chosen, history=2)
    evaluator = HashEvaluator(trees.searcher.labels)
    trees.reset(0, fen)
    trees.searcher.begin(0, SIMULATIONS, 1)
    run(trees, evaluator)

    looker = Trees(rules, chosen, history=2)

    def think(position: Followed) -> tuple[list[int], np.ndarray, float]:
        looker.reset(0, fen, position.line)
        found = evaluator.evaluate(looker.searcher.encode(0)[None])
        moves = position.legal_moves()
        logits = found.logits[0][labels(game, moves, not position.first_to_move)]
        weights = np.exp(logits.astype(np.float64) - logits.max())
        return moves, (weights / weights.sum()).astype(np.float32), float(found.values[0])

    start = (chess.GAME if game == "chess" else XiangqiGame(rules="simple")).position(fen)
    twin = Twin(Followed(start), chosen.tree, think)
    for _ in range(SIMULATIONS):
        twin.simulate()
    root = trees.root(0)
    assert dict(zip(root.moves.tolist(), root.visits.tolist(), strict=True)) == twin.visits()
    value = twin.value(twin.root) * twin.root.sign
    assert root.value == pytest.approx(value, abs=1e-12)
