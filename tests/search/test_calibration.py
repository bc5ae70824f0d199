"""The 8-bit net of self-play: what it is calibrated by, and that its games repeat."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tabia.search import selfplay, start
from tabia.search.calibration import positions
from tabia.search.config import Budget, GoRules, SearchSettings
from tabia.search.learning_config import SelfPlay
from tabia.search.nets import folder
from tabia.search.nets.config import Small
from tabia.search.selfplay import evaluator_of, int8_evaluator_of
from tabia.tables.spec import Spec
from tests.search.made import HashEvaluator

RULES = GoRules(size=5, komi=0.5, max_plies=12)


def test_calibration_sees_games_from_their_start_to_their_end() -> None:
    found = positions(RULES, 1, HashEvaluator(26), 1, games=3)
    assert found.shape[1:] == (9, 5, 5)
    stones = found[:, :2].sum(axis=(1, 2, 3))
    assert len(found) <= 36
    assert stones.min() == 0
    assert stones.max() >= 6
    again = positions(RULES, 1, HashEvaluator(26), 1, games=3)
    assert np.array_equal(found, again)
    assert not np.array_equal(found[:12], positions(RULES, 1, HashEvaluator(26), 2, games=3)[:12])
    assert len(positions(RULES, 1, HashEvaluator(26), 1, games=3, most=7)) == 7


def net_of(tmp_path: Path) -> Path:
    config = {
        "seed": 1,
        "rules": RULES.model_dump(),
        "net": Small(channels=16, blocks=1).model_dump(),
        "history": 1,
        "liberties": False,
    }
    start.run(Spec("search.start", "m", {"run": "a"}, config), net=tmp_path / "net")
    return tmp_path / "net"


def test_eight_bits_say_nearly_what_float32_says(tmp_path: Path) -> None:
    net = folder.load(net_of(tmp_path)).net
    planes = positions(RULES, 1, HashEvaluator(26), 9, games=4)
    with evaluator_of(net, 1) as exact, int8_evaluator_of(net, 1, RULES, 1) as coarse:
        one, other = exact.evaluate(planes), coarse.evaluate(planes)
    assert not np.array_equal(one.logits, other.logits)
    assert np.abs(one.values - other.values).max() < 0.05
    assert np.abs(one.logits - other.logits).max() < 0.1


def test_games_by_eight_bits_repeat(tmp_path: Path) -> None:
    net = net_of(tmp_path)
    search = SearchSettings(budget=Budget(simulations=4))
    settings = SelfPlay(games=2, precision="int8", search=search)
    config = {"seed": 1, "rules": RULES.model_dump(), "selfplay": settings.model_dump()}
    spec = Spec("search.selfplay", "m", {"run": "a", "generation": "1", "shard": "0"}, config)

    def play(name: str) -> bytes:
        out = tmp_path / name
        files = {"games": out / "g", "positions": out / "p", "times": out / "t"}
        selfplay.run(spec, net=net, state=tmp_path / "state", **files)
        return (out / "g").read_bytes() + (out / "p").read_bytes()

    assert play("one") == play("two")
