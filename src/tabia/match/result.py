"""What a match came to: points, Elo difference, endings, forfeits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from tabia.match.elo import PAIR_SCORES, EloDifference, from_pairs
from tabia.match.play import PlayedGame
from tabia.match.run import Match
from tabia.match.state import PlayedPair

__all__ = ["ForfeitedGame", "Result", "Tally", "result_of"]


@dataclass(frozen=True, slots=True)
class Tally:
    """Games of one agent."""

    won: int
    drawn: int
    lost: int

    @property
    def games(self) -> int:
        """How many."""
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> float:
        """A win counts 1, a draw 1/2."""
        return self.won + self.drawn / 2


@dataclass(frozen=True, slots=True)
class ForfeitedGame:
    """A game that was forfeited.

    Attributes
    ----------
    pair, number
        Which game, both from 1: of pair 3 the first or second.
    agent
        0 if A failed, 1 if B.
    game
        The game; `game.forfeit` says how.
    """

    pair: int
    number: int
    agent: int
    game: PlayedGame


@dataclass(frozen=True, slots=True)
class Result:
    """A match in numbers, from A's view.

    Attributes
    ----------
    all, as_first, as_second
        All games, and those in which A had the first move or the second.
    elo
        From the scores of the pairs; None if no pair was finished.
    endings
        Games by reason, the most frequent first.
    forfeits
        In the order of the games.
    distinct
        Different games, told apart by who began and by the moves. Repeated ones tell nothing new,
        though the interval counts them.
    mean_plies, longest_plies
        The openings' plies are counted.
    """

    all: Tally
    as_first: Tally
    as_second: Tally
    elo: EloDifference | None
    endings: dict[str, int]
    forfeits: tuple[ForfeitedGame, ...]
    distinct: int
    mean_plies: float
    longest_plies: int


def result_of(match: Match) -> Result:
    """Count a match."""
    pairs = match.pairs
    first = _tally(one.result for one, _ in pairs.values())
    second = _tally(-two.result for _, two in pairs.values())
    games = [game for pair in pairs.values() for game in pair]
    scores = Counter(_points(pair) for pair in pairs.values())
    endings = Counter(game.reason for game in games)
    sides = [
        (number, game.start_fen, game.moves)
        for pair in pairs.values()
        for number, game in enumerate(pair)
    ]
    return Result(
        all=Tally(first.won + second.won, first.drawn + second.drawn, first.lost + second.lost),
        as_first=first,
        as_second=second,
        elo=from_pairs([scores[score] for score in PAIR_SCORES]) if pairs else None,
        endings=dict(sorted(endings.items(), key=lambda item: (-item[1], item[0]))),
        forfeits=tuple(
            ForfeitedGame(number + 1, i + 1, (game.forfeit.side + i) % 2, game)
            for number, pair in pairs.items()
            for i, game in enumerate(pair)
            if game.forfeit is not None
        ),
        distinct=len(set(sides)),
        mean_plies=sum(len(game.moves) for game in games) / max(1, len(games)),
        longest_plies=max((len(game.moves) for game in games), default=0),
    )


def _tally(results: Iterable[int]) -> Tally:
    counts = Counter(results)
    return Tally(counts[1], counts[0], counts[-1])


def _points(pair: PlayedPair) -> float:
    """A's points in a pair, 0 to 2."""
    one, two = pair
    return (1 + one.result) / 2 + (1 - two.result) / 2
