"""``tabia terms FENFILE``: the 194 evaluation terms of positions, for people and for programs."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.csv as pa_csv

from tabia._native import chess_positions, chess_terms
from tabia._native.chess_board import Board, FenError
from tabia.games.chess_terms import COLUMNS, TERMS, by_group
from tabia.tables import parquet

__all__ = ["TermsInputError", "terms"]

_ROWS = 16 * 1024  # at a time: 12 MB of terms, three times that of text
_FIELDS = 4


class TermsInputError(ValueError):
    """A file that cannot be read, has a line that is no position, or has no line at all."""

    exit_code = 3


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
    """
    fens, boards = _read(file)
    with _text(output) as out:
        if as_csv:
            out.write(",".join(("fen", *COLUMNS)) + "\n")
        for start in range(0, len(fens), _ROWS):
            chosen = fens[start : start + _ROWS]
            values = chess_terms.terms_from_boards(boards[start : start + _ROWS])
            out.write(_csv(chosen, values) if as_csv else _tables(chosen, values))


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


def _read(file: Path) -> tuple[list[str], npt.NDArray[np.uint8]]:
    """Return the FENs as they stand in the file and their packed boards, ``[n, 32]``."""
    try:
        content = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    except OSError as error:
        raise TermsInputError(f"{file}: cannot be read: {error.strerror}") from error
    if b"\0" in content:
        raise TermsInputError(f"{file}: not a text file with one FEN a line (UTF-8, not packed)")
    name = "standard input" if str(file) == "-" else str(file)
    numbers: list[int] = []
    fens: list[str] = []
    for number, line in enumerate(content.decode("utf-8-sig", errors="replace").split("\n"), 1):
        text = line.strip()
        if text and not text.startswith("#"):
            numbers.append(number)
            fens.append(_without_operations(text))
    if not fens:
        raise TermsInputError(f"{name}: no line with a position")
    parts = []
    bad = 0
    for start in range(0, len(fens), _ROWS):
        chosen = fens[start : start + _ROWS]
        boards = _boards(chosen)
        if boards is not None:
            parts.append(boards)
            continue
        for number, fen in zip(numbers[start:], chosen, strict=False):
            fault = _fault(fen)
            if fault is not None:
                print(f"{name}, line {number}: {fault}", file=sys.stderr)
                bad += 1
    if bad:
        raise TermsInputError(
            f"{name}: {bad:,} of {len(fens):,} positions cannot be read, see above; nothing is"
            " printed or written until they are corrected or removed"
        )
    return fens, np.concatenate(parts)


def _without_operations(text: str) -> str:
    """Cut the operations of an EPD, ``bm Nf3;``, which end with a semicolon."""
    return " ".join(text.split()[:_FIELDS]) if text.endswith(";") else text


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
    fields = len(fen.split())
    if fields < _FIELDS:
        return f"{fen!r}: a FEN has at least {_FIELDS} fields, this has {fields}"
    try:
        Board(fen, chess960=True)
    except FenError as error:
        return str(error)
    return None


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
