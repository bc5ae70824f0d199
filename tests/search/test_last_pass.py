"""A pass that ends the game well is seen at once, whatever the net thinks of it."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tabia.search.config import GoRules
from tabia.search.evaluator import Evaluation
from tabia.search.run import run
from tabia.search.trees import Root, Trees
from tests.search.made import settings

PASS, LABELS = 361, 26


class LovesOnlyOne:
    """Expects White to pass, and Black never to."""

    def evaluate(self, planes: NDArray[np.float32]) -> Evaluation:
        black = planes[:, 3, 0, 0] == 1  # one position of history: two planes, forbidden, to move
        logits = np.zeros((len(planes), LABELS), np.float32)
        logits[:, -1] = np.where(black, -9, 9)
        return Evaluation(logits, np.zeros(len(planes), np.float32))


def searched(moves: list[int], simulations: int, **tree: object) -> Root:
    trees = Trees(GoRules(size=5, komi=0.5), settings(**tree))
    trees.reset(0, None, moves)
    trees.searcher.begin(0, simulations, 1)
    run(trees, LovesOnlyOne())
    return trees.root(0)


@pytest.mark.parametrize("rule", ["puct", "gumbel", "go_player"])
def test_who_has_won_by_passing_sees_it_with_the_first_simulation(rule: str) -> None:
    root = searched([2 * 19 + 2, PASS], 1, rule=rule)  # one black stone, and White has passed
    assert (root.solved, root.solved_plies) == ("win", 1)
    assert root.moves[0] == PASS


def test_a_pass_that_loses_at_once_is_left_alone() -> None:
    root = searched([2 * 19 + 2], 24)
    visits = dict(zip(root.moves.tolist(), root.visits.tolist(), strict=True))
    assert visits[PASS] == 2  # its evaluation, and the answer
    blind = searched([2 * 19 + 2], 24, solve=False)
    visits = dict(zip(blind.moves.tolist(), blind.visits.tolist(), strict=True))
    assert visits[PASS] > 12


def test_who_would_lose_by_passing_is_not_made_to() -> None:
    # A stone each, half a point for White, who has passed.
    root = searched([PASS, 2, 0, PASS], 24)
    visits = dict(zip(root.moves.tolist(), root.visits.tolist(), strict=True))
    assert root.first_to_move
    assert visits[PASS] == 0
    assert root.solved is None
