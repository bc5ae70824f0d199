"""Measures of predicted moves, against values found by hand."""

from __future__ import annotations

import math

import numpy as np
import pyarrow as pa
import pytest

from tabia.imitation.measures import UNITS, calibration_bin, measures, reliability
from tests.imitation.made import predicted

# The paper's definition on one position with the probabilities 0.4, 0.3, 0.2, 0.1: the smallest set
# of likeliest moves whose sum EXCEEDS p. Sums of the sets: 0.4, 0.7, 0.9, 1.0.
RANKED = [0.4, 0.3, 0.2, 0.1]
SET_SIZE = {0.0: 1, 0.1: 1, 0.2: 1, 0.3: 1, 0.4: 2, 0.5: 2, 0.6: 2, 0.7: 3, 0.8: 3, 0.9: 4, 1.0: 4}


def of_rank(rank: int, ranked: list[float] = RANKED) -> dict[str, object]:
    """Return the row of a position whose move played was the `rank`-th likeliest."""
    before = float(np.float32(sum(ranked[: rank - 1])))
    p, top = ranked[rank - 1], ranked[0]
    return {"rank": rank, "p": p, "mass_before": before, "top_p": top, "n_legal": len(ranked)}


def value(rows: list[dict[str, object]], name: str, bins: int = 10) -> float:
    (measure,) = [m for m in measures(predicted(rows), bins) if m.name == name]
    return float(measure.value(measure.terms.sum(axis=0)))


@pytest.mark.parametrize(("p", "size"), SET_SIZE.items())
def test_top_p_is_the_smallest_set_whose_mass_exceeds_p(p: float, size: int) -> None:
    hits = [value([of_rank(rank)], f"top_p_{p:.1f}") for rank in (1, 2, 3, 4)]
    assert hits == [1.0 if rank <= size else 0.0 for rank in (1, 2, 3, 4)]


def test_a_mass_that_equals_p_does_not_exceed_it() -> None:
    ten = [0.1] * 10  # 0.1 + 0.1 + 0.1 is 0.30000001 in float32 and 0.30000000000000004 in float64
    assert value([of_rank(4, ten)], "top_p_0.3") == 1.0
    assert value([of_rank(5, ten)], "top_p_0.3") == 0.0


def test_top_p_at_0_is_top_1_even_for_a_second_move_of_all_but_no_mass_before() -> None:
    rows = [{"rank": 2, "p": 0.0, "mass_before": 0.0, "top_p": 0.0}, of_rank(1)]
    assert value(rows, "top_p_0.0") == value(rows, "top_1") == 0.5


def test_top_p_at_1_is_every_legal_move() -> None:
    rows = [of_rank(rank) for rank in (1, 2, 3, 4)]
    assert value(rows, "top_p_1.0") == 1.0


def test_top_k_counts_moves_of_rank_k_or_better() -> None:
    rows = [of_rank(rank) for rank in (1, 1, 2, 4)]
    found = [value(rows, f"top_{k}") for k in (1, 2, 3, 4, 10)]
    assert found == [0.5, 0.75, 0.75, 1.0, 1.0]


def test_nll_is_the_mean_of_minus_log_p_in_nats() -> None:
    rows = [of_rank(1), of_rank(4)]
    assert value(rows, "nll") == pytest.approx(-(math.log(0.4) + math.log(0.1)) / 2, rel=1e-6)


def test_a_probability_of_nothing_has_a_finite_nll() -> None:
    row = {"rank": 4, "p": 0.0, "mass_before": 1.0}
    assert value([row], "nll") == pytest.approx(-math.log(np.finfo(np.float32).tiny))


def test_ece_averages_the_bins_distances_by_their_sizes() -> None:
    # Ten bins. (0.3,0.4]: three moves of confidence 0.4, one hit: |1/3 - 0.4| = 1/15, weight 3/5.
    # (0.8,0.9]: two moves of 0.9 and 0.85, both hit: |1 - 0.875| = 0.125, weight 2/5.
    rows = [
        {"top_p": 0.4, "rank": 1},
        {"top_p": 0.4, "rank": 2},
        {"top_p": 0.4, "rank": 3},
        {"top_p": 0.9, "rank": 1},
        {"top_p": 0.85, "rank": 1},
    ]
    assert value(rows, "ece") == pytest.approx(0.6 / 15 + 0.4 * 0.125, rel=1e-6)


def test_errors_of_opposite_sign_cancel_within_a_bin_and_not_between_bins() -> None:
    within = [{"top_p": 0.5, "rank": 1}, {"top_p": 0.5, "rank": 2}]
    assert value(within, "ece") == pytest.approx(0.0)
    between = [{"top_p": 0.5, "rank": 1}, {"top_p": 0.6, "rank": 2}]
    assert value(between, "ece") == pytest.approx((0.5 + 0.6) / 2, rel=1e-6)


def test_calibration_bins_hold_their_upper_ends_though_float32_is_a_little_above() -> None:
    tops = np.array([0.2, 0.4, 1.0, 1 / 15, 0.0], np.float32).astype(np.float64)
    assert calibration_bin(tops, 15).tolist() == [2, 5, 14, 0, 0]
    assert calibration_bin(np.array([0.201, 0.0667]), 15).tolist() == [3, 1]


def test_reliability_gives_hits_and_mean_confidence_of_each_bin_that_has_moves() -> None:
    rows = predicted(
        [{"top_p": 0.31, "rank": 1}, {"top_p": 0.39, "rank": 2}, {"top_p": 0.75, "rank": 1}]
    )
    found = {
        number: {m.name: float(m.value(m.terms.sum(axis=0))) for m in own}
        for number, own in reliability(rows, 10)
    }
    assert found.keys() == {3, 7}
    assert found[3] == pytest.approx({"top_1": 0.5, "mean_confidence": 0.35}, rel=1e-6)
    assert found[7] == pytest.approx({"top_1": 1.0, "mean_confidence": 0.75}, rel=1e-6)


def test_illegal_mass_and_unfiltered_hits_are_means_of_nets_that_tell_them() -> None:
    rows = [{"illegal": 0.25, "unfiltered": True}, {"illegal": 0.75, "unfiltered": False}]
    assert value(rows, "illegal_mass") == 0.5
    assert value(rows, "top_1_unfiltered") == 0.5
    names = {measure.name for measure in measures(predicted([{}]), 10)}
    assert not names & {"illegal_mass", "top_1_unfiltered", "result_nll"}


def test_result_nll_is_of_the_movers_result_and_of_known_results_only() -> None:
    shares = {"p_loss": 0.2, "p_draw": 0.3, "p_win": 0.5}
    rows = [{**shares, "result": result} for result in (-1, 0, 1, None)]
    expected = -(math.log(0.2) + math.log(0.3) + math.log(0.5)) / 3
    assert value(rows, "result_nll") == pytest.approx(expected, rel=1e-6)
    (measure,) = [m for m in measures(predicted(rows), 10) if m.name == "result_nll"]
    assert measure.terms[:, 0].tolist() == [1, 1, 1, 0]


def test_only_the_wanted_measures_are_given() -> None:
    found = [measure.name for measure in measures(predicted([{}]), 10, ("nll", "top_1"))]
    assert found == ["top_1", "nll"]


def test_every_measure_has_a_unit_and_counts_its_rows() -> None:
    rows: pa.Table = predicted([of_rank(1), of_rank(2)])
    for measure in measures(rows, 15):
        assert UNITS[measure.name] in ("share", "nats")
        assert measure.terms[:, 0].tolist() == [1.0, 1.0]
