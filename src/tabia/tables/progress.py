"""Progress of long work: a bar on a terminal, a line now and then in a log."""

from __future__ import annotations

import sys
import time
from types import TracebackType

__all__ = ["Progress"]

_LINE_EVERY_S = 15.0


class Progress:
    """Reports how much is done, how fast, and when it will end. Writes to stderr only.

    Parameters
    ----------
    label
        What is being done, ``"label positions"``.
    total
        Units of work in all, or None where that cannot be known.
    unit
        Name of a unit in the plural, ``"games"``.
    """

    def __init__(self, label: str, total: float | None, unit: str) -> None:
        self._label, self._total, self._unit = label, total, unit
        self._done = 0.0
        self._start = self._last = time.monotonic()
        self._terminal = sys.stderr.isatty()

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None:
            self._write(final=True)
        elif self._terminal:
            sys.stderr.write("\n")

    def advance(self, amount: float = 1) -> None:
        """Count `amount` more units as done."""
        self._done += amount
        now = time.monotonic()
        if now - self._last >= (0.1 if self._terminal else _LINE_EVERY_S):
            self._last = now
            self._write(final=False)

    def _write(self, *, final: bool) -> None:
        elapsed = max(time.monotonic() - self._start, 1e-9)
        rate = self._done / elapsed
        digits = self._digits()
        text = f"{self._label}: {self._done:,.{digits}f}"
        if self._total is not None:
            text += f" of {self._total:,.{digits}f}"
        each = self._unit.split()[0]  # "rows" of "rows at most"
        text += f" {self._unit}, {rate:,.{max(digits, 1)}f} {each}/s"
        if final:
            text += f", {elapsed:.1f} s"
        elif self._total is not None and rate > 0:
            text += f", about {max(self._total - self._done, 0) / rate:,.0f} s left"
        if self._terminal:
            sys.stderr.write(f"\r\x1b[2K{text}" + ("\n" if final else ""))
        else:
            sys.stderr.write(text + "\n")
        sys.stderr.flush()

    def _digits(self) -> int:
        """Return the decimals of an amount: some of small sizes, none of what is counted."""
        if self._unit != "MB":
            return 0
        largest = self._done if self._total is None else self._total
        return 0 if largest >= 10 else 1 if largest >= 0.1 else 3  # never "0 of 0"
