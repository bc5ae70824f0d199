"""Folders of model files that appear whole or not at all."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["atomic_folder"]


@contextmanager
def atomic_folder(path: Path) -> Iterator[Path]:
    """Yield an empty folder beside `path`; rename it to `path` when the block succeeds.

    An older folder of that name is removed just before the rename. If the block raises, the
    unfinished folder is removed and the older one stays.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{secrets.token_hex(6)}.unfinished")
    unfinished.mkdir()
    # safetensors hides its files from other users; a model is as readable as its folder.
    mode = unfinished.stat().st_mode & 0o666
    try:
        yield unfinished
        for file in unfinished.rglob("*"):  # a model may hold the folders of its parts
            if file.is_file():
                file.chmod(mode)
                with file.open("rb+") as opened:
                    os.fsync(opened.fileno())
        if path.exists():
            shutil.rmtree(path)
        unfinished.rename(path)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
