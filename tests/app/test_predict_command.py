"""``tabia predict`` as a person uses it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tabia.app.commands.predict import PredictError, predict_games, predict_next
from tabia.games.xiangqi_notation import write_moves
from tabia.imitation import train
from tests.imitation.random_games import random_moves, sampled
from tests.imitation.test_train import spec


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("model")
    rows: list[dict[str, object]] = [
        {"moves": random_moves("xiangqi", 10, seed)} for seed in range(24)
    ]
    train.run(
        spec("final"),
        samples=sampled(folder, "xiangqi", rows),
        phase=None,
        pretrained=None,
        parts={},
        model=folder / "model",
        predictions=None,
    )
    return folder / "model"


@pytest.fixture(scope="module")
def chess_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("chess")
    rows: list[dict[str, object]] = [
        {"moves": random_moves("chess", 10, seed)} for seed in range(24)
    ]
    train.run(
        spec("final", game="chess"),
        samples=sampled(folder, "chess", rows),
        phase=None,
        pretrained=None,
        parts={},
        model=folder / "model",
        predictions=None,
    )
    return folder / "model"


def pgn(folder: Path, games: int, *, bad: bool = False) -> Path:
    texts = []
    for seed in range(games):
        moves = write_moves(random_moves("xiangqi", 9, 100 + seed), None, "iccs")
        tags = f'[Game "Chinese Chess"]\n[Red "a{seed}"]\n[Black "b"]\n'
        elos = f'[RedElo "{1200 + seed}"]\n[BlackElo "1400"]\n'
        texts.append(f"{tags}{elos}\n{' '.join(moves)} *\n")
    if bad:
        texts.append('[Game "Chinese Chess"]\n[Red "c"]\n\nH2-H8 *\n')
    (folder / "games.pgn").write_text("\n".join(texts))
    return folder / "games.pgn"


def games(model: Path, *files: Path, **changes: object) -> int:
    usual = {
        "headers": None,
        "movers": None,
        "seed": 1,
        "draws": 100,
        "confidence": 0.95,
        "as_json": True,
    }
    return predict_games(model, files, **{**usual, **changes})  # type: ignore[arg-type]


def test_every_measure_of_table_iv_is_printed_with_an_interval(model, tmp_path, capsys):
    assert games(model, pgn(tmp_path, 6, bad=True)) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["games"] == 6
    assert said["moves"] == 54
    assert sum(said["rejected"].values()) == 1
    measures = said["measures"]
    assert {f"top_{k}" for k in range(1, 11)} < set(measures)
    assert {f"top_p_{p / 10:.1f}" for p in range(11)} < set(measures)
    assert measures["top_p_0.0"] == measures["top_1"]
    assert all(
        m["lo"] <= m["value"] <= m["hi"] for m in measures.values() if m["value"] is not None
    )
    assert measures["nll"]["unit"] == "nats"


def test_only_moves_of_some_players_can_be_asked_about(model, tmp_path, capsys):
    games(model, pgn(tmp_path, 6), movers=(1399, 1400))
    assert json.loads(capsys.readouterr().out)["moves"] == 6 * 4
    with pytest.raises(PredictError, match="above 2000 and up to 2100"):
        games(model, pgn(tmp_path, 6), movers=(2000, 2100))


def test_the_text_says_how_many_moves_and_games(model, tmp_path, capsys):
    games(model, pgn(tmp_path, 5), as_json=False)
    out, err = capsys.readouterr()
    assert out.startswith("one_net (xiangqi, all): 45 moves of 5 games\n")
    assert "only for games that the model was not trained on" in err


def test_files_without_a_game_are_told(model, tmp_path):
    (tmp_path / "x.pgn").write_text("nothing here")
    with pytest.raises(PredictError, match="no xiangqi game with moves"):
        games(model, tmp_path / "x.pgn")


def ask(model: Path, **changes: object) -> int:
    usual = {
        "fen": None,
        "moves": "",
        "elo": None,
        "opponent_elo": None,
        "temperature": 1.0,
        "top_p": 1.0,
        "top": 100,
        "as_json": True,
    }
    return predict_next(model, **{**usual, **changes})  # type: ignore[arg-type]


def test_the_distribution_at_a_position_adds_up_over_its_legal_moves(model, capsys):
    ask(model, moves="h2e2 h9g7")
    said = json.loads(capsys.readouterr().out)
    assert said["legal"] == len(said["moves"])
    p = [row["p"] for row in said["moves"]]
    assert sum(p) == pytest.approx(1)
    assert p == sorted(p, reverse=True)


def test_moves_are_read_in_any_notation(model, capsys):
    said = []
    for moves in ("h2e2 h9g7", "C2=5 h8+7", "炮二平五 馬8進7"):
        ask(model, moves=moves)
        said.append(capsys.readouterr().out)
    assert said[0] == said[1] == said[2]


def test_chess_is_asked_in_san_or_uci(chess_model, capsys):
    ask(chess_model, moves="e4 c7c5")
    said = json.loads(capsys.readouterr().out)
    assert said["legal"] == 30
    assert {"move": "g1f3", "notation": "Nf3"} in [
        {key: row[key] for key in ("move", "notation")} for row in said["moves"]
    ]


def test_top_p_keeps_the_fewest_moves_that_exceed_it(model, capsys):
    ask(model)
    whole = [row["p"] for row in json.loads(capsys.readouterr().out)["moves"]]
    ask(model, top_p=0.5)
    kept = [row["p"] for row in json.loads(capsys.readouterr().out)["moves"]]
    fewest = int(np.searchsorted(np.cumsum(whole), 0.5, side="right")) + 1
    assert len(kept) == fewest
    assert np.allclose(kept, np.array(whole[:fewest]) / sum(whole[:fewest]))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"moves": "h2e2 e2e9"}, "move 2 of 2"),
        ({"fen": "nonsense"}, "FEN 'nonsense'"),
        ({"fen": "4k4/9/9/9/4R4/9/9/9/9/3K1R3 b - - 0 1"}, "the game is over"),
    ],
)
def test_what_is_no_position_is_told(model, changes, said):
    with pytest.raises(PredictError, match=said):
        ask(model, **changes)
