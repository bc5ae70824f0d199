"""Games of a player against itself, many side by side.

What a game is depends on the seed, on its number and on the evaluator's answers. The answers of a
net depend in their last digits on what else is in a batch, so a chunk of games is always played
together, from its beginning; see :mod:`tabia.search.selfplay`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tabia._native.go_board import Board
from tabia._native.mcts_formulas import exp, log, puct
from tabia.games.contract import Outcome
from tabia.games.go_rules import rule_set
from tabia.games.go_scoring import score
from tabia.search.config import GoRules, Rules, TreeSettings
from tabia.search.evaluator import Evaluator
from tabia.search.learning_config import SelfPlay
from tabia.search.run import Leaves, seed_of
from tabia.search.selfplay_tables import SELFPLAY_GAMES, SELFPLAY_POSITIONS
from tabia.search.trees import SOLVED, Root, Trees

__all__ = ["final_count", "play_chunk", "pruned", "recommended"]


def play_chunk(
    rules: Rules,
    settings: SelfPlay,
    history: int,
    evaluator: Evaluator,
    numbers: Sequence[int],
    seed: int,
    ended: Callable[[int], None] = lambda plies: None,
) -> tuple[pa.Table, pa.Table]:
    """Play some games to their ends.

    Parameters
    ----------
    rules
        The game.
    settings
        How they are played. `games`, `shards` and `chunk` are of no account here.
    history
        Positions that the net sees.
    evaluator
        The net.
    numbers
        Numbers of the games in their generation.
    seed
        All that is random comes from it and from a game's number.
    ended
        Is told the plies of every game that has ended.

    Returns
    -------
    Games and positions, `SELFPLAY_GAMES` and `SELFPLAY_POSITIONS`, in the order of `numbers`.
    """
    slots = min(settings.at_once, len(numbers))
    trees = Trees(rules, settings.search, slots, history=history)
    searcher = trees.searcher
    leaves = Leaves(trees, slots * settings.leaves, settings.leaves)
    waiting = iter(numbers)
    games: dict[int, _Game] = {}
    done: dict[int, _Game] = {}

    def begin(slot: int) -> None:
        number = next(waiting, None)
        if number is None:
            return
        trees.reset(slot)
        games[slot] = _Game(number, seed_of(seed, number, 0) / 2**64 < _played_on(settings))
        games[slot].search(trees, slot, seed)

    for slot in range(slots):
        begin(slot)
    while games:
        leaves.step(evaluator)
        for slot in [slot for slot in games if searcher.left(slot) == 0]:
            game = games[slot]
            if game.move(trees, slot, settings, seed):
                game.search(trees, slot, seed)
                continue
            ended(len(game.moves))
            done[game.number] = games.pop(slot)
            begin(slot)
    return _tables(rules, [done[number] for number in numbers])


def _played_on(settings: SelfPlay) -> float:
    return 1.0 if settings.resign is None else settings.resign.played_on


@dataclass
class _Game:
    """A game on its way."""

    number: int
    plays_on: bool
    moves: list[int] = field(default_factory=list)
    positions: list[dict[str, Any]] = field(default_factory=list)
    result: Outcome | None = None
    termination: str = "rules"
    gave_up: Outcome | None = None
    gave_up_at: int | None = None
    is_full: bool = True
    rest: int | None = None  # simulations a move, once the game was resigned and is played out
    low: list[int] = field(default_factory=lambda: [0, 0])  # searches in a row, by side

    def search(self, trees: Trees, slot: int, seed: int) -> None:
        """Begin the search of the next move."""
        own = seed_of(seed, self.number, len(self.moves) + 1)
        if self.rest is None:
            self.is_full = trees.begin(slot, own)
        else:
            trees.searcher.begin(slot, self.rest, own, noise=False)

    def move(self, trees: Trees, slot: int, settings: SelfPlay, seed: int) -> bool:
        """Play what was found, or resign; return whether the game goes on."""
        root = trees.root(slot)
        ply = len(self.moves)
        if self.rest is None:
            self.positions.append(_position(self, root, trees, slot))
            if self._gives_up(root, settings) and not self.plays_on and settings.resign:
                self.rest = settings.resign.play_out
                if self.rest is None:
                    self.result = -1 if root.first_to_move else 1
                    self.termination = "resignation"
                    return False
        own = seed_of(seed, self.number, ply + 1)
        code = _drawn(root, trees, ply, own) if _is_forced(self, trees) else None
        if code is None:
            code = trees.choose(slot, own)
        trees.play(slot, code)
        self.moves.append(code)
        self.result = trees.root(slot).outcome
        return self.result is None

    def _gives_up(self, root: Root, settings: SelfPlay) -> bool:
        if settings.resign is None or root.value is None:
            return False
        side = 0 if root.first_to_move else 1
        self.low[side] = self.low[side] + 1 if root.value < settings.resign.value else 0
        if self.low[side] < settings.resign.searches:
            return False
        if self.gave_up is None:
            self.gave_up = 1 if root.first_to_move else -1
            self.gave_up_at = len(self.moves)
        return True


def _position(game: _Game, root: Root, trees: Trees, slot: int) -> dict[str, Any]:
    if root.value is None or root.evaluation is None:
        raise RuntimeError(f"game {game.number}: the position at ply {len(game.moves)} has no tree")
    order = np.argsort(root.moves, kind="stable")
    return {
        "number": game.number,
        "ply": len(game.moves),
        "is_full": game.is_full,
        "value": root.value,
        "evaluation": root.evaluation,
        "simulations": trees.searcher.done(slot),
        "moves": root.moves[order],
        "visits": root.visits[order],
        "priors": root.prior[order],
        "policy": _recommended(game, root, trees)[order],
    }


def _is_forced(game: _Game, trees: Trees) -> bool:
    tree, is_full = trees.settings.tree, game.is_full and game.rest is None
    return is_full and trees.settings.noise and tree.rule == "puct" and tree.forced > 0


def _recommended(game: _Game, root: Root, trees: Trees) -> NDArray[np.float32]:
    tree = trees.settings.tree
    if _is_forced(game, trees):
        return recommended(replace(root, visits=pruned(root, tree)), improved=False)
    return recommended(root, improved=tree.rule == "gumbel")


def _drawn(root: Root, trees: Trees, ply: int, seed: int) -> int | None:
    """Return a move drawn by its visits without forced ones; None where none is to be drawn."""
    choice = trees.settings.move
    temperature = choice.temperature(ply)
    if choice.rule != "visits" or temperature == 0:
        return None  # the most visited move loses no visits
    unpruned = recommended(root, improved=False) > 0  # no proven loss; a proven win alone
    visits = np.where(unpruned, pruned(root, trees.settings.tree), 0).astype(np.float64)
    if not visits.any():
        return None
    # By the search's own logarithm and exponential, the same on every machine.
    shares = np.array([exp(log(one / visits.max()) / temperature) if one else 0 for one in visits])
    rng = np.random.default_rng(np.random.SeedSequence((seed, 2)))
    return int(rng.choice(root.moves, p=shares / shares.sum()))


def pruned(root: Root, tree: TreeSettings) -> NDArray[np.uint32]:
    """Visits without those that noise alone brought (policy target pruning, Wu 2019).

    Every move but the most visited one loses visits that were forced on it, as long as its score
    stays below that of the most visited one; what is left of one visit is none.

    Parameters
    ----------
    root
        Searched with noise and `tree.forced`.
    tree
        How it was searched.

    Returns
    -------
    `[m]` in the order of `root.moves`.
    """
    visits = root.visits.astype(np.float64)
    if not visits.size:
        return root.visits
    total = visits.sum()
    exploring = root.noisy_prior * (
        puct(0, 1, 0, total + 1, c_init=tree.c_init, c_base=tree.c_base)
    )
    best = int(np.argmax(visits))
    top = root.q[best] + exploring[best] / (1 + visits[best])
    below = top - root.q
    with np.errstate(divide="ignore"):
        # The fewest visits at which Q + U stays below the best one's.
        least = np.where(below > 0, np.floor(exploring / np.abs(below)), np.inf)
    forced = np.floor(np.sqrt(tree.forced * root.noisy_prior * total))
    kept = np.maximum(visits - forced, np.minimum(least, visits))
    kept[kept <= 1] = 0
    kept[best] = visits[best]
    found: NDArray[np.uint32] = kept.astype(np.uint32)
    return found


def recommended(root: Root, *, improved: bool) -> NDArray[np.float32]:
    """Shares of a root's moves that the search recommends, in the order of `root.moves`.

    Visits, or the improved policy; but no move that is proven to lose where there is another, and
    where a win is proven nothing else. Such a move may have no visit: then priors decide.

    Parameters
    ----------
    root
        Searched.
    improved
        Whether the policy of Danihelka et al. (2022) is taken in place of visits.
    """
    solved = np.array(SOLVED, object)[root.solved_codes]
    lost, won = solved == "loss", solved == "win"
    allowed = won if won.any() else ~lost if not lost.all() else np.ones(len(lost), np.bool_)
    for shares in (root.improved if improved else root.visits, root.prior, allowed):
        found = np.where(allowed, shares, 0).astype(np.float64)
        if found.sum() > 0:
            break
    return np.asarray(found / found.sum(), np.float32)


def final_count(rules: GoRules, moves: Sequence[int]) -> tuple[float, bytes]:
    """Black's points less White's at the end of a game of Go, and whose each point is.

    The stones count as they stand, as in the search's trees.

    Parameters
    ----------
    rules
        Board, rules and komi.
    moves
        The game, from the empty board.

    Returns
    -------
    Margin with komi, and a byte a point, row by row: 0 nobody's, 1 Black's, 2 White's.
    """
    own = rule_set(rules.rules)
    komi = own.komi if rules.komi is None else rules.komi
    board = Board(
        size=rules.size,
        ko=own.ko,
        allows_suicide=own.allows_suicide,
        territory=own.scoring == "territory",
        komi=komi,
    )
    for code in moves:
        board.push(code)
    found = score(board, own, dead=())
    return found.margin, found.counted.owner.tobytes()


def _tables(rules: Rules, games: Sequence[_Game]) -> tuple[pa.Table, pa.Table]:
    rows = list(_game_rows(rules, games))
    positions = [position for game in games for position in game.positions]
    return (
        pa.Table.from_pylist(rows, SELFPLAY_GAMES),
        pa.Table.from_pylist(positions, SELFPLAY_POSITIONS),
    )


def _game_rows(rules: Rules, games: Sequence[_Game]) -> Iterator[dict[str, Any]]:
    for game in games:
        margin, owner = None, None
        if isinstance(rules, GoRules) and game.termination == "rules":
            margin, owner = final_count(rules, game.moves)
        yield {
            "number": game.number,
            "moves": game.moves,
            "n_plies": len(game.moves),
            "result": game.result,
            "termination": game.termination,
            "margin": margin,
            "owner": owner,
            "played_on": game.plays_on,
            "gave_up": game.gave_up,
            "gave_up_at": game.gave_up_at,
        }
