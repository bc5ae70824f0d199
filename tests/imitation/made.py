"""Made-up positions and predictions: a few rows with values that can be checked by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from tabia.imitation.positions import Positions
from tabia.imitation.predictions import PREDICTIONS
from tabia.tables import parquet
from tabia.tables.spec import Spec

ROW: dict[str, Any] = {
    "game_id": 1,
    "ply": 0,
    "position_key": 1,
    "phase": 128,
    "mover_elo": 1050,
    "other_elo": 1050,
    "move": 1,
    "n_legal": 4,
    "seen": False,
    "rank": 1,
    "p": 0.5,
    "mass_before": 0.0,
    "top_move": 1,
    "top_p": 0.5,
    "illegal": None,
    "unfiltered": None,
    "result": None,
    "p_loss": None,
    "p_draw": None,
    "p_win": None,
    "played_by": "engines",
}


def predicted(rows: Sequence[Mapping[str, Any]]) -> pa.Table:
    """Return predictions; what a row leaves out is as in ROW."""
    return pa.Table.from_pylist([{**ROW, **row} for row in rows], PREDICTIONS)


def write_predictions(
    rows: Sequence[Mapping[str, Any]], path: Path, *, bin: str, fold: str = "0"
) -> Path:
    wildcards = {"game": "xiangqi", "model": "m", "bin": bin, "fold": fold}
    parquet.write(predicted(rows), path, spec=Spec("imitation.train", "mark", wildcards, {}))
    return path


def positions(
    *,
    game_id: Sequence[int],
    move: Sequence[int] | None = None,
    key: Sequence[int] | None = None,
    ply: Sequence[int] | None = None,
    split_hash: Sequence[int] | None = None,
    mover_elo: Sequence[int] | None = None,
    other_elo: Sequence[int] | None = None,
    legal: Sequence[Sequence[int]] | None = None,
) -> Positions:
    """Return positions without boards; `legal` stands for what the rules say of each row."""
    n = len(game_id)
    own = Positions(
        game="xiangqi",
        board=np.zeros((n, 45), np.uint8),
        key=np.array(key if key is not None else range(n), np.uint64),
        in_check=np.zeros(n, np.bool_),
        move=np.array(move if move is not None else [1] * n, np.uint16),
        ply=np.array(ply if ply is not None else range(n), np.int32),
        phase=np.full(n, 128, np.int16),
        game_id=np.array(game_id, np.uint64),
        split_hash=np.array(split_hash if split_hash is not None else game_id, np.uint64),
        mover_elo=np.array(mover_elo if mover_elo is not None else [1050] * n, np.int32),
        other_elo=np.array(other_elo if other_elo is not None else [1050] * n, np.int32),
        result=np.full(n, 2, np.int8),
        played_by="engines",
    )
    if legal is not None:
        codes = np.array([code for codes in legal for code in codes], np.uint16)
        offsets = np.cumsum([0, *map(len, legal)]).astype(np.int64)
        own.__dict__["_legal"] = (codes, offsets)
    return own
