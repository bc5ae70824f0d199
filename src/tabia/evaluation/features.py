"""What models see: groups of inputs computed from the position, then the engine's values.

``terms``
    The 194 evaluation terms (:mod:`tabia.evaluation.terms`), read from their table.
``placement``
    The paper's bitmap (section 4.1): twelve layers of 64 squares, six for the kinds of White's
    pieces and six for Black's; an input is 1 where White's piece of the layer's kind stands, -1
    where Black's does, else 0. Input ``64 * layer + square`` belongs to layers
    P N B R Q K p n b r q k and squares a1, b1, … h8.
``state``
    What placement leaves out: ``white_to_move`` (1 or -1) and the castling rights ``castle_K``,
    ``castle_Q``, ``castle_k``, ``castle_q`` (1 or 0).
``tactics``
    Static tactical inputs (:mod:`tabia.evaluation.tactics`), read from their table.

The engine's values follow, shallow to deep, in pawns, White's view: all three in scenario 1,
the two shallower in scenario 2, none in scenario 3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from tabia._native import chess_positions
from tabia.evaluation.boards import packed
from tabia.learning.examples import DenseInputs, Examples, Inputs, JoinedInputs
from tabia.tables.splits import SPLITS

__all__ = [
    "ENGINE_INPUTS",
    "PLACEMENT",
    "STATE",
    "FeaturesError",
    "PieceInputs",
    "examples",
    "placement",
    "state",
]

_LAYERS = "PNBRQKpnbrqk"
_SQUARES = tuple(file + rank for rank in "12345678" for file in "abcdefgh")

PLACEMENT = tuple(f"{piece}@{square}" for piece in _LAYERS for square in _SQUARES)
"""Names of the 768 placement inputs, ``P@a1`` … ``k@h8``."""

ENGINE_INPUTS = {1: ("input_1", "input_2", "input_3"), 2: ("input_1", "input_2"), 3: ()}
"""Columns of the dataset that each scenario adds, shallow to deep."""


STATE = ("white_to_move", "castle_K", "castle_Q", "castle_k", "castle_q")
"""Names of the inputs that tell whose move it is and who may castle."""

_CASTLING_ROOK, _WHITE_KING, _BLACK_KING, _BLACK_KING_TO_MOVE = 14, 6, 12, 15  # chess/pack.hpp


class FeaturesError(ValueError):
    """A table of inputs that does not belong to the dataset."""

    exit_code = 3


@dataclass(frozen=True)
class PieceInputs:
    """Piece placement kept as one byte a square.

    Attributes
    ----------
    codes
        ``[n, 64]`` uint8 from a1: 0 empty, 1..6 White's PNBRQK, 7..12 Black's.
    """

    codes: npt.NDArray[np.uint8]

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the 768 inputs."""
        return PLACEMENT

    def __len__(self) -> int:
        return len(self.codes)

    def rows(self, index: slice | npt.NDArray[np.integer]) -> npt.NDArray[np.float32]:
        """Return the inputs of some rows, float32 ``[m, 768]``."""
        return placement(self.codes[index])

    def take(self, index: npt.NDArray[np.integer]) -> PieceInputs:
        """Return some rows, still packed."""
        return PieceInputs(self.codes[index])


def placement(codes: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
    """Expand piece codes, uint8 ``[n, 64]``, to the bitmap, float32 ``[n, 768]`` of -1, 0, 1."""
    bitmap = np.zeros((len(codes), len(PLACEMENT)), np.float32)
    row, square = np.nonzero(codes)
    code = codes[row, square].astype(np.intp)
    bitmap[row, 64 * (code - 1) + square] = np.where(code <= 6, 1, -1)
    return bitmap


def state(boards: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
    """Return the inputs :data:`STATE` of packed boards, uint8 ``[n, 32]``: float32 ``[n, 5]``.

    Rights of Chess960 count by the side of the king on which the rook stands.
    """
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


def examples(
    dataset: pa.Table, scenario: int, groups: Sequence[str], tables: Mapping[str, pa.Table]
) -> dict[str, Examples]:
    """Return the rows of each split that has any, in the order of `dataset`.

    Parameters
    ----------
    dataset
        Rows of the dataset that passed a filter; see :mod:`tabia.evaluation.dataset`.
    scenario
        1, 2 or 3: which of the engine's values the models see.
    groups
        Groups of inputs, in order; see the module.
    tables
        Tables of the groups that have one, with a column ``position_id``.

    Raises
    ------
    FeaturesError
        If a position of the dataset is not in a table.
    """
    names = ENGINE_INPUTS[scenario]
    values = np.empty((len(dataset), len(names)), np.float32)
    for number, name in enumerate(names):
        if dataset[name].null_count:
            raise ValueError(f"{name} is null in {dataset[name].null_count} rows: filter mates")
        values[:, number] = dataset[name].to_numpy()
    parts = [_group(name, dataset, tables) for name in groups]
    inputs = JoinedInputs((*parts, DenseInputs(names, values)))
    split = dataset["split"].to_numpy()
    target = dataset["target"].to_numpy().astype(np.float32)
    game_id = dataset["game_id"].to_numpy()
    found: dict[str, Examples] = {}
    for name in SPLITS:
        index = np.flatnonzero(split == name)
        if len(index):
            found[name] = Examples(inputs.take(index), target[index], game_id[index])
    return found


def _group(name: str, dataset: pa.Table, tables: Mapping[str, pa.Table]) -> Inputs:
    if name == "placement":
        return PieceInputs(chess_positions.piece_codes(packed(dataset["board"])))
    if name == "state":
        return DenseInputs(STATE, state(packed(dataset["board"])))
    table = tables[name]
    row = pc.index_in(dataset["position_id"], table["position_id"].combine_chunks())
    if row.null_count:
        raise FeaturesError(
            f"{row.null_count} positions of the dataset are not in the table of {name};"
            " sample, dataset and table must be of one run"
        )
    columns = [column for column in table.column_names if column != "position_id"]
    x = np.empty((len(dataset), len(columns)), np.float32)
    index = row.to_numpy()
    for number, column in enumerate(columns):
        x[:, number] = table[column].to_numpy()[index]
    return DenseInputs(tuple(columns), x)
