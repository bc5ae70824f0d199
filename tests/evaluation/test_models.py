"""Each model against a slow or outside twin, and the contract that all of them keep."""

from __future__ import annotations

import importlib
import subprocess
import sys
from functools import cache

import lightgbm as lightgbm_package
import numpy as np
import pytest

from tabia.app.marks import closure
from tabia.evaluation import tactics, terms
from tabia.evaluation.dataset import kept
from tabia.evaluation.features import examples
from tabia.evaluation.models import ridge, ridge_placement
from tabia.evaluation.models.config import Models
from tabia.evaluation.models.modules import INPUTS, MODULES, SCENARIOS, TABLES
from tabia.learning import ridge as ridge_mathematics
from tabia.learning.examples import DenseInputs, Examples
from tabia.tables import parquet
from tests.evaluation.world import TREES, spec

NET = {"epochs": 2, "seeds": 1}
SETTINGS = {
    "mean": {},
    "engine_depth8": {},
    "ridge_placement": {},
    "lightgbm_placement": TREES,
    "ridge": {},
    "lightgbm": TREES,
    "rbf": {"fuzzy_sets": [3, 4]},
    "rbf_nonuniform": {"fuzzy_sets": [2, 3], "particles": 2, "iterations": 1},
    "mlp_lm": {"sizes": [[2, 1]], "iterations": 3},
    "cnn_features": NET,
    "cnn_planes": NET,
    "mlp_bitmap": NET | {"hidden": [8, 4]},
    "best": {"nets": 1, "hidden": [8], "epochs": 2, "trees": 10},
}


@pytest.fixture(scope="module")
def rows(chapter):
    return kept(parquet.read(chapter / "dataset.parquet"), "abs20")


@pytest.fixture(scope="module")
def tables(chapter, tmp_path_factory):
    folder = tmp_path_factory.mktemp("inputs")
    sample = chapter / "sample.parquet"
    terms.run(spec("terms", {}), sample=sample, terms=folder / "terms.parquet")
    tactics.run(spec("tactics", {}), sample=sample, tactics=folder / "tactics.parquet")
    return {name: parquet.read(folder / f"{name}.parquet") for name in TABLES}


@pytest.fixture(scope="module")
def splits_of(rows, tables):
    """Examples of scenario 1 as a model sees them."""
    return cache(lambda name: examples(rows, 1, INPUTS[name], tables))


@pytest.fixture(scope="module")
def splits(splits_of):
    return splits_of("ridge_placement")


def fit(name: str, splits: dict[str, Examples], seed: int = 0, **settings: object):
    module = importlib.import_module(MODULES[name])
    return module.fit(splits["train"], splits["validation"], SETTINGS[name] | settings, seed)


def mae(model, rows: Examples) -> float:
    return float(np.abs(model.predict(rows.inputs.rows(slice(None))) - rows.target).mean())


def made_up(count: int, width: int, seed: int = 0) -> Examples:
    rng = np.random.default_rng(seed)
    x = rng.integers(-1, 2, (count, width)).astype(np.float32)
    x[:, 3] = 0  # a square that no piece ever stands on
    x[:, 5] = x[:, 4]
    target = (x[:, :3] @ [1, -2, 3] + 2 + rng.normal(0, 1, count)).astype(np.float32)
    inputs = DenseInputs(tuple(f"x{number}" for number in range(width)), x)
    return Examples(inputs, target, np.arange(count, dtype=np.uint64))


@pytest.mark.parametrize("module", [ridge, ridge_placement])
@pytest.mark.parametrize("penalty", [0.1, 10.0, 1000.0])
def test_ridge_solves_the_augmented_least_squares_problem(penalty, module):
    """Outside twin: stack sqrt(penalty) I under the centred inputs and solve by lstsq."""
    train = made_up(300, 12)
    model = module.fit(train, train, {"penalties": [penalty]}, 0)
    x = train.inputs.rows(slice(None)).astype(np.float64)
    y = train.target.astype(np.float64)
    deviation = x.std(axis=0)
    scale = np.where(deviation > 0, deviation, 1) if module is ridge else np.ones(12)
    stacked = np.vstack([x - x.mean(axis=0), np.sqrt(penalty) * np.diag(scale)])
    expected, *_ = np.linalg.lstsq(stacked, np.r_[y - y.mean(), np.zeros(12)])
    np.testing.assert_allclose(model.weights, expected, rtol=1e-9, atol=1e-11)
    assert model.intercept == pytest.approx(y.mean() - x.mean(axis=0) @ expected, rel=1e-9)


def test_ridge_gives_no_weight_to_what_never_varies_and_equal_weight_to_twins():
    model = ridge.fit(made_up(300, 12), made_up(50, 12, 1), {"penalties": [1.0]}, 0)
    assert model.weights[3] == pytest.approx(0, abs=1e-12)
    assert model.weights[4] == pytest.approx(model.weights[5], rel=1e-6)


def test_ridge_with_more_inputs_than_rows_is_solved(splits):
    few = {name: Examples(part.inputs.take(np.arange(60)), part.target[:60], part.game_id[:60])
           for name, part in splits.items()}  # fmt: skip
    assert np.isfinite(fit("ridge_placement", few).weights).all()


def test_ridge_chooses_the_penalty_with_the_least_validation_error(splits):
    chosen = fit("ridge_placement", splits).penalty
    errors = {}
    for penalty in (1.0, 10.0, 100.0, 1000.0):
        model = fit("ridge_placement", splits, penalties=[penalty])
        part = splits["validation"]
        predicted = model.predict(part.inputs.rows(slice(None))).astype(np.float64)
        errors[penalty] = np.square(predicted - part.target).sum()
    assert chosen == min(errors, key=errors.get)


@pytest.mark.filterwarnings("error")
def test_a_penalty_that_gives_no_numbers_is_never_chosen():
    """Twins make the matrix singular: so small a penalty divides by next to nothing."""
    train, held = made_up(300, 12), made_up(50, 12, 1)
    for penalties in ([1e-320, 1.0], [1.0, 1e-320]):
        model = ridge_mathematics.solve(train, held, penalties, scaled=True)
        assert model.penalty == 1.0
        assert np.isfinite(model.predict(held.inputs.rows(slice(None)))).all()
    with pytest.raises(ridge_mathematics.NoPenaltyError, match=r"none of the penalties .* larger"):
        ridge_mathematics.solve(train, held, [1e-320], scaled=True)


def test_ridge_summed_in_blocks_is_ridge_summed_at_once(monkeypatch):
    train = made_up(1000, 12)
    whole = ridge.fit(train, train, {"penalties": [1.0]}, 0)
    cut = lambda count: (slice(s, min(s + 77, count)) for s in range(0, count, 77))  # noqa: E731
    monkeypatch.setattr(ridge_mathematics, "blocks", cut)
    np.testing.assert_allclose(ridge.fit(train, train, {"penalties": [1.0]}, 0).weights,
                               whole.weights, rtol=1e-9, atol=1e-12)  # fmt: skip


def test_mean_predicts_the_mean_of_the_training_targets(splits):
    model = fit("mean", splits)
    expected = splits["train"].target.astype(np.float64).mean()
    x = splits["test"].inputs.rows(slice(0, 3))
    assert model.predict(x).tolist() == pytest.approx([expected] * 3)


def test_engine_depth8_predicts_the_deepest_input_and_only_where_it_is_shown(rows, splits):
    model = fit("engine_depth8", splits)
    x = splits["test"].inputs.rows(slice(None))
    deepest = [row["input_3"] for row in rows.to_pylist() if row["split"] == "test"]
    np.testing.assert_array_equal(model.predict(x), deepest)
    with pytest.raises(ValueError, match="scenario 1"):
        fit("engine_depth8", examples(rows, 2, [], {}))


@pytest.mark.parametrize(("scenario", "share"), [(1, 0.3), (2, 0.4), (3, 0.95)])
@pytest.mark.parametrize("name", ["ridge_placement", "lightgbm_placement", "ridge", "lightgbm"])
def test_what_learns_beats_the_mean_on_test_games(rows, tables, name, scenario, share):
    parts = examples(rows, scenario, INPUTS[name], tables)
    assert mae(fit(name, parts), parts["test"]) < share * mae(fit("mean", parts), parts["test"])


def test_engine_values_help(rows):
    parts = [examples(rows, scenario, ["placement"], {}) for scenario in (1, 3)]
    errors = [mae(fit("lightgbm_placement", part), part["test"]) for part in parts]
    assert errors[0] < errors[1]


def test_lightgbm_is_what_the_package_makes_of_the_same_dense_matrix(splits):
    """The packed rows that LightGBM reads batch by batch are the matrix itself."""
    model = fit("lightgbm_placement", splits, seed=5)
    train, held = splits["train"], splits["validation"]
    names = list(train.inputs.columns)
    data = lightgbm_package.Dataset(
        train.inputs.rows(slice(None)), train.target, feature_name=names
    )
    valid = lightgbm_package.Dataset(held.inputs.rows(slice(None)), held.target, reference=data)
    parameters = {
        "objective": "regression", "metric": "l2", "num_leaves": 15, "learning_rate": 0.1,
        "min_data_in_leaf": 5, "feature_fraction": 0.5, "seed": 5, "deterministic": True,
        "force_row_wise": True, "feature_pre_filter": False, "num_threads": 1, "verbosity": -1,
    }  # fmt: skip
    booster = lightgbm_package.train(
        parameters, data, 40, valid_sets=[valid],
        callbacks=[lightgbm_package.early_stopping(10, verbose=False)],
    )  # fmt: skip
    x = splits["test"].inputs.rows(slice(None))
    expected = booster.predict(x, num_iteration=booster.best_iteration)
    np.testing.assert_allclose(model.predict(x), expected, rtol=1e-6)


def test_lightgbm_stops_when_validation_stops_improving(splits):
    model = fit("lightgbm_placement", splits, trees=400, learning_rate=0.5, stop_after=5)
    assert model.facts["trees"] < 400


def test_another_seed_gives_other_trees(splits):
    assert (
        fit("lightgbm_placement", splits, seed=1).text
        != fit("lightgbm_placement", splits, seed=2).text
    )


@pytest.mark.parametrize("name", MODULES)
def test_a_model_saved_and_loaded_predicts_the_same_numbers_and_saves_the_same_bytes(
    splits_of, tmp_path, name
):
    splits = splits_of(name)
    for folder in ("a", "b", "c"):
        (tmp_path / folder).mkdir()
    model = fit(name, splits, seed=3)
    model.save(tmp_path / "a")
    fit(name, splits, seed=3).save(tmp_path / "b")
    loaded = importlib.import_module(MODULES[name]).load(tmp_path / "a")
    loaded.save(tmp_path / "c")
    x = splits["test"].inputs.rows(slice(None))
    assert np.ptp(x, axis=0).any() or name in ("mean", "engine_depth8")
    np.testing.assert_array_equal(loaded.predict(x), model.predict(x))
    assert loaded.predict(x).dtype == np.float32
    assert loaded.predict(x).shape == (len(x),)
    assert (loaded.n_parameters, loaded.facts) == (model.n_parameters, model.facts)
    files = sorted(path.name for path in (tmp_path / "a").iterdir())
    assert files
    for other in ("b", "c"):
        assert sorted(path.name for path in (tmp_path / other).iterdir()) == files
        for file in files:
            assert (tmp_path / "a" / file).read_bytes() == (tmp_path / other / file).read_bytes()


def test_n_parameters_counts_every_fitted_number(splits):
    assert fit("mean", splits).n_parameters == 1
    assert fit("engine_depth8", splits).n_parameters == 0
    assert fit("ridge_placement", splits).n_parameters == 772
    model = fit("lightgbm_placement", splits, trees=2, leaves=4)
    assert model.n_parameters == 2 * (3 + 3 + 4)


def test_configuration_and_modules_name_the_same_models():
    assert set(MODULES) == set(Models.model_fields)
    assert set(SCENARIOS) <= set(MODULES)
    for name, module in MODULES.items():
        assert module == f"tabia.evaluation.models.{name}"


@pytest.mark.parametrize("name", MODULES)
def test_no_models_code_mark_covers_another_model(name):
    others = set(MODULES.values()) - {MODULES[name]}
    assert not closure(MODULES[name]) & others
    assert "tabia.evaluation.models.modules" not in closure(MODULES[name])


def test_the_training_stages_mark_covers_no_model():
    assert not [name for name in closure("tabia.evaluation.train") if ".models." in name]


def test_ridge_runs_without_lightgbm():
    code = (
        "import sys, tabia.evaluation.models.ridge;"
        "sys.exit('lightgbm' in sys.modules or 'tabia.evaluation.models.lightgbm' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_dry_run_can_read_the_list_of_models_without_numpy():
    code = "import sys, tabia.evaluation.models.modules; sys.exit('numpy' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
