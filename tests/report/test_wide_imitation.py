"""The imitation chapter's wide tables: the paper's tables II to IV and figure 1 as a matrix."""

import re
from pathlib import Path

import pyarrow as pa
import pytest

from tabia.imitation import bins
from tabia.imitation.models.modules import MODELS
from tabia.report import catalog
from tabia.report.figures import imitation as figures
from tabia.report.models import (
    IMITATORS,
    TELLING_IMITATORS,
    imitator,
    most_telling_imitators,
)
from tabia.report.theme import colours, families
from tabia.report.wide_tables import imitation as cells
from tabia.report.wide_tables.layout import WideTable, from_json
from tabia.tables import parquet
from tests.report import made, made_imitation
from tests.report.conftest import Made, put_side_by_side

WIDE = [name for name in catalog.WIDE if catalog.chapter_of(name) == "imitation"]


def tables(layout: Path) -> dict[str, WideTable]:
    return {table.title: table for table in from_json(layout.read_text())}


def read(report: Made, name: str) -> dict[str, WideTable]:
    return tables(report.folder / f"tables/wide/{name}.json")


def column(table: WideTable, head: str, first: str) -> str:
    """Return the cell under `head` of the row that begins with `first`."""
    (row,) = [row for row in table.rows if row[0].text == first]
    return row[table.heads.index(head)].text


def source(report: Made, table: str, **wanted: object) -> dict[str, float]:
    rows = parquet.read(report.folder / f"tables/imitation_{table}.parquet").to_pylist()
    (row,) = [row for row in rows if all(row[key] == value for key, value in wanted.items())]
    found: dict[str, float] = row
    return found


def cell(row: dict[str, float]) -> str:
    value, lo, hi = (100 * row[name] for name in ("value", "lo", "hi"))
    return f"{value:.1f} [{lo:.1f}, {hi:.1f}]"


def test_structures_stand_by_bin_beside_their_accuracy(report: Made) -> None:
    table = read(report, "imitation_search")["xiangqi: xqsv, recurrent net, structure by search"]
    place = {"game": "xiangqi", "model": "xqsv", "trained_on": "(1100,1200]"}
    tested = source(report, "models", **place, tested_on="(1100,1200]", metric="top_1")
    decided = source(report, "structures", **place, metric="validation_top_1")
    shown = {head: column(table, head, "1100–1200") for head in table.heads}
    assert shown["test"] == cell(tested)
    assert shown["validation"] == cell(decided)
    assert [shown[head] for head in ("m", "RNN", "RDP", "BN", "#FC")] == [
        "10", "gru", "0.1", "yes", "1",
    ]  # fmt: skip
    assert shown["parameters"] == "1,234,567"


def test_a_net_shows_its_own_variables_only(report: Made) -> None:
    found = read(report, "imitation_search")
    residual = next(table for title, table in found.items() if "resnet" in title)
    assert residual.heads[3:6] == ("m", "blocks", "channels")
    assert not {"RNN", "RHD"} & set(residual.heads)
    pooled = next(table for title, table in found.items() if "xqsv_all" in title)
    assert [row[0].text for row in pooled.rows] == ["all bins"]


def test_models_stand_side_by_side_bin_by_bin(report: Made) -> None:
    table = read(report, "imitation_by_bin")["xiangqi: top-1 accuracy by Elo"]
    assert table.heads == (
        "model", "what it is", "1000–1100", "1100–1200", "1200–1300", "1300–1400", "1400–1500",
        "all bins", "more than xqsv",
    )  # fmt: skip
    names = [(row[0].text, row[1].text) for row in table.rows]
    assert [name for name, _ in names] == [
        "xqsv", "xqsv", "xqsv_all", "resnet", "xqsv_perfect", "book", "book_all", "lightgbm",
        "one_net", "ensemble",
    ]  # fmt: skip
    assert names[1][1] == "no legality filter"
    keys = {"game": "xiangqi", "tested_on": "all bins"}
    best = source(report, "models", **keys, model="ensemble", metric="top_1")
    assert column(table, "all bins", "ensemble") == cell(best)
    own = {"model": "xqsv", "trained_on": "(1200,1300]", "tested_on": "(1200,1300]"}
    unfiltered = source(report, "models", game="xiangqi", **own, metric="top_1_unfiltered")
    assert table.rows[1][table.heads.index("1200–1300")].text == cell(unfiltered)
    assert column(table, "more than xqsv", "ensemble") == "+17.5 [+15.5, +19.5]"
    assert "Best over all bins: ensemble." in table.notes[0]


def test_the_ceiling_is_told_by_bin_and_the_distance_by_model(report: Made) -> None:
    found = read(report, "imitation_by_bin")
    ceiling = found["xiangqi: noise ceiling by Elo"]
    assert column(ceiling, "1000–1100", "lower estimate") == "56.0 [54.0, 58.0]"
    distance = found["xiangqi: distance from the noise ceiling, all bins"]
    assert len(distance.rows) == len(made_imitation.MODELS["xiangqi"])
    keys = {"game": "xiangqi", "model": "one_net", "tested_on": "all bins"}
    left = source(report, "ceiling", **keys, metric="to_ceiling_above")
    assert column(distance, "more by the upper estimate", "one_net") == cell(left)


def test_relaxed_accuracy_is_of_all_bins_and_of_the_papers(report: Made) -> None:
    found = read(report, "imitation_relaxed")
    assert list(found) == [
        f"{game}: top-{letter} accuracy, {where}"
        for game, one in (("xiangqi", "Elo 1200–1300"), ("chess", "Elo 1400–1600"))
        for where in ("all bins", one)
        for letter in "kp"
    ]
    keys = {"game": "xiangqi", "model": "book", "trained_on": "own bin"}
    by_k, by_p = (found[f"xiangqi: top-{letter} accuracy, all bins"] for letter in "kp")
    assert [row[0].text for row in by_k.rows] == [str(k) for k in range(1, 11)]
    assert [row[0].text for row in by_p.rows] == [f"{p / 10:.1f}" for p in range(11)]
    assert column(by_k, "book", "3") == cell(source(report, "models", **keys, metric="top_3"))
    assert column(by_p, "book", "0.4") == cell(source(report, "models", **keys, metric="top_p_0.4"))


def test_the_matrix_has_a_row_a_bin_trained_on(report: Made) -> None:
    found = read(report, "imitation_cross_bin")
    assert list(found) == [f"xiangqi: {name}" for name in made_imitation.BY_BIN] + ["chess: xqsv"]
    keys = {"game": "xiangqi", "model": "xqsv", "metric": "top_1"}
    row = source(report, "models", **keys, trained_on="(1300,1400]", tested_on="(1000,1100]")
    assert column(found["xiangqi: xqsv"], "1000–1100", "1300–1400") == cell(row)


def test_notes_say_who_played_and_how_intervals_were_found(report: Made) -> None:
    for name in WIDE:
        for table in read(report, name).values():
            assert "Played by engines." in table.notes[-1]
            assert re.search(r"In brackets: 95% \w+", table.notes[0])


@pytest.mark.parametrize("name", WIDE)
def test_a_run_without_models_gives_no_table(name: str, tmp_path: Path) -> None:
    folder = made.make(tmp_path, positions=40)
    for path in made.tables(folder):
        parquet.write(parquet.read(path).slice(0, 0), path)
    assert from_json(put_side_by_side(folder, name, tmp_path).read_text()) == []


def keep(folder: Path, *models: str | None) -> None:
    """Leave only rows of chess and of `models` in the tables."""
    for path in made.tables(folder):
        rows = parquet.read(path)
        if path.stem.startswith("imitation") and "model" in rows.column_names:
            own = [row["game"] == "chess" and row["model"] in models for row in rows.to_pylist()]
            parquet.write(rows.filter(pa.array(own)), path)


def test_one_model_for_all_elos_alone_has_no_matrix_and_no_rival(tmp_path: Path) -> None:
    folder = made.make(tmp_path, positions=40)
    keep(folder, "one_net", None)
    path = folder / "tables/imitation_differences.parquet"
    parquet.write(parquet.read(path).slice(0, 0), path)
    found = {name: tables(put_side_by_side(folder, name, tmp_path)) for name in WIDE}
    assert found["imitation_search"] == found["imitation_cross_bin"] == {}
    table = found["imitation_by_bin"]["chess: top-1 accuracy by Elo"]
    assert table.heads == ("model", "what it is", "1400–1600", "1600–1800", "all bins")
    assert [row[0].text for row in table.rows] == ["one_net"]


def test_the_report_knows_every_model_of_the_chapter() -> None:
    assert list(IMITATORS) == list(MODELS)
    assert set(TELLING_IMITATORS) == set(MODELS)
    assert len(TELLING_IMITATORS) == len(MODELS)
    assert imitator("new").family == "other"
    assert most_telling_imitators([*MODELS, "new"], 3) == ["xqsv", "one_net", "ensemble"]


def test_the_report_names_pooled_bins_as_the_chapter_does() -> None:
    assert (cells.OWN, cells.ALL_BINS) == (bins.OWN, bins.ALL_BINS)
    assert (figures.OWN, figures.ALL_BINS) == (bins.OWN, bins.ALL_BINS)


def test_imitators_in_one_figure_have_different_colours() -> None:
    names, shown = colours(most_telling_imitators(MODELS, figures.MOST))
    assert len(set(shown)) == len(names) == figures.MOST
    kinds = dict.fromkeys(imitator(name).family for name in [*MODELS, "new"])
    assert len(set(families(kinds)[1])) == len(kinds)
