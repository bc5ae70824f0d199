"""Repetitions of real games by each set of rules; skipped where there are none.

CCPD's games are judged with ``TABIA_XIANGQI_FILES=all``. docs/xiangqi_referee.md has this table.
"""

from __future__ import annotations

import os
from collections import Counter

import pytest

from tests.games.xiangqi_play import XIANGQI
from tests.games.xiangqi_real import real_games, repetitions

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not XIANGQI.is_dir(), reason=f"no real games in {XIANGQI}"),
]
LONG = pytest.mark.skipif(
    os.environ.get("TABIA_XIANGQI_FILES") != "all", reason="TABIA_XIANGQI_FILES is not all"
)


@pytest.mark.parametrize(
    ("name", "n_games", "simple", "asian"),
    [
        ("master", 1391, (91, 25, 0), (73, 25, 18)),
        ("playok", 852, (22, 3, 0), (15, 3, 7)),
        pytest.param("full", 6132, (400, 101, 0), (294, 101, 106), marks=LONG),
        pytest.param("endings", 372, (4, 2, 0), (0, 2, 4), marks=LONG),
    ],
)
def test_so_many_games_repeat_and_end_so(
    name: str, n_games: int, simple: tuple[int, ...], asian: tuple[int, ...]
) -> None:
    assert len(real_games(name)) == n_games
    for rules, expected in (("simple", simple), ("asian", asian)):
        reasons = Counter(
            verdict.reason if verdict.result else "draw"
            for _, _, verdict in repetitions(name, rules)
        )
        found = tuple(reasons[key] for key in ("draw", "perpetual_check", "perpetual_chase"))
        assert found == expected
        assert sum(expected) == reasons.total()
