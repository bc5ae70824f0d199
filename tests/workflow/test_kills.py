"""A run that is killed at any stage goes on, and ends with the tables of an undisturbed run."""

from __future__ import annotations

import functools
import http.server
import threading
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest

from tests.workflow.conftest import Project
from tests.workflow.killing import arm, run_to_a_kill

pytestmark = [pytest.mark.workflow, pytest.mark.engine, pytest.mark.timeout(3000)]

DOWNLOADED = {"records_fetch", "records_blocks"}
"""Stages of downloaded archives, and of files that several shards share."""

WHOLE = {
    "records_games",
    "evaluation_labels",
    "evaluation_train",
    "imitation_pretrain",
    "search_selfplay",
    "report_pages",
}
"""Stages in which the whole run is killed: the first, those that keep a state, the last."""

JOBS = {
    "records_splits",
    "records_occurrences",
    "records_positions",
    "records_summary",
    "evaluation_sample",
    "evaluation_dataset",
    "evaluation_terms",
    "evaluation_tactics",
    "evaluation_choose",
    "evaluation_scores",
    "evaluation_summary",
    "imitation_samples",
    "imitation_candidate",
    "imitation_phase",
    "imitation_train",
    "imitation_scores",
    "imitation_ceiling",
    "imitation_summary",
    "search_start",
    "search_train",
    "search_gate",
    "search_ladder",
    "search_summary",
    "report_figure",
    "report_wide",
    "report_database",
}
"""Stages in which a job is killed and the run goes on."""

ONE_NET = "results/imitation/xiangqi/scores/one_net.parquet"  # its jobs have two threads


def killed_in(
    project: Project, *words: str, whole: Collection[str], jobs: Collection[str], struck: Path
) -> set[str]:
    """Run to the end, killed in every stage that there is on the way; return all of them."""
    left = set(whole)
    while now := run_to_a_kill(project, *words, whole=left, jobs=jobs, struck=struck):
        left -= now
    return {stage.name for stage in struck.iterdir()}


def test_a_run_killed_in_every_stage_ends_byte_for_byte_the_same(
    fresh: Project, finished: Project, tmp_path: Path
) -> None:
    killed = fresh.copy(tmp_path / "killed")
    arm(killed)
    struck, left = tmp_path / "struck", set(WHOLE)
    # Other numbers of cores and other orders of jobs give the same bytes as well.
    for words in ((ONE_NET, "--cores", "1"), ("imitation",), ("search",), ()):
        left -= killed_in(killed, *words, whole=left, jobs=JOBS, struck=struck)
        assert (killed.path / "results/tabia.duckdb").exists() == (not words)
    done = {stage.name for stage in struck.iterdir()}
    assert done == WHOLE | JOBS, "the others ended without delivering a file"
    assert killed.digests() == finished.digests()
    assert len(finished.digests()) > 40
    assert "Nothing to be done" in killed.snakemake()


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves a folder and says nothing."""

    def log_message(self, *_: object) -> None:
        pass


RECORDS = """\
records:
  sources:
    - {name: served, archive: served, shards: 2, played_by: engines}
  positions: {buckets: 1}
"""


@pytest.fixture
def served(fresh: Project, tmp_path: Path) -> Iterator[Project]:
    """A project of records alone, out of a downloaded archive that two shards share."""
    project = fresh.copy(tmp_path / "project")
    handler = functools.partial(Quiet, directory=str(project.path / "resources/sample"))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/tiny.pgn.zst"
        with (project.path / "resources/archives.csv").open("a") as archives:
            archives.write(f"served,{url},,,,,a test\n")
        (project.path / "config/tiny.yaml").write_text(RECORDS)
        yield project
        server.shutdown()


def test_a_run_killed_in_a_download_and_in_cutting_it_ends_the_same(
    served: Project, tmp_path: Path
) -> None:
    killed = served.copy(tmp_path / "killed")
    arm(killed)
    struck = tmp_path / "struck"
    done = killed_in(killed, "records", whole=DOWNLOADED, jobs=(), struck=struck)
    assert done == DOWNLOADED
    served.snakemake("records")
    assert killed.digests() == served.digests()
    assert "Nothing to be done" in killed.snakemake("records")
