"""A vocabulary of chess moves, for models that choose one of a fixed set.

**From-to, 1,858 labels**, the same for White and Black: squares are the mover's
(:mod:`tabia.games.chess_view`), so that e2e4 also names Black's e7e5.

==============  =====  =============================================================
queen           1,456  every pair of squares on one rank, file or diagonal: 896 + 560
knight            336  8 * (6 * 7), both ways of stepping 1 by 2
promotions         66  22 steps onto the last rank (8 ahead, 14 aside), to N, B or R
==============  =====  =============================================================

King's, rook's, bishop's and pawn's moves, en passant and castling (king-from to king-to) are among
the queen's. A pawn that becomes a queen has the plain label of its step: that is what it nearly
always becomes, and another piece's move between the squares cannot be meant at the same time.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["FROM_TO", "LABELS", "from_to_indices"]

_NO_INDEX = -1
_QUEEN = 4  # codes of promotion: 1 N, 2 B, 3 R, 4 Q
_PROMOTED = " nbr"


def _from_to() -> tuple[int, ...]:
    moves = []
    for start in range(64):
        for end in range(64):
            wide, high = abs(end % 8 - start % 8), abs(end // 8 - start // 8)
            queen = start != end and (wide == 0 or high == 0 or wide == high)
            code = start | end << 6
            if queen or {wide, high} == {1, 2}:
                moves.append(code)
            if start // 8 == 6 and end // 8 == 7 and wide <= 1:
                moves += [code | piece << 12 for piece in (1, 2, 3)]
    return tuple(sorted(moves))


def _text(code: int) -> str:
    squares = (code & 63, code >> 6 & 63)
    places = "".join(f"{'abcdefgh'[square % 8]}{square // 8 + 1}" for square in squares)
    return (places + _PROMOTED[code >> 12]).rstrip()


FROM_TO: tuple[int, ...] = _from_to()
"""The 1,858 move codes, ascending, from the mover's view and without the queen's promotion."""

LABELS: tuple[str, ...] = tuple(_text(code) for code in FROM_TO)
"""Texts such as e2e4, b7a8n, e7e8 (also a promotion to a queen), in the order of `FROM_TO`."""

_INDICES = np.full(1 << 16, _NO_INDEX, dtype=np.int16)
_INDICES[list(FROM_TO)] = np.arange(len(FROM_TO), dtype=np.int16)
for _code in FROM_TO:
    if _code >> 12 == 1:  # the step of a promotion
        _INDICES[(_code & 0xFFF) | _QUEEN << 12] = _INDICES[_code & 0xFFF]


def from_to_indices(codes: ArrayLike, black: ArrayLike) -> NDArray[np.int16]:
    """Index in `FROM_TO` of moves, any shape.

    Parameters
    ----------
    codes
        Codes of moves of standard chess, castling as king-from to king-to.
    black
        Whether Black is the mover; of the shape of `codes`.

    Raises
    ------
    ValueError
        If one is no piece's move.
    """
    array = np.asarray(codes, dtype=np.int64)
    known = (array >= 0) & (array < 1 << 16)
    # The ranks of both squares exchanged: from ^ 56 and to ^ 56.
    turned = np.where(np.asarray(black, dtype=np.bool_), array ^ (56 | 56 << 6), array)
    indices = np.where(known, _INDICES[np.where(known, turned, 0)], np.int16(_NO_INDEX))
    if (indices == _NO_INDEX).any():
        raise ValueError(f"{array[indices == _NO_INDEX].flat[0]} is the code of no piece's move")
    return indices
