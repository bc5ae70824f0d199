"""The stages of a generation: games, training, gate; killed ones end with the same bytes."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tabia.learning import course
from tabia.search import gate, selfplay, start, train
from tabia.search.config import Budget, GoRules, SearchSettings
from tabia.search.learning_config import Learning, SelfPlay
from tabia.search.nets import folder
from tabia.search.nets.config import Small
from tabia.tables import parquet
from tabia.tables.spec import Spec

RULES = GoRules(size=5, komi=0.5, max_plies=30).model_dump()
NET = Small(channels=8, blocks=1, score=True, ownership=True).model_dump()
SELFPLAY = SelfPlay(
    games=6, chunk=2, at_once=2, search=SearchSettings(budget=Budget(simulations=8), noise=True)
).model_dump()


def spec(stage: str, **config: object) -> Spec:
    wildcards = {"run": "small", "generation": "1", "shard": "0"}
    return Spec(f"search.{stage}", "m", wildcards, {"seed": 1, "rules": RULES} | config)


def begin(path: Path) -> Path:
    start.run(spec("start", net=NET, history=1, liberties=False), net=path / "0")
    return path / "0"


def play(path: Path, net: Path, name: str) -> tuple[Path, Path]:
    games, positions = path / name / "games.parquet", path / name / "positions.parquet"
    selfplay.run(
        spec("selfplay", selfplay=SELFPLAY),
        net=net,
        state=path / "state",
        games=games,
        positions=positions,
        times=path / name / "times.parquet",
    )
    return games, positions


def learn(path: Path, tables: tuple[Path, Path], net: Path, **settings: object) -> Path:
    train.run(
        spec("train", targets="visits", learning=Learning(**settings).model_dump()),
        games=[tables[0]],
        positions=[tables[1]],
        net=net,
        state=path / "state",
        model=path / "1",
        times=path / "times.parquet",
    )
    return path / "1"


def weights(net: Path) -> bytes:
    return (net / "weights.safetensors").read_bytes()


def test_a_generation_is_games_and_a_net_that_learned_from_them(tmp_path: Path) -> None:
    net = begin(tmp_path)
    tables = play(tmp_path, net, "games")
    assert parquet.read(tables[0])["number"].to_pylist() == list(range(6))
    after = learn(tmp_path, tables, net, batch=16, passes=2)
    assert weights(after) != weights(net)
    about = folder.load(after).provenance
    assert (about["run"], about["generation"]) == ("small", 1)
    assert about["positions"] < len(parquet.read(tables[1]))


def test_self_play_that_was_killed_ends_with_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    net = begin(tmp_path)
    whole = play(tmp_path, net, "whole")
    played: list[object] = []
    original = selfplay.play_chunk

    def dies_in_the_second(*args: object) -> object:
        played.append(args[4])
        if len(played) == 2:
            raise KeyboardInterrupt
        return original(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(selfplay, "play_chunk", dies_in_the_second)
    with pytest.raises(KeyboardInterrupt):
        play(tmp_path, net, "killed")
    again = play(tmp_path, net, "killed")
    assert played == [range(0, 2), range(2, 4), range(2, 4), range(4, 6)]
    for one, other in zip(whole, again, strict=True):
        assert one.read_bytes() == other.read_bytes()
    assert list((tmp_path / "state").iterdir()) == []


def test_a_gate_keeps_the_best_net_unless_the_new_one_wins(tmp_path: Path) -> None:
    net = begin(tmp_path)
    for score, name in ((0.99, "kept"), (0.001, "taken")):
        tables = play(tmp_path, net, name)
        candidate = learn(tmp_path, tables, net, batch=16, passes=1)
        gate.run(
            spec("gate", gate={"games": 6, "simulations": 4, "score": score}, search={}, threads=1),
            candidate=candidate,
            best=net,
            games=tmp_path / name / "gate.parquet",
            chosen=tmp_path / name / "chosen",
        )
        games = parquet.read(tmp_path / name / "gate.parquet")
        assert games["is_first"].to_pylist() == [True, False] * 3
        points = sum(games["points"].to_pylist()) / 6
        expected = candidate if points > score else net
        assert weights(tmp_path / name / "chosen") == weights(expected)


def measured(path: Path) -> dict[str, Any]:
    [row] = parquet.read(path).to_pylist()
    return dict(row)


def test_games_and_training_measure_their_own_time(tmp_path: Path) -> None:
    net = begin(tmp_path)
    tables = play(tmp_path, net, "games")
    learned = folder.load(learn(tmp_path, tables, net, batch=16, passes=2)).provenance
    games = measured(tmp_path / "games/times.parquet")
    assert (games["learner"], games["generation"], games["shard"]) == ("small", 1, 0)
    assert (games["stage"], games["games"], games["share"]) == ("self-play", 6, 1.0)
    searched = parquet.read(tables[1])
    assert games["positions"] == len(searched)
    # The root, and of eight simulations those that end in no game's end.
    assert len(searched) < games["evaluations"] <= 9 * len(searched)
    training = measured(tmp_path / "times.parquet")
    assert (training["stage"], training["shard"], training["evaluations"]) == (
        "training",
        None,
        None,
    )
    assert (training["games"], training["share"]) == (learned["games"], 1.0)
    assert training["positions"] == 2 * learned["positions"]
    for row in (games, training):
        assert 0 < row["work_cpu_seconds"] <= row["cpu_seconds"]
        assert row["seconds"] > 0


def test_self_play_that_was_killed_measures_what_it_did_since(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    net = begin(tmp_path)
    whole = measured(play(tmp_path, net, "whole")[0].with_name("times.parquet"))
    original, calls = selfplay.play_chunk, iter(range(9))

    def dies_in_the_third(*args: object) -> object:
        if next(calls) == 2:
            raise KeyboardInterrupt
        return original(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(selfplay, "play_chunk", dies_in_the_third)
    with pytest.raises(KeyboardInterrupt):
        play(tmp_path, net, "killed")
    tables = play(tmp_path, net, "killed")
    found = measured(tables[0].with_name("times.parquet"))
    assert (found["games"], found["share"]) == (2, pytest.approx(1 / 3))
    numbers = parquet.read(tables[1])["number"].to_pylist()
    assert found["positions"] == sum(number >= 4 for number in numbers) < whole["positions"]
    assert found["evaluations"] < whole["evaluations"]


def test_training_that_was_killed_measures_what_it_did_since(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    net = begin(tmp_path)
    tables = play(tmp_path, net, "games")
    after = learn(tmp_path, tables, net, batch=16, passes=3)
    unbroken, rows = weights(after), folder.load(after).provenance["positions"]
    monkeypatch.setattr(course, "_SAVE_EVERY_S", 0.0)
    original, calls = train.loss, iter(range(99))

    def dies_in_the_third_step(*args: object) -> object:
        if next(calls) == 2:
            raise KeyboardInterrupt
        return original(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(train, "loss", dies_in_the_third_step)
    with pytest.raises(KeyboardInterrupt):
        learn(tmp_path, tables, net, batch=16, passes=3)
    monkeypatch.setattr(train, "loss", original)
    assert weights(learn(tmp_path, tables, net, batch=16, passes=3)) == unbroken
    found = measured(tmp_path / "times.parquet")
    first = [len(part) for part in np.array_split(np.arange(rows), -(-rows // 16))]
    assert len(first) > 2
    assert found["positions"] == 3 * rows - sum(first[:2])
    assert found["share"] == pytest.approx(found["positions"] / (3 * rows))


GOLDEN_GAMES = {2: "788277389f1c022d"}
"""SHA-256 of the moves of self-play, by REVISION."""
GOLDEN_LOSS = {1: 4.7239, 2: 4.7022}
"""Loss of a training on games held back, by REVISION."""
GOLDEN_GATE = {2: "5c598f7fe3b62a11"}
"""SHA-256 of the moves of a gating match, by REVISION."""


def digest(table: Path) -> str:
    moves = repr(parquet.read(table)["moves"].to_pylist())
    return hashlib.sha256(moves.encode()).hexdigest()[:16]


def test_what_the_stages_give(tmp_path: Path) -> None:
    """If this fails, results changed: raise REVISION of the stage and pin the new results.

    Sums differ between kinds of CPUs in their last bits, which so short games should not show.
    """
    net = begin(tmp_path)
    tables = play(tmp_path, net, "games")
    after = learn(tmp_path, tables, net, batch=16, passes=2)
    gate.run(
        spec("gate", gate={"games": 4, "simulations": 4, "score": 0.5}, search={}, threads=1),
        candidate=after,
        best=net,
        games=tmp_path / "gate.parquet",
        chosen=tmp_path / "chosen",
    )
    assert digest(tables[0]) == GOLDEN_GAMES[selfplay.REVISION]
    assert folder.load(after).provenance["loss"] == pytest.approx(
        GOLDEN_LOSS[train.REVISION], abs=2e-4
    )
    assert digest(tmp_path / "gate.parquet") == GOLDEN_GATE[gate.REVISION]


def test_games_of_another_net_are_not_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    net = begin(tmp_path)
    other = learn(tmp_path, play(tmp_path, net, "first"), net, batch=16, passes=1)
    whole = play(tmp_path, other, "whole")
    original = selfplay.play_chunk
    calls: list[object] = []

    def dies_in_the_second(*args: object) -> object:
        calls.append(args[4])
        if len(calls) == 2:
            raise KeyboardInterrupt
        return original(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(selfplay, "play_chunk", dies_in_the_second)
    with pytest.raises(KeyboardInterrupt):
        play(tmp_path, net, "killed")
    changed = play(tmp_path, other, "killed")
    for one, two in zip(whole, changed, strict=True):
        assert one.read_bytes() == two.read_bytes()
