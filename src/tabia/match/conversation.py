"""A program that is spoken to line by line, with deadlines, and the end of what was said."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from tabia.engines.process import dying_with
from tabia.match.agent import AgentFaultError, FaultKind

__all__ = ["Conversation", "printable"]

_READ = 64 * 1024
_REMEMBERED = 24  # lines of transcript
_LONGEST_LINE = 2000  # of a transcript; a game of 400 plies is 2,000 characters
_MOST_BYTES = 16 * 1024 * 1024  # of one answer; 300 lines of depth 100 stay under 1 MB
_CLOCK = re.compile(r" (?:nps|time|hashfull|tbhits) -?\d+")


class Conversation:
    """A running program with pipes; every wait has a deadline.

    The program has a process group of its own: Ctrl-C at a terminal reaches this program only,
    which ends the other one itself. It also dies with the thread that started it (Linux).

    Parameters
    ----------
    command
        Path of the program.
    arguments
        What it is called with.

    Raises
    ------
    OSError
        If the program cannot be run.
    """

    def __init__(self, command: Path, arguments: Sequence[str] = ()) -> None:
        self._process = subprocess.Popen(
            [str(command), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,  # a loader's last words belong to the transcript
            bufsize=0,
            process_group=0,
            preexec_fn=dying_with(os.getpid()),
        )
        if self._process.stdin is None or self._process.stdout is None:
            raise OSError("no pipes")  # never: both are PIPE
        self._in, self._out = self._process.stdin, self._process.stdout
        for pipe in (self._in, self._out):
            os.set_blocking(pipe.fileno(), False)
        self._buffer = bytearray()
        self._lines: deque[str] = deque(maxlen=_REMEMBERED)
        self._asked: tuple[str, ...] = ()

    @property
    def pid(self) -> int:
        """Process id."""
        return self._process.pid

    @property
    def transcript(self) -> tuple[str, ...]:
        """The last lines sent (``> ``) and heard (``< ``), without clock readings.

        What was asked last is always among them, however much was said since.
        """
        rest = printable(self._buffer[-_LONGEST_LINE:].decode(errors="replace")).strip()
        lines = (*self._lines, *([f"< {rest}"] if rest else []))
        if any(line.startswith("> ") for line in lines):
            return lines
        return (*self._asked, "…", *lines)

    def send(self, *lines: str, timeout_s: float) -> None:
        """Send lines; AgentFaultError if the program does not take them in time."""
        for line in lines:
            self._note("> ", line)
        if lines:
            self._asked = tuple(self._lines)[-len(lines) :]
        data = memoryview("".join(f"{line}\n" for line in lines).encode())
        deadline = time.monotonic() + timeout_s
        while data:
            try:
                data = data[os.write(self._in.fileno(), data) :]
            except BrokenPipeError:
                return  # the end of its output tells more
            except BlockingIOError:
                if not self._wait(self._in.fileno(), select.POLLOUT, deadline):
                    raise self.fault("timeout", f"no input read in {timeout_s:g} s") from None

    def hear(self, last: str, *, timeout_s: float) -> list[str]:
        """Return what it says up to the line whose first word is `last`, that line included.

        Raises
        ------
        AgentFaultError
            If it ends or says nothing of the kind in time.
        """
        lines: list[str] = []
        for line in self.lines(f"`{last}`", timeout_s=timeout_s):
            if line:
                lines.append(line)
                if line.split(maxsplit=1)[0] == last:
                    break
        return lines

    def lines(self, awaited: str, *, timeout_s: float) -> Iterator[str]:
        """Yield what it says line by line, without blanks at the ends, empty lines too.

        Parameters
        ----------
        awaited
            What is waited for, in words, for the error.
        timeout_s
            Seconds from the first line asked for, after which it is given up.

        Raises
        ------
        AgentFaultError
            If it ends or says no more in time.
        """
        deadline = time.monotonic() + timeout_s
        heard = 0
        while True:
            while (end := self._buffer.find(b"\n")) >= 0:
                line = self._buffer[:end].decode(errors="replace").strip()
                del self._buffer[: end + 1]
                if line:
                    self._note("< ", line)
                yield line
            if heard > _MOST_BYTES:
                raise self.fault("garbage", f"{heard:,} bytes of output and no {awaited}")
            if not self._wait(self._out.fileno(), select.POLLIN, deadline):
                raise self.fault("timeout", f"no {awaited} in {timeout_s:g} s")
            chunk = os.read(self._out.fileno(), _READ)
            if not chunk:
                raise self.fault("crashed", f"{self._ending()} before {awaited}")
            heard += len(chunk)
            self._buffer += chunk

    def fault(self, kind: FaultKind, detail: str) -> AgentFaultError:
        """Return the error of what just went wrong, with the transcript."""
        return AgentFaultError(kind, detail, self.transcript)

    def close(self) -> None:
        """End the program at once, and what it has started, and reap it."""
        # The group: an engine behind a script would go on with a search that nobody waits for.
        with suppress(ProcessLookupError, PermissionError):  # macOS: of a group of zombies
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for pipe in (self._in, self._out):
            try:
                pipe.close()
            except BrokenPipeError:
                continue

    def _wait(self, fileno: int, event: int, deadline: float) -> bool:
        left = deadline - time.monotonic()
        poll = select.poll()
        poll.register(fileno, event)
        return left > 0 and bool(poll.poll(left * 1000))

    def _note(self, sign: str, line: str) -> None:
        text = printable(_CLOCK.sub("", line))
        if len(text) > _LONGEST_LINE:
            text = f"{text[: _LONGEST_LINE // 2]} … {text[-_LONGEST_LINE // 2 :]}"
        self._lines.append(sign + text)

    def _ending(self) -> str:
        try:
            code = self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            return "it closed its output"
        if code < 0:
            return f"it was killed by {signal.Signals(-code).name}"
        return f"it ended with exit status {code}"


def printable(text: str) -> str:
    """Return `text` with blanks for signs that would tell a terminal or a PGN reader something."""
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else " " for sign in text)
