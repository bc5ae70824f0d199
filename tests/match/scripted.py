"""Agents and builders for tests; a worker process imports the builders by name."""

from __future__ import annotations

from dataclasses import dataclass, field

from tabia.games.chess import GAME
from tabia.match.agent import Agent, AgentFaultError, AgentStartError, Analysis, Choice, Turn

HOPS = (("g1f3", "f3g1"), ("g8f6", "f6g8"))


@dataclass
class Shuffler:
    """Moves a knight out and back; at ply `at` it plays `move` or raises `error` instead."""

    at: int = -1
    move: int = 0
    error: AgentFaultError | None = None
    analysis: Analysis | None = None
    name: str = "shuffler"
    spec: str = "shuffler"
    repeatable: bool = True
    fingerprint: str = ""
    log: list[object] = field(default_factory=list)

    def new_game(self, seed: int) -> None:
        self.log.append(seed)

    def choose(self, turn: Turn) -> Choice:
        self.log.append(turn)
        ply = len(turn.moves)
        if ply == self.at:
            if self.error is not None:
                raise self.error
            return Choice(self.move, None, ("> ?", "< that"))
        code = GAME.encode(HOPS[ply % 2][ply // 2 % 2])
        return Choice(code, self.analysis)

    def close(self) -> None:
        self.log.append("closed")


class Seeded:
    """Draws moves from the game's seed; remembers nothing else."""

    name, repeatable, fingerprint = "seeded", True, ""

    def __init__(self, spec: str) -> None:
        self.spec = spec

    def new_game(self, seed: int) -> None:
        self.state = seed

    def choose(self, turn: Turn) -> Choice:
        moves = turn.position.legal_moves()
        self.state = (self.state * 1_103_515_245 + len(turn.moves) + 12345) % 2**31
        if self.spec == "sometimes fails" and self.state % 40 == 0:
            raise AgentFaultError("garbage", f"state {self.state}")
        return Choice(moves[self.state % len(moves)])

    def close(self) -> None:
        self.state = -1


def build_seeded(text: str, game: str) -> Agent:
    return Seeded(text)


def build_never(text: str, game: str) -> Agent:
    raise AgentStartError(f"agent {text!r}: cannot start")
