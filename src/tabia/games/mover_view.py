"""Positions and moves as the player to move sees them: what a model of moves is shown.

A model that plays for both sides should not learn everything twice. So every game offers its
boards and moves from the mover's side: the own pieces at the bottom, codes 1 to `n_kinds`, the
opponent's above them. Column 0 is at the left of White, and in xiangqi of either mover: xiangqi is
turned by half, chess is reflected, since its king does not stand in the middle.

All functions work on whole arrays; boards are packed (`tabia.tables.schemas.BOARD_BYTES`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = ["MoverView", "Squares", "Vocabulary"]

Boards = NDArray[np.uint8]


@dataclass(frozen=True)
class Squares:
    """Where moves start and end, from the mover's view.

    Attributes
    ----------
    start, end
        `[n]` int16: row * columns + column, row 0 the mover's own.
    """

    start: NDArray[np.int16]
    end: NDArray[np.int16]


class Vocabulary(Protocol):
    """A fixed set of move labels, the same for both sides."""

    @property
    def name(self) -> str:
        """Name in the configuration: `from_to`, `relative`."""
        ...

    @property
    def labels(self) -> tuple[str, ...]:
        """Text of each label."""
        ...

    def indices(self, boards: Boards, codes: NDArray[np.uint16]) -> NDArray[np.int16]:
        """Return the label of one legal move in each position: boards `[n, b]`, codes `[n]`.

        Raises
        ------
        ValueError
            If a move has no label.
        """
        ...


class MoverView(Protocol):
    """What a game shows to models of moves."""

    @property
    def name(self) -> str:
        """Name of the game as in tables."""
        ...

    @property
    def rows(self) -> int:
        """Ranks of the board."""
        ...

    @property
    def columns(self) -> int:
        """Files of the board."""
        ...

    @property
    def n_kinds(self) -> int:
        """Kinds of pieces of one side."""
        ...

    @property
    def facts_names(self) -> tuple[str, ...]:
        """Names of the columns of `facts`."""
        ...

    @property
    def vocabularies(self) -> Mapping[str, Vocabulary]:
        """Move vocabularies by name."""
        ...

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the columns of `features`."""
        ...

    def black_to_move(self, boards: Boards) -> NDArray[np.bool_]:
        """Return `[n]`: True where the second player is to move."""
        ...

    def ordinary(self, boards: Boards) -> NDArray[np.bool_]:
        """Return `[n]`: True where every move that can follow has a label.

        False only for composed positions: of xiangqi, with an elephant or an advisor on a square
        that it never reaches.
        """
        ...

    def pieces(self, boards: Boards) -> NDArray[np.uint8]:
        """Return `[n, rows * columns]`: 0 empty, 1 .. n_kinds own, then the opponent's."""
        ...

    def facts(self, boards: Boards) -> NDArray[np.float32]:
        """Return `[n, len(facts_names)]`: what the board's pieces do not tell, castling rights."""
        ...

    def legal_moves(self, boards: Boards) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
        """Return codes `[M]` and offsets `[n + 1]`; board i has ``codes[offsets[i]:offsets[i+1]]``.

        Ascending in each board.
        """
        ...

    def squares(self, codes: NDArray[np.uint16], black: NDArray[np.bool_]) -> Squares:
        """Return where moves `[n]` of movers `[n]` start and end."""
        ...

    def features(
        self,
        boards: Boards,
        codes: NDArray[np.uint16],
        offsets: NDArray[np.int64],
        previous: NDArray[np.int32],
    ) -> NDArray[np.float32]:
        """Return `[M, len(feature_names)]`: features of every legal move, for ranking them.

        Parameters
        ----------
        codes, offsets
            As `legal_moves` returns them.
        previous
            `[n, 2]` codes of the opponent's last move and of the mover's own last; -1 for none.
        """
        ...
