from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tabia.tables import parquet
from tabia.tables.spec import Spec

TABLE = pa.table({"a": [1, 2, 3]})


def fail_half_way(path: Path) -> None:
    with parquet.atomic_path(path) as unfinished:
        unfinished.write_text("half")
        raise RuntimeError


def fail_between_row_groups(path: Path) -> None:
    with parquet.writer(TABLE.schema, path) as out:
        out.write_table(TABLE)
        raise RuntimeError


def test_a_failed_write_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError):
        fail_half_way(tmp_path / "new.txt")
    assert list(tmp_path.iterdir()) == []


def test_a_failed_write_keeps_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    parquet.write_text(path, "old")
    with pytest.raises(RuntimeError):
        fail_half_way(path)
    assert [p.name for p in tmp_path.iterdir()] == ["file.txt"]
    assert path.read_text() == "old"


def test_the_file_is_not_there_before_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    with parquet.writer(TABLE.schema, path) as out:
        out.write_table(TABLE)
        assert not path.exists()
    assert parquet.read(path).equals(TABLE)


def test_a_failed_table_writer_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError):
        fail_between_row_groups(tmp_path / "table.parquet")
    assert list(tmp_path.iterdir()) == []


def test_equal_tables_have_equal_bytes_and_say_where_they_come_from(tmp_path: Path) -> None:
    spec = Spec("records.games", "abc", {"shard": "0"}, {"x": 1})
    for name in ("a", "b"):
        parquet.write(TABLE, tmp_path / name, spec=spec, extra={"engine.name": "Stockfish"})
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    metadata = pq.read_schema(tmp_path / "a").metadata
    assert metadata[b"tabia.stage"] == b"records.games"
    assert metadata[b"engine.name"] == b"Stockfish"
    assert metadata[b"tabia.schema_version"] == parquet.SCHEMA_VERSION.encode()
    assert Spec.parse(metadata[b"tabia.spec"].decode()) == spec


def test_only_the_columns_asked_for_are_read(tmp_path: Path) -> None:
    parquet.write(pa.table({"a": [1], "b": [2]}), tmp_path / "t.parquet")
    assert parquet.read(tmp_path / "t.parquet", ["b"]).column_names == ["b"]
