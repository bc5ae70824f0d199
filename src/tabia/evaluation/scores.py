"""Stage evaluation.scores: errors of one trained model, with intervals by game.

Overall errors are given for every split, errors by Elo bin, by phase and by the size of the
target for the test split. A group without positions gives no row. A metric that a group does not
determine (R² of a constant target, anything of a single game) gives no row either, and the log
says why.

Every row also carries the metric in each bootstrap draw. Draws come from the group alone, so
they are common to all models that were tested on the same positions: the summary averages
seeds, and anyone may compare two models, draw by draw.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from tabia.evaluation.config import Scores
from tabia.evaluation.dataset import engine_of
from tabia.evaluation.dataset import read as read_dataset
from tabia.evaluation.players import played_by
from tabia.learning.bootstrap import UndefinedError, estimate
from tabia.learning.metrics import MAE, R2, SIGN, Metric
from tabia.records.config import EloBins
from tabia.records.elo_bins import bin_column
from tabia.tables import parquet, results
from tabia.tables.results import Figure
from tabia.tables.spec import Spec
from tabia.tables.splits import SPLITS

__all__ = ["KEYS", "PHASE_BINS", "VALUE_BINS", "ScoresError", "elo_bins", "run"]

KEYS = (
    "filter",
    "scenario",
    "model",
    "split_by",
    "seed",
    "split",
    "elo_bin_by",
    "elo_bin",
    "phase_bin",
    "value_bin",
)
"""Key columns of the scores; the last four are null in rows about a whole split.

``split_by`` is ``game``, or ``position`` for a split that leaks."""

PHASE_BINS = {
    "0": (0, 0),
    "1-31": (1, 31),
    "32-63": (32, 63),
    "64-95": (64, 95),
    "96-127": (96, 127),
    "128": (128, 128),
}
"""First and last phase of each bin, both included. A middlegame sample has the middle four."""

VALUE_BINS = {
    "[0,0.5]": (-math.inf, 0.5),
    "(0.5,1]": (0.5, 1.0),
    "(1,2]": (1.0, 2.0),
    "(2,5]": (2.0, 5.0),
    "(5,10]": (5.0, 10.0),
    "(10,20]": (10.0, 20.0),
    "over 20": (20.0, math.inf),
}
"""Bins of the absolute target, in pawns: above the first number, up to the second, which is
included. So 5 and 20 fall as they do in the sign agreement and in the filter ``abs20``."""


class ScoresError(ValueError):
    """Predictions that were not made from this dataset, or are no numbers."""

    exit_code = 3


@dataclass(frozen=True)
class _Group:
    """Some positions of a split that are scored together."""

    split: str
    rows: npt.NDArray[np.intp]
    metrics: tuple[Metric, ...]
    elo_bin_by: str | None = None
    elo_bin: str | None = None
    phase_bin: str | None = None
    value_bin: str | None = None

    @property
    def keys(self) -> tuple[str | None, ...]:
        """What the group is, as in the last of :data:`KEYS`."""
        return (self.split, self.elo_bin_by, self.elo_bin, self.phase_bin, self.value_bin)

    @property
    def salt(self) -> tuple[str, ...]:
        """What tells this group's resamples from those of other groups.

        The split and the bins by Elo and by phase, an empty text for none; a bin of the target
        follows where there is one.
        """
        salt = (self.split, self.elo_bin_by or "", self.elo_bin or "", self.phase_bin or "")
        return (*salt, self.value_bin) if self.value_bin else salt


def run(spec: Spec, *, dataset: Path, predictions: Path, scores: Path) -> None:
    """Write the errors of one model.

    Parameters
    ----------
    spec
        ``config`` holds ``seed``, ``scores`` (:class:`Scores`), ``elo_bins``
        (:class:`EloBins`), ``model`` and ``split_by``; wildcards are ``filter``, ``scenario``,
        ``model`` and ``seed``.

    Raises
    ------
    ScoresError
        If predictions and dataset do not hold the same positions, or a target or a prediction is
        no finite number.
    DatasetError, SpecError
        If there is no such dataset, or no such filter.
    """
    settings = Scores.model_validate(spec.config["scores"])
    table = read_dataset(dataset, spec.wildcards["filter"])
    predicted = _predictions(predictions)
    if not table["position_id"].equals(predicted["position_id"]):
        raise ScoresError(
            f"{predictions} and {dataset} do not hold the same positions; train the model again"
        )
    target, guess = predicted["target"].to_numpy(), predicted["predicted"].to_numpy()
    game_id, players = table["game_id"].to_numpy(), table["played_by"].to_numpy()
    run_keys = (
        spec.wildcards["filter"],
        int(spec.wildcards["scenario"]),
        spec.config["model"],
        spec.config["split_by"],
        int(spec.wildcards["seed"]),
    )
    # A run has its own split where it splits by position.
    table = table.set_column(table.schema.get_field_index("split"), "split", predicted["split"])
    rows: list[tuple[tuple[object, ...], Figure]] = []
    draws: list[npt.NDArray[np.float64]] = []
    bins = elo_bins(table, EloBins.model_validate(spec.config["elo_bins"]), settings.elo_bin_by)
    for group in _groups(table, np.abs(target), settings, bins):
        found = estimate(
            group.metrics,
            target[group.rows],
            guess[group.rows],
            game_id[group.rows],
            spec.rng("bootstrap", *group.salt),
            draws=settings.bootstrap,
            confidence=settings.confidence,
        )
        for metric in group.metrics:
            result = found[metric.name]
            if isinstance(result, UndefinedError):
                where = " ".join(filter(None, group.salt))
                print(f"no {metric.name} for {where}: {result}", file=sys.stderr)
                continue
            figure = Figure(
                metric=metric.name,
                unit=metric.unit,
                value=result.value,
                lo=result.lo,
                hi=result.hi,
                interval=result.method,
                n_games=result.n_games,
                n_positions=result.n_positions,
                played_by=played_by(players[group.rows].tolist()),
            )
            rows.append(((*run_keys, *group.keys), figure))
            draws.append(result.draws)
    result_table = results.table(KEYS, rows)
    results.check(result_table, scores.stem)
    column = pa.array([list(values) for values in draws], pa.list_(pa.float64()))
    result_table = result_table.append_column("draws", column)
    parquet.write(result_table, scores, spec=spec, extra=engine_of([dataset]))


def _predictions(path: Path) -> pa.Table:
    """Read predictions whose targets and values are numbers."""
    again = "train the model again"
    if not path.is_file():
        raise ScoresError(f"{path}: there are no such predictions; run the workflow to {again}")
    table = parquet.read(path)
    for name in ("position_id", "split", "target", "predicted"):
        if name not in table.column_names:
            raise ScoresError(f"{path}: no column {name}, these are no predictions; {again}")
    for name in ("target", "predicted"):
        bad = np.flatnonzero(~np.isfinite(table[name].to_numpy()))
        if len(bad):
            first = int(bad[0])
            raise ScoresError(
                f"{path}: {name} is {table[name][first]} at position_id"
                f" {table['position_id'][first].as_py().hex()}, no finite number in {len(bad)}"
                f" rows; {again}"
            )
    return table


def elo_bins(dataset: pa.Table, bins: EloBins, by: Literal["mover", "both"]) -> pa.Array:
    """Return the Elo bin of each position, ``"(1000,1200]"``; null where there is none.

    Bins are made here and not in the dataset, so that other bins train no model again.

    Parameters
    ----------
    by
        ``mover``: the bin of the side to move; ``both``: the bin that both players share.
    """
    first = bin_column(dataset["first_elo"], bins)
    second = bin_column(dataset["second_elo"], bins)
    if by == "both":
        # Where either is null the comparison is null, and so is the bin.
        return pc.if_else(pc.equal(first, second), first, None)
    side = pc.list_element(pc.split_pattern(dataset["fen"], " "), 1).combine_chunks()
    return pc.if_else(pc.equal(side, "w"), first, second)


def _groups(
    table: pa.Table, size: npt.NDArray[np.float32], settings: Scores, bins: pa.Array
) -> Iterator[_Group]:
    """Yield the groups that have positions; `size` is the absolute target, ``[n]`` pawns."""
    split = table["split"].to_numpy()
    for name in SPLITS:
        index = np.flatnonzero(split == name)
        if len(index):
            yield _Group(name, index, (MAE, R2, SIGN))
    test = split == "test"
    by = settings.elo_bin_by
    for elo_bin in _by_elo(bins):
        own = pc.fill_null(pc.equal(bins, elo_bin), False).to_numpy(zero_copy_only=False)
        index = np.flatnonzero(test & own)
        if len(index):
            yield _Group("test", index, (MAE,), elo_bin_by=by, elo_bin=elo_bin)
    phase = table["phase"].to_numpy()
    for phase_bin, (first, last) in PHASE_BINS.items():
        index = np.flatnonzero(test & (phase >= first) & (phase <= last))
        if len(index):
            yield _Group("test", index, (MAE,), phase_bin=phase_bin)
    for value_bin, (above, most) in VALUE_BINS.items():
        index = np.flatnonzero(test & (size > above) & (size <= most))
        if len(index):
            yield _Group("test", index, (MAE,), value_bin=value_bin)


def _by_elo(bins: pa.Array) -> list[str]:
    """Return the bins that occur, from low to high: ``(800,1000]`` before ``(1000,1200]``."""
    names: list[str] = pc.unique(pc.drop_null(bins)).to_pylist()
    return sorted(names, key=lambda name: int(name[1:].split(",")[0]))
