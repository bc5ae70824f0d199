"""A run that is killed at any stage goes on, and ends with the tables of an undisturbed run."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.workflow.conftest import Project

pytestmark = [pytest.mark.workflow, pytest.mark.engine, pytest.mark.timeout(3000)]

# Killed once in each of these, in the order of the DAG.
STAGES = (
    "records_games",
    "records_splits",
    "records_occurrences",
    "records_positions",
    "records_summary",
    "evaluation_sample",
    "evaluation_labels",
    "evaluation_dataset",
    "evaluation_train",
    "evaluation_scores",
    "evaluation_summary",
    "report_figure",
    "report_pages",
    "report_database",
)


def kill_in(project: Project, rule: str) -> bool:
    """Start a run, SIGKILL its whole tree while a job of `rule` runs; False if none ran."""
    subprocess.run(
        project.command("--unlock"), cwd=project.path, env=project.environment, capture_output=True
    )
    log = project.path / "run.log"
    with log.open("w") as output:
        run = subprocess.Popen(
            project.command(),
            cwd=project.path,
            env=project.environment,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    seen = False
    while run.poll() is None and not seen:
        time.sleep(0.05)
        seen = f"rule {rule}:" in log.read_text()
    if seen:
        # Python starts in about half a second; the middle of a job lies beyond that.
        time.sleep(0.7)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    return seen


def test_a_run_killed_in_every_stage_ends_byte_for_byte_the_same(
    fresh: Project, finished: Project, tmp_path: Path
) -> None:
    project = fresh.copy(tmp_path / "project")
    assert [rule for rule in STAGES if not kill_in(project, rule)] == []
    subprocess.run(
        project.command("--unlock"), cwd=project.path, env=project.environment, capture_output=True
    )
    project.snakemake()
    assert project.digests() == finished.digests()
    assert "Nothing to be done" in project.snakemake()
    assert list(project.path.glob("results/**/*.unfinished")) == []


def test_two_undisturbed_runs_give_the_same_bytes(
    fresh: Project, finished: Project, tmp_path: Path
) -> None:
    project = fresh.copy(tmp_path / "project")
    project.snakemake("--cores", "1")
    assert project.digests() == finished.digests()
    assert len(finished.digests()) > 40
