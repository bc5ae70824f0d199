"""Positions of rated games as models see them: arrays, legal moves and the moves before.

Equation (1) of Zhou, "XQSV" (arXiv 2407.04678) makes a game of l moves into l samples: the moves
before, at most `m` of them, and the move that was played. Here a sample is a row, and the moves
before it are the rows above, so that every memory `m` reads the same table.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import cast

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tabia.games.mover_view import MoverView
from tabia.imitation.by_game import VIEWS
from tabia.tables import parquet

__all__ = ["NO_ELO", "NO_MOVE", "NO_RESULT", "VIEWS", "Positions", "PositionsError", "view_of"]

NO_MOVE = -1
"""Stands for the moves before a game's first."""

NO_ELO = 0
"""Stands for the Elo of an unrated player."""

NO_RESULT = 2
"""Stands for a result that is not known."""


class PositionsError(ValueError):
    """A table that holds no positions to learn from, or of another kind."""

    exit_code = 3


def view_of(game: str) -> MoverView:
    """Return how a game shows its positions to models."""
    return cast(MoverView, import_module(VIEWS[game]).VIEW)


@dataclass(frozen=True)
class Positions:
    """Positions with the move that was played in each, games one after the other.

    Attributes
    ----------
    game
        Name of the game.
    board
        `[n, b]` packed boards.
    key
        `[n]` uint64 hashes of boards.
    in_check
        `[n]` bool.
    move
        `[n]` uint16 codes of the moves played.
    ply
        `[n]` int32 half-moves before; rises by one within a game.
    phase
        `[n]` int16: 128 opening to 0 endgame.
    game_id, split_hash
        `[n]` uint64, of the row's game; equal games have equal split hashes.
    mover_elo, other_elo
        `[n]` int32; :data:`NO_ELO` where unrated.
    result
        `[n]` int8 from the mover's view; :data:`NO_RESULT` where unknown.
    played_by
        Who played: `people`, `engines`, or both.
    """

    game: str
    board: NDArray[np.uint8]
    key: NDArray[np.uint64]
    in_check: NDArray[np.bool_]
    move: NDArray[np.uint16]
    ply: NDArray[np.int32]
    phase: NDArray[np.int16]
    game_id: NDArray[np.uint64]
    split_hash: NDArray[np.uint64]
    mover_elo: NDArray[np.int32]
    other_elo: NDArray[np.int32]
    result: NDArray[np.int8]
    played_by: str

    @classmethod
    def read(cls, path: Path) -> Positions:
        """Read the table that the stage ``imitation.samples`` writes.

        Raises
        ------
        PositionsError
            If it is not there, or is another table.
        """
        if not path.is_file():
            raise PositionsError(f"{path}: there is no such table of samples; run the workflow")
        return cls.of(parquet.read(path), str(path))

    @classmethod
    def of(cls, table: pa.Table, name: str) -> Positions:
        """Return the rows of a samples table; `name` leads error messages."""
        from tabia.imitation.samples import SAMPLES  # the schema's own module reads games

        missing = [column for column in SAMPLES.names if column not in table.column_names]
        if missing:
            raise PositionsError(
                f"{name}: no column {', '.join(missing)}: these are no samples of the imitation"
                " chapter; run the workflow again"
            )
        if not table.num_rows:
            raise PositionsError(f"{name}: no samples: no accepted game of its sources has moves")
        board = table["board"].combine_chunks()
        width = board.type.byte_width
        packed = np.frombuffer(board.buffers()[1], np.uint8)
        first = board.offset * width
        return cls(
            game=table["game"][0].as_py(),
            board=packed[first : first + len(board) * width].reshape(-1, width),
            key=table["position_key"].to_numpy(),
            in_check=table["in_check"].to_numpy(zero_copy_only=False),
            move=table["move"].to_numpy(),
            ply=table["ply"].to_numpy(),
            phase=table["phase"].to_numpy(),
            game_id=table["game_id"].to_numpy(),
            split_hash=table["split_hash"].to_numpy(),
            mover_elo=table["mover_elo"].fill_null(NO_ELO).to_numpy(),
            other_elo=table["other_elo"].fill_null(NO_ELO).to_numpy(),
            result=table["result"].fill_null(NO_RESULT).to_numpy(),
            played_by=" and ".join(sorted(set(table["played_by"].unique().to_pylist()))),
        )

    def __len__(self) -> int:
        return len(self.move)

    @cached_property
    def view(self) -> MoverView:
        """How the game shows positions to models."""
        return view_of(self.game)

    @cached_property
    def black(self) -> NDArray[np.bool_]:
        """`[n]`: True where the second player is to move."""
        return self.view.black_to_move(self.board)

    @cached_property
    def _legal(self) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
        return self.view.legal_moves(self.board)

    @property
    def legal_codes(self) -> NDArray[np.uint16]:
        """`[M]` codes of all legal moves, position after position, ascending in each."""
        return self._legal[0]

    @property
    def legal_offsets(self) -> NDArray[np.int64]:
        """`[n + 1]`: position i has ``legal_codes[legal_offsets[i]:legal_offsets[i + 1]]``."""
        return self._legal[1]

    @cached_property
    def row_in_game(self) -> NDArray[np.int32]:
        """`[n]`: rows of the same game above each row; the moves that can be remembered."""
        starts = np.flatnonzero(np.diff(self.game_id, prepend=~self.game_id[:1]) != 0)
        first = np.zeros(len(self), np.int64)
        first[starts] = starts
        return (np.arange(len(self)) - np.maximum.accumulate(first)).astype(np.int32)

    def previous_rows(self, index: NDArray[np.intp], memory: int) -> NDArray[np.int64]:
        """Return `[len(index), memory]` rows of the positions before, the latest first; -1 none."""
        lag = np.arange(1, memory + 1)
        rows = index[:, None] - lag
        return np.where(lag <= self.row_in_game[index][:, None], rows, -1)

    def previous_moves(self, index: NDArray[np.intp], memory: int) -> NDArray[np.int32]:
        """Return `[len(index), memory]` codes of the moves before, the latest first."""
        rows = self.previous_rows(index, memory)
        return np.where(rows >= 0, self.move[rows].astype(np.int32), NO_MOVE)

    def legal_of(self, index: NDArray[np.intp]) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
        """Return the legal moves of some rows: codes `[K]` and offsets `[len(index) + 1]`."""
        begin, end = self.legal_offsets[index], self.legal_offsets[index + 1]
        length = end - begin
        offsets = np.concatenate([[0], np.cumsum(length)]).astype(np.int64)
        places = np.arange(offsets[-1]) + np.repeat(begin - offsets[:-1], length)
        return self.legal_codes[places], offsets
