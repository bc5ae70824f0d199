"""Moves of xiangqi as people and programs write them, read and written.

Read is whatever names exactly one legal move of its position; `docs/xiangqi_notation.md` lists the
dialects and their conventions. Texts are already decoded: encodings are the readers' of files.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from tabia._native.xiangqi_board import Board, decode_move, encode_move

__all__ = [
    "STYLES",
    "Fault",
    "NotationError",
    "ReadMoves",
    "Style",
    "parse_move",
    "read_moves",
    "write_moves",
]

Style = Literal["wxf", "playok", "iccs", "ucci", "uci", "chinese_simplified", "chinese_traditional"]
"""How `write_moves` can write."""

STYLES: tuple[Style, ...] = get_args(Style)

Fault = Literal["bad_move", "illegal_move", "ambiguous_move"]
"""Why a text names no move; the same words as in `tabia.records.xiangqi.record.REASONS`."""


class NotationError(ValueError):
    """A text that names no legal move of its position.

    Attributes
    ----------
    reason
        `bad_move`: no text of any dialect; `illegal_move`: it names a piece and a way to go, but no
        legal move; `ambiguous_move`: it fits several legal moves.
    """

    def __init__(self, message: str, reason: Fault) -> None:
        super().__init__(message)
        self.reason: Fault = reason


@dataclass(frozen=True, slots=True)
class ReadMoves:
    """Moves of a game up to the first text that names none.

    Attributes
    ----------
    codes
        The legal moves before the fault, 90 * from + to.
    fault
        Why reading stopped, its text naming ply and token; None if all were read.
    notation
        `wxf`, `playok`, `chinese`, `iccs`, `ucci`, `uci` or `san`: what the texts are.
    """

    codes: list[int]
    fault: NotationError | None
    notation: str


def parse_move(board: Board, text: str) -> int:
    """Code of the legal move that a text names; NotationError if it names none or several."""
    try:
        code = encode_move(text.strip())
    except ValueError:
        raise NotationError(f"{text!r} names no move", "bad_move") from None
    if not board.is_legal(code):
        raise NotationError(f"{text!r} is not legal in {board.fen()}", "illegal_move")
    return code


def read_moves(
    texts: Iterable[str], start_fen: str | None = None, notation: str | None = None
) -> ReadMoves:
    """Moves of a whole game.

    Parameters
    ----------
    texts
        One token a ply, without move numbers and comments.
    start_fen
        Start; None is the standard start. FenError if it is no position.
    notation
        The dialect if it is known; `uci` (ranks 1 to 10) is never guessed from ranks below 10.
    """
    board = Board(start_fen)
    fault = None
    for text in texts:
        try:
            board.push(parse_move(board, text))
        except NotationError as error:
            fault = error
            break
    return ReadMoves(board.moves(), fault, notation or "ucci")


def write_moves(
    codes: Sequence[int], start_fen: str | None = None, style: Style = "wxf"
) -> list[str]:
    """Texts of a game's moves, one a ply; IllegalMoveError if one is not legal."""
    board = Board(start_fen)
    texts = []
    for code in codes:
        board.push(code)
        text = decode_move(code, first_rank=1 if style == "uci" else 0)
        texts.append(f"{text[:2]}-{text[2:]}".upper() if style == "iccs" else text)
    return texts
