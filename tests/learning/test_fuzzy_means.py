"""Fuzzy means by hand, and against a slow twin that must agree to the last decision."""

from __future__ import annotations

import numpy as np
import pytest

from tabia._native.fuzzy_means import Selection
from tabia.learning.fuzzy_means import places, relative_distances, select


def column(*values: float) -> np.ndarray:
    return np.array(values, np.float32)[:, None]


def sets(*counts: int) -> np.ndarray:
    return np.array(counts, np.int32)


def slow(rows: np.ndarray, counts: np.ndarray, limit: int) -> np.ndarray | None:
    """The algorithm in plain loops: double precision, inputs in their order."""
    u = rows.astype(np.float64) * (counts - 1)
    counting = np.count_nonzero(counts > 1)
    centres: list[np.ndarray] = []
    for row in u:
        sums = np.zeros(len(centres))
        for i in range(len(row)):
            sums += np.square(np.array([centre[i] for centre in centres]) - row[i])
        if not (sums <= counting).any():
            if len(centres) == limit:
                return None
            centres.append(np.maximum(np.ceil(row - 0.5), 0))
    return np.array(centres, np.uint8)


def random_rows(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows and fuzzy sets; every other seed has rows on a lattice, where d is exactly 1 often."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(1, 120)), int(rng.integers(1, 70))
    # A lattice of eighths and the like is exact in single precision.
    counts = rng.choice([1, 2, 3, 5, 9] if seed % 2 else range(1, 12), d).astype(np.int32)
    counts[rng.integers(d)] = 5
    if seed % 2:
        rows = rng.integers(0, 2 * counts - 1, (n, d)) / np.maximum(2 * (counts - 1), 1)
    else:
        rows = rng.random((n, d))
    rows[:, counts == 1] = 0
    if n > 3:
        rows[n // 2] = rows[0]  # a duplicate
    return rows.astype(np.float32), counts


@pytest.mark.parametrize("seed", range(60))
def test_the_native_pass_makes_the_decisions_of_the_slow_twin(seed):
    rows, counts = random_rows(seed)
    expected = slow(rows, counts, 1000)
    np.testing.assert_array_equal(select([rows], counts, 1000), expected)
    if len(expected) > 1:
        assert select([rows], counts, len(expected) - 1) is None
    np.testing.assert_array_equal(select([rows], counts, len(expected)), expected)


def test_lattices_do_put_rows_exactly_on_spheres():
    """Else the twins above would not be tested where decisions are hardest."""
    hits = 0
    for seed in range(1, 60, 2):
        rows, counts = random_rows(seed)
        centres = select([rows], counts, 1000)
        apart = (centres[:, None] - rows.astype(np.float64) * (counts - 1)) ** 2
        hits += np.count_nonzero(apart.sum(axis=2) == np.count_nonzero(counts > 1))
    assert hits > 50


@pytest.mark.parametrize("seed", range(8))
def test_rows_in_parts_give_the_centres_of_rows_at_once(seed):
    rows, counts = random_rows(seed)
    parts = np.array_split(rows, 4)
    np.testing.assert_array_equal(select(parts, counts, 999), select([rows], counts, 999))


def test_one_input_by_hand():
    # Three sets at 0, 1/2 and 1. 0 is the first centre; 1/4 and 1/2 are within distance 1 of it,
    # 3/4 is not: it lies half-way between the sets at 1/2 and 1, and the lower is taken.
    rows = column(0, 0.25, 0.5, 0.75, 1)
    assert select([rows], sets(3), 9).tolist() == [[0], [1]]
    assert places(select([rows], sets(3), 9), sets(3)).tolist() == [[0], [0.5]]


def test_a_row_on_a_sphere_is_inside_and_the_next_number_is_outside():
    just_outside = float(np.nextafter(np.float32(0.5), np.float32(1)))
    assert len(select([column(0, 0.5)], sets(3), 9)) == 1
    assert len(select([column(0, just_outside)], sets(3), 9)) == 2


def test_two_inputs_by_hand():
    # Sets 3 and 5: spacings 1/2 and 1/4. d² = ((Δ₁ / ½)² + (Δ₂ / ¼)²) / 2.
    counts = sets(3, 5)
    rows = np.array([[0, 0], [0.5, 0.25], [0, 0.375], [1, 1], [0.9, 0.8]], np.float32)
    distances = relative_distances(rows, np.zeros(2, np.float32), counts)
    np.testing.assert_allclose(
        distances, [0, 1, np.sqrt(1.125), np.sqrt(10), np.sqrt((1.8**2 + 3.2**2) / 2)], rtol=1e-6
    )
    # The second row is on the first sphere, the third outside: its nearest sets are 0 and, of 1
    # and 2, the lower. The fourth is outside of both, the fifth near the fourth's centre.
    assert select([rows], counts, 9).tolist() == [[0, 0], [0, 1], [2, 4]]


def test_every_row_lies_within_one_of_a_centre_and_centres_within_a_half_of_their_row():
    rows = np.random.default_rng(1).random((400, 12)).astype(np.float32)
    counts = np.full(12, 6, np.int32)
    centres = places(select([rows], counts, 400), counts)
    distances = np.stack([relative_distances(rows, centre, counts) for centre in centres])
    assert distances.min(axis=0).max() <= 1
    assert distances.min(axis=1).max() <= 0.5
    assert 20 < len(centres) < 400


def test_the_order_of_rows_matters():
    rows = column(0, 0.4, 0.6, 1)
    forwards = select([rows], sets(3), 9)
    backwards = select([rows[::-1]], sets(3), 9)
    assert forwards.tolist() == [[0], [1]]
    assert backwards.tolist() == [[2], [1]]


def test_a_constant_input_counts_for_nothing():
    rng = np.random.default_rng(2)
    rows = rng.random((200, 5)).astype(np.float32)
    with_constant = np.insert(rows, 2, 0, axis=1)
    alone = select([rows], np.full(5, 5, np.int32), 200)
    beside = select([with_constant], np.array([5, 5, 1, 5, 5, 5], np.int32), 200)
    np.testing.assert_array_equal(np.delete(beside, 2, axis=1), alone)
    assert not beside[:, 2].any()
    distances = relative_distances(rows, rows[0], np.full(5, 5, np.int32))
    np.testing.assert_array_equal(
        relative_distances(with_constant, with_constant[0], np.array([5, 5, 1, 5, 5, 5], np.int32)),
        distances,
    )


def test_equal_rows_share_a_centre():
    assert len(select([np.full((50, 7), 0.3, np.float32)], np.full(7, 9, np.int32), 50)) == 1


def test_there_are_never_more_centres_than_rows():
    rows = np.random.default_rng(3).random((40, 3)).astype(np.float32)
    assert len(select([rows], np.full(3, 256, np.int32), 40)) == 40


@pytest.mark.parametrize(
    ("counts", "limit", "message"),
    [([], 1, "no inputs"), ([0], 1, "1 to 256"), ([257], 1, "1 to 256"), ([3], 0, "limit is 0")],
)
def test_impossible_settings_are_refused(counts, limit, message):
    with pytest.raises(ValueError, match=message):
        Selection(np.array(counts, np.int32), limit)


def test_rows_of_another_width_are_refused():
    with pytest.raises(ValueError, match="2 inputs, sets 3"):
        Selection(sets(3, 3, 3), 5).add(np.zeros((1, 2), np.float32))
