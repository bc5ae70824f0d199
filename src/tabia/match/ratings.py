"""Ratings of many players from all their games, with intervals.

The model is one of :mod:`tabia.match.strength`, with one advantage of the first move for all.

A clean sweep has no finite answer. So each player brings `prior` games of his own to what was
played, half of them won and half lost, spread over his opponents as his games are and over both
orders of moving: between two players with one such game each that is a pair of games, and its
weight falls as they play more.

Intervals are a Bayesian bootstrap (Rubin 1981): in each draw every game, or every pair of games
with one opening, has a weight from the exponential distribution, and what the priors add has
weights from gamma distributions of its sizes, so that a clean sweep has an interval too. Between
two players without draws that is the posterior of a share under Beta(prior, prior).

Players who are not joined by games have no common scale. They stand in different groups, each with
a zero of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from tabia.match.rated_games import Games, check_finite, groups_of, tally, tells_advantage
from tabia.match.rating_units import Units
from tabia.match.strength import NATURAL_ELO, FitError, Model, Strengths, fit_each

__all__ = ["PlayerRating", "RatingSettings", "Ratings", "rate_games"]

_Floats = NDArray[np.float64]
_Places = NDArray[np.intp]

_AT_ONCE = 1_000_000  # weights drawn at once: 8 MB


@dataclass(frozen=True, slots=True)
class RatingSettings:
    """How games are rated.

    Attributes
    ----------
    model
        ``points`` or ``davidson``.
    advantage
        Whether the first move may be worth something.
    prior
        Games that each player brings.
    anchors
        Elo of players that is given.
    mean
        Of the players of a group without an anchor.
    draws, confidence
        Of the intervals.
    """

    model: Model = "points"
    advantage: bool = True
    prior: float = 1.0
    anchors: Mapping[str, float] = field(default_factory=dict)
    mean: float = 0.0
    draws: int = 1000
    confidence: float = 0.95


@dataclass(frozen=True, slots=True)
class PlayerRating:
    """A player's Elo and results.

    Attributes
    ----------
    number
        Place in :attr:`Games.names`.
    group
        From 0, the largest first.
    elo, lo, hi
        ``lo <= elo <= hi``; all the same for an anchor.
    is_anchor
        Whether the Elo was given.
    """

    number: int
    name: str
    group: int
    elo: float
    lo: float
    hi: float
    won: int
    drawn: int
    lost: int
    is_anchor: bool

    @property
    def games(self) -> int:
        """How many."""
        return self.won + self.drawn + self.lost

    @property
    def is_sweep(self) -> bool:
        """Whether all games were won, or all lost: the prior alone keeps the Elo finite."""
        return self.games in (self.won, self.lost)


@dataclass(frozen=True, slots=True)
class Ratings:
    """The answer.

    Attributes
    ----------
    players
        By group, the strongest first.
    groups
        Number of players of each group.
    advantage
        Elo of the first move, and its interval; None where none was estimated.
    draw_share
        Probability of a draw between equals, and its interval (Davidson); else None.
    method
        What was done, in words.
    notes
        What else people should know.
    """

    players: tuple[PlayerRating, ...]
    groups: tuple[int, ...]
    advantage: tuple[float, float, float] | None
    draw_share: tuple[float, float, float] | None
    method: str
    notes: tuple[str, ...]
    samples: _Floats = field(repr=False)

    def superiority(self, one: PlayerRating, other: PlayerRating) -> float | None:
        """Likelihood that one is stronger than the other; None between groups.

        The share of the draws, and no surer than their number allows.
        """
        if one.group != other.group:
            return None
        difference = self.samples[:, one.number] - self.samples[:, other.number]
        above = float((difference > 0).sum() + (difference == 0).sum() / 2)
        return (above + 0.5) / (len(difference) + 1)


def rate_games(
    games: Games,
    settings: RatingSettings,
    rng: np.random.Generator,
    advance: Callable[[int], None] = lambda _: None,
) -> Ratings:
    """Rate all players.

    Parameters
    ----------
    games
        At least one.
    settings
        How.
    rng
        Of the intervals.
    advance
        Called with 1 after each draw.

    Raises
    ------
    FitError
        If there is no game, an anchor plays none, or without a prior there is no finite answer.
    """
    if not len(games.first):
        raise FitError("no game with two named players and a result")
    group = groups_of(games)
    anchors = _anchors(games, settings, group)
    notes = []
    advantage = settings.advantage
    if advantage and not tells_advantage(games):
        advantage = False
        notes.append(
            "who moved first is settled by who played: an advantage of the first move cannot be"
            " told from strength, and is taken as 0"
        )
    if not settings.prior:
        check_finite(games, anchors)
    units = Units(games, settings.prior)
    held = _held(games, group, anchors)

    def fitted(weights: _Floats, start: Strengths | None = None) -> Iterator[Strengths]:
        return fit_each(
            len(games.names), units.cells(weights), held, advantage=advantage,
            model=settings.model, start=start,
        )  # fmt: skip

    def scaled(found: Strengths) -> _Floats:
        return _placed(found.players * found.elo, group, anchors, settings.mean)

    (best,) = fitted(units.sizes[None])
    elo = scaled(best)
    samples = np.empty((settings.draws, len(games.names)))
    others = np.empty((settings.draws, 2))
    at_once = max(1, _AT_ONCE // len(units.sizes))
    for begin in range(0, settings.draws, at_once):
        weights = units.draw(rng, min(at_once, settings.draws - begin))
        for draw, found in enumerate(fitted(weights, best), begin):
            samples[draw] = scaled(found)
            others[draw] = found.advantage * found.elo, found.nu / (2 + found.nu)
            advance(1)
    lo, hi = _interval(samples, elo, settings.confidence)
    shared = np.array([best.advantage * best.elo, best.nu / (2 + best.nu)])
    ends = _interval(others, shared, settings.confidence)
    both = [
        (float(value), float(low), float(high))
        for value, low, high in zip(shared, *ends, strict=True)
    ]
    counts = tally(games)
    players = [
        PlayerRating(
            i, name, int(group[i]), float(elo[i]), float(lo[i]), float(hi[i]), *counts[i],
            is_anchor=i in anchors,
        )
        for i, name in enumerate(games.names)
    ]  # fmt: skip
    return Ratings(
        players=tuple(sorted(players, key=lambda one: (one.group, -one.elo, one.name))),
        groups=tuple(np.bincount(group).tolist()),
        advantage=both[0] if advantage else None,
        draw_share=both[1] if settings.model == "davidson" else None,
        method=_method(settings, games.unit is not None, len(anchors)),
        notes=tuple(notes),
        samples=samples,
    )


def _interval(samples: _Floats, value: _Floats, confidence: float) -> tuple[_Floats, _Floats]:
    tail = (1 - confidence) / 2
    lo, hi = np.quantile(samples, [tail, 1 - tail], axis=0)
    return np.minimum(lo, value), np.maximum(hi, value)


def _anchors(games: Games, settings: RatingSettings, group: _Places) -> dict[int, float]:
    """Return given Elos by player."""
    number = {name: i for i, name in enumerate(games.names)}
    if unknown := [name for name in settings.anchors if name not in number]:
        raise FitError(
            f"no game of {', '.join(unknown)}, whose Elo is given; the names must be as in the"
            " records"
        )
    anchors = {number[name]: elo for name, elo in settings.anchors.items()}
    if settings.model == "davidson" and len({int(group[i]) for i in anchors}) < len(anchors):
        raise FitError(
            "Davidson's model fixes its own scale by the share of draws, so that of players who are"
            " joined by games only one can have a given Elo; give one, or use the model of points"
        )
    return anchors


def _held(games: Games, group: _Places, anchors: Mapping[int, float]) -> dict[int, float]:
    """Return what is not estimated: anchors; in groups without, whoever comes first."""
    held = {i: elo / NATURAL_ELO for i, elo in anchors.items()}
    found = {int(group[i]) for i in anchors}
    for i in range(len(games.names)):
        if int(group[i]) not in found:
            held[i] = 0.0
            found.add(int(group[i]))
    return held


def _placed(elo: _Floats, group: _Places, anchors: Mapping[int, float], mean: float) -> _Floats:
    """Move each group to where its anchor, or its mean, is as given."""
    sums = np.bincount(group, elo) / np.bincount(group)
    shift = mean - sums
    for i, given in anchors.items():
        shift[group[i]] = given - elo[i]
    placed = elo + shift[group]
    for i, given in anchors.items():
        placed[i] = given
    return placed


def _method(settings: RatingSettings, by_pair: bool, anchors: int) -> str:
    model = {
        "points": "Bradley and Terry's model, a draw being half a point",
        "davidson": "Davidson's model of draws, on the scale of Elo for small differences",
    }[settings.model]
    prior = (
        f"; each player brings {settings.prior:g} games, half won and half lost"
        if settings.prior
        else "; no prior"
    )
    unit = "pair of games" if by_pair else "game"
    zero = f"; {anchors} given" if anchors else f"; mean {settings.mean:g}"
    return (
        f"maximum likelihood, {model}{prior}{zero};"
        f" {settings.confidence:.0%} Bayesian bootstrap by {unit}, {settings.draws} draws"
    )
