"""``tabia ingest FILE…``: what is in game files, without a workflow."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabia._native.chess_pgn import REJECT_REASONS
from tabia.records.arrow import Origin
from tabia.records.games import Tables
from tabia.records.opening import GameFileError
from tabia.records.reading import Batch, read_file
from tabia.tables.progress import Progress

__all__ = ["ingest"]

_NAMES = np.array(REJECT_REASONS)


@dataclass
class _Report:
    """What one file, or all files together, gave."""

    file: str
    accepted: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    repeated: int = 0
    seconds: float = 0.0
    hashes: list[NDArray[np.uint64]] = field(default_factory=list)

    @property
    def rejected(self) -> int:
        return self.reasons.total()

    @property
    def found(self) -> int:
        return self.accepted + self.rejected

    def add(self, batch: Batch) -> None:
        if batch.fault is not None:
            self.reasons[batch.fault.reason] += 1
        if batch.parsed is not None:
            self.accepted += len(batch.parsed.ordinal)
            self.hashes.append(batch.parsed.split_hash)
            self.reasons.update(_NAMES[batch.parsed.rejects.reason].tolist())

    def as_json(self) -> dict[str, Any]:
        return {
            "file": self.file,
            "found": self.found,
            "accepted": self.accepted,
            "rejected": self.rejected,
            "reasons": dict(sorted(self.reasons.items())),
            "repeated": self.repeated,
            "seconds": round(self.seconds, 4),
            "games_per_second": round(self.found / max(self.seconds, 1e-9), 1),
        }


def ingest(
    files: list[Path],
    out: Path | None,
    as_json: bool,
    workers: int,
    *,
    played_by: str = "people",
) -> int:
    """Read game files, check every move and print what was found.

    Parameters
    ----------
    files
        Game files and archives of game files, packed or not.
    out
        Folder for ``games.parquet`` and ``rejects.parquet``; None = count only.
    as_json
        Print one JSON object with the keys ``files`` and ``total``.
    workers
        Threads that parse.
    played_by
        ``people`` or ``engines``, for the tables.

    Returns
    -------
    int
        Exit code: 0. Rejected records are data, not a failure.

    Raises
    ------
    GameFileError
        If a file is missing or unreadable; nothing is read then.
    """
    size = 0
    for file in files:
        try:
            size += file.stat().st_size
        except OSError as error:
            raise GameFileError(f"{file}: cannot be read: {error.strerror}") from error
        if file.is_dir():
            raise GameFileError(f"{file} is a folder; name its files, for instance {file}/*.pgn")
    reports: list[_Report] = []
    start = time.perf_counter()
    with ExitStack() as stack:
        progress = stack.enter_context(Progress("ingest", size / 1e6, "MB"))
        pool = stack.enter_context(ThreadPoolExecutor(workers)) if workers > 1 else None
        tables = None
        if out is not None:
            tables = stack.enter_context(
                Tables(out / "games.parquet", out / "rejects.parquet", None)
            )
        last = start
        for batch in _batches(files, progress, pool):
            if not reports or reports[-1].file != batch.file:
                reports.append(_Report(batch.file))
            reports[-1].add(batch)
            if tables is not None:
                tables.add(batch, Origin("ingest", batch.file, "chess", played_by))
            now = time.perf_counter()
            reports[-1].seconds += now - last
            last = now
    total = _total(reports, time.perf_counter() - start)
    if as_json:
        result = {"files": [r.as_json() for r in reports], "total": total.as_json()}
        print(json.dumps(result, ensure_ascii=False, indent=2))
    else:
        print(_text(reports, total))
        if total.rejected and out is None:
            print("with --out DIR, every reject is listed with line and fault", file=sys.stderr)
    return 0


def _batches(files: list[Path], progress: Progress, pool: Executor | None) -> Iterator[Batch]:
    for file in files:
        yield from read_file(file, advance=lambda size: progress.advance(size / 1e6), pool=pool)


def _total(reports: list[_Report], seconds: float) -> _Report:
    """Add the files up; a game is repeated if an earlier one has the same start and moves."""
    total = _Report("total", seconds=seconds)
    for report in reports:
        total.accepted += report.accepted
        total.reasons.update(report.reasons)
    parts = [np.concatenate([*report.hashes, np.empty(0, np.uint64)]) for report in reports]
    hashes = np.concatenate([*parts, np.empty(0, np.uint64)])
    _, first = np.unique(hashes, return_index=True)
    is_copy = np.ones(len(hashes), np.bool_)
    is_copy[first] = False
    end = 0
    for report, part in zip(reports, parts, strict=True):
        report.repeated = int(is_copy[end : end + len(part)].sum())
        end += len(part)
    total.repeated = int(is_copy.sum())
    return total


def _text(reports: list[_Report], total: _Report) -> str:
    heads = ("file", "found", "accepted", "rejected", "repeated", "games/s")
    shown = [*reports, total] if len(reports) != 1 else reports
    rows = [
        (
            report.file,
            f"{report.found:,}",
            f"{report.accepted:,}",
            f"{report.rejected:,}",
            f"{report.repeated:,}",
            f"{report.found / max(report.seconds, 1e-9):,.0f}",
        )
        for report in shown
    ]
    widths = [max(len(row[i]) for row in [heads, *rows]) for i in range(len(heads))]
    lines = []
    for row, report in zip([heads, *rows], [None, *shown], strict=True):
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        lines.append("  ".join(cells))
        if report is not None:
            lines += [
                f"    {reason}: {games:,}" for reason, games in sorted(report.reasons.items())
            ]
    return "\n".join(lines)
