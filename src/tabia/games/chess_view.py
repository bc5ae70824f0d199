"""Chess as the player to move sees it: `VIEW`, a :class:`tabia.games.mover_view.MoverView`.

For Black the board is reflected, square s becomes s ^ 56: ranks are exchanged, files stay. Kinds of
pieces are 1 to 6: pawn, knight, bishop, rook, queen, king; the opponent's are 7 to 12. Standard
chess only: moves of boards whose castling rights need Chess960 are refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from tabia._native import chess_move_features, chess_outlook, chess_positions
from tabia.games.chess_moves import LABELS, from_to_indices
from tabia.games.mover_view import Boards, Squares, Vocabulary

__all__ = ["VIEW", "ChessView", "FromTo"]

# Nibbles of packed boards, beside 1 to 12 for pieces.
_EN_PASSANT_PAWN = 13
_CASTLING_ROOK = 14
_BLACK_KING_TO_MOVE = 15
_KINGS = (6, 12, _BLACK_KING_TO_MOVE)
_REFLECTED = 56


def _black_to_move(boards: Boards) -> NDArray[np.bool_]:
    low, high = boards & 15, boards >> 4
    found: NDArray[np.bool_] = np.maximum(low, high).max(axis=1, initial=0) == _BLACK_KING_TO_MOVE
    return found


def _rank(boards: Boards, rank: int) -> NDArray[np.uint8]:
    """Return `[n, 8]`: the nibbles of one rank, file a first."""
    part = boards[:, 4 * rank : 4 * rank + 4]
    return np.stack([part & 15, part >> 4], axis=2).reshape(len(boards), 8)


def _rights(boards: Boards, rank: int) -> NDArray[np.bool_]:
    """Return `[n, 2]`: rooks of a back rank that may castle, on the king's h side and a side."""
    nibbles = _rank(boards, rank)
    king = np.isin(nibbles, _KINGS).argmax(axis=1)[:, None]
    rook = nibbles == _CASTLING_ROOK
    file = np.arange(8)
    return np.stack([(rook & (file > king)).any(axis=1), (rook & (file < king)).any(axis=1)], 1)


class FromTo:
    """Both squares of a move and promotions, 1,858 labels from the mover's view."""

    name = "from_to"
    labels = LABELS

    def indices(self, boards: Boards, codes: NDArray[np.uint16]) -> NDArray[np.int16]:
        """Return the index in :data:`tabia.games.chess_moves.FROM_TO`."""
        return from_to_indices(codes, _black_to_move(boards))


class ChessView:
    """How chess shows its positions to models of moves."""

    name = "chess"
    rows = 8
    columns = 8
    n_kinds = 6
    facts_names: tuple[str, ...] = (
        "own_castles_short",
        "own_castles_long",
        "opponent_castles_short",
        "opponent_castles_long",
        *(f"en_passant_{file}" for file in "abcdefgh"),
    )
    vocabularies: Mapping[str, Vocabulary] = MappingProxyType({"from_to": FromTo()})
    feature_names: tuple[str, ...] = chess_move_features.COLUMNS + chess_outlook.COLUMNS

    def black_to_move(self, boards: Boards) -> NDArray[np.bool_]:
        """Return `[n]`: True where Black is to move; boards `[n, 32]`."""
        return _black_to_move(boards)

    def pieces(self, boards: Boards) -> NDArray[np.uint8]:
        """Return `[n, 64]`: 0 empty, 1 to 6 own P N B R Q K, 7 to 12 the opponent's."""
        codes = chess_positions.piece_codes(boards)
        black = _black_to_move(boards)
        reflected = codes[black].reshape(-1, 8, 8)[:, ::-1].reshape(-1, 64)
        codes[black] = _EXCHANGED[reflected]
        return codes

    def ordinary(self, boards: Boards) -> NDArray[np.bool_]:
        """Return `[n]`, all True: a piece of chess can reach every square that it may stand on."""
        return np.ones(len(boards), dtype=np.bool_)

    def facts(self, boards: Boards) -> NDArray[np.float32]:
        """Return `[n, 12]`, 0 or 1: rights to castle, own first; file of a legal en passant.

        Rights are those of the game's history: castling need not be legal now. A pawn that moved
        two squares is told of only where it can legally be taken.
        """
        black = _black_to_move(boards)[:, None]
        white_rights, black_rights = _rights(boards, 0), _rights(boards, 7)
        passing = (_rank(boards, 3) == _EN_PASSANT_PAWN) | (_rank(boards, 4) == _EN_PASSANT_PAWN)
        own = np.where(black, black_rights, white_rights)
        other = np.where(black, white_rights, black_rights)
        return np.concatenate([own, other, passing], axis=1).astype(np.float32)

    def legal_moves(self, boards: Boards) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
        """Return codes `[M]` and offsets `[n + 1]`, castling as king-from to king-to.

        ValueError names a row that is no position of standard chess.
        """
        return chess_positions.legal_moves(boards)

    def squares(self, codes: NDArray[np.uint16], black: NDArray[np.bool_]) -> Squares:
        """Return where moves `[n]` of movers `[n]` start and end."""
        moves = np.asarray(codes, dtype=np.uint16)
        turn = np.where(black, _REFLECTED, 0)
        return Squares(
            start=((moves & 63) ^ turn).astype(np.int16),
            end=((moves >> 6 & 63) ^ turn).astype(np.int16),
        )

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
        own = chess_move_features.move_features(boards, codes, offsets, previous)
        return np.concatenate([own, chess_outlook.outlooks(boards, codes, offsets)], axis=1)


_EXCHANGED = np.array([0, *range(7, 13), *range(1, 7)], dtype=np.uint8)

VIEW = ChessView()
"""The game's view."""
