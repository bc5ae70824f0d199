"""The formulas of docs/mcts.md by hand-made numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tabia._native import mcts_formulas as formulas


def test_puct_is_alphazeros() -> None:
    # C(100) = ln((1 + 100 + 19652) / 19652) + 1.25; times 0.5 * sqrt(100) / (1 + 4) = 1.
    rate = math.log(19753 / 19652) + 1.25
    assert formulas.puct(0.2, 0.5, 4, 100) == pytest.approx(0.2 + rate, abs=1e-14)
    assert formulas.puct(0.0, 1.0, 0, 4, c_init=0.0, c_base=1.0) == pytest.approx(2 * math.log(6))


def test_the_go_players_priority_is_its_papers() -> None:
    # Black: C * Q + T * Prob * sqrt(n_total) / n_visit = 2 * 0.6 + 1.5 * 0.25 * 8 / 4.
    found = formulas.go_player(0.6, 0.25, 4, 64, c=2.0, temperature=1.5)
    assert found == pytest.approx(1.2 + 0.75)
    # White, the same Q: C * (1 - Q) + … with the win rate of the side to move, 0.4.
    found = formulas.go_player(1 - 0.6, 0.25, 4, 64, c=2.0, temperature=1.5)
    assert found == pytest.approx(0.8 + 0.75)
    # The floor stands for the visits of an unvisited edge, and not beside those of others.
    assert formulas.go_player(0.5, 0.2, 0, 9, visit_floor=0.5) == pytest.approx(0.5 + 0.6 / 0.5)
    assert formulas.go_player(0.5, 0.2, 1, 9, visit_floor=0.5) == pytest.approx(0.5 + 0.6)


def test_the_go_players_final_rule_is_its_papers() -> None:
    assert formulas.go_player_choice(0.6, 0.2) == pytest.approx((0.6 + 0.5) * 0.2)
    # White at Black's win rate 0.6: (1.5 - 0.6) * 0.2.
    assert formulas.go_player_choice(1 - 0.6, 0.2) == pytest.approx((1.5 - 0.6) * 0.2)


def test_sigma_and_mixed_value_are_gumbel_alphazeros() -> None:
    assert formulas.gumbel_sigma(0.25, 10) == pytest.approx(60 * 0.25)
    # (0.5 + 3 * (0.1 / 0.5)) / 4
    assert formulas.gumbel_mixed_value(0.5, 3, 0.5, 0.1) == pytest.approx(1.1 / 4)
    assert formulas.gumbel_mixed_value(0.5, 0, 0.0, 0.0) == 0.5


def test_halving_gives_phases_equal_shares() -> None:
    # 16 moves, 200 simulations, phases of 50: 3 * 16, 6 * 8, 12 * 4, and 2 share what is left.
    counts = np.bincount(formulas.halving_schedule(16, 200))
    assert counts.tolist() == [16] * 3 + [8] * 6 + [4] * 12 + [2] * 28
    assert formulas.halving_schedule(1, 3) == [0, 1, 2]
    assert formulas.halving_schedule(4, 6) == [0, 0, 0, 0, 1, 1]
    assert formulas.halving_schedule(16, 8) == [0] * 8  # fewer simulations than moves
    assert len(formulas.halving_schedule(7, 1000)) == 1000


def test_own_logarithm_and_exponential_are_the_librarys() -> None:
    for x in np.geomspace(1e-300, 1e300, 400):
        assert formulas.log(x) == pytest.approx(math.log(x), rel=1e-15, abs=1e-15)
    for x in np.linspace(-700, 700, 400):
        assert formulas.exp(x) == pytest.approx(math.exp(x), rel=2e-14)
    assert formulas.exp(-1000) == 0
    with pytest.raises(ValueError, match="logarithm of 0"):
        formulas.log(0)


def test_random_numbers_have_their_moments_and_repeat() -> None:
    uniform = formulas.draws("uniform", 1, 40_000)
    assert 0 < uniform.min() < uniform.max() < 1
    assert uniform.mean() == pytest.approx(0.5, abs=0.01)
    gumbel = formulas.draws("gumbel", 2, 40_000)
    assert gumbel.mean() == pytest.approx(0.5772, abs=0.03)  # Euler's constant
    assert gumbel.var() == pytest.approx(math.pi**2 / 6, abs=0.06)
    for alpha in (0.03, 0.3, 5.0):
        gamma = np.exp(formulas.draws("log_gamma", 3, 40_000, alpha=alpha))
        assert gamma.mean() == pytest.approx(alpha, rel=0.12)
        assert gamma.var() == pytest.approx(alpha, rel=0.2)
    # The same on every machine.
    assert formulas.draws("uniform", 0, 1)[0] == 0.8833108082136426
