"""``tabia terms FENFILE``: the 194 evaluation terms of positions, for people and for programs."""

from __future__ import annotations

import io
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO, TextIO

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.csv as pa_csv

from tabia._native import chess_positions, chess_terms
from tabia._native.chess_board import Board, FenError
from tabia.app.commands.fen_text import fen_of, ignored_castling, shortened, why
from tabia.games.chess_terms import COLUMNS, TERMS, by_group
from tabia.tables import parquet

__all__ = ["TermsInputError", "TermsUsageError", "terms"]

_ROWS = 16 * 1024  # at a time: 12 MB of terms, three times that of text
_FIELDS = 4


class TermsInputError(ValueError):
    """A file that cannot be read, has a line that is no position, or has no line at all."""

    exit_code = 3


class TermsUsageError(ValueError):
    """An output that would replace the input."""

    exit_code = 2


def terms(file: Path, *, as_csv: bool, output: Path | None) -> None:
    """Print the terms of the positions of a file, in its order.

    Parameters
    ----------
    file
        One FEN or EPD a line. Empty lines and lines that start with # are skipped. ``-`` is
        standard input.
    as_csv
        Print CSV with the columns ``fen`` (as in the file), ``white_<term>`` 97 times and
        ``black_<term>`` 97 times; else, for each position, a table by groups.
    output
        Write here instead of standard output; the file appears whole or not at all.

    Raises
    ------
    TermsInputError
        If the file cannot be read, or a line is no position; then every such line is told on
        standard error, and nothing is printed or written.
    TermsUsageError
        If `output` is the file itself.

    Notes
    -----
    The file is read twice, first to check every line, so that it need not fit in memory. What
    can be read only once, as standard input, is copied to a temporary file.
    """
    name = "standard input" if str(file) == "-" else str(file)
    with _opened(file, output) as lines:
        _check(lines, name)
        lines.seek(0)
        with _text(output) as out:
            if as_csv:
                out.write(",".join(("fen", *COLUMNS)) + "\n")
            for _, fens in _batches(lines, name):
                boards = _boards(fens)
                if boards is None:
                    raise TermsInputError(f"{name}: changed while it was read; run again")
                values = chess_terms.terms_from_boards(boards)
                out.write(_csv(fens, values) if as_csv else _tables(fens, values))


@contextmanager
def _text(output: Path | None) -> Iterator[TextIO]:
    if output is None:
        yield sys.stdout
        return
    with (
        parquet.atomic_path(output) as unfinished,
        unfinished.open("w", encoding="utf-8", newline="\n") as out,
    ):
        yield out


@contextmanager
def _opened(file: Path, output: Path | None) -> Iterator[BinaryIO]:
    """Open a file so that it can be read twice; refuse it as its own output."""
    if str(file) == "-" and sys.stdin is None:
        raise TermsInputError("standard input is closed; give it a file: < positions.fen")
    with ExitStack() as stack:
        try:
            source: BinaryIO = (
                sys.stdin.buffer if str(file) == "-" else stack.enter_context(file.open("rb"))
            )
            if output is not None and _is_open_as(source, output):
                raise TermsUsageError(
                    f"--output {output} is the file that is read; name another, or its positions"
                    " would be lost"
                )
            if str(file) == "-" or not source.seekable():
                copy = stack.enter_context(tempfile.TemporaryFile())
                shutil.copyfileobj(source, copy)
                copy.seek(0)
                source = copy
        except OSError as error:
            raise TermsInputError(
                f"{shortened(str(file))}: cannot be read: {error.strerror}"
            ) from error
        yield source


def _is_open_as(source: BinaryIO, path: Path) -> bool:
    """Whether a path is the open file, by whatever name or link."""
    try:
        return os.path.samestat(os.fstat(source.fileno()), path.stat())
    except OSError:  # no such path, or no file behind the source
        return False


def _batches(lines: BinaryIO, name: str) -> Iterator[tuple[list[int], list[str]]]:
    """Yield the numbers of lines with a position and their FENs, some thousands at a time."""
    numbers: list[int] = []
    fens: list[str] = []
    for number, text in enumerate(_texts(lines), 1):
        if "\0" in text:
            raise TermsInputError(
                f"{name}: not a text file with one FEN a line (UTF-8, not packed)"
            )
        text = text.strip()
        if text and not text.startswith("#"):
            numbers.append(number)
            fens.append(fen_of(text))
        if len(fens) == _ROWS:
            yield numbers, fens
            numbers, fens = [], []
    if fens:
        yield numbers, fens


def _texts(lines: BinaryIO) -> Iterator[str]:
    """Yield lines, whichever way they end; a byte order mark may begin the file."""
    reader = io.TextIOWrapper(lines, encoding="utf-8-sig", errors="replace", newline=None)
    try:
        for line in reader:
            # A reader ends lines at line feeds and carriage returns; an editor shows more ends.
            yield from line.splitlines()
    finally:
        reader.detach()  # or it would close the file, which is read again


def _check(lines: BinaryIO, name: str) -> None:
    """Tell every line that is no position; raise if there is one, or no line at all.

    Castling rights that count nothing are told once, with the first line that has some.
    """
    count = bad = impossible = 0
    first = ""
    for numbers, fens in _batches(lines, name):
        count += len(fens)
        if _boards(fens) is not None:
            for number, fen in zip(numbers, fens, strict=True):
                ignored = ignored_castling(fen, Board(fen, chess960=True))
                impossible += bool(ignored)
                first = first or (ignored and f"{ignored} in line {number}")
            continue
        for number, fen in zip(numbers, fens, strict=True):
            fault = _fault(fen)
            if fault is not None:
                _tell(f"{name}, line {number}: {fault}")
                bad += 1
    if not count:
        raise TermsInputError(f"{name}: no line with a position")
    if bad:
        raise TermsInputError(
            f"{name}: {bad:,} of {count:,} positions cannot be read, see above; nothing is"
            " printed or written until they are corrected or removed"
        )
    if impossible:
        _tell(
            f"{name}: castling rights of {impossible:,} positions ignored, first {first}: king and"
            " rook do not stand for them"
        )


def _tell(text: str) -> None:
    if sys.stderr is not None:  # print would take standard output instead
        print(text, file=sys.stderr)


def _boards(fens: Sequence[str]) -> npt.NDArray[np.uint8] | None:
    """Return the packed boards, or None where some text is no FEN."""
    if any(len(fen.split()) < _FIELDS for fen in fens):
        return None
    try:
        return chess_positions.boards_from_fens(fens)
    except FenError:
        return None


def _fault(fen: str) -> str | None:
    """Say what is wrong with one text, if anything."""
    fault = why(fen)
    return None if fault is None else f"FEN {shortened(fen)!r}: {fault}"


def _csv(fens: Sequence[str], values: npt.NDArray[np.float32]) -> str:
    columns = [pa.array(fens, pa.string()), *(pa.array(column) for column in values.T.copy())]
    table = pa.Table.from_arrays(columns, names=["fen", *COLUMNS])
    text = io.BytesIO()
    # No position that was accepted has a comma or a quote in it.
    options = pa_csv.WriteOptions(include_header=False, quoting_style="none")
    pa_csv.write_csv(table, text, options)
    return text.getvalue().decode()


def _tables(fens: Sequence[str], values: npt.NDArray[np.float32]) -> str:
    return "".join(map(_table, fens, values))


def _table(fen: str, values: npt.NDArray[np.float32]) -> str:
    """Return the terms of one position by groups, with what each counts."""
    of_white = dict(zip(TERMS, values[: len(TERMS)], strict=True))
    of_black = dict(zip(TERMS, values[len(TERMS) :], strict=True))
    lines = [fen, f"{'':24}{'White':>8}{'Black':>8}"]
    for group, members in by_group().items():
        lines.append(group)
        lines += [
            f"  {term.name:22}{of_white[term.name]:8.7g}{of_black[term.name]:8.7g}  {term.text}"
            for term in members
        ]
    return "\n".join(lines) + "\n\n"
