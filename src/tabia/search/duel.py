"""Matches between players of one program, many games side by side.

A pair of games begins with one opening, drawn move by move from the priors of one of the players
(equally among the legal moves if it has none), and is played with both distributions of colours. So
games differ although players do not draw their moves.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from tabia._native.go_board import PASS
from tabia.search.config import Budget, Rules, SearchSettings
from tabia.search.evaluator import Evaluator
from tabia.search.run import Leaves, seed_of
from tabia.search.selfplay_tables import DUELS
from tabia.search.trees import Trees

__all__ = [
    "SLOTS",
    "DuelGame",
    "NetPlayer",
    "Player",
    "RandomPlayer",
    "RolloutPlayer",
    "duel",
    "duel_table",
    "equal_priors",
    "pair_points",
    "search_of",
    "with_simulations",
]


SLOTS = 32
"""Games of a match that are played side by side. Answers of a net can depend on it in their last
digits."""


def search_of(own: Mapping[str, Any], simulations: int) -> SearchSettings:
    """Return how a learner searches in a match: its ``tree`` and ``move``, without noise."""
    return with_simulations(SearchSettings.model_validate(own), simulations)


def with_simulations(search: SearchSettings, simulations: int) -> SearchSettings:
    """Return a search of so many simulations, each move alike."""
    return search.model_copy(update={"budget": Budget(simulations=simulations), "noise": False})


@dataclass(frozen=True, slots=True, kw_only=True)
class DuelGame:
    """A game of a match.

    Attributes
    ----------
    pair
        Games of one pair share it, and their first moves.
    is_first
        Whether the match's first player moves first (Black in Go).
    points
        Of the match's first player: 1, 1/2 or 0.
    moves
        Codes, those of the opening among them.
    opening
        How many of them are the opening.
    margin
        Go: the second player's own count at the end, Black's points less White's, where it has one
        that may differ from the search's.
    """

    pair: int
    is_first: bool
    points: float
    moves: tuple[int, ...]
    opening: int
    margin: float | None = None


class Player(ABC):
    """Plays games in slots. Its trees hold the games; searches begin and end move by move.

    Attributes
    ----------
    trees
        One slot a game.
    """

    def __init__(self, rules: Rules, settings: SearchSettings, slots: int, history: int) -> None:
        self.trees = Trees(rules, settings, slots, history=history)

    def reset(self, slot: int, moves: Sequence[int]) -> None:
        """Begin a game after these moves."""
        self.trees.reset(slot, moves=moves)

    def play(self, slot: int, code: int) -> None:
        """Play a move of either side."""
        self.trees.play(slot, code)

    def margin(self, slot: int) -> float | None:
        """Return the player's own count of a game of Go that has ended; None: it has no other."""
        return None

    def begin(self, slot: int, seed: int) -> None:
        """Begin to think about a move."""
        self.trees.begin(slot, seed)

    def is_ready(self, slot: int) -> bool:
        """Whether it has thought enough."""
        return self.trees.searcher.left(slot) == 0

    def choose(self, slot: int, seed: int) -> int:
        """Return the move."""
        return self.trees.choose(slot, seed)

    @abstractmethod
    def step(self) -> None:
        """Think a little about all games in which it has begun to."""

    @abstractmethod
    def priors(self, slot: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the legal moves of a slot and their shares, before any search."""


class NetPlayer(Player):
    """Searches with a net.

    Parameters
    ----------
    rules, settings, slots, history
        Of its trees.
    evaluator
        The net.
    leaves
        Leaves of a game in a batch.
    """

    def __init__(
        self,
        rules: Rules,
        settings: SearchSettings,
        slots: int,
        history: int,
        evaluator: Evaluator,
        *,
        leaves: int = 1,
    ) -> None:
        super().__init__(rules, settings, slots, history)
        self._evaluator, self._leaves = evaluator, Leaves(self.trees, slots * leaves, leaves)

    def step(self) -> None:
        """Evaluate one batch."""
        self._leaves.step(self._evaluator)

    def priors(self, slot: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the net's."""
        self.trees.searcher.begin(slot, 1, 0)
        while not self.is_ready(slot):
            self.step()
        root = self.trees.root(slot)
        self.trees.searcher.forget(slot)
        order = np.argsort(root.moves)
        return root.moves[order], root.prior[order].astype(np.float64)


class RolloutPlayer(Player):
    """Searches with equal priors and random games to the end: no net.

    Parameters
    ----------
    rules, settings, slots
        Of its trees.
    rollouts
        Random games a leaf.
    """

    def __init__(
        self, rules: Rules, settings: SearchSettings, slots: int, *, rollouts: int = 1
    ) -> None:
        super().__init__(rules, settings, slots, 1)
        self._rollouts = rollouts

    def step(self) -> None:
        """Do all simulations."""
        self.trees.searcher.run_rollouts(self._rollouts)

    def priors(self, slot: int) -> tuple[np.ndarray, np.ndarray]:
        """Return equal shares."""
        return equal_priors(self.trees, slot)


class RandomPlayer(Player):
    """Plays any legal move."""

    def __init__(self, rules: Rules, slots: int) -> None:
        super().__init__(rules, SearchSettings(), slots, 1)

    def begin(self, slot: int, seed: int) -> None:
        """Do nothing."""

    def is_ready(self, slot: int) -> bool:
        """Return True."""
        return True

    def step(self) -> None:
        """Do nothing."""

    def choose(self, slot: int, seed: int) -> int:
        """Draw."""
        legal = self.trees.searcher.legal_moves(slot)
        return int(np.random.default_rng(seed).choice(legal))

    def priors(self, slot: int) -> tuple[np.ndarray, np.ndarray]:
        """Return equal shares."""
        return equal_priors(self.trees, slot)


def equal_priors(trees: Trees, slot: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the legal moves of a slot and equal shares."""
    legal = np.array(trees.searcher.legal_moves(slot), np.uint16)
    return legal, np.full(len(legal), 1 / max(len(legal), 1))


@dataclass
class _Game:
    pair: int
    is_first: bool
    moves: list[int] = field(default_factory=list)


def duel(
    first: Player,
    second: Player,
    pairs: int,
    *,
    seed: int,
    opening: int = 4,
    opener: Player | None = None,
    ended: Callable[[DuelGame], None] = lambda game: None,
) -> list[DuelGame]:
    """Play a match of so many pairs of games.

    Parameters
    ----------
    first, second
        The players, with as many slots each; games are played side by side in all of them.
    pairs
        Pairs of games.
    seed
        Of the openings and of what players draw.
    opening
        Plies of an opening; fewer where the game ends before.
    opener
        The player whose priors openings are drawn from; None is the second one.
    ended
        Is told of every game that has ended.

    Returns
    -------
    All games, by pair, the one in which the first player begins before the other.
    """
    if first.trees.slots != second.trees.slots:
        raise ValueError(f"{first.trees.slots} and {second.trees.slots} slots; must be as many")
    waiting = iter([(pair, is_first) for pair in range(pairs) for is_first in (True, False)])
    openings: dict[int, list[int]] = {}
    games: dict[int, _Game] = {}
    done: list[DuelGame] = []

    def place(slot: int) -> None:
        for pair, is_first in waiting:
            if pair not in openings:
                draws = seed_of(seed, pair, 0, 0)
                openings[pair] = _opening(opener or second, slot, opening, draws)
            moves = openings[pair]
            for player in (first, second):
                player.reset(slot, moves)
            games[slot] = _Game(pair, is_first, list(moves))
            if not end(slot):
                begin(slot)
                return

    def mover(slot: int) -> Player:
        game = games[slot]
        to_move = second.trees.root(slot).first_to_move
        return first if to_move == game.is_first else second

    def begin(slot: int) -> None:
        game = games[slot]
        mover(slot).begin(slot, seed_of(seed, game.pair, 1 + game.is_first, len(game.moves)))

    def end(slot: int) -> bool:
        outcome = second.trees.root(slot).outcome
        if outcome is None:
            return False
        game = games.pop(slot)
        points = (1 + (outcome if game.is_first else -outcome)) / 2
        found = DuelGame(
            pair=game.pair,
            is_first=game.is_first,
            points=points,
            moves=tuple(game.moves),
            opening=len(openings[game.pair]),
            margin=second.margin(slot),
        )
        done.append(found)
        ended(found)
        return True

    for slot in range(first.trees.slots):
        place(slot)
    while games:
        first.step()
        second.step()
        for slot in list(games):
            player, game = mover(slot), games[slot]
            if not player.is_ready(slot):
                continue
            seed_of_move = seed_of(seed, game.pair, 3 + game.is_first, len(game.moves))
            code = player.choose(slot, seed_of_move)
            for one in (first, second):
                one.play(slot, code)
            game.moves.append(code)
            if end(slot):
                place(slot)
            else:
                begin(slot)
    return sorted(done, key=lambda game: (game.pair, not game.is_first))


def pair_points(games: Sequence[DuelGame]) -> list[float]:
    """Points of the first player in every pair: 0 to 2."""
    found: dict[int, float] = {}
    for game in games:
        found[game.pair] = found.get(game.pair, 0.0) + game.points
    return [found[pair] for pair in sorted(found)]


def _opening(player: Player, slot: int, plies: int, seed: int) -> list[int]:
    rng = np.random.default_rng(seed)
    player.trees.reset(slot)
    moves: list[int] = []
    while len(moves) < plies and player.trees.root(slot).outcome is None:
        legal, shares = player.priors(slot)
        if len(legal) > 1 and player.trees.rules.game == "go":
            # Two passes would end the game before anybody has played.
            shares = np.where(legal == PASS, 0, shares)
        code = int(rng.choice(legal, p=shares / shares.sum()))
        player.trees.play(slot, code)
        moves.append(code)
    return moves


def duel_table(first: str, second: str, games: list[DuelGame]) -> pa.Table:
    """Return the games of a match as a table, `DUELS`."""
    return pa.Table.from_pylist(
        [
            {
                "first": first,
                "second": second,
                "pair": game.pair,
                "is_first": game.is_first,
                "points": game.points,
                "opening": game.opening,
                "n_plies": len(game.moves),
                "moves": list(game.moves),
                "margin": game.margin,
            }
            for game in games
        ],
        DUELS,
    )
