import os
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


def test_a_pipe_device_or_folder_is_never_replaced(tmp_path: Path) -> None:
    pipe, folder = tmp_path / "pipe", tmp_path / "folder"
    os.mkfifo(pipe)
    folder.mkdir()
    for path in (pipe, folder):
        with pytest.raises(parquet.OutputError, match="name a file to write"):
            parquet.write_text(path, "text")
    assert pipe.is_fifo()
    assert folder.is_dir()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["folder", "pipe"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link, pipe, to_pipe = (tmp_path / name for name in ("target", "link", "pipe", "p"))
    link.symlink_to(target)
    parquet.write_text(link, "text")
    assert link.is_symlink()
    assert target.read_text() == "text"
    os.mkfifo(pipe)
    to_pipe.symlink_to(pipe)
    with pytest.raises(parquet.OutputError):
        parquet.write_text(to_pipe, "text")
    assert to_pipe.is_symlink()
    assert pipe.is_fifo()


def test_a_file_in_the_place_of_a_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("text")
    for name in ("file/a", "file/a/b"):
        with pytest.raises(parquet.OutputError, match="is no folder"):
            parquet.write_text(tmp_path / name, "text")


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


@pytest.mark.parametrize("size", [0, 3, 100])
def test_a_table_cut_short_is_named(size: int, tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    parquet.write(TABLE, path)
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(parquet.DamagedTableError, match=r"table\.parquet: damaged") as raised:
        parquet.read(path)
    assert raised.value.exit_code == 3
    with pytest.raises(FileNotFoundError):
        parquet.read(tmp_path / "absent")
