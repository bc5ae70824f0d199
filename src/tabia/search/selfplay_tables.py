"""Tables of games that players have played against themselves.

Views: *first* is the player who moves first (White, Red, in Go Black); the mover is the side to
move. Moves are codes of the game's move codec.
"""

from __future__ import annotations

import pyarrow as pa

__all__ = ["DUELS", "SELFPLAY_GAMES", "SELFPLAY_POSITIONS"]

SELFPLAY_GAMES = pa.schema(
    [
        pa.field("number", pa.int32(), nullable=False),  # 0-based in its generation
        pa.field("moves", pa.list_(pa.uint16()), nullable=False),
        pa.field("n_plies", pa.int32(), nullable=False),
        pa.field("result", pa.int8(), nullable=False),  # first player's view: 1, 0, -1
        pa.field("termination", pa.string(), nullable=False),  # rules, resignation
        pa.field("margin", pa.float32()),  # Go, if played to its end: Black's points less White's
        pa.field("owner", pa.binary()),  # Go, if played to its end: byte a point, row by row:
        # 0 nobody's, 1 Black's, 2 White's
        pa.field("played_on", pa.bool_(), nullable=False),  # nobody resigns in this game
        pa.field("gave_up", pa.int8()),  # who resigned or would have first: 1 first player, -1
        pa.field("gave_up_at", pa.int32()),  # plies before that
    ]
)
"""One row a game."""

SELFPLAY_POSITIONS = pa.schema(
    [
        pa.field("number", pa.int32(), nullable=False),  # of the game
        pa.field("ply", pa.int32(), nullable=False),  # moves played before
        pa.field("is_full", pa.bool_(), nullable=False),  # a full search: a target of training
        pa.field("value", pa.float32(), nullable=False),  # search's, mover's view, -1 to 1
        pa.field("evaluation", pa.float32(), nullable=False),  # the net's, mover's view
        pa.field("simulations", pa.int32(), nullable=False),  # of this search
        pa.field("moves", pa.list_(pa.uint16()), nullable=False),  # legal ones
        pa.field("visits", pa.list_(pa.uint32()), nullable=False),  # those of kept trees too
        pa.field("priors", pa.list_(pa.float32()), nullable=False),  # the net's, without noise
        pa.field("policy", pa.list_(pa.float32()), nullable=False),  # what the search recommends
    ]
)
"""One row a position that was searched."""

DUELS = pa.schema(
    [
        pa.field("first", pa.string(), nullable=False),  # the match's first player
        pa.field("second", pa.string(), nullable=False),
        pa.field("pair", pa.int32(), nullable=False),  # two games from one opening
        pa.field("is_first", pa.bool_(), nullable=False),  # the first player moves first
        pa.field("points", pa.float32(), nullable=False),  # the first player's: 1, 1/2, 0
        pa.field("opening", pa.int32(), nullable=False),  # plies that were given
        pa.field("n_plies", pa.int32(), nullable=False),
        pa.field("moves", pa.list_(pa.uint16()), nullable=False),
        pa.field("margin", pa.float32()),  # Go: the second player's own count, Black's view
    ]
)
"""One row a game of a match."""
