"""Texts of LightGBM models that are whole, cut short and damaged."""

from __future__ import annotations

import lightgbm
import numpy as np
import pytest

from tabia.learning.trees_text import DamagedTreesError, require_whole


def _trained(trees: int, **settings: object) -> str:
    x = np.random.default_rng(1).normal(size=(200, 4))
    quiet = {"verbose": -1, "num_threads": 1, "deterministic": True}
    data = lightgbm.Dataset(x, x[:, 0] + x[:, 1] ** 2)
    text: str = lightgbm.train(quiet | settings, data, trees).model_to_string()
    return text


@pytest.fixture(scope="module")
def text() -> str:
    return _trained(12)


def test_what_lightgbm_writes_is_whole(text: str) -> None:
    require_whole(text)
    require_whole(_trained(2, min_data_in_leaf=150))  # trees of one leaf


@pytest.mark.parametrize("share", [0, 0.01, 0.1, 0.5, 0.8])
def test_a_text_that_is_cut_short_is_told(text: str, share: float) -> None:
    with pytest.raises(DamagedTreesError):
        require_whole(text[: int(share * text.index("end of trees"))])


def test_a_text_without_its_end_is_told(text: str) -> None:
    with pytest.raises(DamagedTreesError, match="no end"):
        require_whole(text[: text.index("end of trees")])


@pytest.mark.parametrize(
    ("word", "other", "fault"),
    [
        ("leaf_value=", "leaf_value=x", "could not convert"),
        ("split_feature=", "split_feature=9", "split_feature is out of range"),
        ("left_child=", "left_child=99", "left_child is out of range"),
        ("threshold=", "threshold=1 ", "threshold has"),
        ("num_leaves=", "num_leaves=9", "split_feature has"),
        ("Tree=3\n", "Tree=4\n", "tree 3 of 12 is not where it should"),
        ("tree_sizes=", "tree_size=", "the header is damaged"),
    ],
)
def test_damage_within_is_told(text: str, word: str, other: str, fault: str) -> None:
    at = text.index(word, 0 if word.startswith(("tree", "Tree")) else text.index("Tree=3\n"))
    # The same length, so that the sizes in the header still fit.
    damaged = text[:at] + other + text[at + len(other) :]
    with pytest.raises(DamagedTreesError, match=fault):
        require_whole(damaged)
