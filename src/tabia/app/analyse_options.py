"""Options of ``tabia analyse``; what it does is :mod:`tabia.app.commands.analyse`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tabia.app.choices import MatchGame

__all__ = ["analyse"]


def analyse(
    agent: Annotated[str, typer.Argument(help="An agent that searches: search:FOLDER, rollouts.")],
    game: Annotated[
        MatchGame | None, typer.Option(help="What is played; else the agent's game or the file's.")
    ] = None,
    fen: Annotated[str | None, typer.Option(help="Position; else the game's start.")] = None,
    after: Annotated[
        str | None, typer.Option(help='Moves since: "e4 e5", "h2e2", "D4 pass", any notation.')
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option("--file", "--sgf", "--pgn", help="Instead: a game file; - is stdin."),
    ] = None,
    ordinal: Annotated[int, typer.Option(help="Which game of the file, from 1.")] = 1,
    move: Annotated[
        int | None, typer.Option(help="Moves of that game that have been played; else all.")
    ] = None,
    rules: Annotated[
        str | None,
        typer.Option(help="Xiangqi's on repetition (asian) or Go's; else the file's, chinese."),
    ] = None,
    size: Annotated[
        int | None, typer.Option(help="Go: lines of the board; else the model's, or 19.")
    ] = None,
    komi: Annotated[
        float | None, typer.Option(help="Go: komi; else the file's or the rules'.")
    ] = None,
    visits: Annotated[
        int | None, typer.Option(help="Ends at so many; without --time the agent's simulations.")
    ] = None,
    seconds: Annotated[
        float | None, typer.Option("--time", help="Ends after so many seconds.")
    ] = None,
    moves: Annotated[int, typer.Option("--moves", "--top", help="Moves that are listed.")] = 9,
    threads: Annotated[
        int | None, typer.Option(min=1, help="Threads of the evaluator; else the agent's.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="What is random comes from it.")] = 0,
    every: Annotated[
        float | None, typer.Option(help="Tell every so many seconds; JSON is one object a line.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")] = False,
) -> None:
    """What a search thinks of a position: win rate, best moves, in Go score and ownership."""
    from tabia.app.commands import analyse as command

    command.analyse(
        agent,
        game=None if game is None else game.value,
        fen=fen,
        played=after,
        file=Path("/dev/stdin") if file == Path("-") else file,
        ordinal=ordinal,
        move=move,
        rules=rules,
        size=size,
        komi=komi,
        visits=visits,
        seconds=seconds,
        moves=moves,
        threads=threads,
        seed=seed,
        every_s=every,
        as_json_lines=as_json,
    )
