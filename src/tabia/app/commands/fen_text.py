"""Lines with a FEN or an EPD, and what messages repeat of them."""

from __future__ import annotations

from tabia._native.chess_board import Board, FenError

__all__ = ["SHOWN", "fen_of", "ignored_castling", "shortened", "why"]

SHOWN = 200
"""Characters that a message repeats of somebody's text."""

_FIELDS, _COUNTERS = 4, 2


def shortened(text: str) -> str:
    """Return a text cut to `SHOWN` characters, with an ellipsis for the rest."""
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


def fen_of(text: str) -> str:
    """Return what a line says before the operations of an EPD, if it has any.

    Operations (``bm Nf3; id "one";``) follow the fourth field or the two counters, begin with a
    letter and end with a semicolon. A text with anything else behind its fields is returned
    whole: the board refuses it.
    """
    if not text.endswith(";"):
        return text
    words = text.split()
    end = _FIELDS
    while end < min(len(words), _FIELDS + _COUNTERS) and _is_counter(words[end]):
        end += 1
    first = words[end][0] if end < len(words) else ""
    return " ".join(words[:end]) if first.isascii() and first.isalpha() else text


def why(fen: str) -> str | None:
    """Return what is wrong with a text that is no position of chess or Chess960, if anything."""
    count = len(fen.split())
    if count < _FIELDS:
        return f"a FEN has at least {_FIELDS} fields, this has {count}"
    try:
        Board(fen, chess960=True)
    except FenError as error:
        return str(error).removeprefix(f"FEN {fen!r}: ")
    return None


def ignored_castling(fen: str, board: Board) -> str:
    """Return the letters of the castling field for which no king and rook stand ready.

    Parameters
    ----------
    fen
        At least three fields, a position.
    board
        The board of it.
    """
    pieces, side, asked = fen.split()[:3]
    if asked == "-" or len(asked) == len(board.epd().split()[2]) != 1:
        return ""
    return "".join(
        letter
        for letter in dict.fromkeys(asked)
        if Board(f"{pieces} {side} {letter} -", chess960=True).epd().split()[2] == "-"
    )


def _is_counter(word: str) -> bool:
    return word.isascii() and word.isdigit()
