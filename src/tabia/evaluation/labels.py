"""Stage evaluation.labels: engine values of the sampled positions, one shard a job."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from tabia.engines.config import Limit
from tabia.engines.label import label_positions
from tabia.evaluation.config import Labels
from tabia.tables import parquet
from tabia.tables.ids import position_id
from tabia.tables.spec import Spec

__all__ = ["first_bytes", "run"]


def run(
    spec: Spec, *, sample: Path, labels: Path, rejects: Path, store: Path, threads: int
) -> None:
    """Label the positions of one shard of the sample at every limit of the configuration.

    Parameters
    ----------
    spec
        ``config["labels"]`` is the configuration's section; wildcard ``shard`` the shard.
    sample
        Positions (SAMPLE).
    labels, rejects
        Outputs (LABELS, LABEL_REJECTS). A position has a row in one of them for every limit.
    store
        Label store to read and write.
    threads
        Engine processes.

    Raises
    ------
    ValueError
        If the sample's ids are not those of its FENs.
    EngineError, LabelStoreError
        If the engine or a store cannot be had.
    """
    config = Labels.model_validate(spec.config["labels"])
    first, last = first_bytes(int(spec.wildcards["shard"]), config.shards)
    ids = pc.field("position_id")
    within = (ids >= _scalar(first, b"\x00")) & (ids <= _scalar(last, b"\xff"))
    positions = pq.read_table(
        sample, columns=["position_id", "fen"], filters=within, partitioning=None
    ).to_pydict()
    for ident, fen in zip(positions["position_id"], positions["fen"], strict=True):
        if ident != position_id(fen):
            raise ValueError(f"{sample}: position_id {ident.hex()} is not the id of FEN {fen}")
    limits = [*(Limit(depth=depth) for depth in config.inputs), config.target]
    result = label_positions(
        positions["fen"],
        limits,
        config.engine,
        store,
        threads=threads,
        stores=[Path(path) for path in config.stores],
    )
    engine = result.engine
    about = {
        "engine.name": engine.name,
        "engine.version": engine.version,
        "engine.net": engine.net,
        "engine.options": json.dumps(engine.options, sort_keys=True),
        "labels.limits": ", ".join(dict.fromkeys(limit.text for limit in limits)),
        "labels.not_repeatable": ", ".join(
            dict.fromkeys(limit.text for limit in limits if not limit.repeatable)
        ),
        "labels.view": "White; centipawns; mates flagged, not converted",
    }
    parquet.write(result.labels, labels, spec=spec, extra=about)
    parquet.write(result.rejects, rejects, spec=spec, extra=about)


def first_bytes(shard: int, shards: int) -> tuple[int, int]:
    """Return the first and last value of an id's first byte in a shard (of at most 256)."""
    if not 0 <= shard < shards <= 256:
        raise ValueError(f"shard {shard} of {shards}: must be 0 to {shards - 1}, at most 256")
    first = -(-shard * 256 // shards)
    return first, -(-(shard + 1) * 256 // shards) - 1


def _scalar(byte: int, fill: bytes) -> pa.Scalar:
    return pa.scalar(bytes([byte]) + fill * 15, pa.binary(16))
