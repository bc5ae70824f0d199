"""What figures, wide tables and pages of a run read."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from tabia.app.plan import Plan
from tabia.report import catalog
from tests.app.test_plan import ROOT, plan


@pytest.fixture(autouse=True)
def _in_the_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def of_chapters(names: Iterable[str], *chapters: str) -> list[str]:
    return [name for name in names if catalog.chapter_of(name) in chapters]


def records_only() -> Plan:
    return Plan.of({"records": {"sources": [{"name": "a", "path": "resources/sample/*.zst"}]}})


def test_the_figure_of_predictions_reads_the_first_seed_of_four_models() -> None:
    found = plan(scenarios=[3], filters=["mate"]).figure_predictions("evaluation_predicted")
    assert found == [
        f"results/evaluation/predictions/mate/3/{model}/0.parquet"
        for model in ("rbf", "mlp_lm", "mlp_bitmap", "best")
    ]


def test_the_figure_of_predictions_makes_do_with_fewer_models() -> None:
    models = {"mean": {}, "lightgbm": {"seeds": 3}, "rbf": {}}
    found = plan(models=models, scenarios=[1], filters=["abs20"])
    shown = [Path(file).parts[-2:] for file in found.figure_predictions("evaluation_predicted")]
    assert shown == [("lightgbm", "0.parquet"), ("rbf", "0.parquet")]


@pytest.mark.parametrize("figure", of_chapters(catalog.FIGURES, "records", "evaluation"))
def test_a_figure_reads_tables_that_the_run_makes(figure: str) -> None:
    found = plan()
    assert set(found.figure_tables(figure)) <= set(found.tables())
    if not catalog.FIGURES[figure].predictions:
        assert found.figure_predictions(figure) == []


@pytest.mark.parametrize("wide", of_chapters(catalog.WIDE, "evaluation"))
def test_a_wide_table_reads_tables_that_the_run_makes(wide: str) -> None:
    found = plan()
    assert set(found.wide_inputs(wide)) <= set(found.tables("evaluation"))
    assert f"results/tables/wide/{wide}.json" in found.wide()
    assert f"results/tables/wide/{wide}.md" in found.wide_texts("evaluation")


def test_a_run_without_the_chapter_has_none_of_its_tables_and_figures() -> None:
    found = records_only()
    files = [*found.tables(), *found.figures(), *found.wide(), *found.wide_texts()]
    assert files
    assert not any("evaluation" in file for file in files)


def test_the_summary_knows_the_order_of_the_filters() -> None:
    spec = json.loads(plan(filters=["abs20", "mate"]).spec("evaluation.summary"))
    assert spec["config"]["filters"] == ["abs20", "mate"]
