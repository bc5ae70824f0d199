"""What a match is: who plays, how often, from where and under which rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tabia.match.ground import Ground
from tabia.match.openings import Opening

__all__ = ["MOST_GAMES", "Plan", "PlanError", "Seeds"]

MOST_GAMES = 1_000_000
"""Games of a match; all its openings are drawn before it begins."""

Seeds = tuple[int, int]
"""Seeds of the first and the second player of a game."""


class PlanError(ValueError):
    """A match that cannot be played as it is described, with everything that is wrong."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class Plan:
    """A match between two agents, A and B, in pairs of games with colours reversed.

    Parameters
    ----------
    ground
        Game and rules.
    agents
        Spec strings of A and B.
    games
        How many, an even number. In the first of a pair A has the first move, in the second B.
    openings
        At least one; pair i begins with number i, and after the last the first comes again.
    seed
        The agents' seeds come from it.
    max_plies
        Plies, the opening's among them, after which a game is a draw, or in Go counted as it
        stands; None for no end.

    Raises
    ------
    PlanError
        If the number of games is odd, below 2 or above :data:`MOST_GAMES`, or no move could be
        played.
    """

    ground: Ground
    agents: tuple[str, str]
    games: int
    openings: tuple[Opening, ...]
    seed: int = 0
    max_plies: int | None = None

    def __post_init__(self) -> None:
        faults = []
        if self.games < 2 or self.games % 2:
            faults.append(
                f"{self.games} games: give an even number, for games are played in pairs with"
                " colours reversed"
            )
        if self.games > MOST_GAMES:
            faults.append(f"{self.games} games: at most {MOST_GAMES:,} can be played in one match")
        if not self.openings:
            faults.append("no opening")
        longest = max((len(opening.moves) for opening in self.openings), default=0)
        if self.max_plies is not None and self.max_plies <= longest:
            faults.append(
                f"at most {self.max_plies} plies a game, of which an opening takes {longest}: none"
                " is left to play"
            )
        if faults:
            raise PlanError("\n".join(faults))

    @property
    def pairs(self) -> int:
        """Number of pairs."""
        return self.games // 2

    def opening(self, pair: int) -> Opening:
        """Where pair `pair`, counted from 0, begins."""
        return self.openings[pair % len(self.openings)]

    def seeds(self, pair: int) -> tuple[Seeds, Seeds]:
        """Seeds of A and B in the first game of a pair, and in the second; 32-bit numbers."""
        words = np.random.SeedSequence((self.seed, pair)).generate_state(4)
        first, second = ((int(words[i]), int(words[i + 1])) for i in (0, 2))
        return first, second

    def as_json(self) -> dict[str, Any]:
        """Everything that the games depend on, as plain values."""
        return {
            **self.ground.as_json(),
            "agents": list(self.agents),
            "games": self.games,
            "openings": [[item.start_fen, list(item.moves)] for item in self.openings],
            "seed": self.seed,
            "max_plies": self.max_plies,
        }
