"""The extension knows what it was built from."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from tabia._native.build_info import SOURCE_HASH

ROOT = Path(__file__).resolve().parents[2]
HASHER = runpy.run_path(str(ROOT / "src/native/source_hash.py"))


def test_the_extension_was_built_from_these_sources() -> None:
    assert HASHER["source_hash"]() == SOURCE_HASH


def copy_of_sources(root: Path) -> None:
    for path in HASHER["source_files"](ROOT):
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes((ROOT / path).read_bytes())


@pytest.mark.parametrize(
    ("file", "matters"),
    [
        ("src/native/chess/pgn.cpp", True),
        ("src/native/chess/new.hpp", True),
        ("src/tabia/_native/chess_pgn.pyx", True),
        ("CMakeLists.txt", True),
        ("src/native/chess/tests/test_chess.cpp", False),
        ("src/native/__pycache__/source_hash.pyc", False),
        ("src/tabia/_native/chess_pgn.pyi", False),
    ],
)
def test_the_hash_is_of_sources_and_not_of_tests(tmp_path: Path, file: str, matters: bool) -> None:
    copy_of_sources(tmp_path)
    assert HASHER["source_hash"](tmp_path) == HASHER["source_hash"]()
    changed = tmp_path / file
    changed.parent.mkdir(parents=True, exist_ok=True)
    changed.write_bytes(b"changed")
    assert (HASHER["source_hash"](tmp_path) != HASHER["source_hash"]()) == matters
