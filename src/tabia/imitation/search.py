"""What a structure search writes, and how a phase decides.

Section III-A of Zhou (arXiv 2407.04678): phase after phase two variables are decided, the others
standing at what earlier phases chose, or at their defaults.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, cast

import pyarrow as pa

from tabia.imitation.models.modules import PHASES, kind_of
from tabia.tables import parquet

__all__ = [
    "CANDIDATES",
    "NoWinnerError",
    "SearchError",
    "best",
    "phase_of",
    "variables",
    "winner",
]

_VARIABLES = (
    pa.field("memory", pa.int32()),  # null = all of the game
    pa.field("rnn", pa.string()),
    pa.field("rnn_dropout", pa.float64()),
    pa.field("rnn_hidden", pa.int32()),
    pa.field("rnn_activation", pa.string()),
    pa.field("blocks", pa.int32()),
    pa.field("channels", pa.int32()),
    pa.field("batch_norm", pa.bool_(), nullable=False),
    pa.field("dropout", pa.float64(), nullable=False),
    pa.field("fc_layers", pa.int32(), nullable=False),
    pa.field("fc_l2", pa.float64(), nullable=False),
    pa.field("fc_activation", pa.string(), nullable=False),
)

CANDIDATES = pa.schema(
    [
        pa.field("game", pa.string(), nullable=False),
        pa.field("net", pa.string(), nullable=False),
        pa.field("bin", pa.string(), nullable=False),
        pa.field("phase", pa.int32(), nullable=False),  # from 1
        pa.field("candidate", pa.string(), nullable=False),  # values of the phase's two variables
        *_VARIABLES,  # those that the net has not are null
        pa.field("structure", pa.string(), nullable=False),  # all its variables as JSON
        pa.field("n_train_games", pa.int64(), nullable=False),
        pa.field("n_train_positions", pa.int64(), nullable=False),
        pa.field("n_games", pa.int64(), nullable=False),  # of validation
        pa.field("n_positions", pa.int64(), nullable=False),
        pa.field("fault", pa.string()),  # why there is no net to measure; null for all others
        # From here to the parameters: null where there is a fault.
        pa.field("validation_top1", pa.float64()),  # over legal moves
        pa.field("validation_nll", pa.float64()),  # nats, over legal moves
        pa.field("validation_unfiltered_top1", pa.float64()),  # over all labels
        pa.field("validation_illegal", pa.float64()),  # mean mass on illegal labels
        # of each validation game, in order of id: positions, hits and sums of nll, for intervals
        pa.field("game_positions", pa.list_(pa.int32())),
        pa.field("game_hits", pa.list_(pa.int32())),
        pa.field("game_nll", pa.list_(pa.float64())),
        pa.field("parameters", pa.int64()),
        pa.field("epochs", pa.int32(), nullable=False),  # behind the weights kept; 0 = none were
        pa.field("chosen", pa.bool_(), nullable=False),
        pa.field("played_by", pa.string(), nullable=False),
    ]
)
"""One row a candidate; a phase has all of its own, one of them chosen."""


class SearchError(ValueError):
    """Tables of a search that do not belong together, or mark no winner."""

    exit_code = 3


class NoWinnerError(ValueError):
    """A phase of which every candidate has a fault."""

    exit_code = 2


def variables(structure: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns of a structure, null for the variables that it has not."""
    return {field.name: structure.get(field.name) for field in _VARIABLES}


def best(candidates: pa.Table) -> int:
    """Return the row of the winner.

    It has the highest accuracy on validation among legal moves; of equals the one with the lowest
    negative log-likelihood, then with the fewest parameters, then the first. A candidate with a
    fault never wins.

    Raises
    ------
    NoWinnerError
        If all have one.
    """
    rows = candidates.to_pylist()
    measured = [number for number, row in enumerate(rows) if row["fault"] is None]
    if not measured:
        one = rows[0]
        raise NoWinnerError(
            f"{one['game']}, search of {one['net']}, bin {one['bin']}, phase {one['phase']}: no"
            " candidate can be measured: "
            + "; ".join(f"{row['candidate']}: {row['fault']}" for row in rows)
        )
    return min(
        measured,
        key=lambda number: (
            -rows[number]["validation_top1"],
            rows[number]["validation_nll"],
            rows[number]["parameters"],
        ),
    )


def phase_of(net: str, names: Collection[str]) -> int | None:
    """Return the number, from 1, of the phase that decides these variables; None for none."""
    for number, own in enumerate(PHASES[kind_of(net)], 1):
        if set(own) == set(names):
            return number
    return None


def winner(phase: Path, *, game: str, net: str, bin: str, number: int) -> dict[str, Any]:
    """Return the structure that phase `number` of a search chose.

    Raises
    ------
    SearchError
        If the table is not there, is of another search or phase, or does not mark one row.
    """
    if not phase.is_file():
        raise SearchError(f"{phase}: there is no such phase of a search; run the workflow")
    chosen = [row for row in parquet.read(phase).to_pylist() if row.get("chosen")]
    if len(chosen) != 1:
        raise SearchError(
            f"{phase}: marks {len(chosen)} candidates as chosen, not one; delete it and run the"
            " workflow again"
        )
    wanted = {"game": game, "net": net, "bin": bin, "phase": number}
    other = [name for name, value in wanted.items() if chosen[0].get(name) != value]
    if other:
        raise SearchError(
            f"{phase}: {other[0]} is {chosen[0].get(other[0])}, not {wanted[other[0]]}; delete it"
            " and run the workflow again"
        )
    return cast(dict[str, Any], json.loads(chosen[0]["structure"]))
