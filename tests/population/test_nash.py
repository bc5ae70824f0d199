"""Maximum-entropy Nash equilibria of games with known answers, and beside other solvers."""

import numpy as np
import pytest
from scipy import optimize

from tabia.population.nash import NashError, entropy, exploitability, max_entropy_nash
from tests.population.games import (
    ROCK_PAPER_SCISSORS,
    circle,
    disc_game,
    elo_game,
    random_game,
    random_signs,
    transitive_chain,
)


def test_rock_paper_scissors_is_played_evenly() -> None:
    found = max_entropy_nash(ROCK_PAPER_SCISSORS)
    assert found.probabilities == pytest.approx(np.full(3, 1 / 3), abs=1e-14)
    assert found.support == (0, 1, 2)
    assert found.entropy == pytest.approx(np.log(3))


def test_biased_rock_paper_scissors_plays_each_by_the_stakes_between_the_others() -> None:
    # Stakes a (0 against 1), b (1 against 2), c (2 against 0): p is b : c : a.
    game = np.array([[0, 3.0, -2], [-3, 0, 5], [2, -5, 0]])
    assert max_entropy_nash(game).probabilities == pytest.approx([0.5, 0.2, 0.3], abs=1e-14)


@pytest.mark.parametrize("n", [1, 2, 7, 30])
def test_the_best_of_a_chain_is_played_alone(n: int) -> None:
    found = max_entropy_nash(transitive_chain(n))
    assert found.support == (n - 1,)
    assert found.exploitability == 0.0


def test_the_strongest_of_an_elo_game_is_played_alone() -> None:
    ratings = np.random.default_rng(1).normal(1500, 300, 21)
    assert max_entropy_nash(elo_game(ratings)).support == (int(ratings.argmax()),)


def test_a_game_without_stakes_is_played_evenly() -> None:
    assert max_entropy_nash(np.zeros((5, 5))).probabilities.tolist() == [0.2] * 5


def test_a_draw_that_rounding_decides_is_a_draw() -> None:
    game = np.array([[0, 1e-17, 1], [-1e-17, 0, 1], [-1, -1, 0]])
    assert max_entropy_nash(game).probabilities.tolist() == pytest.approx([0.5, 0.5, 0])


def test_equal_strategies_share_what_one_of_them_would_have() -> None:
    doubled = ROCK_PAPER_SCISSORS[np.ix_([0, 0, 1, 2], [0, 0, 1, 2])]
    assert max_entropy_nash(doubled).probabilities == pytest.approx(
        [1 / 6, 1 / 6, 1 / 3, 1 / 3], abs=1e-12
    )


def test_points_evenly_on_a_circle_are_played_evenly() -> None:
    # Any mixture with the centre as its mean is an equilibrium of the disc game.
    found = max_entropy_nash(circle(9))
    assert found.probabilities == pytest.approx(np.full(9, 1 / 9), abs=1e-12)


def test_the_mean_of_an_equilibrium_of_the_disc_game_is_the_centre() -> None:
    points = np.random.default_rng(2).normal(size=(40, 2))
    game = disc_game(points)
    found = max_entropy_nash((game - game.T) / 2)
    assert found.probabilities @ points == pytest.approx([0, 0], abs=1e-12)
    assert len(found.support) == 40
    # Largest entropy among these is an exponential family: ln p is linear in the point.
    x = np.column_stack([points, np.ones(40)])
    fitted = x @ np.linalg.lstsq(x, np.log(found.probabilities), rcond=None)[0]
    assert np.log(found.probabilities) == pytest.approx(fitted, abs=1e-9)


def test_a_strategy_that_would_gain_binds_without_being_played() -> None:
    # Three strategies that draw with each other; a fourth beats the first and loses to the others.
    game = np.zeros((4, 4))
    game[3, :3] = [1.0, -0.5, -0.4]
    game -= game.T
    found = max_entropy_nash(game)
    assert found.support == (0, 1, 2)
    assert (game @ found.probabilities)[3] == pytest.approx(0, abs=1e-13)
    # ln p is linear in the price of that gain, which one equation fixes.
    gains = game[3, :3]
    price = optimize.brentq(lambda t: (gains * np.exp(-t * gains)).sum(), 0, 10, xtol=1e-14)
    wanted = np.exp(-price * gains)
    assert found.probabilities[:3] == pytest.approx(wanted / wanted.sum(), abs=1e-10)


@pytest.mark.parametrize("n", [2, 5, 21])
@pytest.mark.parametrize("make", [random_game, random_signs])
def test_random_games_are_solved_exactly_and_with_no_less_entropy_than_an_lp(make, n) -> None:  # type: ignore[no-untyped-def]
    for seed in range(4):
        game = make(n, seed)
        found = max_entropy_nash(game)
        assert found.exploitability <= 1e-12
        assert found.probabilities.sum() == pytest.approx(1, abs=1e-13)
        lp = optimize.linprog(
            np.zeros(n), A_ub=game, b_ub=np.zeros(n), A_eq=np.ones((1, n)), b_eq=[1]
        )
        assert lp.status == 0
        assert found.entropy >= entropy(lp.x) - 1e-9


def test_no_direction_within_the_equilibria_has_more_entropy() -> None:
    # Signs tie often, so that many equilibria remain.
    rng = np.random.default_rng(3)
    several = 0
    for seed in range(8):
        game = np.round(random_game(12, seed))
        p = max_entropy_nash(game).probabilities
        for _ in range(5):
            other = optimize.linprog(
                rng.normal(size=12), A_ub=game, b_ub=np.zeros(12), A_eq=np.ones((1, 12)), b_eq=[1]
            ).x
            several += bool(np.abs(other - p).max() > 1e-6)
            mixed = 0.999 * p + 0.001 * np.maximum(other, 0)
            assert entropy(mixed) <= entropy(p) + 1e-10
    assert several > 5


def test_the_unit_of_payoffs_changes_nothing() -> None:
    game = random_game(15, 4)
    p = max_entropy_nash(game).probabilities
    for unit in (1e-6, 1e6):
        assert max_entropy_nash(unit * game).probabilities == pytest.approx(p, abs=1e-9)


def test_a_hundred_strategies_are_solved_to_1e_minus_9() -> None:
    found = max_entropy_nash(random_game(100, 0))
    assert found.exploitability <= 1e-9
    assert 20 < len(found.support) < 80


def test_exploitability_is_what_the_best_reply_gains() -> None:
    assert exploitability(ROCK_PAPER_SCISSORS, np.array([1.0, 0, 0])) == 1.0
    assert exploitability(ROCK_PAPER_SCISSORS, np.array([0.5, 0.5, 0])) == 0.5


def test_what_is_not_antisymmetric_is_refused() -> None:
    with pytest.raises(ValueError, match="not antisymmetric"):
        max_entropy_nash(np.ones((2, 2)))
    assert not issubclass(NashError, ValueError)


def test_strategies_outside_that_would_gain_one_after_the_other_do_not_block_the_answer() -> None:
    # Two strategies that draw with each other, and two that punish too much of the second: the one
    # that gains more at first allows 2/5 of it, the other 1/3.
    game = np.zeros((4, 4))
    game[2, :2], game[3, :2] = (-3.0, 4.5), (-0.3, 0.6)
    game[2, 3] = 0.1
    game -= np.triu(game.T) + np.tril(game.T)
    found = max_entropy_nash(game)
    assert found.probabilities == pytest.approx([2 / 3, 1 / 3, 0, 0], abs=1e-12)
    assert found.exploitability <= 1e-12
