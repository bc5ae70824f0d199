"""What files of programs share: pieces and moves as numbers of squares, texts in some encoding.

Such files hold trees; only the main line is kept and the side lines are counted. Every move is
checked by the rules, whatever a file says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from tabia._native.xiangqi_board import FenError, IllegalMoveError, decode_move
from tabia.records.xiangqi.dates import iso_date
from tabia.records.xiangqi.names import player_name
from tabia.records.xiangqi.places import FIRST, Place
from tabia.records.xiangqi.record import Record, Reject
from tabia.records.xiangqi.results import Result, settled
from tabia.records.xiangqi.start import board_of, start_fen

__all__ = [
    "PIECES",
    "FileError",
    "Sheet",
    "TextField",
    "can_stand",
    "clean",
    "known",
    "square_name",
]

PIECES = "RNBAKABNRCCPPPPP"
"""The set of a side in the order in which XQF and DhtmlXQ list it; capitals for Red."""

_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_SHOWN = 20
_PLACEHOLDER = " \t\r\n\u3000?.-_"

TextField = Literal[
    "event",
    "site",
    "round",
    "date",
    "termination",
    "time_control",
    "opening_code",
    "first_name",
    "second_name",
]
"""Fields of `Record` that are texts."""


class FileError(ValueError):
    """The bytes are no file of their format."""


@dataclass(slots=True)
class Sheet:
    """A game as a file gives it, not yet checked.

    Attributes
    ----------
    pieces
        Letters (capitals for Red) by square, a0 = 0 .. i9 = 89; None where `fen` says it.
    fen
        Start as the file writes it; None where `pieces` or the standard start hold.
    black_to_move
        What the file says of the side to move; with `pieces`, the first move's piece decides.
    squares
        Pairs of squares; a square outside 0 .. 89 is no move.
    written
        The moves as the file writes them, for messages; empty where it has no texts of them.
    comments
        Texts by number of plies played before them.
    side_lines
        Number of lines besides the main one.
    texts
        Fields of `Record` that are texts, as the file writes them.
    first_elo, second_elo, result, encoding
        As in `Record`.
    cut
        What is wrong where the side lines break off; None where they are whole.
    """

    pieces: Mapping[int, str] | None = None
    fen: str | None = None
    black_to_move: bool = False
    squares: list[tuple[int, int]] = field(default_factory=list)
    written: Sequence[str] = ()
    comments: dict[int, str] = field(default_factory=dict)
    side_lines: int = 0
    texts: Mapping[TextField, str | None] = field(default_factory=dict)
    first_elo: int | None = None
    second_elo: int | None = None
    result: Result = None
    encoding: str | None = None
    cut: str | None = None

    def records(self, name: str, place: Place = FIRST) -> Iterator[Record | Reject]:
        """Yield what `record` gives and, where side lines are cut, a reject that says so."""
        yield self.record(name, place)
        if self.cut is not None:
            detail = f"{name}: behind the whole main line, a side line is lost: {self.cut}"
            yield place.reject("bad_file", detail)

    def record(self, name: str, place: Place = FIRST) -> Record | Reject:
        """Check start and moves; `name` is for messages."""
        start = self._start()
        try:
            board = board_of(start)
        except FenError as error:
            return place.reject("bad_fen", f"{name}: {error}")
        start = start_fen(board)
        for ply, (origin, target) in enumerate(self.squares):
            if not (0 <= origin < 90 and 0 <= target < 90):
                reason, text = "bad_move", f"from {square_name(origin)} to {square_name(target)}"
            else:
                code = 90 * origin + target
                try:
                    board.push(code)
                    continue
                except IllegalMoveError:
                    reason, text = "illegal_move", decode_move(code)
            if self.written and reason == "bad_move":
                text = f"{self.written[ply][:_SHOWN]!r} is no pair of squares of the board"
            elif self.written:
                text += f" ({self.written[ply][:_SHOWN]!r})"
            detail = f"{name}: ply {ply + 1}, {text}: {reason.replace('_', ' ')} in {board.fen()}"
            return place.reject(reason, detail, legal_plies=ply)
        end = settled(self.result, board.moves(), start)
        return Record(
            moves=board.moves(),
            start_fen=start,
            notation="squares",
            encoding=self.encoding,
            event=self.texts.get("event"),
            site=self.texts.get("site"),
            round=self.texts.get("round"),
            date=iso_date(self.texts.get("date") or ""),
            first_name=player_name(self.texts.get("first_name") or ""),
            second_name=player_name(self.texts.get("second_name") or ""),
            first_elo=self.first_elo,
            second_elo=self.second_elo,
            termination=self.texts.get("termination"),
            time_control=self.texts.get("time_control"),
            opening_code=self.texts.get("opening_code"),
            comments={
                ply: text
                for ply, text in sorted(self.comments.items())
                if text and ply <= len(self.squares)
            },
            variations=self.side_lines,
            **end._asdict(),
            byte_offset=place.byte_offset,
            line=place.line,
        )

    def _start(self) -> str | None:
        if self.pieces is None:
            return self.fen
        rows = []
        for rank in range(9, -1, -1):
            row = "".join(self.pieces.get(9 * rank + file, "1") for file in range(9))
            rows.append(re.sub("1+", lambda run: str(len(run[0])), row))
        black = self.black_to_move
        if self.squares and (first := self.pieces.get(self.squares[0][0])) is not None:
            black = first.islower()
        return f"{'/'.join(rows)} {'b' if black else 'w'} - - 0 1"


def square_name(square: int) -> str:
    """Return a square's name, ranks from 0, or words for a number that is no square."""
    return f"{'abcdefghi'[square % 9]}{square // 9}" if 0 <= square < 90 else "off the board"


def can_stand(letter: str, square: int) -> bool:
    """Whether moves can bring a piece to a square, of a king, an advisor, an elephant or a pawn.

    Parameters
    ----------
    letter
        The piece, a capital for Red.
    square
        a0 = 0 .. i9 = 89.
    """
    file, rank = square % 9, square // 9
    if letter.islower():
        rank = 9 - rank
    kind = letter.upper()
    if kind == "K":
        return 3 <= file <= 5 and rank <= 2
    if kind == "A":
        return 3 <= file <= 5 and rank <= 2 and (file + rank) % 2 == 1
    if kind == "B":
        return (rank in (0, 4) and file in (2, 6)) or (rank == 2 and file in (0, 4, 8))
    if kind == "P":
        return rank >= 5 or (rank >= 3 and file % 2 == 0)
    return True


def clean(text: str) -> str:
    """Return text without control characters and outer blanks, its lines ended by line feeds."""
    text = _CONTROLS.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    return text.strip(" \t\n\u3000")


def known(text: str | None) -> str | None:
    """Return a field's text, cleaned; None where it is absent or a placeholder."""
    text = clean(text or "")
    return text if text.strip(_PLACEHOLDER) else None
