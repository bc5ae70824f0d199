"""Stage evaluation.labels with a real engine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tabia.engines.errors import EngineNotFoundError
from tabia.engines.uci import find_engine
from tabia.evaluation.labels import first_bytes, run
from tabia.tables.ids import position_id
from tabia.tables.schemas import LABEL_REJECTS, LABELS
from tabia.tables.spec import Spec

FENS = [
    f"{a or ''}k{7 - a or ''}/8/8/8/8/8/{b or ''}P{7 - b or ''}/7K w - -"
    for a in range(8)
    for b in range(4)
]
Stage = Callable[..., tuple[Path, Path]]


def spec(shard: int, shards: int, **changes: Any) -> Spec:
    labels = {"engine": {"hash_mb": 1}, "target": {"nodes": 500}, "shards": shards, **changes}
    return Spec("evaluation.labels", "revision 1", {"shard": str(shard)}, {"labels": labels})


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    try:
        find_engine("stockfish")
    except EngineNotFoundError as error:
        pytest.skip(str(error))
    rows = sorted((position_id(fen), fen) for fen in FENS)
    sample = pa.table(
        {
            "position_id": pa.array([ident for ident, _ in rows], pa.binary(16)),
            "fen": [fen for _, fen in rows],
        }
    )
    pq.write_table(sample, tmp_path / "sample.parquet")

    def call(spec: Spec, store: str = "store", threads: int = 1) -> tuple[Path, Path]:
        name = f"{spec.hash}-{store}-{threads}"
        labels, rejects = tmp_path / f"{name}-labels.parquet", tmp_path / f"{name}-rejects.parquet"
        run(
            spec,
            sample=tmp_path / "sample.parquet",
            labels=labels,
            rejects=rejects,
            store=tmp_path / store,
            threads=threads,
        )
        return labels, rejects

    return call


@pytest.mark.parametrize("shards", [1, 3, 7, 255, 256])
def test_shards_share_out_every_first_byte_once(shards: int) -> None:
    found = []
    for shard in range(shards):
        first, last = first_bytes(shard, shards)
        found += range(first, last + 1)
        assert all(byte * shards // 256 == shard for byte in range(first, last + 1))
    assert found == list(range(256))


@pytest.mark.engine
def test_shards_together_are_the_whole(stage: Stage) -> None:
    whole = pq.read_table(stage(spec(0, 1))[0])
    parts = [pq.read_table(stage(spec(k, 3), store="other")[0]) for k in range(3)]
    assert whole.schema.remove_metadata().equals(LABELS)
    assert whole.num_rows == len(FENS) * 4
    assert pa.concat_tables(part.replace_schema_metadata(None) for part in parts).equals(
        whole.replace_schema_metadata(None)
    )


@pytest.mark.engine
def test_stored_and_fresh_labels_make_the_same_bytes(stage: Stage) -> None:
    fresh = [path.read_bytes() for path in stage(spec(0, 2))]
    stored = [path.read_bytes() for path in stage(spec(0, 2), threads=2)]
    stage(spec(0, 2, inputs=[2, 3, 4]), store="mixed")
    mixed = [path.read_bytes() for path in stage(spec(0, 2), store="mixed")]
    assert fresh == stored == mixed


@pytest.mark.engine
def test_metadata_name_the_engine_and_its_limits(stage: Stage) -> None:
    labels, rejects = stage(spec(0, 2, target={"movetime_ms": 5}))
    metadata = pq.read_schema(labels).metadata
    assert metadata[b"engine.name"] == b"Stockfish"
    assert metadata[b"labels.limits"] == b"depth 2, depth 4, depth 8, movetime 5"
    assert metadata[b"labels.not_repeatable"] == b"movetime 5"
    assert b'"Hash": 1' in metadata[b"engine.options"]
    assert pq.read_schema(rejects).remove_metadata().equals(LABEL_REJECTS)


@pytest.mark.engine
def test_a_sample_with_wrong_ids_is_an_error(stage: Stage, tmp_path: Path) -> None:
    table = pq.read_table(tmp_path / "sample.parquet")
    wrong = table.set_column(1, "fen", pa.array(table["fen"].to_pylist()[::-1]))
    pq.write_table(wrong, tmp_path / "sample.parquet")
    with pytest.raises(ValueError, match="is not the id of FEN"):
        stage(spec(0, 1))
