"""The real Snakefile in a copy of the project, so that tests may edit sources and kill runs."""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tabia._native import build_info

ROOT = Path(__file__).parents[2]
PARTS = (
    "Snakefile",
    "CMakeLists.txt",
    "rules",
    "profiles",
    "config",
    "resources",
    "workflow",
    "src",
)

# The editable install points at the checkout; in a copy the copy's own sources must win.
SITECUSTOMIZE = """\
import sys
sys.meta_path = [f for f in sys.meta_path if "ScikitBuild" not in type(f).__name__]
"""

# Counts the searches that reach the engine, whoever starts it.
COUNTING_ENGINE = """\
#!{python}
import os, sys, threading, subprocess
engine = subprocess.Popen([{engine!r}], stdin=subprocess.PIPE, bufsize=0)
for line in sys.stdin.buffer:
    if line.startswith(b"go"):
        with open({log!r}, "ab") as log:
            log.write(b"go\\n")
    engine.stdin.write(line)
engine.stdin.close()
engine.wait()
"""


class Project:
    """A copy of the project in a folder of its own."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def environment(self) -> dict[str, str]:
        bins = f"{Path(sys.executable).parent}:{os.environ['PATH']}:/usr/games"
        return os.environ | {
            "PATH": bins,
            "PYTHONPATH": f"{self.path / 'site'}:{self.path / 'src'}",
            "XDG_CACHE_HOME": str(self.path / "cache"),
        }

    def command(self, *words: str) -> list[str]:
        # Targets come first: --configfile would take them for further configuration files.
        return ["snakemake", *words, "--configfile", "config/tiny.yaml"]

    def snakemake(self, *words: str) -> str:
        """Run to the end and return all output; the test fails where snakemake does."""
        done = subprocess.run(
            self.command(*words),
            cwd=self.path,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=2400,
        )
        assert done.returncode == 0, done.stdout[-6000:]
        return done.stdout

    def planned(self, *words: str) -> dict[str, int]:
        """Jobs by rule that a run would do now; empty for nothing."""
        output = self.snakemake(*words, "-n")
        if "Nothing to be done" in output:
            return {}
        table = output.split("Job stats:")[1].split("total")[0]
        return {rule: int(count) for rule, count in re.findall(r"^(\w+) +(\d+)$", table, re.M)}

    def tabia(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["tabia", *words], cwd=self.path, env=self.environment, capture_output=True, text=True
        )

    def edit(self, file: str, old: str, new: str) -> None:
        path = self.path / file
        text = path.read_text()
        assert old in text, f"{old!r} is not in {file}"
        path.write_text(text.replace(old, new))

    def copy(self, path: Path) -> Project:
        subprocess.run(["cp", "-a", str(self.path), str(path)], check=True)
        return Project(path)

    def digests(self) -> dict[str, str]:
        """Digest of every table that the byte-for-byte promise covers."""
        results = self.path / "results"
        return {
            str(file.relative_to(results)): hashlib.sha256(file.read_bytes()).hexdigest()
            for file in sorted(results.rglob("*"))
            if file.suffix in {".parquet", ".csv", ".md"}
            and "times" not in str(file.relative_to(results))
            and file.relative_to(results).parts[0] not in {"state", "benchmarks", "logs"}
            # What a killed job was about to deliver; a model is a folder of files.
            and not any(part.endswith(".unfinished") for part in file.parts)
        }

    def count_engine_calls(self) -> Callable[[], int]:
        """Put a counting engine in the configuration; the result tells the searches so far."""
        log = self.path / "engine.log"
        program = self.path / "counting-stockfish"
        engine = shutil.which("stockfish") or "/usr/games/stockfish"
        program.write_text(
            COUNTING_ENGINE.format(python=sys.executable, engine=engine, log=str(log))
        )
        program.chmod(0o755)
        self.edit("config/tiny.yaml", "engine:\n", f"engine:\n      command: {program}\n")
        return lambda: log.read_bytes().count(b"go") if log.exists() else 0


@pytest.fixture(scope="session")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The project as a clone has it: built, nothing run."""
    if not (shutil.which("stockfish") or Path("/usr/games/stockfish").exists()):
        pytest.skip("stockfish is not installed")
    project = Project(tmp_path_factory.mktemp("fresh") / "project")
    project.path.mkdir()
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(
                source, project.path / part, ignore=shutil.ignore_patterns("__pycache__")
            )
        else:
            shutil.copy2(source, project.path / part)
    for library in Path(build_info.__file__).parent.glob("*.so"):
        shutil.copy2(library, project.path / "src/tabia/_native" / library.name)
    # Snakemake compares small files by content and, by default, large ones by time: have one of
    # each kind, so that "touching a file of any size" is tested.
    big = project.path / "resources/sample/tiny-big.pgn"
    big.write_text(
        '[Event "big"]\n[Result "*"]\n\n1. e4 {' + "long comment " * 200_000 + "} e5 *\n"
    )
    (project.path / "site").mkdir()
    (project.path / "site/sitecustomize.py").write_text(SITECUSTOMIZE)
    return project


@pytest.fixture(scope="session")
def finished(fresh: Project, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The project after one undisturbed run, which the workers of pytest-xdist share."""
    root = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        root = root.parent
    whole, done = Project(root / "whole"), root / "whole.done"
    with (root / "whole.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            shutil.rmtree(whole.path, ignore_errors=True)
            fresh.copy(whole.path).snakemake()
            done.touch()
    return whole.copy(tmp_path_factory.mktemp("finished") / "project")


@pytest.fixture
def project(finished: Project, tmp_path: Path) -> Project:
    """A finished project of the test's own, to change."""
    return finished.copy(tmp_path / "project")
