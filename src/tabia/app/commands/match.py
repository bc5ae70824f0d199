"""``tabia match AGENT_A AGENT_B``: two agents play, and how much stronger one is."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from tabia.app.commands.match_text import as_json, as_text
from tabia.arena.registry import build
from tabia.match.agent import Agent, AgentError
from tabia.match.ground import GameName, Ground
from tabia.match.openings import Opening, OpeningFileError, drawn, read_file
from tabia.match.pgn import match_pgn
from tabia.match.plan import MOST_GAMES, Plan, PlanError
from tabia.match.result import result_of
from tabia.match.run import Match, play_match
from tabia.match.sgf import match_sgf
from tabia.tables import parquet

__all__ = ["MatchUsageError", "match"]

_INTERRUPTED = 130  # 128 + SIGINT
_STOPPED = 2  # an agent that cannot be started again
_MOST_PLIES = 100  # of a drawn opening


class MatchUsageError(ValueError):
    """A match that cannot be played as asked, with everything that is wrong."""

    exit_code = 2


def match(
    agents: tuple[str, str],
    *,
    game: GameName,
    games: int,
    openings: str,
    seed: int,
    max_plies: int | None,
    rules: str | None,
    size: int | None,
    komi: float | None,
    threads: int,
    out: Path | None,
    json: bool,
) -> int:
    """Play a match and print its result, as a table or as one JSON object; return the exit code.

    Parameters
    ----------
    agents
        Spec strings of A and B (`tabia.match.spec`, `tabia.arena.registry`).
    game
        What is played.
    games
        How many, an even number.
    openings
        A number of random legal plies, or a file with a position or moves a line.
    seed
        Openings and agents draw from it.
    max_plies
        Plies after which a game is a draw, or in Go counted; None for no end.
    rules, size, komi
        See `tabia.match.ground.Ground`.
    threads
        Pairs played side by side.
    out
        File of the games, PGN or in Go SGF. Beside it, finished pairs are kept while the match
        lasts; the same command goes on behind them.

    Raises
    ------
    MatchUsageError
        With all that is wrong with agents, openings, rules and numbers.
    MatchStateError
        If another match that was not finished is kept beside `out`.
    """
    ground, faults = _ground(game, rules, size, komi)
    plan, team = _prepare(ground, faults, agents, games, openings, seed, max_plies, out)
    state = None if out is None else out.with_name(f"{out.name}.unfinished.jsonl")
    played = play_match(plan, build, team, threads=threads, state=state)
    _finish(played, out, state)
    result = result_of(played)
    show = as_json if json else as_text
    sys.stdout.write(show(played, result, _openings(openings, plan)) + "\n")
    sys.stdout.flush()
    return _tell(played, out)


def _ground(
    game: GameName, rules: str | None, size: int | None, komi: float | None
) -> tuple[Ground, list[str]]:
    """Return what is played on, or the game's usual ground and what is wrong."""
    faults: list[str] = []
    usable: dict[str, Any] = {}
    given: dict[str, Any] = {"rules": rules, "size": size, "komi": komi}
    for name, value in given.items():
        if value is None:
            continue
        one: dict[str, Any] = {name: value}
        try:
            Ground(game, **one)
        except ValueError as error:
            faults.append(f"--{error}" if str(error).startswith(name) else f"--{name}: {error}")
        else:
            usable[name] = value
    return Ground(game, **usable), faults


def _prepare(
    ground: Ground,
    faults: list[str],
    agents: tuple[str, str],
    games: int,
    openings: str,
    seed: int,
    max_plies: int | None,
    out: Path | None,
) -> tuple[Plan, tuple[Agent, Agent]]:
    """Return plan and agents, or raise one error with every fault, those found before too."""
    if out == Path("-"):
        faults.append("--out -: standard output shows the result; name a file to write")
    elif out is not None and out.exists() and not out.is_file():
        faults.append(f"--out {out}: is a folder, a device or a pipe; name a file to write")
    if seed < 0:
        faults.append(f"--seed {seed}: must be 0 or more")
    lines: list[Opening] = []
    try:
        # Too many are told by the plan, and not drawn first.
        pairs = games // 2 if 2 <= games <= MOST_GAMES else 1
        lines = _lines(ground, openings, pairs, max(0, seed))
    except (OpeningFileError, MatchUsageError) as error:
        faults.append(f"--openings: {error}" if openings.isdecimal() else str(error))
    plan: Plan | None = None
    try:
        plan = Plan(ground, agents, games, tuple(lines or [Opening()]), max(0, seed), max_plies)
    except PlanError as error:
        faults += str(error).splitlines()
    team: list[Agent] = []
    for text in agents:
        try:
            team.append(build(text, ground.name))
        except AgentError as error:
            told = str(error).splitlines()
            faults += [fault for fault in told if fault not in faults]
    if faults or plan is None:
        for agent in team:
            agent.close()
        raise MatchUsageError("\n".join(faults))
    return plan, (team[0], team[1])


def _lines(ground: Ground, openings: str, pairs: int, seed: int) -> list[Opening]:
    if not openings.isdecimal():
        return read_file(ground, Path(openings))
    if (plies := int(openings)) > _MOST_PLIES:
        raise MatchUsageError(f"{openings} random plies are more than {_MOST_PLIES}")
    return drawn(ground, pairs, plies, seed)


def _openings(openings: str, plan: Plan) -> str:
    """What was played from, in words."""
    if openings.isdecimal():
        return f"{openings} random plies" if int(openings) else "the start"
    return f"{len(plan.openings)} of {Path(openings).name}"


def _finish(played: Match, out: Path | None, state: Path | None) -> None:
    """Write the games; a match that is complete needs its state no longer."""
    if out is None or (not played.pairs and played.stopped is not None):
        return
    text_of = match_sgf if played.plan.ground.name == "go" else match_pgn
    parquet.write_text(out, text_of(played))
    if state is not None and played.stopped is None:
        state.unlink(missing_ok=True)


def _tell(played: Match, out: Path | None) -> int:
    """Say on standard error what did not go as planned; return the exit code."""
    if played.resumed:
        print(f"{2 * played.resumed:,} games had been played before", file=sys.stderr)
    if played.stopped is None:
        return 0
    is_interrupt = isinstance(played.stopped, KeyboardInterrupt)
    done, planned = 2 * len(played.pairs), played.plan.games
    text = "interrupted" if is_interrupt else str(played.stopped)
    text += f"; {done:,} of {planned:,} games are finished"
    if out is not None:
        text += f" and kept beside {out}: the same command plays the rest"
    print(f"tabia: {text}", file=sys.stderr)
    return _INTERRUPTED if is_interrupt else _STOPPED
