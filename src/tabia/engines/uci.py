"""One UCI engine process, driven over its pipes as fast as the engine itself answers.

python-chess has a UCI client of its own, but it builds a board and a handful of asyncio events
for every search: fed the same list at depth 2 it reaches about a third of the engine's own rate
(``benchmarks/labels.py --python-chess`` measures it). Labelling needs thousands of searches a
second, so this client sends a few lines and parses only the lines that decide the answer.

It refuses to guess: an option that the engine does not announce, a score that is not a number,
a best move that moves nothing is an error with the tail of the conversation in it.
"""

from __future__ import annotations

import ctypes
import difflib
import hashlib
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from tabia.engines.config import Engine

__all__ = [
    "Analysis",
    "EngineConfigError",
    "EngineCrashedError",
    "EngineError",
    "EngineGarbageError",
    "EngineNotFoundError",
    "EngineOption",
    "EngineStartError",
    "EngineTimeoutError",
    "Search",
    "UciEngine",
    "find_engine",
    "parse_search",
]

START_TIMEOUT_S = 60.0
"""An engine that has not finished the handshake by then has not started."""

_SEARCHED_IN = Path("/usr/games")  # Debian's place for games, not on root's PATH
_READ = 64 * 1024  # a pipe holds no more
_LONGEST_ANSWER = 16 * 1024 * 1024  # bytes of one search; 300 lines of depth 100 stay under 1 MB
_HIGHEST_CP = 100_000
_HIGHEST_MATE = 10_000
_QUEUING = ("Stockfish", "Fairy-Stockfish")
_MOVE = re.compile(rb"[a-h][1-8][a-h][1-8][qrbn]?")
_NO_MOVE = (b"(none)", b"0000", b"NULL")
_OPTION = re.compile(
    r"option name (?P<name>.+?) type (?P<kind>check|spin|combo|button|string)(?P<rest>.*)"
)
_OPTION_WORD = re.compile(r"\b(default|min|max|var)\b")
_CLOCK = re.compile(r" (?:nps|time|hashfull) -?\d+")


class EngineError(RuntimeError):
    """Something is wrong with an engine. `reason` is the code used in the rejects table."""

    reason = "engine_failed"


class EngineNotFoundError(EngineError):
    """The engine's program is not there or may not be executed."""

    exit_code = 2


class EngineStartError(EngineError):
    """The program starts, but does not become a ready UCI engine."""

    exit_code = 2


class EngineConfigError(EngineError):
    """The engine runs, but it is not the one asked for or lacks an option asked for."""

    exit_code = 2


class EngineCrashedError(EngineError):
    """The engine's process ended in the middle of a search."""

    reason = "engine_crashed"


class EngineTimeoutError(EngineError):
    """A search was not finished in `timeout_s`."""

    reason = "engine_timeout"


class EngineGarbageError(EngineError):
    """The engine answered something that cannot be a result of the search."""

    reason = "engine_garbage"


class Analysis(NamedTuple):
    """What one search said, in White's view.

    Scores are centipawns; where `mate` is set (moves to mate, positive if White mates, 0 = the
    side to move is mated) the score is None: mates are flagged, never converted. `depth` is the
    best line's; `nodes` are all that the search visited. The second line is None if the engine
    gave only one.
    """

    score_cp: int | None
    mate: int | None
    move: str | None
    second_score_cp: int | None
    second_mate: int | None
    second_move: str | None
    depth: int
    nodes: int


@dataclass(frozen=True, slots=True)
class Search:
    """One question: a position (four-field FEN) and UCI's words after ``go``."""

    fen: str
    go: str


@dataclass(frozen=True)
class EngineOption:
    """An option as the engine announced it."""

    name: str
    kind: str
    default: str
    low: int | None = None
    high: int | None = None
    choices: tuple[str, ...] = ()


class _Line(NamedTuple):
    """The parts of an ``info … score`` line that matter, in the view of the side to move."""

    rank: int
    depth: int
    cp: int | None
    mate: int | None
    is_exact: bool
    nodes: int
    move: bytes | None


def find_engine(command: str) -> Path:
    """Return the program's path: as given if it has a slash, else from PATH or /usr/games.

    Raises
    ------
    EngineNotFoundError
        Saying where it was looked for and how to get it.
    """
    if "/" in command:
        path = Path(command).expanduser()
        if not path.is_file():
            raise EngineNotFoundError(f"engine {command}: there is no such file")
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

    Parameters
    ----------
    config
        Program, options and limits of patience.

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
    fault
        What :meth:`receive` met after the results it returned; the process is then useless.
    """

    def __init__(self, config: Engine, *, start_timeout_s: float = START_TIMEOUT_S) -> None:
        self._config = config
        self._path = find_engine(config.command)
        self.fault: EngineError | None = None
        self.queue: deque[Search] = deque()
        self.head_since = 0.0
        self._unsent: list[bytes] = []
        self._sent: deque[bytes] = deque(maxlen=4)
        self._buffer = bytearray()
        self._looked = 0
        self._tail = b""
        self._start()
        try:
            self._handshake(time.monotonic() + start_timeout_s)
        except BaseException:
            self.close()
            raise

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
            self._sent.extend(self._unsent)
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
        return EngineTimeoutError(
            self._report(f"no best move in {self._config.timeout_s:g} s (timeout_s)")
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
                preexec_fn=_dying_with(os.getpid()) if _LIBC is not None else None,
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

    def _handshake(self, deadline: float) -> None:
        self._send(b"uci\n")
        announced: dict[str, EngineOption] = {}
        full_name = ""
        for line in self._lines_until("uciok", deadline):
            if line.startswith("id name "):
                full_name = line[len("id name ") :].strip()
            elif option := _parse_option(line):
                announced[option.name.lower()] = option
        if not full_name:
            raise EngineStartError(f"engine {self._path} gave no `id name`")
        if not full_name.startswith(self._config.expect):
            raise EngineConfigError(
                f"engine {self._path} is {full_name!r}, but the configuration expects "
                f"{self._config.expect!r}; labels of different engines must not be mixed"
            )
        self.name, self.version = _split_name(full_name)
        self.may_queue = self.name in _QUEUING
        self.options: dict[str, str | int | bool] = {}
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
        for name, value in wanted.items():
            option = self._checked(announced, name, value)
            text = str(value).lower() if isinstance(value, bool) else str(value)
            self._send(f"setoption name {option.name} value {text}\n".encode())
            self.options[option.name] = _named_by_content(value)
        self.net = self._net(announced)
        self._send(b"isready\n")
        for _ in self._lines_until("readyok", deadline):
            pass  # chatter about tables and networks

    def _net(self, announced: Mapping[str, EngineOption]) -> str:
        if "evalfile" not in announced:
            return ""
        if (use := announced.get("use nnue")) is not None:
            in_use = self.options.get(use.name, use.default)
            if str(in_use).lower() in ("false", "classical"):
                return ""
        return str(self.options.get(announced["evalfile"].name, announced["evalfile"].default))

    def _checked(
        self, announced: Mapping[str, EngineOption], name: str, value: str | int | bool
    ) -> EngineOption:
        """Return the announced option `name` if `value` fits it.

        Raises
        ------
        EngineConfigError
            Naming the option and what the engine would take.
        """
        option = announced.get(name.lower())
        who = f"engine {self.name} {self.version}".strip()
        if option is None:
            close = difflib.get_close_matches(name.lower(), announced, n=1)
            hint = f"; did you mean {announced[close[0]].name!r}?" if close else ""
            names = ", ".join(sorted(item.name for item in announced.values()))
            raise EngineConfigError(f"{who} has no option {name!r}{hint} It has: {names}")
        fits = {
            "check": isinstance(value, bool) or str(value).lower() in ("true", "false"),
            "spin": not isinstance(value, bool) and re.fullmatch(r"-?\d+", str(value)) is not None,
            "combo": not isinstance(value, bool) and str(value) in option.choices,
            "button": False,
            "string": isinstance(value, str) and "\n" not in value,
        }[option.kind]
        if fits and option.kind == "spin":
            low, high = option.low, option.high
            fits = (low is None or int(value) >= low) and (high is None or int(value) <= high)
        if not fits:
            takes = {
                "check": "true or false",
                "spin": f"a whole number from {option.low} to {option.high}",
                "combo": "one of " + ", ".join(option.choices),
                "button": "no value and changes nothing that lasts",
                "string": "one line of text",
            }[option.kind]
            raise EngineConfigError(f"{who}: option {option.name} takes {takes}, not {value!r}")
        return option

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
        return f"{what}; asked: {sent or 'nothing'}; it said: {said}"


def parse_search(answer: bytes, fen: str, multipv: int) -> Analysis:
    """Read one search's output, from its first line to its ``bestmove`` line.

    The best line is the last exact one (no ``lowerbound`` or ``upperbound``) of ``multipv 1``.
    A search that ends by its node budget stops inside an iteration, and what it prints of the
    second line then depends on the clock (Stockfish prints more after 3 s). So the second line
    is taken from the last *whole* iteration: its best line whose move is not the best move.

    Parameters
    ----------
    answer
        Output lines; the last one starts with ``bestmove``.
    fen
        The position, for the side to move and the pieces.
    multipv
        Lines asked for.

    Raises
    ------
    EngineGarbageError
        If there is no exact score, a number is not one or out of range, or the best move does
        not move a piece of the side to move.
    """
    lines = answer.split(b"\n")
    words = lines[-1].split()
    best = words[1] if len(words) > 1 else b""
    sign = 1 if fen.split(" ", 2)[1] == "w" else -1
    is_over = best in _NO_MOVE
    if not is_over:
        _check_move(best, fen, sign)
    first: _Line | None = None
    whole: list[_Line] = []
    group: list[_Line] = []
    nodes = -1
    for text in reversed(lines):
        line = _parse_line(text)
        if line is None:
            continue
        if nodes < 0:
            nodes = line.nodes
        group.append(line)
        if line.rank == 1:
            if first is None and line.is_exact:
                first = line
            is_whole = all(item.is_exact and item.depth == line.depth for item in group)
            if is_whole and len(group) > len(whole):
                whole = group[::-1]
            group = []
            if first is not None and len(whole) >= multipv:
                break
    if first is None:
        raise EngineGarbageError("no exact score before the best move")
    if is_over:
        if first.cp not in (0, None) or first.mate not in (0, None):
            raise EngineGarbageError("no best move, but a score that is neither mate nor draw")
        return Analysis(first.cp, first.mate, None, None, None, None, first.depth, nodes)
    if first.move is None or first.mate == 0:
        raise EngineGarbageError("a best move, but a score line without a move or with mate 0")
    _check_move(first.move, fen, sign)
    second = None
    if multipv > 1:
        second = next((line for line in whole if line.move not in (first.move, None)), None)
    if second is None or second.move is None:
        return Analysis(
            _signed(first.cp, sign),
            _signed(first.mate, sign),
            first.move.decode(),
            None,
            None,
            None,
            first.depth,
            nodes,
        )
    _check_move(second.move, fen, sign)
    return Analysis(
        _signed(first.cp, sign),
        _signed(first.mate, sign),
        first.move.decode(),
        _signed(second.cp, sign),
        _signed(second.mate, sign),
        second.move.decode(),
        first.depth,
        nodes,
    )


def _signed(value: int | None, sign: int) -> int | None:
    return None if value is None else sign * value


def _parse_line(text: bytes) -> _Line | None:
    """Return the parts of an ``info … score`` line, None for any other line."""
    if b" score " not in text or not text.startswith(b"info ") or text.startswith(b"info string"):
        return None
    words = text.split()
    try:
        at = words.index(b"score")
        kind, value = words[at + 1], int(words[at + 2])
        depth = int(words[words.index(b"depth") + 1])
        rank = int(words[words.index(b"multipv") + 1]) if b"multipv" in words else 1
        nodes = int(words[words.index(b"nodes") + 1]) if b"nodes" in words else 0
        move = words[words.index(b"pv") + 1] if b"pv" in words else None
    except (ValueError, IndexError) as error:
        raise EngineGarbageError(f"unreadable line {text[:200]!r}") from error
    if kind == b"cp" and abs(value) <= _HIGHEST_CP:
        cp, mate = value, None
    elif kind == b"mate" and abs(value) <= _HIGHEST_MATE:
        cp, mate = None, value
    else:
        raise EngineGarbageError(f"impossible score in line {text[:200]!r}")
    if not (0 <= depth <= 1000 and 1 <= rank <= 500 and nodes >= 0):
        raise EngineGarbageError(f"impossible number in line {text[:200]!r}")
    return _Line(rank, depth, cp, mate, b"erbound" not in text, nodes, move)


def _check_move(move: bytes, fen: str, sign: int) -> None:
    """Fail if `move` does not start on a piece of the side to move.

    Full legality would cost a tenth of the time of a shallow search; this finds answers that
    belong to another position, which is how a confused engine or pipe shows.
    """
    if _MOVE.fullmatch(move) is None:
        raise EngineGarbageError(f"best move {move[:40]!r} is no move")
    row = fen.split("/", 8)[0x38 - move[1]]
    column = move[0] - 0x61
    for char in row:
        if char.isdigit():
            column -= int(char)
            if column < 0:
                break
        elif column == 0:
            if char.isupper() == (sign > 0):
                return
            break
        else:
            column -= 1
    raise EngineGarbageError(
        f"best move {move.decode()} moves no piece of the side to move in {fen}"
    )


def _parse_option(line: str) -> EngineOption | None:
    found = _OPTION.fullmatch(line.strip())
    if found is None:
        return None
    values: dict[str, list[str]] = {"default": [], "min": [], "max": [], "var": []}
    parts = _OPTION_WORD.split(found["rest"])
    for key, value in zip(parts[1::2], parts[2::2], strict=True):
        values[key].append(value.strip())
    numbers = {
        key: int(values[key][0]) if values[key] and re.fullmatch(r"-?\d+", values[key][0]) else None
        for key in ("min", "max")
    }
    return EngineOption(
        name=found["name"],
        kind=found["kind"],
        default=(values["default"] or [""])[0],
        low=numbers["min"],
        high=numbers["max"],
        choices=tuple(values["var"]),
    )


def _split_name(full_name: str) -> tuple[str, str]:
    """Split ``Stockfish 15.1`` before its first later word that holds a digit."""
    words = full_name.split()
    for i, word in enumerate(words[1:], start=1):
        if any(char.isdigit() for char in word):
            return " ".join(words[:i]), " ".join(words[i:])
    return full_name, ""


def _named_by_content(value: str | int | bool) -> str | int | bool:
    """Return an option's value for the record: a file by name and hash, never by its path."""
    if isinstance(value, str) and "/" in value:
        path = Path(value).expanduser()
        if path.is_file():
            digest = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
            return f"{path.name} sha256:{digest}"
        if path.is_dir():
            return path.name
    return value


_LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None
_PR_SET_PDEATHSIG = 1


def _dying_with(parent: int) -> Callable[[], None]:
    """Return what a new process runs first: ask Linux to kill it when its parent ends.

    The signal follows the thread that starts the engine, so engines are started and driven by
    one thread. Elsewhere than on Linux the end of file on standard input does it: Stockfish
    takes it for ``quit``.
    """

    def prepare() -> None:
        if _LIBC is not None:
            _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:  # it died before the request
            os._exit(1)

    return prepare
