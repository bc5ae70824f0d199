"""Every agent by the head of its spec string: the one table, and how an agent is built from text.

A builder is a module with ``build(spec: AgentSpec) -> Agent``. It checks the settings, and that the
agent plays ``spec.game``; engines are started by it. Modules are imported when one of their agents
is asked for, so that a match of engines loads no nets.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType, ModuleType

from tabia.match.agent import Agent, AgentStartError
from tabia.match.spec import AgentSpec, AgentSpecError, parse_spec

__all__ = ["HEADS", "Head", "build", "game_of"]


@dataclass(frozen=True, slots=True)
class Head:
    """One row of the table.

    Attributes
    ----------
    module
        Its builder.
    says
        What the agents are, in a line.
    target
        What stands between head and settings; None for nothing.
    searches
        Whether its agents are :class:`tabia.search.agent.SearchAgent`, which analyse positions; its
        builder then has ``game_of(spec)``: the only game that the agent plays, or None.
    """

    module: str
    says: str
    target: str | None = None
    searches: bool = False


HEADS: Mapping[str, Head] = MappingProxyType(
    {
        "random": Head("tabia.match.random_agent", "every legal move alike"),
        "stockfish": Head("tabia.match.engine_agents", "Stockfish: chess"),
        "fairy": Head("tabia.match.engine_agents", "Fairy-Stockfish: chess, xiangqi"),
        "uci": Head("tabia.match.engine_agents", "any UCI engine, by path"),
        "gnugo": Head("tabia.match.gnugo", "GNU Go: Go"),
        "imitation": Head("tabia.imitation.agent", "a model of people's moves", "model folder"),
        "search": Head("tabia.arena.searchers", "a tree search with a model", "model folder", True),
        "rollouts": Head("tabia.search.agent", "a tree search with random games", None, True),
    }
)
"""By head, who builds it."""


def build(text: str, game: str) -> Agent:
    """Return the agent of a spec string, ready to play.

    Parameters
    ----------
    text
        Such as ``stockfish:elo=1500,nodes=1000``.
    game
        chess, xiangqi or go.

    Raises
    ------
    AgentSpecError
        If the text says no agent, with all that is wrong.
    AgentStartError
        If the agent cannot be had or does not play the game.
    """
    spec = _spec(text, game)
    agent: Agent = _builder(spec).build(spec)
    return agent


def game_of(text: str) -> str | None:
    """Return the game that a searching agent's model is of; None where it plays any.

    Raises
    ------
    AgentSpecError
        If the text says no agent, or one that does not search.
    """
    spec = _spec(text, "")
    if not HEADS[spec.head].searches:
        there = ", ".join(name for name, head in HEADS.items() if head.searches)
        raise AgentSpecError(text, [f"{spec.head} has no search of this program; {there} have"])
    game: str | None = _builder(spec).game_of(spec)
    return game


def _spec(text: str, game: str) -> AgentSpec:
    return parse_spec(text, game, {name: head.target for name, head in HEADS.items()})


def _builder(spec: AgentSpec) -> ModuleType:
    name = HEADS[spec.head].module
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise AgentStartError(f"agent {spec.text!r}: this installation has no {name}") from error
