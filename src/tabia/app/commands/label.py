"""``tabia label FENFILE``: an engine's values of positions, without a workflow."""

from __future__ import annotations

import csv
import io
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from tabia._native.chess_board import Board, FenError
from tabia.engines.config import Engine, Limit
from tabia.engines.label import Labelled, label_positions
from tabia.tables import parquet

__all__ = ["LabelFailedError", "LabelInputError", "LabelUsageError", "label"]

_COLUMNS = (
    "line",
    "fen",
    "limit",
    "score_cp",
    "mate",
    "move",
    "second_score_cp",
    "second_mate",
    "second_move",
    "depth",
    "nodes",
)


class LabelInputError(ValueError):
    """A file that cannot be read or has not a single position in it."""

    exit_code = 3


class LabelFailedError(ValueError):
    """Not one position could be labelled, so the engine is not usable as it is called."""

    exit_code = 2


class LabelUsageError(ValueError):
    """Options that do not go together."""

    exit_code = 2


@dataclass(frozen=True)
class _Bad:
    """A line that is no position."""

    line: int
    text: str
    reason: str


def label(
    file: Path,
    *,
    depth: int | None,
    nodes: int | None,
    movetime_ms: int | None,
    multipv: int,
    engine: str,
    options: Iterable[str],
    threads: int,
    hash_mb: int,
    store: Path | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Label the positions of a file and print them in its order, as CSV or as one JSON object.

    Parameters
    ----------
    file
        One FEN or EPD a line; the first four fields count, so labels do not know the fifty-move
        counter. Empty lines and lines that start with # are skipped. ``-`` is standard input.
    depth, nodes, movetime_ms
        The limit: exactly one of them.
    options
        Further UCI options, ``NAME=VALUE`` each.
    store
        Label store to read and keep labels in; None = keep none.
    out
        Write the rows here instead of standard output: ``.parquet``, else CSV; or the JSON.

    Raises
    ------
    LabelUsageError
        If not exactly one limit is given, an option has no value, or no engine can be set so.
    LabelInputError
        If the file cannot be read, or no line is a position, after the report about the lines.
    LabelFailedError
        If the engine failed on every position, after the report.
    EngineError
        If the engine cannot be had.
    """
    if sum(value is not None for value in (depth, nodes, movetime_ms)) != 1:
        raise LabelUsageError("give exactly one of --depth, --nodes and --movetime")
    try:
        limit = Limit(depth=depth, nodes=nodes, movetime_ms=movetime_ms)
    except ValidationError as error:
        fault = error.errors()[0]
        raise LabelUsageError(f"--{fault['loc'][0]}: {fault['msg']}") from error
    chosen: dict[str, str | int | bool] = dict(_option(text) for text in options)
    try:
        settings = Engine(
            command=engine,
            hash_mb=hash_mb,
            multipv=multipv,
            options=chosen,
            # A long --movetime is no hang.
            timeout_s=max(600.0, 10 + 2 * (movetime_ms or 0) / 1000),
        )
    except ValidationError as error:
        fault = error.errors()[0]
        where = ".".join(map(str, fault["loc"]))
        raise LabelUsageError(f"engine: {where}: {fault['msg']}") from error
    if store is not None and store.exists() and not store.is_dir():
        raise LabelUsageError(f"--store {store} is no folder")
    good, bad = _read(file)
    with ExitStack() as stack:
        if store is None:
            store = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        result = label_positions(
            [fen for _, fen in good], [limit], settings, store, threads=threads
        )
    rows = _rows(good, result)
    if as_json:
        text = json.dumps(_report(good, bad, rows, result, limit), indent=1) + "\n"
        _write(text, out)
    else:
        if out is not None and out.suffix == ".parquet":
            parquet.write(result.labels, out, extra={"engine.json": result.engine.text})
        else:
            _write(_csv(rows), out)
        _tell(good, bad, result, limit)
    if not good:
        raise LabelInputError(f"{file}: no line is a chess position ({len(bad)} bad lines)")
    if not rows:
        raise LabelFailedError(f"the engine failed on all of the {len(good)} positions")


def _option(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise LabelUsageError(
            f"--option {text!r} must be NAME=VALUE, for instance 'Use NNUE=false'"
        )
    return name.strip(), value.strip()


def _read(file: Path) -> tuple[list[tuple[int, str]], list[_Bad]]:
    """Return (line number, four-field FEN) of the good lines, and the bad ones."""
    try:
        content = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    except OSError as error:
        raise LabelInputError(f"{file}: cannot be read: {error.strerror}") from error
    if b"\0" in content:
        raise LabelInputError(f"{file}: not a text file with one FEN a line (UTF-8, not packed)")
    good: list[tuple[int, str]] = []
    bad: list[_Bad] = []
    for number, line in enumerate(content.decode("utf-8-sig", errors="replace").split("\n"), 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        words = text.split()
        if len(words) < 4:
            bad.append(_Bad(number, text, f"a FEN has at least 4 fields, this line {len(words)}"))
            continue
        try:
            good.append((number, Board(" ".join(words[:4])).epd()))
        except FenError as error:
            bad.append(_Bad(number, text, str(error)))
    return good, bad


def _rows(good: list[tuple[int, str]], result: Labelled) -> list[dict[str, Any]]:
    """Return the labels in the order of the lines; a position met twice has two rows."""
    labels = {row["fen"]: row for row in result.labels.to_pylist()}
    return [
        {name: number if name == "line" else labels[fen][name] for name in _COLUMNS}
        for number, fen in good
        if fen in labels
    ]


def _report(
    good: list[tuple[int, str]],
    bad: list[_Bad],
    rows: list[dict[str, Any]],
    result: Labelled,
    limit: Limit,
) -> dict[str, Any]:
    failed = {row["fen"]: row for row in result.rejects.to_pylist()}
    rejects: list[dict[str, Any]] = [
        {"line": item.line, "text": item.text, "reason": "bad_fen", "detail": item.reason}
        for item in bad
    ]
    rejects += [
        {
            "line": number,
            "text": fen,
            "reason": failed[fen]["reason"],
            "detail": failed[fen]["detail"],
        }
        for number, fen in good
        if fen in failed
    ]
    rejects.sort(key=lambda reject: reject["line"])
    engine = result.engine
    return {
        "total": {
            "found": len(good) + len(bad),
            "labelled": len(rows),
            "rejected": len(rejects),
            "reasons": dict(sorted(Counter(reject["reason"] for reject in rejects).items())),
            "distinct_positions": result.labels.num_rows,
            "searches": result.searches,
        },
        "engine": {
            "name": engine.name,
            "version": engine.version,
            "net": engine.net,
            "options": engine.options,
        },
        "limit": limit.text,
        "repeatable": limit.repeatable,
        "view": "White; centipawns; mate in moves, 0 = the side to move is mated",
        "labels": rows,
        "rejects": rejects,
    }


def _csv(rows: list[dict[str, Any]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, _COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _write(text: str, out: Path | None) -> None:
    if out is None:
        sys.stdout.write(text)
    else:
        parquet.write_text(out, text)


def _tell(good: list[tuple[int, str]], bad: list[_Bad], result: Labelled, limit: Limit) -> None:
    """Say on standard error what was left out and who labelled."""
    for item in bad:
        print(f"line {item.line}: {item.reason}", file=sys.stderr)
    failed = {row["fen"]: row["detail"] for row in result.rejects.to_pylist()}
    for number, fen in good:
        if fen in failed:
            print(f"line {number}: {failed[fen]}", file=sys.stderr)
    count = sum(fen not in failed for _, fen in good)
    engine = f"{result.engine.name} {result.engine.version}".strip()
    print(
        f"{count:,} of {len(good) + len(bad):,} positions labelled by {engine}, {limit.text}, "
        f"White's view{'' if limit.repeatable else '; labels by the clock do not repeat'}",
        file=sys.stderr,
    )
