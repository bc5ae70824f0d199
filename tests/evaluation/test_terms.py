"""The stage that computes the terms of the sample, and the terms of tables of games."""

from __future__ import annotations

from pathlib import Path

import chess
import numpy as np
import pyarrow as pa
import pytest

from tabia._native.chess_board import IllegalMoveError
from tabia._native.chess_positions import boards_from_fens
from tabia._native.chess_terms import COLUMNS, terms_from_fens
from tabia.evaluation import terms
from tabia.tables import parquet
from tabia.tables.spec import Spec

SPEC = Spec("evaluation.terms", "mark")
FENS = [
    chess.STARTING_FEN,
    "4k3/8/8/8/2P5/5B2/8/4K3 w - - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
]
E2E4, E7E5 = 12 | 28 << 6, 52 | 36 << 6


def sample(path: Path, fens: list[str]) -> Path:
    boards = boards_from_fens(fens)
    ids = [bytes([number]) * 16 for number in range(len(fens))]
    table = pa.table(
        {
            "position_id": pa.array(ids, pa.binary(16)),
            "fen": fens,
            "board": pa.array([row.tobytes() for row in boards], pa.binary(32)),
        }
    )
    parquet.write(table, path)
    return path


@pytest.mark.parametrize("rows_at_a_time", [2, 1 << 17])
def test_the_stage_writes_a_row_a_position_in_the_order_of_the_sample(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows_at_a_time: int
) -> None:
    monkeypatch.setattr(terms, "_ROWS", rows_at_a_time)
    terms.run(SPEC, sample=sample(tmp_path / "sample", FENS), terms=tmp_path / "terms")
    table = parquet.read(tmp_path / "terms")
    assert table.schema.equals(terms.TERMS_TABLE)
    assert table["position_id"].to_pylist() == [bytes([n]) * 16 for n in range(3)]
    values = np.column_stack([table[name].to_numpy() for name in COLUMNS])
    assert np.array_equal(values, terms_from_fens(FENS))
    assert table["white_outpost_total"].to_pylist() == [0, 0.5, 0]


def test_equal_samples_give_equal_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        terms.run(SPEC, sample=sample(tmp_path / "sample", FENS), terms=tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_an_empty_sample_gives_an_empty_table(tmp_path: Path) -> None:
    terms.run(SPEC, sample=sample(tmp_path / "sample", []), terms=tmp_path / "terms")
    table = parquet.read(tmp_path / "terms")
    assert (table.num_rows, table.schema.equals(terms.TERMS_TABLE)) == (0, True)


def games() -> pa.RecordBatch:
    """An opening, a game from a position, a Chess960 game that castles."""
    chess960 = "4k3/8/8/8/8/8/8/1R2K2R w KB - 0 1"
    columns = {
        "moves": pa.array([[E2E4, E7E5], [], [4 | 1 << 6]], pa.list_(pa.uint16())),
        "start_fen": [None, FENS[1], chess960],
        "variant": pa.array(["standard", "standard", "chess960"]).dictionary_encode(),
    }
    return pa.record_batch(columns)


def test_rows_of_the_games_table_give_the_terms_of_all_positions() -> None:
    expected = terms_from_fens(
        [
            chess.STARTING_FEN,
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
            FENS[1],
            "4k3/8/8/8/8/8/8/1R2K2R w KQ - 0 1",
            "4k3/8/8/8/8/8/8/2KR3R b - - 1 1",
        ]
    )
    assert np.array_equal(terms.of_games(games()), expected)
    table = pa.Table.from_batches([games(), games()])
    assert np.array_equal(terms.of_games(table), np.vstack([expected, expected]))
    assert np.array_equal(terms.of_games(games().slice(1, 2)), expected[3:])
    assert np.array_equal(
        terms.of_games(table.filter(pa.array([False, True, False] * 2))), expected[[3, 3]]
    )
    assert terms.of_games(table.slice(0, 0)).shape == (0, 194)


def test_a_game_that_cannot_be_played_is_named() -> None:
    bad = games().set_column(0, "moves", pa.array([[], [], [E2E4]], pa.list_(pa.uint16())))
    with pytest.raises(IllegalMoveError, match="game 2, ply 0: move e2e4"):
        terms.of_games(bad)
