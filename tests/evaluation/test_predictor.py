"""A saved model's values of positions at hand: the same as in training."""

from __future__ import annotations

import json
import shutil

import numpy as np
import pytest

from tabia._native.chess_board import FenError
from tabia._native.chess_positions import boards_from_fens
from tabia.evaluation import card, tactics, terms, train
from tabia.evaluation.dataset import kept
from tabia.evaluation.explain import Explainer
from tabia.evaluation.features import ENGINE_INPUTS, examples
from tabia.evaluation.inputs import inputs
from tabia.evaluation.models.modules import INPUTS
from tabia.evaluation.predictor import EngineValuesError, Predictor
from tabia.evaluation.saved import FILES, SavedModelError
from tabia.learning.seal import digest
from tabia.tables import parquet
from tests.evaluation.made_models import about, material_model
from tests.evaluation.world import LABELS, TREES, spec

SETTINGS = {
    "lightgbm": TREES,
    "rbf": {"fuzzy_sets": [4, 5], "max_nodes": 500},
    "best": {"nets": 1, "hidden": [8, 8], "epochs": 1, "trees": 20},
}
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
QUEEN_UP = "rnb1kbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -"


@pytest.fixture(scope="module")
def tables(chapter, tmp_path_factory):
    """Tables of the groups that have one."""
    folder = tmp_path_factory.mktemp("tables")
    sample = chapter / "sample.parquet"
    terms.run(spec("terms", {}), sample=sample, terms=folder / "terms.parquet")
    tactics.run(spec("tactics", {}), sample=sample, tactics=folder / "tactics.parquet")
    return {name: folder / f"{name}.parquet" for name in ("terms", "tactics")}


@pytest.fixture(scope="module")
def trained(chapter, tables, tmp_path_factory):
    """Return a function that trains a model once and returns its folder's parent."""
    done = {}

    def make(model, scenario):
        if (model, scenario) not in done:
            folder = tmp_path_factory.mktemp("trained")
            settings = SETTINGS.get(model.partition("_")[0], {})
            train.run(
                spec(
                    "train",
                    {
                        "seed": 1,
                        "model": model,
                        "inputs": list(INPUTS[model]),
                        "settings": settings,
                        "any_threads": False,
                        "splits": None,
                        "labels": LABELS,
                    },
                    filter="abs20",
                    scenario=str(scenario),
                    model=model,
                    seed="0",
                ),
                dataset=chapter / "dataset.parquet",
                features={name: tables[name] for name in INPUTS[model] if name in tables},
                choice=None,
                model=folder / "model",
                predictions=folder / "predictions.parquet",
                times=folder / "times.parquet",
            )
            done[model, scenario] = folder
        return done[model, scenario]

    return make


@pytest.fixture(scope="module")
def rows(chapter):
    return kept(parquet.read(chapter / "dataset.parquet"), "abs20")


def engine_values(rows, scenario):
    names = ENGINE_INPUTS[scenario]
    return np.stack([rows[name].to_numpy() for name in names], axis=1) if names else None


def resign(folder):
    """Write the card again over files that a test has changed."""
    config = json.loads((folder / "config.json").read_text())
    for name in ("config.json", "README.md"):
        (folder / name).unlink()
    card.write(config, folder)


@pytest.mark.parametrize(
    ("model", "scenario"),
    [
        ("mean", 3),
        ("engine_depth8", 1),
        ("ridge", 1),
        ("ridge", 3),
        ("lightgbm_placement", 1),
        ("lightgbm", 3),
        ("rbf", 2),
        ("rbf", 3),
        ("best", 2),
    ],
)
def test_values_are_those_of_training(trained, rows, model, scenario):
    folder = trained(model, scenario)
    predictor = Predictor.load(folder / "model")
    values = predictor.predict(rows["fen"].to_pylist(), engine_values(rows, scenario))
    expected = parquet.read(folder / "predictions.parquet")["predicted"].to_numpy()
    assert values.dtype == np.float32
    # Products of torch may differ in the last bits where rows are cut into other blocks.
    tolerance = 1e-5 if model == "best" else 0
    np.testing.assert_allclose(values, expected, rtol=tolerance, atol=tolerance)


def test_inputs_of_boards_are_those_of_the_tables(rows, tables):
    groups = ["terms", "placement", "state", "tactics"]
    read = {name: parquet.read(path) for name, path in tables.items()}
    expected = examples(rows, 1, groups, read)
    boards = boards_from_fens(rows["fen"].to_pylist())
    found = inputs(groups, boards, engine_values(rows, 1))
    split = rows["split"].to_numpy()
    for name, part in expected.items():
        own = np.flatnonzero(split == name)
        assert found.columns == part.inputs.columns
        np.testing.assert_array_equal(found.rows(own), part.inputs.rows(slice(None)))


def test_a_known_model_gives_its_known_values(tmp_path):
    predictor = Predictor.load(material_model(tmp_path))
    np.testing.assert_array_equal(predictor.predict([START, QUEEN_UP]), [0.25, 9.25])
    assert predictor.predict([]).shape == (0,)


def test_engine_values_enter_and_a_mate_among_them_leaves_no_value(tmp_path):
    predictor = Predictor.load(material_model(tmp_path, 2))
    assert predictor.config.depths == (2, 4)
    values = predictor.predict([START] * 2, np.array([[1, 3], [1, np.nan]], np.float32))
    np.testing.assert_array_equal(values, [2.25, np.nan])


@pytest.mark.parametrize("values", [None, np.zeros((1, 3), np.float32), np.zeros(2, np.float32)])
def test_wanted_engine_values_must_be_given(tmp_path, values):
    predictor = Predictor.load(material_model(tmp_path, 2))
    with pytest.raises(EngineValuesError, match=r"scenario 2 needs .* at depths 2, 4 for 1 pos"):
        predictor.predict([START], values)


def test_no_engine_values_are_wanted_where_the_model_has_none(tmp_path):
    predictor = Predictor.load(material_model(tmp_path))
    with pytest.raises(EngineValuesError, match=r"depths none for 1 positions, \[1, 0\]"):
        predictor.predict([START], np.zeros((1, 1), np.float32))


def test_no_position_is_an_error(tmp_path):
    with pytest.raises(FenError, match="White has 0 kings"):
        Predictor.load(material_model(tmp_path)).predict([START, "8/8/8/8/8/8/8/8 w - -"])


def test_inputs_are_taken_by_name_and_in_the_models_order(tmp_path):
    """A version that computes more inputs, or in another order, must not mix them up."""
    config = about()
    keep = [name for name in reversed(config["inputs"]) if name[0] in "QqPp"]
    folder = material_model(tmp_path / "some", inputs=keep, input_means=[0.0] * len(keep))
    model = Predictor.load(material_model(tmp_path / "whole")).model
    weights = dict(zip(config["inputs"], model.weights, strict=True))
    type(model)(np.array([weights[name] for name in keep]), 0.25, 1.0).save(folder)
    resign(folder)
    np.testing.assert_array_equal(Predictor.load(folder).predict([START, QUEEN_UP]), [0.25, 9.25])


@pytest.mark.parametrize("model", ["ridge", "lightgbm", "rbf"])
def test_effects_add_up_to_the_value(trained, rows, model):
    predictor = Predictor.load(trained(model, 3) / "model")
    explainer = Explainer(predictor)
    boards = boards_from_fens(rows["fen"].to_pylist()[:20])
    for x, value in zip(
        predictor.model_inputs(boards), predictor.predict_boards(boards), strict=True
    ):
        found = explainer.reasons(x)
        sizes = [abs(effect.pawns) for effect in found.effects]
        assert sizes == sorted(sizes, reverse=True)
        assert found.base + found.rest(0) + found.remainder == pytest.approx(value, abs=1e-3)
        first = found.effects[0]
        number = predictor.config.inputs.index(first.input)
        assert first.value == x[number]
        assert first.mean == pytest.approx(predictor.config.input_means[number], rel=1e-5)


def test_the_nearest_training_position_of_one_is_itself_with_its_target(trained, rows):
    predictor = Predictor.load(trained("rbf", 3) / "model")
    explainer = Explainer(predictor)
    training = [row for row in rows.to_pylist() if row["split"] == "train"]
    x = predictor.model_inputs(boards_from_fens([row["fen"] for row in training]))
    twins = {}  # positions that differ only in whose move it is have the same terms
    for number, row in enumerate(training):
        twins.setdefault(x[number].tobytes(), []).append((row["fen"], row["target"]))
    for number in (0, 7, len(training) - 1):
        found = explainer.reasons(x[number])
        assert found.near[0].distance == 0
        assert (found.near[0].fen, found.near[0].target) in twins[x[number].tobytes()]
        assert found.network.distance <= 1
        distances = [near.distance for near in found.near]
        assert distances == sorted(distances)


def test_a_position_like_none_is_outside_every_sphere(trained):
    predictor = Predictor.load(trained("rbf", 3) / "model")
    queens = boards_from_fens(["qqqqkqqq/8/8/8/8/8/8/QQQQKQQQ w - -"])
    found = Explainer(predictor).reasons(predictor.model_inputs(queens)[0])
    assert found.network.outside
    assert found.network.distance > 1
    assert found.network.fired == ()


def test_means_of_inputs_are_those_of_the_training_split(trained, rows, tables):
    config = Predictor.load(trained("ridge", 3) / "model").config
    part = examples(rows, 3, ["terms"], {"terms": parquet.read(tables["terms"])})["train"]
    expected = part.inputs.rows(slice(None)).astype(np.float64).mean(axis=0)
    np.testing.assert_allclose(config.input_means, expected, rtol=1e-5, atol=1e-12)
    phase = rows["phase"].to_numpy()[rows["split"].to_numpy() == "train"]
    assert config.phases == (phase.min(), phase.max())


def test_a_model_that_cannot_be_taken_apart_has_no_effects(trained):
    predictor = Predictor.load(trained("mean", 3) / "model")
    assert Explainer(predictor).reasons(np.zeros(0, np.float32)) is None


# --- folders that are no model -----------------------------------------------------------


def refused(folder, exit_code, *words):
    with pytest.raises(SavedModelError) as error:
        Predictor.load(folder)
    assert error.value.exit_code == exit_code
    for word in words:
        assert word in str(error.value)


def test_a_missing_folder_is_wrong_usage(tmp_path):
    refused(tmp_path / "gone", 2, "gone: no such folder", "results/evaluation/models")


def test_a_file_is_wrong_usage(tmp_path):
    (tmp_path / "file").touch()
    refused(tmp_path / "file", 2, "is a file")


def test_a_folder_of_models_is_wrong_usage_and_one_inside_is_named(tmp_path):
    material_model(tmp_path / "1")
    material_model(tmp_path / "0")
    refused(tmp_path, 2, "has no config.json", f"{tmp_path / '0'}")


def test_a_folder_without_models_is_wrong_usage(tmp_path):
    refused(tmp_path, 2, "has no config.json")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("{", "Invalid JSON"),
        ("[]", "config.json: "),
        ("[" * 100_000, "Invalid JSON"),
        ("\xff", "config.json: "),
        ('{"seed": 1e999}', "Invalid JSON"),
        (json.dumps(about() | {"files": {}}), "has no entry digest"),
    ],
)
def test_a_damaged_config_is_wrong_data(tmp_path, text, word):
    folder = material_model(tmp_path)
    (folder / "config.json").write_text(text, encoding="latin-1")
    refused(folder, 3, "config.json", word, "train the model again")


def options(text):
    return {"engine": {"engine.options": text}}


TARGET = {"nodes": 1000}


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"scenario": 4}, "scenario: "),
        ({"labels": {"inputs": [2, 4, 8]}}, "labels.target: "),
        ({"labels": {"inputs": [2], "target": TARGET}}, "labels.inputs: "),
        ({"labels": {"inputs": [], "target": TARGET}}, "labels.inputs: "),
        ({"labels": {"inputs": [4, 2, 8], "target": TARGET}}, "labels.inputs: "),
        ({"labels": {"inputs": [-1, 0, 1000], "target": TARGET}}, "labels.inputs.0: "),
        (options("[]"), "engine: "),
        (options("{"), "engine: "),
        (options('{"Hash": -5}'), "engine.options: hash_mb: "),
        (options('{"MultiPV": 9}'), "engine.options: multipv: "),
        (options('{"Use NNUE": [1]}'), "engine.options: options.Use NNUE"),
        ({"input_means": [0.0]}, "768 inputs, but 1 means"),
        ({"input_means": [1e308] * 768}, "input_means.0: "),
        ({"inputs": ["P@a1"] * 768}, "inputs: Value error, P@a1 stands there more than once"),
        ({"groups": ["placement", "placement"]}, "groups: "),
        ({"phases": [128, 129]}, "phases.1: "),
        ({"phases": [-5, 128]}, "phases.0: "),
        ({"phases": [128, 5]}, "phases: Value error, least first"),
        ({"seed": -1}, "seed: "),
    ],
)
def test_a_config_that_training_could_not_write_is_wrong_data(tmp_path, changes, word):
    folder = material_model(tmp_path)
    config = json.loads((folder / "config.json").read_text()) | changes
    config["digest"] = digest(config)
    (folder / "config.json").write_text(json.dumps(config))
    refused(folder, 3, "config.json", word, "train the model again")


def test_an_error_below_zero_is_wrong_data(tmp_path):
    splits = about()["splits"]
    splits["test"]["mae_pawns"] = -3.0
    refused(material_model(tmp_path, splits=splits), 3, "splits.test.mae_pawns: ")


def swapped(config):
    names = config["inputs"]
    config["inputs"] = [names[1], names[0], *names[2:]]


@pytest.mark.parametrize(
    "change",
    [
        swapped,
        lambda config: config["labels"].update(inputs=[2, 4, 9]),
        lambda config: config["input_means"].__setitem__(0, 0.5),
        lambda config: config["splits"]["test"].update(mae_pawns=0.125),
        lambda config: config.update(seed=1),
        lambda config: config["files"].clear(),
        lambda config: config.update(more=1),
        lambda config: config.update(digest=None),
    ],
)
def test_a_config_that_was_changed_after_training_is_refused(tmp_path, change):
    folder = material_model(tmp_path)
    config = json.loads((folder / "config.json").read_text())
    change(config)
    (folder / "config.json").write_text(json.dumps(config))
    refused(folder, 3, "config.json: the file was changed after training", "train the model again")


def test_the_layout_of_a_config_does_not_matter(tmp_path):
    folder = material_model(tmp_path)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(dict(reversed(config.items()))))
    np.testing.assert_array_equal(Predictor.load(folder).predict([START]), [0.25])


def test_an_unknown_model_is_named(tmp_path):
    refused(material_model(tmp_path, model="os"), 3, "model 'os' is not known", "ridge_placement")


def test_inputs_that_are_no_more_are_named(tmp_path):
    names = ["gone_1", "gone_2", "gone_3", "gone_4", *about()["inputs"][4:]]
    folder = material_model(tmp_path, inputs=names)
    refused(folder, 3, "does not compute the inputs gone_1, gone_2, gone_3 and 1 more")


def test_groups_that_are_no_more_are_named(tmp_path):
    refused(material_model(tmp_path, groups=["planes"]), 3, "no inputs called planes")


def test_missing_weights_are_told(tmp_path):
    folder = material_model(tmp_path)
    (folder / "weights.safetensors").unlink()
    refused(folder, 3, "weights.safetensors: the file is missing", "train the model again")


@pytest.mark.parametrize(
    ("model", "file"), [("ridge", "weights.safetensors"), ("lightgbm", "model.txt")]
)
@pytest.mark.parametrize("share", [0, 0.01, 0.5, 0.99])
def test_weights_cut_short_are_told(trained, tmp_path, model, file, share):
    """LightGBM itself ends the process at most of these."""
    folder = tmp_path / "model"
    shutil.copytree(trained(model, 3) / "model", folder)
    content = (folder / file).read_bytes()
    (folder / file).write_bytes(content[: int(share * len(content))])
    refused(folder, 3, f"{file}: the file is damaged", "train the model again")


@pytest.mark.parametrize(
    ("model", "file"),
    [
        ("ridge", "weights.safetensors"),
        ("lightgbm", "model.txt"),
        ("rbf", "train.safetensors"),
        ("rbf", "train.parquet"),
        ("best", "model.txt"),
    ],
)
def test_files_that_the_config_does_not_list_are_told(trained, tmp_path, model, file):
    """LightGBM ends the process at a file that is cut short, so none may go unchecked."""
    folder = tmp_path / "model"
    shutil.copytree(trained(model, 3) / "model", folder)
    (folder / file).unlink()
    resign(folder)
    refused(folder, 3, f"files does not list {file}", f"{model} needs", "train the model again")


@pytest.mark.parametrize("model", ["mean", "engine_depth8", "ridge", "lightgbm", "rbf", "best"])
def test_the_files_that_are_asked_for_are_those_that_training_writes(trained, model):
    folder = trained(model, 1) / "model"
    written = {file.name for file in folder.iterdir()} - {"config.json", "README.md"}
    assert written == set(FILES[model])


def test_kept_rows_of_another_scenario_are_told(trained, tmp_path):
    folder = tmp_path / "model"
    shutil.copytree(trained("rbf", 3) / "model", folder)
    shutil.copy(trained("rbf", 2) / "model" / "train.safetensors", folder)
    resign(folder)
    refused(folder, 3, "keeps rows of 196 inputs, not 194", "train the model again")


def test_kept_rows_of_other_positions_are_told(trained, tmp_path):
    folder = tmp_path / "model"
    shutil.copytree(trained("rbf", 3) / "model", folder)
    path = folder / "train.parquet"
    parquet.write(parquet.read(path).slice(1), path)
    resign(folder)
    refused(folder, 3, "train.safetensors keeps", "positions of train.parquet")


def test_weights_that_give_no_number_are_told(tmp_path):
    folder = material_model(tmp_path)
    model = Predictor.load(folder).model
    type(model)(model.weights, np.nan, 1.0).save(folder)
    resign(folder)
    refused(folder, 3, "the value of inputs that are all 0 is nan", "train the model again")


def test_weights_that_no_library_reads_are_told(tmp_path):
    folder = material_model(tmp_path)
    (folder / "weights.safetensors").write_bytes(b"nothing")
    resign(folder)
    refused(folder, 3, "the weights of ridge_placement cannot be read", "train the model again")


def test_weights_of_another_width_are_told(tmp_path):
    folder = material_model(tmp_path / "whole")
    shutil.copy(
        material_model(tmp_path / "other", 1) / "weights.safetensors",
        folder / "weights.safetensors",
    )
    resign(folder)
    refused(folder, 3, "do not fit config.json")
