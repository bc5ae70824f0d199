import re
from pathlib import Path

import pytest

from tabia.evaluation.models.modules import INPUTS
from tabia.report import catalog
from tabia.report.models import FAMILY_OF, TELLING, family, most_telling
from tabia.report.wide_tables.layout import Cell, WideTable, from_json, markdown, to_json
from tabia.tables import parquet
from tests.report import made
from tests.report.conftest import Made, put_side_by_side

Line = dict[str, str]
EVALUATION = [name for name in catalog.WIDE if catalog.chapter_of(name) == "evaluation"]


def lines(text: str) -> list[list[Line]]:
    """Rows by head of every table of a Markdown text."""
    tables = []
    for block in re.findall(r"(?:^\|.*\n)+", text, re.M):
        cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in block.splitlines()]
        tables.append([dict(zip(cells[0], row, strict=True)) for row in cells[2:]])
    return tables


def read(report: Made, name: str) -> str:
    return (report.folder / f"tables/wide/{name}.md").read_text()


def source(report: Made, table: str, **wanted: object) -> dict[str, object]:
    rows = parquet.read(report.folder / f"tables/evaluation_{table}.parquet").to_pylist()
    (row,) = [row for row in rows if all(row[key] == value for key, value in wanted.items())]
    found: dict[str, object] = row
    return found


def test_errors_stand_side_by_side_as_in_their_table(report: Made) -> None:
    mate = lines(read(report, "evaluation_paper"))[0]
    (line,) = [row for row in mate if (row["scenario"], row["model"]) == ("3", "`rbf`")]
    for head, metric, split in (
        ("MAE validation", "mae", "validation"),
        ("MAE test", "mae", "test"),
        ("R² test", "r2", "test"),
        ("sign agreement test", "sign_agreement", "test"),
    ):
        keys = {"filter": "mate", "scenario": 3, "model": "rbf", "split_by": "game"}
        row = source(report, "models", metric=metric, split=split, **keys)
        assert line[head] == f"{row['value']:.3f} [{row['lo']:.3f}, {row['hi']:.3f}]"
    assert (line["seeds"], line["nodes"], line["fuzzy sets"]) == ("1", "500", "12")


def test_a_model_with_several_seeds_has_a_mean_and_a_best(report: Made) -> None:
    mate = lines(read(report, "evaluation_paper"))[0]
    own = [row for row in mate if (row["scenario"], row["model"]) == ("1", "`mlp_lm`")]
    assert [row["seeds"] for row in own] == ["mean of 2", "best of 2"]
    keys = {"filter": "mate", "scenario": 1, "model": "mlp_lm", "split": "test"}
    best = source(report, "models", metric="mae_best_seed", **keys)
    assert own[1]["MAE test"].startswith(f"{best['value']:.3f} ")
    assert own[0]["MAE test"] != own[1]["MAE test"]


def test_there_is_a_table_for_each_filter_and_a_row_for_each_run(report: Made) -> None:
    for name in EVALUATION:
        tables = lines(read(report, name))
        titles = re.findall(r"^## (.*)$", read(report, name), re.M)
        assert [title.split("filter ")[1] for title in titles] == [
            "mate (the paper's table 3)",
            "abs20 (the paper's table 4)",
        ]
        for rows in tables:
            plain = [row for row in rows if not row["seeds"].startswith("best")]
            assert len(plain) == len(made.RUNS) / 2
            assert [row["scenario"] for row in rows] == sorted(row["scenario"] for row in rows)


def test_leaking_rows_stand_last_in_their_scenario_and_say_so(report: Made) -> None:
    for name in EVALUATION:
        for rows in lines(read(report, name)):
            for scenario in "123":
                own = [row["model"] for row in rows if row["scenario"] == scenario]
                assert own[-3:] == [
                    f"`{model}`, split by position: leaks" for model in ("ridge", "rbf", "best")
                ]
                assert not any("leaks" in model for model in own[:-3])
    assert "are not comparable with the others" in read(report, "evaluation_paper")


def test_notes_say_once_what_all_figures_share(report: Made) -> None:
    notes = read(report, "evaluation_paper").split("\n\n")
    assert sum(made.BOOTSTRAP in note for note in notes) == 2
    assert "validation 5,210 positions of 203 games; test 5,210 positions of 203 games" in notes[4]
    assert "Played by engines. Values are from White's view." in notes[6]


def test_times_show_their_range(report: Made) -> None:
    (line,) = [
        row
        for row in lines(read(report, "evaluation_paper_times"))[1]
        if (row["scenario"], row["model"]) == ("2", "`rbf`")
    ]
    assert line["training, s"] == "1.2 [1.08, 1.32]"
    assert line["one prediction alone, µs"] == "56.7 [51, 62.4]"
    assert (line["nodes"], line["parameters"], line["bytes"]) == ("500", "1,234", "34,567")


def test_what_repeats_holds_no_time(report: Made) -> None:
    for name, wide in catalog.WIDE.items():
        reads_times = any("times" in table for table in wide.tables)
        assert reads_times == ("times" in name)


def test_making_a_wide_table_again_gives_the_same_bytes(report: Made, tmp_path: Path) -> None:
    for layout in report.wide:
        again = put_side_by_side(report.folder, layout.stem, tmp_path)
        assert again.read_bytes() == layout.read_bytes()
        assert again.with_suffix(".md").read_bytes() == layout.with_suffix(".md").read_bytes()


def test_a_run_without_models_gives_a_wide_table_without_rows(tmp_path: Path) -> None:
    folder = made.make(tmp_path, positions=40)
    for path in made.tables(folder):
        parquet.write(parquet.read(path).slice(0, 0), path)
    layout = put_side_by_side(folder, "evaluation_paper", tmp_path)
    assert from_json(layout.read_text()) == []


def test_a_layout_comes_back_as_it_was() -> None:
    cells = (Cell("1", 1.0), Cell("a|b, c", is_code=True), Cell(""))
    table = WideTable("T", ("a", "b", "c"), (cells,), ("note",))
    assert from_json(to_json([table])) == [table]
    assert "| 1 | `a\\|b`, c |  |" in markdown("All", [table])


def test_the_report_knows_every_model_of_the_chapter() -> None:
    assert set(FAMILY_OF) == set(TELLING) == set(INPUTS)
    assert len(TELLING) == len(INPUTS)


@pytest.mark.parametrize(
    ("models", "shown"),
    [
        (["mean", "ridge", "rbf", "best"], ["rbf", "best"]),
        (["mean", "ridge"], ["ridge"]),
        (["mean"], ["mean"]),
        (["mean", "new", "ridge", "rbf"], ["ridge", "rbf"]),
        (["mean", "new"], ["new"]),
    ],
)
def test_the_most_telling_models_keep_their_order(models: list[str], shown: list[str]) -> None:
    assert most_telling(models, 2) == shown
    assert family("new") == "other"
