"""Maximum likelihood against closed forms, published estimates and a slow twin."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import optimize

from tabia.match.strength import NATURAL_ELO, Cells, FitError, expected, fit

# Games of baseball of 1987, by home and away team: won and lost at home. Published in Agresti,
# Categorical Data Analysis (2nd edition, 2002), section 10.6, with the estimates below.
TEAMS = ("Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore")
AT_HOME = (
    "43 42 43 61 42 60",
    "33 42 43 60 61 43",
    "25 43 24 43 42 60",
    "33 51 25 43 42 61",
    "51 25 33 42 52 60",
    "25 33 34 43 42 24",
    "25 15 16 24 16 34",
)


def baseball() -> Cells:
    rows = [
        (home, away, *map(float, word))
        for home, line in enumerate(AT_HOME)
        for away, word in zip(
            [one for one in range(len(TEAMS)) if one != home], line.split(), strict=True
        )
    ]
    first, second, won, lost = (np.array(column) for column in zip(*rows, strict=True))
    return Cells(first.astype(np.intp), second.astype(np.intp), won, np.zeros(len(won)), lost)


def cells(*rows: tuple[int, int, float, float, float]) -> Cells:
    """Return cells of first, second, won, drawn, lost."""
    table = np.array(rows, np.float64)
    places = table[:, :2].astype(np.intp)
    return Cells(places[:, 0], places[:, 1], table[:, 2], table[:, 3], table[:, 4])


def test_strengths_are_the_published_ones() -> None:
    found = fit(7, baseball(), {6: 0.0}, advantage=False)
    assert np.round(found.players, 2).tolist() == [1.58, 1.44, 1.29, 1.25, 1.11, 0.68, 0.0]


def test_the_advantage_of_the_first_move_is_the_published_one() -> None:
    found = fit(7, baseball(), {6: 0.0}, advantage=True)
    assert found.advantage == pytest.approx(0.302, abs=5e-4)
    shares = np.exp(found.players) / np.exp(found.players).sum()
    assert np.round(np.sort(shares), 3).tolist() == [0.044, 0.088, 0.137, 0.157, 0.164, 0.19, 0.22]


def test_two_players_have_the_elo_of_their_score() -> None:
    # 60 won, 20 drawn, 20 lost: 0.7 points a game
    found = fit(2, cells((0, 1, 60, 20, 20)), {1: 0.0}, advantage=False)
    assert found.players[0] * NATURAL_ELO == pytest.approx(400 * math.log10(0.7 / 0.3))


def test_davidsons_answer_for_two_players_is_the_closed_form() -> None:
    # Strengths are as won to lost, nu is drawn / sqrt(won lost): shares are met exactly.
    found = fit(2, cells((0, 1, 60, 20, 20)), {1: 0.0}, advantage=False, model="davidson")
    assert found.players[0] == pytest.approx(math.log(3))
    assert found.nu == pytest.approx(20 / math.sqrt(1200))
    points, draw = expected(found.players[:1], found.nu)
    assert (points[0], draw[0]) == (pytest.approx(0.7), pytest.approx(0.2))
    # A natural unit is 400 / ln 10 Elo, less the share of draws between equals.
    assert found.elo == pytest.approx(NATURAL_ELO * (1 - found.nu / (2 + found.nu)))


def test_davidsons_advantage_for_two_players_is_the_closed_form() -> None:
    # In either order: d = log(won / lost); strength is half the sum, advantage half the difference.
    won = cells((0, 1, 50, 20, 30), (1, 0, 40, 20, 40))
    found = fit(2, won, {1: 0.0}, advantage=True, model="davidson")
    slow = optimize.minimize(
        lambda v: minus_log_likelihood(won, np.array([v[0], 0.0]), v[1], math.exp(v[2])),
        [0.1, 0.1, -1.0],
        method="Nelder-Mead",
        options={"xatol": 1e-9, "fatol": 1e-12, "maxiter": 4000},
    )
    assert [found.players[0], found.advantage, math.log(found.nu)] == pytest.approx(
        slow.x.tolist(), abs=1e-6
    )


def minus_log_likelihood(
    games: Cells, players: np.ndarray, advantage: float, nu: float = 0.0
) -> float:
    d = players[games.first] - players[games.second] + advantage
    weights = np.stack([np.exp(d / 2), np.full_like(d, nu), np.exp(-d / 2)])
    shares = weights / weights.sum(axis=0)
    counts = np.stack([games.won, games.drawn, games.lost])
    with np.errstate(divide="ignore"):
        logs = np.where(counts > 0, np.log(shares), 0.0)
    return -float((counts * logs).sum())


def test_davidsons_answer_for_many_is_that_of_a_general_optimiser() -> None:
    rng = np.random.default_rng(3)
    rows = [(i, j, *rng.integers(1, 9, 3).tolist()) for i in range(5) for j in range(5) if i != j]
    games = cells(*rows)
    found = fit(5, games, {0: 0.0}, advantage=True, model="davidson")
    slow = optimize.minimize(
        lambda v: minus_log_likelihood(games, np.array([0.0, *v[:4]]), v[4], math.exp(v[5])),
        np.zeros(6),
        method="BFGS",
        options={"gtol": 1e-8},
    )
    mine = [*found.players[1:], found.advantage, math.log(found.nu)]
    assert mine == pytest.approx(slow.x.tolist(), abs=1e-5)


def test_davidsons_model_without_a_draw_is_that_of_points() -> None:
    plain = fit(7, baseball(), {6: 0.0}, advantage=True)
    davidson = fit(7, baseball(), {6: 0.0}, advantage=True, model="davidson")
    assert davidson.nu == 0.0
    assert davidson.players == pytest.approx(plain.players)


def test_given_strengths_are_kept_and_pull_the_others() -> None:
    # 2 scores half against 0 (at 1.0) and half against 1 (at 3.0): it lies in the middle.
    games = cells((2, 0, 10, 0, 10), (2, 1, 10, 0, 10), (0, 1, 20, 0, 0))
    found = fit(3, games, {0: 1.0, 1: 3.0}, advantage=False)
    assert found.players.tolist() == [1.0, 3.0, pytest.approx(2.0)]


def test_many_players_get_the_same_answer_by_the_sparse_way(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    dense = fit(7, baseball(), {6: 0.0}, advantage=True)
    monkeypatch.setattr("tabia.match.strength._DENSE", 0)
    sparse = fit(7, baseball(), {6: 0.0}, advantage=True)
    assert sparse.players == pytest.approx(dense.players, abs=1e-9)
    assert sparse.advantage == pytest.approx(dense.advantage, abs=1e-9)


def test_expected_points_are_those_of_elo() -> None:
    d = np.array([400.0, 200.0, 0.0, -200.0, 1e6]) / NATURAL_ELO
    points, draw = expected(d)
    assert points == pytest.approx([10 / 11, 0.759747, 0.5, 0.240253, 1.0], abs=1e-6)
    assert draw.tolist() == [0.0] * 5


def test_results_without_a_finite_answer_are_refused() -> None:
    sweep = cells((0, 1, 10, 0, 0))
    with pytest.raises(FitError, match="no finite strengths"):
        fit(2, sweep, {1: 0.0}, advantage=False)
    drawn = cells((0, 1, 0, 10, 0))
    with pytest.raises(FitError, match="no finite strengths"):
        fit(2, drawn, {1: 0.0}, advantage=False, model="davidson")
    apart = cells((0, 1, 5, 0, 5), (2, 3, 5, 0, 5))
    with pytest.raises(FitError, match="no finite strengths"):
        fit(4, apart, {0: 0.0}, advantage=False)
