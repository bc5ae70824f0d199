from pathlib import Path

import pyarrow as pa
import pytest

from tabia.report.audit import audit
from tabia.tables import parquet, results
from tabia.tables.results import Figure
from tests.report.conftest import Made

GOOD = Figure("mae", "pawns", 0.5, 0.4, 0.6, "95% bootstrap by game", 12, 345, "people")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    results.write(results.table(["m"], [(("a",), GOOD)]), tmp_path / "good.parquet", title="Good")
    return tmp_path


def spoil(folder: Path, **columns: object) -> None:
    """Write the good table again with some columns changed (None = left out), unchecked."""
    row: dict[str, object] = parquet.read(folder / "good.parquet").to_pylist()[0] | columns
    dropped = [name for name, value in columns.items() if value is None]
    parquet.write(pa.Table.from_pylist([row]).drop_columns(dropped), folder / "good.parquet")


def test_made_up_tables_pass(report: Made) -> None:
    assert audit(report.folder / "tables") == []


def test_a_good_table_passes(folder: Path) -> None:
    assert audit(folder) == []


@pytest.mark.parametrize("column", ["n_games", "n_positions", "lo", "hi", "interval", "unit"])
def test_a_table_without_n_or_interval_or_method_is_found(folder: Path, column: str) -> None:
    spoil(folder, **{column: None})
    assert audit(folder) == [f"good: no column {column}"]


@pytest.mark.parametrize(
    "columns", [{"lo": 0.7}, {"hi": float("nan")}, {"interval": ""}, {"n_games": 0}]
)
def test_a_figure_without_a_believable_interval_is_found(
    folder: Path, columns: dict[str, object]
) -> None:
    spoil(folder, **columns)
    assert len(audit(folder)) == 1


def test_missing_formats_are_found(folder: Path) -> None:
    (folder / "good.csv").unlink()
    (folder / "stray.md").write_text("# no table\n")
    assert audit(folder) == [
        "good: no good.csv beside it",
        "stray: stray.md without its Parquet file",
    ]


def test_a_broken_file_is_found(folder: Path) -> None:
    (folder / "good.parquet").write_bytes(b"PAR1 not")
    assert len(audit(folder)) == 1


def test_a_folder_without_tables_is_not_good(tmp_path: Path) -> None:
    assert audit(tmp_path) == [f"{tmp_path}: no result table"]
