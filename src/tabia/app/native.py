"""Refuses to run with a native core built from other sources than those beside it."""

from __future__ import annotations

import runpy
from pathlib import Path

__all__ = ["StaleBuildError", "check_native"]

_HASHER = Path(__file__).resolve().parents[2] / "native" / "source_hash.py"


class StaleBuildError(RuntimeError):
    """The compiled extension and its sources differ."""


def check_native() -> None:
    """Compare the built extension with the sources, where the sources are present.

    Raises
    ------
    StaleBuildError
        If the extension is missing or was built from other sources.
    """
    try:
        from tabia._native import build_info
    except ImportError as error:
        raise StaleBuildError("the native core is not built; run: make build") from error
    if (
        _HASHER.is_file()
        and runpy.run_path(str(_HASHER))["source_hash"]() != build_info.SOURCE_HASH
    ):
        raise StaleBuildError("the native core is older than src/native; run: make build")
