"""Records that a reader gives one by one, as batches and as rows of the tables.

What the readers of xiangqi and Go share; chess has arrays of its own.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, Literal, Protocol, Self, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tabia.records.arrow import Origin, elo, same
from tabia.records.dates import iso_column
from tabia.records.hashing import game_ids
from tabia.records.reading import NO_RESULT
from tabia.records.reject import Reject
from tabia.records.xiangqi.dates import iso_date
from tabia.tables.schemas import REJECTS

__all__ = ["GameRecord", "RecordGames", "columns", "rejects", "texts"]


class GameRecord(Protocol):
    """What every game's records have, beside texts; see :data:`tabia.tables.schemas.GAMES`."""

    @property
    def moves(self) -> list[int]:
        """Codes of the moves, all legal."""

    @property
    def start_fen(self) -> str | None:
        """Where the game begins; None = its own start."""

    @property
    def byte_offset(self) -> int:
        """Where the record begins in its file."""

    @property
    def first_elo(self) -> int | None:
        """Rating of the player who moves first by the rules."""

    @property
    def second_elo(self) -> int | None:
        """Rating of the other player."""

    @property
    def result(self) -> Literal[1, 0, -1] | None:
        """First player's view; None = unknown."""


RecordT = TypeVar("RecordT", bound=GameRecord)


@dataclass(frozen=True)
class RecordGames(Generic[RecordT]):
    """The records of a file as :class:`tabia.records.reading.Parsed`.

    Attributes
    ----------
    games, rejects
        What the reader gave, each with its ordinal.
    """

    games: Sequence[tuple[int, RecordT]]
    rejects: Sequence[tuple[int, Reject]]

    @classmethod
    def sorted_out(cls, items: Sequence[RecordT | Reject], ordinal: int) -> Self:
        """Return games and rejects with their ordinals, the first of which is given."""
        games: list[tuple[int, RecordT]] = []
        faults: list[tuple[int, Reject]] = []
        for number, item in enumerate(items, start=ordinal):
            if isinstance(item, Reject):
                faults.append((number, item))
            else:
                games.append((number, item))
        return cls(games, faults)

    @abstractmethod
    def content_hash(self, game: RecordT) -> int:
        """Return the 64-bit hash of start and moves: equal for repeated games."""

    @property
    def found(self) -> int:
        """Records found."""
        return len(self.games) + len(self.rejects)

    @cached_property
    def split_hash(self) -> NDArray[np.uint64]:
        """Content hash of each game, `[n]`."""
        hashes = (self.content_hash(game) for _, game in self.games)
        return np.fromiter(hashes, np.uint64, len(self.games))

    @property
    def n_plies(self) -> NDArray[np.int32]:
        """Half-moves of each game, `[n]`."""
        return np.array([len(game.moves) for _, game in self.games], np.int32)

    @property
    def result(self) -> NDArray[np.int8]:
        """First player's view, `[n]`: 1, 0, -1; -128 = unknown."""
        results = (game.result for _, game in self.games)
        return np.array([NO_RESULT if one is None else one for one in results], np.int8)

    @property
    def reasons(self) -> list[str]:
        """Reason of each reject."""
        return [reject.reason for _, reject in self.rejects]


def texts(rows: Sequence[RecordT], *names: str) -> dict[str, pa.Array]:
    """Return columns of text, each an attribute of the records."""
    return {name: pa.array([getattr(game, name) for game in rows], pa.string()) for name in names}


def columns(
    parts: Sequence[tuple[RecordGames[RecordT], Origin]],
) -> tuple[list[RecordT], Mapping[str, pa.Array]]:
    """Return the games of `parts` and the columns that do not depend on the game."""
    rows = [game for part, _ in parts for _, game in part.games]
    ordinals = [np.array([at for at, _ in part.games], np.int64) for part, _ in parts]
    n_plies = np.array([len(game.moves) for game in rows], np.int32)
    moves = [np.array(game.moves, np.uint16) for game in rows]
    ids = [
        game_ids(origin.source, origin.file, at)
        for (_, origin), at in zip(parts, ordinals, strict=True)
    ]

    def each(name: str) -> pa.Array:
        values = [getattr(origin, name) for part, origin in parts for _ in part.games]
        return pa.array(values, pa.string()).dictionary_encode()

    def rating(name: str) -> pa.Array:
        # No rating where it does not fit the column: such numbers stand in real files.
        values = (getattr(game, name) or 0 for game in rows)
        return elo(np.array([value if 0 < value < 1 << 31 else 0 for value in values], np.int32))

    return rows, {
        "game_id": pa.array(np.concatenate([np.empty(0, np.uint64), *ids])),
        "game": each("game"),
        "source": each("source"),
        "file": each("file"),
        "ordinal": pa.array(np.concatenate([np.empty(0, np.int64), *ordinals])),
        "byte_offset": pa.array([game.byte_offset for game in rows], pa.int64()),
        "played_by": each("played_by"),
        **texts(rows, "event", "site", "round", "termination", "first_name", "second_name"),
        **texts(rows, "time_control", "start_fen"),
        "date": iso_column(texts(rows, "date")["date"], iso_date),
        **{name: rating(name) for name in ("first_elo", "second_elo")},
        "result": pa.array([game.result for game in rows], pa.int8()),
        "variant": same("standard", len(rows)),
        "n_plies": pa.array(n_plies),
        "moves": pa.ListArray.from_arrays(
            pa.array(np.concatenate([[0], np.cumsum(n_plies)]), pa.int32()),
            pa.array(np.concatenate([np.empty(0, np.uint16), *moves])),
        ),
        "split_hash": pa.array(
            np.concatenate([np.empty(0, np.uint64), *(part.split_hash for part, _ in parts)])
        ),
    }


def rejects(parts: Sequence[tuple[RecordGames[RecordT], Origin]]) -> pa.Table:
    """Return the rejects of `parts` under the schema REJECTS."""
    rows = [
        {
            "source": origin.source,
            "file": origin.file,
            "ordinal": ordinal,
            "byte_offset": reject.byte_offset,
            "line": reject.line,
            "reason": reject.reason,
            "detail": reject.detail,
            "legal_plies": reject.legal_plies,
        }
        for part, origin in parts
        for ordinal, reject in part.rejects
    ]
    return pa.Table.from_pylist(rows, schema=REJECTS)
