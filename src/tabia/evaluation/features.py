"""What models see: piece placement, and the engine's values at low depth.

Piece placement is the paper's bitmap (section 4.1): twelve layers of 64 squares, six for the
kinds of White's pieces and six for Black's; an input is 1 where White's piece of the layer's
kind stands, -1 where Black's does, else 0. Input ``64 * layer + square`` belongs to layers
P N B R Q K p n b r q k and squares a1, b1, … h8. As in the paper, nothing tells the side to
move, castling rights or en passant.

The engine's values follow, shallow to deep, in pawns, White's view: all three in scenario 1,
the two shallower in scenario 2, none in scenario 3.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from tabia._native import chess_positions
from tabia.evaluation.boards import packed
from tabia.learning.examples import Examples
from tabia.tables.splits import SPLITS

__all__ = ["ENGINE_INPUTS", "PLACEMENT", "PieceInputs", "examples", "placement"]

_LAYERS = "PNBRQKpnbrqk"
_SQUARES = tuple(file + rank for rank in "12345678" for file in "abcdefgh")

PLACEMENT = tuple(f"{piece}@{square}" for piece in _LAYERS for square in _SQUARES)
"""Names of the 768 placement inputs, ``P@a1`` … ``k@h8``."""

ENGINE_INPUTS = {1: ("input_1", "input_2", "input_3"), 2: ("input_1", "input_2"), 3: ()}
"""Columns of the dataset that each scenario adds, shallow to deep."""


@dataclass(frozen=True)
class PieceInputs:
    """Piece placement kept as one byte a square, with the engine's values beside it.

    Attributes
    ----------
    names
        Names of the engine's values.
    codes
        ``[n, 64]`` uint8 from a1: 0 empty, 1..6 White's PNBRQK, 7..12 Black's.
    values
        ``[n, len(names)]`` float32 pawns, White's view.
    """

    names: tuple[str, ...]
    codes: npt.NDArray[np.uint8]
    values: npt.NDArray[np.float32]

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the inputs: placement, then the engine's values."""
        return PLACEMENT + self.names

    def __len__(self) -> int:
        return len(self.codes)

    def rows(self, index: slice | npt.NDArray[np.integer]) -> npt.NDArray[np.float32]:
        """Return the inputs of some rows, float32 ``[m, 768 + len(names)]``."""
        return np.concatenate([placement(self.codes[index]), self.values[index]], axis=1)

    def take(self, index: npt.NDArray[np.integer]) -> PieceInputs:
        """Return some rows, still packed."""
        return PieceInputs(self.names, self.codes[index], self.values[index])


def placement(codes: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
    """Expand piece codes, uint8 ``[n, 64]``, to the bitmap, float32 ``[n, 768]`` of -1, 0, 1."""
    bitmap = np.zeros((len(codes), len(PLACEMENT)), np.float32)
    row, square = np.nonzero(codes)
    code = codes[row, square].astype(np.intp)
    bitmap[row, 64 * (code - 1) + square] = np.where(code <= 6, 1, -1)
    return bitmap


def examples(dataset: pa.Table, scenario: int) -> dict[str, Examples]:
    """Return the rows of each split that has any, in the order of `dataset`.

    Parameters
    ----------
    dataset
        Rows of the dataset that passed a filter; see :mod:`tabia.evaluation.dataset`.
    scenario
        1, 2 or 3: which of the engine's values the models see.
    """
    names = ENGINE_INPUTS[scenario]
    codes = chess_positions.piece_codes(packed(dataset["board"]))
    values = np.empty((len(dataset), len(names)), np.float32)
    for number, name in enumerate(names):
        if dataset[name].null_count:
            raise ValueError(f"{name} is null in {dataset[name].null_count} rows: filter mates")
        values[:, number] = dataset[name].to_numpy()
    inputs = PieceInputs(names, codes, values)
    split = dataset["split"].to_numpy()
    target = dataset["target"].to_numpy().astype(np.float32)
    game_id = dataset["game_id"].to_numpy()
    found: dict[str, Examples] = {}
    for name in SPLITS:
        index = np.flatnonzero(split == name)
        if len(index):
            found[name] = Examples(inputs.take(index), target[index], game_id[index])
    return found
