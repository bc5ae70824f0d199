"""Kills runs and jobs at the worst moment: an output is written and not yet in its place.

Audit hooks see every rename, so timing plays no part. What a stage keeps for itself below
``results/state`` is no output and may be put in its place.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Collection
from pathlib import Path

from tests.workflow.conftest import Project

__all__ = ["arm", "run_to_a_kill"]

HOOK = """
def strike(event, arguments):
    if event != "os.rename" or not sys.argv[0].endswith("tabia"):
        return
    source, target = map(str, arguments[:2])
    if not source.endswith(".unfinished") or "results/state/" in target:
        return
    stage = "_".join(sys.argv[1:3])
    if stage in os.environ["PAUSE_IN"].split(","):
        open(f"{os.environ['STRUCK']}/{stage}", "w").close()
        time.sleep(3600)
    if stage in os.environ["DIE_IN"].split(","):
        try:
            open(f"{os.environ['STRUCK']}/{stage}", "x").close()
        except FileExistsError:
            return
        os.kill(os.getpid(), signal.SIGKILL)

import os, signal, time
if "STRUCK" in os.environ:
    sys.addaudithook(strike)
"""


def arm(project: Project) -> None:
    """Let the jobs of a project be killed."""
    with (project.path / "site/sitecustomize.py").open("a") as hook:
        hook.write(HOOK)


def run_to_a_kill(
    project: Project,
    *words: str,
    whole: Collection[str],
    struck: Path,
    jobs: Collection[str] = (),
) -> set[str]:
    """Start a run and SIGKILL its whole tree when a job of a stage of `whole` delivers.

    Parameters
    ----------
    words
        For snakemake.
    whole, jobs
        Stages, none in both. The first job of a stage of `jobs` that delivers is killed alone, and
        snakemake starts it again.
    struck
        Folder with an empty file for every stage of `jobs` that was struck already; this function
        adds to it.

    Returns
    -------
    set of str
        The stages of `whole` that were killed; none if the run came to its end.
    """
    struck.mkdir(exist_ok=True)
    log = project.path / "run.log"
    hits = [struck / stage for stage in whole]
    with log.open("w") as output:
        run = subprocess.Popen(
            # A killed run leaves its lock.
            project.command(*words, "--nolock", "--retries", "1"),
            cwd=project.path,
            env=project.environment
            | {"PAUSE_IN": ",".join(whole), "DIE_IN": ",".join(jobs), "STRUCK": str(struck)},
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    while run.poll() is None and not any(hit.exists() for hit in hits):
        time.sleep(0.05)
    if run.poll() is not None:
        assert run.returncode == 0, log.read_text()[-4000:]
        return set()
    os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    return {hit.name for hit in hits if hit.exists()}
