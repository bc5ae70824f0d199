"""Two vocabularies of xiangqi moves, for models that choose one of a fixed set.

**From-to, 2,086 moves**: every pair of squares that some piece can move between on an empty board.

=================  =====  ==============================================================
rook, cannon       1,530  90 squares, 8 others on the rank and 9 on the file of each
horse                508  4 * (8 * 8 + 7 * 9): steps of 1 by 2 and of 2 by 1, four ways
elephant              32  8 diagonals between the 7 points of each side, both ways
advisor               16  4 diagonals in each palace, both ways
king, pawn             0  theirs are among the rook's
=================  =====  ==============================================================

**Relative, 755 labels**: the WXF way of naming a move from the mover's side, the same for Red and
Black (Zhou, "XQSV", arXiv 2407.04678, section II-C, states the number only). A label is a piece, a
file counted from the mover's right, a direction (`+` forward, `-` back, `=` sideways) and the
number of ranks moved or, where the file changes, the new file: `H2+3`, `C2=5`, `R1-4`. Of two like
pieces on a file the front one has `+` and the rear one `-` in place of the file: `R+=4`, `A+-5`.

========  =========================================  ====  =========================  ======
piece     with a file                                  n   in front or behind              n
========  =========================================  ====  =========================  ======
rook      9 files * (8 `=`, 9 `+`, 9 `-`)             234  2 * 9 `=`, 2 * (8 + 9)         52
cannon    the same                                    234  the same                       52
horse     2 * (8 + 7) neighbouring files, `+`, `-`     60  2 * 9 files, `+`, `-`          36
pawn      9 `+1`, 2 * 8 neighbouring files `=`         25  2 * (`+1`, 9 files `=`)        20
elephant  files 1 3 5 7 9: 8 steps, `+`, `-`           16  `+-1 +-5 +-9 -+1 -+5 -+9`       6
king      3 `+1`, 3 `-1`, 4 `=`                        10  none                            0
advisor   files 4 5 6: 4 steps, `+`, `-`                8  `+-5 -+5`                       2
all                                                   587                                168
========  =========================================  ====  =========================  ======

A front rook or cannon stands on the second rank or beyond and cannot advance nine ranks, a rear one
cannot go back nine; what stands between is not considered, so that a front cannon's `C+-9`, a
capture over its fellow, and a front rook's are both labels. (Without the rook's the count would be
753.) Advisors and elephants have labels of both kinds, as PlayOK writes them.

Labels name legal moves almost always uniquely. Of three or more pawns on a file those in the middle
keep the file's number; so four or five on a file, or two on each of two files, can share labels.
A shared label means all its moves (none in the 178,818 positions of 2,243 real games).
"""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tabia._native.xiangqi_board import Board
from tabia._native.xiangqi_positions import piece_codes

__all__ = [
    "FROM_TO",
    "RELATIVE",
    "from_to_codes",
    "from_to_indices",
    "moves_of_label",
    "relative_indices",
    "relative_label",
]

_PIECES = "KAEHRCP"  # in the order of piece codes 1..7 and 8..14
_ORIGINS = "123456789+-"
_DIRECTIONS = "=+-"
_NO_INDEX = -1


def _from_to() -> tuple[int, ...]:
    moves = []
    for start in range(90):
        for end in range(90):
            wide, high = abs(end % 9 - start % 9), abs(end // 9 - start // 9)
            line = (wide == 0) != (high == 0)
            horse = {wide, high} == {1, 2}
            if line or horse or _is_advisors(start, end) or _is_elephants(start, end):
                moves.append(90 * start + end)
    return tuple(moves)


def _is_advisors(start: int, end: int) -> bool:
    centres = {13, 76}  # e1, e8
    return bool({start, end} & centres) and abs(end - start) in (8, 10)


def _is_elephants(start: int, end: int) -> bool:
    points = {2, 6, 18, 22, 26, 38, 42}  # c0, g0, a2, e2, i2, c4, g4
    points |= {89 - point for point in points}
    both_in = start in points and end in points
    return both_in and (start < 45) == (end < 45) and abs(end - start) in (16, 20)


def _relative() -> tuple[str, ...]:
    forms = product(_PIECES, _ORIGINS, _DIRECTIONS, range(1, 10))
    return tuple("{}{}{}{}".format(*form) for form in forms if _is_label(*form))


def _is_label(piece: str, origin: str, direction: str, number: int) -> bool:
    """Whether a piece on some file, or in front of or behind another, can move so."""
    file = int(origin) if origin.isdigit() else 0
    steps = abs(number - file)
    if piece in "RC":
        if direction == "=":
            return number != file
        return number < 9 or origin.isdigit() or origin != direction
    if piece == "P":
        if direction == "=":
            return steps == 1 or not file
        return direction == "+" and number == 1
    if piece == "K":
        if direction == "=":
            return 4 <= file <= 6 and 4 <= number <= 6 and steps == 1
        return 4 <= file <= 6 and number == 1
    if direction == "=":
        return False
    if piece == "H":
        return steps in (1, 2) or not file
    # An elephant or advisor in front can only go back, one behind only forward.
    if piece == "E":
        if file:
            return file % 2 == 1 and number % 2 == 1 and steps == 2
        return origin != direction and number in (1, 5, 9)
    if file:
        return 4 <= file <= 6 and 4 <= number <= 6 and steps == 1
    return origin != direction and number == 5


FROM_TO: tuple[int, ...] = _from_to()
"""The 2,086 move codes (90 * from + to), ascending; index i of a model means `FROM_TO[i]`."""

RELATIVE: tuple[str, ...] = _relative()
"""The 755 labels; pieces in the order K A E H R C P, files 1 to 9, `+`, `-`, then `=`, `+`, `-`."""

_RELATIVE_INDEX = {label: i for i, label in enumerate(RELATIVE)}
_CODES = np.array(FROM_TO, dtype=np.uint16)
_INDICES = np.full(8100, _NO_INDEX, dtype=np.int16)
_INDICES[_CODES] = np.arange(len(FROM_TO), dtype=np.int16)
# [piece, origin, direction, number - 1]
_LABELS = np.full((7, 11, 3, 9), _NO_INDEX, dtype=np.int16)
for _label, _index in _RELATIVE_INDEX.items():
    _LABELS[
        _PIECES.index(_label[0]),
        _ORIGINS.index(_label[1]),
        _DIRECTIONS.index(_label[2]),
        int(_label[3]) - 1,
    ] = _index


def from_to_indices(codes: ArrayLike) -> NDArray[np.int16]:
    """Index in `FROM_TO` of move codes, any shape; ValueError if one is no piece's move."""
    array = np.asarray(codes)
    known = (array >= 0) & (array < len(_INDICES))
    indices = np.where(known, _INDICES[np.where(known, array, 0)], np.int16(_NO_INDEX))
    if (indices == _NO_INDEX).any():
        raise ValueError(f"{array[indices == _NO_INDEX].flat[0]} is the code of no piece's move")
    return indices


def from_to_codes(indices: ArrayLike) -> NDArray[np.uint16]:
    """Move codes of indices into `FROM_TO`, any shape; IndexError beyond 0 .. 2085."""
    array = np.asarray(indices)
    if ((array < 0) | (array >= len(_CODES))).any():
        raise IndexError(f"indices of from-to moves are 0 to {len(_CODES) - 1}")
    return np.asarray(_CODES[array])


def relative_indices(boards: ArrayLike, codes: ArrayLike) -> NDArray[np.int16]:
    """Index in `RELATIVE` of one move in each position.

    Parameters
    ----------
    boards
        `[n, 45]` uint8 packed boards before the moves.
    codes
        `[n]` codes of legal moves. Of other codes some are noticed, the rest get some index.

    Raises
    ------
    ValueError
        If a move cannot be named: nothing stands where it starts, or no label fits (also an
        elephant's or advisor's move from a square that it never reaches).
    """
    moves = np.asarray(codes, dtype=np.int64)
    squares = piece_codes(boards)
    if moves.shape != (len(squares),):
        raise ValueError(f"{len(squares)} boards, moves of shape {list(moves.shape)}")
    if ((moves < 0) | (moves >= 8100)).any():
        raise ValueError("a move code is not within 0 to 8099")
    rows = np.arange(len(moves))
    start, end = moves // 90, moves % 90
    code = squares[rows, start].astype(np.int64)
    is_red = code <= 7
    file, end_file = (np.where(is_red, 9 - square % 9, square % 9 + 1) for square in (start, end))
    rank, end_rank = (np.where(is_red, square // 9, 9 - square // 9) for square in (start, end))

    like = squares.reshape(-1, 10, 9)[rows, :, start % 9] == code[:, None]
    ranks = np.where(is_red[:, None], np.arange(10), np.arange(9, -1, -1))
    has_front = (like & (ranks > rank[:, None])).any(axis=1)
    has_rear = (like & (ranks < rank[:, None])).any(axis=1)
    origin = np.where(has_rear & ~has_front, 9, np.where(has_front & ~has_rear, 10, file - 1))

    advance = end_rank - rank
    number = np.where(end_file == file, np.abs(advance), end_file)
    direction = np.where(advance > 0, 1, np.where(advance < 0, 2, 0))
    piece = np.where(is_red, code - 1, code - 8)
    indices: NDArray[np.int16] = _LABELS[piece, origin, direction, number - 1]
    bad = (code == 0) | (start == end) | (indices == _NO_INDEX)
    if bad.any():
        row = int(np.flatnonzero(bad)[0])
        raise ValueError(f"row {row}: move {moves[row]} is no move of the piece on its square")
    return indices


def relative_label(board: Board, code: int) -> str:
    """Label of a move in a position, such as `H2+3`; ValueError as `relative_indices`."""
    packed = np.frombuffer(board.packed(), dtype=np.uint8)[None]
    return RELATIVE[int(relative_indices(packed, [code])[0])]


def moves_of_label(board: Board, label: str) -> list[int]:
    """Codes of the legal moves with a label, ascending: one, none, or rarely more (see above).

    Raises
    ------
    ValueError
        If the label is none of `RELATIVE`.
    """
    if label not in _RELATIVE_INDEX:
        raise ValueError(f"{label!r} is none of the {len(RELATIVE)} labels, such as H2+3")
    codes = board.legal_moves()
    packed = np.frombuffer(board.packed(), dtype=np.uint8)
    boards = np.broadcast_to(packed, (len(codes), len(packed)))
    indices = relative_indices(boards, codes)
    return [c for c, i in zip(codes, indices, strict=True) if i == _RELATIVE_INDEX[label]]
