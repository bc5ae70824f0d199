"""``tabia analyse AGENT``: what a search thinks of a position, while it thinks or at its end."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import cast

from tabia.app.commands.analyse_position import (
    AnalysePositionError,
    AnalyseUsageError,
    Asked,
    after,
    from_file,
    given,
    ground_of,
    usable,
)
from tabia.app.commands.analyse_text import as_json, as_line, as_text
from tabia.arena.registry import build, game_of
from tabia.match.ground import GameName
from tabia.search.agent import SearchAgent, rules_of
from tabia.search.sources import NetSource

__all__ = ["AnalysePositionError", "AnalyseUsageError", "analyse"]


def analyse(
    agent: str,
    *,
    game: GameName | None = None,
    fen: str | None = None,
    played: str | None = None,
    file: Path | None = None,
    ordinal: int = 1,
    move: int | None = None,
    rules: str | None = None,
    size: int | None = None,
    komi: float | None = None,
    visits: int | None = None,
    seconds: float | None = None,
    moves: int = 9,
    threads: int | None = None,
    seed: int = 0,
    every_s: float | None = None,
    as_json_lines: bool = False,
) -> None:
    """Print an analysis.

    Parameters
    ----------
    agent
        Spec string of an agent that searches (`tabia.arena.registry`).
    game
        What is played; None is the agent's own game, or the file's.
    fen, played
        The position: a FEN, or Go's text of a board, and moves since, in any notation of the game.
        Without both the start.
    file, ordinal, move
        Or a game file, which of its games, from 1, and how many of its moves have been played;
        None for all.
    rules, size, komi
        As of ``tabia match``; in place of what a file says. Without a file a net's own are the
        rules and the komi that it learned by.
    visits, seconds
        When the search ends; without both after as many visits as the agent has simulations.
    moves
        Moves that are listed.
    threads
        In place of the agent's own.
    seed
        Of what is random in the search.
    every_s
        Also tell every so many seconds what is known.
    as_json_lines
        Print a JSON object, with `every_s` one a line.

    Raises
    ------
    AgentError
        If the text names no agent, or its model does not play the game.
    AnalyseUsageError
        If options do not go together, or the agent does not search.
    AnalysePositionError
        If there is no such position.
    SourceError
        If the agent's model does not play on the board.
    """
    _check(file, fen, played, move, ordinal, visits, seconds, moves, every_s)
    own = game_of(agent)
    asked_game = own if game is None else game
    found = None if file is None else from_file(file, asked_game, ordinal)
    name = found.game if found is not None else asked_game
    if name is None:
        raise AnalyseUsageError(f"{agent} plays every game: say --game chess, xiangqi or go")
    built = build(agent, name)
    if not isinstance(built, SearchAgent):
        raise TypeError(f"{agent} was built as {type(built).__name__}, which does not search")
    if found is not None:
        if size is not None and size != found.row["board_size"]:
            raise AnalyseUsageError(
                f"--size {size}: {found.name} is on {found.row['board_size'] or 'no board of Go'}"
            )
        asked = after(found, ground_of(found, rules, komi), move)
    else:
        game_name = cast(GameName, name)
        if size is None and game_name == "go":
            size = fen.split(" ")[0].count("/") + 1 if fen is not None else built.source.size
        told = built.source.provenance if isinstance(built.source, NetSource) else {}
        if game_name == "go" and rules is None and "rules" in told:
            learned = told.get("komi")
            rules = str(told["rules"])
            komi = learned if komi is None and isinstance(learned, float) else komi
        asked = given(usable(game_name, rules, size, komi), fen, played or "")
    _think(built, asked, visits, seconds, moves, threads, seed, every_s, as_json_lines)


def _check(
    file: Path | None,
    fen: str | None,
    played: str | None,
    move: int | None,
    ordinal: int,
    visits: int | None,
    seconds: float | None,
    moves: int,
    every_s: float | None,
) -> None:
    """Refuse what does not go together or is out of range."""
    faults = []
    if file is not None and (fen is not None or played is not None):
        faults.append("--file names a game and --fen or --after a position: give one of them")
    if file is None and move is not None:
        faults.append("--move counts the moves of a --file, and there is none")
    if file is None and ordinal != 1:
        faults.append("--ordinal counts the games of a --file, and there is none")
    if ordinal < 1:
        faults.append(f"--ordinal {ordinal}: games are counted from 1")
    if visits is not None and visits < 2:
        faults.append(f"--visits {visits}: must be 2 or more")
    if seconds is not None and not 0 < seconds < float("inf"):
        faults.append(f"--time {seconds:g}: must be above 0 seconds")
    if every_s is not None and not 0 < every_s < float("inf"):
        faults.append(f"--every {every_s:g}: must be above 0 seconds")
    if moves < 1:
        faults.append(f"--moves {moves}: must be 1 or more")
    if faults:
        raise AnalyseUsageError("\n".join(faults))


def _think(
    agent: SearchAgent,
    asked: Asked,
    visits: int | None,
    seconds: float | None,
    moves: int,
    threads: int | None,
    seed: int,
    every_s: float | None,
    as_json_lines: bool,
) -> None:
    analyser = agent.analyser(rules_of(asked.position), threads=threads, seed=seed)
    analyser.set_position(asked.start, asked.moves)
    if visits is None and seconds is None:
        visits = agent.simulations
    if visits is None and analyser.needs_visits:
        raise AnalyseUsageError("--time: sequential halving shares out visits; give --visits too")
    for report in analyser.think(visits=visits, seconds=seconds, every_s=every_s, moves=moves):
        if as_json_lines:
            facts = as_json(agent, asked, report)
            indent = 2 if every_s is None else None
            print(json.dumps(facts, ensure_ascii=False, indent=indent), flush=True)
        elif report.is_final:
            print(as_text(agent, asked, report))
        else:
            print(as_line(asked, report), file=sys.stderr)
