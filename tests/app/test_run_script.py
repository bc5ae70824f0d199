"""./run and the locks that killed runs leave; with a stand-in for snakemake that takes a lock."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

SNAKEMAKE = """\
#!/bin/sh
[ "${1:-}" = -n ] && exit 0
mkdir -p .snakemake/locks
[ -z "$(ls .snakemake/locks)" ] || exit 1
touch .snakemake/locks/0.input.lock
[ "${1:-}" = stay ] && sleep 60
rm .snakemake/locks/0.input.lock
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copy2(ROOT / "run", tmp_path / "run")
    for name, text in (("setup", "#!/bin/sh\n"), (".venv/bin/snakemake", SNAKEMAKE)):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)
    return tmp_path


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["./run", *words], cwd=folder, capture_output=True, text=True)


@pytest.fixture
def live(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(["./run", "stay"], cwd=folder, start_new_session=True)
    for _ in range(200):
        if (folder / ".snakemake/locks/0.input.lock").exists():
            break
        time.sleep(0.05)
    yield process
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def lock(folder: Path) -> bool:
    return (folder / ".snakemake/locks/0.input.lock").exists()


def test_the_lock_of_a_killed_run_is_removed(folder: Path, live: subprocess.Popen[bytes]) -> None:
    os.killpg(live.pid, signal.SIGKILL)
    live.wait()
    assert lock(folder)
    done = run(folder)
    assert done.returncode == 0, done.stderr
    assert "removing the lock of a run that was killed" in done.stderr
    assert not lock(folder)


def test_the_lock_of_a_snakemake_killed_alone_is_removed(
    folder: Path, live: subprocess.Popen[bytes]
) -> None:
    note = next((folder / ".snakemake/owners").iterdir())
    os.kill(int(note.read_text().split()[1]), signal.SIGKILL)  # as the kernel does out of memory
    assert live.wait() == 137
    assert lock(folder)
    assert run(folder).returncode == 0
    assert not lock(folder)


def test_a_run_that_ended_and_is_not_waited_for_counts_as_gone(folder: Path) -> None:
    ended = subprocess.Popen(["true"])
    for _ in range(200):
        if "State:\tZ" in Path(f"/proc/{ended.pid}/status").read_text():
            break
        time.sleep(0.05)
    for name, text in (
        ("locks/0.input.lock", ""),
        ("owners/note", f"{os.uname().nodename} {ended.pid}\n"),
    ):
        (folder / ".snakemake" / name).parent.mkdir(parents=True)
        (folder / ".snakemake" / name).write_text(text)
    assert run(folder).returncode == 0
    ended.wait()


@pytest.mark.parametrize("words", [("-n",), ("other",)])
def test_the_lock_of_a_live_run_survives_other_runs(
    folder: Path, live: subprocess.Popen[bytes], words: tuple[str, ...]
) -> None:
    for _ in range(2):
        done = run(folder, *words)
        assert "a lock is held" in done.stderr
        assert lock(folder)
    assert live.poll() is None


def test_a_lock_that_no_run_of_ours_took_is_kept(folder: Path) -> None:
    (folder / ".snakemake/locks").mkdir(parents=True)
    (folder / ".snakemake/locks/0.input.lock").touch()
    done = run(folder)
    assert done.returncode == 1
    assert "./run --unlock" in done.stderr
    assert lock(folder)


def test_half_written_files_of_a_killed_job_are_swept_and_state_is_not(folder: Path) -> None:
    for name in ("results/tables/.a.parquet.1.unfinished", "results/state/x/.b.1.unfinished"):
        (folder / name).parent.mkdir(parents=True)
        (folder / name).touch()
    model = folder / "results/models/.m.1.unfinished"
    model.mkdir(parents=True)
    (model / "weights").touch()
    assert run(folder).returncode == 0
    assert not (folder / "results/tables/.a.parquet.1.unfinished").exists()
    assert not model.exists()
    assert (folder / "results/state/x/.b.1.unfinished").exists()
