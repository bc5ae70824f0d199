"""One UCI engine process, driven over its pipes as fast as the engine itself answers.

python-chess has a UCI client of its own, but it builds a board and a handful of asyncio events
for every search: fed the same list at depth 2 it reaches about a third of the engine's own rate
(``benchmarks/labels.py --python-chess`` measures it). Labelling needs thousands of searches a
second, so this client sends a few lines and parses only the lines that decide the answer.

It refuses to guess: an option that the engine does not announce, a score that is not a number,
a best move that moves nothing is an error with the tail of the conversation in it.
"""

from __future__ import annotations

import os
import re
import select
import shutil
import signal
import subprocess
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tabia.engines.answers import Analysis, parse_search
from tabia.engines.config import Engine
from tabia.engines.errors import (
    EngineConfigError,
    EngineCrashedError,
    EngineError,
    EngineGarbageError,
    EngineNotFoundError,
    EngineStartError,
    EngineTimeoutError,
)
from tabia.engines.options import EngineOption, find_option, named_by_content, parse_option
from tabia.engines.process import dying_with

__all__ = ["START_TIMEOUT_S", "Search", "UciEngine", "find_engine", "split_name"]

START_TIMEOUT_S = 60.0
"""An engine that has not finished the handshake by then has not started."""

_SEARCHED_IN = Path("/usr/games")  # Debian's place for games, not on root's PATH
_READ = 64 * 1024  # a pipe holds no more
_LONGEST_ANSWER = 16 * 1024 * 1024  # bytes of one search; 300 lines of depth 100 stay under 1 MB
_QUEUING = ("Stockfish", "Fairy-Stockfish")
_CLOCK = re.compile(r" (?:nps|time|hashfull) -?\d+")


@dataclass(frozen=True, slots=True)
class Search:
    """One question: a position (four-field FEN) and UCI's words after ``go``."""

    fen: str
    go: str


def find_engine(command: str) -> Path:
    """Return the program's path: the one given if it has a slash, else from PATH or /usr/games.

    Raises
    ------
    EngineNotFoundError
        Saying where it was looked for and how to get it.
    """
    if not command.strip():
        raise EngineNotFoundError("engine: the name is empty; give a program's name or path")
    if "/" in command:
        # Of os.path: an unknown user or a name that is too long is no file, and no error.
        # Whole, because a path drops `./` and would then be looked up on PATH.
        path = Path(os.path.expanduser(command)).absolute()  # noqa: PTH111
        if os.path.isdir(path):  # noqa: PTH112
            raise EngineNotFoundError(
                f"engine {command}: it is a folder; give the path of the program in it"
            )
        if not os.path.exists(path):  # noqa: PTH110
            raise EngineNotFoundError(
                f"engine {command}: there is no such file; give the path of the engine's program"
            )
        if not os.access(path, os.X_OK):
            raise EngineNotFoundError(
                f"engine {command}: the file is not executable; try: chmod +x {command}"
            )
        return path
    found = shutil.which(command) or shutil.which(command, path=str(_SEARCHED_IN))
    if found is None:
        raise EngineNotFoundError(
            f"engine {command!r} was found neither on PATH nor in {_SEARCHED_IN}; install it "
            f"(Debian and Ubuntu: apt-get install {command}) or give the path of its program"
        )
    return Path(found)


class UciEngine:
    """A running engine: one thread, fixed hash, every search from a cleared state.

    Searches are queued with :meth:`submit` and collected with :meth:`receive`. Each is preceded
    by ``ucinewgame``, so that no answer depends on what was searched before.

    The constructor starts the process and does not wait for it. :meth:`handshake` does;
    :meth:`follow` makes it ready like another process of the same program, without waiting.

    Parameters
    ----------
    config
        Program, options and limits of patience.

    Raises
    ------
    EngineNotFoundError, EngineStartError
        If the program cannot be had or run.

    Attributes
    ----------
    name, version
        From ``id name``: ``Stockfish 15.1`` is name ``Stockfish``, version ``15.1``.
    net
        File name of the evaluation network in use, or "" if the engine uses none.
    options
        Every option that was set, as sent; network files by name and content, not by path.
    may_queue
        True if the engine is known to take the next position's commands while it searches, so
        that it never waits for us.
    is_ready
        True once the handshake is over; a fault before that is no search's fault.
    fault
        What :meth:`receive` met after the results it returned; the process is then useless.
    """

    name: str
    version: str
    net: str
    options: dict[str, str | int | bool]
    may_queue: bool

    def __init__(self, config: Engine) -> None:
        self._config = config
        self._path = find_engine(config.command)
        self.fault: EngineError | None = None
        self.queue: deque[Search] = deque()
        self.head_since = 0.0
        self.is_ready = False
        self._full_name = ""
        self._settings = b""
        self._unsent: list[bytes] = []
        self._buffer = bytearray()
        self._looked = 0
        self._tail = b""
        self._start()
        self._send(b"uci\n")

    def handshake(self) -> None:
        """Wait for the engine, check what it announces and set its options.

        Raises
        ------
        EngineStartError
            If it ends, or is no UCI engine, or takes longer than a minute.
        EngineConfigError
            If it is not the engine expected, or lacks an option or value asked for.
        """
        deadline = time.monotonic() + START_TIMEOUT_S
        announced: dict[str, EngineOption] = {}
        for line in self._lines_until("uciok", deadline):
            if line.startswith("id name "):
                self._full_name = line[len("id name ") :].strip()
            elif option := parse_option(line):
                announced[option.name.lower()] = option
        if not self._full_name:
            raise EngineStartError(f"engine {self._path} gave no `id name`")
        if not self._full_name.startswith(self._config.expect):
            raise EngineConfigError(
                f"engine {self._path} is {self._full_name!r}, but the configuration expects "
                f"{self._config.expect!r}; labels of different engines must not be mixed"
            )
        self.name, self.version = split_name(self._full_name)
        self.may_queue = self.name in _QUEUING
        self._settings = self._choose_options(announced)
        self._send(self._settings)
        self._lines_until("readyok", deadline)
        self.is_ready = True

    def follow(self, first: UciEngine) -> None:
        """Get ready like `first`, another process of the same program and configuration.

        Its answers are taken for granted, so that this one need not be waited for: searches may
        be submitted at once, and :meth:`receive` checks the greeting when it comes.
        """
        self._full_name, self.name, self.version = first._full_name, first.name, first.version
        self.net, self.options, self.may_queue = first.net, first.options, first.may_queue
        self._settings = first._settings
        self._send(self._settings)

    @property
    def deadline(self) -> float:
        """Clock time (``time.monotonic``) by which the running search must be finished."""
        timeout_s = self._config.timeout_s
        return self.head_since + (timeout_s if self.is_ready else max(timeout_s, START_TIMEOUT_S))

    @property
    def pid(self) -> int:
        """Process id of the engine."""
        return self._process.pid

    def fileno(self) -> int:
        """Return the file descriptor that becomes readable when the engine has spoken."""
        return self._out

    def submit(self, search: Search) -> None:
        """Queue a search; it is sent with the next :meth:`flush`."""
        if not self.queue:
            self.head_since = time.monotonic()
        self.queue.append(search)
        self._unsent.append(
            b"ucinewgame\n%sposition fen %s 0 1\ngo %s\n"
            % (b"" if self.may_queue else b"isready\n", search.fen.encode(), search.go.encode())
        )

    def flush(self) -> None:
        """Send what was submitted in one write. A dead engine shows at the next receive."""
        if self._unsent:
            self._send(b"".join(self._unsent))
            self._unsent.clear()

    def receive(self) -> list[tuple[Search, Analysis]]:
        """Return the searches finished since the last call, in order, without waiting.

        If the engine has died or talked nonsense, `fault` is set; ``queue[0]`` is then the
        search that it was busy with.
        """
        finished: list[tuple[Search, Analysis]] = []
        try:
            while chunk := os.read(self._out, _READ):
                self._buffer += chunk
                if self.is_ready or self._greeted():
                    self._collect(finished)
                if self.fault is not None or len(chunk) < _READ:
                    break
            else:
                self.fault = EngineCrashedError(self._report(f"the engine {self._ending()}"))
        except BlockingIOError:
            pass
        if finished:
            self.head_since = time.monotonic()
        if self.fault is None and len(self._buffer) > _LONGEST_ANSWER:
            self.fault = EngineGarbageError(
                self._report(f"no best move in {len(self._buffer):,} bytes of output")
            )
        return finished

    def timed_out(self) -> EngineTimeoutError:
        """Return the error for a search that is past its deadline."""
        what = "no best move" if self.is_ready else "not ready"
        return EngineTimeoutError(
            self._report(f"{what} in {self.deadline - self.head_since:g} s (timeout_s)")
        )

    def close(self) -> None:
        """End the process at once and reap it. An engine has nothing worth saving."""
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except BrokenPipeError:
                    continue

    def _start(self) -> None:
        try:
            # stderr joins stdout, so that a loader's or an engine's last words are in reports.
            # No new session: whoever kills our process group kills the engine too.
            self._process = subprocess.Popen(
                [str(self._path)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                bufsize=0,
                preexec_fn=dying_with(os.getpid()),
            )
        except OSError as error:
            raise EngineStartError(
                f"engine {self._path} cannot be run: {error.strerror}; is it a program for "
                "this machine?"
            ) from error
        if self._process.stdin is None or self._process.stdout is None:
            raise EngineStartError(f"engine {self._path}: no pipes")  # never: both are PIPE
        self._in = self._process.stdin.fileno()
        self._out = self._process.stdout.fileno()
        os.set_blocking(self._in, False)
        os.set_blocking(self._out, False)

    def _choose_options(self, announced: Mapping[str, EngineOption]) -> bytes:
        """Check the configuration's options and return the commands that set them."""
        wanted: dict[str, str | int | bool] = {"Hash": self._config.hash_mb}
        if "threads" in announced:  # an engine without the option has one thread
            wanted["Threads"] = 1
        if self._config.multipv > 1 or "multipv" in announced:
            wanted["MultiPV"] = self._config.multipv
        for name, value in self._config.options.items():
            if name.lower() in ("threads", "hash", "multipv"):
                raise EngineConfigError(
                    f"engine option {name} is not set under `options`: Threads is always 1, "
                    "Hash is `hash_mb`, MultiPV is `multipv`"
                )
            wanted[name] = value
        self.options = {}
        settings = []
        for name, value in sorted(wanted.items()):  # the order of a config file means nothing
            option = find_option(self._full_name, announced, name, value)
            text = str(value).lower() if isinstance(value, bool) else str(value)
            settings.append(f"setoption name {option.name} value {text}\n")
            self.options[option.name] = named_by_content(value)
        self.net = self._net(announced)
        return "".join([*settings, "isready\n"]).encode()

    def _net(self, announced: Mapping[str, EngineOption]) -> str:
        if "evalfile" not in announced:
            return ""
        if (use := announced.get("use nnue")) is not None:
            in_use = self.options.get(use.name, use.default)
            if str(in_use).lower() in ("false", "classical"):
                return ""
        return str(self.options.get(announced["evalfile"].name, announced["evalfile"].default))

    def _send(self, text: bytes) -> None:
        try:
            sent = os.write(self._in, text)
        except BrokenPipeError:
            return  # its end of file tells more than this
        except BlockingIOError:
            sent = 0
        if sent < len(text):
            self.fault = EngineCrashedError(self._report("the engine does not read its input"))

    def _lines_until(self, last: str, deadline: float) -> list[str]:
        poll = select.poll()
        poll.register(self._out, select.POLLIN)
        while True:
            lines = self._buffer.decode(errors="replace").splitlines(keepends=True)
            for i, line in enumerate(lines):
                if line.strip() == last and line.endswith("\n"):
                    rest = "".join(lines[i + 1 :]).encode()
                    self._buffer = bytearray(rest)
                    return [item.strip() for item in lines[:i]]
            left = deadline - time.monotonic()
            if left <= 0 or len(self._buffer) > _LONGEST_ANSWER:
                raise EngineStartError(
                    f"engine {self._path} did not say {last}: is it a UCI engine? "
                    + self._report("it was given up")
                )
            if poll.poll(left * 1000):
                chunk = os.read(self._out, _READ)
                if not chunk:
                    raise EngineStartError(
                        f"engine {self._path} ended before it said {last}; "
                        + self._report(f"the engine {self._ending()}")
                    )
                self._buffer += chunk

    def _greeted(self) -> bool:
        """Take a later process's greeting off the buffer; True if it was all there."""
        end = self._buffer.find(b"\nreadyok")
        end = self._buffer.find(b"\n", end + 1) if end >= 0 else -1
        if end < 0:
            return False
        lines = self._buffer[:end].decode(errors="replace").splitlines()
        names = [line.strip() for line in lines if line.startswith("id name ")]
        if names != [f"id name {self._full_name}"]:
            self.fault = EngineStartError(
                f"engine {self._path} was {self._full_name!r}, a new process of it says {names}"
            )
            return False
        del self._buffer[: end + 1]
        self.is_ready = True
        self.head_since = time.monotonic()
        return True

    def _collect(self, finished: list[tuple[Search, Analysis]]) -> None:
        """Take every complete answer off the buffer."""
        while (at := self._buffer.find(b"bestmove", self._looked)) >= 0:
            if at and self._buffer[at - 1] != 0x0A:
                self._looked = at + 1
                continue
            end = self._buffer.find(b"\n", at)
            if end < 0:
                self._looked = at
                return
            answer = bytes(self._buffer[:end])
            del self._buffer[: end + 1]
            self._looked = 0
            self._tail = answer[-2000:]
            try:
                if not self.queue:
                    raise EngineGarbageError("a best move nobody asked for")
                analysis = parse_search(answer, self.queue[0].fen, self._config.multipv)
            except EngineGarbageError as error:
                self.fault = EngineGarbageError(self._report(str(error)))
                return
            finished.append((self.queue.popleft(), analysis))
        self._looked = max(0, len(self._buffer) - len(b"bestmove"))

    def _ending(self) -> str:
        try:
            code = self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            return "closed its output"
        if code < 0:
            return f"was killed by {signal.Signals(-code).name}"
        return f"ended with exit status {code}"

    def _report(self, what: str) -> str:
        """Return `what` and the end of the conversation, without clock readings."""
        sent = f"position fen {self.queue[0].fen} 0 1 | go {self.queue[0].go}" if self.queue else ""
        heard = (bytes(self._buffer) or self._tail)[-600:].decode(errors="replace")
        lines = [_CLOCK.sub("", line.strip()) for line in heard.splitlines()[-6:] if line.strip()]
        said = " | ".join(line for line in lines if line) or "nothing"
        return f"{_CLOCK.sub('', what)}; asked: {sent or 'nothing'}; it said: {said}"


def split_name(full_name: str) -> tuple[str, str]:
    """Split ``Stockfish 15.1`` before its first later word that holds a digit."""
    words = full_name.split()
    for i, word in enumerate(words[1:], start=1):
        if any(char.isdigit() for char in word):
            return " ".join(words[:i]), " ".join(words[i:])
    return full_name, ""
