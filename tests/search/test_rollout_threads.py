"""Random games from several leaves at once: threads change nothing, and the tree is the batch's."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tabia._native.mcts import Searcher
from tabia.search.config import GoRules
from tabia.search.evaluator import Evaluation, UniformEvaluator
from tabia.search.run import run
from tabia.search.trees import Root, Trees
from tests.search.made import GAMES, settings

STARTS = {
    "chess": "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 2 3",
    "xiangqi": None,
    "go": "2X2/1XOX1/1XO2/2OX1/5 b - 0 0 0",
}


def grown(game: str, *, leaves: int, threads: int, rollouts: int = 2) -> Root:
    trees = Trees(GAMES[game], settings())
    trees.reset(0, STARTS[game])
    trees.searcher.begin(0, 150, 5, noise=True)
    trees.searcher.run_rollouts(rollouts, leaves=leaves, threads=threads)
    assert trees.searcher.done(0) == 150 or trees.root(0).solved is not None
    return trees.root(0)


def same(one: Root, other: Root) -> bool:
    return (
        one.value == other.value
        and one.moves.tolist() == other.moves.tolist()
        and one.visits.tolist() == other.visits.tolist()
        and one.q.tolist() == other.q.tolist()
    )


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("leaves", [2, 8])
def test_threads_change_nothing(game: str, leaves: int) -> None:
    alone = grown(game, leaves=leaves, threads=1)
    assert same(alone, grown(game, leaves=leaves, threads=2))
    assert same(alone, grown(game, leaves=leaves, threads=3))


@pytest.mark.parametrize("game", GAMES)
def test_one_leaf_at_a_time_is_the_default_search(game: str) -> None:
    plain = grown(game, leaves=1, threads=1)
    assert same(plain, grown(game, leaves=1, threads=3))
    assert not same(plain, grown(game, leaves=8, threads=1))


@pytest.mark.parametrize("leaves", [2, 7])
def test_the_tree_is_that_of_an_evaluator_in_batches(leaves: int) -> None:
    class BlackWins:
        def evaluate(self, planes: NDArray[np.float32]) -> Evaluation:
            black = planes[:, 3, 0, 0]  # one position of history: two planes, forbidden, to move
            zeros = np.zeros((len(planes), 26), np.float32)
            return Evaluation(zeros, (2 * black - 1).astype(np.float32))

    # Whatever is played, Black has more points.
    rules = GoRules(size=5, komi=-100)
    by_rollouts, by_evaluator = (Trees(rules, settings(solve=False)) for _ in range(2))
    for trees in (by_rollouts, by_evaluator):
        trees.searcher.begin(0, 200, 5, noise=True)
    by_rollouts.searcher.run_rollouts(1, leaves=leaves, threads=2)
    run(by_evaluator, BlackWins(), batch=16, leaves=leaves)
    assert same(by_rollouts.root(0), by_evaluator.root(0))
    assert by_rollouts.root(0).value == 1
    assert by_rollouts.root(0).visits.sum() == 200


@pytest.mark.parametrize("game", ["chess", "xiangqi"])
def test_games_broken_off_at_once_are_draws(game: str) -> None:
    found = []
    for is_rollout in (True, False):
        trees = Trees(GAMES[game], settings())
        trees.searcher = Searcher(game, 1, rollout_plies=1, solve=False)
        trees.searcher.begin(0, 100, 5)
        if is_rollout:
            trees.searcher.run_rollouts(1, leaves=4, threads=2)
        else:
            run(trees, UniformEvaluator(trees.searcher.labels), batch=4, leaves=4)
        found.append(trees.root(0))
    assert same(*found)
    assert found[0].value == 0


def test_numbers_out_of_range_are_refused() -> None:
    searcher = Searcher("go", 1, size=5)
    with pytest.raises(ValueError, match="0 leaves"):
        searcher.run_rollouts(1, leaves=0)
    with pytest.raises(ValueError, match="0 threads"):
        searcher.run_rollouts(1, threads=0)
