"""A configuration of a learner alone, without records."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.workflow.conftest import Project

pytestmark = [pytest.mark.workflow, pytest.mark.timeout(600)]

LEARNER = """\
search:
  learners:
    go5:
      rules: {game: go, size: 5, max_plies: 20}
      net: {architecture: small, channels: 8, blocks: 1, head: 4, hidden: 8}
      generations: 1
      selfplay:
        games: 8
        search: {budget: {simulations: 4}, move: {schedule: [{temperature: 1.0}]}, noise: true}
      learning: {batch: 16}
  ladder: {games: 4, simulations: 2, rivals: []}
  bootstrap: 100
"""


def test_a_learner_alone_ends_in_a_report_and_a_database(fresh: Project, tmp_path: Path) -> None:
    project = fresh.copy(tmp_path / "project")
    (project.path / "config/tiny.yaml").write_text(LEARNER)
    project.snakemake("all")
    page = (project.path / "results/report.html").read_text(encoding="utf-8")
    assert "What each generation learned, and its strength" in page
    assert "Games found, accepted and rejected" not in page
    assert not (project.path / "results/records").exists()
    query = "select count(*) as games from search_match_games"
    assert json.loads(project.tabia("sql", query, "--json").stdout) == [{"games": 4}]
    assert project.planned("search") == {}
