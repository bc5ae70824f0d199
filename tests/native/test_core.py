"""The C++ core's own tests, built and run by CMake."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.skipif(shutil.which("cmake") is None, reason="cmake is not on PATH")
def test_core_passes_its_own_tests() -> None:
    build = ROOT / "build" / "native"
    for command in (
        ["cmake", "-S", ROOT, "-B", build],
        ["cmake", "--build", build, "-j2"],
        ["ctest", "--test-dir", build, "--output-on-failure"],
    ):
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stdout + run.stderr
