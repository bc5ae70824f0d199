"""``tabia evaluate FEN``: a saved model's value of positions, why, and the engine's beside it."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from tabia._native.chess_board import FenError
from tabia.app.commands import evaluate_text
from tabia.app.commands.evaluate_report import Asked, Reporter
from tabia.app.commands.fen_text import fen_of, ignored_castling, shortened, why
from tabia.engines.config import Limit
from tabia.engines.errors import EngineError
from tabia.evaluation.analyst import Analyst, settings_of_labels
from tabia.evaluation.predictor import Predictor
from tabia.games.chess import ChessPosition

__all__ = ["EvaluateFailedError", "EvaluateInputError", "EvaluateUsageError", "evaluate"]

_TOGETHER, _WITH_ENGINE = 256, 8  # positions of standard input valued before they are printed


class EvaluateUsageError(ValueError):
    """A FEN that is none, options that do not go together, or a needed engine that is not there."""

    exit_code = 2


class EvaluateInputError(ValueError):
    """Standard input without a single position, or files of a model that cannot be read."""

    exit_code = 3


class EvaluateFailedError(ValueError):
    """The engine failed on every position of a model that needs its values, or was given up."""

    exit_code = 2


@dataclass(frozen=True)
class _Line:
    """A line of the input: a position, or the error; castling rights that it cannot have."""

    number: int | None
    text: str
    position: ChessPosition | None
    error: str = ""
    ignored: str = ""


def evaluate(
    words: Sequence[str],
    model: Path,
    *,
    as_json: bool,
    engine: str | None,
    nodes: int | None,
    explain: bool = True,
) -> None:
    """Print what a model says of positions, and the engine beside it.

    Parameters
    ----------
    words
        A FEN, in one piece or in several; or ``-``: one FEN a line on standard input.
    model
        Folder of the model.
    as_json
        One JSON object; with ``-`` one a line.
    engine
        Engine to ask, name or path; None = none.
    nodes
        The engine's limit; None = that of the labels' target.
    explain
        Whether values are explained.

    Raises
    ------
    EvaluateUsageError
        If the FEN is no position, `nodes` is no limit, or an engine is needed and cannot be had.
    SavedModelError
        If the folder is no model that can be used.
    EvaluateInputError
        If no line of standard input is a position, after the report about the lines; or if
        standard input is closed, or a file of the model cannot be read.
    EvaluateFailedError
        If the model needs the engine, and there is not one value because it failed, or it was
        given up; after the report.
    """
    if engine is None and nodes is not None:
        raise EvaluateUsageError("--nodes is the engine's limit: leave it or --no-engine out")
    stream = list(words) == ["-"]
    if not stream:
        only = _line(None, " ".join(words))
        if only.position is None:
            raise EvaluateUsageError(only.error)
    elif sys.stdin is None:
        raise EvaluateInputError("standard input is closed; give it a file: < positions.fen")
    asked_limit = None if nodes is None else _limit(nodes)
    predictor = _load(model)
    target = asked_limit or predictor.config.labels.target
    with ExitStack() as stack:
        asked = _start(stack, predictor, engine, target)
        reporter = Reporter(predictor, asked, explain=explain)
        lines = _stdin() if stream else iter([only])
        good = valued = 0
        size = _WITH_ENGINE if asked.analyst else _TOGETHER
        while chunk := list(islice(lines, size)):
            reports = _reports(reporter, chunk)
            good += sum("error" not in report for report in reports)
            valued += sum(
                report["value"] is not None or report["result"] is not None
                for report in reports
                if "error" not in report
            )
            for report in reports:
                _print(report, as_json=as_json, stream=stream)
    if not good:
        raise EvaluateInputError("standard input: no line is a chess position")
    if not valued and reporter.failures == good:
        raise EvaluateFailedError("the engine failed, and the model needs its values")
    if reporter.failures and asked.analyst and asked.analyst.given_up:
        raise EvaluateFailedError(
            f"{reporter.failures:,} of {good:,} positions have no value: the engine was given up,"
            " and the model needs its values"
        )


def _limit(nodes: int) -> Limit:
    try:
        return Limit(nodes=nodes)
    except ValidationError as error:
        fault = error.errors()[0]["msg"]
        raise EvaluateUsageError(f"--nodes {shortened(str(nodes))}: {fault}") from error


def _load(folder: Path) -> Predictor:
    try:
        return Predictor.load(folder)
    except OSError as error:
        raise EvaluateInputError(
            f"{shortened(str(error.filename or folder))}: cannot be read: {error.strerror}; see"
            " who may read it (ls -l), or name another model's folder"
        ) from error


def _start(stack: ExitStack, predictor: Predictor, engine: str | None, target: Limit) -> Asked:
    """Start the engine, if there shall and can be one."""
    config = predictor.config
    depths = tuple(Limit(depth=depth) for depth in config.depths)
    needs = (
        f"{config.run} in scenario {config.scenario} needs the engine's values at depth"
        f" {', '.join(map(str, config.depths))}"
    )
    if engine is None:
        if depths:
            raise EvaluateUsageError(
                f"{needs}: leave out --no-engine, or use a model of scenario 3"
            )
        return Asked(None, depths, target, "")
    try:
        settings = settings_of_labels(config.engine, engine, [*depths, target])
        analyst = stack.enter_context(Analyst(settings))
    except EngineError as error:
        fault = str(error).replace(engine, shortened(engine)) if engine else str(error)
        if depths:
            raise EvaluateUsageError(f"{needs}: {fault}") from error
        return Asked(None, depths, target, fault)
    return Asked(analyst, depths, target, "")


def _line(number: int | None, text: str) -> _Line:
    fen = fen_of(text)
    try:
        if len(fen.split()) >= 4:
            position = ChessPosition(" ".join(fen.split()))
            return _Line(number, text, position, ignored=ignored_castling(fen, position.board))
    except FenError:
        pass
    error = why(fen) or "castling rights of Chess960, which no model has seen"
    return _Line(number, shortened(text), None, f"FEN {shortened(text)!r}: {error}")


def _stdin() -> Iterator[_Line]:
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8-sig", errors="replace", newline=None)
    number = 0
    for read in sys.stdin:
        # A reader ends lines at line feeds and carriage returns; an editor shows more ends.
        for line in read.splitlines():
            number += 1
            text = line.strip()
            if text and not text.startswith("#"):
                yield _line(number, text)


def _reports(reporter: Reporter, lines: Sequence[_Line]) -> list[dict[str, Any]]:
    """Return one report a line, in order."""
    found = iter(reporter.reports([line.position for line in lines if line.position]))
    reports = []
    for line in lines:
        if not line.position:
            reports.append({"line": line.number, "text": line.text, "error": line.error})
            continue
        report = {"line": line.number} | next(found)
        if line.ignored:
            text = f"castling rights {line.ignored} ignored: king and rook do not stand for them"
            report["notes"].append({"code": "castling_ignored", "text": text})
        reports.append(report)
    return reports


def _print(report: dict[str, Any], *, as_json: bool, stream: bool) -> None:
    if as_json:
        print(json.dumps(report, ensure_ascii=False, indent=None if stream else 1), flush=stream)
    elif "error" in report:
        if sys.stderr is not None:  # print would take standard output instead
            print(f"line {report['line']}: {report['error']}", file=sys.stderr)
    else:
        evaluate_text.show(report)
        if stream:
            print()
