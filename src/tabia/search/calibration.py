"""Positions by which the 8-bit form of a net is calibrated: those that it comes to itself."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tabia.search.config import Rules, SearchSettings
from tabia.search.evaluator import Evaluator
from tabia.search.run import seed_of
from tabia.search.trees import Trees

__all__ = ["positions"]


def positions(
    rules: Rules,
    history: int,
    evaluator: Evaluator,
    seed: int,
    *,
    games: int = 16,
    plies: int = 200,
    most: int = 512,
) -> NDArray[np.float32]:
    """Return positions of games whose moves are drawn from the net's policy, without search.

    Parameters
    ----------
    rules
        The game.
    history
        Positions that the net sees.
    evaluator
        The net.
    seed
        Of the moves.
    games, plies
        Games, and their longest.
    most
        Positions at most, taken at equal distances from all.

    Returns
    -------
    ``[n, planes, rows, columns]`` float32, as the search encodes them.
    """
    trees = Trees(rules, SearchSettings(), games, history=history)
    searcher = trees.searcher
    rngs = [np.random.default_rng(seed_of(seed, game)) for game in range(games)]
    for game in range(games):
        trees.reset(game)
    playing = list(range(games))
    found: list[NDArray[np.float32]] = []
    for _ in range(plies):
        if not playing:
            break
        planes = np.stack([searcher.encode(game) for game in playing])
        found += list(planes)
        logits = evaluator.evaluate(planes).logits
        for row, game in zip(logits, playing, strict=True):
            own = row[searcher.legal_labels(game)].astype(np.float64)
            shares = np.exp(own - own.max())
            trees.play(
                game, int(rngs[game].choice(searcher.legal_moves(game), p=shares / shares.sum()))
            )
        playing = [game for game in playing if trees.root(game).outcome is None]
    chosen = np.linspace(0, len(found) - 1, min(most, len(found))).round().astype(int)
    return np.stack([found[i] for i in chosen])
