"""Forced playouts, what they leave in the policy, and unvisited moves of a noisy root."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tabia.search.config import Budget, GoRules, MoveChoice, Temperature, TreeSettings
from tabia.search.evaluator import Evaluation
from tabia.search.learning_config import SelfPlay
from tabia.search.play import play_chunk, pruned
from tabia.search.run import run
from tabia.search.trees import Root, Trees
from tests.search.made import settings

LABELS = 26


class Decided:
    """Expects the top left point to be played, and thinks badly of whoever does not."""

    def evaluate(self, planes: NDArray[np.float32]) -> Evaluation:
        logits = np.zeros((len(planes), LABELS), np.float32)
        logits[:, 0] = 6
        stands = planes[:, 0, 0, 0] + planes[:, 1, 0, 0] > 0
        return Evaluation(logits, np.where(stands, 0, 0.9).astype(np.float32))


def searched(noise: bool, **tree: object) -> Root:
    trees = Trees(GoRules(size=5), settings(noise_alpha=0.1, **tree))
    trees.searcher.begin(0, 200, 3, noise=noise)
    run(trees, Decided())
    return trees.root(0)


def test_a_move_that_was_tried_gets_the_visits_that_noise_is_owed() -> None:
    forced, free = searched(True, forced=2.0), searched(True)
    owed = np.sqrt(2.0 * forced.noisy_prior * forced.visits.sum())
    tried = forced.visits > 0
    # The last simulation may have opened a move or raised what is owed.
    assert (forced.visits[tried] >= np.floor(owed[tried]) - 1).all()
    short = (
        free.visits[free.visits > 0]
        < np.floor(np.sqrt(2.0 * free.noisy_prior * free.visits.sum())[free.visits > 0]) - 1
    )
    assert short.any()
    assert forced.visits.sum() == free.visits.sum() == 200


def test_nothing_is_forced_without_noise() -> None:
    assert searched(False, forced=2.0).visits.tolist() == searched(False).visits.tolist()


def test_a_noisy_root_takes_unvisited_moves_for_what_it_is_told() -> None:
    one, other = searched(True, noisy_fpu_value=0.0), searched(True, noisy_fpu_value=0.9)
    assert (one.visits > 0).sum() > (other.visits > 0).sum()
    assert searched(True, noisy_fpu_value=0.3).visits.tolist() == searched(True).visits.tolist()
    assert searched(False, noisy_fpu_value=0.9).visits.tolist() == searched(False).visits.tolist()


def test_moves_are_drawn_by_visits_that_were_not_forced() -> None:
    forced = settings(noise_alpha=0.1, forced=2.0).model_copy(
        update={
            "noise": True,
            "budget": Budget(simulations=100),
            "move": MoveChoice(schedule=(Temperature(temperature=1.0),)),
        }
    )
    own = SelfPlay(search=forced, at_once=8, resign=None)
    rules = GoRules(size=5, max_plies=24)
    games, positions = play_chunk(rules, own, 1, Decided(), range(30), 1)
    shares = {(row["number"], row["ply"]): row for row in positions.to_pylist()}
    untaught = 0
    for game in games.to_pylist():
        for ply, move in enumerate(game["moves"]):
            row = shares[game["number"], ply]
            assert row["policy"][row["moves"].index(move)] > 0
            tried = zip(row["visits"], row["policy"], strict=True)
            untaught += sum(visits > 0 and share == 0 for visits, share in tried)
    assert untaught > 100


def root(visits: list[int], q: list[float], prior: list[float]) -> Root:
    n = len(visits)
    return Root(
        first_to_move=True, value=0.0, evaluation=0.0, moves=np.arange(n, dtype=np.uint16),
        visits=np.array(visits, np.uint32), q=np.array(q), prior=np.array(prior, np.float32),
        noisy_prior=np.array(prior, np.float32), improved=np.full(n, 1 / n), solved=None,
        solved_plies=0, solved_codes=np.zeros(n, np.uint8), solved_lengths=np.zeros(n, np.uint16),
        outcome=None,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("q", "kept"),
    [
        # 100 visits in all: owed are √(2 · 0.081 · 100) = 4.02 visits to a prior of 0.081.
        ([0.0, -0.9, -0.9], [90, 0, 0]),  # hopeless: all that was forced goes
        ([0.0, 0.5, -0.9], [90, 5, 0]),  # better than the first: nothing goes
    ],
)
def test_forced_visits_of_bad_moves_are_not_taught(q: list[float], kept: list[int]) -> None:
    tree = TreeSettings(forced=2.0, c_init=1.0, c_base=1e9)
    assert pruned(root([90, 5, 5], q, [0.838, 0.081, 0.081]), tree).tolist() == kept


def test_visits_are_taken_back_only_while_the_best_moves_score_is_higher() -> None:
    # Score of the first: 0.838 · √101 / 91 = 0.0925. The second's, at Q = -0.1 and prior 0.081, is
    # below it from 4 visits on: 0.081 · √101 / 5 - 0.1 = 0.0628, and with 3 visits 0.1035.
    tree = TreeSettings(forced=2.0, c_init=1.0, c_base=1e9)
    assert pruned(root([90, 6, 4], [0.0, -0.1, -0.9], [0.838, 0.081, 0.081]), tree).tolist() == [
        90,
        4,
        0,
    ]
