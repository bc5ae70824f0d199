"""A configuration of records alone, without any chapter."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.workflow.conftest import Project

pytestmark = [pytest.mark.workflow, pytest.mark.timeout(600)]

XIANGQI = """\
records:
  sources:
    - {name: mine, game: xiangqi, path: resources/sample/xiangqi-tiny.pgn.zst, played_by: engines}
  positions: {buckets: 1}
"""


def test_records_of_xiangqi_alone_end_in_a_report_and_a_database(
    fresh: Project, tmp_path: Path
) -> None:
    project = fresh.copy(tmp_path / "project")
    (project.path / "config/tiny.yaml").write_text(XIANGQI)
    project.snakemake("results/report.html", "results/tabia.duckdb")
    page = (project.path / "results/report.html").read_text(encoding="utf-8")
    assert "Records" in page
    assert "Evaluation" not in page
    query = "select game, count(*) as n from games group by all"
    assert json.loads(project.tabia("sql", query, "--json").stdout) == [
        {"game": "xiangqi", "n": 16}
    ]
