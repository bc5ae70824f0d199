"""Options that the stages' subcommands share, and how they are read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tabia.app.shards import expand_shards

if TYPE_CHECKING:
    from tabia.tables.spec import Spec

__all__ = ["FileList", "SpecOption", "paths", "spec_of"]

SpecOption = Annotated[str, typer.Option("--spec", help="The job's spec, one JSON string.")]
FileList = Annotated[
    str, typer.Option(help="Files, separated by spaces; a/{0..9}.parquet stands for ten.")
]


def paths(text: str) -> list[Path]:
    """Return the files of a :data:`FileList`: hundreds would not fit on a command line."""
    return [Path(name) for name in expand_shards(text.split())]


def spec_of(stage: str, text: str) -> Spec:
    """Read a spec; one that `stage` cannot run with is wrong usage."""
    from tabia.app.specs import checked

    return checked(stage, text)
