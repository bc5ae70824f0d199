"""The predictions table: what a model said of every move of the test fold.

Everything that the chapter measures is a function of a few numbers a move: at which rank the model
had it, with which probability, and how much mass stood before it.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tabia.imitation.policy import Prediction
from tabia.imitation.positions import NO_ELO, NO_RESULT, Positions

__all__ = ["PREDICTIONS", "PredictionError", "table"]

PREDICTIONS = pa.schema(
    [
        pa.field("game_id", pa.uint64(), nullable=False),
        pa.field("ply", pa.int32(), nullable=False),
        pa.field("position_key", pa.uint64(), nullable=False),
        pa.field("phase", pa.int16(), nullable=False),
        pa.field("mover_elo", pa.int32()),
        pa.field("other_elo", pa.int32()),
        pa.field("move", pa.uint16(), nullable=False),
        pa.field("n_legal", pa.int16(), nullable=False),
        pa.field("seen", pa.bool_(), nullable=False),  # the position is in a training game
        pa.field("rank", pa.int16(), nullable=False),  # of the move played, 1 = likeliest
        pa.field("p", pa.float32(), nullable=False),  # of the move played
        pa.field("mass_before", pa.float32(), nullable=False),  # of the moves ranked before it
        pa.field("top_move", pa.uint16(), nullable=False),
        pa.field("top_p", pa.float32(), nullable=False),
        pa.field("illegal", pa.float32()),  # mass on illegal labels before the filter
        pa.field("unfiltered", pa.bool_()),  # likeliest label of all is the move's
        pa.field("result", pa.int8()),  # mover's view
        pa.field("p_loss", pa.float32()),
        pa.field("p_draw", pa.float32()),
        pa.field("p_win", pa.float32()),
        pa.field("played_by", pa.string(), nullable=False),
    ]
)
"""One row a move of the test fold, in the order of the samples."""

_SUM_ERROR = 1e-3


class PredictionError(ValueError):
    """A model whose distribution is none."""

    exit_code = 3


def table(
    positions: Positions, index: NDArray[np.intp], prediction: Prediction, train: NDArray[np.intp]
) -> pa.Table:
    """Return the predictions of rows `index` under :data:`PREDICTIONS`.

    Moves of equal probability are ranked by code, so that ties fall the same way everywhere.

    Parameters
    ----------
    train
        `[m]` rows that the model learned from; they decide what was `seen`.

    Raises
    ------
    PredictionError
        If a probability is no number, or a position's do not add up to 1.
    """
    codes, offsets = positions.legal_of(index)
    if not np.array_equal(offsets, prediction.offsets):
        raise PredictionError("a prediction of other positions than were asked for")
    p = prediction.p.astype(np.float64)
    _check(p, offsets)
    length = np.diff(offsets)
    row = np.repeat(np.arange(len(index)), length)
    order = np.lexsort((codes, -p, row))
    ranked_p, ranked = p[order], codes[order]
    before = np.cumsum(ranked_p) - ranked_p
    before -= np.repeat(before[offsets[:-1]], length)
    played = positions.move[index]
    at = np.flatnonzero(ranked == played[row])
    first = offsets[:-1]
    optional = {
        "illegal": prediction.illegal,
        "unfiltered": prediction.unfiltered,
        **{
            name: None if prediction.result is None else prediction.result[:, place]
            for place, name in enumerate(("p_loss", "p_draw", "p_win"))
        },
    }
    elo = {"mover_elo": positions.mover_elo[index], "other_elo": positions.other_elo[index]}
    result = positions.result[index]
    columns = {
        "game_id": positions.game_id[index],
        "ply": positions.ply[index],
        "position_key": positions.key[index],
        "phase": positions.phase[index],
        **{name: pa.array(values, mask=values == NO_ELO) for name, values in elo.items()},
        "move": played,
        "n_legal": length.astype(np.int16),
        "seen": np.isin(positions.key[index], positions.key[train]),
        "rank": (at - first + 1).astype(np.int16),
        "p": ranked_p[at].astype(np.float32),
        "mass_before": np.clip(before[at], 0, 1).astype(np.float32),
        "top_move": ranked[first],
        "top_p": ranked_p[first].astype(np.float32),
        **{
            name: pa.nulls(len(index)) if values is None else pa.array(values)
            for name, values in optional.items()
        },
        "result": pa.array(result, mask=result == NO_RESULT),
        "played_by": pa.repeat(pa.scalar(positions.played_by), len(index)),
    }
    return pa.table(columns).select(PREDICTIONS.names).cast(PREDICTIONS)


def _check(p: NDArray[np.float64], offsets: NDArray[np.int64]) -> None:
    if not np.isfinite(p).all():
        bad = int(np.searchsorted(offsets, np.flatnonzero(~np.isfinite(p))[0], side="right")) - 1
        raise PredictionError(f"row {bad}: a probability is no finite number")
    total = np.add.reduceat(p, offsets[:-1])
    if len(total) and np.abs(total - 1).max() > _SUM_ERROR:
        bad = int(np.abs(total - 1).argmax())
        raise PredictionError(f"row {bad}: probabilities add up to {total[bad]:.4f}, not to 1")
