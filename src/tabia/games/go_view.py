"""Go as the player to move sees it: `VIEW`, a :class:`tabia.games.mover_view.MoverView`.

Go's board looks the same from both sides, so nothing is turned; only the colours are the mover's
and the opponent's. A move is one point, where it starts and ends; for the pass there is a row below
the 19 of the board. Smaller boards lie in the top left corner. Legal is what the stones and a
simple ko allow, suicide too: superko hangs on the game before, and rules differ. After two passes
players may go on, so the passes are forgotten.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from tabia._native import go_move_features, go_positions
from tabia._native.go_board import PASS, decode_vertex
from tabia.games.mover_view import Boards, Squares, Vocabulary

__all__ = ["VIEW", "GoView", "Points"]

_LINES = 19
_WHITE_TO_MOVE, _PASSES = 1, 6  # bits of a packed board's second byte
_NO_KO = 0xFFFF
_BLOCK = 4096  # boards whose legality masks are held at once
_COLOURS = np.array([[0, 1, 2], [0, 2, 1]], np.uint8)  # by side to move: own is 1


class Points:
    """A point or the pass, 362 labels, the same for both sides."""

    name = "from_to"
    labels = tuple(decode_vertex(code, _LINES) for code in range(PASS + 1))

    def indices(self, boards: Boards, codes: NDArray[np.uint16]) -> NDArray[np.int16]:
        """Return the codes themselves: 19 * row + column, 361 for the pass."""
        found: NDArray[np.int16] = np.asarray(codes).astype(np.int16)
        return found


class GoView:
    """How Go shows its positions to models of moves."""

    name = "go"
    rows = _LINES + 1
    columns = _LINES
    n_kinds = 1
    facts_names: tuple[str, ...] = ("after_pass", "ko", "size")
    vocabularies: Mapping[str, Vocabulary] = MappingProxyType({"from_to": Points()})
    feature_names: tuple[str, ...] = go_move_features.COLUMNS

    def black_to_move(self, boards: Boards) -> NDArray[np.bool_]:
        """Return `[n]`: True where the second player, White, is to move; boards `[n, 96]`."""
        found: NDArray[np.bool_] = (boards[:, 1] & _WHITE_TO_MOVE) != 0
        return found

    def pieces(self, boards: Boards) -> NDArray[np.uint8]:
        """Return `[n, 380]`: 0 empty or off the board, 1 own, 2 the opponent's; the last row 0."""
        found = np.zeros((len(boards), self.rows * self.columns), np.uint8)
        white = self.black_to_move(boards).astype(np.intp)
        found[:, :PASS] = _COLOURS[white[:, None], go_positions.stones(boards)]
        return found

    def ordinary(self, boards: Boards) -> NDArray[np.bool_]:
        """Return `[n]`, all True: every point has a label."""
        return np.ones(len(boards), dtype=np.bool_)

    def facts(self, boards: Boards) -> NDArray[np.float32]:
        """Return `[n, 3]`: 1 after a pass; 1 where a ko forbids a point; lines / 19."""
        ko = boards[:, 2].astype(np.int64) | boards[:, 3].astype(np.int64) << 8
        facts = [(boards[:, 1] & _PASSES) != 0, ko != _NO_KO, boards[:, 0] / _LINES]
        return np.stack(facts, axis=1).astype(np.float32)

    def legal_moves(self, boards: Boards) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
        """Return codes `[M]` and offsets `[n + 1]`, the pass last; ValueError names a bad row."""
        open_boards = np.array(boards, np.uint8)
        open_boards[:, 1] &= _WHITE_TO_MOVE
        codes, counts = [np.zeros(0, np.uint16)], [np.zeros(1, np.int64)]
        for start in range(0, len(open_boards), _BLOCK):
            block = open_boards[start : start + _BLOCK]
            masks = go_positions.legal_masks(block, allows_suicide=True) != 0
            codes.append(np.nonzero(masks)[1].astype(np.uint16))
            counts.append(masks.sum(axis=1, dtype=np.int64))
        return np.concatenate(codes), np.cumsum(np.concatenate(counts))

    def squares(self, codes: NDArray[np.uint16], black: NDArray[np.bool_]) -> Squares:
        """Return where moves `[n]` start and end: their point, of the pass the row below."""
        points = np.asarray(codes).astype(np.int16)
        return Squares(start=points, end=points)

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
        return go_move_features.move_features(boards, codes, offsets, previous)


VIEW = GoView()
"""The game's view."""
