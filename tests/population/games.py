"""Games with known answers."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

ROCK_PAPER_SCISSORS: Floats = np.array([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]])


def transitive_chain(n: int) -> Floats:
    """Every strategy beats all that come before it."""
    return np.asarray(np.tril(np.ones((n, n)), -1) - np.triu(np.ones((n, n)), 1))


def elo_game(ratings: Floats) -> Floats:
    gain = np.tanh((ratings[:, None] - ratings) * np.log(10) / 800)
    return np.asarray((gain - gain.T) / 2)


def disc_game(points: Floats) -> Floats:
    """Balduzzi's: the signed area that two points of a disc span."""
    return np.asarray(np.outer(points[:, 0], points[:, 1]) - np.outer(points[:, 1], points[:, 0]))


def circle(n: int) -> Floats:
    """The disc game of n points evenly on the circle."""
    angles = 2 * np.pi * np.arange(n) / n
    game = disc_game(np.column_stack([np.cos(angles), np.sin(angles)]))
    return np.asarray((game - game.T) / 2)


def random_game(n: int, seed: int) -> Floats:
    upper = np.triu(np.random.default_rng(seed).uniform(-1, 1, (n, n)), 1)
    return np.asarray(upper - upper.T)


def random_signs(n: int, seed: int) -> Floats:
    upper = np.triu(np.sign(np.random.default_rng(seed).normal(size=(n, n))), 1)
    return np.asarray(upper - upper.T)
