"""The boosted ranker: its temperature, what it can learn, that it is the same when read back."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tabia._native.xiangqi_board import Board
from tabia.imitation.models import lightgbm
from tabia.imitation.policy import Lesson
from tabia.imitation.positions import NO_ELO, Positions
from tests.imitation.random_games import random_positions, sampled

SETTINGS = {
    "game": "xiangqi",
    "vocabulary": "relative",
    "trees": 15,
    "leaves": 8,
    "min_leaf": 5,
    "learning_rate": 0.3,
    "stop_after": 5,
}


def takers(folder, count: int, plies: int) -> Positions:
    """Games in which whoever can take something does; other moves are drawn."""
    rows: list[dict[str, object]] = []
    for seed in range(count):
        rng, board = np.random.default_rng(seed), Board()
        moves: list[int] = []
        while len(moves) < plies and (legal := board.legal_moves()):
            pieces = board.piece_codes()
            takes = [code for code in legal if pieces[code % 90]]
            moves.append(int(rng.choice(takes or legal)))
            board.push(moves[-1])
        rows.append({"moves": moves})
    return Positions.read(sampled(folder, "xiangqi", rows))


@pytest.fixture(scope="module")
def positions(tmp_path_factory: pytest.TempPathFactory) -> Positions:
    return takers(tmp_path_factory.mktemp("takers"), 12, 30)


def split(positions: Positions) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    games = np.unique(positions.game_id)
    of = np.searchsorted(games, positions.game_id)
    parts = np.flatnonzero(of < 8), np.flatnonzero((of >= 8) & (of < 10)), np.flatnonzero(of >= 10)
    return parts[0], parts[1], parts[2]


@pytest.fixture(scope="module")
def ranker(positions: Positions) -> lightgbm.Ranker:
    train, validation, _ = split(positions)
    return lightgbm.fit(Lesson(positions, train, validation), SETTINGS, 3)


def test_scores_are_sharpened_until_they_are_as_likely_as_can_be():
    rng = np.random.default_rng(1)
    scores = rng.normal(size=(4000, 5))
    p = np.exp(2.5 * scores)
    p /= p.sum(1, keepdims=True)
    played = (rng.random(4000)[:, None] > p.cumsum(1)).sum(1)
    offsets = 5 * np.arange(4001)
    target = lightgbm._Target(offsets[:-1] + played, offsets)
    sharpness, nll = target.sharpest(scores.ravel())
    assert sharpness == pytest.approx(2.5, rel=0.05)
    assert nll == pytest.approx(target.nll(sharpness * scores.ravel()))
    assert nll < min(target.nll(f * sharpness * scores.ravel()) for f in (0.98, 1.02))
    assert target.measure(scores.ravel(), None) == ("nll", nll, False)


def test_likelihood_is_that_of_a_softmax_in_each_position():
    target = lightgbm._Target(np.array([1, 4]), np.array([0, 3, 5]))
    scores = np.log([1.0, 2.0, 1.0, 1.0, 3.0])
    assert target.nll(scores) == pytest.approx(-(np.log(2 / 4) + np.log(3 / 4)) / 2)


def test_it_learns_that_people_take_what_they_can(positions, ranker):
    _, _, test = split(positions)
    codes, offsets = positions.legal_of(test)
    p = ranker.predict(positions, test).p
    pieces = positions.view.pieces(positions.board[test])
    row = np.repeat(np.arange(len(test)), np.diff(offsets))
    takes = pieces[row, positions.view.squares(codes, positions.black[test][row]).end] > 0
    can = np.bincount(row, takes) > 0
    mass = np.bincount(row, p * takes)
    assert can.sum() > 20
    assert mass[can].mean() > 0.85


def test_it_gives_a_distribution_in_every_position(positions, ranker):
    found = ranker.predict(positions, np.arange(len(positions)))
    totals = np.add.reduceat(found.p.astype(np.float64), found.offsets[:-1])
    assert totals == pytest.approx(1, abs=1e-6)
    assert len(ranker.predict(positions, np.array([], np.intp)).p) == 0


def test_a_ranker_read_back_predicts_the_same_and_trains_to_the_same_files(
    positions, ranker, tmp_path
):
    train, validation, test = split(positions)
    again = lightgbm.fit(Lesson(positions, train, validation), SETTINGS, 3)
    for name, own in (("a", ranker), ("b", again)):
        (tmp_path / name).mkdir()
        own.save(tmp_path / name)
    for file in ("model.txt", "rates.safetensors", "ranker.json"):
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()
    loaded = lightgbm.load(tmp_path / "a")
    assert np.array_equal(loaded.predict(positions, test).p, ranker.predict(positions, test).p)
    assert loaded.facts == ranker.facts
    assert loaded.n_parameters == ranker.n_parameters > 0


def test_an_unknown_player_is_a_mean_one_and_not_the_weakest(positions):
    train, validation, test = split(positions)
    elo = np.where(positions.game_id % 2 == 0, 1400, 1000).astype(np.int32)
    own = replace(positions, mover_elo=elo, other_elo=elo)
    ranker = lightgbm.fit(Lesson(own, train, validation), SETTINGS, 3)
    assert ranker.elo == pytest.approx(elo[train].mean())
    unknown = replace(own, mover_elo=np.where(elo == 1000, NO_ELO, elo))
    moves = lightgbm.Moves.of(unknown, test)
    rates = np.zeros((len(moves.row), len(lightgbm.RATE_NAMES)), np.float32)
    seen = lightgbm._matrix(unknown, test, moves, rates, ranker.elo)
    column = {name: seen[:, place] for place, name in enumerate(lightgbm._names(own.view))}
    expected = np.where(elo[test] == 1000, ranker.elo, elo[test])[moves.row]
    assert column["mover_elo"] == pytest.approx(expected)
    assert np.array_equal(column["other_elo"], elo[test][moves.row])
    assert np.array_equal(column["ply"], own.ply[test][moves.row])


def test_rows_are_predicted_alike_one_by_one_and_together(positions, ranker):
    rows = np.array([3, 40, 41, 90])
    together = ranker.predict(positions, rows).p
    single = [ranker.predict(positions, rows[place : place + 1]).p for place in range(4)]
    assert np.array_equal(together, np.concatenate(single))


def test_it_stops_where_validation_is_best(positions):
    train, validation, _ = split(positions)
    settings = {**SETTINGS, "trees": 200, "stop_after": 3}
    ranker = lightgbm.fit(Lesson(positions, train, validation), settings, 3)
    assert 1 <= ranker.facts["trees"] < 200


def test_training_positions_are_drawn_by_whole_games(positions):
    index = np.arange(len(positions))
    drawn = lightgbm._drawn(positions, index, 100)
    assert len(drawn) <= 100
    kept = np.unique(positions.game_id[drawn])
    assert len(kept) == 3
    assert np.array_equal(drawn, np.flatnonzero(np.isin(positions.game_id, kept)))
    assert lightgbm._drawn(positions, index, None) is index


def test_a_model_of_other_features_is_refused(positions, ranker, monkeypatch):
    view = positions.view
    monkeypatch.setattr(type(view), "feature_names", (*view.feature_names[:-1], "colour"))
    with pytest.raises(lightgbm.FeaturesError, match=r"colour.*train it again"):
        ranker.predict(positions, np.array([0]))


def test_chess_is_ranked_by_the_same_code(tmp_path):
    positions = random_positions(tmp_path, "chess", [20] * 6)
    lesson = Lesson(positions, np.arange(80), np.arange(80, 100))
    settings = {**SETTINGS, "game": "chess", "vocabulary": "from_to", "trees": 3}
    found = lightgbm.fit(lesson, settings, 1).predict(positions, np.arange(100, 120))
    totals = np.add.reduceat(found.p.astype(np.float64), found.offsets[:-1])
    assert totals == pytest.approx(1, abs=1e-6)
