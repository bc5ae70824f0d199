"""Zip archives with the same bytes for the same files."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path

from tabia.tables import parquet

__all__ = ["write_zip"]


def write_zip(path: Path, folder: str, members: Mapping[str, bytes]) -> None:
    """Write `members` in `folder`, in order of name, with the one time stamp every zip can hold."""
    with parquet.atomic_path(path) as unfinished, zipfile.ZipFile(unfinished, "w") as out:
        for name in sorted(members):
            info = zipfile.ZipInfo(f"{folder}/{name}", date_time=(1980, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            info.create_system = 3
            out.writestr(info, members[name], compresslevel=6)
