"""What a match is played on: a game's start, its rules and its notation.

Chess ends by `tabia.games.chess` (mate, stalemate, dead material, third repetition, fifty moves),
xiangqi by the referee's rules (`tabia.games.xiangqi_referee`) and its 60-move rule. The longest
game allowed is the match's own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

from tabia.games import chess
from tabia.games.chess import ChessPosition
from tabia.games.contract import Game, Outcome, Position
from tabia.games.xiangqi import XiangqiGame, XiangqiPosition
from tabia.games.xiangqi_notation import read_moves
from tabia.games.xiangqi_referee import RuleSet

__all__ = ["GAMES", "Ending", "GameName", "Ground", "OpeningError"]

GameName = Literal["chess", "xiangqi"]
GAMES: tuple[GameName, ...] = get_args(GameName)
"""Games that matches are played in."""

_CHESS_REPETITIONS = 3
_FIFTY_MOVES = 100  # plies


class OpeningError(ValueError):
    """An opening that games cannot begin with: no position, no legal moves, or over already."""

    exit_code = 3


@dataclass(frozen=True, slots=True)
class Ending:
    """How a game ended by the rules.

    Attributes
    ----------
    result
        First player's view: 1, 0, -1.
    reason
        ``checkmate``, ``stalemate``, ``repetition``, …; xiangqi: the referee's words.
    """

    result: Outcome
    reason: str


@dataclass(frozen=True, slots=True)
class Ground:
    """A game under rules.

    Parameters
    ----------
    name
        chess or xiangqi.
    rules
        Xiangqi: what ends repetitions. It means nothing in chess.
    """

    name: GameName
    rules: RuleSet = "asian"

    @property
    def game(self) -> Game:
        """The game's contract; xiangqi's moves have ranks from 0."""
        return chess.GAME if self.name == "chess" else XiangqiGame(rules=self.rules)

    @property
    def sides(self) -> tuple[str, str]:
        """What the first and the second player are called."""
        return ("white", "black") if self.name == "chess" else ("red", "black")

    def start(self, start_fen: str | None, moves: Iterable[int] = ()) -> Position:
        """Position after moves, with its history; ValueError if one is not legal."""
        position = self.game.position(start_fen)
        for code in moves:
            position.push(code)
        return position

    def ending(self, position: Position, seen: int) -> Ending | None:
        """How the game has ended by the rules, None while it goes on.

        Parameters
        ----------
        position
            One of this ground's.
        seen
            How often it has come up, this time included (chess only).
        """
        result = position.outcome()
        if result is None:
            return None
        if isinstance(position, XiangqiPosition):
            verdict = position.verdict
            return Ending(result, "?" if verdict is None else verdict.reason)
        if not isinstance(position, ChessPosition):
            raise TypeError(f"{type(position).__name__} is no position of {self.name}")
        board = position.board
        if board.is_checkmate:
            return Ending(result, "checkmate")
        if board.is_stalemate:
            return Ending(result, "stalemate")
        if seen >= _CHESS_REPETITIONS:
            return Ending(result, "repetition")
        if board.halfmove_clock >= _FIFTY_MOVES:
            return Ending(result, "fifty_moves")
        return Ending(result, "insufficient_material")

    def fen(self, text: str) -> str | None:
        """FEN as this project writes it, None for the game's own start.

        Raises
        ------
        OpeningError
            If it is no position.
        """
        try:
            fen = self.game.position(text).fen()
        except ValueError as error:
            raise OpeningError(str(error)) from error
        return None if fen == self.game.position().fen() else fen

    def read(self, texts: list[str], start_fen: str | None) -> list[int]:
        """Codes of moves: chess in SAN or UCI, xiangqi in any notation (ranks from 0).

        Raises
        ------
        OpeningError
            If a text names no legal move.
        """
        if self.name == "xiangqi":
            read = read_moves(texts, start_fen, "ucci")
            if read.fault is not None:
                raise OpeningError(str(read.fault))
            return read.codes
        position = chess.GAME.position(start_fen)
        codes = []
        for ply, text in enumerate(texts, 1):
            try:
                codes.append(position.parse_san(text))
                position.push(codes[-1])
            except ValueError as error:
                raise OpeningError(f"ply {ply}: {error}") from error
        return codes
