"""What plays: an agent is given a position with the game behind it and chooses a move.

Engines, imitators and searches all play through this one contract. An agent is built for one game
(`tabia.match.spec.AgentSpec` says which) and plays both sides of it, one game after another.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from tabia.games.contract import Position

__all__ = [
    "Agent",
    "AgentError",
    "AgentFaultError",
    "AgentStartError",
    "Analysis",
    "Choice",
    "FaultKind",
    "Turn",
]

FaultKind = Literal["crashed", "timeout", "garbage", "illegal_move"]
"""What an agent can do wrong at its turn: end, be silent too long, answer what is no move of the
protocol, or give a move that the rules forbid (or none)."""


class AgentError(RuntimeError):
    """Something is wrong with an agent."""

    exit_code = 2


class AgentStartError(AgentError):
    """An agent that cannot play here at all: it does not start, or it does not play this game."""


class AgentFaultError(AgentError):
    """An agent that failed at its turn; a match records it as a forfeit and goes on.

    Attributes
    ----------
    kind
        What went wrong.
    detail
        In words, with the value.
    transcript
        End of the conversation, a line an entry: ``> `` before what was sent, ``< `` before what
        was heard; empty for agents that hold none.
    """

    def __init__(self, kind: FaultKind, detail: str, transcript: tuple[str, ...] = ()) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind: FaultKind = kind
        self.detail = detail
        self.transcript = transcript

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return type(self), (self.kind, self.detail, self.transcript)


@dataclass(frozen=True, slots=True)
class Turn:
    """A position in which an agent is to move, with the game behind it.

    Attributes
    ----------
    position
        The position under the match's rules. It is the agent's own: playing on it harms nothing.
    start_fen
        Where the game began; None is the game's own start.
    moves
        Codes of all moves since then, those of the opening too.
    """

    position: Position
    start_fen: str | None
    moves: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """What an agent thinks of its move. Everything is in the view of the side to move.

    Attributes
    ----------
    score_cp
        Centipawns; None where there is none, or a mate is seen.
    mate
        Moves to mate, negative if the side to move is mated; None if none is seen.
    depth, nodes
        Plies and nodes of the search; None without one.
    win_probability
        0 to 1, a draw counted as half; None where the agent has none.
    probabilities
        Probability of each move by code, summing to 1; None where the agent has none.
    """

    score_cp: int | None = None
    mate: int | None = None
    depth: int | None = None
    nodes: int | None = None
    win_probability: float | None = None
    probabilities: Mapping[int, float] | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """A move, what its agent thinks of it, and the talk that led to it.

    Attributes
    ----------
    move
        Its code.
    analysis
        None for agents that have none.
    transcript
        As of `AgentFaultError`, for the record if the move turns out to be illegal.
    resigns
        Whether the agent gives the game up; its move then means nothing.
    """

    move: int
    analysis: Analysis | None = None
    transcript: tuple[str, ...] = ()
    resigns: bool = False


class Agent(Protocol):
    """Something that plays one game (chess, xiangqi, go), either side."""

    @property
    def name(self) -> str:
        """What it is, for people: ``Stockfish 15.1``."""
        ...

    @property
    def spec(self) -> str:
        """The text that builds it again: ``stockfish:elo=1500``."""
        ...

    @property
    def repeatable(self) -> bool:
        """Whether equal games with equal seeds get equal moves, on one kind of machine."""
        ...

    @property
    def fingerprint(self) -> str:
        """What tells it from another of the same name and spec: a digest of its files.

        A program may be replaced, a model trained again in the same folder. Empty where the spec
        says all.
        """
        ...

    def new_game(self, seed: int) -> None:
        """Forget the game before. All that is random until the next call comes from `seed`.

        Raises
        ------
        AgentFaultError
            If it does not answer.
        """
        ...

    def choose(self, turn: Turn) -> Choice:
        """Choose a move; the position has at least one legal move.

        Raises
        ------
        AgentFaultError
            If it does not answer, or not with a move. Whether the move is legal is the match's
            business.
        """
        ...

    def close(self) -> None:
        """Let go of processes and memory; nothing is called afterwards."""
        ...
