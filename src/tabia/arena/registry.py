"""Every agent by the head of its spec string: the one table, and how an agent is built from text.

A builder is a module with ``build(spec: AgentSpec) -> Agent``. It checks the settings, and that the
agent plays ``spec.game``; engines are started by it. Modules are imported when one of their agents
is asked for, so that a match of engines loads no nets.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from tabia.match.agent import Agent, AgentStartError
from tabia.match.spec import parse_spec

__all__ = ["HEADS", "Head", "build"]


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
    """

    module: str
    says: str
    target: str | None = None


HEADS: Mapping[str, Head] = MappingProxyType(
    {
        "random": Head("tabia.match.random_agent", "every legal move alike"),
        "stockfish": Head("tabia.match.engine_agents", "Stockfish: chess"),
        "fairy": Head("tabia.match.engine_agents", "Fairy-Stockfish: chess, xiangqi"),
        "uci": Head("tabia.match.engine_agents", "any UCI engine, by path"),
        "gnugo": Head("tabia.match.gnugo", "GNU Go: Go"),
        "imitation": Head("tabia.imitation.agent", "a model of people's moves", "model folder"),
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
    spec = parse_spec(text, game, {name: head.target for name, head in HEADS.items()})
    name = HEADS[spec.head].module
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise AgentStartError(f"agent {text!r}: this installation has no {name}") from error
    agent: Agent = module.build(spec)
    return agent
