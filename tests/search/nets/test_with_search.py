"""Nets in the native search: its encoder's planes, its labels, its evaluator."""

from __future__ import annotations

import numpy as np
import pytest

from tabia._native.mcts import Searcher
from tabia.games.xiangqi_moves import from_to_indices
from tabia.search.config import Budget, GoRules, SearchSettings
from tabia.search.evaluator import UniformEvaluator
from tabia.search.nets.config import search_shape
from tabia.search.nets.evaluators import OnnxEvaluator, TorchEvaluator
from tabia.search.nets.inputs import split
from tabia.search.nets.onnx_file import export
from tabia.search.nets.symmetry import Symmetries
from tabia.search.run import run
from tabia.search.trees import Trees
from tests.search.nets.made import made

SIZE = 5
HISTORY = 3


def random_moves(game: str, plies: int, seed: int) -> list[int]:
    rng = np.random.default_rng(seed)
    searcher = Searcher(game, 1, size=SIZE)
    moves: list[int] = []
    while len(moves) < plies and (legal := searcher.legal_moves(0)):
        moves.append(int(legal[rng.integers(len(legal))]))
        searcher.play(0, moves[-1])
    return moves


@pytest.mark.parametrize("history", [1, 4])
@pytest.mark.parametrize("game", ["chess", "xiangqi", "go"])
def test_shapes_are_those_of_the_encoder_and_of_its_labels(game, history):
    searcher = Searcher(game, 1, history=history, size=9)
    shape = search_shape(game, history=history, size=9)
    assert searcher.shape == (shape.encoded_planes, shape.rows, shape.columns)
    assert searcher.labels == shape.moves


@pytest.mark.parametrize("game", ["chess", "xiangqi", "go"])
def test_planes_that_become_numbers_are_constant_and_some_others_are_not(game):
    shape = search_shape(game, history=HISTORY, size=SIZE)
    searcher = Searcher(game, 1, history=HISTORY, size=SIZE)
    varies = np.zeros(shape.encoded_planes, bool)
    for seed in range(4):
        searcher.reset(0)
        for move in random_moves(game, 30, seed):
            searcher.play(0, move)
            planes = searcher.encode(0)
            varies |= planes.max((1, 2)) != planes.min((1, 2))
            numbers = split(planes[None], shape)[1][0]
            np.testing.assert_array_equal(numbers, planes[list(shape.number_planes), -1, -1])
    assert not varies[list(shape.number_planes)].any()
    assert varies.sum() > shape.planes / 2


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("game", ["xiangqi", "go"])
def test_a_changed_game_is_encoded_as_the_changed_planes(game, seed):
    shape = search_shape(game, history=HISTORY, size=SIZE, numbers_apart=False)
    group = Symmetries(shape)
    searcher = Searcher(game, 2, history=HISTORY, size=SIZE)
    which = np.array([1 + (seed * 3) % (len(group) - 1)])
    goes_to = np.argsort(group.moves[which[0]])
    for move in random_moves(game, 30, seed):
        searcher.play(0, move)
        searcher.play(1, changed_move(game, move, goes_to, group, which[0]))
        planes = searcher.encode(0)[None]
        np.testing.assert_array_equal(group.change_planes(planes, which)[0], searcher.encode(1))
        masks = np.zeros((2, shape.moves), np.float32)
        for slot in (0, 1):
            masks[slot, labels(game, searcher, slot)] = 1
        np.testing.assert_array_equal(group.change_moves(masks[:1], which)[0], masks[1])


def changed_move(game: str, move: int, goes_to, group: Symmetries, which: int) -> int:
    if game == "go":
        label = SIZE**2 if move == 361 else SIZE * (move // 19) + move % 19
        label = int(goes_to[label])
        return 361 if label == SIZE**2 else 19 * (label // SIZE) + label % SIZE
    start, end = divmod(move, 90)
    points = group.points[which]
    return int(90 * points[start] + points[end])


def labels(game: str, searcher: Searcher, slot: int) -> list[int]:
    if game == "go":
        codes = searcher.legal_moves(slot)
        return [SIZE**2 if code == 361 else SIZE * (code // 19) + code % 19 for code in codes]
    codes = np.array(searcher.legal_moves(slot))
    black = searcher.root(slot)[3] == 1
    return list(from_to_indices(91 * 89 - codes if black else codes))


def searched(evaluator, games: list[list[int]], batch: int = 16) -> list[list[int]]:
    rules = GoRules(size=SIZE, komi=0.5)
    settings = SearchSettings(budget=Budget(simulations=40))
    trees = Trees(rules, settings, len(games))
    for slot, moves in enumerate(games):
        trees.reset(slot, moves=moves)
        trees.begin(slot, seed=slot)
    run(trees, evaluator, batch=batch)
    found = []
    for slot in range(len(games)):
        root = trees.root(slot)
        found.append([int(root.visits[place]) for place in np.argsort(root.moves)])
    return found


def test_nets_guide_a_search_and_games_beside_it_change_nothing(tmp_path):
    net = made("all_heads", search_shape("go", size=SIZE))
    export(net, tmp_path / "net.onnx")
    games = [random_moves("go", plies, plies) for plies in (0, 3, 4, 7, 8)]
    for evaluator in (
        OnnxEvaluator(tmp_path / "net.onnx", batch=8),
        TorchEvaluator(net, batch=8),
    ):
        together = searched(evaluator, games)
        assert [sum(visits) for visits in together] == [40] * 5
        assert together != searched(UniformEvaluator(SIZE**2 + 1), games)
        for game, visits in zip(games, together, strict=True):
            assert searched(evaluator, [game], batch=4) == [visits]
