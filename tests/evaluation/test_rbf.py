"""RBF networks: by hand, against slow twins, and what their explanations claim."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import scipy.linalg

from tabia.evaluation.models import rbf, rbf_nonuniform
from tabia.learning.examples import DenseInputs, Examples
from tabia.learning.kept_rows import KeptRows
from tabia.learning.rbf import RBFNetwork
from tabia.learning.rbf_explanation import explain
from tabia.learning.rbf_training import NoNetworkError, Trainer, best_symmetric


def rows(x: np.ndarray, y: np.ndarray) -> Examples:
    names = tuple(f"x{number}" for number in range(x.shape[1]))
    inputs = DenseInputs(names, np.asarray(x, np.float32))
    return Examples(inputs, np.asarray(y, np.float32), np.arange(len(x), dtype=np.uint64))


def made_up(n: int, seed: int = 0, width: int = 8) -> Examples:
    """Whole numbers like evaluation terms: a constant, a twin, a sum of others, a rare one."""
    rng = np.random.default_rng(seed)
    x = rng.binomial(12, 0.4, (n, width)).astype(np.float64)
    x[:, 1] = 5
    x[:, 3] = x[:, 2]
    x[:, 4] = x[:, 0] + x[:, 2]
    x[:, 5] = 0.5 * rng.binomial(1, 0.1, n)
    y = np.sin(x[:, 0] / 3) + 0.02 * x[:, 2] * x[:, 6] + rng.normal(0, 0.3, n)
    return rows(x, y)


def x_of(examples: Examples) -> np.ndarray:
    return examples.inputs.rows(slice(None))


def mae(model: RBFNetwork, examples: Examples) -> float:
    predicted = model.predict(x_of(examples)).astype(np.float64)
    return float(np.abs(predicted - examples.target).mean())


def fit(train: Examples, held: Examples | None = None, **settings: object) -> RBFNetwork:
    return rbf.fit(train, held or train, settings, 0)


def spline(r: np.ndarray) -> np.ndarray:
    r = np.asarray(r, np.float64)
    return np.where(r > 0, r**2 * np.log(np.where(r > 0, r, 1)), 0)


@pytest.fixture(scope="module")
def splits() -> tuple[Examples, Examples]:
    return made_up(400), made_up(200, 1)


@pytest.fixture(scope="module")
def model(splits) -> RBFNetwork:
    return fit(*splits, fuzzy_sets=(4, 14), max_nodes=100)


@pytest.fixture(scope="module")
def swarm(splits) -> RBFNetwork:
    settings = {"fuzzy_sets": (2, 14), "max_nodes": 100, "particles": 5, "iterations": 4}
    return rbf_nonuniform.fit(*splits, settings, 3)


def test_one_input_by_hand():
    """Centres at 10 and 12 of 10 .. 14 (tests/learning/test_fuzzy_means.py); weights 2 and -3."""
    x = np.array([[10.0], [11], [12], [13], [14]])
    r = (x - 10) / 4
    model = fit(rows(x, 2 * spline(r[:, 0]) - 3 * spline(np.abs(r[:, 0] - 0.5))), fuzzy_sets=(3, 3))
    assert model.places.tolist() == [[0], [0.5]]
    np.testing.assert_allclose(model.weights, [2, -3], atol=1e-6)
    # Outside the range the function goes on: at 18, r is 2 and 1.5.
    expected = 2 * 4 * np.log(2) - 3 * 2.25 * np.log(1.5)
    assert model.predict(np.array([[18]], np.float32))[0] == pytest.approx(expected, rel=1e-5)
    assert model.facts == {"fuzzy_sets": 3, "nodes": 2, "rank": 2, "tried": 1, "skipped": 0}


def test_a_design_of_zeros_has_rank_zero_and_predicts_zero():
    """Two sets, rows at 0 and 1: every distance is 0 or 1, and the spline of both is 0."""
    model = fit(rows(np.array([[0.0], [1], [1]]), np.array([1.0, 2, 3])), fuzzy_sets=(2, 2))
    assert model.facts["rank"] == 0
    assert model.predict(np.array([[0], [1]], np.float32)).tolist() == [0, 0]


def test_the_weights_are_scipys_least_squares_on_the_plain_design(model, splits):
    x = x_of(splits[0]).astype(np.float64)
    span = x.max(axis=0) - x.min(axis=0)
    v = np.float32((x - x.min(axis=0)) / np.where(span == 0, np.inf, span)).astype(np.float64)
    r = np.sqrt(np.square(v[:, None] - model.places.astype(np.float64)).sum(axis=2))
    expected, _, rank, values = scipy.linalg.lstsq(spline(r), splits[0].target.astype(np.float64))
    assert values[0] < 1e7 * values[-1], "ill-conditioned: no test of weights"
    np.testing.assert_allclose(model.weights, expected, rtol=1e-6, atol=1e-6)
    assert model.facts["rank"] == rank
    exact = spline(r) @ expected
    np.testing.assert_allclose(model.predict(x_of(splits[0])), exact, atol=2e-4)


def test_rows_that_are_all_centres_are_interpolated():
    rng = np.random.default_rng(4)
    train = rows(rng.random((60, 6)), rng.normal(0, 3, 60))
    model = fit(train, fuzzy_sets=(60, 60))
    assert model.facts["nodes"] == model.facts["rank"] == 60
    np.testing.assert_allclose(model.predict(x_of(train)), train.target, atol=1e-4)


def test_the_number_of_sets_is_the_best_on_validation(model, splits):
    errors, skipped = {}, 0
    for sets in range(4, 15):
        try:
            errors[sets] = mae(fit(*splits, fuzzy_sets=(sets, sets), max_nodes=100), splits[1])
        except NoNetworkError:
            skipped += 1
    assert len(errors) > 1
    assert skipped > 0
    assert model.facts["fuzzy_sets"] == min(errors, key=errors.get)
    assert mae(model, splits[1]) == min(errors.values())
    assert model.facts["tried"] == len(errors)
    assert model.facts["skipped"] == skipped


def test_it_learns(model, splits):
    assert mae(model, made_up(300, 2)) < 0.5 * np.abs(splits[0].target - 0).mean()


def test_no_number_of_sets_that_fits_is_an_error(splits):
    with pytest.raises(NoNetworkError, match=r"9 to 11 fuzzy sets.*more than 3 centres"):
        fit(*splits, fuzzy_sets=(9, 11), max_nodes=3)


def test_inputs_that_are_all_constant_are_an_error():
    with pytest.raises(NoNetworkError, match="all 2 inputs are constant"):
        fit(rows(np.ones((5, 2)), np.arange(5)))


def test_an_input_that_is_no_number_is_an_error():
    with pytest.raises(ValueError, match="input x1 is not finite"):
        fit(rows(np.array([[1.0, 2], [2, np.nan], [3, 4]]), np.arange(3)))


def test_a_constant_input_changes_nothing_and_tells_when_it_moves(splits):
    without = [
        Examples(DenseInputs(part.inputs.columns[2:], x_of(part)[:, 2:]), part.target, part.game_id)
        for part in splits
    ]
    with_constant = [
        Examples(DenseInputs(part.inputs.columns[1:], x_of(part)[:, 1:]), part.target, part.game_id)
        for part in splits
    ]
    narrow, wide = fit(*without, fuzzy_sets=(4, 5)), fit(*with_constant, fuzzy_sets=(4, 5))
    np.testing.assert_array_equal(narrow.weights, wide.weights)
    x = x_of(with_constant[1])
    assert wide.sets[0] == 1
    moved = x.copy()
    moved[:, 0] = 7
    np.testing.assert_array_equal(wide.predict(moved), wide.predict(x))
    np.testing.assert_array_equal(wide.predict(moved), narrow.predict(x_of(without[1])))
    known, strange = explain(wide, x[0]), explain(wide, moved[0])
    assert known.unseen == ()
    assert strange.unseen == ("x1",)
    assert strange.outside
    assert strange.distance == known.distance
    assert {part.name: part.change for part in strange.moving}["x1"] == 0


def test_duplicate_rows_and_collinear_inputs_are_harmless():
    x = np.repeat(np.arange(12.0)[:, None], 30, axis=0) * np.array([1, -2, 5, 0])
    y = np.repeat(np.arange(12.0) ** 2, 30)
    model = fit(rows(x, y), fuzzy_sets=(2, 40))
    assert model.facts["nodes"] == model.facts["rank"] == 12
    np.testing.assert_allclose(model.predict(x.astype(np.float32)), y, atol=2e-2)


def test_a_row_alone_is_predicted_as_among_others(model, splits):
    x = x_of(splits[1])
    together = model.predict(x)
    assert together.dtype == np.float32
    for number in range(len(x)):
        assert model.predict(x[number : number + 1])[0] == together[number]


@pytest.mark.parametrize("huge", [1e4, -1e9, 3e38, -3e38])
def test_every_finite_input_has_a_finite_value(model, splits, huge):
    x = x_of(splits[1])[:8].copy()
    x[:, 0] = huge
    x[4:] = huge
    assert np.isfinite(model.predict(x)).all()
    explained = explain(model, x[0])
    assert np.isfinite([explained.value, explained.rest, explained.remainder]).all()
    assert explained.outside
    assert explained.fired == ()


@pytest.mark.parametrize("name", ["model", "swarm"])
def test_a_saved_model_comes_back_bit_by_bit(name, request, splits, tmp_path: Path):
    saved = request.getfixturevalue(name)
    saved.save(tmp_path)
    loaded = rbf.load(tmp_path)
    x = x_of(splits[1])
    np.testing.assert_array_equal(loaded.predict(x), saved.predict(x))
    assert loaded.facts == saved.facts
    assert loaded.n_parameters == saved.n_parameters
    assert explain(loaded, x[0]) == explain(saved, x[0])
    again = tmp_path / "again"
    again.mkdir()
    loaded.save(again)
    for file in ("weights.safetensors", "train.safetensors"):
        assert (again / file).read_bytes() == (tmp_path / file).read_bytes()


def test_a_model_has_a_weight_and_the_varying_coordinates_a_centre(model):
    assert model.n_parameters == model.facts["nodes"] * (1 + 7)


def files(model: RBFNetwork, folder: Path) -> list[bytes]:
    folder.mkdir()
    model.save(folder)
    return [file.read_bytes() for file in sorted(folder.iterdir())]


def test_threads_do_not_change_a_byte(tmp_path: Path):
    train, held = made_up(9000), made_up(100, 1)
    one = fit(train, held, fuzzy_sets=(4, 4))
    two = fit(train, held, fuzzy_sets=(4, 4), threads=2)
    assert files(one, tmp_path / "1") == files(two, tmp_path / "2")


def test_a_seed_gives_one_swarm_and_another_seed_another(swarm, splits, tmp_path: Path):
    settings = {"fuzzy_sets": (2, 14), "max_nodes": 100, "particles": 5, "iterations": 4}
    same = rbf_nonuniform.fit(*splits, settings, 3)
    other = rbf_nonuniform.fit(*splits, settings, 4)
    own = files(swarm, tmp_path / "own")
    assert files(same, tmp_path / "same") == own
    assert files(other, tmp_path / "other") != own


@pytest.mark.parametrize("seed", range(4))
def test_the_swarm_is_never_worse_on_validation_than_the_best_symmetric_network(seed):
    train, held = made_up(150, 10 + seed), made_up(80, 20 + seed)
    symmetric = fit(train, held, fuzzy_sets=(2, 7), max_nodes=100)
    settings = {"fuzzy_sets": (2, 7), "max_nodes": 100, "particles": 4, "iterations": 2}
    found = rbf_nonuniform.fit(train, held, settings, seed)
    assert mae(found, held) <= mae(symmetric, held)
    assert found.facts["fuzzy_sets_symmetric"] == symmetric.facts["fuzzy_sets"]
    assert found.facts["nodes"] <= 100


def test_the_swarms_facts_hold_what_the_symmetric_search_tried_as_well(swarm, splits):
    symmetric = fit(*splits, fuzzy_sets=(2, 14), max_nodes=100)
    for fact in ("tried", "skipped"):
        assert swarm.facts[fact] == symmetric.facts[fact] > 0
    assert 5 <= swarm.facts["tried_by_swarm"] <= 5 * (4 + 1)


def test_the_swarm_gives_inputs_different_numbers_of_sets(swarm, model, splits):
    own = swarm.sets[swarm.scaling.varies]
    assert len(np.unique(own)) > 1
    assert swarm.sets[1] == 1  # the constant input
    assert swarm.facts["fuzzy_sets_fewest"] == own.min() >= 2
    assert swarm.facts["fuzzy_sets_most"] == own.max() <= 14
    assert swarm.facts["fuzzy_sets"] == pytest.approx(own.mean(), abs=0.006)
    assert mae(swarm, splits[1]) < mae(model, splits[1])


@pytest.mark.parametrize("name", ["model", "swarm"])
def test_an_explanation_adds_up_to_the_value(name, request, splits):
    own = request.getfixturevalue(name)
    fired = 0
    for x in x_of(splits[1])[:40]:
        explained = explain(own, x)
        assert explained.value == pytest.approx(own.predict(x[None])[0], abs=2e-4)
        centres = sum(centre.contribution for centre in explained.fired) + explained.rest
        inputs = sum(part.change for part in explained.moving) + explained.base
        assert centres == pytest.approx(explained.value, abs=1e-9)
        assert inputs + explained.remainder == pytest.approx(explained.value, abs=1e-9)
        assert abs(explained.remainder) < 1e-3
        fired += len(explained.fired)
        for centre in explained.fired:
            assert centre.membership == pytest.approx(1 - centre.distance)
        apart = [centre.distance for centre in explained.fired]
        assert apart == sorted(apart)
        changes = [abs(part.change) for part in explained.moving]
        assert changes == sorted(changes, reverse=True)
    assert fired > 40


def test_what_fires_is_what_lies_within_distance_one(model, splits):
    x = x_of(splits[1])[0]
    explained = explain(model, x)
    v = model.scaling(x[None])[0].astype(np.float64)
    varying = model.scaling.varies
    spacing = 1 / (model.sets[varying] - 1)
    apart = np.square((model.places[:, varying] - v[varying]) / spacing).sum(axis=1)
    distances = np.sqrt(apart / varying.sum())
    assert {centre.centre for centre in explained.fired} == set(np.flatnonzero(distances <= 1))
    assert explained.distance == pytest.approx(distances.min())
    assert explained.outside == (distances.min() > 1)


def test_training_rows_are_inside_and_are_their_own_nearest_neighbours(model, splits):
    for number, x in enumerate(x_of(splits[0])[:50]):
        explained = explain(model, x)
        assert not explained.outside
        nearest = explained.neighbours[0]
        assert nearest.distance == 0
        assert number in [near.row for near in explained.neighbours if near.distance == 0]


def test_neighbours_are_the_nearest_of_all_training_rows(model, splits):
    x = x_of(splits[1])[3]
    own, train = model.scaling(x[None])[0], model.scaling(x_of(splits[0]))
    varying = model.scaling.varies
    steps = model.sets[0] - 1
    apart = np.square((train - own).astype(np.float64)[:, varying] * steps).mean(axis=1) ** 0.5
    found = explain(model, x).neighbours
    np.testing.assert_allclose([near.distance for near in found], np.sort(apart)[:10], rtol=1e-5)
    np.testing.assert_allclose(apart[[near.row for near in found]], np.sort(apart)[:10], rtol=1e-5)


def test_an_input_that_alone_differs_from_the_means_has_the_whole_change(model):
    x = model.means.astype(np.float32)
    x[6] += 4
    explained = explain(model, x)
    first = explained.moving[0]
    assert first.name == "x6"
    assert first.value == pytest.approx(first.mean + 4, rel=1e-6)
    assert first.change == pytest.approx(explained.value - explained.base, rel=1e-3)


def test_twin_inputs_share_what_they_say(model, splits):
    for x in x_of(splits[1])[:10]:
        changes = {part.name: part.change for part in explain(model, x).moving}
        assert changes["x2"] == pytest.approx(changes["x3"], abs=1e-9)


def test_a_row_of_another_width_is_refused(model):
    with pytest.raises(ValueError, match="8 inputs are needed"):
        explain(model, np.zeros(7, np.float32))


def test_kept_rows_come_back_exactly_and_are_thinned_where_they_are_many(tmp_path: Path):
    x = np.array([[1, 0.1, -3], [40000, 0.5, 2], [7, 3e9, 0], [0, 0, 32767], [5, 5, 5]], np.float32)
    inputs = DenseInputs(("a", "b", "c"), x)
    KeptRows.of(inputs).save(tmp_path)
    loaded = KeptRows.load(tmp_path)
    np.testing.assert_array_equal(loaded.x, x)
    assert loaded.step == 1
    thin = KeptRows.of(inputs, most=9)
    assert thin.step == 2
    np.testing.assert_array_equal(thin.x, x[::2])
    assert KeptRows.load(tmp_path / "nowhere") is None


def test_a_network_whose_validation_error_is_no_number_is_never_kept(monkeypatch):
    x = np.random.default_rng(0).random((30, 2)).astype(np.float32)
    rows = Examples(DenseInputs(("a", "b"), x), x[:, 0], np.arange(30, dtype=np.uint64))
    trainer = Trainer(rows, rows, 100, 1)
    errors = iter([np.nan, 2.0, np.nan, np.nan])
    monkeypatch.setattr(trainer, "error", lambda network: next(errors))
    assert best_symmetric(trainer, (2, 4)).sets == 3
    with pytest.raises(NoNetworkError, match="no network has a finite error on validation"):
        best_symmetric(trainer, (2, 2))
