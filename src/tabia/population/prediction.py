"""Which ratings foretell games better: Elo, or ones that know cycles.

For i moving first against j the expected score is 1 / (1 + exp(-d)), d in natural units:

elo
    d = r_i - r_j + a, a being worth of the first move.
melo2, melo4
    Multidimensional Elo (Balduzzi et al., "Re-evaluating Evaluation", 2018): further
    x_i y_j - y_i x_j, for one plane or for two.
melo2_shrunk
    The same with a penalty by which the plane is used only as far as results stand out from noise.
disc
    x_i y_j - y_i x_j + a alone (Bertrand et al., "On the Limitations of Elo", 2023).
ratings
    The Elo that the matrix came with, and a.
even
    a alone.

Ratings are fitted to games by maximum likelihood, a draw being half a game won and half a game
lost, and measured on games that were held out, every game once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from tabia.population.payoff import Floats, Ints, PayoffError, PayoffMatrix

__all__ = ["MODELS", "Prediction", "fit_scores", "predict_held_out"]

_NATURAL = math.log(10) / 400
_RIDGE_RATING = 0.05
"""Penalty on r² / 2: keeps clean sweeps finite, and is no more than a fifth of a game."""
_RIDGE_PLANE = 0.05


@dataclass(frozen=True, slots=True)
class _Model:
    planes: int
    rated: bool = True  # whether r is fitted
    shrunk: bool = False
    given: bool = False  # whether r is the matrix's own


MODELS: dict[str, _Model] = {
    "even": _Model(0, rated=False),
    "ratings": _Model(0, rated=False, given=True),
    "elo": _Model(0),
    "melo2": _Model(1),
    "melo4": _Model(2),
    "melo2_shrunk": _Model(1, shrunk=True),
    "disc": _Model(1, rated=False),
}
"""By name; the module says what they are."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """How well a model foretold games that it had not seen.

    Attributes
    ----------
    model
        A name in `MODELS`.
    games
        That were foretold.
    log_loss
        Mean of -s ln p - (1 - s) ln(1 - p), nats a game, s being the score 0, 1/2 or 1.
    brier
        Mean of (s - p)².
    gain, gain_low, gain_high
        Log loss of Elo less this model's, nats a game, and its 95 % interval over games: above 0
        the model is better than Elo. The fits count as given.
    """

    model: str
    games: int
    log_loss: float
    brier: float
    gain: float
    gain_low: float
    gain_high: float


def fit_scores(matrix_counts: Ints, model: str, ratings: Floats | None = None) -> Floats:
    """Return expected scores ``[n, n]``, 0 to 1, of the row moving first against the column.

    Parameters
    ----------
    matrix_counts
        ``[n, n, 3]`` games as in `tabia.population.payoff.PayoffMatrix`.
    model
        A name in `MODELS`.
    ratings
        ``[n]`` Elo, for the model ``ratings``.
    """
    chosen = MODELS[model]
    games = matrix_counts.sum(axis=2).astype(np.float64)
    points = matrix_counts[..., 0] + matrix_counts[..., 1] / 2
    n = len(games)
    base = np.zeros((n, n))
    if chosen.given:
        if ratings is None:
            raise PayoffError("the model 'ratings' needs ratings")
        base = (ratings[:, None] - ratings[None, :]) * _NATURAL
    work = _Work(games, points, base, chosen)
    start = np.zeros(work.size)
    if chosen.planes:
        # Nothing pulls planes away from 0: begin with those in which results stand out most.
        start[: n + 1] = _minimum(_Work(games, points, base, _flat(chosen)), None)
        excess = points - games * work.scores(start)
        start[n + 1 :] = _planes(excess - excess.T, chosen.planes).ravel() * 0.1
        if chosen.shrunk:
            # The largest singular value that noise alone brings: 2 s sqrt(n), s² the mean variance.
            expected = work.scores(start)
            noise = games * expected * (1 - expected)
            work.plane_penalty = 2 * math.sqrt(float((noise + noise.T).mean()) * n)
    return work.scores(_minimum(work, start))


def predict_held_out(
    matrix: PayoffMatrix, *, seed: int, folds: int = 5, models: tuple[str, ...] | None = None
) -> list[Prediction]:
    """Return how well models foretell held-out games, by cross-validation over games.

    Parameters
    ----------
    matrix
        With games. Those within a strategy are left out: they have no better side.
    folds
        Parts that games are split into by chance; each is foretold from the others.
    models
        Names in `MODELS`; None takes all, but ``ratings`` where there are none.

    Raises
    ------
    PayoffError
        If there are no games, or fewer than two a fold.
    """
    if matrix.counts is None:
        raise PayoffError("this matrix has payoffs and no games; predictions need games")
    counts = matrix.counts.copy()
    n = len(matrix)
    counts[np.arange(n), np.arange(n)] = 0
    total = int(counts.sum())
    if total < 2 * folds:
        raise PayoffError(f"{total} games are too few to hold out; {2 * folds} are needed")
    if models is None:
        models = tuple(name for name in MODELS if name != "ratings" or matrix.ratings is not None)
    rng = np.random.default_rng(seed)
    cells = np.repeat(np.arange(counts.size), counts.ravel())
    fold_of = rng.permutation(total) % folds
    # [cells, outcomes] sums over folds of the losses of every model; Elo first, as gains need it.
    ordered = tuple(dict.fromkeys(("elo", *models)))
    losses = {name: np.zeros(total) for name in ordered}
    squares = dict.fromkeys(ordered, 0.0)
    outcome = cells % 3
    scores = 1.0 - outcome / 2
    for fold in range(folds):
        held = fold_of == fold
        seen = np.bincount(cells[~held], minlength=counts.size).reshape(counts.shape)
        for name in ordered:
            expected = fit_scores(seen, name, matrix.ratings).ravel()[cells[held] // 3]
            expected = np.clip(expected, 1e-12, 1 - 1e-12)
            s = scores[held]
            losses[name][held] = -s * np.log(expected) - (1 - s) * np.log1p(-expected)
            squares[name] += float(((s - expected) ** 2).sum())
    found = []
    for name in models:
        gains = losses["elo"] - losses[name]
        gain = float(gains.mean())
        half = 1.959964 * float(gains.std(ddof=1)) / math.sqrt(total)
        found.append(
            Prediction(
                model=name,
                games=total,
                log_loss=float(losses[name].mean()),
                brier=squares[name] / total,
                gain=gain,
                gain_low=gain - half,
                gain_high=gain + half,
            )
        )
    return found


def _flat(model: _Model) -> _Model:
    return _Model(0, rated=model.rated, given=model.given)


class _Work:
    """Penalised likelihood over one vector: ratings [n], the advantage, planes [n, 2 k]."""

    def __init__(self, games: Floats, points: Floats, base: Floats, model: _Model) -> None:
        self._games, self._points, self._base, self._model = games, points, base, model
        self.n = len(games)
        self.size = self.n + 1 + 2 * model.planes * self.n
        self.plane_penalty = _RIDGE_PLANE

    def _difference(self, vector: Floats) -> tuple[Floats, Floats, Floats]:
        n = self.n
        rating = vector[:n] if self._model.rated else np.zeros(n)
        plane = vector[n + 1 :].reshape(n, 2 * self._model.planes)
        d = self._base + rating[:, None] - rating[None, :] + vector[n]
        x, y = plane[:, 0::2], plane[:, 1::2]
        return d + x @ y.T - y @ x.T, x, y

    def scores(self, vector: Floats) -> Floats:
        """Return expected scores ``[n, n]``."""
        expected: Floats = (1 + np.tanh(self._difference(vector)[0] / 2)) / 2
        return expected

    def value(self, vector: Floats) -> tuple[float, Floats]:
        """Return the penalised negative log likelihood and its slope."""
        n = self.n
        d, x, y = self._difference(vector)
        likelihood = self._points * d - self._games * np.logaddexp(0, d)
        excess = self._points - self._games * (1 + np.tanh(d / 2)) / 2
        slope = np.zeros_like(vector)
        both = excess - excess.T
        if self._model.rated:
            slope[:n] = both.sum(axis=1) - _RIDGE_RATING * vector[:n]
        slope[n] = excess.sum()
        plane = slope[n + 1 :].reshape(n, 2 * self._model.planes)
        plane[:, 0::2], plane[:, 1::2] = both @ y, -(both @ x)
        plane -= self.plane_penalty * vector[n + 1 :].reshape(plane.shape)
        penalty = self.plane_penalty * float((vector[n + 1 :] ** 2).sum())
        if self._model.rated:
            penalty += _RIDGE_RATING * float((vector[:n] ** 2).sum())
        return float(penalty / 2 - likelihood.sum()), -slope


def _minimum(work: _Work, start: Floats | None) -> Floats:
    from scipy import optimize

    begin = np.zeros(work.size) if start is None else start
    found = optimize.minimize(
        work.value, begin, jac=True, method="L-BFGS-B", options={"maxiter": 500, "ftol": 1e-12}
    )
    return np.asarray(found.x, np.float64)


def _planes(antisymmetric: Floats, planes: int) -> Floats:
    """Return ``[n, 2 planes]`` x, y of the largest Schur blocks, of length 1 a column."""
    vectors = np.linalg.eigh(1j * antisymmetric)[1][:, ::-1][:, :planes]
    found = np.empty((len(antisymmetric), 2 * planes))
    found[:, 0::2], found[:, 1::2] = vectors.imag * np.sqrt(2), vectors.real * np.sqrt(2)
    return found
