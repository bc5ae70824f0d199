"""Positions as planes, and legal moves as pairs of squares: what the one net sees.

Everything is from the mover's view (:mod:`tabia.games.mover_view`), so that the net plays both
sides alike. Planes are made batch by batch from a few bytes a position, so that millions of
positions fit in memory.

===================  ==========================================================================
own pieces           one plane a kind, 1 where it stands
opponent's pieces    the same
last moves           one plane for the start and one for the end of each, the latest first
own legal moves      how many end on the square, / 3
===================  ==========================================================================

Numbers beside the planes: both Elos, less 1500 and / 400, each with a 1 beside it if known (0 and 0
where not); half-moves / 60; 1 in check; the game's facts (castling rights).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from numpy.typing import NDArray

from tabia.imitation.positions import NO_ELO, Positions
from tabia.learning.training import Batch

__all__ = ["N_ELO_NUMBERS", "Shape", "Shown", "n_numbers", "n_planes"]

_ELO_CENTRE, _ELO_SPREAD = 1500.0, 400.0
_PLIES = 60.0
_DESTINATIONS = 3.0
_NUMBERS = 6  # two Elos, two marks, plies, check

N_ELO_NUMBERS = 4
"""How many of the numbers, the first, tell of Elos."""


@dataclass(frozen=True)
class Shape:
    """What a net's inputs and moves are, apart from any position.

    Attributes
    ----------
    rows, columns
        Of the board.
    n_planes, n_numbers
        Inputs.
    n_labels
        Labels of moves, for a bias each.
    """

    rows: int
    columns: int
    n_planes: int
    n_numbers: int
    n_labels: int


def n_planes(n_kinds: int, memory: int) -> int:
    """Return how many planes there are."""
    return 2 * n_kinds + 2 * memory + 1


def n_numbers(n_facts: int) -> int:
    """Return how many numbers stand beside the planes."""
    return _NUMBERS + n_facts


class Shown:
    """Rows of positions that are expanded to tensors batch by batch.

    A batch is: planes ``[n, planes, rows, columns]``, numbers ``[n, k]``, and of each legal move,
    padded to the most moves of any position of the batch, ``[n, L]``: start, end (squares), label,
    and whether it is one; then the place of the move played, ``[n]``, and the result, ``[n]``: 0
    loss, 1 draw, 2 win, -100 unknown.

    Parameters
    ----------
    positions
        The positions.
    index
        ``[n]`` rows of them.
    memory
        Past moves shown.
    """

    def __init__(self, positions: Positions, index: NDArray[np.intp], memory: int) -> None:
        self.positions, self.index, self.memory = positions, index, memory
        view = positions.view
        self._labels = view.vocabularies["from_to"]
        self.shape = Shape(
            rows=view.rows,
            columns=view.columns,
            n_planes=n_planes(view.n_kinds, memory),
            n_numbers=n_numbers(len(view.facts_names)),
            n_labels=len(self._labels.labels),
        )

    def __len__(self) -> int:
        return len(self.index)

    @cached_property
    def _row(self) -> NDArray[np.intp]:
        return self.positions.row_in_game.astype(np.intp)

    def take(self, index: NDArray[np.intp]) -> Batch:
        """Return some rows."""
        positions, view = self.positions, self.positions.view
        rows = self.index[index]
        board, black = positions.board[rows], positions.black[rows]
        n, squares = len(rows), view.rows * view.columns
        codes, offsets = positions.legal_of(rows)
        length = np.diff(offsets)
        of = np.repeat(np.arange(n), length)
        moves = view.squares(codes, black[of])
        column = np.arange(len(codes)) - offsets[:-1][of]
        padded = np.zeros((3, n, int(length.max())), np.int64)
        padded[0, of, column] = moves.start
        padded[1, of, column] = moves.end
        padded[2, of, column] = self._labels.indices(board[of], codes)
        is_move = np.arange(padded.shape[2]) < length[:, None]
        played = column[codes == positions.move[rows][of]]

        kinds = view.n_kinds
        # One more place a plane for what there is none of: no piece, no move before.
        planes = np.zeros((n, 2 * kinds + 1, squares), np.float32)
        pieces = view.pieces(board)
        planes[np.arange(n)[:, None], pieces, np.arange(squares)] = 1.0
        shown = [planes[:, 1:]]
        if self.memory:
            before = positions.previous_moves(rows, self.memory)
            known = before >= 0
            past = view.squares(
                np.where(known, before, 0).astype(np.uint16).ravel(), np.repeat(black, self.memory)
            )
            last = np.zeros((n, 2 * self.memory, squares + 1), np.float32)
            place = np.arange(self.memory)
            for half, square in enumerate((past.start, past.end)):
                at = np.where(known, square.reshape(n, self.memory), squares)
                last[np.arange(n)[:, None], 2 * place + half, at] = 1.0
            shown.append(last[:, :, :squares])
        reached = np.bincount(of * squares + moves.end, minlength=n * squares)
        shown.append((reached.reshape(n, 1, squares) / _DESTINATIONS).astype(np.float32))
        stacked = np.concatenate(shown, axis=1).reshape(n, -1, view.rows, view.columns)

        numbers = [
            *_elo(positions.mover_elo[rows]),
            *_elo(positions.other_elo[rows]),
            positions.ply[rows] / _PLIES,
            positions.in_check[rows],
        ]
        beside = np.concatenate([np.stack(numbers, axis=1), view.facts(board)], axis=1)
        result = positions.result[rows].astype(np.int64)
        return (
            torch.from_numpy(stacked).contiguous(memory_format=torch.channels_last),
            torch.from_numpy(beside.astype(np.float32)),
            torch.from_numpy(padded[0]),
            torch.from_numpy(padded[1]),
            torch.from_numpy(padded[2]),
            torch.from_numpy(is_move),
            torch.from_numpy(played),
            torch.from_numpy(np.where(result > 1, -100, result + 1)),
        )


def _elo(elo: NDArray[np.int32]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    known = elo != NO_ELO
    return np.where(known, (elo - _ELO_CENTRE) / _ELO_SPREAD, 0.0), known
