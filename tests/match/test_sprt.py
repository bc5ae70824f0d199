"""The sequential test against values that fishtest's own program gives for the same pairs."""

from __future__ import annotations

import math

import pytest

from tabia.match.sprt import log_likelihood_ratio, sequential_test


@pytest.mark.parametrize(
    ("pairs", "elo0", "elo1", "ratio"),
    [
        ((3, 20, 50, 22, 5), 0, 20, 0.04032037241670679),
        ((3, 20, 50, 22, 5), 0, 5, 0.17838022438188125),
        ((3, 20, 50, 22, 5), -10, 10, 0.9344729113889829),
        ((0, 10, 30, 12, 0), 0, 20, -0.27041453628885204),
        ((0, 10, 30, 12, 0), 0, 5, 0.085226848211516),
        ((12, 40, 60, 30, 8), 0, 20, -2.9973011351582723),
        ((12, 40, 60, 30, 8), -10, 10, -2.0579732004260216),
    ],
)
def test_the_ratio_is_that_of_fishtest(
    pairs: tuple[int, ...], elo0: float, elo1: float, ratio: float
) -> None:
    assert log_likelihood_ratio(pairs, elo0, elo1) == pytest.approx(ratio, abs=1e-9)


def test_the_ratio_changes_its_sign_with_the_view() -> None:
    one = log_likelihood_ratio((12, 40, 60, 30, 8), -3, 7)
    assert log_likelihood_ratio((8, 30, 60, 40, 12), -7, 3) == pytest.approx(-one)


def test_bounds_are_walds() -> None:
    found = sequential_test((3, 20, 50, 22, 5), 0, 20)
    assert found.upper == pytest.approx(math.log(19))
    assert found.lower == pytest.approx(-math.log(19))
    assert found.verdict is None
    assert sequential_test((3, 20, 50, 22, 5), 0, 20, alpha=0.1, beta=0.2).upper == pytest.approx(
        math.log(8)
    )


def test_what_the_pairs_show_is_accepted() -> None:
    assert sequential_test((12, 40, 60, 30, 8), 0, 20).verdict == "elo0"
    assert sequential_test((0, 5, 40, 60, 40), 0, 20).verdict == "elo1"
    # One kind of score only, as between programs that draw every pair.
    assert sequential_test((0, 0, 2000, 0, 0), 0, 20).verdict == "elo0"
    assert sequential_test((0, 0, 0, 0, 200), 0, 20).verdict == "elo1"


def test_no_pair_decides_nothing() -> None:
    assert sequential_test((0, 0, 0, 0, 0), 0, 5).ratio == 0


def test_numbers_that_are_none_of_a_test_are_refused() -> None:
    with pytest.raises(ValueError, match="elo0 5 is not below elo1 0"):
        sequential_test((1, 1, 1, 1, 1), 5, 0)
    with pytest.raises(ValueError, match="rates of error"):
        sequential_test((1, 1, 1, 1, 1), 0, 5, alpha=0.6, beta=0.5)
    with pytest.raises(ValueError, match="five of them"):
        log_likelihood_ratio((1, 2, 3), 0, 5)


def test_the_rates_of_error_hold() -> None:
    """Where elo0 is true, elo1 is accepted in about alpha of the tests: 200 matches."""
    import numpy as np

    rng = np.random.default_rng(5)
    wrong = 0
    for _ in range(200):
        played = np.zeros(5, np.int64)
        while True:
            played += rng.multinomial(40, (0.05, 0.2, 0.5, 0.2, 0.05))  # equal players
            verdict = sequential_test(played.tolist(), 0, 40).verdict
            if verdict is not None:
                break
        wrong += verdict == "elo1"
    assert wrong / 200 < 0.09
