"""The one net: its inputs, what it can learn, and that it is the same when read back."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
import torch

from tabia.imitation import pretrain
from tabia.imitation.models import one_net
from tabia.imitation.net_inputs import Shown
from tabia.imitation.policy import Lesson
from tabia.imitation.positions import NO_MOVE, Positions
from tabia.tables.spec import Spec
from tests.imitation.random_games import random_moves, random_positions, sampled

GAMES = ["chess", "xiangqi"]
SETTINGS = {
    "channels": 8,
    "blocks": 1,
    "memory": 2,
    "fine_tuning": {"epochs": 1, "batch": 16, "learning_rate": 0.01, "threads": 1},
}


def lesson(positions: Positions, **more: object) -> Lesson:
    count = len(positions)
    train, held = np.arange(0, count - 6), np.arange(count - 6, count)
    return Lesson(positions=positions, train=train, validation=held, **more)  # type: ignore[arg-type]


def many(epochs: int) -> dict[str, object]:
    training = {**SETTINGS["fine_tuning"], "epochs": epochs, "stop_after": epochs}  # type: ignore[dict-item]
    return {**SETTINGS, "fine_tuning": training}


@pytest.mark.parametrize("game", GAMES)
def test_a_batch_holds_the_position_its_moves_and_the_one_played(tmp_path, game):
    positions = random_positions(tmp_path, game, [12])
    rows = Shown(positions, np.arange(12), memory=2)
    planes, numbers, start, end, label, is_move, played, result = rows.take(np.array([0, 5, 11]))
    view = positions.view
    assert planes.shape == (3, rows.shape.n_planes, view.rows, view.columns)
    assert numbers.shape == (3, rows.shape.n_numbers)
    for place, row in enumerate((0, 5, 11)):
        codes, _ = positions.legal_of(np.array([row]))
        count = len(codes)
        assert is_move[place].sum() == count
        moves = view.squares(codes, np.repeat(positions.black[row], count))
        assert start[place, :count].tolist() == moves.start.tolist()
        assert end[place, :count].tolist() == moves.end.tolist()
        board = np.repeat(positions.board[row : row + 1], count, axis=0)
        labels = view.vocabularies["from_to"].indices(board, codes)
        assert label[place, :count].tolist() == labels.tolist()
        assert codes[played[place]] == positions.move[row]
        pieces = view.pieces(positions.board[row : row + 1])[0]
        shown = planes[place, : 2 * view.n_kinds].flatten(1)
        assert int(shown.sum()) == (pieces > 0).sum()
        assert all(shown[kind - 1, square] == 1 for square, kind in enumerate(pieces) if kind)
    assert result.tolist() == [2, 0, 0]  # the first player won, and moves at even plies


def test_the_last_moves_are_planes_from_the_movers_view(tmp_path):
    positions = random_positions(tmp_path, "xiangqi", [4])
    planes = Shown(positions, np.arange(4), memory=2).take(np.array([0, 1, 3]))[0].flatten(2)
    first = 2 * positions.view.n_kinds
    assert planes[0, first : first + 4].sum() == 0
    assert planes[1, first : first + 4].sum(1).tolist() == [1, 1, 0, 0]
    before = positions.previous_moves(np.array([3]), 2)[0]
    black = bool(positions.black[3])
    for half, code in enumerate(before):
        assert code != NO_MOVE
        ends = (code // 90, code % 90)
        for which, square in enumerate(ends):
            seen = 89 - square if black else square
            assert planes[2, first + 2 * half + which, seen] == 1


def test_both_elos_are_inputs_and_unknown_ones_are_marked(tmp_path):
    rows = [{"moves": random_moves("xiangqi", 2, 1), "second_elo": None, "first_elo": 1900}]
    positions = Positions.read(sampled(tmp_path, "xiangqi", rows, rated=False))
    numbers = Shown(positions, np.arange(2), memory=0).take(np.arange(2))[1]
    assert numbers[0, :4].tolist() == [1.0, 1.0, 0.0, 0.0]
    assert numbers[1, :4].tolist() == [0.0, 0.0, 1.0, 1.0]


@pytest.mark.parametrize("game", GAMES)
def test_predictions_are_distributions_and_survive_saving(tmp_path, game):
    positions = random_positions(tmp_path, game, [20, 14])
    policy = one_net.fit(lesson(positions), SETTINGS, 1)
    index = np.array([3, 0, 33])
    found = policy.predict(positions, index)
    _, offsets = positions.legal_of(index)
    assert np.array_equal(found.offsets, offsets)
    assert np.allclose(np.add.reduceat(found.p, offsets[:-1]), 1, atol=1e-5)
    assert found.result is not None
    assert np.allclose(found.result.sum(axis=1), 1, atol=1e-5)
    (tmp_path / "model").mkdir()
    policy.save(tmp_path / "model")
    again = one_net.load(tmp_path / "model")
    assert np.array_equal(again.predict(positions, index).p, found.p)
    assert again.n_parameters == policy.n_parameters
    assert again.facts == policy.facts


def test_equal_seeds_give_equal_weights_and_others_do_not(tmp_path):
    positions = random_positions(tmp_path, "xiangqi", [20])
    first, again, other = (one_net.fit(lesson(positions), SETTINGS, seed) for seed in (1, 1, 2))
    weights = [policy.net.state_dict()["inputs.weight"] for policy in (first, again, other)]
    assert torch.equal(weights[0], weights[1])
    assert not torch.equal(weights[0], weights[2])


def test_it_learns_a_few_games_by_heart(tmp_path):
    positions = random_positions(tmp_path, "xiangqi", [18, 18])
    rows = np.arange(len(positions))
    policy = one_net.fit(Lesson(positions, rows, rows), {**many(60), "channels": 16}, 1)
    found = policy.predict(positions, rows)
    codes, offsets = positions.legal_of(rows)
    likeliest = [codes[a + found.p[a:b].argmax()] for a, b in pairwise(offsets)]
    assert (np.array(likeliest) == positions.move).mean() > 0.9


def test_the_elo_of_the_mover_changes_what_is_predicted(tmp_path):
    """Two games that differ in the mover's Elo and in the answer: only the Elo tells them apart."""
    opening = random_moves("xiangqi", 6, 4)
    board_moves = [[*opening[:-1]], [*opening[:-1]]]
    last = random_positions(tmp_path, "xiangqi", [6], 4)
    legal = last.legal_of(np.array([5]))[0]
    board_moves[0].append(int(legal[0]))
    board_moves[1].append(int(legal[-1]))
    rows = [
        {"moves": moves, "first_elo": elo, "second_elo": elo, "split_hash": place}
        for place, (moves, elo) in enumerate(zip(board_moves, (1000, 2000), strict=True))
    ]
    positions = Positions.read(sampled(tmp_path, "xiangqi", rows))
    index = np.flatnonzero(positions.ply == 5)
    policy = one_net.fit(Lesson(positions, index, index), many(120), 1)
    found = policy.predict(positions, index)
    low, high = found.p[: len(legal)], found.p[len(legal) :]
    assert low.argmax() == 0
    assert high.argmax() == len(legal) - 1


def spec(settings: dict[str, object]) -> Spec:
    return Spec("imitation.pretrain", "m", {"game": "xiangqi"}, {"seed": 1, "settings": settings})


def test_pretraining_leaves_out_rated_games_and_gives_a_start_to_fine_tuning(tmp_path):
    (tmp_path / "rated").mkdir()
    (tmp_path / "unrated").mkdir()
    moves = [random_moves("xiangqi", 14, seed) for seed in range(4)]
    rows = [{"moves": one, "split_hash": 10 + place} for place, one in enumerate(moves)]
    rated = sampled(tmp_path / "rated", "xiangqi", rows[:1])
    unrated = sampled(tmp_path / "unrated", "xiangqi", rows, rated=False)
    settings = {**SETTINGS, "pretraining": SETTINGS["fine_tuning"]}
    pretrain.run(
        spec(settings),
        unrated=unrated,
        samples=rated,
        state=tmp_path / "state",
        model=tmp_path / "model",
    )
    assert sorted(file.name for file in (tmp_path / "model").iterdir()) == [
        "net.json",
        "weights.safetensors",
    ]
    assert not list((tmp_path / "state").glob("*"))
    positions = Positions.read(rated)
    policy = one_net.fit(lesson(positions, pretrained=tmp_path / "model"), SETTINGS, 1)
    assert policy.facts["began_with"] == "unrated games"


def test_pretraining_on_rated_games_alone_is_refused(tmp_path):
    rated = sampled(tmp_path, "xiangqi", [{"moves": random_moves("xiangqi", 8, 1)}])
    with pytest.raises(pretrain.PretrainError, match="not among the rated ones"):
        pretrain.run(
            spec(SETTINGS), unrated=rated, samples=rated, state=tmp_path, model=tmp_path / "m"
        )


def test_a_limit_of_positions_takes_whole_games(tmp_path):
    positions = random_positions(tmp_path, "xiangqi", [10, 10, 10])
    some = pretrain._some(positions, np.arange(30), 25)
    assert len(some) == 20
    assert all(
        len(np.flatnonzero(positions.game_id[some] == g)) == 10
        for g in np.unique(positions.game_id[some])
    )
    assert len(pretrain._some(positions, np.arange(30), 30)) == 30
