"""What nets learn from self-play: targets by both schemes, weights, views."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from tabia.search.config import Budget, GoRules, SearchSettings
from tabia.search.evaluator import UniformEvaluator
from tabia.search.learning_config import Learning, SelfPlay
from tabia.search.lessons import Lessons, _value, read, surprise, targets_of
from tabia.search.nets.symmetry import Symmetries
from tabia.search.play import play_chunk
from tabia.search.start import shape_of
from tabia.tables import parquet
from tests.search.made import HashEvaluator

RULES = GoRules(size=5, komi=0.5, max_plies=30)
SHAPE = shape_of(RULES, 2)


def position(**changes: object) -> dict[str, object]:
    return {
        "moves": [0, 1, 2, 361],
        "policy": [0.5, 0.25, 0.25, 0.0],
        "priors": [0.1, 0.2, 0.3, 0.4],
    } | changes


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Path, Path]]:
    folder = tmp_path_factory.mktemp("selfplay")
    search = SearchSettings(budget=Budget(simulations=12, fast_simulations=3, full_share=0.5))
    settings = SelfPlay(at_once=6, resign=None, search=search)
    tables = play_chunk(RULES, settings, 2, HashEvaluator(26), range(6), 1)
    paths = folder / "games.parquet", folder / "positions.parquet"
    for path, table in zip(paths, tables, strict=True):
        parquet.write(table, path)
    return [paths]


def lessons(
    files: list[tuple[Path, Path]], scheme: str = "visits", **settings: object
) -> tuple[Lessons, Lessons]:
    return read(
        files,
        RULES,
        SHAPE,
        Learning.model_validate({"held": 0.2} | settings),
        scheme,
        heads=(True, True),
        seed=3,
    )


def test_alphazeros_scheme_learns_the_visits() -> None:
    rng = np.random.default_rng(1)
    found = targets_of("visits", position(), 0, -1, rng)
    assert found.tolist() == [0.5, 0.25, 0.25, 0.0]


@pytest.mark.parametrize("result", [1, 0])
def test_the_go_players_scheme_learns_the_winners_move_and_a_drawn_games(result: int) -> None:
    found = targets_of("winner", position(), 2, result, np.random.default_rng(1))
    assert found.tolist() == [0, 0, 1, 0]


def test_the_go_players_scheme_gives_the_loser_another_move_by_the_nets_distribution() -> None:
    rng = np.random.default_rng(1)
    drawn = np.mean([targets_of("winner", position(), 361, -1, rng) for _ in range(6000)], axis=0)
    # Without the move that was played 0.1, 0.2 and 0.3 are left: 1/6, 1/3, 1/2; 5 deviations.
    assert drawn == pytest.approx([1 / 6, 1 / 3, 1 / 2, 0], abs=0.033)


def test_a_loser_without_another_move_or_who_resigned_teaches_no_move() -> None:
    rng = np.random.default_rng(1)
    alone = position(moves=[361], policy=[1.0], priors=[1.0])
    assert targets_of("winner", alone, 361, -1, rng).tolist() == [0]
    assert targets_of("winner", position(), None, -1, rng).tolist() == [0, 0, 0, 0]


def test_surprise_is_the_divergence_from_the_prior() -> None:
    policy = [np.array([0.5, 0.5, 0.0]), np.array([0.2, 0.8])]
    priors = [np.array([0.25, 0.5, 0.25]), np.array([0.2, 0.8])]
    assert surprise(policy, priors) == pytest.approx([0.5 * np.log(2), 0])


def test_full_searches_alone_are_learned_from_and_weigh_one_on_average(
    files: list[tuple[Path, Path]],
) -> None:
    rows, held = lessons(files)
    table = parquet.read(files[0][1])
    assert len(rows) + len(held) == sum(table["is_full"].to_pylist())
    weight = np.concatenate([rows.weight, held.weight])
    assert weight.mean() == pytest.approx(1, abs=1e-5)
    assert weight.min() >= 0.5  # the other half goes by surprise
    even, _ = lessons(files, surprise=0)
    assert set(even.weight.tolist()) == {1.0}


def test_targets_are_the_games_from_the_movers_view(files: list[tuple[Path, Path]]) -> None:
    rows, held = lessons(files)
    games = {game["number"]: game for game in parquet.read(files[0][0]).to_pylist()}
    positions = [row for row in parquet.read(files[0][1]).to_pylist() if row["is_full"]]
    results = []
    for row in positions:
        game, mover = games[row["number"]], 1 if row["ply"] % 2 == 0 else -1
        results.append((game["result"] * mover, game["margin"] * mover))
    found = []
    for part in (rows, held):
        assert part.score is not None
        value = (part.value[:, 0] - part.value[:, 2]).astype(int).tolist()
        found += zip(value, part.score.tolist(), strict=True)
    assert sorted(found) == sorted(results)
    assert rows.owner is not None
    # Owned points and komi give the margin again: area counting.
    black = rows.numbers[:, 0] == 1
    assert rows.score is not None
    komi = np.where(black, -0.5, 0.5)
    assert rows.owner.sum(axis=(1, 2)) + komi == pytest.approx(rows.score)


def test_policies_stand_at_the_labels_of_their_moves(files: list[tuple[Path, Path]]) -> None:
    rows, _ = lessons(files)
    assert rows.policy.sum(axis=1) == pytest.approx(1, abs=1e-5)
    # An occupied point is no move: planes 0 and 1 are the stones of the present position.
    stones = rows.planes[:, :2].sum(axis=1).reshape(len(rows), 25) > 0
    assert not rows.policy[:, :25][stones].any()


def test_held_games_are_whole_games(files: list[tuple[Path, Path]]) -> None:
    rows, held = lessons(files)
    per_game: dict[int, int] = {}
    for row in parquet.read(files[0][1]).to_pylist():
        per_game[row["number"]] = per_game.get(row["number"], 0) + row["is_full"]
    sizes = list(per_game.values())
    sums = {
        sum(size for i, size in enumerate(sizes) if which >> i & 1)
        for which in range(1, 2 ** len(sizes))
    }
    assert len(held) in sums
    assert 0 < len(held) < len(rows)


def test_rows_are_shown_in_symmetries_with_their_targets(files: list[tuple[Path, Path]]) -> None:
    rows, _ = lessons(files)
    plain, _ = lessons(files, symmetries=False)
    index = np.arange(len(rows))
    torch.manual_seed(5)
    batch = rows.take(index)
    torch.manual_seed(5)
    which = torch.randint(8, (len(index),)).numpy()
    assert len(set(which.tolist())) > 1
    known = Symmetries(SHAPE)
    untouched = plain.take(index)
    assert np.array_equal(batch[0], known.change_planes(untouched[0].numpy(), which))
    assert np.array_equal(batch[2], known.change_moves(untouched[2].numpy(), which))
    targets, before = rows.targets(batch), plain.targets(untouched)
    assert targets.ownership is not None
    assert before.ownership is not None
    assert np.array_equal(targets.ownership, known.change_planes(before.ownership.numpy(), which))
    assert torch.equal(targets.value, before.value)


def test_games_of_other_rules_are_refused(files: list[tuple[Path, Path]]) -> None:
    other = GoRules(size=7, komi=0.5, max_plies=30)
    with pytest.raises(ValueError, match="played by other rules"):
        read(files, other, shape_of(other, 2), Learning(), "visits", heads=(False, False), seed=1)


@pytest.mark.parametrize(
    ("drawn", "target"), [(0.0, [0.6, 0.0, 0.4]), (0.5, [0.4, 0.4, 0.2]), (1.0, [0.2, 0.8, 0.0])]
)
def test_the_searchs_value_is_drawn_no_more_often_than_games_are(
    drawn: float, target: list[float]
) -> None:
    # The search's value is 0.2, half of the target; the other half is a won game.
    found = _value(1, 0.2, 0.5, drawn)
    assert found == pytest.approx(0.5 * np.array([1, 0, 0]) + 0.5 * np.array(target))
    assert found[0] - found[2] == pytest.approx(0.6)


def test_games_that_are_all_the_same_are_refused_with_what_to_do(tmp_path: Path) -> None:
    rules = GoRules(size=5, komi=0.5, max_plies=4)
    search = SearchSettings(budget=Budget(simulations=4))
    settings = SelfPlay(search=search, resign=None)
    tables = play_chunk(rules, settings, 2, UniformEvaluator(26), range(3), 1)
    files = [(tmp_path / "games.parquet", tmp_path / "positions.parquet")]
    for path, table in zip(files[0], tables, strict=True):
        parquet.write(table, path)
    with pytest.raises(ValueError, match=r"all games are the same.*draw moves"):
        read(files, rules, shape_of(rules, 2), Learning(), "visits", heads=(False, False), seed=1)
