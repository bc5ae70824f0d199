"""Players by which learners are measured, by the names that configurations and tables have.

``random`` plays any legal move, ``rollouts`` searches without a net, and ``gnugo-level-N`` is GNU
Go (Go only). GNU Go plays under the learner's rules (:mod:`tabia.match.gnugo`). A tree takes no
stone for dead, so under rules where dead stones are taken off it would see another count than GNU
Go, which passes and leaves them; a match with it is therefore played with ``tromp-taylor``, where
GNU Go captures what is dead before it passes. It never resigns. At the end it is asked for its own
count, dead stones taken off: where that names another winner, the difference shows.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tabia.games.go import GoPosition
from tabia.games.go_rules import rule_set
from tabia.match import gnugo
from tabia.match.agent import Turn
from tabia.match.spec import AgentSpec
from tabia.search.config import GoRules, Rules, SearchSettings
from tabia.search.duel import Player, RandomPlayer, RolloutPlayer, equal_priors
from tabia.search.learning_config import gnugo_level

__all__ = ["GnuGoPlayer", "rival"]


class GnuGoPlayer(Player):
    """GNU Go, a process a game.

    Parameters
    ----------
    rules
        Of Go; dead stones must stay.
    level
        0 to 20; its own scale ends at 10.
    slots
        Games.

    Raises
    ------
    ValueError
        If these rules take dead stones off.
    AgentStartError
        If GNU Go is not there.
    """

    def __init__(self, rules: GoRules, level: int, slots: int) -> None:
        if rule_set(rules.rules).removes_dead:
            raise ValueError(
                f"a match with GNU Go under {rules.rules}: a tree leaves dead stones on the board"
                " and GNU Go does not; take rules tromp-taylor"
            )
        super().__init__(rules, SearchSettings(), slots, 1)
        self._go = rules
        spec = AgentSpec(
            f"gnugo:level={level},resign=false",
            "go",
            "gnugo",
            settings={"level": str(level), "resign": "false"},
        )
        self._agents = [gnugo.build(spec) for _ in range(slots)]
        self._moves: list[list[int]] = [[] for _ in range(slots)]
        self._is_new = [True] * slots
        self._waiting: dict[int, int] = {}
        self._chosen: dict[int, int] = {}

    def reset(self, slot: int, moves: Sequence[int]) -> None:
        """Begin a game; its process starts with the first move."""
        super().reset(slot, moves)
        self._moves[slot] = list(moves)
        self._is_new[slot] = True

    def play(self, slot: int, code: int) -> None:
        """Play a move of either side."""
        super().play(slot, code)
        self._moves[slot].append(code)

    def begin(self, slot: int, seed: int) -> None:
        """Note that a move is wanted; the first one's seed is the game's."""
        self._waiting[slot] = seed

    def is_ready(self, slot: int) -> bool:
        """Whether it has moved."""
        return slot in self._chosen

    def step(self) -> None:
        """Have all moves that are wanted generated."""
        for slot, seed in self._waiting.items():
            if self._is_new[slot]:
                self._agents[slot].new_game(seed)
                self._is_new[slot] = False
            self._chosen[slot] = self._agents[slot].choose(self._turn(slot)).move
        self._waiting.clear()

    def choose(self, slot: int, seed: int) -> int:
        """Return the move."""
        return self._chosen.pop(slot)

    def margin(self, slot: int) -> float | None:
        """Return GNU Go's count, Black's points less White's; None if it made no move."""
        if self._is_new[slot]:
            return None
        return self._agents[slot].margin(self._turn(slot))

    def priors(self, slot: int) -> tuple[np.ndarray, np.ndarray]:
        """Return equal shares."""
        return equal_priors(self.trees, slot)

    def close(self) -> None:
        """End all processes."""
        for agent in self._agents:
            agent.close()

    def _turn(self, slot: int) -> Turn:
        go = self._go
        position = GoPosition(size=go.size, rules=go.rules, komi=go.komi)
        for code in self._moves[slot]:
            position.push(code)
        return Turn(position, None, tuple(self._moves[slot]))


def rival(name: str, rules: Rules, search: SearchSettings, slots: int) -> Player:
    """Return the player of a name; ValueError if it is none or does not play this game."""
    if name == "random":
        return RandomPlayer(rules, slots)
    if name == "rollouts":
        return RolloutPlayer(rules, search, slots)
    level = gnugo_level(name)
    if level is None or not isinstance(rules, GoRules):
        raise ValueError(f"{name!r} is no rival at {rules.game}")
    return GnuGoPlayer(rules, level, slots)
