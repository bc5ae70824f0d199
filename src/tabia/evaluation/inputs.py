"""Inputs of positions that stand in no table: what a saved model needs for a position at hand.

The stages read inputs from tables by ``position_id``; here the same native code computes them
from packed boards. A test holds both equal.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tabia._native import chess_positions, chess_tactics, chess_terms
from tabia.evaluation.features import ENGINE_INPUTS, STATE, PieceInputs, state
from tabia.learning.examples import DenseInputs, Inputs, JoinedInputs

__all__ = ["GROUPS", "columns", "inputs"]

GROUPS = ("terms", "placement", "state", "tactics")
"""Groups of inputs that this version computes."""


def columns(groups: Sequence[str], scenario: int) -> tuple[str, ...]:
    """Return the names of the inputs that models see, in order."""
    empty = np.empty((0, 32), np.uint8)
    return inputs(groups, empty, np.empty((0, len(ENGINE_INPUTS[scenario])), np.float32)).columns


def inputs(
    groups: Sequence[str], boards: npt.NDArray[np.uint8], engine_values: npt.NDArray[np.float32]
) -> Inputs:
    """Return the inputs of positions.

    Parameters
    ----------
    groups
        Some of :data:`GROUPS`, in the model's order.
    boards
        ``[n, 32]`` packed boards.
    engine_values
        ``[n, k]`` pawns, White's view, shallow to deep.
    """
    names = ENGINE_INPUTS[1][: engine_values.shape[1]]
    parts = [_group(name, boards) for name in groups]
    if not names and len(parts) == 1:
        return parts[0]
    return JoinedInputs((*parts, DenseInputs(names, engine_values)))


def _group(name: str, boards: npt.NDArray[np.uint8]) -> Inputs:
    match name:
        case "placement":
            return PieceInputs(chess_positions.piece_codes(boards))
        case "state":
            return DenseInputs(STATE, state(boards))
        case "terms":
            return DenseInputs(chess_terms.COLUMNS, chess_terms.terms_from_boards(boards))
        case "tactics":
            values = chess_tactics.tactics_from_boards(boards)
            return DenseInputs(chess_tactics.COLUMNS, values.astype(np.float32))
        case _:
            raise ValueError(f"no group of inputs {name!r}; there are {', '.join(GROUPS)}")
