"""The count of a finished game of Go under a set of rules, dead stones given, agreed or found.

Counting itself is native (`tabia._native.go_scoring`). Stones that nobody names dead are judged by
many careful playouts and by Benson's unconditional life; docs/go.md says how often that agrees with
other judges, and where it fails.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tabia._native.go_board import Board
from tabia._native.go_scoring import Counted, count, dead_by_playouts
from tabia.games.go_rules import RuleSet

__all__ = ["PLAYOUTS", "Agreement", "Score", "agree", "dead_stones", "score"]

PLAYOUTS = 1000
"""Playouts that judge which stones are dead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """A finished game's count.

    Attributes
    ----------
    rules
        Name of the set of rules.
    black, white
        Points of each side; White's include komi.
    komi
        White's points beforehand, compensation for handicap stones included.
    dead
        Codes of the stones taken for dead, ascending.
    counted
        What the points are made of.
    """

    rules: str
    black: float
    white: float
    komi: float
    dead: tuple[int, ...]
    counted: Counted

    @property
    def margin(self) -> float:
        """Black's points minus White's."""
        return self.black - self.white

    @property
    def result(self) -> str:
        """Result as SGF's RE has it: `B+3.5`, `W+12`, and `0` for a drawn game."""
        if self.margin == 0:
            return "0"
        return f"{'B' if self.margin > 0 else 'W'}+{abs(self.margin):g}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Where two players' lists of dead stones agree and where not.

    Attributes
    ----------
    dead
        Codes of the chains that both call dead, ascending.
    disputed
        Codes of the chains that only one of them calls dead, ascending. Where there are any,
        players go on playing (`Board.resume`), and afterwards what stands is alive.
    """

    dead: tuple[int, ...]
    disputed: tuple[int, ...]


def agree(board: Board, black_says: Iterable[int], white_says: Iterable[int]) -> Agreement:
    """Compare two players' lists of dead stones, whole chains at a time.

    Parameters
    ----------
    board
        Position at the end of play.
    black_says, white_says
        Codes; one stone of a chain names it.

    Raises
    ------
    ValueError
        If a code is no stone.
    """
    black, white = (
        {stone for code in codes for stone in board.chain(code)}
        for codes in (black_says, white_says)
    )
    return Agreement(dead=tuple(sorted(black & white)), disputed=tuple(sorted(black ^ white)))


def dead_stones(board: Board, *, playouts: int = PLAYOUTS, seed: int = 0) -> list[int]:
    """Codes of the stones that playouts find dead, ascending.

    Parameters
    ----------
    board
        Position at the end of play; whose turn it is does not matter, passes neither.
    playouts
        How many; half of them begin with either side.
    seed
        The same seed and stones give the same answer on every machine.
    """
    if board.white_to_move:
        board = board.with_stones(white_to_move=False)
    return dead_by_playouts(board, playouts, seed=seed)


def score(
    board: Board,
    rules: RuleSet,
    *,
    dead: Iterable[int] | None = None,
    komi: float | None = None,
    playouts: int = PLAYOUTS,
    seed: int = 0,
) -> Score:
    """Count a position under a set of rules.

    Parameters
    ----------
    board
        Position at the end of play; its prisoners count by territory.
    rules
        Set of rules.
    dead
        Codes of dead stones, one of a chain is enough; None to have them found, unless the rules
        leave them on the board.
    komi
        White's points beforehand; None is the board's.
    playouts, seed
        Of `dead_stones`, if it is asked.

    Raises
    ------
    ValueError
        If a code is no stone, or dead stones are named under rules that do not remove them.
    """
    named = () if dead is None else tuple(dead)
    if named and not rules.removes_dead:
        raise ValueError(
            f"rules {rules.name} count every stone on the board as living: name no dead ones"
        )
    if dead is None and rules.removes_dead:
        named = tuple(dead_stones(board, playouts=playouts, seed=seed))
    territory = rules.scoring == "territory"
    found = count(board, territory=territory, dead=named)
    whole = sorted({stone for code in named for stone in board.chain(code)})
    before = board.komi if komi is None else komi
    black, white = (
        found.territory[side] + found.prisoners[side] + found.dead[1 - side]
        if territory
        else found.territory[side] + found.stones[side]
        for side in (0, 1)
    )
    shared = found.neutral / 2 if rules.divides_neutral else 0.0
    return Score(
        rules=rules.name,
        black=black + shared,
        white=white + shared + before,
        komi=before,
        dead=tuple(whole),
        counted=found,
    )
