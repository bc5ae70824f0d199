"""The label store: what is written is found, whatever happened meanwhile."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tabia.engines.answers import Analysis
from tabia.engines.store import STORED, EngineIdentity, LabelStore, LabelStoreError, export
from tabia.tables.parquet import DamagedTableError

ENGINE = EngineIdentity("Stockfish", "15.1", "nn.nnue", {"Hash": 1, "MultiPV": 2}, 1)
OTHER = EngineIdentity("Stockfish", "16", "nn.nnue", {"Hash": 1, "MultiPV": 2}, 1)
LABEL = Analysis(-13, None, "e2e4", None, -4, "d2d4", 8, 12345)
MATED = Analysis(None, 0, None, None, None, None, 0, 0)


def ident(number: int) -> bytes:
    return bytes([number]) * 16


def row(number: int, limit: str, analysis: Analysis) -> dict[str, object]:
    return dict(zip(STORED.names, (ident(number), limit, *analysis), strict=True))


def fill(root: Path, engine: EngineIdentity, *numbers: int, limit: str = "depth 8") -> None:
    with LabelStore(root, engine).journal() as journal:
        journal.add((ident(number), limit, LABEL) for number in numbers)


def test_labels_come_back_sorted_with_their_nulls(tmp_path: Path) -> None:
    with LabelStore(tmp_path, ENGINE).journal() as journal:
        journal.add([(ident(9), "depth 8", LABEL)])
        journal.add([(ident(3), "depth 8", MATED), (ident(3), "depth 2", LABEL)])
    found = LabelStore(tmp_path, ENGINE).read()
    assert found.schema.equals(STORED)
    assert found.to_pylist() == [
        row(3, "depth 2", LABEL),
        row(3, "depth 8", MATED),
        row(9, "depth 8", LABEL),
    ]


def test_a_running_job_is_readable_by_others(tmp_path: Path) -> None:
    with LabelStore(tmp_path, ENGINE).journal() as journal:
        journal.add([(ident(1), "depth 8", LABEL)])
        assert LabelStore(tmp_path, ENGINE).read().num_rows == 1
        assert not list(tmp_path.glob("*/segments/*"))


def test_a_finished_job_leaves_one_segment_and_no_journal(tmp_path: Path) -> None:
    fill(tmp_path, ENGINE, 5, 4)
    assert not list(tmp_path.glob("*/journals/*"))
    (segment,) = tmp_path.glob("*/segments/*")
    assert pq.read_table(segment)["position_id"].to_pylist() == [ident(4), ident(5)]


def test_an_idle_job_leaves_nothing(tmp_path: Path) -> None:
    fill(tmp_path, ENGINE)
    assert not list(tmp_path.glob("*/*/*"))


@pytest.mark.parametrize("cut", [2, 20, 60])
def test_a_line_cut_short_is_no_label(tmp_path: Path, cut: int) -> None:
    journal = LabelStore(tmp_path, ENGINE).journal()
    journal.add([(ident(1), "depth 8", LABEL), (ident(2), "depth 8", LABEL)])
    (path,) = tmp_path.glob("*/journals/*")
    path.write_bytes(path.read_bytes()[:-cut])
    assert LabelStore(tmp_path, ENGINE).read().to_pylist() == [row(1, "depth 8", LABEL)]


def test_a_damaged_line_in_the_middle_costs_only_itself(tmp_path: Path) -> None:
    journal = LabelStore(tmp_path, ENGINE).journal()
    journal.add((ident(number), "depth 8", LABEL) for number in (1, 2, 3))
    (path,) = tmp_path.glob("*/journals/*")
    lines = path.read_bytes().split(b"\n")
    lines[1] = b"\0" * len(lines[1])
    path.write_bytes(b"\n".join(lines))
    found = LabelStore(tmp_path, ENGINE).read()
    assert found["position_id"].to_pylist() == [ident(1), ident(3)]


def test_engines_do_not_see_each_others_labels(tmp_path: Path) -> None:
    fill(tmp_path, ENGINE, 1)
    fill(tmp_path, OTHER, 2)
    assert LabelStore(tmp_path, ENGINE).read()["position_id"].to_pylist() == [ident(1)]
    assert LabelStore(tmp_path, OTHER).read()["position_id"].to_pylist() == [ident(2)]
    assert {path.read_text() for path in tmp_path.glob("*/engine.json")} == {
        ENGINE.text,
        OTHER.text,
    }


def test_a_range_holds_both_ends(tmp_path: Path) -> None:
    fill(tmp_path, ENGINE, 1, 2, 3, 4)
    journal = LabelStore(tmp_path, ENGINE).journal()
    journal.add((ident(number), "depth 2", LABEL) for number in (1, 2, 3, 4))
    found = LabelStore(tmp_path, ENGINE).read(ident(2), ident(3))
    assert found["position_id"].to_pylist() == [ident(2), ident(2), ident(3), ident(3)]


def test_the_same_label_from_two_jobs_is_one_row(tmp_path: Path) -> None:
    fill(tmp_path, ENGINE, 1, 2)
    fill(tmp_path, ENGINE, 2, 3)
    found = LabelStore(tmp_path, ENGINE).read()
    assert found["position_id"].to_pylist() == [ident(1), ident(2), ident(3)]


def test_further_stores_are_read_and_never_written(tmp_path: Path) -> None:
    fill(tmp_path / "shared", ENGINE, 1)
    before = sorted(tmp_path.glob("shared/**/*"))
    store = LabelStore(tmp_path / "own", ENGINE, [tmp_path / "shared"])
    with store.journal() as journal:
        journal.add([(ident(2), "depth 8", LABEL)])
    assert store.read()["position_id"].to_pylist() == [ident(1), ident(2)]
    assert sorted(tmp_path.glob("shared/**/*")) == before


def test_an_export_holds_no_fens_and_is_a_store(tmp_path: Path) -> None:
    fill(tmp_path / "store", ENGINE, 2, 1)
    fill(tmp_path / "store", ENGINE, 1, limit="movetime 500")
    file = tmp_path / "public" / "labels.parquet"
    exported = export(tmp_path / "store", file)
    assert exported["limit"].to_pylist() == ["depth 8", "depth 8"]  # the clock does not repeat
    assert "fen" not in pq.read_schema(file).names
    for place in (file, file.parent):
        store = LabelStore(tmp_path / "own", ENGINE, [place])
        assert store.read()["position_id"].to_pylist() == [ident(1), ident(2)]
        assert LabelStore(tmp_path / "own", OTHER, [place]).read().num_rows == 0


def test_equal_stores_export_equal_bytes(tmp_path: Path) -> None:
    fill(tmp_path / "a", ENGINE, 1, 2, 3)
    fill(tmp_path / "b", ENGINE, 3)
    fill(tmp_path / "b", ENGINE, 2, 1)
    for name in "ab":
        export(tmp_path / name, tmp_path / f"{name}.parquet")
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()


def test_a_limit_taken_by_the_clock_is_exported_only_if_asked_for(tmp_path: Path) -> None:
    fill(tmp_path / "store", ENGINE, 1, limit="movetime 500")
    exported = export(tmp_path / "store", tmp_path / "out.parquet", limits=["movetime 500"])
    assert exported.num_rows == 1


def test_a_store_of_two_engines_is_exported_by_name(tmp_path: Path) -> None:
    fill(tmp_path / "store", ENGINE, 1)
    fill(tmp_path / "store", OTHER, 2)
    with pytest.raises(LabelStoreError, match=f"2 engines; name one: .*{ENGINE.key}"):
        export(tmp_path / "store", tmp_path / "out.parquet")
    exported = export(tmp_path / "store", tmp_path / "out.parquet", engine=OTHER.key)
    assert exported["position_id"].to_pylist() == [ident(2)]


def test_a_store_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(LabelStoreError, match="does not exist"):
        LabelStore(tmp_path, ENGINE, [tmp_path / "nowhere"])


def test_a_folder_that_is_no_store_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(LabelStoreError, match="neither exported labels"):
        LabelStore(tmp_path, ENGINE, [tmp_path])


def test_a_segment_cut_short_is_named(tmp_path: Path) -> None:
    fill(tmp_path, ENGINE, 1)
    (segment,) = tmp_path.glob("*/segments/*")
    segment.write_bytes(segment.read_bytes()[:50])
    with pytest.raises(DamagedTableError, match=segment.name):
        LabelStore(tmp_path, ENGINE).read()


def test_a_store_that_does_not_name_its_engine_is_not_exported(tmp_path: Path) -> None:
    fill(tmp_path, ENGINE, 1)
    for text in ("", "[]", '{"name": "x"}'):
        (tmp_path / ENGINE.key / "engine.json").write_text(text)
        with pytest.raises(LabelStoreError, match="does not describe an engine"):
            export(tmp_path, tmp_path / "out.parquet")
