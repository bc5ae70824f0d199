"""The imitation chapter's figures: what is drawn is what the tables hold."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from tabia.report import catalog
from tabia.report.figures.inputs import FigureError
from tabia.tables import parquet
from tests.report import made, made_imitation
from tests.report.conftest import Made, draw

FIGURES = [name for name in catalog.FIGURES if catalog.chapter_of(name) == "imitation"]
SHOWN = {"book", "xqsv", "resnet", "lightgbm", "one_net", "ensemble"}


def spec(report: Made, name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((report.folder / f"figures/{name}.json").read_text())
    return loaded


def rows(figure: dict[str, Any]) -> list[dict[str, Any]]:
    return [row for data in figure["datasets"].values() for row in data if "value" in row]


def table(report: Made, name: str, **wanted: object) -> list[dict[str, Any]]:
    found = parquet.read(report.folder / f"tables/imitation_{name}.parquet").to_pylist()
    return [row for row in found if all(row[key] == value for key, value in wanted.items())]


def test_games_stand_below_each_other_in_the_order_of_the_tables(report: Made) -> None:
    for name in FIGURES:
        panels = spec(report, name)["vconcat"]
        assert [panel["title"]["text"] for panel in panels] == ["xiangqi", "chess"]


def test_every_model_has_a_dot_in_every_bin(report: Made) -> None:
    drawn = rows(spec(report, "imitation_by_bin"))
    places = [(row["model"], row["tested_on"]) for row in drawn if len(row["tested_on"])]
    expected = sum(
        len(models) * (len(made_imitation.BINS[game]) + 1)
        for game, models in made_imitation.MODELS.items()
    )
    unfiltered = [row for row in drawn if not row["filtered"]]
    assert len(places) - len(unfiltered) == expected
    assert (
        len(unfiltered)
        == len(made_imitation.BINS["xiangqi"]) + len(made_imitation.BINS["chess"]) + 2
    )


def test_the_best_model_stands_on_top(report: Made) -> None:
    panel = spec(report, "imitation_by_bin")["vconcat"][0]
    order = panel["spec"]["layer"][0]["encoding"]["y"]["sort"]
    assert order[:3] == ["ensemble", "one_net", "lightgbm"]
    assert order[-1] == "xqsv, no filter"
    assert panel["facet"]["sort"] == ["all bins", *made_imitation.BINS["xiangqi"]]


def test_lines_over_bins_hold_the_whole_matrix(report: Made) -> None:
    drawn = rows(spec(report, "imitation_cross_bin"))
    found = {
        (row["model"], row["trained_on"], row["tested_on"]): row["value"]
        for row in drawn
        if row["trained_on"] in made_imitation.BINS["xiangqi"]
    }
    expected = {
        (row["model"], row["trained_on"], row["tested_on"]): pytest.approx(row["value"], rel=1e-5)
        for row in table(report, "models", game="xiangqi", metric="top_1")
        if row["trained_on"].startswith("(")
    }
    assert found == expected
    assert len(found) == 4 * 5 * 5
    own = [row for row in drawn if row["is_own"]]
    assert all(row["trained_on"] == row["tested_on"] for row in own)


def test_curves_have_every_k_and_p_of_the_most_telling_models(report: Made) -> None:
    figure = spec(report, "imitation_relaxed")
    drawn = rows(figure)
    assert len(drawn) == (len(SHOWN) + 2) * (10 + 11)
    assert {row["model"] for row in drawn} == SHOWN
    assert figure["title"]["subtitle"][-1] == (
        "in the table only: book_all, xqsv_all, xqsv_perfect"
    )
    (one,) = [row for row in drawn if (row["model"], row["at"]) == ("lightgbm", 3)]
    (kept,) = table(report, "models", model="lightgbm", tested_on="all bins", metric="top_3")
    assert one["value"] == pytest.approx(kept["value"], rel=1e-5)


def test_reliability_is_drawn_at_the_mean_confidence(report: Made) -> None:
    drawn = rows(spec(report, "imitation_calibration"))
    keys = {"game": "chess", "model": "one_net", "confidence": "(0.27,0.33]"}
    (hits,) = table(report, "calibration", **keys, metric="top_1")
    (sure,) = table(report, "calibration", **keys, metric="mean_confidence")
    panel = "one_net: ECE 8.0 %"
    (row,) = [r for r in drawn if (r["panel"], r["confidence"]) == (panel, "(0.27,0.33]")]
    assert row["value"] == pytest.approx(hits["value"], rel=1e-5)
    assert row["at"] == pytest.approx(sure["value"], rel=1e-5)


def test_the_ceiling_is_drawn_where_a_third_of_positions_come_up_again(report: Made) -> None:
    drawn = rows(spec(report, "imitation_by_ply"))
    ceilings = [row for row in drawn if row["model"] == "noise ceiling"]
    # Made-up shares of repeated positions: 0.95, 0.6, 0.25, …
    assert [row["part"] for row in ceilings] == [
        "0-9",
        "10-19",
    ]  # of both games: equal data are kept once
    assert ceilings[1]["below"] == pytest.approx(0.52)
    assert ceilings[1]["above"] == pytest.approx(0.61)
    early = {row["model"]: row["value"] for row in drawn if row["part"] == "0-9"}
    assert early["ensemble"] == pytest.approx(0.445 + 0.2)


def test_parts_by_ply_stand_in_order(report: Made) -> None:
    dots = spec(report, "imitation_by_ply")["vconcat"][0]["layer"][-1]
    assert dots["encoding"]["x"]["sort"] == list(made_imitation.PLIES)


@pytest.mark.parametrize("name", FIGURES)
def test_one_model_of_one_game_can_be_drawn(name: str, tmp_path: Path) -> None:
    folder = made.make(tmp_path, positions=40)
    for path in made.tables(folder):
        own = parquet.read(path)
        if path.stem.startswith("imitation") and "model" in own.column_names:
            wanted = [
                row["game"] == "chess" and row["model"] in ("one_net", None)
                for row in own.to_pylist()
            ]
            parquet.write(own.filter(pa.array(wanted)), path)
    json_file, svg = draw(folder, name, tmp_path)
    assert svg.read_text().startswith("<svg")
    loaded = json.loads(json_file.read_text())
    if name == "imitation_cross_bin":
        assert "No model was trained bin by bin." in json_file.read_text()
    else:
        assert [panel["title"]["text"] for panel in loaded["vconcat"]] == ["chess"]


def test_a_run_without_a_ceiling_draws_the_models_alone(tmp_path: Path) -> None:
    folder = made.make(tmp_path, positions=40)
    path = folder / "tables/imitation_ceiling.parquet"
    parquet.write(parquet.read(path).slice(0, 0), path)
    json_file, _ = draw(folder, "imitation_by_ply", tmp_path)
    drawn = rows(json.loads(json_file.read_text()))
    assert {row["model"] for row in drawn} == SHOWN


def test_two_figures_at_one_place_are_an_error(tmp_path: Path) -> None:
    folder = made.make(tmp_path, positions=40)
    path = folder / "tables/imitation_models.parquet"
    own = parquet.read(path)
    parquet.write(pa.concat_tables([own, own]), path)
    for name in ("imitation_by_bin", "imitation_cross_bin", "imitation_relaxed"):
        with pytest.raises(FigureError, match="two rows"):
            draw(folder, name, tmp_path)
