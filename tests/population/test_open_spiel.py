"""The same answers as OpenSpiel, where it computes the same.

Its Nash averaging needs cvxpy, its alpha-rank matplotlib, neither of which tabia installs.
"""

import numpy as np
import pytest

from tabia.population.clusters import nash_clusters
from tabia.population.nash import max_entropy_nash
from tests.population.games import (
    ROCK_PAPER_SCISSORS,
    circle,
    elo_game,
    random_game,
    transitive_chain,
)


@pytest.mark.parametrize(
    "game",
    [
        ROCK_PAPER_SCISSORS,
        circle(8),
        transitive_chain(5),
        random_game(9, 1),
        random_game(14, 2),
        np.round(random_game(10, 3)),
    ],
)
def test_nash_averaging_gives_the_same_mixture(game: np.ndarray) -> None:
    pytest.importorskip("cvxpy", reason="OpenSpiel's Nash averaging needs cvxpy")
    pyspiel = pytest.importorskip("pyspiel")
    averaging = pytest.importorskip("open_spiel.python.algorithms.nash_averaging")
    mixture, _ = averaging.nash_averaging(pyspiel.create_matrix_game(game, -game))
    assert np.asarray(mixture).ravel() == pytest.approx(
        max_entropy_nash(game).probabilities, abs=2e-4
    )


def test_alpha_rank_puts_the_same_strategies_first() -> None:
    pytest.importorskip("matplotlib", reason="OpenSpiel's alpha-rank needs matplotlib")
    alpharank = pytest.importorskip("open_spiel.python.egt.alpharank")
    # Alpha-rank is another concept; it agrees where one strategy, or an even cycle, rules.
    even = alpharank.compute([ROCK_PAPER_SCISSORS], alpha=1.0)[2]
    assert even == pytest.approx(max_entropy_nash(ROCK_PAPER_SCISSORS).probabilities, abs=1e-6)
    ratings = np.random.default_rng(4).normal(1500, 200, 9)
    for game in (transitive_chain(6), elo_game(ratings)):
        ranked = alpharank.compute([game], alpha=5.0)[2]
        assert ranked.argmax() == nash_clusters(game)[0].members[0]
        assert ranked.max() > 0.5
