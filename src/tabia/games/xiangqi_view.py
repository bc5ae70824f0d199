"""Xiangqi as the player to move sees it: `VIEW`, a :class:`tabia.games.mover_view.MoverView`.

For Black the board is turned by half, square s becomes 89 - s, so that the own back rank is row 0
and column 0 is at the mover's left. Kinds of pieces are 1 to 7: king, advisor, elephant, horse,
rook, cannon, pawn; the opponent's are 8 to 14.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from tabia._native import xiangqi_move_features, xiangqi_outlook, xiangqi_positions
from tabia._native.xiangqi_board import decode_move
from tabia.games.mover_view import Boards, Squares, Vocabulary
from tabia.games.xiangqi_moves import FROM_TO, RELATIVE, from_to_indices, relative_indices

__all__ = ["VIEW", "FromTo", "Relative", "XiangqiView"]

_BLACK_KING_TO_MOVE = 15
_KINDS = 7
# The board turned by half, on a code 90 * from + to: 90 * (89 - from) + 89 - to.
_TURNED = 91 * 89


def _black_to_move(boards: Boards) -> NDArray[np.bool_]:
    low, high = boards & 15, boards >> 4
    found: NDArray[np.bool_] = np.maximum(low, high).max(axis=1, initial=0) == _BLACK_KING_TO_MOVE
    return found


class FromTo:
    """Both squares of a move, 2,086 labels; Black's moves are turned by half."""

    name = "from_to"
    labels = tuple(decode_move(code) for code in FROM_TO)

    def indices(self, boards: Boards, codes: NDArray[np.uint16]) -> NDArray[np.int16]:
        """Return the index in :data:`tabia.games.xiangqi_moves.FROM_TO` of the turned moves."""
        moves = np.asarray(codes, dtype=np.int64)
        return from_to_indices(np.where(_black_to_move(boards), _TURNED - moves, moves))


class Relative:
    """WXF's way of naming moves, 755 labels."""

    name = "relative"
    labels = RELATIVE

    def indices(self, boards: Boards, codes: NDArray[np.uint16]) -> NDArray[np.int16]:
        """Return the index in :data:`tabia.games.xiangqi_moves.RELATIVE`."""
        return relative_indices(boards, codes)


class XiangqiView:
    """How xiangqi shows its positions to models of moves."""

    name = "xiangqi"
    rows = 10
    columns = 9
    n_kinds = _KINDS
    facts_names: tuple[str, ...] = ()
    vocabularies: Mapping[str, Vocabulary] = MappingProxyType(
        {"relative": Relative(), "from_to": FromTo()}
    )
    feature_names: tuple[str, ...] = xiangqi_move_features.COLUMNS + xiangqi_outlook.COLUMNS

    def black_to_move(self, boards: Boards) -> NDArray[np.bool_]:
        """Return `[n]`: True where Black is to move; boards `[n, 45]`."""
        return _black_to_move(boards)

    def pieces(self, boards: Boards) -> NDArray[np.uint8]:
        """Return `[n, 90]`: 0 empty, 1 to 7 own K A E H R C P, 8 to 14 the opponent's."""
        codes = xiangqi_positions.piece_codes(boards)
        black = _black_to_move(boards)
        turned = codes[black, ::-1]
        codes[black] = _EXCHANGED[turned]
        return codes

    def ordinary(self, boards: Boards) -> NDArray[np.bool_]:
        """Return `[n]`: True where elephants and advisors stand on points of theirs."""
        codes = xiangqi_positions.piece_codes(boards)
        bad = np.zeros(len(codes), dtype=np.bool_)
        for piece, points in _POINTS.items():
            bad |= ((codes == piece) & ~points).any(axis=1)
        return ~bad

    def facts(self, boards: Boards) -> NDArray[np.float32]:
        """Return `[n, 0]`: the pieces tell everything."""
        return np.empty((len(boards), 0), dtype=np.float32)

    def legal_moves(self, boards: Boards) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
        """Return codes `[M]` and offsets `[n + 1]`; ValueError names a row that is no position."""
        return xiangqi_positions.legal_moves(boards)

    def squares(self, codes: NDArray[np.uint16], black: NDArray[np.bool_]) -> Squares:
        """Return where moves `[n]` of movers `[n]` start and end."""
        moves = np.asarray(codes, dtype=np.int16)
        moves = np.where(black, _TURNED - moves, moves).astype(np.int16)
        return Squares(start=moves // np.int16(90), end=moves % np.int16(90))

    def features(
        self,
        boards: Boards,
        codes: NDArray[np.uint16],
        offsets: NDArray[np.int64],
        previous: NDArray[np.int32],
    ) -> NDArray[np.float32]:
        """Return `[M, len(feature_names)]`; ValueError names a row with a move that is not legal.

        docs/imitation_inputs.md defines the columns.
        """
        own = xiangqi_move_features.move_features(boards, codes, offsets, previous)
        return np.concatenate([own, xiangqi_outlook.outlooks(boards, codes, offsets)], axis=1)


def _points(*squares: int) -> NDArray[np.bool_]:
    found = np.zeros(90, dtype=np.bool_)
    found[list(squares)] = True
    return found


_ADVISORS = _points(3, 5, 13, 21, 23)  # d0 f0 e1 d2 f2
_ELEPHANTS = _points(2, 6, 18, 22, 26, 38, 42)  # c0 g0 a2 e2 i2 c4 g4
# By piece code: red advisor and elephant are 2 and 3, the black ones 9 and 10.
_POINTS = {2: _ADVISORS, 3: _ELEPHANTS, 9: _ADVISORS[::-1], 10: _ELEPHANTS[::-1]}

_EXCHANGED = np.array([0, *range(8, 15), *range(1, 8)], dtype=np.uint8)

VIEW = XiangqiView()
"""The game's view."""
