"""Inputs of positions that stand in no table: what a saved model needs for a position at hand.

The stages read inputs from tables by ``position_id``; here the same native code computes them
from packed boards. A test holds both equal.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tabia._native import chess_positions, chess_tactics, chess_terms
from tabia.evaluation.features import ENGINE_INPUTS, STATE, PieceInputs
from tabia.learning.examples import DenseInputs, Inputs, JoinedInputs

__all__ = ["GROUPS", "columns", "inputs", "state_of_boards"]

GROUPS = ("terms", "placement", "state", "tactics")
"""Groups of inputs that this version computes."""

_CASTLING_ROOK, _WHITE_KING, _BLACK_KING, _BLACK_KING_TO_MOVE = 14, 6, 12, 15  # chess/pack.hpp


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


def state_of_boards(boards: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
    """Return the inputs of the group ``state`` of packed boards, float32 ``[n, 5]``."""
    squares = np.empty((len(boards), 64), np.uint8)  # undecoded: rights and side are in the codes
    squares[:, 0::2] = boards & 15
    squares[:, 1::2] = boards >> 4
    found = np.zeros((len(boards), len(STATE)), np.float32)
    black = squares == _BLACK_KING_TO_MOVE
    found[:, 0] = np.where(black.any(axis=1), -1, 1)
    kings = (squares == _WHITE_KING, (squares == _BLACK_KING) | black)
    files = np.arange(8)
    for side, rank, king in zip((0, 2), (slice(0, 8), slice(56, 64)), kings, strict=True):
        rook = squares[:, rank] == _CASTLING_ROOK
        file = np.argmax(king, axis=1)[:, np.newaxis] % 8
        found[:, 1 + side] = (rook & (files > file)).any(axis=1)
        found[:, 2 + side] = (rook & (files < file)).any(axis=1)
    return found


def _group(name: str, boards: npt.NDArray[np.uint8]) -> Inputs:
    match name:
        case "placement":
            return PieceInputs(chess_positions.piece_codes(boards))
        case "state":
            return DenseInputs(STATE, state_of_boards(boards))
        case "terms":
            return DenseInputs(chess_terms.COLUMNS, chess_terms.terms_from_boards(boards))
        case "tactics":
            values = chess_tactics.tactics_from_boards(boards)
            return DenseInputs(chess_tactics.COLUMNS, values.astype(np.float32))
        case _:
            raise ValueError(f"no group of inputs {name!r}; there are {', '.join(GROUPS)}")
