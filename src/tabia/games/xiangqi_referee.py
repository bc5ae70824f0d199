"""When a game of xiangqi ends by the rules, and why: mates, repetitions, counters.

Three sets of rules judge a position that comes up a third time.

========  =================================================================================
none      repetitions end nothing
simple    a draw, unless one side gave check with every move of the cycle: it loses
asian     so too, and a side that chased one piece with every move loses; a check outweighs
          a chase, and when both sides do the same the game is drawn
========  =================================================================================

The cycle is everything between the first and the third time. In ``asian`` a side chases a piece if
every move of that side in the cycle, checks too, attacks that very piece anew (what an attack is,
see `tabia.games.xiangqi_chases`). Moves that only take the protection of an attacked piece away are
chases as well, but no defence against a real chase of the other side's.

Mates go first, then repetitions, then the counters; docs/xiangqi_referee.md compares all this with
Fairy-Stockfish. Perpetual threats of mate are allowed, as in all Asian rules and unlike in Chinese
ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

from tabia._native.xiangqi_board import Board
from tabia.games.contract import Outcome
from tabia.games.xiangqi_cycles import KINDS, Cycle, explain

__all__ = [
    "QUIET_PLIES",
    "REPETITIONS",
    "RULE_SETS",
    "Reason",
    "Referee",
    "RuleSet",
    "Verdict",
    "judge",
]

RuleSet = Literal["none", "simple", "asian"]
RULE_SETS: tuple[RuleSet, ...] = get_args(RuleSet)
"""Names of the sets of rules on repetition."""

QUIET_PLIES = 120
"""The 60-move rule: so many plies without a capture are a draw."""

REPETITIONS = 3
"""A position is judged when it comes up for this time."""

Reason = Literal[
    "checkmate",
    "no_move",
    "perpetual_check",
    "perpetual_chase",
    "mutual_perpetual_check",
    "mutual_perpetual_chase",
    "repetition",
    "quiet",
    "ply_cap",
]
"""Why a game ended. ``no_move``: the side to move has none and is not in check; it has lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """How and when a game ended by the rules.

    Attributes
    ----------
    ply
        Moves played when it ended.
    result
        Red's view: 1, 0, -1.
    reason
        Why.
    rules
        The set of rules that was asked.
    cycle
        The repeated moves explained; None if the game did not end by repetition.
    """

    ply: int
    result: Outcome
    reason: Reason
    rules: RuleSet
    cycle: Cycle | None = None


class Referee:
    """A game with its verdict, move by move.

    Parameters
    ----------
    start_fen
        None is the standard start. Its counter of plies without a capture counts.
    rules
        A name in `RULE_SETS`.
    quiet_plies
        Plies without a capture that make a draw; None for no such rule.
    max_plies
        Plies of a game after which it is a draw; None for no end.

    Attributes
    ----------
    board
        The native board. Play through the referee, or it loses count.

    Raises
    ------
    FenError
        If the FEN is no position.
    ValueError
        If the rules' name is unknown or a limit is below 1.
    """

    __slots__ = ("_judged", "_keys", "_verdict", "board", "max_plies", "quiet_plies", "rules")

    def __init__(
        self,
        start_fen: str | None = None,
        *,
        rules: RuleSet = "asian",
        quiet_plies: int | None = QUIET_PLIES,
        max_plies: int | None = None,
    ) -> None:
        if rules not in RULE_SETS:
            raise ValueError(f"no rules {rules!r}; known are {', '.join(RULE_SETS)}")
        for name, limit in (("quiet_plies", quiet_plies), ("max_plies", max_plies)):
            if limit is not None and limit < 1:
                raise ValueError(f"{name} {limit} is below 1; None is no limit")
        self.board = Board(start_fen)
        self.rules: RuleSet = rules
        self.quiet_plies = quiet_plies
        self.max_plies = max_plies
        self._keys = [self.board.key]
        self._judged = False
        self._verdict: Verdict | None = None

    def push(self, code: int) -> None:
        """Play a move; IllegalMoveError if the rules of movement forbid it."""
        self.board.push(code)
        self._keys.append(self.board.key)
        self._judged = False

    def pop(self) -> int:
        """Take the last move back and return its code; IndexError if there is none."""
        code = self.board.pop()
        self._keys.pop()
        self._judged = False
        return code

    def copy(self) -> Referee:
        """Return an independent referee with the same history."""
        other = Referee.__new__(Referee)
        other.board = self.board.copy()
        other.rules = self.rules
        other.quiet_plies = self.quiet_plies
        other.max_plies = self.max_plies
        other._keys = self._keys.copy()
        other._judged = self._judged
        other._verdict = self._verdict
        return other

    @property
    def ply(self) -> int:
        """Moves played."""
        return len(self._keys) - 1

    @property
    def verdict(self) -> Verdict | None:
        """What the rules say of the present position, None while the game goes on.

        Earlier ends that were played over are not considered: ask after every move.
        """
        if not self._judged:
            self._verdict = self._judge()
            self._judged = True
        return self._verdict

    def _judge(self) -> Verdict | None:
        board = self.board
        if not board.has_legal_move:
            reason: Reason = "checkmate" if board.is_check else "no_move"
            return self._end(1 if board.black_to_move else -1, reason)
        clock = board.halfmove_clock
        if self.rules != "none" and clock >= 4 * (REPETITIONS - 1):
            # Nothing before the last capture can come up again.
            oldest = max(0, self.ply - clock)
            recent = self._keys[oldest:]
            if recent.count(self._keys[-1]) >= REPETITIONS:
                plies = [oldest + i for i, key in enumerate(recent) if key == self._keys[-1]]
                return self._repetition(tuple(plies[-REPETITIONS:]))
        if self.quiet_plies is not None and clock >= self.quiet_plies:
            return self._end(0, "quiet")
        if self.max_plies is not None and self.ply >= self.max_plies:
            return self._end(0, "ply_cap")
        return None

    def _end(self, result: Outcome, reason: Reason, cycle: Cycle | None = None) -> Verdict:
        return Verdict(ply=self.ply, result=result, reason=reason, rules=self.rules, cycle=cycle)

    def _repetition(self, plies: tuple[int, ...]) -> Verdict:
        board = self.board.copy()
        codes = [board.pop() for _ in range(self.ply - plies[0])][::-1]
        cycle = explain(board, codes, plies, with_attacks=self.rules == "asian")
        red, black = cycle.red.kind, cycle.black.kind
        worst = max(red, black, key=KINDS.index)
        if worst == "plain":
            return self._end(0, "repetition", cycle)
        is_check = worst == "check"
        if red == black:
            return self._end(
                0, "mutual_perpetual_check" if is_check else "mutual_perpetual_chase", cycle
            )
        return self._end(
            -1 if red == worst else 1, "perpetual_check" if is_check else "perpetual_chase", cycle
        )


def judge(
    moves: Iterable[int],
    start_fen: str | None = None,
    *,
    rules: RuleSet = "asian",
    quiet_plies: int | None = QUIET_PLIES,
    max_plies: int | None = None,
) -> Verdict | None:
    """Return how the game first ended by the rules, None if it did not within its moves.

    Parameters
    ----------
    moves
        Codes, 90 * from + to. What follows the end is neither judged nor checked.
    start_fen, rules, quiet_plies, max_plies
        As for `Referee`.

    Raises
    ------
    IllegalMoveError
        If a move before the end is not legal.
    FenError, ValueError
        As for `Referee`.
    """
    referee = Referee(start_fen, rules=rules, quiet_plies=quiet_plies, max_plies=max_plies)
    verdict = referee.verdict
    for code in moves:
        if verdict is not None:
            break
        referee.push(code)
        verdict = referee.verdict
    return verdict
