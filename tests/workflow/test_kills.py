"""A run that is killed at any stage goes on, and ends with the tables of an undisturbed run."""

from __future__ import annotations

import contextlib
import functools
import http.server
import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import pytest

from tests.workflow.conftest import Project

pytestmark = [pytest.mark.workflow, pytest.mark.engine, pytest.mark.timeout(3000)]

STAGES = {
    "records_fetch",
    "records_blocks",
    "records_games",
    "records_splits",
    "records_occurrences",
    "records_positions",
    "records_summary",
    "evaluation_sample",
    "evaluation_labels",
    "evaluation_dataset",
    "evaluation_terms",
    "evaluation_tactics",
    "evaluation_choose",
    "evaluation_train",
    "evaluation_scores",
    "evaluation_summary",
    "imitation_samples",
    "imitation_pretrain",
    "imitation_candidate",
    "imitation_phase",
    "imitation_train",
    "imitation_scores",
    "imitation_ceiling",
    "imitation_summary",
    "report_figure",
    "report_wide",
    "report_pages",
    "report_database",
}


# Audit hooks see every rename, so a job stops at the worst moment: its first output is written
# and not yet in its place. Timing plays no part.
PAUSE = """
def pause(event, arguments):
    if event != "os.rename" or not str(arguments[0]).endswith(".unfinished"):
        return
    stage = "_".join(sys.argv[1:3])
    if sys.argv[0].endswith("tabia") and stage in os.environ["PAUSE_IN"].split(","):
        open(f"{os.environ['PAUSED']}/{stage}", "w").close()
        time.sleep(3600)

import os, time
if "PAUSE_IN" in os.environ:
    sys.addaudithook(pause)
"""


def kill_in_any(project: Project, stages: set[str], paused: Path) -> set[str]:
    """Start a run and SIGKILL its whole tree when a job of one of `stages` is about to deliver.

    Returns the stages that were killed there; none if the run came to its end.
    """
    paused.mkdir()
    log = project.path / "run.log"
    with log.open("w") as output:
        run = subprocess.Popen(
            project.command("--nolock"),  # a killed run leaves its lock
            cwd=project.path,
            env=project.environment | {"PAUSE_IN": ",".join(stages), "PAUSED": str(paused)},
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    while run.poll() is None and not any(paused.iterdir()):
        time.sleep(0.05)
    if run.poll() is not None:
        assert run.returncode == 0, log.read_text()[-4000:]
        return set()
    os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    return {marker.name for marker in paused.iterdir()}


class Slow(http.server.SimpleHTTPRequestHandler):
    """Serves a folder; one request at a time would do, and says nothing."""

    def copyfile(self, source: BinaryIO, outputfile: BinaryIO) -> None:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            while piece := source.read(512):
                outputfile.write(piece)
                time.sleep(0.05)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def served(fresh: Project, tmp_path: Path) -> Iterator[Project]:
    """A project with a second source: a downloaded archive that two shards share."""
    project = fresh.copy(tmp_path / "project")
    handler = functools.partial(Slow, directory=str(project.path / "resources/sample"))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/tiny.pgn.zst"
        with (project.path / "resources/archives.csv").open("a") as archives:
            archives.write(f"served,{url},,,,,a test\n")
        project.edit(
            "config/tiny.yaml",
            "\n  elo_bins:",  # that of the records, not of the imitation
            "\n    - {name: served, archive: served, shards: 2, played_by: engines}\n  elo_bins:",
        )
        yield project
        server.shutdown()


def test_a_run_killed_in_every_stage_ends_byte_for_byte_the_same(
    served: Project, tmp_path: Path
) -> None:
    killed = served.copy(tmp_path / "killed")
    with (killed.path / "site/sitecustomize.py").open("a") as hook:
        hook.write(PAUSE)
    served.snakemake()
    left = set(STAGES)
    while left and (now := kill_in_any(killed, left, tmp_path / f"paused-{len(left)}")):
        left -= now
    assert left == set(), "these stages ended without delivering a file"
    killed.snakemake()
    assert killed.digests() == served.digests()
    assert "Nothing to be done" in killed.snakemake()


def test_two_undisturbed_runs_give_the_same_bytes(
    fresh: Project, finished: Project, tmp_path: Path
) -> None:
    project = fresh.copy(tmp_path / "project")
    project.snakemake("--cores", "1")
    assert project.digests() == finished.digests()
    assert len(finished.digests()) > 40
