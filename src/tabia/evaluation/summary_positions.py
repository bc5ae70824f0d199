"""Positions from the sample to what each filter keeps, for the summary; every step adds up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabia.evaluation.dataset import kept
from tabia.evaluation.players import played_by
from tabia.tables import parquet, results
from tabia.tables.results import Figure
from tabia.tables.splits import SPLITS

__all__ = ["KEYS", "rows"]

KEYS = ("step", "filter", "reason", "split")

_Keyed = tuple[tuple[object, ...], Figure]


def rows(
    sample: pa.Table, dataset: pa.Table, label_rejects: Sequence[Path], filters: Sequence[str]
) -> list[_Keyed]:
    """Return counts of positions: sampled, rejected by the engine, labelled, left by a filter.

    Parameters
    ----------
    sample, dataset
        Tables SAMPLE and DATASET.
    label_rejects
        Tables LABEL_REJECTS.
    filters
        In the order of the rows.
    """
    labelled = pc.is_in(sample["position_id"], dataset["position_id"].combine_chunks())
    rejected = sample.filter(pc.invert(labelled))
    reasons = _reasons(label_rejects)
    reason = [reasons.get(ident, "unknown") for ident in rejected["position_id"].to_pylist()]
    everyone = played_by(sample["played_by"].to_pylist())
    counted = [
        *_counts("sampled", None, None, sample, everyone),
        *_counts("rejected", None, None, rejected, everyone),
    ]
    for name in sorted(Counter(reason)):
        own = rejected.filter(pa.array([value == name for value in reason]))
        counted += _counts("rejected", None, name, own, everyone)
    counted += _counts("labelled", None, None, dataset, everyone)
    for filter_ in filters:
        counted += _counts("after filter", filter_, None, kept(dataset, filter_), everyone)
    return counted


def _reasons(label_rejects: Sequence[Path]) -> dict[bytes, str]:
    """Return why each rejected position has no label: the reason at its first failed limit."""
    reasons: dict[bytes, str] = {}
    for path in label_rejects:
        table = parquet.read(path, ["position_id", "reason"])
        pairs = zip(table["position_id"].to_pylist(), table["reason"].to_pylist(), strict=True)
        for ident, reason in pairs:
            reasons.setdefault(ident, reason)
    return reasons


def _counts(
    step: str, filter_: str | None, reason: str | None, table: pa.Table, everyone: str
) -> Iterable[_Keyed]:
    split = table["split"].to_numpy()
    game_id, players = table["game_id"].to_numpy(), table["played_by"].to_numpy()
    for name in ("all", *SPLITS):
        own = np.ones(len(table), np.bool_) if name == "all" else split == name
        count = int(own.sum())
        figure = results.exact(
            "positions",
            count,
            unit="positions",
            n_games=len(np.unique(game_id[own])),
            n_positions=count,
            # Of no position there is no player; then whose positions were asked about.
            played_by=played_by(players[own].tolist()) if count else everyone,
        )
        yield (step, filter_, reason, name), figure
