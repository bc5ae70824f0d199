"""Arrow schemas of the tables that pass between rooms. One place for names, types and units.

Points of view: *first* is the player who moves first in the game's rules (White in chess, Red in
xiangqi, Black in Go). Elo is the rating printed in the record, of Go its rank on one scale
(:mod:`tabia.records.go.ranks`). Ids and hashes are unsigned 64-bit. Where boards
are columns, the schema named here is that of chess, and :func:`of_game` gives another game's.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import pyarrow as pa

__all__ = [
    "BOARD_BYTES",
    "COUNTS",
    "GAMES",
    "LABELS",
    "LABEL_REJECTS",
    "LEAKS",
    "OCCURRENCES",
    "POSITIONS",
    "REJECTS",
    "SAMPLE",
    "SPLITS",
    "of_game",
]

BOARD_BYTES: Mapping[str, int] = MappingProxyType({"chess": 32, "xiangqi": 45, "go": 96})
"""Bytes of a packed board by game: the exact position without counters."""

_TEXT = pa.string()
_NAME = pa.dictionary(pa.int32(), pa.string())  # few distinct values a file
_BOARD = pa.field("board", pa.binary(BOARD_BYTES["chess"]), nullable=False)

GAMES = pa.schema(
    [
        pa.field("game_id", pa.uint64(), nullable=False),  # hash of (source, file, ordinal)
        pa.field("game", _NAME, nullable=False),  # chess, xiangqi, go
        pa.field("source", _NAME, nullable=False),  # name of the source in the config
        pa.field("file", _NAME, nullable=False),  # file, or archive::member
        pa.field("ordinal", pa.int64(), nullable=False),  # 0-based among the games found in file
        pa.field("byte_offset", pa.int64(), nullable=False),  # in the decompressed file
        pa.field("played_by", _NAME, nullable=False),  # people, engines
        pa.field("event", _TEXT),
        pa.field("site", _TEXT),
        pa.field("round", _TEXT),
        pa.field("date", _TEXT),  # ISO, cut where unknown: 1972, 1972-07, 1972-07-11
        pa.field("first_name", _TEXT),
        pa.field("second_name", _TEXT),
        pa.field("first_elo", pa.int32()),
        pa.field("second_elo", pa.int32()),
        pa.field("first_rank", _TEXT),  # Go, as recorded: 3d, 5k, P9段
        pa.field("second_rank", _TEXT),
        pa.field("result", pa.int8()),  # first player's view: 1, 0, -1, null = unknown
        pa.field("result_conflict", pa.bool_()),  # tag and movetext disagree; the tag is kept
        pa.field("termination", _TEXT),
        pa.field("time_control", _TEXT),
        pa.field("opening_code", _TEXT),  # ECO
        pa.field("variant", _NAME, nullable=False),  # standard, chess960 (chess)
        pa.field("start_fen", _TEXT),  # null = the game's own start
        pa.field("board_size", pa.int16()),  # Go
        pa.field("komi", pa.float32()),
        pa.field("handicap", pa.int16()),
        pa.field("rules", _TEXT),
        pa.field("has_evals", pa.bool_()),
        pa.field("has_clocks", pa.bool_()),
        pa.field("n_plies", pa.int32(), nullable=False),
        pa.field("moves", pa.list_(pa.uint16()), nullable=False),  # the game's move codec
        # of the content: variant, start and moves; of the header where no move is recorded
        pa.field("split_hash", pa.uint64(), nullable=False),
    ]
)
"""One row an accepted game."""

REJECTS = pa.schema(
    [
        pa.field("source", _NAME, nullable=False),
        pa.field("file", _NAME, nullable=False),
        pa.field("ordinal", pa.int64(), nullable=False),
        pa.field("byte_offset", pa.int64(), nullable=False),
        pa.field("line", pa.int64(), nullable=False),  # 1-based, in the decompressed file
        pa.field("reason", _TEXT, nullable=False),
        pa.field("detail", _TEXT, nullable=False),
        pa.field("legal_plies", pa.int32(), nullable=False),
    ]
)
"""One row a record that is not in the games table."""

COUNTS = pa.schema(
    [
        pa.field("game", _TEXT, nullable=False),
        pa.field("source", _TEXT, nullable=False),
        pa.field("file", _TEXT, nullable=False),
        pa.field("reason", _TEXT, nullable=False),  # "accepted" or a reject reason
        pa.field("games", pa.int64(), nullable=False),
        pa.field("played_by", _TEXT, nullable=False),
        # On the row "accepted" of a source with a file of headers, else null: games found in
        # tables of moves that it has a header of, and that it has none of.
        pa.field("joined", pa.int64()),
        pa.field("unjoined", pa.int64()),
    ]
)
"""Games by file and fate; a file's rows add up to the games found in it."""

SPLITS = pa.schema(
    [
        pa.field("game_id", pa.uint64(), nullable=False),
        pa.field("split", _TEXT, nullable=False),  # train, validation, test
        pa.field("first_elo_bin", _TEXT),  # "(1000,1100]"; null = unrated or outside
        pa.field("second_elo_bin", _TEXT),
        pa.field("both_elo_bin", _TEXT),  # set where both players share the bin
    ]
)
"""Split and Elo bins of every accepted game."""

OCCURRENCES = pa.schema(
    [
        pa.field("position_key", pa.uint64(), nullable=False),  # hash of board
        _BOARD,
        pa.field("phase", pa.int16(), nullable=False),  # 0 endgame .. 128 opening
        pa.field("flags", pa.uint8(), nullable=False),  # 1 check, 2 no legal move, 4 chess960
        pa.field("game", _NAME, nullable=False),
        pa.field("game_id", pa.uint64(), nullable=False),
        pa.field("split_hash", pa.uint64(), nullable=False),
        pa.field("ply", pa.int32(), nullable=False),  # 0 = before the first move
        pa.field("move", pa.uint16()),  # played next; null at the end
        pa.field("first_elo", pa.int32()),
        pa.field("second_elo", pa.int32()),
        pa.field("played_by", _NAME, nullable=False),
    ]
)
"""One row a position of an accepted game; one row group a bucket of position_key."""

POSITIONS = pa.schema(
    [
        pa.field("position_key", pa.uint64(), nullable=False),
        _BOARD,
        pa.field("phase", pa.int16(), nullable=False),
        pa.field("flags", pa.uint8(), nullable=False),
        pa.field("game", _TEXT, nullable=False),
        pa.field("game_id", pa.uint64(), nullable=False),  # owner: first by (split_hash, game_id)
        pa.field("split_hash", pa.uint64(), nullable=False),  # the owner's
        pa.field("split", _TEXT, nullable=False),  # the owner's
        pa.field("ply", pa.int32(), nullable=False),  # first ply in the owner
        pa.field("first_elo", pa.int32()),  # the owner's
        pa.field("second_elo", pa.int32()),
        pa.field("n_games", pa.int32(), nullable=False),  # distinct games that contain it
        pa.field("n_occurrences", pa.int32(), nullable=False),
        pa.field("played_by", _TEXT, nullable=False),  # people, engines, or both
    ]
)
"""One row a distinct position of all sources of a game."""

LEAKS = pa.schema(
    [
        pa.field("game", _TEXT, nullable=False),
        pa.field("split", _TEXT, nullable=False),
        pa.field("other_split", _TEXT, nullable=False),
        # positions; moves = (position, move) pairs; games whose positions are used;
        # owned positions = those that belong to a game of the split, never shared
        pa.field("what", _TEXT, nullable=False),
        pa.field("in_split", pa.int64(), nullable=False),  # distinct ones in games of split
        pa.field("in_other_split", pa.int64(), nullable=False),
        pa.field("in_both", pa.int64(), nullable=False),
    ]
)
"""What the games of two splits share in one bucket; buckets add up."""

SAMPLE = pa.schema(
    [
        pa.field("position_id", pa.binary(16), nullable=False),  # BLAKE2b-128 of fen
        pa.field("fen", _TEXT, nullable=False),  # four fields: no counters
        *(POSITIONS.field(name) for name in POSITIONS.names),
    ]
)
"""Positions chosen for labelling, ordered by position_id."""

LABELS = pa.schema(
    [
        pa.field("position_id", pa.binary(16), nullable=False),
        pa.field("fen", _TEXT, nullable=False),
        pa.field("limit", _TEXT, nullable=False),  # "depth 8", "nodes 100000", "movetime 500"
        pa.field("score_cp", pa.int32()),  # White's view, centipawns; null where mate is set
        pa.field("mate", pa.int16()),  # White's view, moves to mate; null = no mate; 0 = mated
        pa.field("move", _TEXT),  # best line's first move, UCI
        pa.field("second_score_cp", pa.int32()),  # second line of MultiPV, White's view
        pa.field("second_mate", pa.int16()),
        pa.field("second_move", _TEXT),
        pa.field("depth", pa.int16(), nullable=False),  # depth reached by the best line
        pa.field("nodes", pa.int64(), nullable=False),  # searched for this label
    ]
)
"""One row a (position, limit). Engine, version, net and options are in the metadata."""

LABEL_REJECTS = pa.schema(
    [
        pa.field("position_id", pa.binary(16), nullable=False),
        pa.field("fen", _TEXT, nullable=False),
        pa.field("limit", _TEXT, nullable=False),
        pa.field("reason", _TEXT, nullable=False),  # engine_crashed, engine_timeout, …
        pa.field("detail", _TEXT, nullable=False),  # with the end of the engine's output
    ]
)
"""One row a (position, limit) that has no label after all tries."""


def of_game(schema: pa.Schema, game: str) -> pa.Schema:
    """Return `schema`, which has boards of chess, with those of `game` (:data:`BOARD_BYTES`)."""
    board = _BOARD.with_type(pa.binary(BOARD_BYTES[game]))
    return schema.set(schema.get_field_index("board"), board)
