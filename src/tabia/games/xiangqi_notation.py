"""Moves of xiangqi as people and programs write them, read and written.

Read is every text that names one legal move of its position: WXF (`C2=5`) and PlayOK's form of it
(`C2.5`, `c2.5`), Chinese in either script (`炮二平五`), coordinates (`h2e2`, `H2-E2`, `h3e3`) and
XBoard's SAN (`Che2`). `docs/xiangqi_notation.md` has the conventions and where they come from.
Texts are already decoded and split: encodings, move numbers and comments are the file readers'.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from tabia._native.xiangqi_board import Board
from tabia._native.xiangqi_notation import read_text, read_texts, write_texts

__all__ = [
    "NOTATIONS",
    "STYLES",
    "Fault",
    "Notation",
    "NotationError",
    "ReadMoves",
    "Style",
    "parse_move",
    "read_moves",
    "write_moves",
]

Notation = Literal["wxf", "playok", "chinese", "iccs", "ucci", "uci", "san"]
"""What texts of moves can be."""

NOTATIONS: tuple[Notation, ...] = get_args(Notation)

Style = Literal["wxf", "playok", "iccs", "ucci", "uci", "chinese_simplified", "chinese_traditional"]
"""How moves can be written."""

STYLES: tuple[Style, ...] = get_args(Style)

Fault = Literal["bad_move", "illegal_move", "ambiguous_move"]
"""Why a text names no move; words of `tabia.records.xiangqi.record.REASONS`."""

_SAYS: dict[Fault, str] = {
    "bad_move": "is no move in any notation read here",
    "illegal_move": "names no legal move",
    "ambiguous_move": "names several legal moves",
}


class NotationError(ValueError):
    """A text that names no legal move of its position, or more than one.

    Attributes
    ----------
    reason
        `bad_move`: the text is none of any dialect; `illegal_move`: it is, but no piece here may
        move so; `ambiguous_move`: several may, and no convention says which.
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
        Why reading stopped, its text naming ply, token and position; None if all were read. The
        ply is `len(codes) + 1`.
    notation
        As the caller said, or what most of the texts read are. `playok` is told from `wxf` by
        Black's small letters beside Red's capitals and the absence of `=`; `iccs` from `ucci` by
        capitals or hyphens; `uci` by a rank 10. Without texts it is `wxf`.
    """

    codes: list[int]
    fault: NotationError | None
    notation: Notation


def parse_move(board: Board, text: str, notation: Notation | None = None) -> int:
    """Code of the one legal move that a text names.

    Parameters
    ----------
    board
        The position; it is not changed.
    text
        A move in any dialect.
    notation
        What the text is, if it is known. It decides what the ranks of coordinates count from: 1
        with `uci`, 0 with another; left out, 1 if the text has a rank 10, else 0. All dialects
        are read in any case.

    Raises
    ------
    NotationError
        If it names none or several.
    """
    code, reason = read_text(board.packed(), text, _first_rank(notation))
    if reason is not None:
        raise NotationError(f"{text!r} {_SAYS[reason]}: {board.fen()}", reason)
    return code


def read_moves(
    texts: Iterable[str], start_fen: str | None = None, notation: Notation | None = None
) -> ReadMoves:
    """Moves of a whole game, up to the first text that names none.

    Parameters
    ----------
    texts
        One a ply, without move numbers, comments and result.
    start_fen
        Start; None is the standard start.
    notation
        What the texts are, if it is known. It decides what the ranks of coordinates count from: 1
        with `uci`, 0 with another; left out, 1 if some text has a rank 10, else 0. It limits
        nothing: the dialect of each text shows by itself.

    Raises
    ------
    FenError
        If the start is no position.
    """
    moves = list(texts)
    codes, reason, fen, found = read_texts(moves, start_fen, _first_rank(notation))
    fault = None
    if reason is not None:
        ply = len(codes) + 1
        fault = NotationError(f"ply {ply}: {moves[ply - 1]!r} {_SAYS[reason]}: {fen}", reason)
    if notation is None:
        notation = found if moves else "wxf"
    return ReadMoves(codes, fault, notation)


def write_moves(
    codes: Sequence[int], start_fen: str | None = None, style: Style = "wxf"
) -> list[str]:
    """Texts of a game's moves, one a ply; `read_moves` gives the same moves back.

    Parameters
    ----------
    codes
        Legal moves, 90 * from + to.
    start_fen
        Start; None is the standard start.
    style
        One of `STYLES`.

    Raises
    ------
    IllegalMoveError
        If a move is not legal; the text names its ply.
    FenError
        If the start is no position.
    ValueError
        If there is no such style.
    """
    if style not in STYLES:
        raise ValueError(f"no style {style!r}; there are {', '.join(STYLES)}")
    return write_texts(codes, start_fen, STYLES.index(style))


def _first_rank(notation: Notation | None) -> Literal[0, 1] | None:
    if notation is None:
        return None
    if notation not in NOTATIONS:
        raise ValueError(f"no notation {notation!r}; there are {', '.join(NOTATIONS)}")
    return 1 if notation == "uci" else 0
