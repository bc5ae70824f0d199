"""``tabia ingest FILE…``: what is in game files, without a workflow."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tabia.app.commands.ingest_report import Report, condensed, table, total_of
from tabia.app.commands.one_line import one_line
from tabia.app.commands.rejects import SHOWN, Rejects
from tabia.app.same_files import check_distinct
from tabia.records.arrow import Origin
from tabia.records.config import Game
from tabia.records.games import Tables
from tabia.records.opening import GameFileError
from tabia.records.reading import Batch, Files, files_of
from tabia.records.which_game import game_of_file
from tabia.tables.progress import Progress

__all__ = ["Input", "ingest", "input_of"]

_GAMES, _REJECTS = "games.parquet", "rejects.parquet"


def ingest(
    files: list[Path],
    out: Path | None,
    as_json: bool,
    workers: int,
    *,
    played_by: str = "people",
    game: Game | None = None,
    headers: Path | None = None,
    each: bool = False,
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
        Print one JSON object with the keys ``files``, ``totals`` (by game), ``rejects`` (the first
        hundred) and, where all files are of one game, ``total``. Else the first twenty rejects are
        told on stderr.
    workers
        Threads that parse chess; xiangqi and Go are read by one: their readers are Python.
    played_by
        ``people`` or ``engines``, for the tables.
    game
        Whose records these are; None: each file's content decides, chess where it is open.
    headers
        File of game headers to join the games of xiangqi files with. How many games were joined,
        and which of its rows are bad, is told on stderr.
    each
        List each file in the table, also of an archive or folder of more than thirty.

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
    reports: list[Report] = []
    rejects = Rejects()
    with ExitStack() as stack:
        inputs = [input_of(file, game, stack) for file in files]
        games = list(dict.fromkeys(one.game for one in inputs))
        if headers is not None and "xiangqi" not in games:
            raise GameFileError(
                f"{headers}: only xiangqi records have headers in a file of their own, and these "
                f"are {' and '.join(games)}; leave --headers out, or say --game xiangqi"
            )
        readers = {name: files_of(name, headers if name == "xiangqi" else None) for name in games}
        progress = stack.enter_context(Progress("ingest", size / 1e6, "MB"))
        pool = stack.enter_context(ThreadPoolExecutor(workers)) if workers > 1 else None
        tables = None
        if out is not None:
            tables = stack.enter_context(Tables(out / _GAMES, out / _REJECTS, None))
        last = start = time.perf_counter()
        for one, batch in _batches(inputs, readers, progress, pool):
            if not reports or reports[-1].file != batch.file:
                reports.append(Report(batch.file, one.game, one.file.as_posix()))
            reports[-1].add(batch)
            origin = Origin("ingest", batch.file, one.game, played_by)
            rejects.add(batch, origin)
            if tables is not None:
                tables.add(batch, origin)
            now = time.perf_counter()
            reports[-1].seconds += now - last
            last = now
        notes = [note for reader in readers.values() for note in reader.finish()]
    seconds = time.perf_counter() - start
    totals = {
        name: total_of(name, [report for report in reports if report.game == name])
        for name in dict.fromkeys(report.game for report in reports)
    }
    if len(totals) == 1:
        next(iter(totals.values())).seconds = seconds
    if as_json:
        result: dict[str, Any] = {"files": [report.as_json() for report in reports]}
        result["totals"] = {name: total.as_json() for name, total in totals.items()}
        if len(totals) == 1:
            result["total"] = next(iter(result["totals"].values()))
        result["rejects"] = rejects.rows
        print(json.dumps(result, ensure_ascii=False, indent=2))
    else:
        for line in rejects.lines:
            print(line, file=sys.stderr)
        rows = reports if each else condensed(reports)
        print(table(rows, totals.values()))
        for hint in _hints(sum(total.rejected for total in totals.values()), out):
            print(hint, file=sys.stderr)
        if len(rows) < len(reports):
            print("with --each, every file has a line of its own", file=sys.stderr)
    for note in notes:
        print(one_line(note), file=sys.stderr)
    return 0


def _hints(rejected: int, out: Path | None) -> Iterator[str]:
    if rejected > SHOWN:
        yield f"the first {SHOWN} of {rejected:,} rejects are told above"
    if rejected and out is None:
        yield "with --out DIR, every reject is listed with line and fault"


@dataclass(frozen=True)
class Input:
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
        for output in () if out is None else (out / _GAMES, out / _REJECTS):
            if output.exists() and output.samefile(file):
                raise GameFileError(f"{file}: --out would write over it; name another folder")
    check_distinct(files)
    return size


def input_of(file: Path, game: Game | None, stack: ExitStack) -> Input:
    """Find out whose game a file is of; its first bytes are read for it, and then all of them.

    Parameters
    ----------
    file
        File or pipe; a pipe whose game is not said is copied to a temporary file.
    game
        Whose records these are; None: the content decides, chess where it is open.
    stack
        Ends when the copy is no longer needed.

    Raises
    ------
    GameFileError
        If the file cannot be read or copied.
    """
    if game is not None:
        return Input(file, file, game)
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
    return Input(file, path, game_of_file(path) or "chess")


def _batches(
    inputs: list[Input],
    readers: Mapping[Game, Files],
    progress: Progress,
    pool: Executor | None,
) -> Iterator[tuple[Input, Batch]]:
    for one in inputs:
        for batch in readers[one.game].read(
            one.path,
            one.file.as_posix(),
            advance=lambda size: progress.advance(size / 1e6),
            pool=pool,
        ):
            yield one, batch
