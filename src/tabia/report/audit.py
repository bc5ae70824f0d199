"""Find result tables that lack an n, an interval, its method, or one of the three formats."""

from __future__ import annotations

from pathlib import Path

from tabia.tables import parquet, results

__all__ = ["audit"]


def audit(folder: Path) -> list[str]:
    """Return what is wrong with the result tables in `folder`; an empty list is good news.

    Every ``.parquet`` file must meet :func:`tabia.tables.results.check` and lie beside a
    ``.csv`` and a ``.md``; every CSV and Markdown file must have its Parquet file.
    """
    faults: list[str] = []
    found = sorted(folder.glob("*.parquet"))
    if not found:
        faults.append(f"{folder}: no result table")
    for path in found:
        faults += [
            f"{path.stem}: no {path.with_suffix(suffix).name} beside it"
            for suffix in (".csv", ".md")
            if not path.with_suffix(suffix).is_file()
        ]
        try:
            results.check(parquet.read(path), path.stem)
        except (results.ResultTableError, parquet.DamagedTableError) as fault:
            faults.append(str(fault))
    names = {path.stem for path in found}
    faults += [
        f"{path.stem}: {path.name} without its Parquet file"
        for path in sorted([*folder.glob("*.csv"), *folder.glob("*.md")])
        if path.stem not in names
    ]
    return faults
