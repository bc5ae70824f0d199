"""The pool: its weights on parts whose truth is known, its stages, its parts on disk."""

from __future__ import annotations

import json
import shutil
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType, ModuleType

import numpy as np
import pytest

from tabia.imitation.models import ensemble, modules
from tabia.imitation.models.modules import ModelEntry
from tabia.imitation.policy import Lesson, Prediction
from tabia.imitation.positions import Positions
from tests.imitation.made_game import made, made_positions

__all__ = ["made"]

SETTINGS = {"game": "made", "vocabulary": "plain", "steps": 200}


@dataclass(frozen=True)
class Told:
    """A policy that says of each row what it was told to, and perhaps a result."""

    table: np.ndarray  # [rows, 3]
    known: np.ndarray | None = None
    result: np.ndarray | None = None
    n_parameters: int = 10

    def predict(self, positions: Positions, index: np.ndarray) -> Prediction:
        offsets = positions.legal_of(index)[1]
        p = self.table[index].astype(np.float32).ravel()
        return Prediction(offsets, p, result=None if self.result is None else self.result[index])


class Knowing(Told):
    def knows(self, positions: Positions, index: np.ndarray) -> np.ndarray:
        return self.known[index]


def log_linear(tables: list[np.ndarray], weights: list[float]) -> np.ndarray:
    score = sum(w * np.log(table) for w, table in zip(weights, tables, strict=True))
    p = np.exp(score)
    return p / p.sum(1, keepdims=True)


def drawn(rows: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).dirichlet([1, 1, 1], rows)


def positions_played(p: np.ndarray, seed: int, games: int) -> Positions:
    """Positions of three legal moves, in which moves are drawn from `p` `[rows, 3]`."""
    positions = made_positions([len(p) // games] * games, seed, legal=3)
    draw = np.random.default_rng(seed).random(len(p))
    return replace(positions, move=(draw[:, None] > p.cumsum(1)).sum(1).astype(np.uint16))


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """Make parts known by name, each with a folder."""

    def make(**policies: Told) -> dict[str, Path]:
        folders = {}
        for name, policy in policies.items():
            module = ModuleType(f"made_{name}")
            module.load = lambda folder, policy=policy: policy  # type: ignore[attr-defined]
            monkeypatch.setitem(sys.modules, module.__name__, module)
            folders[name] = tmp_path / "models" / name
            folders[name].mkdir(parents=True)
            (folders[name] / "weights").write_text(name)
        entries = {name: ModelEntry(module=f"made_{name}", by_bin=False) for name in policies}
        monkeypatch.setattr(modules, "MODELS", MappingProxyType(entries))
        return folders

    return make


def fitted(positions: Positions, folders: dict[str, Path]) -> ensemble.EnsemblePolicy:
    rows = np.arange(len(positions))
    return ensemble.fit(Lesson(positions, rows[:0], rows, parts=folders), SETTINGS, 0)


def test_weights_are_those_that_the_moves_were_drawn_by(made, parts):
    a, b, noise = (drawn(8000, seed) for seed in (1, 2, 3))
    positions = positions_played(log_linear([a, b, noise], [0.8, 0.5, 0]), 4, games=40)
    pool = fitted(positions, parts(a=Told(a), b=Told(b), noise=Told(noise)))
    assert pool.weights.shape == (1, 3)
    assert pool.weights[0] == pytest.approx([0.8, 0.5, 0], abs=0.06)
    assert min(pool.weights[0]) >= 0
    assert list(pool.facts) == ["weight of a", "weight of b", "weight of noise"]


def test_weights_are_where_the_likelihood_is_greatest(made, parts):
    a, b = drawn(300, 1), drawn(300, 2)
    positions = positions_played(log_linear([a, b], [1, 0.3]), 5, games=10)
    pool = fitted(positions, parts(a=Told(a), b=Told(b)))

    def likelihood(weights: list[float]) -> float:
        p = log_linear([a.astype("f4"), b.astype("f4")], weights)
        return float(np.log(p[np.arange(300), positions.move]).sum())

    best = likelihood(pool.weights[0].tolist())
    for step in ([0.02, 0], [-0.02, 0], [0, 0.02], [0, -0.02]):
        assert likelihood((pool.weights[0] + step).tolist()) < best


def test_a_part_that_is_right_alone_is_taken_as_it_is(made, parts):
    truth = drawn(8000, 1)
    positions = positions_played(truth, 2, games=40)
    pool = fitted(positions, parts(a=Told(truth), b=Told(drawn(8000, 7))))
    p = pool.predict(positions, np.arange(100)).p.reshape(-1, 3)
    assert p == pytest.approx(truth[:100], abs=0.03)


def test_positions_that_the_book_knows_get_weights_of_their_own_where_that_helps(made, parts):
    a, b = drawn(8000, 1), drawn(8000, 2)
    known = np.random.default_rng(3).random(8000) < 0.5
    p = np.where(known[:, None], log_linear([a, b], [1, 0]), log_linear([a, b], [0, 1]))
    positions = positions_played(p, 4, games=40)
    pool = fitted(positions, parts(a=Knowing(a, known), b=Told(b)))
    assert pool.weights == pytest.approx(np.array([[1, 0], [0, 1]]), abs=0.06)
    rows = np.arange(200)
    found = pool.predict(positions, rows).p.reshape(-1, 3)
    assert found == pytest.approx(p[:200], abs=0.05)
    assert "weight of a, known to the book" in pool.facts


def test_where_it_does_not_help_all_positions_have_the_same_weights(made, parts):
    a, b = drawn(4000, 1), drawn(4000, 2)
    known = np.random.default_rng(3).random(4000) < 0.02
    positions = positions_played(log_linear([a, b], [0.6, 0.6]), 4, games=40)
    pool = fitted(positions, parts(a=Knowing(a, known), b=Told(b)))
    assert pool.weights.shape == (1, 2)


def test_a_move_that_one_part_rules_out_can_still_be_played(made, parts):
    a, b = drawn(300, 1), drawn(300, 2)
    a[:, 0] = 0
    positions = positions_played(b, 3, games=10)
    pool = fitted(positions, parts(a=Told(a), b=Told(b)))
    p = pool.predict(positions, np.arange(300)).p
    assert np.isfinite(p).all()
    assert p.reshape(-1, 3)[:, 0].min() > 0


def test_the_result_is_passed_on_from_the_part_that_has_one(made, parts):
    a, b, result = drawn(60, 1), drawn(60, 2), drawn(60, 3).astype(np.float32)
    positions = positions_played(b, 3, games=6)
    pool = fitted(positions, parts(a=Told(a), b=Told(b, result=result)))
    rows = np.array([5, 7, 50])
    assert np.array_equal(pool.predict(positions, rows).result, result[rows])
    assert fitted(positions, parts(c=Told(a))).predict(positions, rows).result is None


def test_an_ensemble_takes_its_parts_along(made, parts, tmp_path):
    a, b = drawn(300, 1), drawn(300, 2)
    positions = positions_played(b, 3, games=10)
    folders = parts(a=Told(a), b=Told(b))
    pool = fitted(positions, folders)
    (tmp_path / "ensemble").mkdir()
    pool.save(tmp_path / "ensemble")
    for folder in folders.values():
        shutil.rmtree(folder)
    assert (tmp_path / "ensemble" / "parts" / "b" / "weights").read_text() == "b"
    moved = (tmp_path / "ensemble").rename(tmp_path / "elsewhere")
    loaded = ensemble.load(moved)
    rows = np.arange(300)
    assert np.array_equal(loaded.weights, pool.weights)
    assert np.array_equal(loaded.predict(positions, rows).p, pool.predict(positions, rows).p)
    assert loaded.n_parameters == 10 + 10 + 2
    (tmp_path / "twice").mkdir()
    loaded.save(tmp_path / "twice")
    text = (moved / "ensemble.json").read_text()
    assert (tmp_path / "twice" / "ensemble.json").read_text() == text
    assert list(json.loads(text)) == ["parts", "weights"]


def test_a_missing_part_is_named(made, parts, tmp_path):
    positions = positions_played(drawn(60, 2), 3, games=6)
    folders = parts(a=Told(drawn(60, 1)), one_net=Told(drawn(60, 2)))
    shutil.rmtree(folders["one_net"])
    with pytest.raises(ensemble.MissingPartError, match="part one_net should be"):
        fitted(positions, folders)
    with pytest.raises(ensemble.MissingPartError, match="no parts were given"):
        fitted(positions, {})


def test_no_rows_have_no_distribution(made, parts):
    a = drawn(60, 1)
    positions = positions_played(a, 3, games=6)
    pool = fitted(positions, parts(a=Told(a)))
    assert pool.predict(positions, np.array([], np.intp)).offsets.tolist() == [0]
