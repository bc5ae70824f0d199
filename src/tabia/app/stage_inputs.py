"""Whether the files that a stage is given go with its spec. Called before a stage begins."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from tabia.app.same_files import check_distinct
from tabia.evaluation.models.modules import TABLES
from tabia.imitation.models.modules import MODELS
from tabia.imitation.names import FINAL
from tabia.report.catalog import FIGURES, WIDE
from tabia.tables.spec import Spec

__all__ = ["InputsError", "check_features", "check_games", "check_tables", "parts_of_a_model"]


class InputsError(ValueError):
    """Options of a stage that do not go with its spec, or with each other."""

    exit_code = 2


def check_games(
    spec: Spec,
    files: Sequence[Path],
    blocks: Path | None,
    index: Path | None,
    headers: Path | None,
) -> None:
    """Check the inputs of ``records games``.

    Raises
    ------
    InputsError
        If blocks, index and their shard are not given together or beside files, or there are
        headers of games that have none of their own.
    SameFileError
        If a file is given twice.
    """
    if (blocks is None) != (index is None):
        raise InputsError("--blocks and --index go together; give both, or files")
    if blocks is not None and files:
        raise InputsError("--blocks and files: give one of them")
    if blocks is not None and spec.wildcards.get("shard") is None:
        raise InputsError("--spec: wildcards.shard: missing; it says which of --blocks are read")
    game = spec.config["source"]["game"]
    if headers is not None and game != "xiangqi":
        raise InputsError(
            f"--headers {headers}: only xiangqi records have headers in a file of their own, and "
            f"config.source.game of --spec is {game!r}; leave --headers out"
        )
    check_distinct(files)


def check_features(spec: Spec, given: Collection[str]) -> None:
    """Check that there is a table of each group of inputs that a model reads from one.

    Raises
    ------
    InputsError
        If one is missing.
    """
    for name in spec.config["inputs"]:
        if name in TABLES and name not in given:
            raise InputsError(f"--{name}: missing; config.inputs of --spec has {name!r}")


def check_tables(spec: Spec, given: Sequence[Path]) -> None:
    """Check that a figure, or a wide table, is given the result tables it reads.

    Raises
    ------
    InputsError
        If one is missing.
    """
    name, wanted = next(
        (spec.wildcards[key], known[spec.wildcards[key]].tables)
        for key, known in (("figure", FIGURES), ("wide", WIDE))
        if key in spec.wildcards
    )
    stems = {path.stem for path in given}
    if missing := [table for table in wanted if table not in stems]:
        raise InputsError(f"--tables: {name} reads {', '.join(missing)}, which is not given")


def parts_of_a_model(
    spec: Spec, given: Sequence[str], phase: Path | None, predictions: Path | None
) -> Mapping[str, Path]:
    """Return the folders of ``--part NAME=FOLDER`` by name, after a look at the other options.

    Raises
    ------
    InputsError
        If a part is missing, unknown or given twice, a search's result is missing or is that of
        no search, or predictions are wanted of a final model or not wanted of another.
    """
    model = spec.wildcards["model"]
    entry = MODELS[model]
    parts: dict[str, Path] = {}
    for option in given:
        name, sign, folder = option.partition("=")
        if not sign or not folder:
            raise InputsError(f"--part {option}: must be NAME=FOLDER")
        if name in parts:
            raise InputsError(f"--part {name}: given twice")
        parts[name] = Path(folder)
    if set(parts) != set(entry.parts):
        wanted = ", ".join(entry.parts) or "none"
        found = ", ".join(parts) or "none"
        raise InputsError(f"--part: {model} is put together from {wanted}; given: {found}")
    if (phase is None) != (entry.search is None):
        says = "has no search" if entry.search is None else "needs the last phase of its search"
        raise InputsError(f"--phase: {model} {says}, given: {phase or 'none'}")
    if (predictions is None) != (spec.wildcards["fold"] == FINAL):
        raise InputsError(
            f"--predictions: fold {spec.wildcards['fold']}, given: {predictions or 'none'}; a fold"
            f" that is held back is predicted, and {FINAL} holds none back"
        )
    return parts
