import json
from pathlib import Path

import pyarrow as pa
import pytest

from tabia.app.commands.sql import SqlError, sql
from tabia.report import database
from tabia.tables import parquet, results
from tabia.tables.results import Figure
from tabia.tables.spec import Spec

MAE = Figure("mae", "pawns", 0.5, 0.4, 0.6, "95% bootstrap by game", 12, 345, "people")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The database of a small results folder."""
    folder = tmp_path / "project" / "results"
    results.write(
        results.table(["model"], [(("mean",), MAE)]),
        folder / "tables/evaluation_models.parquet",
        title="Errors of each model",
    )
    for shard in (0, 1):
        labels = pa.table({"position_id": pa.array([bytes([shard]) * 16], pa.binary(16))})
        parquet.write(labels, folder / f"evaluation/labels/{shard}.parquet")
    database.run(
        Spec("report.database", "mark"),
        tables=[folder / "tables/evaluation_models.parquet"],
        parquet=[folder / f"evaluation/labels/{shard}.parquet" for shard in (0, 1)],
        database=folder / "tabia.duckdb",
    )
    return folder / "tabia.duckdb"


def test_rows_are_printed_with_tabs_where_no_terminal_reads(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sql("SELECT model, value, NULL AS nothing FROM evaluation_models", database=project)
    assert capsys.readouterr().out == "model\tvalue\tnothing\nmean\t0.5\t\n"


def test_a_terminal_gets_a_framed_table(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    sql("SELECT model, value FROM evaluation_models", database=project)
    out = capsys.readouterr().out
    assert "─" in out
    assert "1 row" in out


def test_json_is_a_list_of_objects(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    query = (
        "SELECT model, value, 'nan'::DOUBLE AS undefined, DATE '2026-01-02' AS day,"
        " 1.5::DECIMAL(4, 1) AS half, [1, 2] AS list, sum(1) AS one FROM evaluation_models"
        " GROUP BY ALL"
    )
    sql(query, database=project, as_json=True)
    assert json.loads(capsys.readouterr().out) == [
        {
            "model": "mean",
            "value": 0.5,
            "undefined": None,
            "day": "2026-01-02",
            "half": 1.5,
            "list": [1, 2],
            "one": 1,
        }
    ]


def test_json_keeps_columns_of_one_name(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sql("SELECT 1 AS a, 2 AS a", database=project, as_json=True)
    assert json.loads(capsys.readouterr().out) == [{"a": 1, "a_2": 2}]


def test_csv_has_a_head(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sql("SELECT model, 'a,b' AS text FROM evaluation_models", database=project, as_csv=True)
    assert capsys.readouterr().out == 'model,text\nmean,"a,b"\n'


def test_without_a_query_the_tables_are_listed(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sql(database=project, as_json=True)
    assert json.loads(capsys.readouterr().out) == [
        {"name": "evaluation_models", "rows": 1, "comment": "Errors of each model"},
        {
            "name": "labels",
            "rows": 2,
            "comment": "One row a position and engine limit: the engine's value.",
        },
    ]


def test_views_are_found_from_anywhere(
    project: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    # Another project's results lie where the user stands; they are not read.
    parquet.write(pa.table({"x": [1]}), tmp_path / "results/evaluation/labels/0.parquet")
    monkeypatch.chdir(tmp_path)
    sql(
        "SELECT position_id FROM labels ORDER BY ALL",
        database=Path("project/results") / project.name,
    )
    assert capsys.readouterr().out == f"position_id\n{'00' * 16}\n{'01' * 16}\n"


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("", "the query is empty"),
        (" ; -- nothing", "the query is empty"),
        ("SELEC 1", "syntax error"),
        ("SELECT * FROM gamez", "(?s)gamez does not exist.*without a query lists the tables"),
        ("SELECT nope FROM labels", '"nope" not found'),
        ("DROP VIEW labels", "read-only"),
        ("SELECT 'x'::INTEGER", "Could not convert"),
    ],
)
def test_a_query_that_fails_says_why(project: Path, query: str, message: str) -> None:
    with pytest.raises(SqlError, match=message) as raised:
        sql(query, database=project)
    assert raised.value.exit_code == 2


def test_a_missing_database_names_the_command_that_makes_it(tmp_path: Path) -> None:
    with pytest.raises(SqlError, match=r"snakemake results/tabia\.duckdb"):
        sql("SELECT 1", database=tmp_path / "tabia.duckdb")


def test_a_query_that_names_its_files_needs_no_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    parquet.write(pa.table({"x": [1, 2]}), tmp_path / "look/games.parquet")
    sql("SELECT sum(x) AS s FROM 'look/games.parquet'", as_csv=True)
    assert capsys.readouterr().out == "s\n3\n"
    assert not (tmp_path / "results").exists()
    with pytest.raises(
        SqlError, match=r"(?s)games does not exist.*snakemake results/tabia\.duckdb"
    ):
        sql("SELECT * FROM games")
    with pytest.raises(SqlError, match="no such database"):
        sql()
    with pytest.raises(SqlError, match=r'pattern "none\.parquet"$'):
        sql("SELECT * FROM 'none.parquet'")


def test_a_missing_file_of_the_query_is_not_taken_for_a_views(project: Path) -> None:
    with pytest.raises(SqlError, match=r'pattern "none\.parquet"$'):
        sql("SELECT * FROM 'none.parquet'", database=project)


def test_another_file_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "tabia.duckdb").write_text("not a database " * 1000)
    with pytest.raises(SqlError, match="not a DuckDB database"):
        sql("SELECT 1", database=tmp_path / "tabia.duckdb")


def test_missing_parquet_files_are_explained(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project.parent / "evaluation/labels/1.parquet").unlink()
    with pytest.raises(SqlError, match="Parquet files are missing"):
        sql("SELECT * FROM labels", database=project)
    sql(database=project, as_json=True)
    listed = {row["name"]: row["rows"] for row in json.loads(capsys.readouterr().out)}
    assert listed == {"evaluation_models": 1, "labels": None}


def test_json_and_csv_exclude_each_other(project: Path) -> None:
    with pytest.raises(SqlError, match="one of"):
        sql("SELECT 1", database=project, as_json=True, as_csv=True)
