"""A small world without engines: random games, their positions, and made-up labels.

The made-up target is the material balance plus noise, so that placement predicts it; the inputs
are the target with less and less noise.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import chess
import numpy as np
import pyarrow as pa

from tabia._native import chess_positions
from tabia.tables import parquet, schemas
from tabia.tables.spec import Spec

LIMITS = ("depth 2", "depth 4", "depth 8", "nodes 1000")
LABELS = {"inputs": [2, 4, 8], "target": {"nodes": 1000}}
ELO_BINS = {"low": 1000, "high": 2000, "width": 500}
TREES = {"trees": 40, "leaves": 15, "min_leaf": 5, "learning_rate": 0.1, "stop_after": 10}
VALUES = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9}


def spec(stage: str, config: Mapping[str, Any], **wildcards: str) -> Spec:
    return Spec(f"evaluation.{stage}", "test", wildcards, config)


def game_positions(count: int, *, seed: int = 0) -> pa.Table:
    """Distinct positions of `count` random games, schema POSITIONS."""
    rows: list[dict[str, Any]] = []
    seen: set[str] = set()
    for number in range(count):
        rng = random.Random(f"{seed} {number}")
        board = chess.Board()
        elos = [rng.choice([None, 1000, 1001, 1500, 1501, 1999, 2001]) for _ in "wb"]
        for ply in range(70):
            if ply % 8 == number % 8 and board.epd() not in seen:
                seen.add(board.epd())
                rows.append(
                    {
                        "fen": board.fen(),
                        "flags": board.is_check() + 2 * (not any(board.legal_moves)),
                        "game_id": 1000 * seed + number + 2**63,
                        "split_hash": number * 7919,
                        "split": ("train", "train", "validation", "test")[number % 4],
                        "ply": ply,
                        "first_elo": elos[0],
                        "second_elo": elos[1],
                        "n_games": 1,
                        "n_occurrences": 1,
                        "played_by": ("people", "engines", "engines and people")[number % 3],
                    }
                )
            moves = list(board.legal_moves)
            if not moves:
                break
            takes = [move for move in moves if board.is_capture(move)]
            board.push(rng.choice(takes if takes and rng.random() < 0.4 else moves))
    boards = chess_positions.boards_from_fens([row.pop("fen") for row in rows])
    known = [field for field in schemas.POSITIONS if field.name in rows[0]]
    table = pa.Table.from_pylist(rows, pa.schema(known))
    columns: dict[str, Any] = {name: table[name] for name in table.column_names}
    columns["board"] = pa.array([row.tobytes() for row in boards], pa.binary(32))
    columns["game"] = pa.array(["chess"] * len(rows))
    columns["position_key"] = chess_positions.keys(boards)
    columns["phase"] = chess_positions.phases(boards)
    return pa.table(
        [columns[name] for name in schemas.POSITIONS.names], schemas.POSITIONS.names
    ).cast(schemas.POSITIONS)


def labels_of(sample: pa.Table, *, seed: int = 0) -> pa.Table:
    """Made-up labels of every position at every limit, schema LABELS; one in 20 is a mate."""
    rng = np.random.default_rng(seed)
    rows = []
    for ident, fen in zip(
        sample["position_id"].to_pylist(), sample["fen"].to_pylist(), strict=True
    ):
        board = chess.Board(f"{fen} 0 1")
        material = sum(
            value * (len(board.pieces(kind, True)) - len(board.pieces(kind, False)))
            for kind, value in VALUES.items()
        )
        target = 150 * material + rng.normal(0, 60)
        noise = dict(zip(LIMITS, (150, 100, 50, 0), strict=True))
        mates = rng.random() < 0.05
        for limit in LIMITS:
            mate = int(rng.choice([-3, 2])) if mates and limit in LIMITS[2:] else None
            rows.append(
                {
                    "position_id": ident,
                    "fen": fen,
                    "limit": limit,
                    "score_cp": None if mate else round(target + rng.normal(0, 1) * noise[limit]),
                    "mate": mate,
                    "depth": 1,
                    "nodes": 1,
                }
            )
    return pa.Table.from_pylist(rows, schemas.LABELS)


def write_labels(folder: Path, labels: pa.Table, rejects: pa.Table | None = None) -> None:
    about = {"engine.name": "Made up 1"}
    parquet.write(labels, folder / "labels.parquet", extra=about)
    rejects = schemas.LABEL_REJECTS.empty_table() if rejects is None else rejects
    parquet.write(rejects, folder / "rejects.parquet", extra=about)
