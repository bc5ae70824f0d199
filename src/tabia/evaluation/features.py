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

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import cast

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from tabia._native import chess_positions
from tabia.evaluation.boards import packed
from tabia.learning.examples import DenseInputs, Examples, Inputs, JoinedInputs
from tabia.tables import parquet
from tabia.tables.splits import SPLITS

__all__ = [
    "ENGINE_INPUTS",
    "PLACEMENT",
    "STATE",
    "FeaturesError",
    "PieceInputs",
    "examples",
    "placement",
    "read_inputs",
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

# Loaded by name: a model that reads no table must not be trained again for the code of one.
_TABLES = MappingProxyType(
    {"terms": "tabia._native.chess_terms", "tactics": "tabia._native.chess_tactics"}
)

_CASTLING_ROOK, _WHITE_KING, _BLACK_KING, _BLACK_KING_TO_MOVE = 14, 6, 12, 15  # chess/pack.hpp


class FeaturesError(ValueError):
    """A table of inputs of another group or of another run, or a value that is no number."""

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


def read_inputs(name: str, path: Path) -> pa.Table:
    """Read the table of one group of inputs; :func:`examples` checks what it holds.

    Raises
    ------
    FeaturesError
        If there is no such file.
    """
    if not path.is_file():
        raise FeaturesError(
            f"{path}: there is no such table of {name}; run the workflow, or"
            f" `tabia evaluation {name}`"
        )
    return parquet.read(path)


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
        If a position of the dataset is not in a table, a table has not exactly the columns of its
        group, or an input or a target is no finite number.
    """
    names = ENGINE_INPUTS[scenario]
    values = np.empty((len(dataset), len(names)), np.float32)
    for number, name in enumerate(names):
        values[:, number] = _engine_value(name, dataset)
    parts = [_group(name, dataset, tables) for name in groups]
    inputs = JoinedInputs((*parts, DenseInputs(names, values)))
    split = dataset["split"].to_numpy()
    target = _engine_value("target", dataset)
    game_id = dataset["game_id"].to_numpy()
    found: dict[str, Examples] = {}
    for name in SPLITS:
        index = np.flatnonzero(split == name)
        if len(index):
            found[name] = Examples(inputs.take(index), target[index], game_id[index])
    return found


def _engine_value(name: str, dataset: pa.Table) -> npt.NDArray[np.float32]:
    """Return a column of the dataset, ``[n]`` float32 pawns."""
    column = dataset[name]
    if column.null_count:
        raise FeaturesError(
            f"the dataset's {name} is null in {column.null_count} rows: filter mates; make the"
            " dataset anew"
        )
    values: npt.NDArray[np.float32] = column.to_numpy().astype(np.float32)
    _check_finite(f"the dataset's {name}", values, dataset)
    return values


def _check_finite(what: str, values: npt.NDArray[np.float32], dataset: pa.Table) -> None:
    bad = np.flatnonzero(~np.isfinite(values))
    if len(bad):
        first = int(bad[0])
        raise FeaturesError(
            f"{what} is {values[first]} at position_id"
            f" {dataset['position_id'][first].as_py().hex()}, no finite number in {len(bad)} rows;"
            " make the table anew"
        )


def _group(name: str, dataset: pa.Table, tables: Mapping[str, pa.Table]) -> Inputs:
    if name == "placement":
        return PieceInputs(chess_positions.piece_codes(packed(dataset["board"])))
    if name == "state":
        return DenseInputs(STATE, state(packed(dataset["board"])))
    if name not in tables:
        known = name in _TABLES
        raise FeaturesError(
            f"the model sees the inputs {name} and no table of them is given; "
            + (f"give --{name}" if known else f"only {', '.join(_TABLES)} have tables")
        )
    table, columns = tables[name], _columns(name, tables[name])
    row = pc.index_in(dataset["position_id"], table["position_id"].combine_chunks())
    if row.null_count:
        raise FeaturesError(
            f"{row.null_count} positions of the dataset are not in the table of {name};"
            " sample, dataset and table must be of one run"
        )
    x = np.empty((len(dataset), len(columns)), np.float32)
    index = row.to_numpy()
    for number, column in enumerate(columns):
        x[:, number] = table[column].to_numpy()[index]
        _check_finite(f"{column} in the table of {name}", x[:, number], dataset)
    return DenseInputs(columns, x)


def _columns(name: str, table: pa.Table) -> tuple[str, ...]:
    """Return the inputs of a group, which its table must have, and no others."""
    columns = cast(tuple[str, ...], importlib.import_module(_TABLES[name]).COLUMNS)
    expected = {"position_id", *columns}
    lost = [column for column in ("position_id", *columns) if column not in table.column_names]
    more = [column for column in table.column_names if column not in expected]
    if lost or more or len(table.column_names) != len(expected):
        faults = [f"no {lost[0]}"] if lost else []
        faults += [f"a column {more[0]} that is none of them"] if more else []
        raise FeaturesError(
            f"the table of {name} has not the {len(columns)} inputs of this version:"
            f" {' and '.join(faults) or 'a column twice'}; give the table that"
            f" `tabia evaluation {name}` writes, or make it anew"
        )
    for column in columns:
        kind = table.schema.field(column).type
        if not (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
            raise FeaturesError(
                f"the table of {name}: {column} holds {kind}, no numbers; make it anew by"
                f" `tabia evaluation {name}`"
            )
    return columns
