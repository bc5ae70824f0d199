"""Xiangqi (Chinese chess) behind the contract of `tabia.games.contract`.

Rules of movement, hashing and codecs are the native core's, the end of a game is the referee's
(`tabia.games.xiangqi_referee`). This module parses no game files and makes no tables.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tabia._native.xiangqi_board import (
    FenError,
    IllegalMoveError,
    decode_move,
    encode_move,
)
from tabia.games.contract import Outcome
from tabia.games.xiangqi_referee import QUIET_PLIES, Referee, RuleSet, Verdict

__all__ = [
    "FAIRY",
    "GAME",
    "QUIET_PLIES",
    "FenError",
    "IllegalMoveError",
    "XiangqiGame",
    "XiangqiPosition",
]


class XiangqiPosition:
    """A xiangqi position with the game behind it.

    `outcome` and `legal_moves` end the game where the side to move has no legal move, in check or
    not (it has lost: xiangqi has no stalemate), where `rules` say so of a position that came up a
    third time, and after `quiet_plies` plies without a capture (a draw). A move on the last of
    these plies that leaves no answer wins. By default repetitions end nothing.

    Parameters
    ----------
    fen
        Start; None is the standard start.
    quiet_plies
        Plies without a capture that make a draw; None for no such rule.
    rules
        What ends repetitions, a name in `tabia.games.xiangqi_referee.RULE_SETS`.
    max_plies
        Plies of a game after which it is a draw; None for no end.

    Attributes
    ----------
    board
        The native board; `board.moves()` are the codes played since `start_fen`. Play through
        `push` and `pop`: what is played on the board itself escapes the rules on repetition.
    start_fen
        Six-field FEN that this history began with.

    Raises
    ------
    FenError
        If the FEN is no position.
    ValueError
        If the rules' name is unknown or a limit is below 1.
    """

    __slots__ = ("_referee", "board", "start_fen")

    def __init__(
        self,
        fen: str | None = None,
        *,
        quiet_plies: int | None = QUIET_PLIES,
        rules: RuleSet = "none",
        max_plies: int | None = None,
    ) -> None:
        self._referee = Referee(fen, rules=rules, quiet_plies=quiet_plies, max_plies=max_plies)
        self.board = self._referee.board
        self.start_fen = self.board.fen()

    @property
    def quiet_plies(self) -> int | None:
        """Plies without a capture that make a draw."""
        return self._referee.quiet_plies

    @property
    def rules(self) -> RuleSet:
        """What ends repetitions."""
        return self._referee.rules

    @property
    def first_to_move(self) -> bool:
        """Whether Red is to move."""
        return not self.board.black_to_move

    @property
    def key(self) -> int:
        """Zobrist key of the position without its counters."""
        return self.board.key

    @property
    def verdict(self) -> Verdict | None:
        """How the game ended, with the repeated moves explained; None while it goes on."""
        return self._referee.verdict

    def legal_moves(self) -> list[int]:
        """Codes of all legal moves, ascending; empty once the game has ended."""
        return self.board.legal_moves() if self._referee.verdict is None else []

    def push(self, code: int) -> None:
        """Play a move; IllegalMoveError if the rules of movement forbid it."""
        self._referee.push(code)

    def pop(self) -> int:
        """Take the last move back and return its code; IndexError if there is none."""
        return self._referee.pop()

    def copy(self) -> XiangqiPosition:
        """Return an independent position with the same history."""
        other = XiangqiPosition.__new__(XiangqiPosition)
        other._referee = self._referee.copy()
        other.board = other._referee.board
        other.start_fen = self.start_fen
        return other

    def fen(self) -> str:
        """Six-field FEN; the fifth field counts plies since the last capture."""
        return self.board.fen()

    def outcome(self) -> Outcome | None:
        """1, 0 or -1 from Red's view once the game has ended, None before."""
        verdict = self._referee.verdict
        return None if verdict is None else verdict.result


@dataclass(frozen=True, slots=True)
class XiangqiGame:
    """Xiangqi as a `tabia.games.contract.Game`.

    Parameters
    ----------
    first_rank
        Number of Red's back rank in texts of moves: 0 as in UCCI, 1 as in Fairy-Stockfish's UCI.
    quiet_plies, rules, max_plies
        See `XiangqiPosition`.
    """

    first_rank: Literal[0, 1] = 0
    quiet_plies: int | None = QUIET_PLIES
    rules: RuleSet = "none"
    max_plies: int | None = None

    @property
    def name(self) -> str:
        """Always "xiangqi"."""
        return "xiangqi"

    def position(self, fen: str | None = None) -> XiangqiPosition:
        """Position of a FEN, or the standard start; FenError if the text is none."""
        return XiangqiPosition(
            fen, quiet_plies=self.quiet_plies, rules=self.rules, max_plies=self.max_plies
        )

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
