"""Elo differences from pairs against values computed by hand and by simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tabia.match.elo import elo_of_score, from_pairs


def test_a_score_of_ten_elevenths_is_400_elo() -> None:
    assert elo_of_score(10 / 11) == pytest.approx(400)
    assert elo_of_score(1 / 11) == pytest.approx(-400)
    assert elo_of_score(0.5) == 0
    assert elo_of_score(0.64) == pytest.approx(99.95, abs=0.01)


@pytest.mark.parametrize("score", [0.0, 1.0, -0.1, 1.1])
def test_an_infinite_difference_is_none(score: float) -> None:
    assert elo_of_score(score) is None


def test_the_interval_is_students_on_the_pairs() -> None:
    # 20 pairs: mean (0.25 * 2 + 0.5 * 10 + 0.75 * 5 + 1 * 2) / 20 = 0.5625; squared deviations
    # 0.31640625 + 2 * 0.09765625 + 10 * 0.00390625 + 5 * 0.03515625 + 2 * 0.19140625 = 1.109375;
    # s / sqrt(20) = sqrt(1.109375 / 19 / 20) = 0.0540316; t(0.975; 19) = 2.0930240
    elo = from_pairs((1, 2, 10, 5, 2))
    assert elo.score == 0.5625
    assert elo.score_low == pytest.approx(0.5625 - 2.0930240 * 0.0540316, abs=1e-6)
    assert elo.score_high == pytest.approx(0.5625 + 2.0930240 * 0.0540316, abs=1e-6)
    assert elo.elo == pytest.approx(400 * math.log10(0.5625 / 0.4375))
    assert elo.elo_low == pytest.approx(-35.27, abs=0.01)
    assert elo.elo_high == pytest.approx(127.44, abs=0.01)
    assert elo.los == pytest.approx(0.86914, abs=1e-5)  # t = 0.0625 / 0.0540316 = 1.156729


def test_the_level_widens_the_interval() -> None:
    # t(0.995; 19) = 2.8609346
    elo = from_pairs((1, 2, 10, 5, 2), level=0.99)
    assert elo.score_high - elo.score == pytest.approx(2.8609346 * 0.0540316, abs=1e-6)


def test_pairs_that_halve_the_points_vary_less_than_their_games() -> None:
    # Every opening is won by White: 10 games won, 10 lost, yet no pair tells the agents apart.
    elo = from_pairs((0, 0, 10, 0, 0))
    unseen = 1 - 0.025 ** (1 / 10)  # 0.30850
    assert (elo.score, elo.elo, elo.los) == (0.5, 0.0, 0.5)
    assert elo.score_low == pytest.approx((1 - unseen) / 2)
    assert elo.score_high == pytest.approx((1 + unseen) / 2)
    assert elo.elo_high == pytest.approx(110.79, abs=0.01)


def test_all_games_won_leave_the_upper_bound_open() -> None:
    elo = from_pairs((0, 0, 0, 0, 10))
    assert (elo.elo, elo.elo_high) == (None, None)
    assert elo.score_low == pytest.approx(0.025 ** (1 / 10))  # Clopper and Pearson: 0.69150
    assert elo.elo_low == pytest.approx(140.22, abs=0.01)
    assert elo.los == 1 - 0.5**11
    lost = from_pairs((10, 0, 0, 0, 0))
    assert (lost.elo, lost.elo_low) == (None, None)
    assert lost.elo_high == pytest.approx(-140.22, abs=0.01)
    assert lost.los == 0.5**11


def test_one_pair_says_next_to_nothing() -> None:
    elo = from_pairs((0, 0, 0, 0, 1))
    assert elo.score_low == pytest.approx(0.025)
    assert elo.los == 0.75


def test_two_different_pairs_leave_both_bounds_open() -> None:
    elo = from_pairs((0, 0, 1, 1, 0))  # t(0.975; 1) = 12.7 times 0.125
    assert (elo.elo_low, elo.elo_high) == (None, None)
    assert elo.elo == pytest.approx(400 * math.log10(5 / 3))


def test_a_half_point_less_does_not_make_the_lower_bound_better() -> None:
    all_won, nearly = from_pairs((0, 0, 0, 0, 10)), from_pairs((0, 0, 0, 1, 9))
    assert nearly.score_low < all_won.score_low
    assert nearly.los <= all_won.los


def test_reversed_agents_have_the_reversed_interval() -> None:
    one, other = from_pairs((3, 1, 4, 1, 5)), from_pairs((5, 1, 4, 1, 3))
    assert one.elo is not None
    assert other.elo == pytest.approx(-one.elo)
    assert other.score_low == pytest.approx(1 - one.score_high)
    assert other.los == pytest.approx(1 - one.los)


@pytest.mark.parametrize("pairs", [(0, 0, 0, 0, 0), (1, 2, 3), (1, 0, 0, 0, -1)])
def test_no_pairs_are_refused(pairs: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="five of them"):
        from_pairs(pairs)


@pytest.mark.parametrize("level", [0.0, 1.0, 95.0])
def test_levels_are_between_0_and_1(level: float) -> None:
    with pytest.raises(ValueError, match="level"):
        from_pairs((1, 1, 1, 1, 1), level)


@pytest.mark.parametrize("chances", [(0.05, 0.2, 0.4, 0.25, 0.1), (0.0, 0.05, 0.15, 0.4, 0.4)])
@pytest.mark.parametrize("n", [10, 50])
def test_the_interval_covers_the_truth_as_often_as_it_says(
    chances: tuple[float, ...], n: int
) -> None:
    rng = np.random.default_rng(20)
    truth = np.dot(chances, (0.0, 0.25, 0.5, 0.75, 1.0))
    tables = rng.multinomial(n, chances, size=1000)
    elos = [from_pairs([int(count) for count in table]) for table in tables]
    share = np.mean([elo.score_low <= truth <= elo.score_high for elo in elos])
    assert 0.93 <= share <= 0.995
    misses = np.mean([elo.score_high < truth for elo in elos])
    assert misses < 0.06  # not all on one side
