"""Ratings, groups, priors and intervals on games whose answers are known."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from scipy import stats

from tabia.match.rated_games import Games
from tabia.match.ratings import PlayerRating, Ratings, RatingSettings, rate_games
from tabia.match.strength import FitError

Row = tuple[str, str, int, int]  # first, second, result, how often


def games(*rows: Row, unit: Sequence[int] | None = None) -> Games:
    each = [(first, second, result) for first, second, result, count in rows for _ in range(count)]
    names = tuple(dict.fromkeys(name for row in each for name in row[:2]))
    return Games(
        names=names,
        first=np.array([names.index(row[0]) for row in each], np.intp),
        second=np.array([names.index(row[1]) for row in each], np.intp),
        result=np.array([row[2] for row in each], np.int8),
        unit=None if unit is None else np.array(unit, np.intp),
    )


def rated(played: Games, **settings: object) -> Ratings:
    chosen = RatingSettings(**{"draws": 200, **settings})  # type: ignore[arg-type]
    return rate_games(played, chosen, np.random.default_rng(1))


def by_name(found: Ratings) -> dict[str, PlayerRating]:
    return {one.name: one for one in found.players}


EVEN = (("a", "b", 1, 30), ("b", "a", -1, 30), ("a", "b", -1, 10), ("b", "a", 1, 10))
"""a scores 0.75, the first move is worth nothing."""


def test_a_known_score_gives_a_known_difference_around_the_mean() -> None:
    players = by_name(rated(games(*EVEN), prior=0.0, mean=1500.0))
    half = 400 * math.log10(3) / 2
    assert players["a"].elo == pytest.approx(1500 + half)
    assert players["b"].elo == pytest.approx(1500 - half)
    assert (players["a"].won, players["a"].drawn, players["a"].lost) == (60, 0, 20)
    assert players["a"].lo < players["a"].elo < players["a"].hi


def test_the_prior_is_a_game_of_each_player() -> None:
    players = by_name(rated(games(*EVEN), prior=1.0, anchors={"b": 0.0}))
    assert players["a"].elo == pytest.approx(400 * math.log10(61 / 21))
    assert (players["b"].lo, players["b"].elo, players["b"].hi) == (0.0, 0.0, 0.0)
    assert players["b"].is_anchor


def test_the_first_moves_advantage_is_told_from_strength() -> None:
    # In d: a first log(3), b first log(1/1): half the sum is the advantage.
    played = games(("a", "b", 1, 30), ("a", "b", -1, 10), ("b", "a", 1, 20), ("b", "a", -1, 20))
    found = rated(played, prior=0.0, anchors={"b": 0.0})
    assert found.advantage is not None
    assert found.advantage[0] == pytest.approx(200 * math.log10(3))
    assert by_name(found)["a"].elo == pytest.approx(200 * math.log10(3))
    alone = rated(played, prior=0.0, anchors={"b": 0.0}, advantage=False)
    assert alone.advantage is None
    assert by_name(alone)["a"].elo == pytest.approx(400 * math.log10(5 / 3))


def test_an_advantage_that_strength_could_be_is_not_estimated_and_told() -> None:
    found = rated(games(("a", "b", 1, 6), ("a", "b", -1, 2), ("b", "c", 1, 1), ("b", "c", -1, 1)))
    assert found.advantage is None
    assert "cannot be told from strength" in found.notes[0]


def test_an_interval_without_draws_is_that_of_the_posterior_of_the_share() -> None:
    # Beta(40 + 1, 10 + 1): 40 of 50 won, and a game of each player.
    played = games(("a", "b", 1, 20), ("b", "a", -1, 20), ("a", "b", -1, 5), ("b", "a", 1, 5))
    one = by_name(rated(played, draws=4000, anchors={"b": 0.0}, advantage=False))["a"]
    low, high = stats.beta.ppf([0.025, 0.975], 41, 11)
    assert one.lo == pytest.approx(400 * math.log10(low / (1 - low)), abs=8)
    assert one.hi == pytest.approx(400 * math.log10(high / (1 - high)), abs=8)


def test_a_clean_sweep_is_finite_with_a_wide_interval() -> None:
    found = rated(
        games(("a", "b", 1, 5), ("b", "a", -1, 5)), draws=4000, anchors={"b": 0.0}, advantage=False
    )
    one = by_name(found)["a"]
    assert one.is_sweep
    assert one.elo == pytest.approx(400 * math.log10(11))
    low = stats.beta.ppf(0.025, 11, 1)
    assert one.lo == pytest.approx(400 * math.log10(low / (1 - low)), abs=10)
    assert one.hi > 900


def test_a_clean_sweep_without_a_prior_is_refused_by_name() -> None:
    with pytest.raises(FitError, match=r"1 players have no finite Elo \(c\).*--prior 1"):
        rated(games(*EVEN, ("a", "c", 1, 3), ("c", "b", -1, 2)), prior=0.0)


def test_players_who_are_not_joined_are_in_different_groups() -> None:
    found = rated(games(*EVEN, ("x", "y", 0, 4), ("b", "z", 1, 1)), mean=100.0)
    assert found.groups == (3, 2)
    players = by_name(found)
    assert {name for name, one in players.items() if one.group == 1} == {"x", "y"}
    for number in (0, 1):
        elos = [one.elo for one in found.players if one.group == number]
        assert sum(elos) / len(elos) == pytest.approx(100.0)
    assert found.superiority(players["a"], players["x"]) is None


def test_pairs_that_halve_their_points_tell_more_than_their_games() -> None:
    # In each of 50 pairs either side wins with the first move: 1 of 2 points, always.
    rows = (("a", "b", 1, 50), ("b", "a", 1, 50))
    pairs = [*range(50), *range(50)]
    by_game = by_name(rated(games(*rows), advantage=False, anchors={"b": 0.0}))["a"]
    by_pair = by_name(rated(games(*rows, unit=pairs), advantage=False, anchors={"b": 0.0}))["a"]
    assert by_game.elo == by_pair.elo == pytest.approx(0.0)
    assert by_pair.hi - by_pair.lo < 0.3 * (by_game.hi - by_game.lo)
    assert "by pair of games" in rated(games(*rows, unit=pairs)).method


def test_superiority_is_near_that_of_a_normal_distribution() -> None:
    # 60 won, 40 lost: z = 20 / sqrt(100) = 2, so 0.977
    played = games(("a", "b", 1, 30), ("b", "a", -1, 30), ("a", "b", -1, 20), ("b", "a", 1, 20))
    found = rated(played, draws=4000)
    players = by_name(found)
    los = found.superiority(players["a"], players["b"])
    assert los == pytest.approx(0.977, abs=0.008)
    back = found.superiority(players["b"], players["a"])
    assert los is not None
    assert back == pytest.approx(1 - los)


def test_intervals_cover_the_truth_as_often_as_they_say() -> None:
    rng = np.random.default_rng(7)
    truth = np.array([0.0, 60.0, -150.0, 200.0])
    covered = 0
    for _ in range(40):
        first, second = np.array([(i, j) for i in range(4) for j in range(4) if i != j] * 12).T
        d = truth[first] - truth[second] + 35.0
        won = rng.random(len(first)) < 1 / (1 + 10 ** (-d / 400))
        played = Games(tuple("abcd"), first, second, np.where(won, 1, -1).astype(np.int8))
        found = rate_games(played, RatingSettings(draws=100, anchors={"a": 0.0}), rng)
        covered += sum(
            one.lo <= truth["abcd".index(one.name)] <= one.hi
            for one in found.players[:4]
            if not one.is_anchor
        )
    assert 0.88 < covered / 120 < 0.99


def test_davidsons_draws_are_told() -> None:
    played = games(("a", "b", 1, 30), ("a", "b", 0, 40), ("a", "b", -1, 30))
    found = rated(played, model="davidson", prior=0.0, advantage=False)
    assert found.draw_share is not None
    assert found.draw_share[0] == pytest.approx(0.4)
    assert found.draw_share[1] < 0.4 < found.draw_share[2]


def test_the_same_seed_gives_the_same_ratings() -> None:
    one, other = rated(games(*EVEN)), rated(games(*EVEN))
    assert one.players == other.players


def test_what_cannot_be_rated_is_refused() -> None:
    with pytest.raises(FitError, match="no game with two named players"):
        rated(games())
    with pytest.raises(FitError, match="no game of q, whose Elo is given"):
        rated(games(*EVEN), anchors={"q": 1000.0})
    with pytest.raises(FitError, match="only one can have a given Elo"):
        rated(games(*EVEN), model="davidson", anchors={"a": 100.0, "b": 0.0})
