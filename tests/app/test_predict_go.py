"""``tabia predict`` at Go: positions in GTP, and SGF files."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from tabia._native.go_board import Board, decode_vertex
from tabia.app.commands.predict import PredictError, predict_games, predict_next
from tabia.imitation import train
from tabia.records.go.record import Record
from tabia.records.go.write import write_sgf
from tests.imitation.test_go import EMPTY, game, table
from tests.imitation.test_train import spec

USUAL = {"elo": 1500, "opponent_elo": None, "temperature": 1.0, "top_p": 1.0, "as_json": True}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("go")
    train.run(
        spec("final", game="go"),
        samples=table(folder, [game(seed) for seed in range(24)], 5),
        phase=None,
        pretrained=None,
        parts={},
        model=folder / "model",
        predictions=None,
    )
    return folder / "model"


def test_a_position_is_told_in_gtp(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    predict_next(model, fen=EMPTY[5], moves="1. C3 2. d3 pass", top=3, **USUAL)  # type: ignore[arg-type]
    told = json.loads(capsys.readouterr().out)
    assert told["legal"] == 24
    assert len(told["moves"]) == 3
    board = Board(size=5)
    vertices = {decode_vertex(code, 5) for code in board.legal_moves()}
    assert {row["move"] for row in told["moves"]} <= vertices
    text = {**USUAL, "as_json": False}
    predict_next(model, fen=EMPTY[5], moves="C3", top=1, **text)  # type: ignore[arg-type]
    assert "White" in capsys.readouterr().out


def test_a_move_that_is_none_is_named(model: Path) -> None:
    with pytest.raises(PredictError, match="move 2 of 2"):
        predict_next(model, fen=EMPTY[5], moves="C3 C3", top=1, **USUAL)  # type: ignore[arg-type]


def test_games_are_read_from_sgf(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng, board = random.Random(5), Board(size=5, ko="simple")
    for _ in range(8):
        board.push(rng.choice(board.legal_moves()))
    file = tmp_path / "game.sgf"
    file.write_text(write_sgf(Record(moves=board.moves(), board_size=5, result=1)))
    predict_games(
        model,
        [file],
        headers=None,
        movers=None,
        seed=1,
        draws=100,
        confidence=0.95,
        as_json=True,
        each=True,
    )
    told = json.loads(capsys.readouterr().out)
    vertices = [decode_vertex(code, 5) for code in board.moves()]
    assert [row["move"] for row in told["each"]] == vertices
