"""``tabia rate GAMES``: Elo of all players, with intervals."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from tabia.app.commands.game_rows import GameRows, read_rows
from tabia.app.commands.one_line import one_line
from tabia.app.commands.rate_text import as_json as facts_of
from tabia.app.commands.rate_text import as_text
from tabia.match.elo import PAIR_SCORES
from tabia.match.game_rows import Unit, named_games
from tabia.match.rated_games import Games
from tabia.match.ratings import Ratings, RatingSettings, rate_games
from tabia.match.sprt import SequentialTest, sequential_test
from tabia.match.strength import FitError, Model
from tabia.records.config import Game
from tabia.tables import parquet
from tabia.tables.progress import Progress

__all__ = ["RateError", "rate"]

_NEEDED = ("first_name", "second_name", "result")


class RateError(ValueError):
    """Ratings that cannot be had as asked."""

    exit_code = 2


def rate(
    files: list[Path],
    *,
    model: Model,
    advantage: bool,
    prior: float,
    anchors: dict[str, float],
    mean: float,
    by: Unit,
    draws: int,
    confidence: float,
    seed: int,
    sprt: tuple[float, float, float, float] | None,
    least: int,
    top: int,
    game: Game | None,
    headers: Path | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Print the ratings of the players of games, and write them.

    Parameters
    ----------
    files
        Game files of any format, packed or not, and games tables (Parquet); one game.
    model, advantage, prior, anchors, mean, draws, confidence
        See :class:`tabia.match.ratings.RatingSettings`.
    by
        See :func:`tabia.match.game_rows.named_games`.
    seed
        Of the bootstrap.
    sprt
        elo0, elo1, alpha and beta of :func:`tabia.match.sprt.sequential_test`, or None.
    least, top
        Which players are shown.
    game, headers
        See :func:`tabia.app.commands.game_rows.read_rows`.
    out
        CSV file of all players, or None.
    as_json
        Print one JSON object instead of a table.

    Raises
    ------
    GameFileError
        If a file cannot be read.
    FitError
        If the games determine no ratings.
    RateError
        If a sequential test is asked for of games that are not pairs of two players.
    """
    read = read_rows(files, game=game, headers=headers, needed=_NEEDED)
    games, left = named_games(read.rows, by)
    read = GameRows(read.rows, read.game, read.found, {**read.left_out, **left}, read.notes)
    test = None if sprt is None else _test(games, sprt)
    settings = RatingSettings(
        model=model,
        advantage=advantage,
        prior=prior,
        anchors=anchors,
        mean=mean,
        draws=draws,
        confidence=confidence,
    )
    named = ", ".join(str(file) for file in files)
    try:
        with Progress("intervals", draws, "draws") as progress:
            found = rate_games(games, settings, np.random.default_rng(seed), progress.advance)
    except FitError as error:
        raise FitError(f"{named}: {error}") from error
    if out is not None:
        parquet.write_text(out, _csv(found))
    if as_json:
        print(json.dumps(facts_of(found, read, test), ensure_ascii=False, indent=1))
    else:
        print(as_text(found, read, test, least=least, top=top))
    for note in read.notes:
        print(one_line(note), file=sys.stderr)


def _test(games: Games, sprt: tuple[float, float, float, float]) -> SequentialTest:
    """Test whether the first of two players is the stronger one."""
    if len(games.names) != 2:
        raise RateError(f"--sprt tests two players, and these games have {len(games.names)}")
    if games.unit is None:
        raise RateError(
            "--sprt counts pairs of games with colours reversed, and not all of these games are in"
            " one; with --by pair those that are in none are left out"
        )
    points: dict[int, list[float]] = {}
    for unit, first, result in zip(games.unit, games.first, games.result, strict=True):
        own = int(result) if first == 0 else -int(result)
        points.setdefault(int(unit), []).append((1 + own) / 2)
    counts = Counter(sum(pair) for pair in points.values() if len(pair) == 2)
    elo0, elo1, alpha, beta = sprt
    try:
        return sequential_test([counts[score] for score in PAIR_SCORES], elo0, elo1, alpha, beta)
    except ValueError as error:
        raise RateError(f"--sprt: {error}") from error


def _csv(found: Ratings) -> str:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(
        ["group", "player", "elo", "low", "high", "games", "won", "drawn", "lost", "anchor"]
    )
    for one in found.players:
        ends: list[Any] = [f"{value:.2f}" for value in (one.elo, one.lo, one.hi)]
        writer.writerow(
            [one.group + 1, one.name, *ends, one.games, one.won, one.drawn, one.lost,
             "yes" if one.is_anchor else "no"]
        )  # fmt: skip
    return text.getvalue()
