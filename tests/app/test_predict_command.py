"""``tabia predict`` as a person uses it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from tabia.app.cli import app
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
    assert out.startswith("one_net (xiangqi, all Elos): 45 moves of 5 games\n")
    assert "only for games that the model was not trained on" in err


def test_a_single_game_has_measures_without_intervals(model, tmp_path, capsys):
    games(model, pgn(tmp_path, 1))
    said = json.loads(capsys.readouterr().out)
    assert all(m["value"] is not None for m in said["measures"].values() if m["unit"] == "share")
    assert said["measures"]["top_p_1.0"]["value"] == 1
    assert said["measures"]["nll"]["lo"] is None
    assert "needs two" in said["measures"]["nll"]["why"]
    games(model, pgn(tmp_path, 1), as_json=False)
    out = capsys.readouterr().out
    assert out.startswith("one_net (xiangqi, all Elos): 9 moves of 1 game\n")
    assert "top_p_1.0            100.00 %     –\n" in out
    assert out.endswith("\nno interval: 1 game: a resample of games needs two\n")


def test_a_game_that_is_there_twice_counts_once_and_that_is_told(model, tmp_path, capsys):
    file = pgn(tmp_path, 2)
    (tmp_path / "again.pgn").write_bytes(file.read_bytes())
    games(model, file, tmp_path / "again.pgn")
    said = json.loads(capsys.readouterr().out)
    assert (said["games"], said["moves"], said["left_out"]) == (2, 18, 2)
    games(model, file, tmp_path / "again.pgn", as_json=False)
    assert "18 moves of 2 games, 2 games repeated or without moves\n" in capsys.readouterr().out


def test_every_move_is_told_with_its_game_rank_and_probability(model, tmp_path, capsys):
    file = pgn(tmp_path, 2)
    games(model, file, each=True)
    said = json.loads(capsys.readouterr().out)
    moves = [row for row in said["each"] if row["game"] == f"{file} 2"]
    assert [row["game"] for row in said["each"]] == [f"{file} 1"] * 9 + [f"{file} 2"] * 9
    played = write_moves(random_moves("xiangqi", 9, 101), None, "ucci")
    assert [row["move"] for row in moves] == played
    assert [row["ply"] for row in moves] == list(range(9))
    assert [row["elo"] for row in moves[:2]] == [1201, 1400]
    for row in moves:
        assert (row["rank"] == 1) == (row["move"] == row["likeliest"])
        assert 0 < row["p"] <= row["likeliest_p"] <= 1
    hits = sum(row["rank"] == 1 for row in said["each"])
    assert said["measures"]["top_1"]["value"] == pytest.approx(hits / 18)
    games(model, file, each=True, as_json=False)
    lines = capsys.readouterr().out.splitlines()
    first = lines[lines.index(f"{file} 2") + 2].split()
    assert first[:3] == ["0", played[0], str(moves[0]["rank"])]


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


def test_move_numbers_may_stand_before_moves(model, chess_model, capsys):
    for asked, plain, numbered in (
        (model, "C2=5 h8+7 H2+3", "1. C2=5 h8+7 2.H2+3"),
        (chess_model, "e4 c5 Nf3", "1.e4 1... c5 2. Nf3"),
    ):
        ask(asked, moves=plain)
        expected = capsys.readouterr().out
        ask(asked, moves=numbered)
        assert capsys.readouterr().out == expected


def test_the_text_says_who_is_to_move_and_for_which_elo(model, chess_model, capsys):
    ask(model, moves="h2e2", as_json=False, top=2)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "one_net (xiangqi, all Elos): Black to move, Elo not given"
    assert len(lines) == 5
    assert lines[3].startswith("43 more ")
    assert lines[4].startswith("Black loses ")
    ask(chess_model, fen="4k3/8/8/8/8/8/8/R3K3 b - - 0 1", moves="Kd7", elo=1500, as_json=False)
    assert capsys.readouterr().out.splitlines()[0].endswith("White to move, Elo 1500")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["games.pgn", "--elo", "1300"], "--elo is about one position"),
        (["games.pgn", "--top-p", "0.5"], "--top-p is about one position"),
        (["--moves", "", "--movers", "1200-1300"], "--movers is about game files"),
        (["--moves", "", "--each"], "--each is about game files"),
    ],
)
def test_an_option_that_would_do_nothing_is_refused(words, said):
    result = CliRunner().invoke(app, ["predict", "--model", "none", *words])
    assert result.exit_code == 2
    assert said in " ".join(result.output.replace("│", " ").split())


def test_a_hyphen_is_standard_input(monkeypatch):
    def predict(model, files, **_):
        print(model, *files)
        return 0

    monkeypatch.setattr("tabia.app.commands.predict.predict_games", predict)
    result = CliRunner().invoke(app, ["predict", "--model", "m", "a.pgn", "-"])
    assert (result.exit_code, result.output) == (0, "m a.pgn /dev/stdin\n")


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
