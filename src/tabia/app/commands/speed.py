"""``tabia speed AGENT``: how fast an agent searches, and where its time goes."""

from __future__ import annotations

import json
from typing import Any, cast

from tabia.app.commands.analyse_position import AnalyseUsageError, usable
from tabia.arena.registry import build, game_of
from tabia.match.ground import GameName
from tabia.search.agent import SearchAgent, rules_of
from tabia.search.speed import SearchSpeed, measure_search

__all__ = ["speed"]

_SAYS = {
    "select": "selection and planes",
    "evaluate": "network",
    "expand": "expansion and backup",
    "choose": "choice of the move",
    "rollouts": "random games and tree",
}


def speed(
    agent: str,
    *,
    game: GameName | None = None,
    size: int | None = None,
    simulations: int | None = None,
    moves: int = 10,
    threads: int | None = None,
    seed: int = 1,
    as_json: bool = False,
) -> None:
    """Print the speed of an agent on the first moves of a game.

    Parameters
    ----------
    agent
        Spec string of an agent that searches (`tabia.arena.registry`); its `leaves` count.
    game
        What is played; None is the agent's own game.
    size
        Go: lines of the board; None is the model's, or 19.
    simulations, threads
        In place of the agent's own.
    moves
        Moves that are counted.
    seed
        Of what is random in the search.
    as_json
        Print one JSON object.

    Raises
    ------
    AgentError
        If the text names no agent, or its model does not play the game.
    AnalyseUsageError
        If the game is missing, or has no such size, or the agent does not search.
    SourceError
        If the agent's model does not play on the board.
    """
    if moves < 1 or (simulations is not None and simulations < 1):
        raise AnalyseUsageError("--moves and --simulations must be 1 or more")
    name = cast(GameName | None, game_of(agent)) if game is None else game
    if name is None:
        raise AnalyseUsageError(f"{agent} plays every game: say --game chess, xiangqi or go")
    built = build(agent, name)
    if not isinstance(built, SearchAgent):
        raise AnalyseUsageError(f"{agent} has no search of this program")
    if name == "go" and size is None:
        size = built.source.size
    ground = usable(name, None, size, None)
    rules = rules_of(ground.start(None, ()))
    own = built.settings
    used = own.threads if threads is None else threads
    evaluator, history = built.source.evaluator(rules, used)
    found = measure_search(
        rules,
        evaluator,
        built.search,
        simulations=own.simulations if simulations is None else simulations,
        moves=moves,
        history=history,
        leaves=own.leaves,
        threads=used,
        seed=seed,
    )
    facts = _facts(built, name, ground.size if name == "go" else None, used, found)
    print(json.dumps(facts, indent=2) if as_json else _text(facts, found))


def _facts(
    agent: SearchAgent, game: str, size: int | None, threads: int, found: SearchSpeed
) -> dict[str, Any]:
    return {
        "format": 1,
        "agent": agent.spec,
        "name": agent.name,
        "game": game,
        "size": size,
        "threads": threads,
        "leaves": agent.settings.leaves,
        "moves": found.moves,
        "simulations": found.simulations,
        "simulations_per_s": round(found.simulations_per_s, 1),
        "simulations_per_cpu_s": round(found.simulations_per_cpu_s, 1),
        "seconds_per_move": round(found.seconds / found.moves, 6),
        "cpu_seconds_per_move": round(found.cpu_seconds / found.moves, 6),
        "load": round(found.load, 3),
        "shares": {name: round(share, 4) for name, share in found.shares.items()},
        "leaves_per_batch": None
        if found.leaves_per_batch is None
        else round(found.leaves_per_batch, 2),
        "tree_bytes": round(found.tree_bytes),
        "largest_tree_bytes": found.largest_tree_bytes,
        "peak_bytes": found.peak_bytes,
    }


def _text(facts: dict[str, Any], found: SearchSpeed) -> str:
    board = "" if facts["size"] is None else f" {facts['size']}×{facts['size']}"
    lines = [
        facts["name"],
        f"{facts['game']}{board}, {found.moves} moves, {found.simulations:,} simulations,"
        f" {facts['leaves']} leaves in a batch, threads: {facts['threads']}",
        "",
        f"simulations a second      {found.simulations_per_s:12,.0f}",
        f"simulations a CPU second  {found.simulations_per_cpu_s:12,.0f}",
        f"seconds a move            {found.seconds / found.moves:12.4f}",
        f"CPU seconds a move        {found.cpu_seconds / found.moves:12.4f}",
        f"load, cores at work       {found.load:12.2f}",
    ]
    lines += [f"{_SAYS[name]:26}{share:12.1%}" for name, share in found.shares.items()]
    if found.leaves_per_batch is not None:
        lines.append(f"leaves of a call          {found.leaves_per_batch:12.2f}")
    lines += [
        f"tree, KiB: mean, largest  {found.tree_bytes / 1024:12,.0f}"
        f" {found.largest_tree_bytes / 1024:10,.0f}",
        f"memory at its peak, MiB   {found.peak_bytes / 2**20:12,.0f}",
    ]
    return "\n".join(lines)
