"""The agent ``random``: every legal move with the same probability."""

from __future__ import annotations

import numpy as np

from tabia.match.agent import Choice, Turn
from tabia.match.spec import AgentSpec
from tabia.tables.settings import Settings

__all__ = ["RandomAgent", "build"]


class RandomAgent:
    """Draws a legal move; the draws depend on the game's seed only.

    Parameters
    ----------
    spec
        The text that builds it.
    """

    name = "random mover"
    repeatable = True
    fingerprint = ""

    def __init__(self, spec: str = "random") -> None:
        self.spec = spec
        self.new_game(0)

    def new_game(self, seed: int) -> None:
        """Begin a game whose draws come from `seed`."""
        self._rng = np.random.default_rng(seed)

    def choose(self, turn: Turn) -> Choice:
        """Draw a legal move."""
        moves = turn.position.legal_moves()
        return Choice(moves[int(self._rng.integers(len(moves)))])

    def close(self) -> None:
        """Nothing to let go of."""


def build(spec: AgentSpec) -> RandomAgent:
    """Build the agent of any game; AgentSpecError if it is given settings."""
    spec.read(Settings)
    return RandomAgent(spec.text)
