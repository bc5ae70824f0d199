from __future__ import annotations

import pytest

from tabia.evaluation.players import played_by


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["people", "people"], "people"),
        (["people", "engines"], "engines and people"),
        (["people", "engines and people"], "engines and people"),
        (["engines"], "engines"),
    ],
)
def test_players_of_some_positions_are_named_once(values, expected):
    assert played_by(values) == expected
