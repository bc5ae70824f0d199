from __future__ import annotations

import numpy as np
import pytest

from tabia.imitation.legal_labels import joined, over_legal, played_labels, window
from tests.imitation.made_game import CODES, made, made_positions

pytestmark = pytest.mark.usefixtures(made.__name__)
__all__ = ["made"]


def log_p(*rows: list[float]) -> np.ndarray:
    with np.errstate(divide="ignore"):
        return np.log(np.array(rows, np.float32))


def test_the_filter_renormalises_over_legal_moves_and_tells_what_it_took():
    positions = made_positions([1], legal=3)
    p = [0.1, 0.2, 0.1, 0.6] + [0.0] * 8
    found = over_legal(positions, np.array([0]), log_p(p), "plain")
    np.testing.assert_allclose(found.p, [0.25, 0.5, 0.25], rtol=1e-6)
    np.testing.assert_allclose(found.illegal, [0.6], rtol=1e-6)
    assert not found.unfiltered[0]  # label 3 was likeliest, and is not legal


def test_moves_of_one_label_share_its_probability_and_it_counts_once():
    positions = made_positions([1], legal=3)  # labels 0, 0, 1
    found = over_legal(positions, np.array([0]), log_p([0.2, 0.3, 0.5, 0, 0, 0]), "shared")
    np.testing.assert_allclose(found.p, [0.2, 0.2, 0.6], rtol=1e-6)
    np.testing.assert_allclose(found.illegal, [0.5], rtol=1e-6)


def test_without_the_filter_the_likeliest_label_of_all_counts():
    positions = made_positions([2], legal=CODES)
    for vocabulary, labels in (("plain", CODES), ("shared", CODES // 2)):
        played = played_labels(positions, np.arange(2), vocabulary)
        p = np.full((2, labels), 0.01)
        p[0, played[0]] = 0.9
        p[1, (played[1] + 1) % labels] = 0.9
        found = over_legal(positions, np.arange(2), log_p(*p.tolist()), vocabulary)
        assert found.unfiltered.tolist() == [True, False]


def test_legal_moves_of_next_to_no_mass_are_still_a_distribution():
    positions = made_positions([1], legal=2)
    scores = np.zeros((1, CODES), np.float32)
    scores[0, :2] = [-400, -401]
    found = over_legal(positions, np.array([0]), scores, "plain")
    np.testing.assert_allclose(found.p, [1 / (1 + np.exp(-1)), 1 / (1 + np.e)], rtol=1e-5)
    assert found.illegal.tolist() == [1]


def test_parts_join_to_the_prediction_of_the_whole():
    positions = made_positions([9, 4], 2)
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(13, CODES)).astype(np.float32)
    scores -= np.log(np.exp(scores).sum(axis=1, keepdims=True))
    index = rng.permutation(13)
    whole = over_legal(positions, index, scores, "plain")
    parts = [
        over_legal(positions, index[p], scores[p], "plain") for p in np.split(np.arange(13), [5, 6])
    ]
    found = joined(parts)
    for name in ("offsets", "p", "illegal", "unfiltered"):
        np.testing.assert_array_equal(getattr(found, name), getattr(whole, name))


def test_a_window_reaches_from_the_first_game_s_first_move_to_the_last_row():
    positions = made_positions([5, 6, 7])
    assert window(positions, np.array([13, 7])) == slice(5, 14)
    assert window(positions, np.arange(0)) == slice(0, 0)
