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

SETTINGS = {"game": "made", "vocabulary": "plain", "strength_spread": 0}


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


def test_each_level_is_drawn_towards_the_next(made):
    positions = played([[0], [0], [1], [3]], [[7], [7], [7], [7]])
    policy = learned(positions, [0, 1, 2])
    # Each of four labels was legal three times, and a quarter of the legal labels was played.
    expected = (np.array([2, 1, 0, 0]) + 50 / 4) / (3 + 50)
    for strength in (100, 12, 5):  # all three contexts counted move 0 twice and move 1 once
        expected = (np.array([2, 1, 0, 0]) + strength * expected) / (3 + strength)
    assert expected.sum() == pytest.approx(1)
    assert told(policy, positions, 3) == pytest.approx(expected, rel=1e-6)
    assert expected[0] == pytest.approx(0.47585, abs=1e-5)


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
    assert p == pytest.approx((np.array([0, 1, 3, 1]) + 50 / 4) / (5 + 50), rel=1e-6)


def test_a_move_counts_by_how_often_it_is_played_where_it_is_legal(made):
    """Move 5 is legal in one position of ten and played there; move 0 is played in three of ten."""
    moves = [0, 0, 0, 1, 1, 2, 2, 3, 3, 5]
    positions = played([[move] for move in [*moves, 0]], [[key] for key in range(11)], legal=4)
    board = positions.board.copy()
    board[9:, 10] = 6
    policy = learned(replace(positions, board=board), list(range(10)))
    rates = (np.array([3, 2, 2, 2, 0, 1]) + 50 * 10 / 42) / (np.array([10] * 4 + [1] * 2) + 50)
    expected = rates / rates.sum()
    counts = np.array([3, 2, 2, 2, 0, 1])
    for strength in (100, 12):
        expected = (counts + strength * expected) / (10 + strength)
    found = told(policy, replace(positions, board=board), 10)
    assert found == pytest.approx(expected, rel=1e-6)
    assert rates[5] > rates[1]


def test_two_last_moves_outweigh_one(made):
    games = [[0, 1, 2], [0, 1, 2], [3, 1, 0], [3, 1, 0], [3, 1, 0], [0, 1, 3]]
    keys = np.arange(18).reshape(6, 3).tolist()
    policy = learned(played(games, keys), list(range(15)))
    p = told(policy, played(games, keys), 17)
    assert int(np.argmax(p)) == 2


def test_the_position_outweighs_the_last_moves(made):
    games = [[0, 1, 2], [0, 1, 2], [3, 2, 3], [2, 0, 3], [0, 1, 3]]
    keys = [[1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 9], [12, 13, 9]]
    policy = learned(played(games, keys), list(range(12)))
    p = told(policy, played(games, keys), 14)
    assert int(np.argmax(p)) == 3


def test_only_training_rows_are_counted(made):
    positions = played([[0], [1], [1], [2]], [[7], [7], [7], [7]])
    assert int(np.argmax(told(learned(positions, [0]), positions, 3))) == 0
    # A count in each of three contexts, four labels that were legal, four strengths.
    assert learned(positions, [0]).n_parameters == 3 + 4 + 4


def test_moves_that_are_not_legal_here_take_no_mass(made):
    positions = played([[5], [5], [0], [0]], [[1], [2], [3], [4]], legal=6)
    few = replace(positions, board=positions.board.copy())
    few.board[3, 10] = 3
    p = told(learned(positions, [0, 1, 2]), few, 3)
    assert len(p) == 3
    expected = (np.array([1, 0, 0]) + 50 / 6) / (1 + 3 * 50 / 6)  # two of three games played 5
    for strength in (100, 12):  # the position is new
        expected = (np.array([1, 0, 0]) + strength * expected) / (1 + strength)
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
    assert loaded.facts == policy.facts
    assert policy.facts == {
        "positions": len(np.unique(positions.key[:40])),
        "strength_position": 5.0,
        "strength_two_moves": 12.0,
        "strength_one_move": 100.0,
        "strength_rates": 50.0,
    }


def held_back(spread: float, seed: int = 0, *, habit: float = 0.0) -> book.BookPolicy:
    """A book of games where each position has a habitual move, played with this probability."""
    rng = np.random.default_rng(seed)
    moves, keys = rng.integers(4, size=(300, 4)), rng.integers(60, size=(300, 4))
    moves = np.where(rng.random(moves.shape) < habit, keys % 4, moves)
    positions = played(moves.tolist(), keys.tolist())
    lesson = Lesson(positions, np.arange(800), np.arange(800, 1200))
    return book.fit(lesson, {**SETTINGS, "strength_spread": spread}, 0)


def test_a_book_of_random_moves_is_hardly_surer_than_chance(made):
    """Positions come up thirteen times, so their most frequent move has a third of the counts."""
    policy = held_back(3.0)
    positions = played([[0]] * 60, [[key] for key in range(60)])
    p = policy.predict(positions, np.arange(60)).p.reshape(60, 4)
    assert p.max(axis=1).mean() < 0.29
    counts = policy.levels[0].counts
    assert counts.max() / 13 > 0.4


def test_habits_of_positions_are_believed(made):
    of_chance, of_habit = (held_back(3.0, habit=habit).strengths for habit in (0.0, 0.9))
    assert of_habit[0] < 2 < 50 < of_chance[0]


def test_strengths_are_the_likeliest_on_validation(made):
    """Against the formula once more: no strength of a level can be moved for the better."""
    spread, rng = 1.0, np.random.default_rng(3)
    moves = rng.integers(4, size=(200, 3))
    moves[rng.random(moves.shape) < 0.4] = 1
    positions = played(moves.tolist(), rng.integers(30, size=moves.shape).tolist())
    held = np.arange(450, 600)
    lesson = Lesson(positions, np.arange(450), held)
    policy = book.fit(lesson, {**SETTINGS, "strength_spread": spread}, 0)
    middle = np.array([5, 12, 100, 50])

    def loss(strengths: np.ndarray) -> float:
        told = replace(policy, strengths=tuple(strengths)).predict(positions, held).p
        p = told.reshape(-1, 4)[np.arange(len(held)), positions.move[held]].astype(np.float64)
        return -np.log(p).sum() + np.square(np.log(strengths / middle) / spread).sum() / 2

    best = np.array(policy.strengths)
    assert loss(best) < loss(middle)
    for level in range(3):
        for factor in (0.8, 1.25):
            moved = best.copy()
            moved[level] *= factor
            assert loss(moved) > loss(best)


def test_of_many_validation_positions_every_so_many_decide(made, monkeypatch):
    rng = np.random.default_rng(5)
    positions = played(
        rng.integers(4, size=(200, 3)).tolist(), np.tile([1, 2, 3], (200, 1)).tolist()
    )
    settings = {**SETTINGS, "strength_spread": 1.0}
    train, held = np.arange(300), np.arange(300, 600)
    third = book.fit(Lesson(positions, train, held[::3]), settings, 0)
    whole = book.fit(Lesson(positions, train, held), settings, 0)
    monkeypatch.setattr(book, "_ENOUGH", 149)
    assert book.fit(Lesson(positions, train, held), settings, 0).strengths == third.strengths
    assert third.strengths != whole.strengths


def test_no_rows_have_no_distribution(made):
    positions = played([[0], [0]], [[1], [2]])
    found = learned(positions, [0]).predict(positions, np.array([], np.intp))
    assert found.offsets.tolist() == [0]
    assert len(found.p) == 0
