"""What every game offers: chess, xiangqi and Go alike.

Code that plays, searches or replays takes a `Game` and its `Position`s and knows no rules. Moves
are codes: unsigned 16-bit integers whose meaning is the game's own, the same in every table.
Bulk work (whole tables of games) does not go through here: it has array functions of its own.
"""

from __future__ import annotations

from typing import Literal, Protocol, TypeVar, runtime_checkable

__all__ = ["Game", "Outcome", "Position"]

Outcome = Literal[1, 0, -1]
"""Result from the view of the player who moves first: win, draw, loss."""

PositionT = TypeVar("PositionT", bound="Position")


@runtime_checkable
class Position(Protocol):
    """A position that moves can be played on, with as much history as the rules need."""

    @property
    def first_to_move(self) -> bool:
        """Whether the first player (White in chess, Red in xiangqi, Black in Go) is to move."""
        ...

    @property
    def key(self) -> int:
        """64-bit hash of the position without history; equal positions have equal keys."""
        ...

    def legal_moves(self) -> list[int]:
        """Codes of all legal moves, ascending; empty once the game has ended by the rules."""
        ...

    def push(self, code: int) -> None:
        """Play a move; ValueError if it is not legal, and the position is as before."""
        ...

    def copy(self: PositionT) -> PositionT:
        """Return an independent position."""
        ...

    def fen(self) -> str:
        """Text that `Game.position` reads back (without history)."""
        ...

    def outcome(self) -> Outcome | None:
        """Result by the rules alone, from the first player's view; None while the game goes on."""
        ...


class Game(Protocol):
    """A game's name, its start and its notation."""

    @property
    def name(self) -> str:
        """Name as in the games table: chess, xiangqi, go."""
        ...

    def position(self, fen: str | None = None) -> Position:
        """Position of a text, or the start; ValueError if the text is none."""
        ...

    def encode(self, text: str) -> int:
        """Code of a move in the notation of the game's engines (UCI, UCCI, GTP); ValueError."""
        ...

    def decode(self, code: int) -> str:
        """Text of a code in the notation of the game's engines; ValueError if it is none."""
        ...
