"""Go behind the contract of `tabia.games.contract`.

Rules of play are the native core's, sets of rules `tabia.games.go_rules`', the count of a finished
game is `tabia.games.go_scoring`'s. This module parses no game files and makes no tables.
"""

from __future__ import annotations

from dataclasses import dataclass

from tabia._native.go_board import (
    PASS,
    Board,
    FenError,
    IllegalMoveError,
    decode_vertex,
    encode_vertex,
)
from tabia.games.contract import Outcome
from tabia.games.go_rules import RULE_SETS, RuleSet, rule_set
from tabia.games.go_scoring import Score, score

__all__ = [
    "GAME",
    "PASS",
    "RULE_SETS",
    "FenError",
    "GoGame",
    "GoPosition",
    "IllegalMoveError",
    "handicap_points",
]


class GoPosition:
    """A Go position with the game behind it.

    The game ends with two passes in a row, or after `max_plies` moves; `outcome` is the count of
    `tabia.games.go_scoring.score`, with dead stones found by playouts where the rules remove them.

    Parameters
    ----------
    fen
        Start, as `tabia._native.go_board.Board` reads it; None is the empty board.
    size
        5 to 19; None is 19, or what the text says.
    rules
        Name of a set in `tabia.games.go_rules.RULE_SETS`.
    komi
        White's points beforehand, in place of the rules' own; compensation for handicap stones is
        the caller's (`RuleSet.effective_komi`).
    max_plies
        Moves of a game after which it is counted as it stands; None for no end. Games without
        superko may go on for ever.

    Attributes
    ----------
    board
        The native board; `board.moves()` are the codes played since `board.start_fen()`.
    rules
        The set of rules.

    Raises
    ------
    FenError
        If the text is no position of that size.
    ValueError
        If size or rules are unknown or the limit is below 1.
    """

    __slots__ = ("_score", "board", "max_plies", "rules")

    def __init__(
        self,
        fen: str | None = None,
        *,
        size: int | None = None,
        rules: str = "tromp-taylor",
        komi: float | None = None,
        max_plies: int | None = None,
    ) -> None:
        if max_plies is not None and max_plies < 1:
            raise ValueError(f"max_plies {max_plies} is below 1; None is no limit")
        self.rules: RuleSet = rule_set(rules)
        self.board = Board(
            fen,
            size=size,
            ko=self.rules.ko,
            allows_suicide=self.rules.allows_suicide,
            territory=self.rules.scoring == "territory",
            komi=self.rules.komi if komi is None else komi,
        )
        self.max_plies = max_plies
        self._score: Score | None = None

    @property
    def first_to_move(self) -> bool:
        """Whether Black is to move."""
        return not self.board.white_to_move

    @property
    def key(self) -> int:
        """Zobrist key of stones, size, side to move, ko and passes."""
        return self.board.key

    @property
    def is_terminal(self) -> bool:
        """Whether two passes in a row, or the limit, have ended the game."""
        too_long = self.max_plies is not None and self.board.ply >= self.max_plies
        return too_long or self.board.is_terminal

    def legal_moves(self) -> list[int]:
        """Codes of all legal moves, ascending, the pass last; empty once the game has ended."""
        return [] if self.is_terminal else self.board.legal_moves()

    def push(self, code: int) -> None:
        """Play a move; IllegalMoveError if the rules of play forbid it."""
        self.board.push(code)
        self._score = None

    def pop(self) -> int:
        """Take the last move back and return its code; IndexError if there is none."""
        self._score = None
        return self.board.pop()

    def copy(self) -> GoPosition:
        """Return an independent position with the same history."""
        other = GoPosition.__new__(GoPosition)
        other.board = self.board.copy()
        other.rules = self.rules
        other.max_plies = self.max_plies
        other._score = self._score
        return other

    def fen(self) -> str:
        """Rows, side to move, ko, passes and prisoners."""
        return self.board.fen()

    def outcome(self) -> Outcome | None:
        """1, 0 or -1 from Black's view once the game has ended, None before."""
        if not self.is_terminal:
            return None
        if self._score is None:
            self._score = score(self.board, self.rules)
        margin = self._score.margin
        return 1 if margin > 0 else -1 if margin < 0 else 0


@dataclass(frozen=True, slots=True)
class GoGame:
    """Go as a `tabia.games.contract.Game`, its moves written as in GTP (`D4`, `pass`).

    Parameters
    ----------
    size
        Of the empty board, and of the board that vertices are on.
    rules, komi, max_plies
        See `GoPosition`.
    """

    size: int = 19
    rules: str = "tromp-taylor"
    komi: float | None = None
    max_plies: int | None = None

    @property
    def name(self) -> str:
        """Always "go"."""
        return "go"

    def position(self, fen: str | None = None) -> GoPosition:
        """Position of a text of this size, or the empty board; FenError if the text is none."""
        return GoPosition(
            fen, size=self.size, rules=self.rules, komi=self.komi, max_plies=self.max_plies
        )

    def encode(self, text: str) -> int:
        """Code of a vertex; ValueError if the board has none such."""
        return encode_vertex(text, self.size)

    def decode(self, code: int) -> str:
        """Vertex of a code; ValueError if the board has none such."""
        return decode_vertex(code, self.size)


GAME = GoGame()
"""Go on 19x19 under Tromp-Taylor rules."""


def handicap_points(size: int, stones: int) -> list[int]:
    """Codes of the usual points for handicap stones, ascending.

    Those of GTP's `fixed_handicap` (GTP version 2, section 4.1.1): the four corners' points, then
    sides and centre; the points are on the third line up to size 12 and on the fourth above.

    Parameters
    ----------
    size
        7 to 19.
    stones
        2 to 9; even sizes and 7 have 4 at most.

    Raises
    ------
    ValueError
        If the board has not so many.
    """
    most = 0 if not 7 <= size <= 19 else 4 if size % 2 == 0 or size == 7 else 9
    if not 2 <= stones <= most:
        raise ValueError(
            f"{stones} handicap stones on size {size}: there are points for 2 to {most}"
            if most
            else f"no usual handicap points on size {size}, only on 7 to 19"
        )
    low = 3 if size > 12 else 2
    high, middle = size - 1 - low, size // 2
    corners = [(high, low), (low, high), (low, low), (high, high)]
    sides = [(middle, low), (middle, high), (low, middle), (high, middle)]
    points = corners[: min(stones, 4)]
    if stones >= 6:
        points += sides[: stones // 2 * 2 - 4]
    if stones in (5, 7, 9):
        points.append((middle, middle))
    return sorted(19 * row + column for row, column in points)
