"""The agent ``gnugo``: GNU Go, which plays a game that this package does not know yet."""

from __future__ import annotations

from typing import NoReturn

from tabia.match.agent import AgentStartError
from tabia.match.spec import AgentSpec

__all__ = ["build"]


def build(spec: AgentSpec) -> NoReturn:
    """Say that there is no Go yet.

    Raises
    ------
    AgentStartError
        Always.
    """
    raise AgentStartError(f"agent {spec.text!r}: Go is not there yet; there are chess and xiangqi")
