"""Xiangqi games as text: PGN in four notations, and position commands of UCCI and UCI.

What is written is read back as the same game by the readers of this package. PGN keeps all fields
and comments; a position command keeps start and moves only.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator

from tabia._native.xiangqi_board import Board
from tabia.games.xiangqi_notation import Style, write_moves
from tabia.records.xiangqi.record import Record
from tabia.records.xiangqi.squares import clean

__all__ = ["STYLES", "Writer", "write", "write_pgn", "write_position"]

Writer = Callable[[Record], str]
"""Text of one game, its last line ended."""

_COLUMNS = 80
_RESULTS = {1: "1-0", 0: "1/2-1/2", -1: "0-1", None: "*"}
_FORMATS: dict[Style, str] = {
    "wxf": "WXF",
    "iccs": "ICCS",
    "chinese_simplified": "Chinese",
    "chinese_traditional": "Chinese",
}
# PGN has no way to write a closing brace in a comment.
_BRACES = str.maketrans("{}", "\uff5b\uff5d")
_NUMBERED = re.compile(r"[0-9]+\.")
_ISO_DATE = re.compile(r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")


def write_pgn(record: Record, style: Style = "wxf") -> str:
    """PGN of one game, an empty line behind it.

    Lines have at most 80 columns, of which a Chinese character takes two, where there is a blank
    to break at. Braces in comments become full-width ones, runs of blanks and line ends one blank.

    Parameters
    ----------
    style
        `wxf`, `iccs`, `chinese_simplified` or `chinese_traditional`.

    Raises
    ------
    ValueError
        If `style` is none of these.
    """
    if style not in _FORMATS:
        raise ValueError(f"style {style!r} is none of PGN's: {', '.join(_FORMATS)}")
    tags = "".join(f'[{name} "{_escaped(value)}"]\n' for name, value in _tags(record, style))
    return f"{tags}\n{_wrapped(_tokens(record, style))}\n\n"


def write_position(record: Record, style: Style = "ucci") -> str:
    """``position startpos moves …`` or ``position fen FEN moves …``, one line.

    Parameters
    ----------
    style
        `ucci` (ranks 0 to 9) or `uci` (ranks 1 to 10, as Fairy-Stockfish has them).
    """
    if style not in ("ucci", "uci"):
        raise ValueError(f"style {style!r} is neither ucci nor uci")
    start = "startpos" if record.start_fen is None else f"fen {record.start_fen}"
    moves = write_moves(record.moves, record.start_fen, style)
    return " ".join(["position", start, *(["moves", *moves] if moves else [])]) + "\n"


STYLES: dict[str, Writer] = {
    "pgn-wxf": lambda record: write_pgn(record, "wxf"),
    "pgn-iccs": lambda record: write_pgn(record, "iccs"),
    "pgn-chinese": lambda record: write_pgn(record, "chinese_simplified"),
    "pgn-chinese-traditional": lambda record: write_pgn(record, "chinese_traditional"),
    "ucci": write_position,
    "uci": lambda record: write_position(record, "uci"),
}
"""Writers by the name of what they write."""


def write(record: Record, to: str) -> str:
    """Text of one game in one of `STYLES`; ValueError if there is none of that name."""
    if to not in STYLES:
        raise ValueError(f"{to!r} cannot be written; {', '.join(STYLES)} can")
    return STYLES[to](record)


def _tags(record: Record, style: Style) -> Iterator[tuple[str, str]]:
    yield "Game", "Chinese Chess"
    yield "Event", record.event or "?"
    yield "Site", record.site or "?"
    yield "Date", _date(record.date)
    yield "Round", record.round or "?"
    yield "Red", record.first_name or "?"
    yield "Black", record.second_name or "?"
    yield "Result", _RESULTS[record.result]
    if record.first_elo is not None:
        yield "RedElo", str(record.first_elo)
    if record.second_elo is not None:
        yield "BlackElo", str(record.second_elo)
    for name, value in (
        ("TimeControl", record.time_control),
        ("Termination", record.termination),
        ("ECCO", record.opening_code),
    ):
        if value:
            yield name, value
    yield "Variant", "xiangqi"
    if record.start_fen is not None:
        yield "FEN", record.start_fen
    yield "Format", _FORMATS[style]


def _date(date: str | None) -> str:
    """PGN's form of an ISO date, ``1997.11.??``; any other text as it is."""
    if date is None:
        return "????.??.??"
    match = _ISO_DATE.fullmatch(date)
    return ".".join(part or "??" for part in match.groups()) if match else date


def _escaped(value: str) -> str:
    return clean(_CONTROLS.sub(" ", value)).replace("\\", "\\\\").replace('"', '\\"')


def _tokens(record: Record, style: Style) -> Iterator[str]:
    """What a line may be broken between, in order."""
    board = Board(record.start_fen)
    number, is_black = board.fullmove_number, board.black_to_move
    must_number = True
    yield from _comment(record, 0)
    for ply, text in enumerate(write_moves(record.moves, record.start_fen, style), 1):
        if not is_black:
            yield f"{number}."
        elif must_number:
            yield f"{number}..."
        yield text
        must_number = False
        for word in _comment(record, ply):
            must_number = True
            yield word
        number += is_black
        is_black = not is_black
    yield _RESULTS[record.result]


def _comment(record: Record, ply: int) -> list[str]:
    text = _CONTROLS.sub(" ", record.comments.get(ply, "")).translate(_BRACES)
    words = text.split()
    if not words:
        return []
    words[0] = "{" + words[0]
    words[-1] += "}"
    return words


def _wrapped(tokens: Iterator[str]) -> str:
    """Lines of the tokens; none begins with what means something at a line's start.

    That is a mark, and within a comment a number as of a move, where some programs begin a game.
    """
    in_comment = False
    lines: list[str] = []
    line, columns = "", 0
    for token in tokens:
        width = sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in token)
        glued = token[0] in "[%;" or (in_comment and _NUMBERED.match(token) is not None)
        in_comment = (in_comment or token[0] == "{") and token[-1] != "}"
        if line and (columns + 1 + width <= _COLUMNS or glued):
            line += " " + token
            columns += 1 + width
        else:
            if line:
                lines.append(line)
            line, columns = token, width
    return "\n".join([*lines, line])
