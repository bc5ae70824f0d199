"""Noise, budgets, and which move a search plays."""

from __future__ import annotations

import numpy as np
import pytest

from tabia.search.config import (
    Budget,
    ChessRules,
    SearchSettings,
    Temperature,
)
from tabia.search.config import MoveChoice as Move
from tabia.search.evaluator import UniformEvaluator
from tabia.search.run import run
from tabia.search.trees import Trees
from tests.search.made import HashEvaluator, grown, settings


def test_dirichlet_noise_has_its_mean_and_repeats() -> None:
    trees = Trees(ChessRules(), settings(noise_alpha=0.3, noise_fraction=0.25))
    mean = np.zeros(20)
    for seed in range(400):
        trees.searcher.forget(0)
        trees.searcher.begin(0, 1, seed, noise=True)
        run(trees, UniformEvaluator(trees.searcher.labels))
        root = trees.root(0)
        order = np.argsort(root.moves)
        assert root.prior == pytest.approx(np.full(20, 0.05), abs=1e-7)
        assert root.noisy_prior.sum() == pytest.approx(1, abs=1e-5)
        assert root.noisy_prior.min() >= 0.75 * 0.05 - 1e-6
        mean += root.noisy_prior[order] / 400
    # 0.05 each; the standard error is about 0.25 * sqrt(0.05 * 0.95 / 7 / 400) = 0.001.
    assert np.abs(mean - 0.05).max() < 0.004
    first = trees.root(0).noisy_prior
    trees.searcher.forget(0)
    trees.searcher.begin(0, 1, 399, noise=True)
    run(trees, UniformEvaluator(trees.searcher.labels))
    assert trees.root(0).noisy_prior.tolist() == first.tolist()


def test_noise_goes_with_the_next_search() -> None:
    trees = Trees(ChessRules(), SearchSettings())
    evaluator = HashEvaluator(trees.searcher.labels)
    trees.searcher.begin(0, 20, 1, noise=True)
    run(trees, evaluator)
    noisy = trees.root(0)
    assert noisy.noisy_prior.tolist() != noisy.prior.tolist()
    trees.searcher.begin(0, 20, 2)
    run(trees, evaluator)
    clean = trees.root(0)
    assert clean.noisy_prior.tolist() == clean.prior.tolist()
    assert dict(zip(noisy.moves, noisy.prior, strict=True)) == dict(
        zip(clean.moves, clean.prior, strict=True)
    )


def test_gumbel_visits_the_considered_moves_by_halves() -> None:
    tree = {"rule": "gumbel", "considered": 8, "solve": False}
    trees = Trees(ChessRules(), settings(**tree))
    trees.searcher.begin(0, 48, 5, noise=True)
    run(trees, HashEvaluator(trees.searcher.labels))
    visits = trees.root(0).visits
    # Three phases of 16: 2 visits to each of 8, 4 more to 4, 8 more to 2.
    assert visits.tolist() == [14, 14, 6, 6, 2, 2, 2, 2] + [0] * 12
    chosen = trees.searcher.choose(0, rule="gumbel")
    assert chosen in trees.root(0).moves[:2]


def test_gumbel_without_noise_improves_the_policy() -> None:
    trees = grown("chess", {"rule": "gumbel", "c_visit": 50.0, "c_scale": 1.0}, 64)
    root = trees.root(0)
    visited = root.visits > 0
    # Softmax of log prior + (50 + most visits) * win rate, the unvisited at the mixed value.
    assert root.evaluation is not None
    prior = root.prior.astype(np.float64)
    weighted = (prior[visited] * root.q[visited]).sum() / prior[visited].sum()
    mixed = (root.evaluation + root.visits.sum() * weighted) / (1 + root.visits.sum())
    q = np.where(visited, root.q, mixed)
    logits = np.log(prior) + (50 + root.visits.max()) * (q + 1) / 2
    wanted = np.exp(logits - logits.max())
    assert root.improved == pytest.approx(wanted / wanted.sum(), abs=1e-9)
    before = (prior * q).sum()
    assert (root.improved * q).sum() > before


def test_final_rules_choose_by_their_formula() -> None:
    trees = grown("chess", {"backup": "minimax", "rule": "go_player", "fpu_value": 0.0}, 128)
    root = trees.root(0)
    visited = root.visits > 0
    by_paper = np.where(visited, (root.win_rates + 0.5) * root.prior, -1)
    assert trees.searcher.choose(0, rule="go_player") == root.moves[by_paper.argmax()]
    by_value = np.where(visited, root.q, -2)
    assert trees.searcher.choose(0, rule="value") == root.moves[by_value.argmax()]
    assert trees.searcher.choose(0, rule="visits") == root.moves[0]
    assert root.value == by_value.max()  # minimax: the best child's value


def test_temperature_draws_by_visits() -> None:
    trees = grown("chess", {}, 60)
    root = trees.root(0)
    drawn = [trees.searcher.choose(0, temperature=1.0, seed=seed) for seed in range(3000)]
    share = np.array([drawn.count(move) for move in root.moves]) / 3000
    assert share == pytest.approx(root.visits / 60, abs=0.04)
    cold = {trees.searcher.choose(0, temperature=0.01, seed=seed) for seed in range(50)}
    assert cold == {root.moves[0]}
    assert trees.searcher.choose(0, temperature=1.0, seed=7) == drawn[7]


def test_temperature_falls_by_ply() -> None:
    hot, cold = Temperature(temperature=1.0), Temperature(from_ply=30)
    move = Move(schedule=(hot, cold))
    assert [move.temperature(ply) for ply in (0, 29, 30, 200)] == [1.0, 1.0, 0.0, 0.0]
    with pytest.raises(ValueError, match="must begin with 0"):
        Move(schedule=(cold,))


def test_playout_caps_make_some_searches_fast_and_without_noise() -> None:
    chosen = SearchSettings(
        budget=Budget(simulations=40, fast_simulations=10, full_share=0.25), noise=True
    )
    trees = Trees(ChessRules(), chosen)
    full = 0
    for seed in range(120):
        trees.searcher.forget(0)
        is_full = trees.begin(0, seed)
        trees.searcher.run_constant()
        root = trees.root(0)
        assert root.visits.sum() == (40 if is_full else 10)
        assert (root.noisy_prior.max() > root.prior.max()) == is_full
        full += is_full
    assert 18 <= full <= 45
    assert trees.begin(0, 3) == trees.begin(0, 3)


def test_minimax_takes_the_opponents_best_reply() -> None:
    # After Black's move a node has the least of Black's win rates below it, as in the paper's
    # example of 40, 50 and 60 %; after White's the greatest.
    trees = grown("go", {"backup": "minimax", "rule": "go_player", "fpu_value": 0.0}, 128)
    for _ in range(2):
        root = trees.root(0)
        black = root.win_rates if root.first_to_move else 1 - root.win_rates
        assert root.value is not None
        value = (root.value + 1) / 2 if root.first_to_move else (1 - root.value) / 2
        pick = max if root.first_to_move else min
        assert value == pytest.approx(pick(black[root.visits > 0]), abs=1e-12)
        trees.play(0, int(root.moves[0]))
    assert trees.root(0).first_to_move


@pytest.mark.parametrize("rule", ["go_player", "value"])
def test_moves_are_drawn_by_visits_where_the_schedule_says_so_and_then_by_the_rule(
    rule: str,
) -> None:
    def chosen(temperature: float) -> set[int]:
        schedule = (Temperature(temperature=temperature), Temperature(from_ply=1))
        search = SearchSettings(
            budget=Budget(simulations=100),
            move=Move.model_validate({"rule": rule, "schedule": schedule}),
        )
        trees = Trees(ChessRules(), search)
        trees.begin(0, 1)
        run(trees, HashEvaluator(trees.searcher.labels))
        return {trees.choose(0, seed) for seed in range(40)}

    assert len(chosen(0)) == 1
    assert len(chosen(1)) > 5
