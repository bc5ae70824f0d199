"""Payoff matrices as CSV, in either of two forms.

A matrix, with the rows' names first and, if there are ratings, a second column ``elo``::

    name,elo,a,b
    a,1500,0,0.25
    b,1400,-0.25,0

Games, a line for each pair in each order, in the view of who moves first; columns in any order::

    first,second,wins,draws,losses,first_elo,second_elo
    a,b,6,2,2,1500,1400

A matrix may be left blank where its mirror image or, if there are ratings, the Elo expectation
tells the value. All faults of a file are told at once, each with its line, value and remedy.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np

from tabia.population import payoff
from tabia.population.payoff import ANTISYMMETRIC, PayoffError, PayoffMatrix
from tabia.tables import parquet

__all__ = ["PayoffFileError", "Scale", "read", "write_games", "write_matrix"]

Scale = Literal["score", "half", "probability"]
"""What the numbers of a matrix are: mean scores M (-1 to 1, or any stakes); p - 1/2; or p, a win
rate of 0 to 1."""

_TOLD = 20  # faults
_COUNTS = ("wins", "draws", "losses")
_ELOS = ("first_elo", "second_elo")
_LARGEST = 2**40  # games of a cell


class PayoffFileError(ValueError):
    """A file that holds no payoff matrix."""

    exit_code = 3


class _Faults:
    """Faults of one file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lines: list[str] = []

    def add(self, line: int, text: str) -> None:
        self._lines.append(f"{self._path}:{line}: {text}")

    def stop(self) -> None:
        """Raise if there is any fault."""
        if not self._lines:
            return
        more = len(self._lines) - _TOLD
        rest = [f"{self._path}: and {more} more faults"] if more > 0 else []
        raise PayoffFileError("\n".join(self._lines[:_TOLD] + rest))


def read(path: Path, scale: Scale = "score") -> PayoffMatrix:
    """Return the payoff matrix of a CSV file of either form.

    Parameters
    ----------
    scale
        Of a matrix; games are counted and need none.

    Raises
    ------
    PayoffFileError
        If the file is no such matrix; the message has a line a fault.
    """
    rows = _rows(path)
    faults = _Faults(path)
    head = [field.strip() for field in rows[0][1]]
    if {"first", "second"} <= set(head):
        if scale != "score":
            faults.add(rows[0][0], f"is a list of games, which has no scale; leave {scale!r} away")
        return _games(path, rows, faults)
    return _matrix(path, rows, scale, faults)


def _rows(path: Path) -> list[tuple[int, list[str]]]:
    """Return the lines that are not blank, each with its number."""
    data = path.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise PayoffFileError(
            f"{path}:{line}: byte 0x{data[error.start]:02x} is not UTF-8; save the file as UTF-8"
        ) from error
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    rows: list[tuple[int, list[str]]] = []
    try:
        rows.extend(
            (reader.line_num, fields) for fields in reader if any(field.strip() for field in fields)
        )
    except csv.Error as error:
        raise PayoffFileError(f"{path}:{reader.line_num}: {error}; is it CSV?") from error
    if not rows:
        raise PayoffFileError(
            f"{path}: is empty; a matrix begins with name,A,B… and games with"
            " first,second,wins,draws,losses"
        )
    return rows


# --- matrices ----------------------------------------------------------------------------


def _matrix(
    path: Path, rows: list[tuple[int, list[str]]], scale: Scale, faults: _Faults
) -> PayoffMatrix:
    line, head = rows[0]
    names = [field.strip() for field in head[1:]]
    n = len(rows) - 1
    has_elo = bool(names) and names[0].casefold() == "elo" and len(names) == n + 1
    names = names[has_elo:]
    _check_names(names, line, faults)
    if len(names) != n:
        faults.add(line, f"names {len(names)} columns, and {n} rows follow; a matrix is square")
    faults.stop()
    values = np.full((n, n), np.nan)
    ratings = np.zeros(n)
    lines = [line for line, _ in rows[1:]]
    for number, (line, fields) in enumerate(rows[1:]):
        if fields[0].strip() != names[number]:
            faults.add(
                line,
                f"row {fields[0].strip()!r} stands where column {names[number]!r} does; give rows"
                " the order of the columns",
            )
        if len(fields) != n + 1 + has_elo:
            faults.add(line, f"{len(fields)} fields, not {n + 1 + has_elo}")
            continue
        if has_elo:
            elo = _number(fields[1], line, "elo", faults)
            ratings[number] = elo if elo is not None else 0.0
            if elo is None and not fields[1].strip():
                faults.add(line, f"no elo of {names[number]}; give all or leave the column away")
        for column, field in enumerate(fields[1 + has_elo :]):
            value = _number(field, line, f"column {names[column]}", faults)
            if value is not None:
                values[number, column] = value
    faults.stop()
    values = _scores(values, names, lines, scale, faults)
    faults.stop()
    return _complete(values, names, lines, ratings if has_elo else None, faults)


def _scores(
    values: payoff.Floats, names: Sequence[str], lines: Sequence[int], scale: Scale, faults: _Faults
) -> payoff.Floats:
    """Return mean scores, blanks from their mirror images; add a fault a pair that contradicts."""
    low, high = {"score": (-np.inf, np.inf), "half": (-0.5, 0.5), "probability": (0.0, 1.0)}[scale]
    for i, j in np.argwhere((values < low) | (values > high)):
        faults.add(
            lines[i], f"column {names[j]}: {values[i, j]:g} is not {low:g} to {high:g} ({scale})"
        )
    given, even = values, 0.5 if scale == "probability" else 0.0
    if scale == "half":
        values = 2 * values
    elif scale == "probability":
        values = 2 * values - 1
    wrong = np.argwhere(np.triu(np.abs(values + values.T) > 2 * ANTISYMMETRIC))
    hint = ""
    if scale == "score" and len(wrong):
        off = ~np.eye(len(values), dtype=bool) & np.isfinite(values + values.T)
        if np.allclose((values + values.T)[off], 1.0, atol=1e-5):
            hint = " but to 1: is the scale probability?"
    for i, j in wrong:
        what = (
            f"{given[i, i]:g} against itself is not {even:g}"
            if i == j
            else f"column {names[j]}: {given[i, j]:g}, and {given[j, i]:g} the other way round"
            f" on line {lines[j]}, do not add up to {2 * even:g}"
        )
        faults.add(lines[i], what + ("" if i == j else hint))
    return np.where(np.isnan(values), -values.T, values)


def _complete(
    values: payoff.Floats,
    names: Sequence[str],
    lines: Sequence[int],
    ratings: payoff.Floats | None,
    faults: _Faults,
) -> PayoffMatrix:
    np.fill_diagonal(values, np.where(np.isnan(values.diagonal()), 0.0, values.diagonal()))
    blank = np.isnan(values)
    if ratings is None:
        for i, j in np.argwhere(np.triu(blank)):
            faults.add(
                lines[i],
                f"column {names[j]} is blank and so is its mirror image; give the payoff, or a"
                " column elo to fill it by",
            )
        faults.stop()
        return payoff.from_values(names, _antisymmetric(values))
    matrix = payoff.from_values(
        names, _antisymmetric(np.where(blank, payoff.elo_payoff(ratings), values)), ratings
    )
    return PayoffMatrix(matrix.names, matrix.payoff, ratings, None, blank)


def _antisymmetric(values: payoff.Floats) -> payoff.Floats:
    halved: payoff.Floats = (values - values.T) / 2
    return halved


# --- games -------------------------------------------------------------------------------


def _games(path: Path, rows: list[tuple[int, list[str]]], faults: _Faults) -> PayoffMatrix:
    line, fields = rows[0]
    head = [field.strip() for field in fields]
    known = ("first", "second", *_COUNTS, *_ELOS)
    for name in ("first", "second", *_COUNTS):
        if head.count(name) != 1:
            faults.add(line, f"column {name} is there {head.count(name)} times, not once")
    for name in head:
        if name not in known:
            faults.add(line, f"column {name!r} is unknown; known are {', '.join(known)}")
    if any(name in head for name in _ELOS) and not all(name in head for name in _ELOS):
        faults.add(line, "has one of first_elo and second_elo; give both or none")
    faults.stop()
    column = {name: head.index(name) for name in known if name in head}
    numbers: dict[str, int] = {}
    ratings: dict[str, tuple[float, int]] = {}
    cells: dict[tuple[int, int], tuple[int, list[int]]] = {}
    for line, fields in rows[1:]:
        if len(fields) != len(head):
            faults.add(line, f"{len(fields)} fields, not {len(head)}")
            continue
        pair = [fields[column[side]].strip() for side in ("first", "second")]
        if not all(pair):
            faults.add(line, "a name is blank; name both sides")
            continue
        place = (
            numbers.setdefault(pair[0], len(numbers)),
            numbers.setdefault(pair[1], len(numbers)),
        )
        games = [_count(fields[column[what]], line, what, faults) for what in _COUNTS]
        if place in cells:
            faults.add(
                line,
                f"{pair[0]} against {pair[1]} stands on line {cells[place][0]} already;"
                " add them up",
            )
        cells[place] = (line, games)
        for name, side in zip(pair, _ELOS, strict=True):
            if side in column:
                _rate(name, fields[column[side]], line, side, ratings, faults)
    faults.stop()
    if not numbers:
        raise PayoffFileError(f"{path}: has columns and no line of games; add one at least")
    counts = np.zeros((len(numbers), len(numbers), 3), np.int64)
    for place, (_, games) in cells.items():
        counts[place] = games
    elo = [ratings[name][0] for name in numbers] if "first_elo" in column else None
    try:
        return payoff.from_counts(list(numbers), counts, elo)
    except PayoffError as error:
        raise PayoffFileError(f"{path}: {error}") from error


def _rate(
    name: str,
    field: str,
    line: int,
    column: str,
    ratings: dict[str, tuple[float, int]],
    faults: _Faults,
) -> None:
    elo = _number(field, line, column, faults)
    if elo is None:
        if not field.strip():
            faults.add(line, f"{column} of {name} is blank; give all or leave both columns away")
        return
    before = ratings.setdefault(name, (elo, line))
    if before[0] != elo:
        faults.add(line, f"{name} has Elo {elo:g}, and {before[0]:g} on line {before[1]}")


def _count(field: str, line: int, column: str, faults: _Faults) -> int:
    text = field.strip()
    if not (text.isascii() and text.isdecimal()) or int(text) > _LARGEST:
        faults.add(line, f"{column} {text!r} is no number of games; write 0, 1, 2…")
        return 0
    return int(text)


def _number(field: str, line: int, what: str, faults: _Faults) -> float | None:
    """Return the number of a field; None if it is blank or, which is a fault, none."""
    text = field.strip()
    if not text:
        return None
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or "_" in text:
        faults.add(line, f"{what}: {text!r} is no number; write for instance -0.25")
        return None
    return value


def _check_names(names: Sequence[str], line: int, faults: _Faults) -> None:
    if not names:
        faults.add(line, "names no columns; a matrix begins with name,A,B…")
    for number, name in enumerate(names):
        if not name:
            faults.add(line, f"column {number + 2} has no name")
        elif name in names[:number]:
            faults.add(line, f"column {name!r} is there twice; names must differ")


# --- writing -----------------------------------------------------------------------------


def write_matrix(matrix: PayoffMatrix, path: Path) -> None:
    """Write the payoffs, and ratings if there are any; `read` gives the same numbers again."""
    elo = matrix.ratings
    rows: list[list[object]] = [["name", *(["elo"] if elo is not None else []), *matrix.names]]
    for number, name in enumerate(matrix.names):
        first = [] if elo is None else [_text(elo[number])]
        rows.append([name, *first, *(_text(value) for value in matrix.payoff[number])])
    _write(rows, path)


def write_games(matrix: PayoffMatrix, path: Path) -> None:
    """Write the games, a line for each pair and order that has any, and ratings if there are any.

    Strategies without a game get a line of none, so that they are not lost.

    Raises
    ------
    PayoffError
        If the matrix has no games.
    """
    if matrix.counts is None:
        raise PayoffError("this matrix has payoffs and no games; write it as a matrix")
    elo = matrix.ratings
    rows: list[list[object]] = [["first", "second", *_COUNTS, *([] if elo is None else _ELOS)]]
    n = len(matrix)
    # By diagonals of the first row and column: names come up in their order when read again.
    listed = {(number, number) for number in range(n)} | {
        (int(i), int(j)) for i, j in np.argwhere(matrix.counts.sum(axis=2) > 0)
    }
    for i, j in sorted(listed, key=lambda place: (max(place), place)):
        counts = [int(count) for count in matrix.counts[i, j]]
        ends = [] if elo is None else [_text(elo[i]), _text(elo[j])]
        rows.append([matrix.names[i], matrix.names[j], *counts, *ends])
    _write(rows, path)


def _text(value: float) -> str:
    """Shortest text that reads as the same number; no -0."""
    return repr(float(value) + 0.0).removesuffix(".0")


def _write(rows: Sequence[Sequence[object]], path: Path) -> None:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(rows)
    parquet.write_text(path, text.getvalue())
