"""A match, played pair by pair in one process or in several.

Every game has its own seeds and begins with cleared agents, so that games of repeatable agents are
the same with any number of processes and in any order.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

from tabia.engines.process import dying_with
from tabia.match.agent import Agent, AgentError
from tabia.match.plan import Plan
from tabia.match.play import PlayedGame, play
from tabia.match.state import MatchState, PlayedPair
from tabia.tables.progress import Progress

__all__ = ["Build", "Match", "play_match"]

Build = Callable[[str, str], Agent]
"""Builds the agent of a spec string for a game; a module's own function, so that it can be named
to another process."""


@dataclass(frozen=True, slots=True)
class Match:
    """A match, complete or not.

    Attributes
    ----------
    plan
        What was to be played.
    names, repeatable
        Of A and B.
    pairs
        Finished pairs by number, ascending.
    resumed
        How many of them had been finished before.
    stopped
        Why no more were played: KeyboardInterrupt, or the error of an agent that could not be
        started again; None where all were.
    """

    plan: Plan
    names: tuple[str, str]
    repeatable: tuple[bool, bool]
    pairs: dict[int, PlayedPair]
    resumed: int = 0
    stopped: BaseException | None = None


def play_match(
    plan: Plan,
    build: Build,
    agents: tuple[Agent, Agent],
    *,
    threads: int = 1,
    state: Path | None = None,
) -> Match:
    """Play a match, or what of it is not yet finished.

    Parameters
    ----------
    plan
        The match.
    build
        Builds agents.
    agents
        A and B, built before to see that they can be; they are closed here.
    threads
        Pairs that are played side by side, each in a process with agents of its own.
    state
        File in which finished pairs are kept; those that it holds already are not played again. It
        is left there: whoever has written the games elsewhere removes it.

    Raises
    ------
    MatchStateError
        If `state` holds another match.
    """
    names = (agents[0].name, agents[1].name)
    repeatable = (agents[0].repeatable, agents[1].repeatable)
    with ExitStack() as stack:
        team = stack.enter_context(closing(_Team(plan, build, agents)))
        done: dict[int, PlayedPair] = {}
        kept: MatchState | None = None
        if state is not None:
            match = {
                **plan.as_json(),
                "names": list(names),
                "fingerprints": [agent.fingerprint for agent in agents],
            }
            kept = stack.enter_context(MatchState(state, match))
            done |= kept.pairs
        resumed = len(done)
        numbers = [number for number in range(plan.pairs) if number not in done]
        stopped: BaseException | None = None
        try:
            with Progress("play", 2 * len(numbers), "games") as progress:
                threads = min(threads, len(numbers))
                if threads > 1:
                    team.close()
                    played: Iterator[tuple[int, PlayedPair]] = stack.enter_context(
                        closing(_side_by_side(team, numbers, threads))
                    )
                else:
                    played = ((number, team.pair(number)) for number in numbers)
                for number, pair in played:
                    done[number] = pair
                    if kept is not None:
                        kept.add(number, pair)
                    progress.advance(2)
        except (KeyboardInterrupt, AgentError) as error:
            stopped = error
    return Match(plan, names, repeatable, dict(sorted(done.items())), resumed, stopped)


class _Team:
    """Both agents of a match in one process. One that has failed is built anew."""

    def __init__(self, plan: Plan, build: Build, agents: Sequence[Agent] = ()) -> None:
        self.plan, self.build = plan, build
        self._agents: list[Agent | None] = list(agents) or [None, None]

    def pair(self, number: int) -> PlayedPair:
        """Play a pair of games; AgentError if an agent that failed cannot be built again."""
        (a, b), (a_again, b_again) = self.plan.seeds(number)
        return (
            self._play(number, (0, 1), (a, b)),
            self._play(number, (1, 0), (b_again, a_again)),
        )

    def _play(self, number: int, order: tuple[int, int], seeds: tuple[int, int]) -> PlayedGame:
        plan = self.plan
        players = [self._agent(i) for i in order]
        game = play(plan.ground, players, plan.opening(number), seeds, plan.max_plies)
        if game.forfeit is not None:
            players[game.forfeit.side].close()
            self._agents[order[game.forfeit.side]] = None
        return game

    def _agent(self, i: int) -> Agent:
        agent = self._agents[i]
        if agent is None:
            agent = self.build(self.plan.agents[i], self.plan.ground.name)
            self._agents[i] = agent
        return agent

    def close(self) -> None:
        """Close the agents."""
        for agent in self._agents:
            if agent is not None:
                agent.close()
        self._agents = [None, None]


_team: _Team | None = None  # of a worker process


def _side_by_side(
    team: _Team, numbers: list[int], threads: int
) -> Generator[tuple[int, PlayedPair], None, None]:
    """Play pairs in several processes; yield them as they are finished."""
    # Forked processes would share pipes and locks with this one.
    context = multiprocessing.get_context("spawn")
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(
        threads, context, initializer=_join, initargs=(os.getpid(), team.plan, team.build)
    )
    try:
        futures: dict[Future[PlayedPair], int] = {
            pool.submit(_pair, number): number for number in numbers
        }
        for future in as_completed(futures):
            yield futures[future], future.result()
    except BrokenProcessPool as error:
        raise AgentError(
            "a process that plays games has ended, killed for want of memory perhaps; fewer"
            " processes may fit"
        ) from error
    except BaseException:
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _join(parent: int, plan: Plan, build: Build) -> None:
    """Get a worker process ready: it ends with its parent, which alone heeds Ctrl-C."""
    global _team
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if (prepare := dying_with(parent)) is not None:
        prepare()
    _team = _Team(plan, build)


def _pair(number: int) -> PlayedPair:
    if _team is None:
        raise RuntimeError("this process has joined no match")  # never: `_join` runs first
    return _team.pair(number)
