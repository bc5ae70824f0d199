"""What surrounds a legal move, as hashes: the situations in which people tend to play it.

Two moves of equal context are of one kind of piece, start and end on the same squares, as the mover
sees them, and agree in what the context adds. Contexts know nothing of a game's rules: boards,
squares and the moves before are all they read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from tabia.imitation.positions import Positions
from tabia.records.hashing import mix

__all__ = ["COARSER", "CONTEXTS", "HISTORY", "HISTORY_NAMES", "Moves", "contexts", "history"]

HISTORY = 16
"""Moves before that a move is compared with; half are the opponent's."""

_AGO = np.arange(1, HISTORY // 2 + 1)

Integers = NDArray[np.int64]
Hashes = NDArray[np.uint64]


@dataclass(frozen=True)
class Moves:
    """The legal moves of some positions, as their movers see them.

    Attributes
    ----------
    row
        `[M]` number of the move's position.
    start, end
        `[M]` squares.
    piece, captured
        `[M]` kinds of pieces, 0 for none.
    pieces
        `[n, rows, columns]` kinds of pieces on the board.
    before_start, before_end
        `[n, HISTORY]` squares of the moves before, the latest first; -1 for none.
    key
        `[n]` uint64 of the positions.
    """

    row: Integers
    start: Integers
    end: Integers
    piece: Integers
    captured: Integers
    pieces: Integers
    before_start: Integers
    before_end: Integers
    key: Hashes

    @classmethod
    def of(cls, positions: Positions, index: NDArray[np.intp]) -> Moves:
        """Return the legal moves of rows `index`, as `Positions.legal_of` orders them."""
        view, black = positions.view, positions.black[index]
        codes, offsets = positions.legal_of(index)
        row = np.repeat(np.arange(len(index)), np.diff(offsets))
        squares = view.squares(codes, black[row])
        pieces = view.pieces(positions.board[index]).astype(np.int64)
        start, end = squares.start.astype(np.int64), squares.end.astype(np.int64)
        moves = positions.previous_moves(index, HISTORY)
        none = moves < 0
        before = view.squares(
            np.where(none, 0, moves).astype(np.uint16).ravel(), np.repeat(black, HISTORY)
        )
        return cls(
            row=row,
            start=start,
            end=end,
            piece=pieces[row, start],
            captured=pieces[row, end],
            pieces=pieces.reshape(len(index), view.rows, view.columns),
            before_start=np.where(none, -1, before.start.reshape(none.shape)),
            before_end=np.where(none, -1, before.end.reshape(none.shape)),
            key=positions.key[index],
        )


class _Boards:
    """Hashes of parts of the boards: sums of a number for each piece on its square."""

    def __init__(self, moves: Moves, n_kinds: int) -> None:
        n, self.rows, self.columns = moves.pieces.shape
        square = np.arange(self.rows * self.columns).reshape(self.rows, self.columns)
        number = moves.pieces * square.size + square
        self._all = np.where(moves.pieces > 0, mix(number.astype(np.uint64)), np.uint64(0))
        self.own = np.where(moves.pieces <= n_kinds, self._all, np.uint64(0)).sum((1, 2))
        self._along, self._across = self._all.sum(1), self._all.sum(2)
        half = (self.columns + 1) // 2
        self._whole = self._along.sum(1)
        self._left = self._along[:, :half].sum(1)
        self._right = self._along[:, self.columns - half :].sum(1)
        self._half = half
        padded = np.zeros((n, self.rows + 2, self.columns + 2), np.uint64)
        padded[:, 1:-1, 1:-1] = self._all
        tall = padded[:, :-2] + padded[:, 1:-1] + padded[:, 2:]
        around = tall[:, :, :-2] + tall[:, :, 1:-1] + tall[:, :, 2:]
        self._around = around.reshape(n, -1)

    def around(self, row: Integers, square: Integers) -> Hashes:
        """Hash the pieces on a square and the eight about it."""
        found: Hashes = self._around[row, square]
        return found

    def lines(self, row: Integers, square: Integers) -> Hashes:
        """Hash the pieces on a square's rank and file."""
        rank, file = square // self.columns, square % self.columns
        found: Hashes = mix(self._across[row, rank]) + self._along[row, file]
        return found

    def wing(self, row: Integers, start: Integers, end: Integers) -> Hashes:
        """Hash the pieces on the half of the files where a move takes place, or all."""
        first, last = start % self.columns, end % self.columns
        low, high = np.minimum(first, last), np.maximum(first, last)
        right = np.where(low >= self.columns - self._half, self._right[row], self._whole[row])
        found: Hashes = np.where(high < self._half, self._left[row], right)
        return found


def _hash(*parts: NDArray[np.integer]) -> Hashes:
    found = np.zeros(1, np.uint64)
    for part in parts:
        found = mix(found ^ part.astype(np.uint64))
    return found


def _last(moves: Moves, which: int) -> Integers:
    square = moves.pieces[0].size + 1
    start, end = moves.before_start[:, which] + 1, moves.before_end[:, which] + 1
    found: Integers = (start * square + end)[moves.row]
    return found


COARSER: Mapping[str, str | None] = MappingProxyType(
    {
        "move": None,
        "captured": "move",
        "last_end": "captured",
        "last": "move",
        "own_last": "move",
        "both_last": "last",
        "around_end": "captured",
        "around": "around_end",
        "lines_start": "captured",
        "lines_end": "captured",
        "wing": "captured",
        "own": "move",
        "own_and_last": "own",
        "position": "own",
    }
)
"""Each context's coarser one, which stands before it."""

CONTEXTS = tuple(COARSER)
"""Names of the contexts."""


def contexts(moves: Moves, n_kinds: int) -> Mapping[str, Callable[[], Hashes]]:
    """Return for each context how to find its hash of every move, `[M]`.

    `move`: kind of piece, start and end alone. `captured`: what it takes besides. `last_end`: that
    and the square where the opponent's last move ended. `last`, `own_last`, `both_last`: the
    opponent's last move, the own last, both. `around_end`, `around`: the pieces on the nine squares
    about its end, about both ends. `lines_start`, `lines_end`: the pieces on the rank and file of
    its start, of its end. `wing`: all pieces on its half of the board's files. `own`: all pieces
    of the mover's; with the opponent's last move, `own_and_last`. `position`: the position.
    """
    boards, row = _Boards(moves, n_kinds), moves.row
    start, end = moves.start, moves.end
    move = _hash(moves.piece, start, end)
    last_end = moves.before_end[:, 0][row] + 1

    def after(*parts: NDArray[np.integer]) -> Callable[[], Hashes]:
        return lambda: _hash(move, *parts)

    return {
        "move": after(),
        "captured": after(moves.captured),
        "last_end": after(moves.captured, last_end),
        "last": after(_last(moves, 0)),
        "own_last": after(_last(moves, 1)),
        "both_last": after(_last(moves, 0), _last(moves, 1)),
        "around_end": lambda: _hash(move, boards.around(row, end)),
        "around": lambda: _hash(move, boards.around(row, end), boards.around(row, start)),
        "lines_start": lambda: _hash(move, boards.lines(row, start)),
        "lines_end": lambda: _hash(move, boards.lines(row, end)),
        "wing": lambda: _hash(move, boards.wing(row, start, end)),
        "own": lambda: _hash(move, boards.own[row]),
        "own_and_last": lambda: _hash(move, boards.own[row], _last(moves, 0)),
        "position": lambda: _hash(move, moves.key[row]),
    }


HISTORY_NAMES = (
    "start",
    "end",
    "moved_ago",
    "left_ago",
    "played_ago",
    "undone_ago",
    "opponent_came_ago",
    "opponent_left_ago",
    "last_start",
    "last_end",
    "last_piece",
    "own_last_end",
    "own_last_piece",
    "start_to_last",
)
"""Columns of :func:`history`."""


def history(moves: Moves) -> NDArray[np.float32]:
    """Return `[M, len(HISTORY_NAMES)]`: how a move stands to those before it.

    Squares of the move; own moves since its piece moved last, since a piece left its end, since
    the same move and since its reverse were played; the opponent's moves since a piece came to its
    end, since one left it; squares and kinds of piece of both last moves; king's steps from its
    start to where the opponent's last move ended. Ages are at least 1, and 9 for longer ago than
    the last eight moves; squares are -1 for none.
    """
    row, columns = moves.row, moves.pieces.shape[2]
    own_start, own_end = moves.before_start[row, 1::2], moves.before_end[row, 1::2]
    their_start, their_end = moves.before_start[row, 0::2], moves.before_end[row, 0::2]
    start, end = moves.start[:, None], moves.end[:, None]
    last, own_last = moves.before_end[row, 0], moves.before_end[row, 1]
    flat = moves.pieces.reshape(len(moves.pieces), -1)

    def kind(square: Integers) -> Integers:
        return np.where(square >= 0, flat[row, np.maximum(square, 0)], 0)

    steps = np.maximum(
        np.abs(moves.start // columns - last // columns),
        np.abs(moves.start % columns - last % columns),
    )
    found = (
        moves.start,
        moves.end,
        _ago(own_end == start),
        _ago(own_start == end),
        _ago((own_start == start) & (own_end == end)),
        _ago((own_start == end) & (own_end == start)),
        _ago(their_end == end),
        _ago(their_start == end),
        moves.before_start[row, 0],
        last,
        kind(last),
        own_last,
        kind(own_last),
        np.where(last >= 0, steps, -1),
    )
    return np.stack([column.astype(np.float32) for column in found], axis=1)


def _ago(is_so: NDArray[np.bool_]) -> Integers:
    found: Integers = np.where(is_so, _AGO, len(_AGO) + 1).min(axis=1)
    return found
