"""The dataset, counted by hand on six positions."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from tabia.evaluation.dataset import DATASET, DatasetError, kept, run
from tabia.tables import parquet, schemas
from tests.evaluation.world import LABELS, LIMITS, spec, write_labels


def six(chapter: Path) -> pa.Table:
    """Six sampled positions, three with White to move and three with Black."""
    table = parquet.read(chapter / "sample.parquet")
    rows = table.to_pylist()
    white = [row for row in rows if " w " in row["fen"]][:3]
    black = [row for row in rows if " b " in row["fen"]][:3]
    return pa.Table.from_pylist([*white, *black], schemas.SAMPLE).sort_by("position_id")


def label(row: dict, limit: str, cp: int | None, mate: int | None = None) -> dict:
    keys = {name: row[name] for name in ("position_id", "fen")}
    return {**keys, "limit": limit, "score_cp": cp, "mate": mate, "depth": 1, "nodes": 1}


def build(folder: Path, sample: pa.Table, labels: list[dict], rejects: list[dict] = ()) -> pa.Table:
    parquet.write(sample, folder / "sample.parquet")
    write_labels(
        folder,
        pa.Table.from_pylist(labels, schemas.LABELS),
        pa.Table.from_pylist(list(rejects), schemas.LABEL_REJECTS),
    )
    run(
        spec("dataset", {"labels": LABELS}),
        sample=folder / "sample.parquet",
        labels=[folder / "labels.parquet"],
        label_rejects=[folder / "rejects.parquet"],
        dataset=folder / "dataset.parquet",
    )
    return parquet.read(folder / "dataset.parquet")


def test_filters_keep_what_they_should(chapter, tmp_path):
    sample = six(chapter)
    rows = sample.to_pylist()
    targets = [(100, None), (-2000, None), (2001, None), (None, 3), (None, 0), (50, None)]
    labels = [label(row, "nodes 1000", *target) for row, target in zip(rows, targets, strict=True)]
    for row in rows:
        labels += [label(row, limit, 10) for limit in LIMITS[:2]]
        # The last position has a mate at depth 8 only: it falls to the filter all the same.
        labels.append(label(row, "depth 8", *((None, -1) if row is rows[5] else (12, None))))
    table = build(tmp_path, sample, labels[::-1])
    assert table.schema.equals(DATASET)
    assert table["position_id"].to_pylist() == sample["position_id"].to_pylist()
    assert table["is_mate"].to_pylist() == [False, False, False, True, True, True]
    assert table["keep_mate"].to_pylist() == [True, True, True, False, False, False]
    assert table["keep_abs20"].to_pylist() == [True, True, False, False, False, False]
    assert table["target"].to_pylist() == pytest.approx([1, -20, 20.01, None, None, 0.5])
    assert table["input_1"].to_pylist() == pytest.approx([0.1] * 6)
    assert table["input_3"].to_pylist() == pytest.approx([0.12] * 5 + [None])
    assert len(kept(table, "mate")) == 3
    assert len(kept(table, "abs20")) == 2


def test_a_rejected_position_is_left_out(chapter, tmp_path):
    sample = six(chapter)
    rows = sample.to_pylist()
    labels = [label(row, limit, 10) for row in rows for limit in LIMITS]
    failed = labels.pop(2)  # depth 8 of the first
    keys = {name: failed[name] for name in ("position_id", "fen", "limit")}
    table = build(tmp_path, sample, labels, [{**keys, "reason": "engine_timeout", "detail": ""}])
    assert table["position_id"].to_pylist() == [row["position_id"] for row in rows[1:]]


def test_a_position_that_got_lost_is_an_error(chapter, tmp_path):
    sample = six(chapter)
    labels = [label(row, limit, 10) for row in sample.to_pylist() for limit in LIMITS]
    with pytest.raises(DatasetError, match="neither a label nor a reject at depth 4"):
        build(tmp_path, sample, [*labels[:1], *labels[2:]])


def test_labels_of_other_samples_do_not_enter(chapter, tmp_path):
    sample = six(chapter)
    labels = [label(row, limit, 10) for row in sample.to_pylist() for limit in LIMITS]
    other = {"position_id": b"x" * 16, "fen": "other"}
    assert len(build(tmp_path, sample, [*labels, label(other, "depth 2", 1)])) == 6


def test_target_and_input_may_share_a_limit(chapter, tmp_path):
    sample = six(chapter)
    labels = [label(row, limit, 10) for row in sample.to_pylist() for limit in LIMITS[:3]]
    parquet.write(sample, tmp_path / "sample.parquet")
    write_labels(tmp_path, pa.Table.from_pylist(labels, schemas.LABELS))
    run(
        spec("dataset", {"labels": LABELS | {"target": {"depth": 8}}}),
        sample=tmp_path / "sample.parquet",
        labels=[tmp_path / "labels.parquet"],
        label_rejects=[tmp_path / "rejects.parquet"],
        dataset=tmp_path / "dataset.parquet",
    )
    table = parquet.read(tmp_path / "dataset.parquet")
    assert table["target"].equals(table["input_3"])


def test_shards_of_different_engines_are_refused(chapter, tmp_path):
    sample = six(chapter)
    labels = [label(row, limit, 10) for row in sample.to_pylist() for limit in LIMITS]
    build(tmp_path, sample, labels)
    other = tmp_path / "other.parquet"
    parquet.write(schemas.LABELS.empty_table(), other, extra={"engine.name": "Another 2"})
    with pytest.raises(DatasetError, match=r"engine\.name is Another 2, in other shards Made up 1"):
        run(
            spec("dataset", {"labels": LABELS}),
            sample=tmp_path / "sample.parquet",
            labels=[tmp_path / "labels.parquet", other],
            label_rejects=[tmp_path / "rejects.parquet"],
            dataset=tmp_path / "dataset.parquet",
        )


def test_the_engine_is_named_in_the_metadata(chapter):
    import pyarrow.parquet as pq

    assert pq.read_schema(chapter / "dataset.parquet").metadata[b"engine.name"] == b"Made up 1"
