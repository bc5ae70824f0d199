"""What a match is played on: a game's start, its rules and its notation.

Chess ends by `tabia.games.chess` (mate, stalemate, dead material, third repetition, fifty moves),
xiangqi by the referee's rules (`tabia.games.xiangqi_referee`) and its 60-move rule, Go by two
passes and the count of `tabia.games.go_scoring`. The longest game allowed is the match's own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, cast, get_args

from tabia.games import chess
from tabia.games.chess import ChessPosition
from tabia.games.contract import Game, Outcome, Position
from tabia.games.go import PASS, GoGame, GoPosition
from tabia.games.go_rules import RULE_SETS
from tabia.games.go_scoring import Score, score
from tabia.games.xiangqi import XiangqiGame, XiangqiPosition
from tabia.games.xiangqi_notation import read_moves
from tabia.games.xiangqi_referee import RULE_SETS as XIANGQI_RULES
from tabia.games.xiangqi_referee import RuleSet

__all__ = ["GAMES", "Ending", "GameName", "Ground", "OpeningError"]

GameName = Literal["chess", "xiangqi", "go"]
GAMES: tuple[GameName, ...] = get_args(GameName)
"""Games that matches are played in."""

_CHESS_REPETITIONS = 3
_FIFTY_MOVES = 100  # plies
_SIZES = range(5, 20)
_SIZE = 19
_MOST_KOMI = 500  # more than all points of the largest board
_RULES = {"chess": "", "xiangqi": "asian", "go": "chinese"}
_SIDES = {"chess": ("white", "black"), "xiangqi": ("red", "black"), "go": ("black", "white")}


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
        ``checkmate``, ``stalemate``, ``repetition``, …; xiangqi: the referee's words; Go:
        ``two_passes``.
    """

    result: Outcome
    reason: str


@dataclass(frozen=True, slots=True)
class Ground:
    """A game under rules.

    Parameters
    ----------
    name
        chess, xiangqi or go.
    rules
        Xiangqi: what ends repetitions, "asian" where nothing is said. Go: a set of rules of
        `tabia.games.go_rules`, "chinese" where nothing is said. Empty in chess.
    size, komi
        Of Go's board, 5 to 19, and White's points beforehand; None is 19 and the rules' own komi.

    Raises
    ------
    ValueError
        If the game has no such rules, or no board and komi of its own.
    """

    name: GameName
    rules: str = ""
    size: int | None = None
    komi: float | None = None

    def __post_init__(self) -> None:
        known = {"chess": ("",), "xiangqi": XIANGQI_RULES, "go": tuple(RULE_SETS)}[self.name]
        if not self.rules:
            object.__setattr__(self, "rules", _RULES[self.name])
        if self.rules not in known:
            there = f"there are {', '.join(known)}" if known != ("",) else "it has one set of rules"
            raise ValueError(f"rules {self.rules}: {self.name} has none such; {there}")
        if self.name != "go":
            if self.size is not None or self.komi is not None:
                raise ValueError(f"{self.name} has neither sizes of board nor komi; Go has")
            return
        if self.size is None:
            object.__setattr__(self, "size", _SIZE)
        if self.komi is None:
            object.__setattr__(self, "komi", RULE_SETS[self.rules].komi)
        if self.size not in _SIZES:
            raise ValueError(f"size {self.size}: boards have {_SIZES[0]} to {_SIZES[-1]} lines")
        if self.komi is not None and not (abs(self.komi) <= _MOST_KOMI and self.komi * 2 % 1 == 0):
            raise ValueError(
                f"komi {self.komi:g}: must be whole or half points from -{_MOST_KOMI} to"
                f" {_MOST_KOMI}"
            )

    @property
    def game(self) -> Game:
        """The game's contract; xiangqi's moves have ranks from 0."""
        if self.name == "go":
            return self.go
        if self.name == "xiangqi":
            return XiangqiGame(rules=cast(RuleSet, self.rules))
        return chess.GAME

    @property
    def go(self) -> GoGame:
        """Go as it is played here; TypeError where another game is."""
        if self.name != "go" or self.size is None:
            raise TypeError(f"{self.name} is no Go")
        return GoGame(size=self.size, rules=self.rules, komi=self.komi)

    @property
    def sides(self) -> tuple[str, str]:
        """What the first and the second player are called."""
        return _SIDES[self.name]

    def as_json(self) -> dict[str, Any]:
        """Game and rules as plain values; size and komi for Go only."""
        facts: dict[str, Any] = {"game": self.name, "rules": self.rules or None}
        return facts | ({"size": self.size, "komi": self.komi} if self.name == "go" else {})

    def opening_moves(self, position: Position) -> list[int]:
        """Codes that openings are drawn from: all legal moves, of Go no pass if there is a play."""
        legal = position.legal_moves()
        if self.name != "go":
            return legal
        return [code for code in legal if code != PASS] or legal

    def capped(self, position: Position) -> Outcome:
        """Result of a game that has become too long: a draw, of Go the count as it stands."""
        if not isinstance(position, GoPosition):
            return 0
        margin = self.count(position).margin
        return 1 if margin > 0 else -1 if margin < 0 else 0

    def count(self, position: GoPosition) -> Score:
        """Points of a game of Go, dead stones found where the rules remove them."""
        return score(position.board, position.rules)

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
        if isinstance(position, GoPosition):
            return Ending(result, "two_passes")
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
        """Codes of moves: chess in SAN or UCI, xiangqi in any notation (ranks from 0), Go in GTP.

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
        if self.name == "go":
            return self._read_vertices(texts, start_fen)
        position = chess.GAME.position(start_fen)
        codes = []
        for ply, text in enumerate(texts, 1):
            try:
                codes.append(position.parse_san(text))
                position.push(codes[-1])
            except ValueError as error:
                raise OpeningError(f"ply {ply}: {error}") from error
        return codes

    def _read_vertices(self, texts: list[str], start_fen: str | None) -> list[int]:
        position = self.go.position(start_fen)
        codes = []
        for ply, text in enumerate(texts, 1):
            try:
                codes.append(self.go.encode(text))
                position.push(codes[-1])
            except ValueError as error:
                raise OpeningError(f"ply {ply}: {error}") from error
        return codes
