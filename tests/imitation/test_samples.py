"""Samples: one row a move, by equation (1) of the paper, from the mover's view."""

from __future__ import annotations

import numpy as np
import pytest

from tabia._native import chess_board, xiangqi_board, xiangqi_positions
from tabia.imitation import samples
from tabia.imitation.positions import (
    NO_ELO,
    NO_MOVE,
    NO_RESULT,
    Positions,
    PositionsError,
    view_of,
)
from tabia.tables import parquet
from tabia.tables.spec import Spec
from tests.imitation.random_games import games_table, random_moves, random_positions, sampled


def by_game(positions: Positions, game_id: int) -> np.ndarray:
    return np.flatnonzero(positions.game_id == game_id)


@pytest.mark.parametrize("game", ["chess", "xiangqi"])
def test_a_game_of_l_moves_gives_l_samples_with_the_move_of_each(tmp_path, game):
    moves = random_moves(game, 21, 3)
    positions = Positions.read(sampled(tmp_path, game, [{"moves": moves}]))
    assert positions.move.tolist() == moves
    assert positions.ply.tolist() == list(range(21))
    board = {"chess": chess_board.Board, "xiangqi": xiangqi_board.Board}[game]()
    for row, move in enumerate(moves):
        assert positions.board[row].tobytes() == board.packed()
        codes, _ = positions.legal_of(np.array([row]))
        assert codes.tolist() == board.legal_moves()
        assert bool(positions.black[row]) == board.black_to_move
        board.push(move)


def test_elo_and_result_are_the_movers(tmp_path):
    row = {"moves": random_moves("xiangqi", 4, 1), "result": 1}
    positions = Positions.read(sampled(tmp_path, "xiangqi", [row]))
    assert positions.mover_elo.tolist() == [1210, 1320, 1210, 1320]
    assert positions.other_elo.tolist() == [1320, 1210, 1320, 1210]
    assert positions.result.tolist() == [1, -1, 1, -1]


def test_a_game_that_black_begins_has_blacks_elo_first(tmp_path):
    fen = "4k4/9/9/9/9/9/8p/9/9/3K5 b - - 0 1"
    row = {"moves": random_moves("xiangqi", 2, 1, fen), "start_fen": fen, "result": -1}
    positions = Positions.read(sampled(tmp_path, "xiangqi", [row]))
    assert positions.black.tolist() == [True, False]
    assert positions.mover_elo.tolist() == [1320, 1210]
    assert positions.result.tolist() == [1, -1]


def test_unknown_elos_and_results_are_told_apart(tmp_path):
    row = {"moves": random_moves("chess", 2, 1), "first_elo": None, "result": None}
    path = sampled(tmp_path, "chess", [row], rated=False)
    positions = Positions.read(path)
    assert positions.mover_elo.tolist() == [NO_ELO, 1320]
    assert positions.result.tolist() == [NO_RESULT, NO_RESULT]


def test_rated_samples_need_both_elos(tmp_path):
    rows = [
        {"moves": random_moves("chess", 5, 1), "second_elo": None},
        {"moves": random_moves("chess", 7, 2)},
    ]
    assert len(Positions.read(sampled(tmp_path, "chess", rows))) == 7


def test_a_game_that_was_recorded_twice_comes_once(tmp_path):
    moves = random_moves("chess", 6, 1)
    rows = [{"moves": moves, "split_hash": 5}, {"moves": moves, "split_hash": 5}]
    positions = Positions.read(sampled(tmp_path, "chess", rows))
    assert positions.game_id.tolist() == [1] * 6


def test_chess960_and_games_without_moves_are_left_out(tmp_path):
    rows = [
        {"moves": random_moves("chess", 6, 1), "variant": "chess960"},
        {"moves": []},
        {"moves": random_moves("chess", 3, 2)},
    ]
    assert len(Positions.read(sampled(tmp_path, "chess", rows))) == 3


def test_no_game_left_is_an_error_that_says_what_is_missing(tmp_path):
    rows = [{"moves": random_moves("chess", 6, 1), "first_elo": None}]
    with pytest.raises(samples.SamplesError, match="with moves and both Elos in its sources"):
        sampled(tmp_path, "chess", rows)


def test_order_of_files_does_not_matter(tmp_path):
    rows = [{"moves": random_moves("xiangqi", 5, seed), "game_id": seed + 1} for seed in range(6)]
    parts = [games_table(rows), games_table(rows[::-1])]
    for place, table in enumerate(parts):
        hashes = table["game_id"].to_numpy() * np.uint64(77777777777)
        at = table.schema.get_field_index("split_hash")
        table = table.set_column(at, "split_hash", [hashes])
        parquet.write(table, tmp_path / f"{place}.parquet")
    spec = Spec("imitation.samples", "m", {}, {"game": "xiangqi", "rated": True, "game_share": 1.0})
    for place in range(2):
        out = tmp_path / f"samples{place}.parquet"
        samples.run(spec, games=[tmp_path / f"{place}.parquet"], samples=out)
    first, second = ((tmp_path / f"samples{place}.parquet").read_bytes() for place in range(2))
    assert first == second


def test_history_is_the_rows_above_and_never_of_another_game(tmp_path):
    positions = random_positions(tmp_path, "xiangqi", [5, 4])
    start = int(np.flatnonzero(positions.ply == 0)[1])
    at_start = positions.previous_moves(np.array([start]), 3)
    assert at_start.tolist() == [[NO_MOVE] * 3]
    later = positions.previous_moves(np.array([start + 2]), 3)
    before = positions.move[[start + 1, start]].tolist()
    assert later.tolist() == [[*before, NO_MOVE]]
    assert positions.previous_rows(np.array([start + 2]), 3).tolist() == [[start + 1, start, -1]]


def test_legal_moves_of_some_rows_are_those_of_each(tmp_path):
    positions = random_positions(tmp_path, "chess", [9])
    codes, offsets = positions.legal_of(np.array([7, 2]))
    alone = [positions.legal_of(np.array([row]))[0].tolist() for row in (7, 2)]
    assert codes.tolist() == alone[0] + alone[1]
    assert offsets.tolist() == [0, len(alone[0]), len(alone[0]) + len(alone[1])]


def test_a_missing_or_other_table_is_told(tmp_path):
    with pytest.raises(PositionsError, match="no such table of samples"):
        Positions.read(tmp_path / "none.parquet")
    parquet.write(games_table([{"moves": [1]}]), tmp_path / "games.parquet")
    with pytest.raises(PositionsError, match="no samples of the imitation chapter"):
        Positions.read(tmp_path / "games.parquet")


def test_a_composed_start_whose_moves_have_no_label_gives_no_samples(tmp_path):
    """An elephant on g1, where none can come: its move to e3 is in no vocabulary."""
    composed = "4k4/9/9/9/9/9/9/9/6B2/3K5 w - - 0 1"
    rows = [
        {"moves": [15 * 90 + 31], "start_fen": composed},
        {"moves": random_moves("xiangqi", 5, 1)},
    ]
    positions = Positions.read(sampled(tmp_path, "xiangqi", rows))
    assert positions.game_id.tolist() == [2] * 5


def test_pieces_on_their_points_are_ordinary_for_both_sides():
    fens = {
        "3akab2/9/9/9/4p4/9/9/9/9/3AKAB2 w - - 0 1": True,
        "4k4/4a4/4b4/9/2b6/6B2/9/4B4/4A4/3K5 w - - 0 1": True,
        "4k4/9/9/9/9/9/9/9/6B2/3K5 w - - 0 1": False,
        "4k4/9/9/9/9/9/9/9/3A5/3K5 w - - 0 1": False,
        "3k5/3a5/9/9/9/9/9/9/9/4K4 b - - 0 1": False,
        "3k5/9/b7b/9/9/9/9/9/9/4K4 b - - 0 1": True,
        "3k5/9/1b7/9/9/9/9/9/9/4K4 b - - 0 1": False,
    }
    boards = xiangqi_positions.boards_from_fens(list(fens))
    assert view_of("xiangqi").ordinary(boards).tolist() == list(fens.values())


def test_a_share_that_leaves_no_game_is_named(tmp_path):
    parquet.write(games_table([{"moves": random_moves("chess", 6, 1)}]), tmp_path / "games.parquet")
    config = {"game": "chess", "rated": True, "game_share": 1e-9}
    with pytest.raises(samples.SamplesError, match="of which game_share uses 1e-09; raise it, or"):
        samples.run(
            Spec("imitation.samples", "m", {"game": "chess"}, config),
            games=[tmp_path / "games.parquet"],
            samples=tmp_path / "samples.parquet",
        )
