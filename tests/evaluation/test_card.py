"""The model card that people read."""

from __future__ import annotations

import hashlib
import json

import pytest

from tabia.evaluation import card
from tests.evaluation.made_models import about, material_model


def written(tmp_path, scenario=3, **changes):
    return (material_model(tmp_path, scenario, **changes) / "README.md").read_text()


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ({"nodes": 200000}, "that Stockfish 15.1 gives it after 200,000 nodes of search."),
        ({"depth": 12}, "that Stockfish 15.1 gives it at depth 12."),
        ({"movetime_ms": 165000}, "after 165 s of search, which does not repeat."),
    ],
)
def test_the_target_is_told_in_words(tmp_path, target, words):
    assert words in written(tmp_path, labels={"inputs": [2, 4, 8], "target": target})


def test_an_engine_without_a_name_is_told(tmp_path):
    assert "an engine that the labels do not name" in written(tmp_path, engine={})


@pytest.mark.parametrize(
    ("scenario", "words"),
    [
        (1, "771 (placement; the engine's values at depth 2, 4, 8)"),
        (2, "770 (placement; the engine's values at depth 2, 4)"),
        (3, "768 (placement)"),
    ],
)
def test_inputs_are_counted_and_named(tmp_path, scenario, words):
    assert f"- Inputs: {words}\n" in written(tmp_path, scenario=scenario)


def test_what_was_left_out_depends_on_the_filter(tmp_path):
    assert "beyond 20 pawns" in written(tmp_path / "a", filter="abs20")
    assert "beyond 20 pawns" not in written(tmp_path / "b", filter="mate")


def test_a_figure_that_is_not_determined_is_a_dash(tmp_path):
    split = {"positions": 1, "games": 1, "mae_pawns": 2.5, "r2": None, "sign_agreement": None}
    assert "| test | 1 | 1 | 2.5000 | – | – |" in written(tmp_path, splits={"test": split})


def test_config_lists_the_digest_of_every_other_file(tmp_path):
    (tmp_path / "weights").write_bytes(b"w")
    card.write(about(), tmp_path)
    files = json.loads((tmp_path / "config.json").read_text())["files"]
    assert files == {"weights": hashlib.sha256(b"w").hexdigest()}
