"""The training stage, its folder, and the model that is read back from it."""

from __future__ import annotations

import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from tabia.imitation import card, train
from tabia.imitation.agent import ImitationAgent, ImitationSettings, build
from tabia.imitation.imitator import ImitatorError, Line, load, nucleus, tempered
from tabia.imitation.policy import Prediction
from tabia.imitation.positions import Positions
from tabia.imitation.predictions import PREDICTIONS
from tabia.match.agent import AgentFaultError, AgentStartError, Turn
from tabia.match.spec import AgentSpec, AgentSpecError
from tabia.tables import parquet
from tabia.tables.spec import Spec, SpecError
from tests.imitation.random_games import random_moves, sampled

TRAINING = {"epochs": 1, "batch": 64, "learning_rate": 0.01, "threads": 1}
SETTINGS = {"channels": 4, "blocks": 1, "memory": 1, "fine_tuning": TRAINING}


def spec(fold: str = "0", bin_: str = "all", game: str = "xiangqi", **changes: object) -> Spec:
    config = {
        "seed": 1,
        "game": game,
        "vocabulary": "from_to",
        "model": "one_net",
        "module": "tabia.imitation.models.one_net",
        "settings": SETTINGS,
        "member": "mover",
        "folds": 2,
        "validation": 0.3,
        **changes,
    }
    wildcards = {"game": game, "model": "one_net", "bin": bin_, "fold": fold}
    return Spec("imitation.train", "m", wildcards, config)


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rows: list[dict[str, object]] = [
        {"moves": random_moves("xiangqi", 12, seed), "first_elo": 1150} for seed in range(24)
    ]
    return sampled(tmp_path_factory.mktemp("samples"), "xiangqi", rows)


def trained(samples: Path, folder: Path, job: Spec, *, test: bool = True) -> Path:
    train.run(
        job,
        samples=samples,
        phase=None,
        pretrained=None,
        parts={},
        model=folder / "model",
        predictions=folder / "predictions.parquet" if test else None,
    )
    return folder / "model"


@pytest.fixture(scope="module")
def model(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return trained(samples, tmp_path_factory.mktemp("model"), spec())


def test_every_move_of_the_test_fold_is_predicted_and_no_other(samples, model):
    predicted = parquet.read(model.parent / "predictions.parquet")
    assert predicted.schema.remove_metadata() == PREDICTIONS
    positions = Positions.read(samples)
    own = train.rows(spec(), positions)
    assert predicted["ply"].to_pylist() == positions.ply[own.test].tolist()
    assert predicted["game_id"].to_pylist() == positions.game_id[own.test].tolist()
    learned = set(positions.game_id[np.concatenate([own.train, own.validation])].tolist())
    assert not learned & set(predicted["game_id"].to_pylist())


def test_the_card_counts_games_and_gives_the_test_figures(samples, model):
    about = json.loads((model / "config.json").read_text())
    predicted = parquet.read(model.parent / "predictions.parquet")
    hit = float(np.mean(predicted["rank"].to_numpy() == 1))
    assert about["test"]["top_1"] == pytest.approx(hit, rel=1e-5)
    assert about["test"]["positions"] == predicted.num_rows
    positions = Positions.read(samples)
    own = train.rows(spec(), positions)
    assert about["train"]["games"] == len(np.unique(positions.game_id[own.train]))
    card = (model / "README.md").read_text()
    assert "fold 0 was held back" in card
    assert f"| test | {predicted.num_rows:,} |" in card


def test_the_same_job_gives_the_same_bytes(samples, model, tmp_path):
    again = trained(samples, tmp_path, spec())
    for file in sorted(model.iterdir()):
        assert (again / file.name).read_bytes() == file.read_bytes(), file.name
    name = "predictions.parquet"
    assert (tmp_path / name).read_bytes() == (model.parent / name).read_bytes()


def test_the_final_model_learns_from_every_fold(samples, tmp_path):
    folder = trained(samples, tmp_path, spec("final"), test=False)
    about = json.loads((folder / "config.json").read_text())
    assert about["test"] is None
    assert about["train"]["positions"] + about["validation"]["positions"] == len(
        Positions.read(samples)
    )
    assert not (tmp_path / "predictions.parquet").exists()


def test_an_unknown_module_is_told(samples, tmp_path):
    with pytest.raises(SpecError, match=r"'tabia\.imitation\.models\.none' is no module"):
        trained(samples, tmp_path, spec(module="tabia.imitation.models.none"))
    with pytest.raises(SpecError, match="is no module"):
        trained(samples, tmp_path, spec(module="os"))


def test_a_phase_without_a_choice_is_told(samples, tmp_path):
    import pyarrow as pa

    parquet.write(pa.table({"chosen": [False], "structure": ["{}"]}), tmp_path / "4.parquet")
    with pytest.raises(train.StructureError, match="marks 0 structures as chosen"):
        train.run(
            spec(),
            samples=samples,
            phase=tmp_path / "4.parquet",
            pretrained=None,
            parts={},
            model=tmp_path / "model",
            predictions=None,
        )


def test_the_next_move_is_that_of_the_stage_at_the_same_position(samples, model):
    imitator = load(model)
    positions = Positions.read(samples)
    game = np.flatnonzero(positions.game_id == positions.game_id[0])
    line = Line(None, positions.move[game[:7]].tolist(), 1320, 1150)
    codes, p, _ = imitator.next_move(line)
    row = game[7:8]
    wanted = imitator.policy.predict(positions, row)
    assert codes.tolist() == positions.legal_of(row)[0].tolist()
    assert np.allclose(p, wanted.p, atol=1e-6)


def test_a_finished_game_has_no_next_move(model):
    mate = "4k4/9/9/9/4R4/9/9/9/9/3K1R3 b - - 0 1"
    with pytest.raises(ImitatorError, match="no legal move"):
        load(model).next_move(Line(mate, []))


def test_a_composed_position_is_told(model):
    composed = "4k4/9/9/9/9/9/9/9/6B2/3K5 w - - 0 1"
    with pytest.raises(ImitatorError, match="on a square that it never reaches"):
        load(model).next_move(Line(composed, []))


def test_fields_that_a_fen_leaves_out_make_no_difference(model):
    imitator = load(model)
    board = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"
    whole = [imitator.next_move(Line(fen, []))[1].tolist() for fen in (None, f"{board} w - - 0 1")]
    for fen in (board, f"{board} w", f" {board}  w  - -"):
        assert imitator.next_move(Line(fen, []))[1].tolist() == whole[0] == whole[1]


def test_folders_that_are_no_models_are_told(tmp_path, model):
    with pytest.raises(ImitatorError, match=r"no config\.json"):
        load(tmp_path)
    (tmp_path / "config.json").write_text('{"kind": "evaluation"}')
    with pytest.raises(ImitatorError, match="tabia evaluate"):
        load(tmp_path)
    (tmp_path / "config.json").write_bytes((model / "config.json").read_bytes())
    with pytest.raises(ImitatorError, match=r"net\.json: the file is missing"):
        load(tmp_path)
    with pytest.raises(ImitatorError, match=r"no config\.json to read \(File name too long\)"):
        load(tmp_path / ("x" * 300))


def resign(folder):
    """Seal the folder again over files that a test has changed."""
    about = json.loads((folder / "config.json").read_text())
    for name in ("config.json", "README.md"):
        (folder / name).unlink()
    card.write(about, folder)


@pytest.mark.parametrize(
    ("key", "value", "fault"),
    [
        ("bin", "1000-", "no bin '1000-'"),
        ("game", "go fish", "no game 'go fish'"),
        ("model", "gpt", "no model 'gpt'"),
        ("module", "tabia.imitation.models.book", "no model 'one_net' of module"),
        ("fold", None, "lacks fold"),
    ],
)
def test_a_card_of_another_version_is_told(tmp_path, model, key, value, fault):
    folder = shutil.copytree(model, tmp_path / "model")
    about = json.loads((folder / "config.json").read_text())
    about[key] = value
    if value is None:
        del about[key]
    (folder / "config.json").write_text(json.dumps(about))
    with pytest.raises(ImitatorError, match=rf"{fault}.*train the model again"):
        load(folder)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("weights.safetensors", b""),
        ("weights.safetensors", None),  # half of it
        ("weights.safetensors", b"\xff" * 500),
        ("net.json", b"{}"),
        ("net.json", b"[1, 2]"),
        ("net.json", b"\x00"),
        ("net.json", None),
    ],
)
def test_damaged_weights_are_told(tmp_path, model, name, content):
    folder = shutil.copytree(model, tmp_path / "model")
    whole = (folder / name).read_bytes()
    (folder / name).write_bytes(whole[: len(whole) // 2] if content is None else content)
    with pytest.raises(ImitatorError, match=rf"{name}: the file is damaged.*train the model again"):
        load(folder)
    resign(folder)  # as if another version had written it
    with pytest.raises(ImitatorError, match=r"model: its weights cannot be read .*train the model"):
        load(folder)


def test_a_flipped_bit_is_told(tmp_path, model):
    folder = shutil.copytree(model, tmp_path / "model")
    weights = bytearray((folder / "weights.safetensors").read_bytes())
    weights[-3] ^= 1  # of the last number's mantissa: no library would see it
    (folder / "weights.safetensors").write_bytes(weights)
    with pytest.raises(ImitatorError, match=r"weights\.safetensors: the file is damaged"):
        load(folder)


def test_a_changed_card_is_told(tmp_path, model):
    folder = shutil.copytree(model, tmp_path / "model")
    about = json.loads((folder / "config.json").read_text()) | {"vocabulary": "absolute"}
    (folder / "config.json").write_text(json.dumps(about))
    with pytest.raises(ImitatorError, match="changed after training"):
        load(folder)
    (folder / "config.json").write_text(
        json.dumps({key: value for key, value in about.items() if key != "digest"})
    )
    with pytest.raises(ImitatorError, match="no entry digest"):
        load(folder)


def test_a_damaged_book_and_damaged_trees_are_told(samples, tmp_path):
    trees = {"trees": 3, "leaves": 4, "min_leaf": 1}
    for name, settings, file in (
        ("book", {}, "book.safetensors"),
        ("lightgbm", trees, "model.txt"),
        ("lightgbm", trees, "rates.safetensors"),
    ):
        job = spec("final", model=name, module=f"tabia.imitation.models.{name}", settings=settings)
        folder = trained(samples, tmp_path / file, job, test=False)
        assert load(folder).about["model"] == name
        whole = (folder / file).read_bytes()
        (folder / file).write_bytes(whole[: len(whole) // 2])
        with pytest.raises(ImitatorError, match="the file is damaged"):
            load(folder)
        resign(folder)
        with pytest.raises(ImitatorError, match="its weights cannot be read"):
            load(folder)


def test_a_package_that_is_not_installed_is_told(model, monkeypatch):
    for name in ("tabia.imitation.models.one_net", "torch"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, "tabia.imitation.models.one_net")
    with pytest.raises(ImitatorError, match=r"needs the package torch, .* `\./setup run`"):
        load(model)


def test_a_digest_is_of_all_files_and_their_names(tmp_path, model):
    folder = shutil.copytree(model, tmp_path / "model")
    before = load(folder).digest()
    assert before == load(model).digest()
    (folder / "README.md").rename(folder / "READMF.md")
    assert load(folder).digest() != before


@pytest.mark.parametrize("elo", [0, -5, 5001, 10**30])
def test_elos_that_nobody_has_are_told(model, elo):
    with pytest.raises(ImitatorError, match=f"Elo {elo}: must be from 1 to 5,000"):
        load(model).next_move(Line(None, [], 1500, elo))


def test_a_model_that_answers_with_no_numbers_is_told(samples, model):
    imitator = load(model)
    for p in (float("nan"), 0.0):

        class Broken:
            def predict(self, positions, index, p=p):
                codes, offsets = positions.legal_of(index)
                return Prediction(offsets, np.full(len(codes), p, np.float32))

        broken = replace(imitator, policy=Broken())
        with pytest.raises(ImitatorError, match="gives no probabilities"):
            broken.next_move(Line(None, []))
        with pytest.raises(ImitatorError, match="gives no probabilities"):
            broken.predict(Positions.read(samples), np.arange(5))


def test_temperature_and_nucleus_by_hand():
    p = np.array([0.5, 0.3, 0.2])
    assert np.allclose(tempered(p, 1), p)
    assert np.allclose(tempered(p, 0.5), np.array([0.25, 0.09, 0.04]) / 0.38)
    assert nucleus(p, 0).tolist() == [1, 0, 0]
    assert np.allclose(nucleus(p, 0.5), [0.625, 0.375, 0])  # 0.5 does not exceed 0.5
    assert np.allclose(nucleus(p, 0.49), [1, 0, 0])
    assert np.allclose(nucleus(p, 1), p)
    assert nucleus(np.array([0.25, 0.25, 0.5]), 0).tolist() == [0, 0, 1]
    for tiny in (1e-300, 5e-324):
        assert tempered(p, tiny).tolist() == [1, 0, 0]
    assert np.allclose(tempered(np.array([0.8, 0.2, 0.0]), 2), [2 / 3, 1 / 3, 0])


class Position:
    """A position in which the rules allow some moves only."""

    def __init__(self, moves: list[int]) -> None:
        self._moves = moves

    def legal_moves(self) -> list[int]:
        return self._moves


class Fixed:
    """A model that always says the same of the first moves of a game."""

    def __init__(self, p: list[float]) -> None:
        self.about = {"model": "fixed", "bin": "1200-1300"}
        self.p = p
        self.asked: list[Line] = []

    def elo(self) -> int:
        return 1250

    def next_move(self, line: Line) -> tuple[np.ndarray, np.ndarray, SimpleNamespace]:
        self.asked.append(line)
        return np.arange(len(self.p)), np.array(self.p), SimpleNamespace(result=None)


def choose(p: list[float], allowed: list[int], **settings: float) -> list[int]:
    agent = ImitationAgent("x", Fixed(p), ImitationSettings(**settings))  # type: ignore[arg-type]
    agent.new_game(5)
    turn = Turn(Position(allowed), None, ())  # type: ignore[arg-type]
    return [agent.choose(turn).move for _ in range(2000)]


def test_an_agent_draws_moves_as_often_as_the_model_says():
    drawn = np.bincount(choose([0.6, 0.3, 0.1], [0, 1, 2]), minlength=3) / 2000
    assert np.abs(drawn - [0.6, 0.3, 0.1]).max() < 0.035  # three standard deviations


def test_temperature_0_is_argmax_and_top_p_cuts_the_tail():
    assert set(choose([0.2, 0.5, 0.3], [0, 1, 2], temperature=0)) == {1}
    assert set(choose([0.2, 0.5, 0.3], [0, 1, 2], top_p=0.6)) == {1, 2}


def test_moves_that_the_match_forbids_are_never_drawn():
    assert set(choose([0.7, 0.2, 0.1], [1, 2])) == {1, 2}
    with pytest.raises(AgentFaultError, match="no legal move"):
        choose([0.7, 0.3], [9])


def test_moves_that_the_model_never_expects_are_drawn_alike_where_no_other_is_allowed():
    drawn = np.bincount(choose([1.0, 0.0, 0.0], [1, 2]), minlength=3) / 2000
    assert drawn[0] == 0
    assert abs(drawn[1] - 0.5) < 0.035  # three standard deviations
    assert set(choose([1.0, 0.0, 0.0], [1, 2], temperature=0)) == {1}


def test_draws_come_from_the_seed_of_the_game():
    assert choose([0.5, 0.5], [0, 1]) == choose([0.5, 0.5], [0, 1])


def test_an_agent_asks_with_its_elo_or_the_middle_of_its_bin():
    fixed = Fixed([1.0])
    turn = Turn(Position([0]), None, (3,))  # type: ignore[arg-type]
    for settings, elos in (({}, (1250, 1250)), ({"elo": 1800}, (1800, 1800))):
        ImitationAgent("x", fixed, ImitationSettings(**settings)).choose(turn)  # type: ignore[arg-type]
        assert (fixed.asked[-1].mover_elo, fixed.asked[-1].other_elo) == elos


def test_a_spec_string_builds_the_agent_and_says_what_is_wrong(model):
    built = build(AgentSpec("s", "xiangqi", "imitation", str(model), {"elo": "1300"}))
    assert built.name == "one_net as 1300"
    with pytest.raises(AgentSpecError, match="did you mean 'temperature'"):
        build(AgentSpec("s", "xiangqi", "imitation", str(model), {"temperatur": "1"}))
    with pytest.raises(AgentSpecError, match=r"no config\.json"):
        build(AgentSpec("s", "xiangqi", "imitation", "/nowhere", {}))
    with pytest.raises(AgentStartError, match="plays xiangqi, not chess"):
        build(AgentSpec("s", "chess", "imitation", str(model), {}))
