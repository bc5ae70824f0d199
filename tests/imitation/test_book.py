"""The book: the formula by hand, its levels, and that it is the same when read back."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tabia.imitation.models import book
from tabia.imitation.policy import Lesson
from tabia.imitation.positions import Positions
from tests.imitation.made_game import made, made_positions
from tests.imitation.random_games import random_positions

__all__ = ["made"]

SETTINGS = {"game": "made", "vocabulary": "plain", "discount": 0.5}


def played(moves: list[list[int]], keys: list[list[int]], legal: int = 4) -> Positions:
    """Games of these moves from positions with these keys."""
    positions = made_positions([len(game) for game in moves], legal=legal)
    return replace(
        positions,
        move=np.array([move for game in moves for move in game], np.uint16),
        key=np.array([key for game in keys for key in game], np.uint64),
    )


def learned(positions: Positions, train: list[int], **more: object) -> book.BookPolicy:
    lesson = Lesson(positions, np.array(train), np.array([], np.intp))
    return book.fit(lesson, {**SETTINGS, **more}, 0)


def told(policy: book.BookPolicy, positions: Positions, row: int) -> list[float]:
    return policy.predict(positions, np.array([row])).p.tolist()


def test_each_level_is_discounted_and_leaves_the_rest_to_the_next(made):
    positions = played([[0], [0], [1], [3]], [[7], [7], [7], [7]])
    policy = learned(positions, [0, 1, 2])
    expected = np.full(4, 1 / 4)
    for _ in range(4):  # all four levels counted move 0 twice and move 1 once
        expected = (np.array([1.5, 0.5, 0, 0]) + 0.5 * 2 * expected) / 3
    assert told(policy, positions, 3) == pytest.approx(expected, rel=1e-6)
    assert expected[0] == pytest.approx(0.74383, abs=1e-5)


def test_a_new_position_is_answered_as_the_last_move_was(made):
    positions = played([[2, 3], [2, 3], [2, 1]], [[1, 2], [3, 4], [5, 6]])
    policy = learned(positions, [0, 1, 2, 3])
    p = told(policy, positions, 5)
    assert int(np.argmax(p)) == 3
    assert not policy.knows(positions, np.array([5]))[0]


def test_a_new_move_is_answered_by_how_often_moves_are_played(made):
    positions = played([[2, 3], [2, 1], [2], [0, 1]], [[1, 2], [3, 4], [5], [6, 7]])
    policy = learned(positions, [0, 1, 2, 3, 4])
    p = told(policy, positions, 6)  # after move 0, which nobody played
    overall = np.array([0, 1, 3, 1])
    kept = np.maximum(overall - 0.5, 0)
    expected = (kept + 0.5 * 3 * np.full(4, 1 / 4)) / 5
    assert p == pytest.approx(expected, rel=1e-6)


def test_two_last_moves_outweigh_one(made):
    games = [[0, 1, 2], [0, 1, 2], [3, 1, 0], [3, 1, 0], [3, 1, 0], [0, 1, 3]]
    keys = np.arange(18).reshape(6, 3).tolist()
    policy = learned(played(games, keys), list(range(15)))
    p = told(policy, played(games, keys), 17)
    assert int(np.argmax(p)) == 2


def test_the_position_outweighs_the_last_moves(made):
    games = [[0, 1, 2], [0, 1, 2], [3, 2, 3], [0, 1, 3]]
    keys = [[1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 9]]
    policy = learned(played(games, keys), list(range(9)), discount=0.1)
    p = told(policy, played(games, keys), 11)
    assert int(np.argmax(p)) == 3


def test_only_training_rows_are_counted(made):
    positions = played([[0], [1], [1], [2]], [[7], [7], [7], [7]])
    assert int(np.argmax(told(learned(positions, [0]), positions, 3))) == 0
    assert learned(positions, [0]).n_parameters == 4


def test_moves_that_are_not_legal_here_take_no_mass(made):
    positions = played([[5], [5], [0], [0]], [[1], [2], [3], [4]], legal=6)
    few = replace(positions, board=positions.board.copy())
    few.board[3, 10] = 3
    p = told(learned(positions, [0, 1, 2]), few, 3)
    assert len(p) == 3
    expected = np.full(3, 1 / 3)
    for _ in range(3):
        expected = (np.array([0.5, 0, 0]) + 0.5 * expected) / 1
    assert p == pytest.approx(expected, rel=1e-6)


def test_moves_of_one_label_share_its_mass(made):
    positions = played([[2], [3], [0]], [[1], [2], [3]])
    p = told(learned(positions, [0, 1], vocabulary="shared"), positions, 2)
    assert p[2] == p[3] > p[0] == p[1]
    assert sum(p) == pytest.approx(1)


def test_without_training_rows_in_a_context_all_moves_are_alike(made):
    positions = played([[5], [0]], [[1], [2]], legal=6)
    few = replace(positions, board=positions.board.copy())
    few.board[1, 10] = 4
    assert told(learned(positions, [0]), few, 1) == [0.25] * 4


@pytest.mark.parametrize(
    ("game", "vocabulary"), [("xiangqi", "relative"), ("xiangqi", "from_to"), ("chess", "from_to")]
)
def test_the_book_gives_distributions_in_real_games(tmp_path, game, vocabulary):
    positions = random_positions(tmp_path, game, [20, 20, 20, 20])
    policy = learned(positions, list(range(60)), game=game, vocabulary=vocabulary)
    found = policy.predict(positions, np.arange(80))
    totals = np.add.reduceat(found.p.astype(np.float64), found.offsets[:-1])
    assert totals == pytest.approx(1, abs=1e-6)
    assert found.p.min() > 0


def test_a_book_read_back_predicts_the_same_and_is_the_same_file(tmp_path):
    positions = random_positions(tmp_path, "xiangqi", [20, 20, 20])
    policy = learned(positions, list(range(40)), game="xiangqi", vocabulary="relative")
    again = learned(positions, list(range(40)), game="xiangqi", vocabulary="relative")
    for name, own in (("a", policy), ("b", again)):
        (tmp_path / name).mkdir()
        own.save(tmp_path / name)
    files = [tmp_path / name / "book.safetensors" for name in "ab"]
    assert files[0].read_bytes() == files[1].read_bytes()
    rows = np.arange(60)
    loaded = book.load(tmp_path / "a")
    assert np.array_equal(loaded.predict(positions, rows).p, policy.predict(positions, rows).p)
    assert loaded.facts == policy.facts == {"positions": len(np.unique(positions.key[:40]))}


def test_no_rows_have_no_distribution(made):
    positions = played([[0], [0]], [[1], [2]])
    found = learned(positions, [0]).predict(positions, np.array([], np.intp))
    assert found.offsets.tolist() == [0]
    assert len(found.p) == 0
