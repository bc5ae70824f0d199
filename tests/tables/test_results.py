from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from tabia.tables import parquet, results
from tabia.tables.results import Figure, ResultTableError, exact

MAE = Figure("mae", "pawns", 0.51234, 0.4, 0.61, "95% bootstrap by game", 12, 345, "people")
GAMES = exact("games", 1234, unit="games", n_games=1234, n_positions=None, played_by="engines")


def table(*figures: Figure) -> pa.Table:
    return results.table(["model"], [(("a|b",), figure) for figure in figures])


def test_csv_and_markdown_stand_beside_the_parquet_file(tmp_path: Path) -> None:
    path = tmp_path / "tables" / "example.parquet"
    results.write(table(MAE, GAMES), path, title="An example")
    assert path.with_suffix(".csv").read_text() == (
        "model,metric,unit,value,lo,hi,interval,n_games,n_positions,played_by\n"
        "a|b,mae,pawns,0.51234,0.4,0.61,95% bootstrap by game,12,345,people\n"
        "a|b,games,games,1234.0,1234.0,1234.0,exact count,1234,,engines\n"
    )
    assert path.with_suffix(".md").read_text() == (
        "# An example\n"
        "\n"
        "| model | metric | value [lo, hi] | unit | games | positions | played by |\n"
        "| --- | --- | --- | --- | --- | --- | --- |\n"
        "| a\\|b | mae | 0.5123 [0.4, 0.61] | pawns | 12 | 345 | people |\n"
        "| a\\|b | games | 1,234 | games | 1,234 |  | engines |\n"
        "\n"
        "Interval: 95% bootstrap by game.\n"
        "\n"
        "Figures without an interval are exact counts.\n"
    )
    assert parquet.read(path).to_pylist() == table(MAE, GAMES).to_pylist()


def test_markdown_says_how_several_intervals_were_found_once_each(tmp_path: Path) -> None:
    other = replace(MAE, interval="range over 3 measurements")
    results.write(table(MAE, other, MAE), tmp_path / "t.parquet", title="T")
    lines = (tmp_path / "t.md").read_text().splitlines()
    assert lines[2].endswith("| positions | interval |")
    assert [line.split("|")[-2].strip() for line in lines[4:7]] == ["1", "2", "1"]
    assert lines[7:] == [
        "",
        "Intervals:",
        "",
        "1. 95% bootstrap by game",
        "2. range over 3 measurements",
        "",
        "Played by people.",
    ]


def test_the_same_table_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        results.write(table(MAE), tmp_path / name / "t.parquet", title="T")
    for suffix in (".parquet", ".csv", ".md"):
        one = (tmp_path / "one/t").with_suffix(suffix).read_bytes()
        assert one == (tmp_path / "two/t").with_suffix(suffix).read_bytes()


@pytest.mark.parametrize("column", results.FIGURE.names)
def test_a_table_without_a_column_of_the_figure_fails(column: str) -> None:
    with pytest.raises(ResultTableError, match=f"no column {column}"):
        results.check(table(MAE).drop_columns([column]), "t")


@pytest.mark.parametrize("column", ["value", "lo", "hi", "interval", "n_games", "played_by"])
def test_a_figure_that_lacks_something_fails(column: str) -> None:
    good = table(MAE, MAE)
    index = good.column_names.index(column)
    hole = pa.array([good[column][0].as_py(), None], good[column].type)
    with pytest.raises(ResultTableError, match=f"row 1 has no {column}"):
        results.check(good.set_column(index, column, hole), "t")


@pytest.mark.parametrize(
    ("figure", "message"),
    [
        (replace(MAE, lo=0.6), "outside"),
        (replace(MAE, value=float("nan")), "not a finite number"),
        (replace(MAE, hi=float("inf")), "not a finite number"),
        (replace(MAE, interval=" "), "method is empty"),
        (replace(MAE, n_games=0), "from no game"),
        (replace(GAMES, lo=1.0), "exact count has no interval"),
    ],
)
def test_a_figure_that_cannot_be_true_fails(figure: Figure, message: str) -> None:
    with pytest.raises(ResultTableError, match=f"t: row 0: .*{message}"):
        results.check(table(figure), "t")


def test_a_bad_table_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(ResultTableError):
        results.write(table(replace(MAE, lo=0.6)), tmp_path / "t.parquet", title="T")
    assert list(tmp_path.iterdir()) == []


def test_an_empty_table_keeps_its_columns() -> None:
    empty = results.table(["model", "split"], [])
    results.check(empty, "t")
    assert empty.column_names == ["model", "split", *results.FIGURE.names]


def test_keys_without_any_value_are_text() -> None:
    assert results.table(["reason"], [((None,), MAE)]).schema.field("reason").type == pa.string()


def test_rows_must_have_a_value_for_every_key() -> None:
    with pytest.raises(ResultTableError, match="row 0"):
        results.table(["model", "split"], [(("mean",), MAE)])


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0"), (1234567.0, "1,234,567"), (0.123456, "0.1235"), (98765.4, "98,765")],
)
def test_numbers_are_cut_for_readers(value: float, text: str) -> None:
    assert results.number(value) == text
