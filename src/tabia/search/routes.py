"""Whether a net plays as well on a faster route: games of one net with itself over two routes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass

from tabia.match.elo import PAIR_SCORES, EloDifference, from_pairs
from tabia.search.config import Budget, Rules, SearchSettings
from tabia.search.duel import SLOTS, DuelGame, NetPlayer, duel, pair_points
from tabia.search.evaluator import Evaluator
from tabia.search.nets.evaluators import TorchEvaluator
from tabia.search.nets.net import Net
from tabia.search.selfplay import evaluator_of, int8_evaluator_of

__all__ = ["ROUTES", "RouteMatch", "play_routes"]

ROUTES = ("torch", "onnx", "int8", "bfloat16")
"""torch and onnx are float32; bfloat16 is torch's."""


@dataclass(frozen=True, slots=True)
class RouteMatch:
    """A match of a net with itself.

    Attributes
    ----------
    first, second
        Routes.
    games
        Games played, two a pair.
    different
        How many of the pairs' openings differ: pairs with one opening are one and the same.
    unequal_pairs
        Pairs in which the two games took another course, colours apart.
    difference
        Of the first from the second, by pair.
    """

    first: str
    second: str
    games: int
    different: int
    unequal_pairs: int
    difference: EloDifference


def play_routes(
    net: Net,
    rules: Rules,
    first: str,
    second: str,
    *,
    games: int,
    search: SearchSettings | None = None,
    opening: int = 6,
    threads: int = 1,
    seed: int = 1,
    ended: Callable[[DuelGame], None] = lambda game: None,
) -> RouteMatch:
    """Play a match of a net with itself.

    Parameters
    ----------
    net, rules
        The net and what it plays, on its own board.
    first, second
        Of `ROUTES`. Openings are drawn from the second one's priors.
    games
        An even number.
    search
        How both search; None is 32 simulations a move.
    opening
        Plies of an opening.
    threads
        Of each evaluator.
    seed
        Of openings, and of the positions by which 8-bit integers are calibrated.
    ended
        Is told of every game.

    Raises
    ------
    ValueError
        If there is no such route, or the games are not an even number of at least 2.
    """
    if games < 2 or games % 2:
        raise ValueError(f"{games} games; must be an even number, two for each pair")
    how = SearchSettings(budget=Budget(simulations=32)) if search is None else search
    slots = min(SLOTS, games)
    with ExitStack() as stack:

        def player(route: str) -> NetPlayer:
            evaluator = _evaluator(stack, route, net, rules, threads, seed)
            return NetPlayer(rules, how, slots, net.shape.history, evaluator)

        played = duel(
            player(first), player(second), games // 2, seed=seed, opening=opening, ended=ended
        )
    tally = [0] * len(PAIR_SCORES)
    for points in pair_points(played):
        tally[round(2 * points)] += 1
    halves = list(zip(played[::2], played[1::2], strict=True))
    return RouteMatch(
        first=first,
        second=second,
        games=len(played),
        different=len({game.moves[: game.opening] for game in played}),
        unequal_pairs=sum(one.moves != other.moves for one, other in halves),
        difference=from_pairs(tally),
    )


def _evaluator(
    stack: ExitStack, route: str, net: Net, rules: Rules, threads: int, seed: int
) -> Evaluator:
    if route == "torch":
        return TorchEvaluator(net, threads=threads)
    if route == "bfloat16":
        return TorchEvaluator(net, threads=threads, precision="bfloat16")
    if route == "onnx":
        return stack.enter_context(evaluator_of(net, threads))
    if route == "int8":
        return stack.enter_context(int8_evaluator_of(net, threads, rules, seed))
    raise ValueError(f"no route {route!r}; known are {', '.join(ROUTES)}")
