"""Options of ``tabia nash`` and ``tabia geometry``: see `tabia.app.commands`."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["geometry", "nash"]


class _Scale(StrEnum):
    score = "score"
    half = "half"
    probability = "probability"


_File = Annotated[
    Path,
    typer.Argument(
        help="CSV: name,A,B… and a row a strategy; or first,second,wins,draws,losses. - is stdin."
    ),
]
_ScaleOption = Annotated[
    _Scale,
    typer.Option(help="A matrix holds mean scores -1 to 1, p - 1/2 (half), or win rates p."),
]


def nash(
    matrix: _File,
    scale: _ScaleOption = _Scale.score,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")] = False,
) -> None:
    """Solve a payoff matrix: the Nash equilibrium of largest entropy, clusters, cycles."""
    from tabia.app.commands import nash as command

    command.nash(_input(matrix), scale=scale.value, as_json=as_json)


def geometry(
    matrix: _File,
    out: Annotated[Path, typer.Option(help="Folder for tables and figures; made if need be.")],
    scale: _ScaleOption = _Scale.score,
    draws: Annotated[
        int, typer.Option(min=0, help="Resamples of games, and of pure Elo; 0: no intervals.")
    ] = 200,
    confidence: Annotated[float, typer.Option(min=0.5, max=0.999, help="Of intervals.")] = 0.95,
    seed: Annotated[int, typer.Option(min=0, help="Resamples draw from it.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")] = False,
) -> None:
    """Draw and measure the geometry of a game from a payoff matrix, with or without games."""
    from tabia.app.commands import geometry as command

    command.geometry(
        _input(matrix),
        out,
        scale=scale.value,
        draws=draws,
        confidence=confidence,
        seed=seed,
        as_json=as_json,
    )


def _input(file: Path) -> Path:
    return Path("/dev/stdin") if file == Path("-") else file
