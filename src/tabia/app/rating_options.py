"""Options of ``tabia payoff`` and ``tabia rate``, which read games for who played whom."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tabia.app.choices import RecordsGame

if TYPE_CHECKING:
    from tabia.records.config import EloBins

__all__ = ["payoff", "rate"]

_Files = Annotated[
    list[Path],
    typer.Argument(help="Game files of one game, packed or not, games tables; - is stdin."),
]
_Game = Annotated[
    RecordsGame | None, typer.Option(help="Whose records; else each file's content decides.")
]
_Headers = Annotated[
    Path | None, typer.Option(help="Players and results of PlayOK games kept apart.")
]
_AsJson = Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")]


class PayoffForm(StrEnum):
    """Forms of a payoff matrix as CSV."""

    games = "games"
    matrix = "matrix"


class RatingModel(StrEnum):
    """Models of strength."""

    points = "points"
    davidson = "davidson"


class RatingUnit(StrEnum):
    """What is drawn again for intervals."""

    auto = "auto"
    game = "game"
    pair = "pair"


def payoff(
    files: _Files,
    bins: Annotated[str, typer.Option(help="LOW-HIGH:WIDTH: 1000-2000:100 is (1000,1100] ….")],
    game: _Game = None,
    headers: _Headers = None,
    out: Annotated[Path | None, typer.Option(help="CSV to write, for nash and geometry.")] = None,
    form: Annotated[
        PayoffForm, typer.Option("--as", help="Form of the CSV: games a cell, or payoffs alone.")
    ] = PayoffForm.games,
    as_json: _AsJson = False,
) -> None:
    """Payoff matrix of people by Elo: mean score of each bin against each other."""
    from tabia.app.commands import payoff as command

    command.payoff(
        _inputs(files),
        _bins(bins),
        game=None if game is None else game.value,
        headers=headers,
        out=out,
        form=form.value,
        as_json=as_json,
    )


def rate(
    files: _Files,
    model: Annotated[
        RatingModel,
        typer.Option(help="points: a draw is half a win; davidson: draws are likely too."),
    ] = RatingModel.points,
    no_advantage: Annotated[
        bool, typer.Option("--no-advantage", help="The first move is worth nothing.")
    ] = False,
    prior: Annotated[
        float, typer.Option(min=0, help="Games, half won and half lost, added to each player.")
    ] = 1.0,
    anchor: Annotated[
        list[str] | None, typer.Option(help="NAME=ELO that is given; may be repeated.")
    ] = None,
    mean: Annotated[float, typer.Option(help="Elo of the average player without an anchor.")] = 0.0,
    by: Annotated[
        RatingUnit, typer.Option(help="Intervals by game or by pair of games; auto: the records.")
    ] = RatingUnit.auto,
    draws: Annotated[int, typer.Option(min=100, help="Bootstrap draws.")] = 1000,
    confidence: Annotated[
        float, typer.Option(min=0.5, max=0.999, help="Level of the intervals.")
    ] = 0.95,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the bootstrap.")] = 1,
    sprt: Annotated[
        str | None,
        typer.Option(help="ELO0:ELO1 of a sequential test of two players by pairs: 0:5."),
    ] = None,
    alpha: Annotated[float, typer.Option(help="SPRT: how often ELO1 is accepted wrongly.")] = 0.05,
    beta: Annotated[float, typer.Option(help="SPRT: how often ELO0 is accepted wrongly.")] = 0.05,
    least: Annotated[
        int, typer.Option(min=1, help="Show players with so many games; all are rated.")
    ] = 1,
    top: Annotated[int, typer.Option(min=0, help="Show so many players; 0 is all.")] = 50,
    game: _Game = None,
    headers: _Headers = None,
    out: Annotated[Path | None, typer.Option(help="CSV of all players to write.")] = None,
    as_json: _AsJson = False,
) -> None:
    """Elo of all players of game files, with intervals, by maximum likelihood."""
    from tabia.app.commands import rate as command

    command.rate(
        _inputs(files),
        model=model.value,
        advantage=not no_advantage,
        prior=prior,
        anchors=_anchors(anchor or []),
        mean=mean,
        by=by.value,
        draws=draws,
        confidence=confidence,
        seed=seed,
        sprt=None if sprt is None else (*_test(sprt), alpha, beta),
        least=least,
        top=top,
        game=None if game is None else game.value,
        headers=headers,
        out=out,
        as_json=as_json,
    )


def _inputs(files: list[Path]) -> list[Path]:
    return [Path("/dev/stdin") if file == Path("-") else file for file in files]


def _bins(text: str) -> EloBins:
    from pydantic import ValidationError

    from tabia.records.config import EloBins

    ends, _, width = text.partition(":")
    low, _, high = ends.partition("-")
    words = (low, high, width)
    if not all(word.isascii() and word.isdecimal() for word in words):
        raise typer.BadParameter(f"--bins {text!r}: write LOW-HIGH:WIDTH, such as 1000-2000:100")
    low_elo, high_elo, width_elo = map(int, words)
    try:
        return EloBins(low=low_elo, high=high_elo, width=width_elo)
    except ValidationError as error:
        why = error.errors()[0]["msg"].removeprefix("Value error, ")
        raise typer.BadParameter(f"--bins {text!r}: {why}") from error


def _anchors(texts: list[str]) -> dict[str, float]:
    anchors: dict[str, float] = {}
    for text in texts:
        name, _, elo = text.rpartition("=")
        try:
            value = float(elo)
        except ValueError:
            value = float("nan")
        if not name or not abs(value) < 1e6:
            raise typer.BadParameter(f"--anchor {text!r}: write NAME=ELO, such as stockfish=3000")
        if name in anchors:
            raise typer.BadParameter(f"--anchor: {name} is given twice")
        anchors[name] = value
    return anchors


def _test(text: str) -> tuple[float, float]:
    low, _, high = text.partition(":")
    try:
        return float(low), float(high)
    except ValueError as error:
        raise typer.BadParameter(f"--sprt {text!r}: write ELO0:ELO1, such as 0:5") from error
