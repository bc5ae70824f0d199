"""Options of ``tabia speed``; what it does is :mod:`tabia.app.commands.speed`."""

from __future__ import annotations

from typing import Annotated

import typer

from tabia.app.choices import MatchGame

__all__ = ["speed"]


def speed(
    agent: Annotated[str, typer.Argument(help="An agent that searches: search:FOLDER, rollouts.")],
    game: Annotated[
        MatchGame | None, typer.Option(help="What is played; else the agent's game.")
    ] = None,
    size: Annotated[
        int | None, typer.Option(help="Go: lines of the board; else the model's, or 19.")
    ] = None,
    simulations: Annotated[
        int | None, typer.Option(min=1, help="Of a move; else the agent's.")
    ] = None,
    moves: Annotated[int, typer.Option(min=1, help="Moves that are counted.")] = 10,
    threads: Annotated[int | None, typer.Option(min=1, help="In place of the agent's own.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="What is random comes from it.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")] = False,
) -> None:
    """How fast an agent searches on the first moves of a game, and where its time goes."""
    from tabia.app.commands import speed as command

    command.speed(
        agent,
        game=None if game is None else game.value,
        size=size,
        simulations=simulations,
        moves=moves,
        threads=threads,
        seed=seed,
        as_json=as_json,
    )
