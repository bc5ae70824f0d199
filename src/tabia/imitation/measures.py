"""What is measured of predicted moves, each measure a function of sums over moves.

Top-k: the move played is among the k likeliest. Top-p (section IV of Zhou, "XQSV"): it is in the
smallest set of likeliest moves whose probabilities exceed p together, that is, the moves ranked
before it have a mass of p at most; top-p at 0 is top-1. Negative log-likelihood in nats. Expected
calibration error: moves are binned by the probability of the likeliest one, and the distances
between the mean of it and the share of hits in each bin are averaged by the bins' sizes (Guo et
al., "On Calibration of Modern Neural Networks", 2017).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tabia.learning.bootstrap import Measure

__all__ = [
    "TOP_K",
    "TOP_P",
    "UNITS",
    "calibration_bin",
    "measures",
    "reliability",
]

Floats = NDArray[np.float64]

TOP_K = tuple(range(1, 11))
"""k of the paper's Table IV."""

TOP_P = tuple(step / 10 for step in range(11))
"""p of the paper's Table IV."""

_LEAST = float(np.finfo(np.float32).tiny)  # a probability that float32 made 0

UNITS = {
    **{f"top_{k}": "share" for k in TOP_K},
    **{f"top_p_{p:.1f}": "share" for p in TOP_P},
    "nll": "nats",
    "ece": "share",
    "illegal_mass": "share",
    "top_1_unfiltered": "share",
    "result_nll": "nats",
    "mean_confidence": "share",
}
"""Unit of each measure by name."""


def measures(
    rows: pa.Table, calibration_bins: int, wanted: Sequence[str] | None = None
) -> list[Measure]:
    """Return the measures of some predictions.

    Parameters
    ----------
    rows
        Rows under :data:`tabia.imitation.predictions.PREDICTIONS`.
    wanted
        Names of the measures; None for all that the rows determine.
    """
    rank = rows["rank"].to_numpy()
    before = rows["mass_before"].to_numpy().astype(np.float64)
    p = rows["p"].to_numpy().astype(np.float64)
    # float32 sums reach 0.3000001 where 0.3 is meant.
    columns: dict[str, Floats] = {
        **{f"top_{k}": (rank <= k).astype(np.float64) for k in TOP_K},
        **{f"top_p_{q:.1f}": (before <= q + 1e-6).astype(np.float64) for q in TOP_P[1:-1]},
        "top_p_0.0": (rank == 1).astype(np.float64),
        "top_p_1.0": np.ones(len(rank)),
        "nll": -np.log(np.maximum(p, _LEAST)),
    }
    for name, column in (("illegal_mass", "illegal"), ("top_1_unfiltered", "unfiltered")):
        if rows[column].null_count == 0:
            columns[name] = rows[column].to_numpy(zero_copy_only=False).astype(np.float64)
    if (known := _result(rows)) is not None:
        columns["result_nll"] = known
    names = [name for name in UNITS if name in columns and (wanted is None or name in wanted)]
    found = [Measure(name, _with_count(columns[name]), _mean) for name in names]
    if wanted is None or "ece" in wanted:
        found.append(Measure("ece", _calibration_terms(rows, calibration_bins), _ece))
    return found


def _result(rows: pa.Table) -> Floats | None:
    """Return the log loss of the predicted results; NaN where the result is not known."""
    if rows["p_win"].null_count or rows["result"].null_count == len(rows):
        return None
    share = np.stack([rows[name].to_numpy() for name in ("p_loss", "p_draw", "p_win")], axis=1)
    result = rows["result"].fill_null(2).to_numpy()
    chosen = share[np.arange(len(result)), np.where(result == 2, 0, result + 1)]
    return np.where(result == 2, np.nan, -np.log(np.maximum(chosen, _LEAST).astype(np.float64)))


def _with_count(values: Floats) -> Floats:
    known = np.isfinite(values)
    return np.stack([known.astype(np.float64), np.where(known, values, 0.0)], axis=1)


def _mean(sums: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(sums[..., 1] / sums[..., 0])


def calibration_bin(top_p: Floats, bins: int) -> NDArray[np.int64]:
    """Return the bin of each probability, 0 to `bins` - 1: equal widths, upper ends included."""
    # float32 has 0.2 a little above 0.2, and 0.2 * 15 belongs to the bin that ends at 3.
    return np.clip(np.ceil(top_p * bins - 1e-5).astype(np.int64) - 1, 0, bins - 1)


def _calibration_terms(rows: pa.Table, bins: int) -> Floats:
    top = rows["top_p"].to_numpy().astype(np.float64)
    hit = (rows["rank"].to_numpy() == 1).astype(np.float64)
    terms = np.zeros((len(top), 1 + bins))
    terms[:, 0] = 1
    terms[np.arange(len(top)), 1 + calibration_bin(top, bins)] = top - hit
    return terms


def _ece(sums: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.abs(sums[..., 1:]).sum(axis=-1) / sums[..., 0])


def reliability(rows: pa.Table, bins: int) -> list[tuple[int, list[Measure]]]:
    """Return, for each calibration bin that has moves, its hits and its mean probability."""
    top = rows["top_p"].to_numpy().astype(np.float64)
    hit = (rows["rank"].to_numpy() == 1).astype(np.float64)
    of = calibration_bin(top, bins)
    found = []
    for number in np.unique(of):
        inside = (of == number).astype(np.float64)
        measured = [
            Measure("top_1", np.stack([inside, inside * hit], axis=1), _mean),
            Measure("mean_confidence", np.stack([inside, inside * top], axis=1), _mean),
        ]
        found.append((int(number), measured))
    return found
