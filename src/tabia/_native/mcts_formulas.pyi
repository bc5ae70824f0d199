"""Formulas of docs/mcts.md as the native search computes them. Win rates are 0 to 1, Q -1 to 1."""

import numpy as np
from numpy.typing import NDArray

def log(x: float) -> float:
    """Natural logarithm, the same on every machine; ValueError unless positive and finite."""

def exp(x: float) -> float:
    """E to the power of x, the same on every machine."""

def puct(
    q: float,
    prior: float,
    visits: float,
    parent_visits: float,
    *,
    c_init: float = 1.25,
    c_base: float = 19652.0,
) -> float:
    """AlphaZero's score of an edge."""

def go_player(
    win_rate: float,
    prior: float,
    visits: float,
    total: float,
    *,
    c: float = 1.0,
    temperature: float = 1.0,
    visit_floor: float = 1.0,
) -> float:
    """The Go player's priority of an edge; win rate of the side to move."""

def go_player_choice(win_rate: float, prior: float) -> float:
    """The Go player's final priority of a move; win rate of the side to move."""

def gumbel_sigma(
    win_rate: float, most_visits: float, *, c_visit: float = 50.0, c_scale: float = 1.0
) -> float:
    """Weight of a value beside logits."""

def gumbel_mixed_value(
    own: float, sum_visits: float, visited_prior: float, prior_times_q: float
) -> float:
    """Value of unvisited edges."""

def halving_schedule(considered: int, simulations: int) -> list[int]:
    """Visits that the edge of each simulation shall have had before it."""

def draws(kind: str, seed: int, n: int, *, alpha: float = 1.0) -> NDArray[np.float64]:
    """Random numbers of a seed: uniform, normal, gumbel, or log_gamma of shape `alpha`."""
