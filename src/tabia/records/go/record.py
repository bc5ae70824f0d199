"""What the reader of Go records gives: games, and records that are no game with the reason.

For every game tree found there is a `Record` or a `Reject`, in the order of the file, so that what
is found is what is accepted and rejected.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from tabia.records.reject import Reject

__all__ = ["REASONS", "Record", "Reject"]

REASONS = (
    "bad_file",  # no game tree in the file
    "bad_record",  # text that is no SGF, or that ends within a property
    "bad_setup",  # stones that cannot stand so, or that are placed while the game is played
    "bad_size",  # a rectangle, or a size that is not from 5 to 19
    "bad_move",  # a text that names no point of the board
    "illegal_move",  # a move that the rules forbid: an occupied point, a ko, suicide
    "unknown_variant",  # another game than Go
)
"""What a `Reject` may give as its reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One game, every move of which is legal.

    Records are equal if they are the same game, wherever and however it is written.

    Attributes
    ----------
    moves
        Codes, 19 * row + column from the top left corner, 361 for a pass; colours alternate.
    board_size
        5 to 19.
    start_fen
        Position before the first move as :class:`tabia._native.go_board.Board` writes it; None is
        the empty board of 19 lines with Black to move.
    passes_added
        How many of the moves are passes that the record leaves out.
    encoding
        How the text was encoded; ASCII counts as UTF-8.
    byte_offset, line
        Where the record begins in its file; line is 1-based.
    event, site, round, date, rules
        As in the file, stripped; None where absent or a placeholder. `date` is not yet ISO. `event`
        is the game's name where no event is given.
    time_control
        Main time and, behind a comma and a blank, overtime, as in the file.
    first_name, second_name
        Black's and White's.
    first_rank, second_rank
        As in the file: ``3d``, ``15k*``, ``P9段``.
    first_elo, second_elo
        The ranks on the scale of :mod:`tabia.records.go.ranks`, None where there is none.
    result
        Black's view: 1, 0, -1; None = unknown.
    termination
        ``resignation``, ``time``, ``forfeit``, ``void``, ``3.5 points``, or what the file says;
        None where it says nothing.
    komi
        In points; None = unknown.
    handicap
        As the file gives it: 0 none, 1 Black's first move without komi, 2 or more stones.
    has_clocks
        Whether the record has the time left at moves.
    comments
        Texts by number of plies played before them (0 = before the first move).
    variations
        Number of side lines in the file; only the main line is kept.
    """

    moves: list[int]
    board_size: int = 19
    start_fen: str | None = None
    passes_added: int = field(default=0, compare=False)
    encoding: str = field(default="utf-8", compare=False)
    byte_offset: int = field(default=0, compare=False)
    line: int = field(default=1, compare=False)
    event: str | None = None
    site: str | None = None
    round: str | None = None
    date: str | None = None
    first_name: str | None = None
    second_name: str | None = None
    first_rank: str | None = None
    second_rank: str | None = None
    first_elo: int | None = None
    second_elo: int | None = None
    result: Literal[1, 0, -1] | None = None
    termination: str | None = None
    time_control: str | None = None
    komi: float | None = None
    handicap: int | None = None
    rules: str | None = None
    has_clocks: bool = field(default=False, compare=False)
    comments: dict[int, str] = field(default_factory=dict)
    variations: int = field(default=0, compare=False)
