from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

class Searcher:
    """Games searched at once, a slot each; every slot begins at the game's own start.

    `tabia.search.config` explains the settings, docs/mcts.md the formulas and the planes. The GIL
    is released while trees grow. Values are -1 to 1 in the view of the side to move.

    Parameters
    ----------
    game
        chess, xiangqi, go.
    slots
        How many games.
    history
        Positions that planes show, 1 to 16.
    quiet_plies, repetitions, max_plies
        Limits of a game, 0 for none. Repetitions in xiangqi are judged by the simple rules.
    rollout_plies
        Moves of a random rollout, 0 for no end.
    rollout_fills_eyes, spares_eyes, size, komi, ko, suicide, scoring
        Go only.

    Raises
    ------
    ValueError
        If a setting is out of range.
    """

    game: str
    slots: int
    history: int

    def __init__(
        self,
        game: str,
        slots: int,
        *,
        history: int = 1,
        quiet_plies: int = 0,
        repetitions: int = 0,
        max_plies: int = 0,
        rollout_plies: int = 0,
        rollout_fills_eyes: bool = False,
        spares_eyes: bool = False,
        size: int = 19,
        komi: float = 7.5,
        ko: str = "positional",
        suicide: bool = False,
        scoring: str = "area",
        backup: str = "mean",
        rule: str = "puct",
        fpu: str = "reduction",
        solve: bool = True,
        fpu_value: float = 0.3,
        noisy_fpu_value: float | None = None,
        c_init: float = 1.25,
        c_base: float = 19652.0,
        virtual_loss: int = 1,
        noise_alpha: float = 0.3,
        noise_fraction: float = 0.25,
        forced: float = 0.0,
        c: float = 1.0,
        visit_floor: float = 1.0,
        temperatures: Sequence[float] = (1.0,),
        considered: int = 16,
        c_visit: float = 50.0,
        c_scale: float = 1.0,
    ) -> None: ...
    @property
    def shape(self) -> tuple[int, int, int]:
        """Planes, rows and columns of a position."""
    @property
    def labels(self) -> int:
        """Size of the policy's vocabulary."""
    def reset(self, slot: int, start: str | None = None, moves: ArrayLike = ()) -> None:
        """Begin a game, with codes of moves played since its start.

        Raises
        ------
        ValueError
            If the start is no position, or a move is not legal; the slot is as before.
        RuntimeError
            If leaves wait for `expand`; so do all calls that change a slot.
        """
    def play(self, slot: int, code: int) -> None:
        """Play a move and keep the tree below it; ValueError if it is not legal."""
    def forget(self, slot: int) -> None:
        """Drop the tree and keep the game."""
    def begin(self, slot: int, simulations: int, seed: int, *, noise: bool = False) -> None:
        """Begin a search of so many simulations beside those that the tree has."""
    def left(self, slot: int) -> int:
        """Simulations still to come; 0 too once the root is proven."""
    def done(self, slot: int) -> int:
        """Simulations of this search that were done."""
    def select(
        self, planes: NDArray[np.float32], slot_of: NDArray[np.int32], *, leaves: int = 1
    ) -> int:
        """Take leaves of all slots and write their planes; return how many, 0 when all is done.

        Parameters
        ----------
        planes
            OUT `[b, planes, rows, columns]`, of which the first rows are written.
        slot_of
            OUT `[b]` the slot of each.
        leaves
            At most so many a slot.
        """
    def expand(self, logits: NDArray[np.float32], values: NDArray[np.float32]) -> None:
        """Take the evaluations of the last leaves: `[n, labels]` and `[n]`; ValueError."""
    def drop(self) -> None:
        """Give up leaves that wait for `expand`, and their trees and searches; games stay."""
    def run_constant(self) -> None:
        """Do all simulations with equal priors and value 0."""
    def run_rollouts(self, rollouts: int = 1, *, leaves: int = 1, threads: int = 1) -> None:
        """Do all simulations with equal priors and the mean result of random games; ValueError.

        Parameters
        ----------
        rollouts
            Random games of each leaf.
        leaves
            Leaves of a game that are rolled out side by side, 1 to 4096. Above 1 they are spread by
            virtual loss, and the tree differs from the one that grows leaf by leaf.
        threads
            Threads for the leaves, no more than there are leaves; results do not depend on it.
        """
    def root(
        self, slot: int
    ) -> tuple[
        float | None,
        float | None,
        int,
        int,
        Literal["win", "draw", "loss"] | None,
        int,
        Literal[1, 0, -1] | None,
    ]:
        """Value, evaluation, visits, side (0 first player), proven result, plies, outcome."""
    def edges(
        self, slot: int
    ) -> tuple[
        NDArray[np.uint16],
        NDArray[np.uint32],
        NDArray[np.float64],
        NDArray[np.float32],
        NDArray[np.float32],
        NDArray[np.float64],
        NDArray[np.uint8],
        NDArray[np.uint16],
    ]:
        """Codes, visits, Q, priors, noisy priors, improved policy, proven results, plies."""
    def variation(self, slot: int, code: int, longest: int = 32) -> list[int]:
        """Codes of the likeliest play after a visited move, that move first."""
    def choose(
        self, slot: int, *, rule: str = "visits", temperature: float = 0.0, seed: int = 0
    ) -> int:
        """Code of the move to play: rule visits, go_player, gumbel or value; ValueError."""
    def encode(self, slot: int) -> NDArray[np.float32]:
        """Planes `[planes, rows, columns]` of the slot's position."""
    def legal_moves(self, slot: int) -> list[int]:
        """Codes ascending; empty once the game is over."""
    def legal_labels(self, slot: int) -> list[int]:
        """Labels of the legal moves in the policy, in the order of :meth:`legal_moves`."""
    def tree_bytes(self, slot: int) -> int:
        """Memory of the slot's tree."""
