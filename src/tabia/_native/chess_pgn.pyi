from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

REJECT_REASONS: tuple[str, ...]
"""Names of the reject reasons; `ParsedRejects.reason` indexes them."""

class Text(NamedTuple):
    """A text column in Arrow's layout, valid UTF-8."""

    offsets: NDArray[np.int32]
    """`[n + 1]`; value i is `data[offsets[i]:offsets[i + 1]]`."""
    data: NDArray[np.uint8]
    validity: NDArray[np.uint8]
    """`[n]` 1, or 0 for null."""

class ParsedRejects(NamedTuple):
    """Games found and not accepted, one row each."""

    ordinal: NDArray[np.int64]
    byte_offset: NDArray[np.int64]
    """`[m]` where the game begins in the stream."""
    line: NDArray[np.int64]
    """`[m]` where the game begins, 1-based."""
    reason: NDArray[np.uint8]
    """`[m]` index into `REJECT_REASONS`."""
    detail: Text
    legal_plies: NDArray[np.int32]
    """`[m]` moves that were legal before the fault."""

class ParsedPgn(NamedTuple):
    """Games of a block: one row an accepted game in every column, and the rejects."""

    found: int
    """Games found; the accepted and the rejected add up to it."""
    ordinal: NDArray[np.int64]
    """`[n]` place among all games found in the stream."""
    byte_offset: NDArray[np.int64]
    line: NDArray[np.int64]
    event: Text
    site: Text
    round: Text
    date: Text
    utc_date: Text
    utc_time: Text
    white: Text
    black: Text
    time_control: Text
    termination: Text
    eco: Text
    start_fen: Text
    """FEN as this project writes it; null = the standard start."""
    variant: Text
    """"standard" or "chess960"."""
    white_elo: NDArray[np.int32]
    """`[n]` -1 = null."""
    black_elo: NDArray[np.int32]
    result: NDArray[np.int8]
    """`[n]` White's view: 1, 0, -1; -128 = null."""
    result_conflict: NDArray[np.uint8]
    """`[n]` 1 where tag and movetext disagree; the tag is kept."""
    has_evals: NDArray[np.uint8]
    has_clocks: NDArray[np.uint8]
    split_hash: NDArray[np.uint64]
    """`[n]` hash of variant, start position and moves: equal for repeated games."""
    moves: NDArray[np.uint16]
    """Move codes of all games, one after the other."""
    ply_offsets: NDArray[np.int64]
    """`[n + 1]`; game i has `moves[ply_offsets[i]:ply_offsets[i + 1]]`."""
    rejects: ParsedRejects

def parse(data: Any, *, base_offset: int = 0, base_line: int = 1, ordinal: int = 0) -> ParsedPgn:
    """Parse a block of PGN, checking every move. The GIL is released meanwhile.

    Parameters
    ----------
    data
        Any buffer of bytes (bytes, memoryview, mmap, uint8 array), below 512 MiB. Whole games:
        see `safe_cut`.
    base_offset, base_line, ordinal
        Byte offset, line (1-based) and game ordinal of the block's first byte in the stream.

    Raises
    ------
    ValueError
        If the block is too large. Bad games are rows of `rejects`, never errors.
    """

def safe_cut(data: Any) -> tuple[int, int]:
    """Offset of the last game that surely starts in `data`, and the line feeds before it.

    Everything before may be parsed as a block and the rest be put before the next bytes of the
    stream; the games found are the same as in one piece. (0, 0) when no game but the first
    surely starts: read more.
    """
