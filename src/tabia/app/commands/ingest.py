"""``tabia ingest FILE…``: what is in game files, without a workflow."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabia.app.commands.one_line import one_line
from tabia.app.same_files import check_distinct
from tabia.records.arrow import Origin
from tabia.records.config import Game
from tabia.records.games import Tables
from tabia.records.hashing import copies
from tabia.records.opening import GameFileError
from tabia.records.reading import NO_RESULT, Batch, Files, Parsed, files_of
from tabia.records.which_game import game_of_file
from tabia.tables.progress import Progress

__all__ = ["ingest"]

_GAMES, _REJECTS = "games.parquet", "rejects.parquet"


@dataclass
class _Report:
    """What one file, or all files of a game together, gave."""

    file: str
    game: Game
    accepted: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    repeated: int = 0
    differing: int = 0
    seconds: float = 0.0
    split_hash: list[NDArray[np.uint64]] = field(default_factory=list)
    n_plies: list[NDArray[np.int32]] = field(default_factory=list)
    result: list[NDArray[np.int8]] = field(default_factory=list)

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
            self._add(batch.parsed)

    def _add(self, parsed: Parsed) -> None:
        n_plies = parsed.n_plies
        self.accepted += len(n_plies)
        self.reasons.update(parsed.reasons)
        self.split_hash.append(parsed.split_hash)
        self.n_plies.append(n_plies)
        self.result.append(parsed.result)

    def as_json(self) -> dict[str, Any]:
        return {
            "file": self.file,
            "game": self.game,
            "found": self.found,
            "accepted": self.accepted,
            "rejected": self.rejected,
            "reasons": dict(sorted(self.reasons.items())),
            "repeated": self.repeated,
            "repeated_with_another_result": self.differing,
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
    game: Game | None = None,
    headers: Path | None = None,
) -> int:
    """Read game files, check every move and print what was found.

    Parameters
    ----------
    files
        Game files and archives of game files, packed or not. A pipe whose game is not said is
        copied to a temporary file first, since its game must be found out before it is read.
    out
        Folder for ``games.parquet`` and ``rejects.parquet``; None = count only.
    as_json
        Print one JSON object with the keys ``files``, ``totals`` (by game) and, where all files
        are of one game, ``total``.
    workers
        Threads that parse chess; xiangqi is read by one, because its readers are Python.
    played_by
        ``people`` or ``engines``, for the tables.
    game
        Whose records these are; None: each file's content decides, chess where it is open.
    headers
        File of game headers to join the games of xiangqi files with. How many games were joined,
        and which of its rows are bad, is told on stderr.

    Returns
    -------
    int
        Exit code: 0. Rejected records are data, not a failure.

    Raises
    ------
    GameFileError
        If a file is missing or unreadable or would be written over (nothing is read then), or
        `headers` join no game.
    SameFileError
        If a file is named twice; nothing is read then.
    """
    size = _check(files, headers, out)
    reports: list[_Report] = []
    with ExitStack() as stack:
        inputs = [_input(file, game, stack) for file in files]
        if headers is not None and all(one.game == "chess" for one in inputs):
            raise GameFileError(
                f"{headers}: only xiangqi records have headers in a file of their own, and these "
                "are chess; leave --headers out, or say --game xiangqi"
            )
        readers = {
            name: files_of(name, headers if name == "xiangqi" else None)
            for name in dict.fromkeys(one.game for one in inputs)
        }
        progress = stack.enter_context(Progress("ingest", size / 1e6, "MB"))
        pool = stack.enter_context(ThreadPoolExecutor(workers)) if workers > 1 else None
        tables = None
        if out is not None:
            tables = stack.enter_context(Tables(out / _GAMES, out / _REJECTS, None))
        last = start = time.perf_counter()
        for of_game, batch in _batches(inputs, readers, progress, pool):
            if not reports or reports[-1].file != batch.file:
                reports.append(_Report(batch.file, of_game))
            reports[-1].add(batch)
            if tables is not None:
                tables.add(batch, Origin("ingest", batch.file, of_game, played_by))
            now = time.perf_counter()
            reports[-1].seconds += now - last
            last = now
        notes = [note for reader in readers.values() for note in reader.finish()]
    seconds = time.perf_counter() - start
    totals = {
        name: _total(name, [report for report in reports if report.game == name])
        for name in dict.fromkeys(report.game for report in reports)
    }
    if len(totals) == 1:
        next(iter(totals.values())).seconds = seconds
    if as_json:
        result: dict[str, Any] = {"files": [report.as_json() for report in reports]}
        result["totals"] = {name: total.as_json() for name, total in totals.items()}
        if len(totals) == 1:
            result["total"] = next(iter(result["totals"].values()))
        print(json.dumps(result, ensure_ascii=False, indent=2))
    else:
        print(_text(reports, list(totals.values())))
        if out is None and any(total.rejected for total in totals.values()):
            print("with --out DIR, every reject is listed with line and fault", file=sys.stderr)
    for note in notes:
        print(one_line(note), file=sys.stderr)
    return 0


@dataclass(frozen=True)
class _Input:
    """A file to read; `path` is a copy of what `file` can give only once."""

    file: Path
    path: Path
    game: Game


def _check(files: list[Path], headers: Path | None, out: Path | None) -> int:
    """Refuse what cannot be read or would be written over; return the size in bytes."""
    size = 0
    for file in files if headers is None else [*files, headers]:
        try:
            size += file.stat().st_size
        except OSError as error:
            raise GameFileError(f"{file}: cannot be read: {error.strerror}") from error
        if file.is_dir():
            raise GameFileError(f"{file} is a folder; name its files, for instance {file}/*.pgn")
        for table in () if out is None else (out / _GAMES, out / _REJECTS):
            if table.exists() and table.samefile(file):
                raise GameFileError(f"{file}: --out would write over it; name another folder")
    check_distinct(files)
    return size


def _input(file: Path, game: Game | None, stack: ExitStack) -> _Input:
    """Find out whose game a file is of; its first bytes are read for it, and then all of them."""
    if game is not None:
        return _Input(file, file, game)
    path = file
    if not file.is_file():  # a pipe
        path = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tabia-"))) / "records"
        try:
            with file.open("rb") as source, path.open("wb") as copy:
                shutil.copyfileobj(source, copy)
        except OSError as error:
            raise GameFileError(
                f"{file}: cannot be copied to {path.parent}: {error.strerror}; say --game, and it "
                "is read without a copy"
            ) from error
    return _Input(file, path, game_of_file(path) or "chess")


def _batches(
    inputs: list[_Input],
    readers: Mapping[Game, Files],
    progress: Progress,
    pool: Executor | None,
) -> Iterator[tuple[Game, Batch]]:
    for one in inputs:
        for batch in readers[one.game].read(
            one.path,
            one.file.as_posix(),
            advance=lambda size: progress.advance(size / 1e6),
            pool=pool,
        ):
            yield one.game, batch


def _total(game: Game, reports: list[_Report]) -> _Report:
    """Add the files of a game up, and find the copies among all of them."""
    total = _Report("total" if len(reports) > 1 else reports[0].file, game)
    for report in reports:
        total.accepted += report.accepted
        total.seconds += report.seconds
        total.reasons.update(report.reasons)
    is_copy, differs = copies(
        np.concatenate([np.empty(0, np.uint64), *(x for r in reports for x in r.split_hash)]),
        np.concatenate([np.empty(0, np.int32), *(x for r in reports for x in r.n_plies)]),
        np.concatenate([np.empty(0, np.int8), *(x for r in reports for x in r.result)]),
        NO_RESULT,
    )
    end = 0
    for report in [*reports, total]:
        rows = slice(0, None) if report is total else slice(end, end + report.accepted)
        report.repeated, report.differing = int(is_copy[rows].sum()), int(differs[rows].sum())
        end += report.accepted
    return total


def _text(reports: list[_Report], totals: list[_Report]) -> str:
    heads = ("file", "game", "found", "accepted", "rejected", "repeated", "games/s")
    shown = [*reports, *(total for total in totals if total.file == "total")]
    rows = [
        (
            one_line(report.file),
            report.game,
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
        texts, numbers = row[:2], row[2:]
        cells = [cell.ljust(width) for cell, width in zip(texts, widths[:2], strict=True)]
        cells += [cell.rjust(width) for cell, width in zip(numbers, widths[2:], strict=True)]
        lines.append("  ".join(cells))
        if report is not None:
            lines += [
                f"    {reason}: {games:,}" for reason, games in sorted(report.reasons.items())
            ]
            if report.differing:
                lines.append(f"    repeated with another result: {report.differing:,}")
    return "\n".join(lines)
