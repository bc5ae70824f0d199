"""Go in the chapter: samples of one size of board, and models that learn from them."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pydantic import ValidationError

from tabia._native.go_board import PASS, Board
from tabia.imitation import samples
from tabia.imitation.agent import ImitationAgent, ImitationSettings
from tabia.imitation.config import Imitation
from tabia.imitation.imitator import Imitator, Line
from tabia.imitation.models import book, lightgbm, resnet, xqsv
from tabia.imitation.policy import Lesson
from tabia.imitation.positions import Positions, view_of
from tabia.imitation.samples import SamplesError
from tabia.match.ground import Ground
from tabia.match.openings import Opening
from tabia.match.play import play
from tabia.tables import parquet
from tabia.tables.spec import Spec
from tests.imitation.random_games import games_table

EMPTY = {size: Board(size=size).fen() for size in (5, 9)}


def played(seed: int, plies: int, size: int = 5) -> list[int]:
    """Who can, plays beside the move before; other moves are drawn. Two passes end a game."""
    rng, board, moves = random.Random(seed), Board(size=size, ko="simple"), []
    while len(moves) < plies:
        legal = board.legal_moves()[:-1]
        beside = [code for code in legal if moves and abs(code - moves[-1]) in (1, 19)]
        moves.append(rng.choice(beside or legal or [PASS]))
        board.push(moves[-1])
    return [*moves, PASS, PASS]


def table(folder: Path, rows: list[dict[str, object]], size: int) -> Path:
    sizes = pa.array([row.pop("size", 5) for row in rows], pa.int16())
    games = games_table(rows).append_column("board_size", sizes)
    parquet.write(games, folder / "games.parquet")
    config = {"game": "go", "rated": True, "game_share": 1.0, "board_size": size}
    spec = Spec("imitation.samples", "m", {"game": "go"}, config)
    samples.run(spec, games=[folder / "games.parquet"], samples=folder / "samples.parquet")
    return folder / "samples.parquet"


def game(seed: int, plies: int = 16, size: int = 5) -> dict[str, object]:
    return {"moves": played(seed, plies, size), "start_fen": EMPTY[size], "size": size}


@pytest.fixture(scope="module")
def positions(tmp_path_factory: pytest.TempPathFactory) -> Positions:
    folder = tmp_path_factory.mktemp("go")
    return Positions.read(table(folder, [game(seed) for seed in range(14)], 5))


def lesson(positions: Positions) -> tuple[Lesson, np.ndarray]:
    games = np.unique(positions.game_id)
    of = np.searchsorted(games, positions.game_id)
    parts = [
        np.flatnonzero(of < 10),
        np.flatnonzero((of == 10) | (of == 11)),
        np.flatnonzero(of > 11),
    ]
    return Lesson(positions, parts[0], parts[1]), parts[2]


def test_samples_are_of_one_size_and_the_others_are_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [game(1), game(2, size=9), game(3)]
    found = Positions.read(table(tmp_path, rows, 5))
    assert set(found.board[:, 0]) == {5}
    assert len(found) == 2 * 18
    assert "1 of 3 games are on boards of other sizes than 5 and are left out" in (
        capsys.readouterr().err
    )
    with pytest.raises(SamplesError, match="no accepted go game"):
        table(tmp_path, [game(1)], 19)


def test_black_is_the_first_player_also_where_white_begins(tmp_path: Path) -> None:
    fen = "5/1X1X1/5/5/5 w - 0 0 0"
    rows = [{"moves": [0, 1], "start_fen": fen, "result": 1}]
    found = Positions.read(table(tmp_path, rows, 5))
    assert found.black.tolist() == [True, False]
    assert found.mover_elo.tolist() == [1320, 1210]
    assert found.result.tolist() == [-1, 1]


def test_every_move_that_was_played_is_legal(positions: Positions) -> None:
    for row in range(len(positions)):
        codes, _ = positions.legal_of(np.array([row]))
        assert positions.move[row] in codes
    assert (positions.move == PASS).sum() == 28


@pytest.mark.parametrize("module", [book, lightgbm])
def test_models_learn_what_players_do(module, positions: Positions, tmp_path: Path) -> None:
    given, test = lesson(positions)
    settings = {"vocabulary": "from_to", "trees": 30, "leaves": 8, "min_leaf": 5}
    settings |= {"learning_rate": 0.3, "stop_after": 10}
    policy = module.fit(given, settings, 1)
    found = policy.predict(positions, test)
    codes, offsets = positions.legal_of(test)
    p = found.p[codes == np.repeat(positions.move[test], np.diff(offsets))]
    assert len(p) == len(test)
    chance = -np.log(np.diff(offsets)).mean()
    assert np.log(p).mean() > chance + (0.5 if module is lightgbm else -0.2)
    policy.save(tmp_path)
    again = module.load(tmp_path).predict(positions, test)
    assert again.p.tolist() == found.p.tolist()


@pytest.mark.parametrize("module", [xqsv, resnet])
def test_nets_give_every_legal_move_a_probability(module, positions: Positions) -> None:
    given, test = lesson(positions)
    small = {"rnn_hidden": 8} if module is xqsv else {"channels": 4, "blocks": 1}
    settings = {"vocabulary": "from_to", "default": small, "training": {"epochs": 1}}
    found = module.fit(given, settings, 1).predict(positions, test)
    assert (found.p > 0).all()
    sums = np.add.reduceat(found.p, found.offsets[:-1])
    assert np.allclose(sums, 1, atol=1e-4)


def test_the_one_net_sees_go(positions: Positions) -> None:
    from tabia.imitation.models import one_net

    given, test = lesson(positions)
    settings = {"channels": 8, "blocks": 2, "memory": 2, "fine_tuning": {"epochs": 1}}
    found = one_net.fit(given, settings, 1).predict(positions, test)
    assert np.allclose(np.add.reduceat(found.p, found.offsets[:-1]), 1, atol=1e-4)


def test_both_players_see_one_board() -> None:
    view = view_of("go")
    packed = np.frombuffer(Board("5/1X3/5/3O1/5 b", size=5).packed(), np.uint8)[None]
    pieces = view.pieces(packed)
    other = resnet.other_side(view, pieces)
    assert np.flatnonzero(other == 2).tolist() == np.flatnonzero(pieces == 1).tolist() == [20]
    assert np.flatnonzero(other == 1).tolist() == np.flatnonzero(pieces == 2).tolist() == [60]


@pytest.mark.parametrize("fen", [None, EMPTY[5], "5/1X3/5/5/5 w - 0 0 0"])
def test_an_imitator_is_asked_about_any_board(positions: Positions, fen: str | None) -> None:
    given, _ = lesson(positions)
    policy = book.fit(given, {"vocabulary": "from_to"}, 1)
    imitator = Imitator({"game": "go", "bin": "all"}, policy, Path())
    codes, p, _ = imitator.next_move(Line(fen, [0, 1], 1200, 1300))
    points = 361 if fen is None else 25
    assert len(codes) == points - 2 + 1 - (fen is not None and "X" in fen)
    assert p.sum() == pytest.approx(1)


def test_go_is_configured_with_a_size_of_board() -> None:
    settings = {"rated": ["kgs"], "elo_bins": {"low": 1000, "high": 1400}, "models": {"book": {}}}
    section = Imitation.model_validate({"go": settings})
    assert section.go is not None
    assert section.go.board_size == 19
    with pytest.raises(ValidationError, match="go: vocabulary relative is xiangqi's"):
        Imitation.model_validate({"go": {**settings, "vocabulary": "relative"}})
    with pytest.raises(ValidationError, match="board_size"):
        Imitation.model_validate({"chess": {**settings, "board_size": 9}})


def test_a_model_plays_go_on_a_smaller_board(positions: Positions) -> None:
    given, _ = lesson(positions)
    policy = book.fit(given, {"vocabulary": "from_to"}, 1)
    imitator = Imitator({"game": "go", "bin": "all", "model": "book"}, policy, Path())
    agents = [ImitationAgent("imitation:x", imitator, ImitationSettings()) for _ in range(2)]
    ground = Ground("go", "chinese", size=5)
    played = play(ground, agents, Opening(), (1, 2), 30)
    assert played.forfeit is None
    assert played.reason in ("two_passes", "ply_cap")
    assert len(played.moves) > 1
