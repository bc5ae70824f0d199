"""Random legal games of both games, as a games table with the columns that samples read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa

from tabia._native import chess_board, xiangqi_board
from tabia.imitation import samples
from tabia.imitation.positions import Positions
from tabia.tables import parquet
from tabia.tables.spec import Spec

BOARDS = {"chess": chess_board.Board, "xiangqi": xiangqi_board.Board}


def random_moves(game: str, plies: int, seed: int, fen: str | None = None) -> list[int]:
    """Codes of a random game of at most `plies` half-moves."""
    rng = np.random.default_rng(seed)
    board = BOARDS[game](fen)
    moves: list[int] = []
    while len(moves) < plies and (legal := board.legal_moves()):
        moves.append(int(legal[rng.integers(len(legal))]))
        board.push(moves[-1])
    return moves


def games_table(rows: list[dict[str, object]]) -> pa.Table:
    """Games with defaults for the columns that a row leaves out."""
    filled = []
    for place, row in enumerate(rows):
        moves = row["moves"]
        assert isinstance(moves, list)
        filled.append(
            {
                "game_id": place + 1,
                "played_by": "people",
                "variant": "standard",
                "start_fen": None,
                "first_elo": 1210,
                "second_elo": 1320,
                "result": 1,
                "n_plies": len(moves),
                "split_hash": (place + 1) * 0x9E3779B97F4A7C15 % 2**64,
                **row,
            }
        )
    schema = pa.schema(
        [
            ("game_id", pa.uint64()),
            ("played_by", pa.string()),
            ("variant", pa.string()),
            ("start_fen", pa.string()),
            ("first_elo", pa.int32()),
            ("second_elo", pa.int32()),
            ("result", pa.int8()),
            ("n_plies", pa.int32()),
            ("moves", pa.list_(pa.uint16())),
            ("split_hash", pa.uint64()),
        ]
    )
    return pa.Table.from_pylist(filled, schema=schema)


def sampled(folder: Path, game: str, rows: list[dict[str, object]], *, rated: bool = True) -> Path:
    """Path of the samples of some games."""
    parquet.write(games_table(rows), folder / "games.parquet")
    spec = Spec(
        "imitation.samples", "m", {"game": game}, {"game": game, "rated": rated, "game_share": 1.0}
    )
    samples.run(spec, games=[folder / "games.parquet"], samples=folder / "samples.parquet")
    return folder / "samples.parquet"


def random_positions(folder: Path, game: str, lengths: list[int], seed: int = 0) -> Positions:
    """Positions of random games of these lengths."""
    rows: list[dict[str, object]] = [
        {"moves": random_moves(game, plies, seed + place)} for place, plies in enumerate(lengths)
    ]
    return Positions.read(sampled(folder, game, rows))
