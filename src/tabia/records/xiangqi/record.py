"""What a reader of xiangqi records gives: games, and records that are no game with the reason.

A reader is a function of a file's bytes and name that yields a `Record` or a `Reject` for every
record found, in the order of the file, so that what is found is what is accepted and rejected.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from tabia.games.xiangqi_notation import Notation as MoveNotation
from tabia.records.reject import Reject

__all__ = ["REASONS", "Notation", "Reader", "Record", "Reject"]

Notation = MoveNotation | Literal["squares"]
"""How a record writes its moves; `squares` are pairs of numbers, as binary formats have them."""

REASONS = (
    "bad_file",  # the bytes are no file of their format
    "bad_fen",  # the start is no position
    "bad_move",  # a text that names no move here, in any encoding tried
    "illegal_move",  # a move that the rules forbid
    "ambiguous_move",  # a text that names several legal moves
    "bad_record",  # a record whose fields contradict each other or are missing
    "null_move",  # a pass, which the rules forbid
    "unknown_variant",  # another game, or other rules
)
"""What a `Reject` may give as its reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One game, every move of which is legal.

    Attributes
    ----------
    moves
        Codes, 90 * from + to.
    start_fen
        Six-field FEN as this project writes it; None is the standard start.
    notation, encoding
        How the moves and the text were written. In binary files it is the encoding of their
        texts: of XQF the one found, of CBR and CBL UTF-16LE.
    byte_offset, line
        Where the record begins in its file; line is 1-based, 1 in binary files.
    event, site, round, date, termination, time_control, opening_code
        As in the file, stripped; None where absent or a placeholder. `date` is not yet ISO. Of
        PlayOK's tables `site` has the game's ID there: ``PlayOK game 12345``.
    first_name, second_name, first_elo, second_elo
        Red's and Black's.
    result
        First player's (Red's) view: 1, 0, -1; None = unknown.
    result_from
        Where the result comes from: a tag or field, the movetext's token, or the rules at the
        last position; None without a result.
    result_conflict
        Whether two places of the record disagree on the result. The tag is kept then; ``*`` is
        none, so that a last position without a legal move decides against it.
    comments
        Texts by number of plies played before them (0 = before the first move).
    variations
        Number of side lines in the file; only the main line is kept.
    """

    moves: list[int]
    start_fen: str | None = None
    notation: Notation
    encoding: str | None = None
    byte_offset: int = 0
    line: int = 1
    event: str | None = None
    site: str | None = None
    round: str | None = None
    date: str | None = None
    first_name: str | None = None
    second_name: str | None = None
    first_elo: int | None = None
    second_elo: int | None = None
    result: Literal[1, 0, -1] | None = None
    result_from: Literal["tag", "movetext", "board"] | None = None
    result_conflict: bool = False
    termination: str | None = None
    time_control: str | None = None
    opening_code: str | None = None
    comments: dict[int, str] = field(default_factory=dict)
    variations: int = 0


Reader = Callable[[bytes, str], Iterator[Record | Reject]]
"""A format's ``read(data, name)``; `name` is only for messages and for what a name tells."""
