"""A pool of engine processes that survives its engines.

One thread drives all processes: at 2,000 answers a second and engine, threads of Python would
spend more time handing each other the interpreter than parsing. Searches are handed out as
engines become free. Where the engine is known to take commands while it searches (Stockfish),
it is kept a few milliseconds of work ahead, so it never waits for us.

An engine that crashes, hangs or answers rubbish is replaced; the search that it was busy with is
tried again, alone on a fresh process, and after `tries` faults it is handed back as failed. The
searches queued behind it are not to blame and go back to the head of the line.
"""

from __future__ import annotations

import select
import time
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import NamedTuple

from tabia.engines.answers import Analysis
from tabia.engines.config import Engine
from tabia.engines.errors import EngineError, EngineStartError
from tabia.engines.uci import Search, UciEngine

__all__ = ["Done", "Failed", "Pool"]

AHEAD_S = 0.015
"""Work kept queued at an engine that allows it. It is also what a kill loses at most, an engine:
about 20 searches of depth 2, one of any limit that takes longer."""

_QUEUED_AT_MOST = 64  # 8 kB of commands: they fit in the pipe, so writing never waits
_NAP_S = 0.003  # answers gathered in one go instead of a wake-up for every line
_START_TRIES = 3
_HOPELESS = 50


class Done(NamedTuple):
    """A finished search."""

    search: Search
    analysis: Analysis


class Failed(NamedTuple):
    """A search that failed as often as allowed, with its last fault."""

    search: Search
    error: EngineError


@dataclass
class _Seat:
    """A place for an engine process, whichever process sits there now."""

    engine: UciEngine
    suspect: Search | None = None  # the search being tried again, alone
    faults: int = 0  # of the suspect
    starts: int = 0  # processes in a row that did not become ready
    ahead_s: float = 0.0  # estimated time of what is queued


class Pool:
    """Runs searches on `threads` processes of one engine; use it in a ``with`` block.

    Parameters
    ----------
    config
        The engine.
    threads
        Processes; each searches with one thread.

    Attributes
    ----------
    engine
        The first process, which was asked for its name and options. It may have been replaced.
    restarts
        Processes replaced so far.

    Raises
    ------
    EngineNotFoundError, EngineStartError, EngineConfigError
        If the first process cannot be had.
    """

    def __init__(self, config: Engine, threads: int = 1) -> None:
        if threads < 1:
            raise ValueError(f"threads must be at least 1, not {threads}")
        self._config = config
        self._waiting: deque[Search] = deque()
        self._costs: dict[str, float] = {}
        self._done = self._failed = 0
        self.restarts = 0
        self._seats: list[_Seat] = []
        try:
            for _ in range(threads):  # all load their networks at the same time
                self._seats.append(_Seat(UciEngine(config)))
            self.engine = self._seats[0].engine
            self.engine.handshake()
            for seat in self._seats[1:]:
                seat.engine.follow(self.engine)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Pool:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End all processes."""
        for seat in self._seats:
            seat.engine.close()

    @property
    def pids(self) -> list[int]:
        """Process ids of the engines now running."""
        return [seat.engine.pid for seat in self._seats]

    def run(self, searches: Iterable[Search]) -> Iterator[list[Done | Failed]]:
        """Yield outcomes as they come, some at a time; every search has exactly one.

        Raises
        ------
        EngineStartError
            If a process cannot be replaced.
        EngineError
            If the engine fails on everything it is asked.
        """
        source = iter(searches)
        self._waiting.clear()
        while True:
            self._hand_out(source)
            busy = [seat for seat in self._seats if seat.engine.queue]
            if not busy:
                return
            self._wait(busy)
            outcomes: list[Done | Failed] = []
            now = time.monotonic()
            for seat in busy:
                outcomes += self._gather(seat)
                engine = seat.engine
                if engine.fault is not None:
                    outcomes += self._replace(seat, engine.fault)
                elif engine.queue and now > engine.deadline:
                    outcomes += self._replace(seat, engine.timed_out())
            if outcomes:
                # Engines get their next work before the caller writes anything down.
                self._hand_out(source)
                yield outcomes

    def _next(self, source: Iterator[Search]) -> Search | None:
        return self._waiting.popleft() if self._waiting else next(source, None)

    def _hand_out(self, source: Iterator[Search]) -> None:
        """Give every engine work: first one search each, then some ahead."""
        for seat in self._seats:
            if not seat.engine.queue and not self._give(seat, source):
                break
        for seat in self._seats:
            queue = seat.engine.queue
            if seat.engine.may_queue and seat.suspect is None and queue:
                while seat.ahead_s < AHEAD_S and len(queue) < _QUEUED_AT_MOST:
                    if not self._give(seat, source):
                        break
            seat.engine.flush()

    def _give(self, seat: _Seat, source: Iterator[Search]) -> bool:
        search = self._next(source)
        if search is None:
            return False
        seat.engine.submit(search)
        # A limit not met before counts as long, so that nothing is queued behind it.
        seat.ahead_s += self._costs.get(search.go, AHEAD_S)
        return True

    def _wait(self, busy: list[_Seat]) -> None:
        """Sleep until an engine has spoken or a deadline has passed."""
        poll = select.poll()
        for seat in busy:
            poll.register(seat.engine.fileno(), select.POLLIN)
        deadline = min(seat.engine.deadline for seat in busy)
        poll.poll(max(0.0, deadline - time.monotonic()) * 1000 + 1)
        if all(len(seat.engine.queue) > 1 or not seat.engine.is_ready for seat in busy):
            time.sleep(_NAP_S)

    def _gather(self, seat: _Seat) -> list[Done | Failed]:
        since = seat.engine.head_since
        finished = seat.engine.receive()
        if not finished:
            return []
        seat.suspect, seat.faults = None, 0
        self._done += len(finished)
        # The time since the last look is shared out by nodes, plus what a new game costs.
        weights = [analysis.nodes + 300 for _, analysis in finished]
        second = (seat.engine.head_since - since) / sum(weights)
        for (search, _), weight in zip(finished, weights, strict=True):
            known = self._costs.get(search.go)
            cost = second * weight
            self._costs[search.go] = cost if known is None else 0.9 * known + 0.1 * cost
        seat.ahead_s = sum(self._costs.get(search.go, AHEAD_S) for search in seat.engine.queue)
        return [Done(search, analysis) for search, analysis in finished]

    def _replace(self, seat: _Seat, error: EngineError) -> list[Done | Failed]:
        """Put a fresh process in the seat; retry or give up the search that was running."""
        engine = seat.engine
        engine.close()
        blamed = engine.queue.popleft() if engine.queue and engine.is_ready else None
        self._waiting.extendleft(reversed(engine.queue))
        if engine.is_ready:
            seat.starts = 0
        else:
            seat.starts += 1
            if seat.starts >= _START_TRIES:
                raise EngineStartError(
                    f"engine {self._config.command} started before, but {seat.starts} new "
                    f"processes in a row did not become ready; the last: {error}"
                ) from error
            time.sleep(0.5)  # a machine short of memory may have room a moment later
        outcomes: list[Done | Failed] = []
        if blamed is not None:
            seat.faults = seat.faults + 1 if blamed is seat.suspect else 1
            seat.suspect = blamed
            if seat.faults >= self._config.tries:
                outcomes.append(Failed(blamed, error))
                self._failed += 1
                seat.suspect = None
        if self._done == 0 and self._failed >= _HOPELESS:
            raise EngineError(
                f"the engine failed on each of the first {self._failed} positions, "
                f"{self._config.tries} times each; the last fault: {error}"
            ) from error
        seat.engine = UciEngine(self._config)
        seat.engine.follow(self.engine)
        self.restarts += 1
        seat.ahead_s = 0.0
        if seat.suspect is not None:
            if blamed is None:  # its process did not get ready: it heads the waiting line
                self._waiting.popleft()
            seat.engine.submit(seat.suspect)
            seat.engine.flush()
        return outcomes
