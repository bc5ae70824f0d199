import json
import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from tabia.report import catalog
from tabia.report.figures.inputs import FigureError, by_interval
from tabia.tables import parquet, results
from tests.report import made
from tests.report.conftest import Made, draw

NAMES = list(catalog.FIGURES)


def spec(report: Made, name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((report.folder / f"figures/{name}.json").read_text())
    return loaded


def rows(figure: dict[str, Any]) -> list[dict[str, Any]]:
    """All data rows of a specification."""
    return [row for dataset in figure["datasets"].values() for row in dataset]


@pytest.mark.parametrize("name", NAMES)
def test_a_figure_says_what_it_shows_and_of_whom(report: Made, name: str) -> None:
    head = spec(report, name)["title"]
    assert head["text"]
    assert "engine play, not people" in head["subtitle"][0]
    assert re.search(r"\d+ (games|positions)", head["subtitle"][0])
    assert spec(report, name)["description"].startswith(head["text"])


@pytest.mark.parametrize("name", NAMES)
def test_a_figure_is_small_and_holds_its_data(report: Made, name: str) -> None:
    text = (report.folder / f"figures/{name}.json").read_text()
    assert len(text) < 1_000_000
    assert '"url"' not in text
    assert rows(json.loads(text))


@pytest.mark.parametrize("name", NAMES)
def test_drawing_again_gives_the_same_bytes(report: Made, name: str, tmp_path: Path) -> None:
    for path in draw(report.folder, name, tmp_path):
        assert path.read_bytes() == (report.folder / "figures" / path.name).read_bytes()


@pytest.mark.parametrize("name", NAMES)
def test_the_svg_needs_nothing_from_outside(report: Made, name: str) -> None:
    svg = (report.folder / f"figures/{name}.svg").read_text()
    assert svg.startswith("<svg")
    assert not re.search(r"href=|url\(['\"]?http|@import|@font-face|<script", svg)


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_table_gives_a_figure_that_says_so(name: str, tmp_path: Path) -> None:
    folder = made.make(tmp_path, positions=40)
    for table in catalog.FIGURES[name].tables:
        path = folder / f"tables/{table}.parquet"
        parquet.write(parquet.read(path).slice(0, 0), path)
    for path in made.predictions(folder):
        path.unlink()
    json_file, svg = draw(folder, name, tmp_path)
    assert re.search(r"No \w+ ", json_file.read_text())
    assert svg.read_text().startswith("<svg")


def test_accepted_and_rejected_add_up_to_what_was_found(report: Made) -> None:
    drawn = rows(spec(report, "records_games"))
    assert {row["source"] for row in drawn} == {"club", "palace", "sample"}
    assert sum(row["games"] for row in drawn if row["source"] == "club") == 827


@pytest.mark.parametrize(
    ("name", "counted"),
    [
        ("records_games", "1,654 games of chess · 827 games of xiangqi"),
        ("records_elo_bins", "1,485 games of chess · 1,485 games of xiangqi"),
    ],
)
def test_games_of_chess_and_xiangqi_are_not_added_up(report: Made, name: str, counted: str) -> None:
    assert spec(report, name)["title"]["subtitle"][0].startswith(counted)


def test_errors_are_drawn_with_their_intervals(report: Made) -> None:
    table = parquet.read(report.folder / "tables/evaluation_models.parquet").to_pylist()
    wanted = {
        (f"filter {row['filter']}", row["scenario"], row["model"]): row
        for row in table
        if row["metric"] == "mae" and row["split"] == "test" and row["split_by"] == "game"
    }
    drawn = rows(spec(report, "evaluation_models"))
    assert len(drawn) == len(wanted)
    for row in drawn:
        source = wanted[row["filter"], row["scenario"], row["model"]]
        for end in ("value", "lo", "hi"):
            assert row[end] == pytest.approx(source[end], rel=1e-5)


def test_two_rows_for_one_place_are_an_error(tmp_path: Path) -> None:
    folder = made.make(tmp_path, positions=40)
    path = folder / "tables/evaluation_models.parquet"
    table = parquet.read(path)
    parquet.write(pa.concat_tables([table, table]), path)
    with pytest.raises(FigureError, match="two rows"):
        draw(folder, "evaluation_models", tmp_path)


def test_predicted_positions_are_few_of_the_test_split_and_always_the_same(report: Made) -> None:
    drawn = rows(spec(report, "evaluation_predicted"))
    positions = [row for row in drawn if "t" in row]
    dataset = parquet.read(report.folder / "evaluation/dataset.parquet").to_pylist()
    tested = {row["fen"] for row in dataset if row["split"] == "test"}
    assert len(positions) == 200
    assert {row["fen"] for row in positions} <= tested


def test_predictions_of_the_first_seed_of_the_most_telling_models_are_drawn(report: Made) -> None:
    figure = spec(report, "evaluation_predicted")
    first = next(row for row in rows(figure) if "t" in row)
    shown = {"rbf", "best", "mlp_lm", "mlp_bitmap"}
    columns = [key for key in first if key not in ("t", "fen")]
    assert len(columns) == len({run[:3] for run in made.RUNS if run[2] in shown})
    assert [panel["title"]["text"] for panel in figure["vconcat"]] == [
        "filter abs20",
        "filter mate",
    ]
    calculated = figure["vconcat"][0]["transform"][-1]["calculate"]
    runs = json.loads(re.search(r"\((\{.*?\})\)", calculated)[1])  # type: ignore[index]
    dataset = parquet.read(report.folder / "evaluation/dataset.parquet").to_pylist()
    same = [row["position_id"] for row in dataset if row["fen"] == first["fen"]]
    found = {ident: {} for ident in same}  # type: dict[bytes, dict[str, float]]
    for column, (scenario, model, _) in runs.items():
        path = report.folder / f"evaluation/predictions/abs20/{scenario}/{model}/0.parquet"
        for row in parquet.read(path).to_pylist():
            if row["position_id"] in found:
                found[row["position_id"]][column] = row["predicted"]
    drawn = {column: first[column] for column in runs}
    assert any(pytest.approx(values, abs=0.0051) == drawn for values in found.values())


def test_an_error_that_would_stretch_the_scale_stands_at_its_end(tmp_path: Path) -> None:
    folder = made.make(tmp_path, positions=40)
    path = folder / "tables/evaluation_models.parquet"
    table = parquet.read(path).to_pylist()
    for row in table:
        if row["model"] == "mean":
            row |= {name: 50 * row[name] for name in ("value", "lo", "hi")}
    parquet.write(pa.Table.from_pylist(table), path)
    json_file, _ = draw(folder, "evaluation_models", tmp_path)
    drawn = [row for row in rows(json.loads(json_file.read_text())) if row["scenario"] == 3]
    beyond = [row for row in drawn if row["is_beyond"]]
    assert {row["model"] for row in beyond} == {"mean"}
    assert {row["at"] for row in beyond} == {max(row["hi"] for row in drawn if row not in beyond)}
    assert {row["label"] for row in beyond} == {"197.925", "152.250"}


@pytest.mark.parametrize("name", ["evaluation_models", "evaluation_by_elo", "evaluation_by_value"])
def test_what_leaks_is_drawn_in_a_figure_of_its_own(report: Made, name: str) -> None:
    places = [
        (row["filter"], row["scenario"], row["model"], row.get("bin"))
        for row in rows(spec(report, name))
    ]
    assert len(places) == len(set(places))
    drawn = rows(spec(report, "evaluation_split_by"))
    assert {row["split_by"] for row in drawn} == {"by game", "by position: leaks"}
    assert {row["model"] for row in drawn} == {"ridge", "rbf", "best"}


@pytest.mark.parametrize("name", ["elo", "phase", "value"])
def test_models_in_figures_by_bin_can_be_told_apart(report: Made, name: str) -> None:
    figure = spec(report, f"evaluation_by_{name}")
    shown = ["ridge", "lightgbm", "rbf", "mlp_lm", "mlp_bitmap", "best"]
    assert {row["model"] for row in rows(figure)} == set(shown)
    left = [line for line in figure["title"]["subtitle"] if line.startswith("in the table only")]
    assert left == ["in the table only: mean, engine_depth8, ridge_placement, cnn_planes"]


def test_filters_stand_in_the_order_of_the_table(report: Made) -> None:
    panels = spec(report, "evaluation_models")["vconcat"]
    assert [panel["facet"]["column"]["sort"] for panel in panels] == [
        ["filter mate", "filter abs20"]
    ] * 3


def test_many_points_are_cut_to_keep_the_file_small(report: Made, tmp_path: Path) -> None:
    folder = made.make(tmp_path, positions=30_000)
    json_file, _ = draw(folder, "evaluation_predicted", tmp_path, points=20_000)
    assert 500_000 < json_file.stat().st_size < 1_000_000


def test_bins_are_in_order_of_their_lower_end() -> None:
    names = ["none", "(1000,1200]", "(800,1000]"]
    assert by_interval(names) == ["(800,1000]", "(1000,1200]", "none"]
    assert by_interval(["32-63", "1-31", "128", "0"]) == ["0", "1-31", "32-63", "128"]


def test_people_and_mixed_games_are_named(tmp_path: Path) -> None:
    for players, said in (("people", "people's games"), ("engines and people", "engines and")):
        folder = made.make(tmp_path / players, positions=40, played_by=players)
        json_file, _ = draw(folder, "evaluation_models", tmp_path)
        assert said in json.loads(json_file.read_text())["title"]["subtitle"][0]


def test_result_tables_of_the_made_up_run_have_the_chapters_columns(report: Made) -> None:
    table = parquet.read(report.folder / "tables/evaluation_by_elo.parquet")
    assert results.key_columns(table)[-2:] == ["elo_bin_by", "elo_bin"]
