"""Stage evaluation.dataset: sampled positions joined with their labels, one row a position.

A position enters when it has a label at all three input depths and at the target limit; one
that the engine failed on at any of them is counted by the summary and left out. Split and Elo
are those of the game that owns the position.

Filters
-------
``mate``
    Drops positions where the target *or any input* is a mate score: a mate is no number of
    pawns. Inputs count in every scenario, also where a scenario does not show them, so that all
    scenarios are compared on the same positions.
``abs20``
    Drops those, and positions whose target is beyond 20 pawns either way; 20 itself stays.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from tabia.engines.config import Limit
from tabia.tables import parquet, schemas
from tabia.tables.spec import Spec, SpecError

__all__ = ["ABS_PAWNS", "DATASET", "DatasetError", "engine_of", "kept", "read", "run"]

ABS_PAWNS = 20.0
"""Largest absolute target, in pawns, that the ``abs20`` filter keeps."""

_CARRIED = ("position_id", "fen", "board", "game_id", "split", "phase", "ply", "first_elo",
            "second_elo", "played_by")  # fmt: skip

DATASET = pa.schema(
    [
        *(schemas.SAMPLE.field(name) for name in _CARRIED),
        pa.field("input_1", pa.float32()),  # pawns, White's view, shallowest; null = mate score
        pa.field("input_2", pa.float32()),
        pa.field("input_3", pa.float32()),  # deepest
        pa.field("target", pa.float32()),  # pawns, White's view; null = mate score
        pa.field("is_mate", pa.bool_(), nullable=False),  # target or any input is a mate score
        pa.field("keep_mate", pa.bool_(), nullable=False),
        pa.field("keep_abs20", pa.bool_(), nullable=False),
    ]
)
"""One row a labelled position, ordered by position_id."""


class DatasetError(ValueError):
    """Sample, labels and rejects do not belong together."""

    exit_code = 3


def run(
    spec: Spec, *, sample: Path, labels: list[Path], label_rejects: list[Path], dataset: Path
) -> None:
    """Write the dataset.

    Parameters
    ----------
    spec
        ``config`` holds ``labels`` with ``inputs`` (depths) and ``target``.
    sample, labels, label_rejects
        Tables SAMPLE, LABELS and LABEL_REJECTS of the schemas; labels and rejects by shard.

    Raises
    ------
    DatasetError
        If a sampled position has neither a label nor a reject at some limit, or if shards were
        labelled by different engines.
    """
    positions = parquet.read(sample).sort_by("position_id")
    wanted = spec.config["labels"]
    limits = [Limit(depth=depth).text for depth in wanted["inputs"]]
    limits.append(Limit.model_validate(wanted["target"]).text)
    rows = _join(_read(labels, schemas.LABELS), positions)
    failed = _join(_read(label_rejects, schemas.LABEL_REJECTS), positions)
    columns: dict[str, Any] = {name: positions[name] for name in _CARRIED}
    complete = np.ones(len(positions), np.bool_)
    is_mate = np.zeros(len(positions), np.bool_)
    for name, limit in zip(("input_1", "input_2", "input_3", "target"), limits, strict=True):
        values, mate, present = _values(rows, limit, len(positions))
        _account(positions, failed, limit, present)
        columns[name] = pa.array(values, pa.float32(), mask=mate | ~present)
        complete &= present
        is_mate |= mate
    target = columns["target"].to_numpy(zero_copy_only=False)
    columns["is_mate"] = is_mate
    columns["keep_mate"] = ~is_mate
    columns["keep_abs20"] = ~is_mate & (np.abs(target) <= ABS_PAWNS)
    table = pa.table([columns[name] for name in DATASET.names], names=DATASET.names)
    table = table.filter(pa.array(complete)).cast(DATASET).combine_chunks()
    parquet.write(table, dataset, spec=spec, extra=engine_of(labels))


def read(path: Path, filter_: str) -> pa.Table:
    """Read a dataset and return the rows that a filter (`mate`, `abs20`) keeps.

    Raises
    ------
    DatasetError
        If there is no such file, or it has not the columns of :data:`DATASET`.
    SpecError
        If the filter is unknown.
    """
    if f"keep_{filter_}" not in DATASET.names:
        raise SpecError(f"--spec: no filter is called {filter_!r}; there are mate and abs20")
    if not path.is_file():
        raise DatasetError(
            f"{path}: there is no such dataset; run the workflow, or `tabia evaluation dataset`"
        )
    table = parquet.read(path)
    for field in DATASET:
        if field.name not in table.column_names:
            raise DatasetError(
                f"{path}: no column {field.name}, this is no dataset of this version; make it anew"
                " by the workflow, or by `tabia evaluation dataset`"
            )
        found = table.schema.field(field.name).type
        if found != field.type:
            raise DatasetError(
                f"{path}: column {field.name} holds {found}, not {field.type}; make the dataset"
                " anew by the workflow, or by `tabia evaluation dataset`"
            )
    return kept(table, filter_)


def kept(dataset: pa.Table, filter_: str) -> pa.Table:
    """Return the rows of the dataset that a filter (`mate`, `abs20`) keeps."""
    return dataset.filter(dataset[f"keep_{filter_}"])


def _read(paths: list[Path], schema: pa.Schema) -> pa.Table:
    tables = [parquet.read(path, schema.names).cast(schema) for path in paths]
    return pa.concat_tables([schema.empty_table(), *tables])


def _join(rows: pa.Table, positions: pa.Table) -> pa.Table:
    """Add ``row``, the place in `positions`; drop what is not of this sample."""
    place = pc.index_in(rows["position_id"], positions["position_id"].combine_chunks())
    return rows.append_column("row", place).filter(pc.is_valid(place))


def _values(
    rows: pa.Table, limit: str, count: int
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Return pawns, whether it is a mate score, and whether there is a label, by position."""
    own = rows.filter(pc.equal(rows["limit"], limit))
    row = own["row"].to_numpy()
    if len(np.unique(row)) != len(row):
        raise DatasetError(f"labels: some positions have two labels at {limit}")
    values = np.full(count, np.nan, np.float32)
    values[row] = pc.divide(pc.cast(own["score_cp"], pa.float64()), 100.0).to_numpy()
    mate = np.zeros(count, np.bool_)
    mate[row] = pc.is_valid(own["mate"]).to_numpy()
    present = np.zeros(count, np.bool_)
    present[row] = True
    if np.isnan(values[present & ~mate]).any():
        raise DatasetError(f"labels: some positions have neither score nor mate at {limit}")
    return values, mate, present


def _account(
    positions: pa.Table, failed: pa.Table, limit: str, present: npt.NDArray[np.bool_]
) -> None:
    """Fail if a position is neither labelled nor rejected at `limit`: nothing is lost unseen."""
    accounted = present.copy()
    accounted[failed.filter(pc.equal(failed["limit"], limit))["row"].to_numpy()] = True
    lost = np.flatnonzero(~accounted)
    if len(lost):
        fen = positions["fen"][int(lost[0])]
        raise DatasetError(
            f"{len(lost)} sampled positions have neither a label nor a reject at {limit},"
            f" the first is {fen}; label the sample again"
        )


def engine_of(files: list[Path]) -> Mapping[str, str]:
    """Return who labelled, from the metadata of labels or of what was made from them.

    Raises
    ------
    DatasetError
        If `files` name different engines.
    """
    found: dict[str, str] = {}
    for path in files:
        metadata = pq.read_schema(path).metadata or {}
        for key, value in metadata.items():
            name, text = key.decode(), value.decode()
            if not name.startswith(("engine.", "labels.")):
                continue
            if found.setdefault(name, text) != text:
                raise DatasetError(
                    f"{path}: {name} is {text}, in other shards {found[name]};"
                    " label all shards with one engine"
                )
    return found
