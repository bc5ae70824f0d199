"""Standard input, output and error of the program: how they are set up, and how they fail.

What is printed is UTF-8 whatever the locale says, as the files are that are written. A command
whose result goes to standard output does not begin where that is closed; an output that nobody
reads any more, or whose disk is full, ends the program with a message or quietly, never with a
traceback.
"""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import Any

from typer.core import TyperCommand

__all__ = [
    "ClosedOutputError",
    "OutputError",
    "Prints",
    "PrintsOrWrites",
    "discard",
    "flush",
    "prepare",
    "require_output",
]


class ClosedOutputError(ValueError):
    """Standard output is needed and closed."""

    exit_code = 2


class OutputError(OSError):
    """Standard output that takes no more, as on a full disk."""

    exit_code = 3


class Prints(TyperCommand):
    """A command whose result goes to standard output."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command.

        Raises
        ------
        ClosedOutputError
            If standard output is closed: before the work is done, not after.
        """
        require_output()
        return super().invoke(ctx)


class PrintsOrWrites(TyperCommand):
    """A command whose result goes to the file of its option ``out``, else to standard output."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command.

        Raises
        ------
        ClosedOutputError
            If no file is named and standard output is closed.
        """
        if ctx.params["out"] in (None, Path("-")):
            require_output("--out FILE")
        return super().invoke(ctx)


def require_output(instead: str | None = None) -> None:
    """Check that standard output is open; `instead` is the option that does without it.

    Raises
    ------
    ClosedOutputError
        If it is not.
    """
    if sys.stdout is None:
        remedy = "" if instead is None else f", or give {instead}"
        raise ClosedOutputError(f"standard output is closed; leave it open{remedy}")


def prepare() -> None:
    """Set the standard streams up; tests and libraries that have put their own there keep them."""
    # Else the next file or pipe that is opened gets the number of a closed stream, and what a
    # library or an engine writes there gets into it.
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
    if type(sys.stdout) is io.TextIOWrapper:
        sys.stdout.flush()
        by_line = sys.stdout.line_buffering or sys.stdout.write_through
        sys.stdout = _text(_Output(1, "wb", closefd=False), "utf-8", by_line=by_line)
    if sys.stderr is None or type(sys.stderr) is io.TextIOWrapper:
        # Where it is closed, print(file=None) would put messages among the results.
        encoding = "utf-8" if sys.stderr is None else sys.stderr.encoding
        sys.stderr = _text(_Messages(2, "wb", closefd=False), encoding, by_line=True)


def _text(file: io.FileIO, encoding: str, *, by_line: bool) -> io.TextIOWrapper:
    return io.TextIOWrapper(
        io.BufferedWriter(file),
        encoding=encoding,
        errors="backslashreplace",  # a file name that is no text must not end the program
        line_buffering=by_line,
    )


class _Output(io.FileIO):
    """Standard output, whose errors are told from those of all other files."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise OutputError(f"standard output cannot be written: {error.strerror}") from error


class _Messages(io.FileIO):
    """Standard error: that nobody can be told something is no reason to end or to fail."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError:
            return len(data)


def flush() -> None:
    """Write what is still buffered for standard output.

    Raises
    ------
    OutputError, BrokenPipeError
        If it cannot be written, or nobody reads it.
    """
    if sys.stdout is not None:
        sys.stdout.flush()


def discard() -> None:
    """Drop what is still buffered: the interpreter would fail on it at its end."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.close(null)
