"""Games that are searched side by side, each with its tree.

:class:`Trees` puts settings and names on the native searcher (:mod:`tabia._native.mcts`) and gives
what a root has found as a :class:`Root`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tabia._native.mcts import Searcher
from tabia.games.contract import Outcome
from tabia.games.go_rules import rule_set
from tabia.games.xiangqi_referee import REPETITIONS
from tabia.search.config import (
    ChessRules,
    GoRules,
    Rules,
    SearchSettings,
    TreeSettings,
    XiangqiRules,
)

__all__ = ["SOLVED", "Root", "Solved", "Trees"]

Solved = Literal["win", "draw", "loss"]
SOLVED: tuple[Solved | None, ...] = (None, "win", "draw", "loss")
"""Proven results for the side to move, in the order of the codes in :attr:`Root.solved_codes`."""


@dataclass(frozen=True)
class Root:
    """What a search found. Values are -1 to 1 in the view of the side to move.

    Arrays have one entry a legal move, the most visited first; of equals the one with the higher
    prior. They are empty where nothing was searched or the game is over.

    Attributes
    ----------
    first_to_move
        Whether White, Red or (in Go) Black is to move.
    value
        Of the position, from all simulations; None if nothing was searched.
    evaluation
        What the evaluator said of the position itself.
    visits
        `[m]` uint32 simulations through each move, those of earlier searches kept by the tree too.
    moves
        `[m]` uint16 codes.
    q
        `[m]` float64 values; of unvisited moves what the search takes for them.
    prior, noisy_prior
        `[m]` float32 priors as evaluated, and as searched.
    improved
        `[m]` float64 improved policy (Danihelka et al. 2022), summing to 1.
    solved
        Proven result of the position, None if there is none.
    solved_plies
        To the end of the game as it was proven: no less than the shortest way.
    solved_codes, solved_lengths
        `[m]` uint8 proven results for the side that plays the move, see `SOLVED`; `[m]` uint16
        plies to the end, the move among them.
    outcome
        First player's view: 1, 0, -1 once the game is over; None before.
    """

    first_to_move: bool
    value: float | None
    evaluation: float | None
    moves: NDArray[np.uint16]
    visits: NDArray[np.uint32]
    q: NDArray[np.float64]
    prior: NDArray[np.float32]
    noisy_prior: NDArray[np.float32]
    improved: NDArray[np.float64]
    solved: Solved | None
    solved_plies: int
    solved_codes: NDArray[np.uint8]
    solved_lengths: NDArray[np.uint16]
    outcome: Outcome | None

    @property
    def win_rates(self) -> NDArray[np.float64]:
        """`[m]` float64: the values as win rates of the side to move, 0 to 1."""
        rates: NDArray[np.float64] = (self.q + 1) / 2
        return rates

    def top(self, n: int) -> NDArray[np.intp]:
        """Places of the `n` best moves: proven wins first, proven losses last, then by visits."""
        order = np.array([1, 0, 1, 2])[self.solved_codes]  # not proven, win, draw, loss
        return np.lexsort((np.arange(len(order)), -self.visits.astype(np.int64), order))[:n]


class Trees:
    """Games of one kind under one search.

    Parameters
    ----------
    rules
        The game and when it ends.
    settings
        How it is searched.
    slots
        How many games there are; each begins at the game's own start.
    history
        Positions that the planes show, the present one among them; 1 to 16.

    Attributes
    ----------
    searcher
        The native searcher.
    """

    def __init__(
        self, rules: Rules, settings: SearchSettings, slots: int = 1, *, history: int = 1
    ) -> None:
        self.rules, self.settings = rules, settings
        self.searcher = _searcher(rules, settings.tree, slots, history)
        self._plies = [0] * slots

    @property
    def slots(self) -> int:
        """How many games there are."""
        return self.searcher.slots

    def reset(self, slot: int, start: str | None = None, moves: Iterable[int] = ()) -> None:
        """Begin a game: FEN, or Go's text of a board, and the moves played since.

        Raises
        ------
        ValueError
            If the start is no position, or a move is not legal.
        """
        codes = list(moves)
        self.searcher.reset(slot, start, codes)
        self._plies[slot] = len(codes)

    def play(self, slot: int, code: int) -> None:
        """Play a move and keep what the tree knows of it; ValueError if it is not legal."""
        self.searcher.play(slot, code)
        self._plies[slot] += 1

    def ply(self, slot: int) -> int:
        """Moves played since the start."""
        return self._plies[slot]

    def begin(self, slot: int, seed: int) -> bool:
        """Begin a search by the budget; what is random in it comes from `seed` (64 bits).

        Returns
        -------
        Whether it is a full search: a fast one has fewer simulations and no noise.
        """
        budget = self.settings.budget
        # One number of the seed for the kind of search, another for the search itself.
        first, second = np.random.SeedSequence(seed).generate_state(2, np.uint64)
        is_full = int(first) / 2**64 < budget.full_share
        self.searcher.begin(
            slot,
            budget.simulations if is_full else budget.fast_simulations,
            int(second),
            noise=self.settings.noise and is_full,
        )
        return is_full

    def choose(self, slot: int, seed: int) -> int:
        """Code of the move to play; ValueError if nothing was searched or the game is over."""
        choice = self.settings.move
        temperature = choice.temperature(self._plies[slot])
        return self.searcher.choose(
            slot,
            rule="visits" if temperature > 0 else choice.rule,
            temperature=temperature,
            seed=int(np.random.SeedSequence((seed, 1)).generate_state(1, np.uint64)[0]),
        )

    def root(self, slot: int) -> Root:
        """What the slot's search has found so far."""
        value, evaluation, _, side, solved, solved_plies, outcome = self.searcher.root(slot)
        moves, visits, q, prior, noisy, improved, codes, lengths = self.searcher.edges(slot)
        return Root(
            first_to_move=side == 0,
            value=value,
            evaluation=evaluation,
            moves=moves,
            visits=visits,
            q=q,
            prior=prior,
            noisy_prior=noisy,
            improved=improved,
            solved=solved,
            solved_plies=solved_plies,
            solved_codes=codes,
            solved_lengths=lengths,
            outcome=outcome,
        )

    def variation(self, slot: int, code: int, longest: int = 32) -> list[int]:
        """Codes of the likeliest play after a visited move of the root, that move first."""
        return self.searcher.variation(slot, code, longest)


def _searcher(rules: Rules, tree: TreeSettings, slots: int, history: int) -> Searcher:
    go = rules if isinstance(rules, GoRules) else GoRules()
    go_set = rule_set(go.rules)
    quiet_plies = repetitions = 0
    if isinstance(rules, ChessRules):
        quiet_plies, repetitions = rules.quiet_plies or 0, rules.repetitions or 0
    elif isinstance(rules, XiangqiRules):
        quiet_plies = rules.quiet_plies or 0
        repetitions = REPETITIONS if rules.rules == "simple" else 0
    return Searcher(
        rules.game,
        slots,
        history=history,
        quiet_plies=quiet_plies,
        repetitions=repetitions,
        max_plies=rules.max_plies or 0,
        rollout_fills_eyes=go.rollout_fills_eyes,
        spares_eyes=go.spares_eyes,
        size=go.size,
        komi=go_set.komi if go.komi is None else go.komi,
        ko=go_set.ko,
        suicide=go_set.allows_suicide,
        scoring=go_set.scoring,
        backup=tree.backup,
        rule=tree.rule,
        fpu=tree.fpu,
        solve=tree.solve,
        fpu_value=tree.fpu_value,
        noisy_fpu_value=tree.noisy_fpu_value,
        c_init=tree.c_init,
        c_base=tree.c_base,
        virtual_loss=tree.virtual_loss,
        noise_alpha=tree.noise_alpha,
        noise_fraction=tree.noise_fraction,
        forced=tree.forced,
        c=tree.c,
        visit_floor=tree.visit_floor,
        temperatures=tree.temperature_by_depth,
        considered=tree.considered,
        c_visit=tree.c_visit,
        c_scale=tree.c_scale,
    )
