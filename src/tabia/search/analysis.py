"""Analysis of one position: what a search thinks of it, told while it thinks.

:class:`Analyser` keeps one game and its tree. It can be stopped and go on, and move to the next
position with what it knows. Numbers are in the view of the side to move unless their name says
whose they are. A search on several threads finds what it finds on one: leaves of one game go to the
evaluator in batches of a fixed size, and the evaluator's threads share a batch.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from threading import Event

from tabia.search.analysis_board import BoardHeads
from tabia.search.analysis_report import MoveReport, PositionReport
from tabia.search.config import Rules, SearchSettings
from tabia.search.evaluator import BoardEvaluator, Evaluator
from tabia.search.thinking import ByEvaluator, ByRollouts, Rollouts, Thinking
from tabia.search.trees import SOLVED, Root, Trees

__all__ = ["LEAVES", "Analyser"]

LEAVES = 8
"""Leaves of the game in a batch where nothing else is said."""

_MOST = 2_000_000_000  # simulations that a search of the native core takes

_GAME, _PROBE = 0, 1  # slots


class Analyser:
    """A game, its tree and what evaluates it.

    Parameters
    ----------
    rules
        The game and when it ends.
    evaluator
        Gives priors and values; or the number of random games that stand in for one. A
        :class:`BoardEvaluator` is also asked for score and ownership at Go.
    settings
        How the tree grows. The budget counts in :meth:`decide` only.
    history
        Positions that the evaluator sees, 1 to 16.
    leaves
        Leaves of the game in a batch. What is found depends on it, not on threads.
    seed
        For what is random in the search: rollouts, Gumbel numbers, noise.
    clock
        Seconds; replaced in tests.

    Raises
    ------
    ValueError
        If a number is out of its range.
    """

    def __init__(
        self,
        rules: Rules,
        evaluator: Evaluator | Rollouts,
        settings: SearchSettings | None = None,
        *,
        history: int = 1,
        leaves: int = LEAVES,
        seed: int = 0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if leaves < 1:
            raise ValueError(f"{leaves} leaves in a batch; there must be 1 or more")
        self._settings = SearchSettings() if settings is None else settings
        self._trees = Trees(rules, self._settings, 2, history=history)
        self._thinking: Thinking
        if isinstance(evaluator, Rollouts):
            self._thinking = ByRollouts(self._trees, _GAME, evaluator, leaves)
        else:
            self._thinking = ByEvaluator(self._trees, _GAME, evaluator, leaves)
        self._heads: BoardHeads | None = None
        if rules.game == "go":
            board = evaluator if isinstance(evaluator, BoardEvaluator) else None
            self._heads = BoardHeads(rules, self._trees.searcher, _PROBE, board)
        self._rules, self._seed, self._clock = rules, seed, clock
        self._start: str | None = None
        self._moves: list[int] = []
        self._stopped = Event()

    @property
    def rules(self) -> Rules:
        """The game and when it ends."""
        return self._rules

    @property
    def needs_visits(self) -> bool:
        """Whether a limit of seconds alone is refused: `gumbel` shares out a number of visits."""
        return self._settings.tree.rule == "gumbel"

    @property
    def moves(self) -> tuple[int, ...]:
        """Codes of the moves played since the start."""
        return tuple(self._moves)

    @property
    def visits(self) -> int:
        """Visits of the position, its own evaluation among them, those of earlier searches too."""
        return self._trees.searcher.root(_GAME)[2]

    @property
    def is_over(self) -> bool:
        """Whether the game is over by the rules of the tree."""
        return self._trees.searcher.root(_GAME)[6] is not None

    def set_position(self, start: str | None = None, moves: Sequence[int] = ()) -> bool:
        """Go to a position: FEN, or Go's text of a board, and the moves since.

        Returns
        -------
        Whether the tree of the position before was kept: the new one is on from it.

        Raises
        ------
        ValueError
            If the start is no position or a move is not legal; then all is as before.
        """
        known = len(self._moves)
        if start == self._start and list(moves[:known]) == self._moves:
            played = 0
            try:
                for code in moves[known:]:
                    self.play(code)
                    played += 1
            except ValueError:
                if played:  # back to where it was; the tree is lost
                    self._reset(start, self._moves[:known])
                raise
            return True
        self._reset(start, list(moves))
        return False

    def _reset(self, start: str | None, moves: list[int]) -> None:
        self._trees.reset(_GAME, start, moves)
        self._start, self._moves = start, moves

    def play(self, code: int) -> None:
        """Play a move and keep what the tree knows of it; ValueError if it is not legal."""
        self._trees.play(_GAME, code)
        self._moves.append(code)

    def forget(self) -> None:
        """Drop the tree and keep the game."""
        self._trees.searcher.forget(_GAME)

    def stop(self) -> None:
        """End the thinking that goes on, after the batch in hand. Any thread may call this."""
        self._stopped.set()

    def think(
        self,
        *,
        visits: int | None = None,
        seconds: float | None = None,
        every_visits: int | None = None,
        every_s: float | None = None,
        moves: int = 9,
    ) -> Iterator[PositionReport]:
        """Think on, and yield a report now and then; the last one is final.

        Ends where either limit is reached, by :meth:`stop`, when the position is proven or the game
        over. Called again it goes on from there. Thinking that was stopped and went on finds the
        same as thinking that was not; one that ended at a limit of visits may have cut its last
        batch short. Reports change nothing.

        Parameters
        ----------
        visits
            Of the position, those there already included: 2 or more. None for no limit.
        seconds
            By the clock; then the result does not repeat. None for no limit.
        every_visits, every_s
            A report after so many more visits, or seconds; without both only the final one.
        moves
            The best moves that a report has.

        Raises
        ------
        ValueError
            If a limit is out of its range; if both are missing; or if the search has sequential
            halving (`gumbel`), which needs a number of visits, and none was given.
        """
        self._check(visits, seconds, every_visits, every_s, moves)
        self._stopped.clear()
        begun = self._clock()
        missing = (_MOST if visits is None else visits) - max(self.visits, 1)
        if missing > 0 and not self.is_over:
            self._thinking.begin(missing, self._seed)
            told_at, told_visits = begun, self.visits
            while not self._stopped.is_set() and self._thinking.step():
                now, reached = self._clock(), self.visits
                if seconds is not None and now - begun >= seconds:
                    break
                enough = every_visits is not None and reached - told_visits >= every_visits
                if enough or (every_s is not None and now - told_at >= every_s):
                    told_at, told_visits = now, reached
                    yield self.report(moves, seconds=now - begun, is_final=False)
        yield self.report(moves, seconds=self._clock() - begun)

    def _check(
        self,
        visits: int | None,
        seconds: float | None,
        every_visits: int | None,
        every_s: float | None,
        moves: int,
    ) -> None:
        if visits is None and seconds is None:
            raise ValueError("a limit of visits or of seconds is needed")
        if visits is not None and not 2 <= visits <= _MOST:
            raise ValueError(f"{visits} visits; must be from 2 to {_MOST:,}")
        if seconds is not None and not 0 < seconds < float("inf"):
            raise ValueError(f"{seconds:g} seconds; must be above 0")
        if visits is None and self.needs_visits:
            raise ValueError("sequential halving shares out visits: a limit of visits is needed")
        if every_visits is not None and every_visits < 1:
            raise ValueError(f"a report every {every_visits} visits; must be 1 or more")
        if every_s is not None and not every_s > 0:
            raise ValueError(f"a report every {every_s:g} seconds; must be above 0")
        if moves < 1:
            raise ValueError(f"{moves} moves in a report; must be 1 or more")

    def decide(self, seed: int) -> int:
        """Think as long as the budget says, and return the move to play.

        ValueError if the game is over.
        """
        simulations = self._settings.budget.simulations
        self._thinking.begin(simulations, seed)
        while self._thinking.step():
            pass
        return self._trees.choose(_GAME, seed)

    def report(
        self, moves: int = 9, *, board: bool = True, seconds: float = 0.0, is_final: bool = True
    ) -> PositionReport:
        """Tell what is known of the position now.

        Parameters
        ----------
        moves
            The best moves: proven wins first, proven losses last, between them by visits.
        board
            Whether the evaluator is asked for score and ownership, of the first positions of each
            listed variation; see :mod:`tabia.search.analysis_board`.
        seconds, is_final
            What the report shall say of the thinking.
        """
        root, n = self._trees.root(_GAME), self.visits
        best = [self._move(root, int(place)) for place in root.top(moves)]
        score, ownership = None, None
        if self._heads is not None and board:
            first = root.first_to_move
            self._heads.set_position(self._start, self._moves)
            expected = best[0].variation if best and best[0].visits else ()
            score, ownership = self._heads.of_position(expected, first=first)
            lines = [move.variation for move in best if move.visits]
            leads = iter(self._heads.of_moves(lines, first=first))
            best = [replace(move, score_lead=next(leads)) if move.visits else move for move in best]
        solved = SOLVED.index(root.solved) if root.solved is not None else 0
        return PositionReport(
            first_to_move=root.first_to_move,
            ply=len(self._moves),
            visits=n,
            value=root.value,
            evaluation=root.evaluation,
            score_lead=score,
            ownership_black=ownership,
            solved=SOLVED[solved],
            solved_plies=root.solved_plies if solved else None,
            outcome=root.outcome,
            moves=tuple(best),
            seconds=seconds,
            is_final=is_final,
        )

    def _move(self, root: Root, place: int) -> MoveReport:
        code, visits = int(root.moves[place]), int(root.visits[place])
        solved = SOLVED[int(root.solved_codes[place])]
        knows = visits > 0 or solved is not None
        return MoveReport(
            code=code,
            visits=visits,
            q=float(root.q[place]) if knows else None,
            prior=float(root.prior[place]),
            score_lead=None,
            solved=solved,
            solved_plies=int(root.solved_lengths[place]) if solved is not None else None,
            variation=tuple(self._trees.variation(_GAME, code)) if visits else (code,),
        )
