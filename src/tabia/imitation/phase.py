"""Stage ``imitation.phase``: which of a phase's candidates goes into the next phase."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa

from tabia.imitation.models.modules import PHASES, kind_of
from tabia.imitation.search import CANDIDATES, SearchError, best, winner
from tabia.tables import parquet
from tabia.tables.spec import Spec

__all__ = ["run"]

_OF_A_PHASE = ("game", "net", "bin", "phase")


def run(spec: Spec, *, candidates: Sequence[Path], previous: Path | None, phase: Path) -> None:
    """Write a phase's candidates and mark the winner.

    Parameters
    ----------
    candidates
        IN: one row each, in the order of the grid, which decides between equals.
    previous
        IN: table of the phase before, of whose winner the candidates are variants; None in the
        first phase.
    phase
        OUT: table under :data:`tabia.imitation.search.CANDIDATES`, one row chosen.

    Raises
    ------
    SearchError
        If the candidates are not of one phase, or not variants of the previous winner.
    NoWinnerError
        If the training of every candidate diverged.
    """
    if not candidates:
        raise SearchError(f"{phase}: a phase of no candidates")
    table = pa.concat_tables([parquet.read(path) for path in candidates]).cast(CANDIDATES)
    for name in _OF_A_PHASE:
        if len(set(table[name].to_pylist())) != 1:
            raise SearchError(
                f"{phase}: its candidates are of several searches or phases: {name}"
                f" {', '.join(map(str, sorted(set(table[name].to_pylist()))))}; delete them and run"
                " the workflow again"
            )
    if previous is not None:
        _check_variants(table, candidates, previous)
    row = best(table)
    chosen = pa.array([number == row for number in range(len(table))])
    table = table.set_column(
        table.schema.get_field_index("chosen"), CANDIDATES.field("chosen"), chosen
    )
    parquet.write(table, phase, spec=spec)


def _check_variants(table: pa.Table, candidates: Sequence[Path], previous: Path) -> None:
    """Refuse candidates that stem from another winner than the one in `previous`."""
    game, net, bin_, number = (table[name][0].as_py() for name in _OF_A_PHASE)
    before = winner(previous, game=game, net=net, bin=bin_, number=number - 1)
    own = PHASES[kind_of(net)][number - 1]
    for path, text in zip(candidates, table["structure"].to_pylist(), strict=True):
        structure = json.loads(text)
        other = [name for name in before if name not in own and structure[name] != before[name]]
        if other:
            raise SearchError(
                f"{path}: {', '.join(other)} not as the winner of {previous} has it; delete it and"
                " run the workflow again"
            )
