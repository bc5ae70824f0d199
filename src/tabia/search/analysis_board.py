"""Score and ownership of Go positions for an analysis.

The score lead of a move is the evaluator's answer to the position after it, from the view of the
side that played it: one evaluation a move that is listed, kept until the position changes. It does
not look further than that. Where the game is over, stones are counted as they stand.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tabia._native.go_board import Board
from tabia._native.mcts import Searcher
from tabia.games.go_rules import rule_set
from tabia.search.config import GoRules
from tabia.search.evaluator import BoardEvaluator

__all__ = ["BoardHeads"]


class BoardHeads:
    """Asks an evaluator about a position and those after its moves.

    Parameters
    ----------
    rules
        Of the game.
    searcher
        Encodes positions.
    slot
        One of its slots that is free for it.
    evaluator
        Knows score or ownership; None if nothing does, which leaves the count of finished games.
    """

    def __init__(
        self, rules: GoRules, searcher: Searcher, slot: int, evaluator: BoardEvaluator | None
    ) -> None:
        self._rules, self._searcher, self._slot = rules, searcher, slot
        self._evaluator = evaluator
        self._about: tuple[str | None, tuple[int, ...]] | None = None
        self._position: tuple[float | None, NDArray[np.float32] | None] | None = None
        self._leads: dict[int, float | None] = {}

    def of_position(
        self, start: str | None, moves: Sequence[int], *, first: bool
    ) -> tuple[float | None, NDArray[np.float32] | None]:
        """Return points that the side to move is ahead, and ownership `[rows, columns]`, Black's.

        Parameters
        ----------
        start, moves
            The position.
        first
            Whether Black is to move.
        """
        self._turn_to(start, moves)
        if self._position is None:
            self._position = self._of_position(start, moves, first=first)
        return self._position

    def of_moves(
        self, start: str | None, moves: Sequence[int], codes: Sequence[int]
    ) -> dict[int, float]:
        """Return by move the points that the side playing it is ahead; unknown ones are absent."""
        self._turn_to(start, moves)
        asked, planes = [], []
        for code in codes:
            if code in self._leads:
                continue
            encoded = self._encoded(start, (*moves, code))
            if encoded is None:
                board = self._board(start, (*moves, code))
                self._leads[code] = -_for_mover(board)
            else:
                asked.append(code)
                planes.append(encoded)
        if asked:
            score = None
            if self._evaluator is not None:
                score = self._evaluator.evaluate_board(np.stack(planes)).score
            for place, code in enumerate(asked):
                self._leads[code] = None if score is None else -float(score[place])
        found = {code: self._leads[code] for code in codes}
        return {code: lead for code, lead in found.items() if lead is not None}

    def _turn_to(self, start: str | None, moves: Sequence[int]) -> None:
        about = start, tuple(moves)
        if about != self._about:
            self._about, self._position, self._leads = about, None, {}

    def _of_position(
        self, start: str | None, moves: Sequence[int], *, first: bool
    ) -> tuple[float | None, NDArray[np.float32] | None]:
        encoded = self._encoded(start, moves)
        if encoded is None:
            return _for_mover(self._board(start, moves)), None
        if self._evaluator is None:
            return None, None
        said = self._evaluator.evaluate_board(encoded[None])
        score = None if said.score is None else float(said.score[0])
        if said.ownership is None:
            return score, None
        mine = np.array(said.ownership[0], np.float32)
        return score, mine if first else -mine

    def _encoded(self, start: str | None, moves: Sequence[int]) -> NDArray[np.float32] | None:
        """Return the planes of a position; None once the game is over."""
        self._searcher.reset(self._slot, start, list(moves))
        if self._searcher.root(self._slot)[6] is not None:
            return None
        return self._searcher.encode(self._slot)

    def _board(self, start: str | None, moves: Sequence[int]) -> Board:
        own = rule_set(self._rules.rules)
        board = Board(
            start,
            size=self._rules.size,
            ko=own.ko,
            allows_suicide=own.allows_suicide,
            territory=own.scoring == "territory",
            komi=own.komi if self._rules.komi is None else self._rules.komi,
        )
        for code in moves:
            board.push(code)
        return board


def _for_mover(board: Board) -> float:
    return -board.score() if board.white_to_move else board.score()
