"""What an analysis says: of a position and of its best moves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tabia.games.contract import Outcome
from tabia.search.trees import Solved

__all__ = ["MoveReport", "PositionReport"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveReport:
    """A move. Numbers are in the view of the side that plays it.

    Attributes
    ----------
    code
        The move.
    visits
        Simulations through it, those of earlier searches kept by the tree too.
    q
        Its value in the tree, -1 (lost) to 1 (won); None while it is unvisited.
    prior
        What the evaluator expected of it, 0 to 1, without noise.
    score_lead
        Go: points that the side playing it will be ahead, komi included: the mean of what the
        evaluator says of the first positions of `variation` (:mod:`tabia.search.analysis_board`).
        None in other games, of unvisited moves, and where the evaluator tells no score.
    solved, solved_plies
        Proven result, and plies to the end as proven, the move among them; None if not proven.
    variation
        Codes of the likeliest play, this move first.
    """

    code: int
    visits: int
    q: float | None
    prior: float
    score_lead: float | None
    solved: Solved | None
    solved_plies: int | None
    variation: tuple[int, ...]

    @property
    def win_rate(self) -> float | None:
        """`q` as 0 to 1, a draw being half a win."""
        return None if self.q is None else (self.q + 1) / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionReport:
    """A position. Numbers are in the view of the side to move, but for `outcome` and ownership.

    Attributes
    ----------
    first_to_move
        Whether White, Red or (in Go) Black is to move.
    ply
        Moves played since the start.
    visits
        Evaluations in the tree of this position: its own and one a simulation.
    value
        From all of them, -1 (lost) to 1 (won); None if nothing was searched.
    evaluation
        The evaluator's own word on the position; None likewise.
    score_lead
        Go: points that the side to move will be ahead, komi included: the mean of what the
        evaluator says of this position and the first ones of the best variation; a count where the
        game is over; None where it tells no score.
    ownership_black
        Go: `[rows, columns]` float32, row 0 on top; 1 where a point will be Black's, -1 where it
        will be White's, whoever is to move; a mean over the same positions. None where the
        evaluator tells no ownership.
    solved, solved_plies
        Proven result, and plies to the end as proven; None if not proven.
    outcome
        First player's view: 1, 0, -1 once the game is over; None before.
    moves
        The best moves, best first; empty where nothing was searched or the game is over.
    seconds
        By the clock since the thinking began: the one number that does not repeat.
    is_final
        Whether the thinking has ended.
    """

    first_to_move: bool
    ply: int
    visits: int
    value: float | None
    evaluation: float | None
    score_lead: float | None
    ownership_black: NDArray[np.float32] | None
    solved: Solved | None
    solved_plies: int | None
    outcome: Outcome | None
    moves: tuple[MoveReport, ...]
    seconds: float
    is_final: bool

    @property
    def win_rate(self) -> float | None:
        """`value` as 0 to 1, a draw being half a win."""
        return None if self.value is None else (self.value + 1) / 2
