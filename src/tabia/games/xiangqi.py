"""Xiangqi (Chinese chess) behind the contract of `tabia.games.contract`.

Rules of movement, hashing and codecs are the native core's. This module adds when a game ends and
keeps the history that repetition rules ask for; it judges no repetition itself, parses no game
files and makes no tables.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tabia._native.xiangqi_board import (
    Board,
    FenError,
    IllegalMoveError,
    decode_move,
    encode_move,
)
from tabia.games.contract import Outcome

__all__ = [
    "FAIRY",
    "GAME",
    "QUIET_PLIES",
    "FenError",
    "IllegalMoveError",
    "XiangqiGame",
    "XiangqiPosition",
]

QUIET_PLIES = 120
"""The 60-move rule: so many plies without a capture are a draw."""


class XiangqiPosition:
    """A xiangqi position with the game behind it.

    `outcome` and `legal_moves` end the game where the side to move has no legal move, in check or
    not (it has lost: xiangqi has no stalemate), and after `quiet_plies` plies without a capture
    (a draw). A move on the last of these plies that leaves no answer wins. Repetitions end
    nothing here.

    Parameters
    ----------
    fen
        Start; None is the standard start.
    quiet_plies
        Plies without a capture that make a draw; None for no such rule.

    Attributes
    ----------
    board
        The native board; `board.moves()` are the codes played since `start_fen`.
    start_fen
        Six-field FEN that this history began with.
    quiet_plies
        As given.

    Raises
    ------
    FenError
        If the FEN is no position.
    """

    __slots__ = ("board", "quiet_plies", "start_fen")

    def __init__(self, fen: str | None = None, *, quiet_plies: int | None = QUIET_PLIES) -> None:
        self.board = Board(fen)
        self.start_fen = self.board.fen()
        self.quiet_plies = quiet_plies

    @property
    def first_to_move(self) -> bool:
        """Whether Red is to move."""
        return not self.board.black_to_move

    @property
    def key(self) -> int:
        """Zobrist key of the position without its counters."""
        return self.board.key

    def legal_moves(self) -> list[int]:
        """Codes of all legal moves, ascending; empty once the game has ended."""
        return [] if self._is_quiet() else self.board.legal_moves()

    def push(self, code: int) -> None:
        """Play a move; IllegalMoveError if the rules of movement forbid it."""
        self.board.push(code)

    def pop(self) -> int:
        """Take the last move back and return its code; IndexError if there is none."""
        return self.board.pop()

    def copy(self) -> XiangqiPosition:
        """Return an independent position with the same history."""
        other = XiangqiPosition.__new__(XiangqiPosition)
        other.board = self.board.copy()
        other.start_fen = self.start_fen
        other.quiet_plies = self.quiet_plies
        return other

    def fen(self) -> str:
        """Six-field FEN; the fifth field counts plies since the last capture."""
        return self.board.fen()

    def outcome(self) -> Outcome | None:
        """1, 0 or -1 from Red's view once the game has ended, None before."""
        if not self.board.has_legal_move:
            return 1 if self.board.black_to_move else -1
        return 0 if self._is_quiet() else None

    def _is_quiet(self) -> bool:
        return self.quiet_plies is not None and self.board.halfmove_clock >= self.quiet_plies


@dataclass(frozen=True, slots=True)
class XiangqiGame:
    """Xiangqi as a `tabia.games.contract.Game`.

    Parameters
    ----------
    first_rank
        Number of Red's back rank in texts of moves: 0 as in UCCI, 1 as in Fairy-Stockfish's UCI.
    quiet_plies
        See `XiangqiPosition`.
    """

    first_rank: Literal[0, 1] = 0
    quiet_plies: int | None = QUIET_PLIES

    @property
    def name(self) -> str:
        """Always "xiangqi"."""
        return "xiangqi"

    def position(self, fen: str | None = None) -> XiangqiPosition:
        """Position of a FEN, or the standard start; FenError if the text is none."""
        return XiangqiPosition(fen, quiet_plies=self.quiet_plies)

    def encode(self, text: str) -> int:
        """Code of a coordinate move; ValueError if the text is none."""
        return encode_move(text, first_rank=self.first_rank)

    def decode(self, code: int) -> str:
        """Coordinate text of a code; ValueError if it is none."""
        return decode_move(code, first_rank=self.first_rank)


GAME = XiangqiGame()
"""Xiangqi with moves as UCCI and ICCS have them, ranks 0 to 9."""

FAIRY = XiangqiGame(first_rank=1)
"""Xiangqi with moves as Fairy-Stockfish's UCI has them, ranks 1 to 10."""
