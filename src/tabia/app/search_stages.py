"""The stages of the search chapter, one subcommand each: ``tabia search train --spec …``.

Heavy imports stay inside the functions: completion runs this program at every Tab.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tabia.app.stage_options import FileList, SpecOption, paths, spec_of

__all__ = ["search"]

search = typer.Typer(help="Stages of the search chapter, as the rules call them.")

State = Annotated[Path, typer.Option(help="Folder for what a killed job has done.")]


@search.command("start")
def search_start(
    spec: SpecOption, net: Annotated[Path, typer.Option(help="Folder of the net.")]
) -> None:
    """Draw the weights of generation 0."""
    from tabia.search import start

    start.run(spec_of("search.start", spec), net=net)


@search.command("pretrain")
def search_pretrain(
    spec: SpecOption,
    games: FileList,
    state: State,
    net: Annotated[Path, typer.Option(help="Folder of the net.")],
) -> None:
    """Draw the weights of generation 0 and train them on records."""
    from tabia.search import pretrain

    checked = spec_of("search.pretrain", spec)
    pretrain.run(checked, games=paths(games), state=state, net=net)


@search.command("selfplay")
def search_selfplay(
    spec: SpecOption,
    net: Annotated[Path, typer.Option(help="Folder of the net that plays.")],
    state: State,
    games: Annotated[Path, typer.Option()],
    positions: Annotated[Path, typer.Option()],
    times: Annotated[Path, typer.Option()],
) -> None:
    """Play one shard of a generation's games."""
    from tabia.search import selfplay

    checked = spec_of("search.selfplay", spec)
    selfplay.run(checked, net=net, state=state, games=games, positions=positions, times=times)


@search.command("train")
def search_train(
    spec: SpecOption,
    games: FileList,
    positions: FileList,
    net: Annotated[Path, typer.Option(help="Folder of the net to begin with.")],
    state: State,
    model: Annotated[Path, typer.Option(help="Folder of the new net.")],
    times: Annotated[Path, typer.Option()],
) -> None:
    """Train the next net on the games of the last generations."""
    from tabia.search import train

    train.run(
        spec_of("search.train", spec),
        games=paths(games),
        positions=paths(positions),
        net=net,
        state=state,
        model=model,
        times=times,
    )


@search.command("gate")
def search_gate(
    spec: SpecOption,
    candidate: Annotated[Path, typer.Option(help="Folder of the new net.")],
    best: Annotated[Path, typer.Option(help="Folder of the best net so far.")],
    games: Annotated[Path, typer.Option()],
    chosen: Annotated[Path, typer.Option(help="Folder of the net that goes on.")],
) -> None:
    """Let the new net play the best one, and keep the winner."""
    from tabia.search import gate

    checked = spec_of("search.gate", spec)
    gate.run(checked, candidate=candidate, best=best, games=games, chosen=chosen)


@search.command("ladder")
def search_ladder(
    spec: SpecOption,
    first: Annotated[Path, typer.Option(help="Folder of the first player's net.")],
    games: Annotated[Path, typer.Option()],
    second: Annotated[
        Path | None, typer.Option(help="Folder of the second player's; a rival has none.")
    ] = None,
) -> None:
    """Play one match of a generation, with an earlier one or with a rival."""
    from tabia.search import ladder

    ladder.run(spec_of("search.ladder", spec), first=first, second=second, games=games)


@search.command("summary")
def search_summary(
    spec: SpecOption,
    games: FileList,
    positions: FileList,
    nets: FileList,
    matches: FileList,
    times: FileList,
    generations_table: Annotated[Path, typer.Option()],
    matches_table: Annotated[Path, typer.Option()],
    selfplay_table: Annotated[Path, typer.Option()],
    times_table: Annotated[Path, typer.Option()],
) -> None:
    """Write the chapter's result tables."""
    from tabia.search import summary

    summary.run(
        spec_of("search.summary", spec),
        games=paths(games),
        positions=paths(positions),
        nets=paths(nets),
        matches=paths(matches),
        times=paths(times),
        generations_table=generations_table,
        matches_table=matches_table,
        selfplay_table=selfplay_table,
        times_table=times_table,
    )
