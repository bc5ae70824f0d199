"""The workflow as a user meets it: targets, profiles, errors, results."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tabia.report.audit import audit
from tests.workflow.conftest import Project

pytestmark = [pytest.mark.workflow, pytest.mark.engine, pytest.mark.timeout(3000)]


def test_the_run_leaves_report_tables_and_database(finished: Project) -> None:
    for name in ("report.html", "report.zip", "tabia.duckdb", "tables/evaluation_models.md"):
        assert (finished.path / "results" / name).stat().st_size > 0


def test_every_figure_of_every_result_table_has_n_and_an_interval(finished: Project) -> None:
    tables = sorted((finished.path / "results/tables").glob("*.parquet"))
    assert len(tables) == 23
    assert audit(finished.path / "results/tables") == []
    for table in tables:
        assert pq.read_metadata(table).num_rows > 0
        assert table.with_suffix(".csv").is_file()
        assert table.with_suffix(".md").is_file()


def test_every_table_says_that_engines_played(finished: Project) -> None:
    for table in (finished.path / "results/tables").glob("*.parquet"):
        assert set(pq.read_table(table)["played_by"].to_pylist()) == {"engines"}, table


def test_found_is_accepted_and_rejected(finished: Project) -> None:
    for source, games in (("tiny", 25), ("tiny-xiangqi", 16), ("more-xiangqi", 200)):
        path = finished.path / f"results/records/counts/{source}/0.parquet"
        assert sum(row["games"] for row in pq.read_table(path).to_pylist()) == games


def test_chess_and_xiangqi_share_tables_and_are_never_added_up(finished: Project) -> None:
    tables = sorted((finished.path / "results/tables").glob("records_*.parquet"))
    assert len(tables) == 3
    for table in tables:
        assert set(pq.read_table(table)["game"].to_pylist()) == {"chess", "xiangqi"}
    dataset = pq.read_table(finished.path / "results/evaluation/sample.parquet", columns=["game"])
    assert set(dataset["game"].to_pylist()) == {"chess"}


def test_every_shipped_configuration_dry_runs(fresh: Project) -> None:
    for name in ("config", "lichess"):
        done = subprocess.run(
            ["snakemake", "-n", "--quiet", "--configfile", f"config/{name}.yaml"],
            cwd=fresh.path,
            env=fresh.environment,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_slurm_profile_dry_runs(fresh: Project) -> None:
    output = fresh.snakemake("-n", "--profile", "profiles/slurm")
    assert "evaluation_labels" in output


def test_a_bad_configuration_stops_the_dry_run_with_all_its_errors(
    fresh: Project, tmp_path: Path
) -> None:
    project = fresh.copy(tmp_path / "project")
    project.edit("config/tiny.yaml", "nodes: 2000", "nods: 2000")
    project.edit("config/tiny.yaml", "bootstrap: 100", "bootstrap: few")
    done = subprocess.run(
        project.command("-n"),
        cwd=project.path,
        env=project.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode != 0
    assert "did you mean nodes?" in done.stdout
    assert "evaluation.scores.bootstrap" in done.stdout


def test_a_stale_native_core_refuses_to_run(fresh: Project, tmp_path: Path) -> None:
    project = fresh.copy(tmp_path / "project")
    path = project.path / "src/native/chess/pgn.cpp"
    path.write_text(path.read_text() + "\nstatic const int added = 1;\n")
    done = subprocess.run(
        project.command("-n"),
        cwd=project.path,
        env=project.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode != 0
    assert "older than src/native; run: make build" in done.stdout


def test_lint_finds_nothing(fresh: Project) -> None:
    fresh.snakemake("--lint")


def test_sql_answers_from_the_finished_run(finished: Project) -> None:
    query = "select game, count(*) as n from {} group by game order by game"
    done = finished.tabia("sql", query.format("games"), "--csv")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["game,n", "chess,25", "xiangqi,216"]
    done = finished.tabia("sql", query.format("positions"), "--csv")
    assert [line.split(",")[0] for line in done.stdout.split()] == ["game", "chess", "xiangqi"]
